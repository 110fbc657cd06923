use super::*;
use crate::model::View;
use crate::model::replay::example;

fn playing(channels: usize) -> Model {
    Model { song: Some(example::song(channels)), view: View::Pattern, ..model() }
}

#[test]
fn the_song_is_as_it_was_at_every_size() {
    for (width, height) in [(40, 12), (60, 15), (80, 24), (120, 40), (200, 60)] {
        let drawn = text(&drawn(&playing(4), Theme::plain(), width, height));
        compare(&format!("song-{width}x{height}.txt"), &drawn);
    }
}

#[test]
fn a_cell_loses_what_says_least_as_channels_need_the_room() {
    let shown = |channels: usize| text(&drawn(&playing(channels), Theme::plain(), 80, 24));
    let last = {
        let mut model = playing(64);
        model.song.as_mut().unwrap().channel = 63;
        text(&drawn(&model, Theme::plain(), 80, 24))
    };
    assert!(shown(64).contains(" 1 ") && !shown(64).contains(" 64 "), "{}", shown(64));
    assert!(last.contains(" 64 ") && !last.contains(" 1   2 "), "those around the marked one: {last}");
    for (channels, cell) in [(2, "G-4 02 v40 H84"), (7, "G-4 02 H84"), (9, "G-4 ")] {
        assert!(shown(channels).contains(cell), "{channels}: {}", shown(channels));
    }
}

#[test]
fn a_total_that_is_a_limit_is_marked_as_one() {
    let mut model = playing(4);
    let shown = |model: &Model| text(&drawn(model, Theme::plain(), 80, 24));
    assert!(!shown(&model).contains("longer"));
    model.song.as_mut().unwrap().subsongs[0].is_longer = true;
    assert!(shown(&model).contains(" 0:12 / longer than 1:23"), "{}", shown(&model));
    let narrow = text(&drawn(&model, Theme::plain(), 40, 12));
    assert!(narrow.contains("longer than 1:23"), "{narrow}");
}

#[test]
fn what_sounds_is_lit_and_what_is_silent_is_said_so() {
    let mut model = playing(4);
    let song = model.song.as_mut().unwrap();
    song.muted[1] = true;
    (song.is_playing, song.loops_pattern, song.tempo) = (false, true, 97);
    let terminal = drawn(&model, Theme { depth: ColorDepth::Ansi, ..Theme::plain() }, 80, 24);
    let shown = text(&terminal);
    for said in ["2 mute", "looped", "paused", "at 97 %", "2 of 3", "0:12 / 1:23"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    let buffer = terminal.backend().buffer();
    let lit = |name: &str| {
        let cells: Vec<_> = buffer.content().iter().collect();
        let wanted: Vec<String> = name.chars().map(String::from).collect();
        let at = cells
            .windows(wanted.len())
            .position(|cells| cells.iter().zip(&wanted).all(|(cell, letter)| cell.symbol() == letter));
        cells[at.unwrap()].fg == Color::Yellow
    };
    assert_eq!([lit("Strings, slow"), lit("Bass")], [true, false]);
}

#[test]
fn the_help_of_the_song_begins_with_the_song() {
    for (width, height) in [(40, 12), (60, 15), (80, 24)] {
        let helped = Model { help: Some(HelpView::default()), ..playing(4) };
        let text = text(&drawn(&helped, Theme::plain(), width, height));
        assert!(text.contains("Song") && text.contains("five seconds back"), "{width} by {height}: {text}");
        let text = scrolled_help(&playing(4), width, height);
        for key in ["Ctrl-T", "Ctrl-K", "Ctrl-Y", "Ctrl-L", "Ctrl-G", "F6", "F10"] {
            assert!(text.contains(key), "{key} at {width} by {height}: {text}");
        }
    }
}

#[test]
fn the_page_of_a_song_has_its_message_and_names() {
    let mut model = Model { view: View::About, ..playing(4) };
    let song = model.song.as_mut().unwrap();
    let mut module = song.module().clone();
    module.message = "Greetings to\rall of you\r".to_owned();
    song.score = std::sync::Arc::new(player::Score::silent(module));
    for (width, height) in [(40, 12), (60, 15), (80, 24), (120, 40), (200, 60)] {
        compare(&format!("about-{width}x{height}.txt"), &text(&drawn(&model, Theme::plain(), width, height)));
    }
    assert!(text(&drawn(&model, Theme::plain(), 80, 24)).contains("Greetings to"));
}

#[test]
fn the_list_of_songs_is_as_it_was_at_every_size() {
    let mut model = Model { view: View::Songs, ..playing(4) };
    for (title, file, seconds) in
        [("Night drive", "night.xm", 201.0), ("", "b.mod", 3725.0), ("Zoo", "z.it", 9.0)]
    {
        model.songs.add(player::live::ListedSong {
            path: file.into(),
            file: file.to_owned(),
            title: title.to_owned(),
            writer: "FastTracker v2.00".to_owned(),
            format: "xm",
            length: Some(player::Subsong { order: 0, seconds, is_longer: false }),
        });
    }
    (model.songs.chosen, model.songs.playing) = (1, Some(0));
    for (width, height) in [(40, 12), (60, 15), (80, 24), (120, 40), (200, 60)] {
        compare(&format!("songs-{width}x{height}.txt"), &text(&drawn(&model, Theme::plain(), width, height)));
    }
}
