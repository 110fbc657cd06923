//! The commands of the README and the guides, typed in: what they show is what the program prints.

use crate::program;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser as _;
use engine::Bank;
use player::keyboard::KeyMapMode;
use player_cli::args::{Cli, ReadingArgs};

use player::live::{NoteNumber, OutputStatus, Picture};
use player_cli::input::InputFile;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use screen::draw::{self, Theme};
use screen::hit_target::HitTarget;
use screen::keymap::Keymap;
use screen::model::meter::LevelMeter;
use screen::model::{Ends, Mode, Model, PlayedNote, Trigger};
use screen::update::{Intent, MouseAction, Msg, Press, update};
use song::{Frames, Hz, InstrumentIndex, Key, SampleIndex};
use tempfile::TempDir;

const README: &str = "README.md";
const PLAYING: &str = "docs/playing.md";
const EXTRACTING: &str = "docs/extracting.md";

fn path(document: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document)
}

fn text(document: &str) -> String {
    fs::read_to_string(path(document)).unwrap()
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

/// Returns everything a command prints, both outputs in the order in which they come.
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
fn every_command_prints_what_the_documents_show() {
    let text = text(EXTRACTING);
    let shown = shown(&text);
    assert!(shown.len() >= 6, "the examples of {EXTRACTING} are found");
    let folder = TempDir::new().unwrap();
    for (words, expected) in shown {
        let printed = program::with_slashes(&printed(&words, folder.path()));
        assert_eq!(printed, expected, "usampler {}", words.join(" "));
    }
}

#[test]
fn the_readme_is_short_and_leads_to_every_guide() {
    let readme = text(README);
    assert!(readme.lines().count() <= 130, "{} lines", readme.lines().count());
    for guide in fs::read_dir(path("docs")).unwrap() {
        let name = guide.unwrap().file_name().into_string().unwrap();
        // Those that a guide leads to.
        let is_below = ["peers.md", "peers.svg"].contains(&name.as_str());
        assert!(is_below || readme.contains(&format!("docs/{name}")), "{name}");
    }
}

/// Returns the commands in a column of the README's table, without what stands for the user's own files.
fn recipes() -> Vec<Vec<String>> {
    let readme = text(README);
    let rows = readme.lines().skip_while(|line| !line.starts_with("| you have")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let commands = rows.filter_map(|row| row.split('`').find(|part| part.starts_with("usampler")));
    commands.map(words).collect()
}

#[test]
fn every_recipe_of_the_readme_is_a_command_line() {
    let recipes = recipes();
    assert!(recipes.len() >= 10, "{recipes:?}");
    for recipe in recipes {
        let mut line: Vec<&str> = recipe.iter().map(String::as_str).collect();
        match line.get(1) {
            None => continue,
            // A file opens as `jam` does.
            Some(first) if first.contains(['.', '/']) => line.insert(1, "jam"),
            Some(_) => {}
        }
        Cli::try_parse_from(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    }
}

#[test]
fn the_exit_codes_of_the_guide_are_those_of_the_program() {
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
    let guide = text(EXTRACTING);
    let table = guide.split("| code | meaning |").nth(1).unwrap();
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

/// Returns the demo, and the screen before anything happens.
fn demo() -> (Arc<Bank>, Model) {
    let input = InputFile::open(Path::new("demo:"), &ReadingArgs::default()).unwrap();
    let package = input.package().unwrap();
    let imported = package.import_only(|_| true).unwrap();
    let bank = Arc::new(Bank::prepare(&imported.songs[0]).unwrap());
    let (device, rate) = ("null".to_owned(), Hz::new(48_000).unwrap());
    let model = Model::new(
        "demo:".to_owned(),
        device,
        rate,
        screen::entries(&package, None, screen::OptionNames::default()),
        (64, 256),
    );
    (bank, model)
}

/// Index of a sound of the demo.
const PAD: usize = 9;

/// Returns the demo while somebody plays a fifth on its pad.
fn played() -> Model {
    let (bank, model) = demo();
    let note = |number, pressed, key| PlayedNote {
        sound: PAD,
        number: NoteNumber(number),
        trigger: Trigger::Key(pressed),
        key: Key::new(key).unwrap(),
        ends: Ends::KeyUp,
        loops: true,
        released: false,
    };
    let heard = |peak| {
        let mut meter = LevelMeter::default();
        meter.update(peak, Duration::ZERO);
        meter.fall(Duration::ZERO);
        meter
    };
    let waveform = bank.waveform(InstrumentIndex::new(PAD), SampleIndex::new(PAD), 512);
    Model {
        chosen: PAD,
        picture: Some(Picture { sound: PAD, recording: 0, recordings: 1, waveform }),
        positions: [4000, 7500].map(Frames::new).to_vec(),
        mode: Mode::Real,
        tells_release: true,
        notes: vec![note(0, 'z', 48), note(1, 'b', 55)],
        voices: (2, 64),
        meters: [heard(0.5), heard(0.4)],
        status: OutputStatus {
            load: 0.01,
            block: Frames::new(512),
            limiter: Frames::new(64),
            ..OutputStatus::default()
        },
        ..model
    }
}

#[test]
fn the_screen_that_the_guide_shows_is_the_one_that_is_drawn() {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let look = Theme::plain();
    terminal.draw(|frame| draw::screen(frame, &played(), look)).unwrap();
    let rows = terminal.backend().buffer().content().chunks(80);
    let lines = rows.map(|row| row.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned() + "\n");
    let drawn: String = lines.collect();
    let guide = text(PLAYING);
    let (before, rest) = guide.split_once("```text\n").unwrap();
    let (shown, after) = rest.split_once("```").unwrap();
    if std::env::var_os("BLESS").is_some() {
        fs::write(path(PLAYING), format!("{before}```text\n{drawn}```{after}")).unwrap();
        return;
    }
    assert_eq!(shown, drawn, "BLESS=1 puts what is drawn into the guide");
}

/// Returns the key that the guide calls so.
fn key(name: &str) -> Option<Press> {
    Some(match name {
        "↓" => Press::Down(1),
        "→" => Press::Right(1),
        "Enter" => Press::Enter,
        "Esc" => Press::Escape,
        "Backspace" => Press::Backspace,
        name if name.starts_with('F') && name.len() > 1 => {
            Press::Command(Keymap::default().command(name.parse().ok()?)?)
        }
        _ => {
            let mut letters = name.chars();
            let letter = letters.next()?.to_ascii_lowercase();
            letters.next().is_none().then_some(Press::Char(letter))?
        }
    })
}

/// Somebody who takes the tour: what they see, and for how long they have been at it.
struct Newcomer {
    model: Model,
    clock: Duration,
}

impl Newcomer {
    /// Returns what the keys of a step do, a second after each other.
    fn types(&mut self, step: &str) -> Vec<Intent> {
        let presses: Vec<Press> = step.split('`').skip(1).step_by(2).filter_map(key).collect();
        assert!(!presses.is_empty(), "{step}");
        let mut intents = Vec::new();
        for press in presses {
            self.clock += Duration::from_secs(1);
            intents.extend(update(&mut self.model, Msg::Press(press), self.clock));
        }
        intents
    }
}

/// Returns the indices of the sounds that are played.
fn struck(intents: &[Intent]) -> Vec<usize> {
    let sound = |intent: &Intent| match intent {
        Intent::NoteOn { sound, .. } => Some(*sound),
        _ => None,
    };
    intents.iter().filter_map(sound).collect()
}

#[test]
fn each_step_of_the_tour_does_what_it_says() {
    let guide = text(PLAYING);
    let tour = guide.split("### One minute with it\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let tour = tour.replace("\n   ", " ");
    let steps: Vec<&str> = tour.lines().collect();
    let &[plays, chooses, kit, searches, adjusts, records, midi, mouse, helps] = &steps[..] else {
        panic!("other steps: {steps:#?}")
    };
    let mut newcomer = Newcomer { model: demo().1, clock: Duration::ZERO };
    let sounds = |names: &[&str]| -> Vec<usize> {
        let index =
            |name: &&str| newcomer.model.sounds.iter().position(|sound| sound.name.ends_with(name)).unwrap();
        names.iter().map(index).collect()
    };
    let (drums, pad) = (sounds(&["Kick", "Snare", "HatClosed", "HatOpen"]), sounds(&["Warm"]));

    let (octave, velocity) = (newcomer.model.octave, newcomer.model.velocity);
    assert!(struck(&newcomer.types(plays)).len() >= 3);
    assert_eq!((newcomer.model.octave, newcomer.model.velocity), (octave, velocity), "there and back");
    assert_eq!((struck(&newcomer.types(chooses)), newcomer.model.chosen), (vec![1], 1));
    assert_eq!((struck(&newcomer.types(kit)), newcomer.model.map), (drums, KeyMapMode::Chromatic));
    assert_eq!((struck(&newcomer.types(searches)), newcomer.model.chosen), (pad, PAD));
    assert!(!newcomer.model.list.is_filtered());
    let pans = |intents: &[Intent]| -> Vec<f32> {
        let voiced = |intent: &Intent| match intent {
            Intent::Voice { voicing, .. } if voicing.looping.is_none() => Some(voicing.pan.get()),
            _ => None,
        };
        intents.iter().filter_map(voiced).collect()
    };
    let turned = pans(&newcomer.types(adjusts));
    assert!(turned[0] > 0.0 && turned[1] == 0.0, "{turned:?}");
    assert!(!newcomer.model.is_adjusting && !newcomer.model.loops(PAD), "the loop is off, and was on");
    assert_eq!(newcomer.types(records), [Intent::StartTake, Intent::StopTake]);
    assert!(midi.contains("channel 10"));
    assert!(mouse.contains("click a sound to choose it and again to hear it"));
    let first = newcomer.model.list.rows.iter().position(|row| row.sound() == Some(0));
    let click = |newcomer: &mut Newcomer| {
        let mouse = Msg::Mouse { action: MouseAction::Down, target: HitTarget::List(first) };
        struck(&update(&mut newcomer.model, mouse, newcomer.clock))
    };
    assert_eq!((click(&mut newcomer), newcomer.model.chosen), (vec![], 0));
    assert_eq!(click(&mut newcomer), [0]);
    assert_eq!(newcomer.types(helps), [Intent::Quit]);
}
