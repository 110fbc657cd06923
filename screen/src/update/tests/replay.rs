use super::*;
use crate::hit_target::SongTarget;
use crate::model::replay::SongView;
use crate::model::replay::example;
use player::live::{SongCommand, SongEvent, StartedSong};

fn playing() -> Model {
    Model { song: Some(example::song(3)), shows_song: true, ..model() }
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
    pressed(&mut model, Press::Right(1));
    let mute = |channel, is_muted| SongCommand::Mute { channel, is_muted };
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Mute)), [mute(1, true)]);
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Mute)), [mute(1, false)]);
    assert_eq!(pressed(&mut model, Press::Command(KeyCommand::Solo)), [mute(0, true), mute(2, true)]);
    assert_eq!(model.song.as_ref().unwrap().solo(), Some(1));
    pressed(&mut model, Press::Left(1));
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
    let intents = click(&mut model, down, SongTarget::Row(1));
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
    assert_eq!(click(&mut model, wheel, SongTarget::Row(0)), song(SongCommand::Seek { order: 3, row: 1 }));
}

#[test]
fn a_song_that_is_there_is_shown_and_its_meters_fall() {
    let mut model = model();
    let news = |news| Msg::Live(LiveEvent::Song(news));
    update(&mut model, news(SongEvent::Loading("x.it".to_owned())), Duration::ZERO);
    assert!(model.notice.as_ref().is_some_and(|(notice, _)| notice.contains("x.it")));
    let SongView { score, title, length, first_sound, list: position, tempo, heard, .. } = example::song(3);
    let started = StartedSong { score, title, length, first_sound, position, tempo };
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
