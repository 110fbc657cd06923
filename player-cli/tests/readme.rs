//! The commands of the README, typed in: what it shows is what the program prints.

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use engine::{Bank, Quality};
use player_cli::args::{Layout, Map, Reading};
use player_cli::command::jam;
use player_cli::input::Input;
use player_cli::tui::draw::{self, Look};
use player_cli::tui::model::knob::Knob;
use player_cli::tui::model::list::List;
use player_cli::tui::model::meter::{Limited, Meter};
use player_cli::tui::model::{Ends, Mode, Model, NoteNumber, Picture, PlayedNote, Status};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use song::{Frames, Hz, InstrumentIndex, Key, Velocity};
use tempfile::TempDir;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");

fn readme() -> String {
    fs::read_to_string(README).unwrap()
}

/// Blocks that show a command and what it prints: the words of the command, and the lines below it.
fn shown(readme: &str) -> Vec<(Vec<String>, String)> {
    let blocks = readme.split("```console\n$ usampler ").skip(1);
    blocks
        .map(|block| {
            let block = block.split("```").next().unwrap();
            let (line, printed) = block.split_once('\n').unwrap();
            (words(line), printed.to_owned())
        })
        .collect()
}

/// Splits a line as a shell does: at blanks outside single quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// Everything a command prints, both outputs in the order in which they come.
fn printed(words: &[String], folder: &Path) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = program::command(&words);
    command.current_dir(folder).stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The last writer besides the program.
    drop(command);
    let mut printed = String::new();
    reader.read_to_string(&mut printed).unwrap();
    child.wait().unwrap();
    printed
}

#[test]
fn every_command_prints_what_the_readme_shows() {
    let readme = readme();
    let shown = shown(&readme);
    assert!(shown.len() >= 6, "the examples are found");
    let folder = TempDir::new().unwrap();
    for (words, expected) in shown {
        assert_eq!(printed(&words, folder.path()), expected, "usampler {}", words.join(" "));
    }
}

#[test]
fn the_exit_codes_of_the_readme_are_those_of_the_program() {
    use player_cli::exit::Exit;
    let codes = [
        Exit::Done,
        Exit::Partly,
        Exit::Usage,
        Exit::Unreadable,
        Exit::NoDevice,
        Exit::NotWritable,
        Exit::Interrupted,
    ];
    let readme = readme();
    let table = readme.split("| code | meaning |").nth(1).unwrap();
    let stated: Vec<u32> = table
        .lines()
        .map_while(|line| {
            if line.is_empty() || line.starts_with("|---") {
                return Some(None);
            }
            let code = line.strip_prefix("| ")?.split(' ').next()?;
            Some(code.parse().ok())
        })
        .flatten()
        .collect();
    assert_eq!(stated, codes.map(|code| code as u32));
}

/// The demo while somebody plays a fifth on its pad.
fn played() -> Model {
    const PAD: usize = 9;
    let input = Input::open(Path::new("demo:"), Reading::default()).unwrap();
    let package = input.package().unwrap();
    let imported = package.import_only(|_| true).unwrap();
    let bank = Bank::prepare(&imported.songs[0]).unwrap();
    let sounds = jam::entries(&package, &bank);
    let note = |number, pressed, key| PlayedNote {
        number: NoteNumber(number),
        pressed: Some(pressed),
        key: Key::new(key).unwrap(),
        ends: Ends::KeyUp,
        loops: true,
        released: false,
    };
    let heard = |peak| {
        let mut meter = Meter::default();
        meter.hear(peak, Duration::ZERO);
        meter.fall(Duration::ZERO);
        meter
    };
    Model {
        devices: None,
        package: "demo:".to_owned(),
        device: "null".to_owned(),
        rate: Hz::new(48_000).unwrap(),
        list: List::of(sounds.iter().map(|entry| entry.name.as_str())),
        sounds,
        chosen: PAD,
        picture: Some(Picture {
            sound: PAD,
            recordings: 1,
            waveform: bank.waveform(InstrumentIndex::new(PAD), 512),
        }),
        places: [4000, 7500].map(Frames::new).to_vec(),
        voicings: BTreeMap::new(),
        quality: Quality::High,
        knob: Knob::default(),
        is_adjusting: false,
        map: Map::Chromatic,
        octave: 3,
        other_octave: 2,
        velocity: Velocity::new(100).unwrap(),
        layout: Layout::Piano,
        mode: Mode::Real,
        tells_release: true,
        notes: vec![note(0, 'z', 48), note(1, 'b', 55)],
        down: vec!['z', 'b'],
        seen: Vec::new(),
        repeat_delay: None,
        next: NoteNumber(2),
        midi: Vec::new(),
        voices: (2, 64),
        polyphony: (64, 256),
        meters: [heard(0.5), heard(0.4)],
        limited: Limited::default(),
        status: Status { load: 0.01, block: Frames::new(512), limiter: Frames::new(64), ..Status::default() },
        help: false,
        complaint: None,
        notice: None,
    }
}

#[test]
fn the_screen_that_the_readme_shows_is_the_one_that_is_drawn() {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let look = Look { ascii: false, colored: false };
    terminal.draw(|frame| draw::screen(frame, &played(), look)).unwrap();
    let rows = terminal.backend().buffer().content().chunks(80);
    let lines = rows.map(|row| row.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned() + "\n");
    let drawn: String = lines.collect();
    let readme = readme();
    let (before, rest) = readme.split_once("```text\n").unwrap();
    let (shown, after) = rest.split_once("```").unwrap();
    if std::env::var_os("BLESS").is_some() {
        fs::write(README, format!("{before}```text\n{drawn}```{after}")).unwrap();
        return;
    }
    assert_eq!(shown, drawn, "BLESS=1 puts what is drawn into the README");
}
