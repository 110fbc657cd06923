use super::*;
use crate::model::replay::example;

fn playing(channels: usize) -> Model {
    Model { song: Some(example::song(channels)), shows_song: true, ..model() }
}

#[test]
fn the_song_is_as_it_was_at_every_size() {
    for (width, height) in [(40, 12), (60, 15), (80, 24), (120, 40)] {
        let drawn = text(&drawn(&playing(4), PLAIN, width, height));
        compare(&format!("song-{width}x{height}.txt"), &drawn);
    }
}

#[test]
fn a_cell_loses_what_says_least_as_channels_need_the_room() {
    let shown = |channels: usize| text(&drawn(&playing(channels), PLAIN, 80, 24));
    for (channels, cell) in [(2, "G-4 02 v40 H84"), (4, "G-4 02 H84"), (6, "G-4 02 "), (9, "G-4 ")] {
        assert!(shown(channels).contains(cell), "{channels}: {}", shown(channels));
    }
    // Not all are seen: those around the marked one are.
    let mut model = playing(64);
    assert!(shown(64).contains(" 1   2 "));
    model.song.as_mut().unwrap().channel = 63;
    let last = text(&drawn(&model, PLAIN, 80, 24));
    assert!(last.contains(" 64") && !last.contains(" 1   2 "), "{last}");
}

#[test]
fn a_total_that_is_a_limit_is_marked_as_one() {
    let mut model = playing(4);
    let shown = |model: &Model| text(&drawn(model, PLAIN, 80, 24));
    assert!(!shown(&model).contains("longer"));
    model.song.as_mut().unwrap().length.as_mut().unwrap().is_longer = true;
    assert!(shown(&model).contains(" 0:12 / longer than 1:23 "), "{}", shown(&model));
    // A narrow screen shortens the title.
    let narrow = text(&drawn(&model, PLAIN, 40, 12));
    assert!(narrow.contains("longer than 1:23"), "{narrow}");
}

#[test]
fn what_sounds_is_lit_and_what_is_silent_is_said_so() {
    let mut model = playing(4);
    let song = model.song.as_mut().unwrap();
    song.muted[1] = true;
    (song.is_playing, song.loops_pattern, song.tempo) = (false, true, 97);
    let terminal = drawn(&model, Theme { colored: true, ascii: false }, 80, 24);
    let shown = text(&terminal);
    for said in ["2 mute", "looped", "paused", "at 97 %", "2/3", "0:12 / 1:23"] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    let buffer = terminal.backend().buffer();
    let lit = |name: &str| {
        let cells: Vec<_> = buffer.content().iter().collect();
        let wanted: Vec<String> = name.chars().map(String::from).collect();
        let at = cells
            .windows(wanted.len())
            .position(|cells| cells.iter().zip(&wanted).all(|(cell, letter)| cell.symbol() == letter));
        cells[at.unwrap()].bg == Color::Yellow
    };
    assert_eq!([lit("Strings, slow"), lit("Bass")], [true, false]);
}

#[test]
fn the_help_of_the_song_fits_every_size() {
    for (width, height) in [(40, 12), (60, 15), (80, 24)] {
        let text = text(&drawn(&Model { help: true, ..playing(4) }, PLAIN, width, height));
        for key in ["Ctrl-T", "Ctrl-K", "Ctrl-Y", "Ctrl-L", "Ctrl-G", "F6", "F10"] {
            assert!(text.contains(key), "{key} at {width} by {height}: {text}");
        }
    }
}
