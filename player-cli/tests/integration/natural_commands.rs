//! What newcomers type, and what they drop on the program: each gets what it wanted, or a line that helps.

use crate::program;
#[cfg(target_os = "linux")]
use crate::pty::Terminal;
use std::fs;
use std::io::Write as _;

use fixtures::module::it::{self, It};
use fixtures::wave::{Values, Wave};
use program::bench::bench;
use program::{Run, command};
use tempfile::TempDir;

/// Returns a song that takes `rows` tenths of a second and a little, with a held note.
fn song(rows: u16) -> Vec<u8> {
    let sample = it::Sample { flags: 1, conversion: 1, length: 4000, data: vec![100; 4000] };
    let mut cells = vec![0x81, 3, 60, 1];
    cells.resize(4 + usize::from(rows), 0);
    let file = It {
        samples: vec![sample],
        patterns: vec![Some((rows, cells))],
        orders: vec![0, 255],
        ..It::new(0x214)
    };
    file.finish().bytes
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a folder with one of everything.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let bench = bench();
    fs::copy(&bench.file, folder.path().join("Test.uax")).unwrap();
    fs::create_dir(folder.path().join("songs")).unwrap();
    for name in ["song.it", "songs/one.it", "songs/two.it"] {
        write(name, &song(2));
    }
    write("song.itz", &gzip(&song(2)));
    write(
        "song.mid",
        b"MThd\0\0\0\x06\0\0\0\x01\x01\xE0MTrk\0\0\0\x0C\0\x90\x3C\x64\x60\x80\x3C\0\0\xFF\x2F\0",
    );
    write("kick.wav", &Wave::new(8000, 1, Values::I16(vec![100; 400])).finish());
    write("picture.png", b"\x89PNG\r\n\x1a\n and so on");
    write("notes.txt", b"a text\n");
    write("packed.7z", b"7z\xBC\xAF\x27\x1C and so on");
    folder
}

fn run(folder: &TempDir, line: &str) -> Run {
    let words: Vec<&str> = line.split(' ').collect();
    let mut command = command(&words);
    command.current_dir(folder);
    Run::spawned(line, command, &[])
}

#[test]
fn the_first_commands_do_what_is_wished() {
    let folder = folder();
    for (line, code, answer) in [
        ("Test.uax", 0, "Weapons.Flak.Fire"),
        ("song.it", 0, "song.it  1 sound"),
        ("song.itz", 0, "song.itz  1 sound"),
        ("kick.wav", 0, "kick"),
        ("songs", 0, "two.it"),
        ("songs/one.it songs/two.it", 0, "two.it"),
        ("help", 0, "Usage: usampler"),
        ("-h", 0, "Usage: usampler"),
        ("--version", 0, "usampler "),
        ("info song.it", 0, "tracker module (it)"),
        ("info song.itz", 0, "tracker module (it)"),
        ("list songs --filter nomatch", 1, "no sound matches"),
        ("play song.it --device null", 0, "playing song \"a title\" on null"),
        ("play song.it --device null", 0, "it, 1 channel, 0.24 s"),
        ("play song.itz --device null", 0, "playing song \"a title\" on null"),
        ("play song.it songs/two.it --device null", 0, "playing 2 of 2: two"),
        ("play song.it songs --device null --shuffle --loops 1", 0, "playing 3 of 3: "),
        ("play songs --device null", 0, "playing 2 of 2: two"),
        ("play Test.uax 2 --device null", 0, "playing "),
        ("play Test.uax --midi song.mid --device null", 0, "playing 1 notes"),
        ("render song.it", 0, "song rendered to song.wav"),
        ("render Test.uax Click", 0, "Click rendered to Click.wav"),
        ("render song.it -o x.mp3", 2, "only .wav and .flac are written"),
        ("extract Test.uax", 1, "#3 Stripped: not extracted"),
    ] {
        let run = run(&folder, line);
        run.ends_with(code);
        assert!(format!("{}{}", run.out, run.err).contains(answer), "{line}: {}{}", run.out, run.err);
    }
}

#[test]
fn a_command_that_is_none_names_the_one_that_is_meant() {
    let folder = folder();
    for (line, answer) in [
        ("song X", "did you mean `usampler play FILE`?"),
        ("version", "did you mean `usampler --version`?"),
        ("search kick", "did you mean `usampler list FILE --filter WORD`?"),
        ("plya song.it", "did you mean `usampler play`?"),
        ("halo", "no command \"halo\", and no such file or folder"),
        ("3", "no command \"3\", and no such file or folder"),
        ("asset dance", "unrecognized subcommand 'dance'"),
        ("unpack", "Usage: usampler asset unpack"),
        ("asset list", "Usage: usampler asset ls"),
    ] {
        let run = run(&folder, line);
        run.ends_with(2);
        assert!(run.err.contains(answer), "{line}: {}", run.err);
        assert!(!run.err.contains("config") && !run.err.contains("bench"), "{line}: {}", run.err);
    }
}

#[test]
fn a_file_of_any_kind_is_named_with_what_helps() {
    let folder = folder();
    for (line, answer) in [
        ("song.mid", "`usampler play FILE --midi song.mid`"),
        ("picture.png", "but a picture"),
        ("notes.txt", "but a text file"),
        ("packed.7z", "but an archive, to be unpacked first"),
        ("render songs -o x.wav", "songs is a folder, and not of a game: this command takes one file"),
        ("asset ls nothere", "cannot read nothere: no such file or folder"),
        ("asset pack nothere -o x.utoc", "cannot read nothere: no such file or folder"),
        ("play nothere.it", "cannot read nothere.it: no such file or folder"),
    ] {
        let run = run(&folder, line);
        run.ends_with(3);
        assert!(run.err.contains(answer) && !run.err.contains("os error"), "{line}: {}", run.err);
    }
}

#[test]
fn options_of_a_note_are_refused_for_a_song_and_those_of_a_song_for_a_note() {
    let folder = folder();
    for (line, answer) in [
        ("render song.it --note C4 -o x.wav", "--note is for a sound, and song.it is played as a song"),
        ("play song.it --velocity 3 --device null", "--velocity is for a sound"),
        ("play song.it --pan 1 --device null", "--pan is for a sound"),
        ("play songs --hold 1s --device null", "--hold is for a sound, and songs is played as a song"),
        ("play Test.uax Click --loop --device null", "--loop is for songs"),
        ("render Test.uax Click --order 1 -o x.wav", "--order is for songs"),
        ("render song.it --loop -o x.wav", "unexpected argument '--loop'"),
        ("play song.it no nope --device null", "no file no"),
    ] {
        let run = run(&folder, line);
        run.ends_with(2);
        assert!(run.err.contains(answer), "{line}: {}", run.err);
    }
    assert!(!folder.path().join("x.wav").exists());
}

#[test]
fn a_setting_for_sounds_is_no_reason_to_refuse_a_song() {
    let folder = folder();
    fs::create_dir(folder.path().join("usampler")).unwrap();
    fs::write(folder.path().join("usampler/config.toml"), "[play]\nhold = \"2s\"\ndevice = \"null\"\n")
        .unwrap();
    let mut command = command(&["play", "song.it"]);
    command.current_dir(&folder).env("XDG_CONFIG_HOME", folder.path());
    Run::spawned("play song.it", command, &[]).ends_with(0);
}

#[test]
fn gain_turns_a_song_down() {
    let folder = folder();
    let loudest = |line: &str| {
        run(&folder, line).ends_with(0);
        let samples = hound::WavReader::open(folder.path().join("x.wav")).unwrap().into_samples::<i16>();
        samples.map(|sample| f64::from(sample.unwrap().unsigned_abs())).fold(0.0, f64::max)
    };
    let plain = loudest("render song.it -o x.wav --force");
    let softer = loudest("render song.it -o x.wav --force --gain -6.0206");
    assert!(plain > 1000.0 && (plain / softer - 2.0).abs() < 0.01, "{plain} {softer}");
}

#[test]
fn seconds_in_json_are_no_sums_of_fractions() {
    let folder = folder();
    for line in ["info --json song.it", "info --json Test.uax"] {
        let run = run(&folder, line);
        let row: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let seconds = row["seconds"].to_string();
        assert!(seconds.len() < 12, "{seconds}");
    }
}

#[test]
fn colours_have_a_meaning() {
    let folder = folder();
    let run = run(&folder, "list Test.uax --color always");
    assert!(run.out.contains("\x1b[32mok\x1b[0m") && run.out.contains("\x1b[36m"), "{:?}", run.out);
}

#[test]
fn help_begins_with_arguments_and_what_is_used_most() {
    let folder = folder();
    for line in ["extract -h", "jam -h", "play -h", "list -h", "render -h"] {
        let out = run(&folder, line).out;
        let at = |text: &str| out.find(text).unwrap_or_else(|| panic!("{line}: {text}\n{out}"));
        assert!(at("Arguments:") < at("Options:") && at("Options:") < at("Reading files:"), "{out}");
        assert!(at("Reading files:") < at("--aes") && at("--verbose") < at("Reading files:"), "{out}");
        assert!(!out.contains("mass-effect-2"), "{out}");
    }
    let out = run(&folder, "play -h").out;
    assert!(out.contains("Usage: usampler play [OPTIONS] <FILE> [FILE|SOUND]..."), "{out}");
    let run = run(&folder, "list --game help Test.uax");
    run.ends_with(2);
    assert!(run.err.contains("mass-effect-2"), "{}", run.err);
}

#[test]
#[cfg(target_os = "linux")]
fn a_song_is_steered_on_a_terminal() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["long.it", "other.it"] {
        // 24 seconds.
        fs::write(folder.path().join(name), song(200)).unwrap();
    }
    let mut terminal = Terminal::of(&["play", &path("long.it"), &path("other.it"), "--device", "null"]);
    terminal.shows("playing 1 of 2: long");
    terminal.shows("1 channel, 24.00 s");
    terminal.shows("< > song  s shuffle  q end");
    terminal.shows("order 0/0 row ");
    terminal.press("\x1b[C");
    terminal.shows("0:05.");
    terminal.press("\x1b[C");
    terminal.shows("0:10.");
    terminal.press("\x1b[D");
    terminal.shows("0:05.");
    terminal.press("--");
    terminal.shows("-2 dB");
    terminal.press("=");
    terminal.shows("-1 dB");
    terminal.press("l");
    terminal.shows("  loop");
    terminal.press(" ");
    terminal.shows("paused");
    terminal.press(" ");
    terminal.press(">");
    terminal.shows("playing 2 of 2: other");
    terminal.shows("-1 dB");
    terminal.press("<");
    terminal.until("the first again", |terminal| terminal.contents().matches("1 of 2: long").count() == 2);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.has_its_modes();
}
