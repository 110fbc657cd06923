use player::live::DeviceEntry;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use song::{Hz, Parameter};

use super::*;
use crate::draw::{self, Theme};
use crate::model::{DeviceMenu, SoundEntry, SoundKind, View, WaveDrag, WaveMark, replay};

fn model(sounds: usize) -> Model {
    let text = || "-".to_owned();
    let entry = |number: usize| SoundEntry {
        name: format!("Group{}.Sound{number:03}", number / 10),
        group: format!("Group{}", number / 10),
        cells: [(); 5].map(|()| text()),
        rate: None,
        silent: None,
        kind: SoundKind::Recording,
        loops: false,
        length: None,
        loop_range: None,
        defaults: song::SoundDefaults::default(),
        lasts: std::time::Duration::ZERO,
        plays_out: false,
    };
    let sounds = (0..sounds).map(entry).collect();
    Model::new("test.uax".to_owned(), "null".to_owned(), Hz::new(48_000).unwrap(), sounds, (64, 256))
}

/// The sizes that the screen is divided differently at.
const SIZES: [(u16, u16); 5] = [(40, 12), (80, 18), (80, 24), (120, 40), (200, 60)];

/// Draws the model; returns its rows.
fn drawn(model: &Model, (width, height): (u16, u16)) -> (Rect, Vec<Vec<String>>) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let theme = Theme::plain();
    terminal.draw(|frame| draw::screen(frame, model, theme)).unwrap();
    let buffer = terminal.backend().buffer().clone();
    let cell = |x, y| buffer[(x, y)].symbol().to_owned();
    let rows = (0..height).map(|y| (0..width).map(|x| cell(x, y)).collect());
    (buffer.area, rows.collect())
}

/// Returns where a text begins that the screen shows once.
#[track_caller]
fn find(rows: &[Vec<String>], text: &str) -> Position {
    let wanted: Vec<String> = text.chars().map(String::from).collect();
    let found = rows.iter().enumerate().find_map(|(y, row)| {
        let x = row.windows(wanted.len()).position(|cells| cells == wanted)?;
        Some(Position::new(x as u16, y as u16))
    });
    found.unwrap_or_else(|| panic!("{text} is not drawn"))
}

#[test]
fn rows_of_the_list_are_found_where_they_are_drawn() {
    for size in SIZES {
        for chosen in [0, 57, 119] {
            let model = Model { chosen, ..model(120) };
            let (screen, rows) = drawn(&model, size);
            let at = find(&rows, &format!("{:03} Sound{chosen:03}", chosen + 1));
            let row = model.list.marked_row(chosen);
            assert_eq!(target(&model, screen, at), HitTarget::List(row), "{size:?}");
        }
        let model = model(3);
        let (screen, rows) = drawn(&model, size);
        let head = find(&rows, "▾ Group0");
        assert_eq!(target(&model, screen, head), HitTarget::List(Some(0)));
        let heads = Position::new(head.x, head.y - 1);
        assert_eq!(target(&model, screen, heads), HitTarget::List(None), "the heads of the columns");
    }
}

#[test]
fn knobs_are_found_where_they_are_drawn() {
    let pages =
        PAGES.iter().flat_map(|page| [(80, 18), (80, 24), (120, 40), (200, 60)].map(|size| (size, page)));
    for (size, page) in pages {
        let model = Model { knob: page.knobs[0], ..model(3) };
        let (screen, rows) = drawn(&model, size);
        for knob in page.knobs.iter().copied() {
            // The name of a knob stands before its value, and may stand elsewhere without.
            let name = match knob {
                Knob::Loop | Knob::Of(Parameter::Filter) => format!("{} off", knob.name()),
                _ => format!("{} ", knob.name()),
            };
            let area = Areas::of(screen, Wanted::of(&model)).knobs.unwrap();
            let panel = rows[usize::from(area.y) + 1..].iter();
            let panel: Vec<Vec<String>> =
                panel.map(|row| row.iter().skip(area.x.into()).cloned().collect()).collect();
            let at = find(&panel, &name);
            let at = Position::new(at.x + area.x, at.y + area.y + 1);
            assert_eq!(target(&model, screen, at), HitTarget::Knob(knob), "{size:?}");
        }
    }
}

#[test]
fn keys_of_the_piano_are_found_where_they_are_drawn() {
    let model = model(3);
    for size in [(80, 18), (80, 24), (120, 40)] {
        let (screen, rows) = drawn(&model, size);
        let piano = Areas::of(screen, Wanted::of(&model)).piano.unwrap();
        let rows = &rows[usize::from(piano.y)..];
        for (label, semitone) in
            [("▐S▌", 1), ("▐D▌", 3), ("▐G▌", 6), (" Z ", 0), (" X ", 2), (" B ", 7), ("C4", 12)]
        {
            let at = find(rows, label);
            let at = Position::new(at.x + 1, at.y + piano.y);
            assert_eq!(target(&model, screen, at), HitTarget::Piano(Some(semitone)), "{label} at {size:?}");
        }
    }
    let wide = Rect::new(0, 0, 200, 60);
    let beside = Position::new(190, Areas::of(wide, Wanted::of(&model)).piano.unwrap().y + 1);
    assert_eq!(target(&model, wide, beside), HitTarget::Nothing, "the meters");
}

#[test]
fn the_waveform_is_all_there_is_while_a_loop_is_marked() {
    let mut model = model(3);
    let screen = Rect::new(0, 0, 80, 24);
    let wave = inside(Areas::of(screen, Wanted::of(&model)).wave.unwrap());
    let columns = usize::from(wave.width);
    let at = |x, y| Position::new(x, y);
    assert_eq!(
        target(&model, screen, at(wave.x, wave.y)),
        HitTarget::Wave { column: 0, columns, is_top: true }
    );
    assert_eq!(
        target(&model, screen, at(wave.x + 5, wave.y + 1)),
        HitTarget::Wave { column: 5, columns, is_top: false }
    );
    assert!(matches!(target(&model, screen, at(3, 3)), HitTarget::List(_)));
    model.wave_drag =
        Some(WaveDrag { what: WaveMark::Loop { kept: None }, from: 4, to: 4, columns, window: 0..100 });
    assert_eq!(target(&model, screen, at(3, 3)), HitTarget::Wave { column: 0, columns, is_top: false });
    assert_eq!(
        target(&model, screen, at(79, 23)),
        HitTarget::Wave { column: columns - 1, columns, is_top: false }
    );
}

#[test]
fn a_menu_hides_what_is_under_it() {
    for chosen in [0, 9, 29] {
        let entry =
            |number| DeviceEntry { name: format!("device{number:02}"), about: String::new(), plays: false };
        let devices = DeviceMenu { entries: Some((0..30).map(entry).collect()), chosen };
        let model = Model { devices: Some(devices), ..model(30) };
        for size in SIZES {
            let (screen, rows) = drawn(&model, size);
            let at = find(&rows, &format!("device{chosen:02}"));
            assert_eq!(target(&model, screen, at), HitTarget::Menu(Some(chosen)), "{size:?}");
            assert_eq!(target(&model, screen, Position::ORIGIN), HitTarget::Menu(None));
        }
    }
}

#[test]
fn nothing_is_hit_on_a_screen_that_is_too_small() {
    assert_eq!(target(&model(3), Rect::new(0, 0, 39, 12), Position::new(3, 3)), HitTarget::Nothing);
}

#[test]
fn parts_of_the_song_are_found_where_they_are_drawn() {
    for size in [(72, 18), (80, 24), (120, 40), (200, 60)] {
        let song = Some(replay::example::song(3));
        let model = Model { song, view: View::Pattern, ..model(9) };
        let (screen, rows) = drawn(&model, size);
        let at = |text: &str| match target(&model, screen, find(&rows, text)) {
            HitTarget::Song(target) => target,
            other => panic!("{other:?} at {text} on {size:?}"),
        };
        assert_eq!(at("3   0"), SongTarget::Order(3), "{size:?}");
        assert_eq!(at("03 "), SongTarget::Name(2), "{size:?}");
        assert_eq!(at("Strings"), SongTarget::Name(1), "{size:?}");
        assert_eq!(at("02 G-4"), SongTarget::Row { order: 1, row: 2 }, "{size:?}");
        assert_eq!(at("00 C-4"), SongTarget::Row { order: 1, row: 0 }, "{size:?}");
        let head = find(&rows, " 2  ");
        let head = Position::new(head.x + 1, head.y);
        assert_eq!(target(&model, screen, head), HitTarget::Song(SongTarget::Channel(1)), "{size:?}");
    }
}

#[test]
fn where_no_order_and_no_row_is_there_is_nothing() {
    let model = Model { song: Some(replay::example::song(3)), view: View::Pattern, ..model(9) };
    let (screen, rows) = drawn(&model, (80, 24));
    for text in ["2 +++", "4 ---"] {
        assert_eq!(target(&model, screen, find(&rows, text)), HitTarget::Nothing, "{text}");
    }
    let below = find(&rows, "03 ");
    let above_the_rows = find(&rows, "00 C-4");
    assert_eq!(target(&model, screen, Position::new(below.x, below.y + 5)), HitTarget::Nothing);
    let above = |rows: u16| target(&model, screen, Position::new(above_the_rows.x, above_the_rows.y - rows));
    assert_eq!(above(1), HitTarget::Song(SongTarget::Row { order: 0, row: 1 }), "the order before");
    assert_eq!(above(3), HitTarget::Nothing);
}

#[test]
fn the_bar_of_a_song_is_hit_where_it_is_drawn() {
    for (is_playing, size) in [(true, (40, 12)), (false, (40, 12)), (true, (80, 24)), (false, (200, 60))] {
        let mut song = replay::example::song(3);
        song.is_playing = is_playing;
        let model = Model { song: Some(song), view: View::Pattern, ..model(9) };
        let (screen, rows) = drawn(&model, size);
        let bar: Vec<u16> =
            (0..).zip(&rows[1]).filter(|(_, cell)| "━╸─".contains(cell.as_str())).map(|(x, _)| x).collect();
        for (column, x) in bar.iter().enumerate() {
            let bar = SongTarget::Bar { column, columns: bar.len() };
            assert_eq!(target(&model, screen, Position::new(*x, 1)), HitTarget::Song(bar), "{size:?}");
        }
        for x in [0, bar[0] - 1, bar[bar.len() - 1] + 1] {
            assert_eq!(target(&model, screen, Position::new(x, 1)), HitTarget::Nothing, "{x} on {size:?}");
        }
    }
}
