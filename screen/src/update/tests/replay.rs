use super::*;
use crate::draw;
use crate::hit_target::SongTarget;
use crate::model::list::Group;
use crate::model::replay::SongView;
use crate::model::replay::example;
use player::Subsong;
use player::live::{ListedSong, SongCommand, SongEvent, StartedSong};
use player::song_volume;
use song::Decibels;

fn playing() -> Model {
    Model { song: Some(example::song(3)), view: View::Pattern, ..model() }
}

fn pressed(model: &mut Model, press: Press) -> Vec<SongCommand> {
    let intents = update(model, Msg::Press(press), Duration::ZERO);
    let steered = intents.into_iter().map(|intent| match intent {
        Intent::Song(intent) => intent,
        other => panic!("{other:?}"),
    });
    steered.collect()
}

fn seek(order: usize, row: usize) -> Vec<SongCommand> {
    vec![SongCommand::Seek { order, row }]
}

#[test]
fn arrows_go_through_rows_and_pages_through_orders_past_those_without_a_pattern() {
    let mut model = playing();
    assert_eq!(pressed(&mut model, Press::Down(1)), seek(1, 3));
    assert_eq!(pressed(&mut model, Press::Down(1)), seek(3, 0), "the order between is skipped");
    assert_eq!(pressed(&mut model, Press::Up(1)), seek(1, 3));
    assert_eq!(pressed(&mut model, Press::Up(MANY)), seek(0, 0));
    assert_eq!(pressed(&mut model, Press::Up(1)), seek(0, 0), "there is nothing before it");
    assert_eq!(pressed(&mut model, Press::End), seek(3, 0));
    assert_eq!(pressed(&mut model, Press::Down(MANY)), seek(3, 0), "there is nothing after it");
    assert_eq!(pressed(&mut model, Press::Home), seek(0, 0));
}

#[test]
fn a_marked_channel_is_silenced_and_heard_alone() {
    let mut model = playing();
    model.song.as_mut().unwrap().used = vec![0, 1, 2];
    pressed(&mut model, Press::Right(MANY));
    let mute = |channel, is_muted| SongCommand::Mute { channel, is_muted };
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Mute)), [mute(1, true)]);
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Mute)), [mute(1, false)]);
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Solo)), [mute(0, true), mute(2, true)]);
    assert_eq!(model.song.as_ref().unwrap().solo(), Some(1));
    pressed(&mut model, Press::Left(MANY));
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Solo)), [mute(0, false), mute(1, true)]);
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Solo)), [mute(1, false), mute(2, false)]);
}

#[test]
fn keys_pause_repeat_and_change_the_tempo_within_bounds() {
    let mut model = playing();
    let mut steer = |command| pressed(&mut model, Press::Command(command));
    assert_eq!(steer(KeyCommand::PlaySong), [SongCommand::Play(false)]);
    assert_eq!(steer(KeyCommand::LoopPattern), [SongCommand::LoopPattern(true)]);
    assert_eq!(steer(KeyCommand::LoopPattern), [SongCommand::LoopPattern(false)]);
    assert_eq!(steer(KeyCommand::Slower), [SongCommand::Tempo(99)]);
    for (command, bound) in [(KeyCommand::Faster, 400), (KeyCommand::Slower, 25)] {
        (0..999).for_each(|_| drop(steer(command)));
        assert_eq!(steer(command), [SongCommand::Tempo(bound)]);
    }
    assert_eq!(steer(KeyCommand::Shuffle), [SongCommand::Shuffle(true)]);
    assert_eq!(steer(KeyCommand::PreviousSong), [SongCommand::Next(-1)]);
}

#[test]
fn the_list_has_its_keys_again_when_the_song_is_not_shown() {
    let mut model = playing();
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::ShowSong)), []);
    assert!(model.shown_song().is_none());
    let before = model.chosen;
    assert_eq!(pressed(&mut model, Press::Down(1)), []);
    assert_ne!(model.chosen, before);
    assert_eq!(
        pressed(&mut model, Press::Command(KeyCommand::PlaySong)),
        [SongCommand::Play(false)],
        "it still is steered"
    );
}

#[test]
fn notes_are_played_along_while_the_song_is_shown() {
    let mut model = playing();
    let intents = update(&mut model, Msg::Press(Press::Char('z')), Duration::ZERO);
    assert!(matches!(intents[..], [Intent::NoteOn { .. }]), "{intents:?}");
}

#[test]
fn clicks_go_to_orders_and_rows_silence_channels_and_choose_instruments() {
    let mut model = playing();
    let click = |model: &mut Model, action, target| {
        update(model, Msg::Mouse { action, target: HitTarget::Song(target) }, Duration::ZERO)
    };
    let song = |intent| vec![Intent::Song(intent)];
    let down = MouseAction::Down;
    let intents = click(&mut model, down, SongTarget::Order(3));
    assert_eq!(intents, song(SongCommand::Seek { order: 3, row: 0 }));
    let intents = click(&mut model, down, SongTarget::Row { order: 3, row: 1 });
    assert_eq!(intents, song(SongCommand::Seek { order: 3, row: 1 }));
    let intents = click(&mut model, down, SongTarget::Channel(2));
    assert_eq!(intents, song(SongCommand::Mute { channel: 2, is_muted: true }));
    let intents = click(&mut model, MouseAction::RightDown, SongTarget::Channel(2));
    let mute = |channel, is_muted| Intent::Song(SongCommand::Mute { channel, is_muted });
    assert_eq!(intents, [mute(0, true), mute(1, true), mute(2, false)]);
    // Its sample comes before its instruments.
    assert_eq!(click(&mut model, down, SongTarget::Name(1)), []);
    assert_eq!(model.chosen, 2);
    let wheel = MouseAction::Wheel(1);
    assert_eq!(
        click(&mut model, wheel, SongTarget::Row { order: 3, row: 0 }),
        song(SongCommand::Seek { order: 3, row: 1 })
    );
}

#[test]
fn a_song_that_is_there_is_shown_and_its_meters_fall() {
    let mut model = model();
    let news = |news| Msg::Live(LiveEvent::Song(news));
    update(&mut model, news(SongEvent::Loading("x.it".to_owned())), Duration::ZERO);
    assert!(model.notice.as_ref().is_some_and(|(notice, _)| notice.contains("x.it")));
    let SongView {
        score, song, subsongs, first_sound, list: position, tempo, volume, separation, heard, ..
    } = example::song(3);
    let started =
        StartedSong { score, index: 0, song, subsongs, first_sound, position, tempo, volume, separation };
    update(&mut model, news(SongEvent::Started(Box::new(started))), Duration::ZERO);
    assert!(model.shown_song().is_some() && model.notice.is_none());
    update(&mut model, news(SongEvent::Heard(heard.clone(), true)), Duration::ZERO);
    let mut silent = heard;
    silent.channels[0].volume = 0.0;
    update(&mut model, news(SongEvent::Heard(silent, false)), Duration::ZERO);
    let level = |model: &Model| model.song.as_ref().unwrap().levels[0];
    let before = level(&model);
    update(&mut model, Msg::Tick, Duration::ZERO);
    assert!(level(&model) < before && level(&model) > 0.0);
    (0..99).for_each(|_| drop(update(&mut model, Msg::Tick, Duration::ZERO)));
    assert_eq!(level(&model), 0.0);
}

fn volume(decibels: f32) -> SongCommand {
    SongCommand::Volume(Decibels::new(decibels).unwrap())
}

fn typed(model: &mut Model, text: &str) -> Vec<Intent> {
    let press = |model: &mut Model, typed| update(model, Msg::Press(Press::Char(typed)), Duration::ZERO);
    text.chars().flat_map(|key| press(model, key)).collect()
}

#[test]
fn keys_that_type_steer_the_song_until_a_note_shows_the_piano() {
    let song = |command| Intent::Song(command);
    let mute = |channel, is_muted| song(SongCommand::Mute { channel, is_muted });
    let mut model = playing();
    assert_eq!(typed(&mut model, " "), [song(SongCommand::Play(false))]);
    assert_eq!(typed(&mut model, "2"), [mute(1, true)]);
    assert_eq!(typed(&mut model, "2!"), [mute(1, false)], "all are heard again by then");
    assert_eq!(typed(&mut model, "9"), [], "there is no ninth channel");
    assert_eq!(typed(&mut model, "-"), [song(volume(-1.0))]);
    assert_eq!(typed(&mut model, "=+"), [song(volume(0.0)), song(volume(1.0))]);
    assert_eq!(typed(&mut model, "><"), [song(SongCommand::Next(1)), song(SongCommand::Next(-1))]);
    assert_eq!(typed(&mut model, "()"), [song(SongCommand::Tempo(99)), song(SongCommand::Tempo(100))]);
    assert!(!model.has_piano());
    assert!(matches!(typed(&mut model, "z")[..], [Intent::NoteOn { .. }]));
    assert!(model.has_piano());
    assert!(matches!(typed(&mut model, "2")[..], [Intent::NoteOn { .. }]), "a black key");
    assert_eq!(typed(&mut model, "-"), [], "the velocity");
    let shifted = Press::Shifted { key: ',', types: '<' };
    assert_eq!(pressed(&mut model, shifted), [SongCommand::Next(-1)]);
    assert_eq!(pressed(&mut model, Press::Char('>')), [SongCommand::Next(1)], "as other terminals type it");
    assert_eq!(update(&mut model, Msg::Press(Press::Escape), Duration::ZERO), [Intent::ReleaseAll]);
    assert!(!model.has_piano());
    assert_eq!(typed(&mut model, "2"), [mute(1, true)]);
}

#[test]
fn esc_goes_back_to_the_pattern_while_released_notes_ring_out_and_midi_is_held() {
    let mut model = playing();
    let escape = |model: &mut Model| update(model, Msg::Press(Press::Escape), Duration::ZERO);
    pressed(&mut model, Press::Tab);
    assert_eq!(model.view, View::About);
    update(&mut model, Msg::Press(Press::Enter), Duration::ZERO);
    assert!(!model.notes.is_empty());
    assert_eq!((escape(&mut model), model.view), (vec![Intent::ReleaseAll], View::About));
    assert_eq!((escape(&mut model), model.view), (vec![], View::Pattern), "its end is still heard");
}

#[test]
fn the_songs_of_a_module_follow_one_another_with_lengths_of_their_own() {
    let mut model = playing();
    let subsong = |order, seconds| Subsong { order, seconds, is_longer: false };
    model.song.as_mut().unwrap().subsongs = vec![subsong(0, 83.0), subsong(3, 20.0)];
    assert_eq!(typed(&mut model, "{"), [], "there is none before the first");
    assert_eq!(typed(&mut model, "}"), [Intent::Song(SongCommand::Subsong(3))]);
    assert_eq!(model.song.as_ref().unwrap().seconds(), 20.0);
    assert_eq!(typed(&mut model, "}"), [], "there is no third");
    assert_eq!(pressed(&mut model, Press::Home), [SongCommand::Seek { order: 3, row: 0 }]);
    assert_eq!(typed(&mut model, "{"), [Intent::Song(SongCommand::Subsong(0))]);
}

#[test]
fn left_and_right_come_together_and_apart_again() {
    let mut model = playing();
    let set = |percent| Intent::Song(SongCommand::Separation(percent));
    assert_eq!(typed(&mut model, "*"), [], "they are as far apart as the song says");
    assert_eq!(typed(&mut model, "__"), [set(80), set(60)]);
    assert_eq!(typed(&mut model, "*"), [set(80)]);
    for _ in 0..9 {
        typed(&mut model, "_");
    }
    assert_eq!(model.song.as_ref().unwrap().separation, 0);
}

#[test]
fn a_held_key_that_is_a_command_of_songs_goes_on_by_degrees_and_plays_nothing() {
    let mut model = playing();
    let held = |model: &mut Model, key, types| {
        update(model, Msg::Repeat(Press::Shifted { key, types }), Duration::ZERO)
    };
    let narrower = |percent| [Intent::Song(SongCommand::Separation(percent))];
    assert_eq!(held(&mut model, '-', '_'), narrower(80));
    model.plays_along = true;
    assert_eq!(held(&mut model, '-', '_'), narrower(60), "beside the piano as well");
    let before = model.clone();
    for (key, types) in [('[', '{'), (']', '}'), ('1', '!'), ('.', '>')] {
        assert_eq!(held(&mut model, key, types), [], "{types}");
        assert_eq!(model, before, "{types} turns neither octave nor velocity");
    }
}

#[test]
fn volumes_have_bounds() {
    let mut model = playing();
    for (command, bound) in [(KeyCommand::Louder, song_volume::MAX), (KeyCommand::Softer, song_volume::MIN)] {
        (0..99).for_each(|_| drop(pressed(&mut model, Press::Command(command))));
        assert_eq!(pressed(&mut model, Press::Command(command)), [volume(bound)]);
    }
}

#[test]
fn arrows_seek_by_seconds_and_with_shift_mark_instruments() {
    let mut model = playing();
    assert_eq!(pressed(&mut model, Press::Right(1)), [SongCommand::SeekBy(5.0)]);
    assert_eq!(pressed(&mut model, Press::Left(1)), [SongCommand::SeekBy(-5.0)]);
    assert_eq!(pressed(&mut model, Press::ShiftDown), []);
    assert_eq!(model.chosen, 1, "the first instrument, after the sample");
    pressed(&mut model, Press::ShiftDown);
    assert_eq!(model.chosen, 2);
    pressed(&mut model, Press::ShiftUp);
    assert_eq!(model.chosen, 1);
}

#[test]
fn in_the_help_keys_search_and_close_and_the_song_plays_on() {
    for close in [Press::Escape, Press::Enter, Press::Char('q'), Press::Command(KeyCommand::Help)] {
        let mut model = playing();
        pressed(&mut model, Press::Command(KeyCommand::Help));
        assert_eq!(pressed(&mut model, close), [], "{close:?}");
        assert!(model.help.is_none() && model.song.as_ref().unwrap().is_playing);
    }
    let mut model = playing();
    pressed(&mut model, Press::Command(KeyCommand::Help));
    assert_eq!(typed(&mut model, "zu1"), [], "nothing plays");
    assert_eq!(model.help.as_ref().unwrap().filter, "");
    assert_eq!(typed(&mut model, "/quit"), []);
    assert_eq!(model.help.as_ref().unwrap().filter, "quit");
    assert_eq!(draw::help_rows(&model).0, 2, "a heading and a command");
    (0..4).for_each(|_| drop(pressed(&mut model, Press::Backspace)));
    pressed(&mut model, Press::Down(1000));
    let before = model.help.clone();
    pressed(&mut model, Press::Down(1));
    assert_eq!(model.help, before, "there is no more");
}

#[test]
fn commands_of_a_panel_show_it() {
    for command in [KeyCommand::Search, KeyCommand::Adjust, KeyCommand::Undo, KeyCommand::NextGroup] {
        let mut model = playing();
        pressed(&mut model, Press::Command(command));
        assert_eq!(model.view, View::Sounds, "{command:?}");
    }
    let mut model = playing();
    pressed(&mut model, Press::Command(KeyCommand::Map));
    assert!(model.view == View::Pattern && model.has_piano());
}

fn song_listed(file: &str) -> ListedSong {
    ListedSong {
        path: file.into(),
        file: file.to_owned(),
        title: String::new(),
        writer: String::new(),
        format: "it",
        length: None,
    }
}

fn listed(file: &str) -> SongEvent {
    SongEvent::Added(Box::new(song_listed(file)))
}

#[test]
fn a_folder_of_songs_opens_on_their_list_and_plays_the_chosen_one() {
    let mut model = Model { list: SoundList::default(), ..model() };
    for file in ["b.it", "a.it"] {
        assert_eq!(model.view, View::Sounds);
        update(&mut model, Msg::Live(LiveEvent::Song(listed(file))), Duration::ZERO);
    }
    assert_eq!(model.view, View::Songs);
    pressed(&mut model, Press::Down(1));
    assert_eq!(pressed(&mut model, Press::Enter), [SongCommand::Begin(1)]);
    assert_eq!(pressed(&mut model, Press::Char(' ')), [SongCommand::Begin(1)], "none plays so far");
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Sort)), [SongCommand::Arrange(vec![1, 0])]);
    pressed(&mut model, Press::Command(KeyCommand::Search));
    assert_eq!(typed(&mut model, "b.it"), []);
    assert_eq!(pressed(&mut model, Press::Enter), []);
    assert_eq!(pressed(&mut model, Press::Enter), [SongCommand::Begin(0)]);
    assert_eq!(pressed(&mut model, Press::Escape), []);
    assert_eq!(model.songs.rows.len(), 2);
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Shuffle)), [SongCommand::Shuffle(true)]);
    model.songs.is_shuffled = true;
    let in_order = SongCommand::Arrange(vec![1, 0]);
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Shuffle)), [in_order], "as they are listed");
    pressed(&mut model, Press::Command(KeyCommand::ShowSong));
    assert_eq!(model.view, View::Sounds);
}

fn started(index: usize) -> Msg {
    let SongView { score, song, subsongs, first_sound, list: position, tempo, volume, separation, .. } =
        example::song(3);
    let started =
        StartedSong { score, index, song, subsongs, first_sound, position, tempo, volume, separation };
    Msg::Live(LiveEvent::Song(SongEvent::Started(Box::new(started))))
}

#[test]
fn a_song_that_follows_another_leaves_what_is_shown() {
    let mut model = model();
    for file in ["a.it", "b.it"] {
        update(&mut model, Msg::Live(LiveEvent::Song(listed(file))), Duration::ZERO);
    }
    update(&mut model, started(0), Duration::ZERO);
    assert_eq!(model.view, View::Pattern, "the first is shown");
    for view in [View::Sounds, View::About, View::Songs] {
        model.view = view;
        update(&mut model, started(1), Duration::ZERO);
        assert_eq!(model.view, view);
    }
    assert_eq!(pressed(&mut model, Press::Enter), [SongCommand::Begin(0)]);
    update(&mut model, started(0), Duration::ZERO);
    assert_eq!(model.view, View::Pattern, "it was asked for");
}

#[test]
fn a_song_is_chosen_by_a_click_and_played_by_another_on_it() {
    let mut model = Model { view: View::Songs, ..playing() };
    for number in 0..40 {
        model.songs.add(song_listed(&format!("{number}.it")));
    }
    let screen = Rect::new(0, 0, 80, 24);
    // The last row that is seen.
    let at = ratatui::layout::Position::new(10, 20);
    let target = crate::hit::target(&model, screen, at);
    let HitTarget::Song(SongTarget::Listed(row)) = target else { panic!("{target:?}") };
    let click = || Msg::Mouse { action: MouseAction::Down, target };
    assert_eq!(update(&mut model, click(), Duration::ZERO), []);
    assert_eq!(model.songs.chosen, row);
    assert_eq!(crate::hit::target(&model, screen, at), target, "the list stays where it is");
    assert_eq!(update(&mut model, click(), Duration::ZERO), [Intent::Song(SongCommand::Begin(row))]);
}

#[test]
fn a_folder_with_other_sounds_opens_on_the_sounds() {
    let mut model = model();
    let group = |name: &str| Group { name: name.to_owned(), ..Group::default() };
    model.list.groups = ["a.it", "b.it", "Sounds.uax"].map(group).to_vec();
    for file in ["a.it", "b.it"] {
        update(&mut model, Msg::Live(LiveEvent::Song(listed(file))), Duration::ZERO);
    }
    assert_eq!(model.view, View::Sounds);
}

#[test]
fn pages_follow_one_another() {
    let mut model = playing();
    let next = |model: &mut Model| {
        pressed(model, Press::Tab);
        model.view
    };
    assert_eq!([next(&mut model), next(&mut model)], [View::About, View::Pattern]);
    for file in ["a.it", "b.it"] {
        update(&mut model, Msg::Live(LiveEvent::Song(listed(file))), Duration::ZERO);
    }
    assert_eq!(
        [next(&mut model), next(&mut model), next(&mut model)],
        [View::About, View::Songs, View::Pattern]
    );
    pressed(&mut model, Press::Tab);
    pressed(&mut model, Press::Escape);
    assert_eq!(model.view, View::Pattern);
}

#[test]
fn the_page_of_a_song_scrolls_to_its_last_line() {
    let mut model = Model { view: View::About, size: (40, 12), ..playing() };
    let song = model.song.as_mut().unwrap();
    let mut module = song.module().clone();
    module.message = (0..30).map(|line| format!("line {line}\r")).collect();
    song.score = std::sync::Arc::new(player::Score::silent(module));
    assert_eq!(pressed(&mut model, Press::End), []);
    let last = model.about_scroll;
    assert!(last > 30, "{last}");
    pressed(&mut model, Press::Down(1));
    assert_eq!(model.about_scroll, last, "there is no more");
    pressed(&mut model, Press::Up(1));
    assert_eq!(model.about_scroll, last - 1);
    pressed(&mut model, Press::Home);
    assert_eq!(model.about_scroll, 0);
    assert_eq!(pressed(&mut model, Press::Right(1)), [SongCommand::SeekBy(5.0)], "the song is steered");
}
