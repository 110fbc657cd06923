mod parts;
mod replay;

use importer::SwitchChoice;
use player::live::{DeviceEntry, NoteNumber, OutputStatus, Picture, SoundSwitch};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use engine::Waveform;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color, Modifier};
use song::{Decibels, Envelope, Frames, Hz, Key, LoopMode, Parameter, Voicing};

use super::*;
use crate::model::knob::Knob;
use crate::model::list::ListRow;
use crate::model::meter::{LevelMeter, Limited};
use crate::model::{
    DeviceMenu, Ends, HelpView, Mode, PlayedNote, SoundEntry, SoundKind, SwitchMenu, Trigger,
};
use player::keyboard::KeyboardLayout as Keys;

fn entry(name: &str, rate: &str, length: &str, looping: &str) -> SoundEntry {
    SoundEntry {
        name: name.to_owned(),
        group: name.rsplit_once('.').map_or("", |(group, _)| group).to_owned(),
        cells: [rate, "16", "1", length, looping].map(str::to_owned),
        rate: rate.parse().ok(),
        silent: None,
        kind: SoundKind::Recording,
        loops: looping != "-",
        length: None,
        loop_range: None,
        defaults: song::SoundDefaults::default(),
        lasts: Duration::from_secs(1),
        plays_out: false,
    }
}

/// Returns a fading tone, full at first; its second half is the loop.
fn picture() -> Picture {
    let parts = (0..512).map(|part| {
        let level = 1.0 - part as f32 / 512.0;
        [-level, level * 0.78]
    });
    let looping = Some((Frames::new(17_695), Frames::new(35_390), LoopMode::Forward));
    let waveform = Waveform {
        length: Frames::new(35_390),
        looping,
        channels: vec![parts.collect()],
        ..Waveform::default()
    };
    Picture { sound: 1, recording: 0, recordings: 1, waveform: Some(waveform) }
}

fn heard(peak: f32) -> LevelMeter {
    let mut meter = LevelMeter::default();
    meter.update(peak, Duration::ZERO);
    meter.fall(Duration::from_millis(1));
    meter
}

fn with(sounds: Vec<SoundEntry>) -> Model {
    let plain = model();
    let shown = Model::new(plain.package.clone(), plain.device.clone(), plain.rate, sounds, plain.polyphony);
    Model { sounds: shown.sounds, list: shown.list, facts: shown.facts, ..plain }
}

fn model() -> Model {
    let silent =
        SoundEntry { silent: Some("it is empty".to_owned()), ..entry("Ambient.Gone", "-", "empty", "-") };
    let sounds = vec![
        entry("Weapons.Flak.Fire", "22050", "0.84 s", "-"),
        entry("Ambient.Wind", "11025", "3.21 s", "17695-35390"),
        silent,
        entry("Bare", "8000", "1:02.50", "-"),
    ];
    let voicing = Voicing { gain: Decibels::new(-3.5).unwrap(), ..Voicing::default() };
    let pressed = PlayedNote {
        number: NoteNumber(0),
        trigger: Trigger::Key('z'),
        sound: 1,
        key: Key::new(48).unwrap(),
        ends: Ends::NextPress,
        loops: true,
        released: false,
    };
    let status = OutputStatus {
        xruns: 2,
        load: 0.04,
        block: Frames::new(512),
        limiter: Frames::new(64),
        ..OutputStatus::default()
    };
    Model {
        chosen: 1,
        picture: Some(picture()),
        positions: [3000, 30_000].map(Frames::new).to_vec(),
        voicings: BTreeMap::from([(1, voicing)]),
        knob: Knob::Of(Parameter::Pan),
        notes: vec![pressed],
        voices: (3, 64),
        meters: [heard(0.5), heard(0.0)],
        limited: Limited(0.9),
        status,
        ..Model::new("demo.uax".to_owned(), "null".to_owned(), Hz::new(48_000).unwrap(), sounds, (64, 256))
    }
}

fn drawn(model: &Model, theme: Theme, width: u16, height: u16) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen(frame, model, theme)).unwrap();
    terminal
}

fn text(terminal: &Terminal<TestBackend>) -> String {
    let buffer = terminal.backend().buffer();
    let rows = buffer.content().chunks(buffer.area.width.into());
    let mut text = String::new();
    for row in rows {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Compares with a file beside this one; with `BLESS` set, writes it.
fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/draw/snapshots").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, known, "{name} is another picture; BLESS=1 accepts it");
}

#[test]
fn the_screen_is_as_it_was_at_every_size() {
    for (width, height) in [(40, 12), (60, 15), (80, 18), (80, 23), (80, 24), (120, 40), (200, 60)] {
        compare(&format!("{width}x{height}.txt"), &text(&drawn(&model(), Theme::plain(), width, height)));
    }
}

/// Returns all lines of the help, scrolled to its end.
fn scrolled_help(model: &Model, width: u16, height: u16) -> String {
    let mut all = String::new();
    let mut model = Model { size: (width, height), help: Some(HelpView::default()), ..model.clone() };
    let (rows, seen) = help_rows(&model);
    for scroll in (0..=rows.saturating_sub(seen)).step_by(seen.max(1)).chain([rows.saturating_sub(seen)]) {
        model.help.as_mut().unwrap().scroll = scroll;
        all.push_str(&text(&drawn(&model, Theme::plain(), width, height)));
    }
    all
}

#[test]
fn all_keys_are_reached_in_the_help_at_every_size() {
    for (width, height) in [(40, 12), (60, 15), (80, 24), (200, 60)] {
        let text = scrolled_help(&model(), width, height);
        for key in ["F1", "F3", "F6", "F10", "Ctrl-S", "Ctrl-O", "Ctrl-Z", "Shift-F6"] {
            assert!(text.contains(key), "{key} at {width} by {height}: {text}");
        }
    }
}

#[test]
fn in_the_kit_each_sound_has_the_key_that_plays_it_and_sounding_ones_are_lit() {
    let kit = Model { map: KeyMapMode::Kit, octave: 2, ..model() };
    let terminal = drawn(&kit, Theme::plain(), 80, 24);
    compare("kit.txt", &text(&terminal));
    let lines = text(&terminal);
    for row in ["1 Z Fire", "2 S Wind", "3 X Gone", "4 D Bare"] {
        assert!(lines.contains(row), "{row}: {lines}");
    }
    let colored = drawn(&kit, Theme { depth: ColorDepth::Ansi, ..Theme::plain() }, 80, 24);
    let sounding = |y: u16| colored.backend().buffer()[(5, y)].fg == Color::Yellow;
    assert_eq!((2..10).filter(|y| sounding(*y)).collect::<Vec<_>>(), [6], "the row of the note that sounds");
    let found = {
        let mut model = kit;
        model.list.filter = "b".to_owned();
        model.list.arrange(model.sounds.iter().map(SoundEntry::listed));
        Model { chosen: 1, ..model }
    };
    let text = text(&drawn(&found, Theme::plain(), 80, 24));
    assert!(text.contains("2 Z Ambient.Wind") && text.contains("4 X Bare"), "{text}");
}

#[test]
fn in_ascii_the_screen_is_as_it_was() {
    let theme = Theme { ascii: true, ..Theme::plain() };
    compare("ascii.txt", &text(&drawn(&model(), theme, 80, 24)));
}

#[test]
fn colours_change_no_letter_and_text_keeps_the_terminals_own() {
    let loud = Model { meters: [heard(1.5), heard(0.9)], warning: Some("bad".to_owned()), ..model() };
    let plain = drawn(&loud, Theme::plain(), 120, 40);
    for cell in plain.backend().buffer().content() {
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{cell:?}");
    }
    for depth in [ColorDepth::Ansi, ColorDepth::Indexed, ColorDepth::Rgb] {
        let colored = drawn(&loud, Theme { depth, ..Theme::plain() }, 120, 40);
        // The frame of what has the arrows is thick only where it has no colour.
        let thin = |text: String| {
            let lines = [("┏", "╭"), ("┓", "╮"), ("┗", "╰"), ("┛", "╯"), ("━", "─"), ("┃", "│")];
            lines.into_iter().fold(text, |text, (thick, thin)| text.replace(thick, thin))
        };
        assert_eq!(text(&colored), thin(text(&plain)), "{depth:?}");
        for cell in colored.backend().buffer().content() {
            // On a colour of its own a letter has one too: the terminal's may be the same.
            assert!(cell.bg == Color::Reset || cell.fg != Color::Reset || cell.symbol() == " ", "{cell:?}");
        }
    }
}

/// Returns the cells that are shown in reverse, as text.
fn reversed(terminal: &Terminal<TestBackend>) -> String {
    let cells = terminal.backend().buffer().content().iter();
    cells
        .filter(|cell| cell.modifier.contains(Modifier::REVERSED))
        .map(ratatui::buffer::Cell::symbol)
        .collect()
}

#[test]
fn of_ten_thousand_sounds_those_around_the_chosen_one_are_drawn() {
    let sounds = (0..10_000).map(|n| entry(&format!("Sound{n}"), "22050", "1.00 s", "-"));
    let drawn = drawn(&Model { chosen: 7_000, ..with(sounds.collect()) }, Theme::plain(), 80, 24);
    let picture = text(&drawn);
    assert!(reversed(&drawn).contains("Sound7000"), "{picture}");
    let shown = picture.matches("Sound").count();
    assert!((5..40).contains(&shown), "{shown} are shown:\n{picture}");
}

#[test]
fn the_help_lies_over_the_screen() {
    compare(
        "help.txt",
        &text(&drawn(&Model { help: Some(HelpView::default()), ..model() }, Theme::plain(), 80, 24)),
    );
}

#[test]
fn each_layout_is_drawn_with_the_notes_of_its_rows_and_has_its_own_help() {
    for (name, layout) in [("rows.txt", Keys::Rows), ("daw.txt", Keys::Daw)] {
        let model = Model { layout, mode: Mode::Real, tells_release: true, ..model() };
        let helped = Model { help: Some(HelpView::default()), ..model.clone() };
        let keys: String = text(&drawn(&model, Theme::plain(), 80, 24))
            .lines()
            .skip(16)
            .take(6)
            .collect::<Vec<_>>()
            .join("\n");
        compare(name, &format!("{keys}\n{}", text(&drawn(&helped, Theme::plain(), 80, 24))));
    }
}

#[test]
fn the_keys_tell_what_ends_a_note_and_why() {
    for (mode, tells_release, expected) in [
        (Mode::Real, true, "release=real (a note ends with its key; Tab = latch)"),
        (Mode::Gate, true, "release=gate (a press sounds 600 ms; Tab = latch)"),
        (Mode::Gate, false, "release=gate (this terminal sends no key-up; Tab = latch)"),
        (Mode::Latch, false, "release=latch (press on, press off; Tab = oneshot)"),
        (Mode::Oneshot, true, "release=oneshot (every press plays out; Tab = real)"),
        (Mode::Oneshot, false, "release=oneshot (every press plays out; Tab = gate)"),
    ] {
        let text = text(&drawn(&Model { mode, tells_release, ..model() }, Theme::plain(), 80, 24));
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_terminal_of_another_encoding_gets_nothing_beyond_ascii() {
    let theme = Theme { ascii: true, ..Theme::plain() };
    assert!(text(&drawn(&model(), theme, 80, 24)).is_ascii());
}

#[test]
fn a_sounding_key_is_lit_and_no_other() {
    let terminal = drawn(&model(), Theme::plain(), 80, 24);
    let buffer = terminal.backend().buffer();
    let lit = |symbol: &str| {
        let keys = buffer.content().iter().rev().skip(3 * 80).take(4 * 80);
        let found: Vec<_> = keys.filter(|cell| cell.symbol() == symbol).collect();
        found.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED))
    };
    assert!(lit("Z"));
    assert!(!lit("X") && !lit("Q"));
}

#[test]
fn a_small_terminal_gets_a_kind_word() {
    let text = text(&drawn(&model(), Theme::plain(), 39, 12));
    assert!(text.contains("needs 40x12, this terminal"), "{text}");
    assert!(!text.contains("Sounds"));
    drawn(&model(), Theme::plain(), 1, 1);
}

#[test]
fn the_chosen_sound_is_on_the_screen_however_long_the_list() {
    let sounds = (0..500).map(|n| entry(&format!("Sound{n}"), "22050", "1.00 s", "-")).collect();
    let text = text(&drawn(&Model { chosen: 499, ..with(sounds) }, Theme::plain(), 80, 24));
    assert!(text.contains("500 Sound499"), "{text}");
}

#[test]
fn a_warning_takes_the_place_of_the_keys() {
    let text = text(&drawn(
        &Model { warning: Some("#3 Gone: it is empty".to_owned()), ..model() },
        Theme::plain(),
        80,
        24,
    ));
    assert!(text.lines().last().unwrap().contains("#3 Gone: it is empty"));
}

#[test]
fn switches_lie_over_the_screen_with_their_values() {
    let switch = |name: &str, values: &[&str], chosen| {
        let values = (1..).zip(values).map(|(id, value)| (id, (*value).to_owned())).collect();
        let (kind, group, events) = (importer::BranchKind::Switch, 1, vec![1]);
        let choice = SwitchChoice { kind, group, name: name.to_owned(), values, chosen, events };
        SoundSwitch { first: 0, choice, set: None }
    };
    let mut switches = vec![
        switch("Surface", &["Grass", "Stone"], Some(1)),
        switch("Shoes", &["Bare"], None),
        switch("Mood", &["Calm", "Tense"], Some(0)),
    ];
    switches[2].set = Some(1);
    let switching = Some(SwitchMenu { rows: vec![0, 1, 2], chosen: 0 });
    compare("switches.txt", &text(&drawn(&Model { switches, switching, ..model() }, Theme::plain(), 80, 24)));
}

#[test]
fn the_devices_lie_over_the_screen_with_what_plays_marked_and_the_chosen_one_lit() {
    let device = |name: &str, about: &str, plays| DeviceEntry {
        name: name.to_owned(),
        about: about.to_owned(),
        plays,
    };
    let entries = vec![
        device("system default", "alsa:default", true),
        device("alsa:hw:CARD=PCH,DEV=0", "HDA Intel PCH, ALC257 Analog", false),
        device("null", "silent, at the pace of a sound card", false),
    ];
    let devices = Some(DeviceMenu { entries: Some(entries), chosen: 1 });
    let terminal = drawn(&Model { devices, ..model() }, Theme::plain(), 80, 24);
    compare("devices.txt", &text(&terminal));
    let rows: Vec<_> = terminal.backend().buffer().content().chunks(80).collect();
    let lit = rows.iter().rposition(|row| row[40].modifier.contains(Modifier::REVERSED)).unwrap();
    let row: String = rows[lit].iter().map(ratatui::buffer::Cell::symbol).collect();
    assert!(row.contains("CARD=PCH"), "{row}");
    let looking = Model { devices: Some(DeviceMenu::default()), ..model() };
    assert!(text(&drawn(&looking, Theme::plain(), 80, 24)).contains("looking for devices"));
    let many = (0..200).map(|n| device(&format!("alsa:hw:{n}"), "a card", n == 0)).collect();
    let devices = Some(DeviceMenu { entries: Some(many), chosen: 199 });
    assert!(text(&drawn(&Model { devices, ..model() }, Theme::plain(), 80, 24)).contains("alsa:hw:199"));
}
