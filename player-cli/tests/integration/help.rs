//! The help: its examples do what they say, and the manual knows all that it knows.

use crate::program;
use std::fs;

use clap::{CommandFactory as _, Parser as _};
use exporter::{OutputError, Overwrite};
use fixtures::module::protracker::{Mod, Sample};
use fixtures::package::PackageWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::sound_wave;
use fixtures::wave::{Values, Wave};
use player_cli::args::Cli;
use program::{Run, usampler};
use tempfile::TempDir;

#[path = "../../examples/man.rs"]
#[expect(dead_code, reason = "its main is for the example")]
mod man;

/// Returns a folder with what the examples speak of.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut package = PackageWriter::new(69);
    let wind = Wave::new(48_000, 1, Values::I16(vec![100; 2000])).looped(0, 1999);
    package.sound("Wind", None, "WAV", &wind.finish());
    package.sound("Rain", None, "WAV", &Wave::new(48_000, 1, Values::I16(vec![200; 500])).finish());
    let package = package.finish();
    fs::write(folder.path().join("Ambient.uax"), &package).unwrap();
    let mut entries = sound_wave::package("Steps");
    entries.push(PakEntry::new("Game/Config/Game.ini", b"[Game]"));
    let pak = PakWriter { entries, ..PakWriter::new(11) };
    fs::create_dir(folder.path().join("Paks")).unwrap();
    fs::write(folder.path().join("Paks/Game.pak"), pak.finish()).unwrap();
    let steps = Wave::new(48_000, 1, Values::I16(vec![300; 500])).finish();
    fs::write(folder.path().join("steps.wav"), steps).unwrap();
    fs::write(folder.path().join("sounds.tsv"), "Steps\tsteps.wav\n").unwrap();
    fs::create_dir(folder.path().join("Sounds")).unwrap();
    fs::write(folder.path().join("Sounds/Other.uax"), &package).unwrap();
    let sample = Sample::new("Wind", &[1, 2, 3, 4]);
    // A row is a tick of 10 ms.
    let mut patterns = vec![vec![0; 64 * 4 * 4]; 2];
    patterns[0][..8].copy_from_slice(&[0, 0, 0x0F, 0x01, 0, 0, 0x0F, 0xFF]);
    let module = Mod { orders: vec![0, 1], patterns, samples: vec![sample], ..Mod::new(b"M.K.", 4) };
    fs::write(folder.path().join("Song.mod"), module.finish().bytes).unwrap();
    // One note of a tenth of a second, 480 ticks for each half.
    let song = b"MThd\0\0\0\x06\0\0\0\x01\x01\xE0MTrk\0\0\0\x0C\0\x90\x3C\x64\x60\x80\x3C\0\0\xFF\x2F\0";
    fs::write(folder.path().join("Song.mid"), song).unwrap();
    folder
}

/// Returns the names of the commands.
fn commands() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// Returns the words of each example of a help, as a shell has them.
fn examples(help: &str) -> Vec<Vec<String>> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("    $ usampler "));
    let words = |line: &str| {
        let line = line.split(" > ").next().unwrap();
        let parts = line.split('\'').enumerate();
        let words = parts.flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    };
    lines.map(words).collect()
}

fn help(words: &[&str]) -> Run {
    let run = usampler(&[words, &["--help"]].concat());
    run.ends_with(0);
    run
}

#[test]
fn every_help_has_examples_and_each_of_them_works() {
    let folder = folder();
    let mut all = examples(&help(&[]).out);
    for command in commands() {
        let own = examples(&help(&[&command]).out);
        assert!(own.len() >= 2, "{command} has examples");
        assert!(own.iter().all(|words| words[0] == command), "{command}: {own:?}");
        all.extend(own);
    }
    for words in all {
        Cli::try_parse_from([&["usampler".to_owned()][..], &words].concat()).unwrap();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[0] {
            // Needs a terminal, and takes time.
            "jam" | "bench" => continue,
            "play" if !words.contains(&"--device") => words.extend(["--device", "null"]),
            _ => {}
        }
        // A song is not held.
        if words[0] == "play" && !["--midi", "--hold", "Song.mod"].iter().any(|word| words.contains(word)) {
            words.extend(["--hold", "0.1s"]);
        }
        let run = program::command(&words).env("HOME", folder.path()).current_dir(&folder).output().unwrap();
        let line = words.join(" ");
        let said = String::from_utf8_lossy(&run.stderr);
        match (words[0], run.status.code()) {
            // Not every machine has sound.
            ("devices", Some(0 | 4)) | (_, Some(0)) => {}
            // Programs of a plain build have no page in them.
            ("page", Some(2)) if said.contains("without the page") => {}
            (_, code) => panic!("usampler {line}: {code:?}: {said}"),
        }
    }
}

#[test]
fn the_manual_has_a_page_for_each_command_with_its_options_and_examples() {
    let folder = TempDir::new().unwrap();
    let pages = folder.path().join("man1");
    let written = man::write_pages(&pages, &Overwrite::forced(false)).unwrap();
    assert_eq!(written.len(), commands().len() + 1);
    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    assert!(page("usampler.1").contains("jam demo:"));
    for command in commands() {
        let text = page(&format!("usampler-{command}.1"));
        assert!(text.starts_with(".ie") || text.contains(".TH"), "{text}");
        assert!(text.contains("Examples:") && text.contains("verbose"), "{command}");
    }
    assert!(page("usampler-play.1").contains("no\\-limiter"));
}

#[test]
fn no_page_is_overwritten_unless_that_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let mine = folder.path().join("usampler-play.1");
    fs::write(&mine, "mine").unwrap();
    let refused = man::write_pages(folder.path(), &Overwrite::forced(false));
    assert!(matches!(refused, Err(OutputError::Exists { .. })), "{refused:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
    man::write_pages(folder.path(), &Overwrite::forced(true)).unwrap();
    assert!(fs::read_to_string(&mine).unwrap().contains("usampler"));
}
