//! Whole folders, and packages as instrument files for other samplers.

use crate::program;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Stdio;
#[cfg(unix)]
use std::time::{Duration, Instant};

use clap::Parser as _;
use exporter::ordered::OutputStreams;
use fixtures::package::{PackageWriter, various};
use fixtures::wave::{Values, Wave};
use fixtures::wwise_bank::WwiseBank;
use player_cli::args::{Cli, ProgramCommand};
use player_cli::command;
use player_cli::console::Console;
use player_cli::exit::Exit;
use program::{usampler, with_slashes};
use tempfile::TempDir;

/// A package with one sound.
fn write_package(folder: &Path, name: &str) {
    let mut package = PackageWriter::new(69);
    package.sound("Click", None, "WAV", &Wave::new(8000, 1, Values::U8(vec![128, 255, 0, 128])).finish());
    fs::write(folder.join(name), package.finish()).unwrap();
}

#[test]
fn a_folder_is_walked_and_one_bad_file_does_not_stop_the_rest() {
    let temporary = TempDir::new().unwrap();
    let path = |name: &str| temporary.path().join(name).to_str().unwrap().to_owned();
    let folder = temporary.path().join("game/Sounds");
    fs::create_dir_all(&folder).unwrap();
    write_package(&folder, "A.uax");
    write_package(&folder, "C.umx");
    fs::write(folder.join("readme.txt"), "no package").unwrap();
    let run = usampler(&["list", &path("game"), "--json"]);
    run.ends_with(0);
    assert_eq!(run.out.lines().count(), 2);
    fs::write(
        folder.join("B.uax"),
        b"\xC1\x83\x2A\x9E\x45\0\0\0 and then nothing that makes sense at all, alas",
    )
    .unwrap();
    let run = usampler(&["list", &path("game"), "--json"]);
    run.ends_with(1);
    assert_eq!(run.out.lines().count(), 2);
    assert!(run.err.contains("2 files read, 1 failed, 1 other ignored"), "{}", run.err);
    let out = path("out");
    usampler(&["extract", &path("game"), "-o", &out]).ends_with(1);
    assert!(Path::new(&out).join("A/Click.wav").is_file() && Path::new(&out).join("C/Click.wav").is_file());
    fs::create_dir(temporary.path().join("none")).unwrap();
    usampler(&["info", &path("none")]).ends_with(3);
}

#[test]
fn a_package_becomes_one_instrument_file_of_each_kind() {
    let temporary = TempDir::new().unwrap();
    let path = |name: &str| temporary.path().join(name).to_str().unwrap().to_owned();
    let out = path("out");
    let run = usampler(&["extract", "demo:", "-o", &out, "--sfz", "--sf2", "--filter", "pads.*"]);
    run.ends_with(0);
    assert!(run.out.contains("demo.sfz") && run.out.contains("demo.sf2"), "{}", run.out);
    let sfz = fs::read_to_string(Path::new(&out).join("demo/demo.sfz")).unwrap();
    assert!(sfz.contains("\nloop_mode=loop_continuous loop_start=3000 loop_end=11090\n"), "{sfz}");
    assert!(sfz.ends_with("\nsample=Pads.Warm.wav\n"), "{sfz}");
    let sf2 = fs::read(Path::new(&out).join("demo/demo.sf2")).unwrap();
    assert_eq!((&sf2[..4], &sf2[8..12]), (&b"RIFF"[..], &b"sfbk"[..]));
    usampler(&["extract", "demo:", "-o", &out, "--sf2", "--filter", "keys.*"]).ends_with(5);
    for format in ["--sfz", "--sf2"] {
        usampler(&["extract", "demo:", "-o", &out, format, "--format", "original"]).ends_with(2);
    }
}

/// What a command said, each output by itself, and how it ended.
#[derive(Debug, Default, PartialEq)]
struct Said {
    out: Vec<u8>,
    err: String,
    exit: Option<Exit>,
}

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OutputStreams for Said {
    fn message(&mut self, lines: &str) {
        self.err += lines;
        self.err.push('\n');
    }
}

/// Runs a command line in this process with so many threads.
fn said(line: &[&str], threads: usize) -> Said {
    let threads = NonZeroUsize::new(threads).unwrap();
    let mut said = Said::default();
    let cli = Cli::try_parse_from([&["usampler"], line].concat()).unwrap();
    let mut console = Console::new(&mut said, cli.output);
    let ended = match cli.command.unwrap() {
        ProgramCommand::Info(args) => command::info::run(&args, threads, &mut console),
        ProgramCommand::List(args) => command::list::run(&args, threads, &mut console),
        ProgramCommand::Extract(args) => command::extract::run(&args, threads, &mut console),
        _ => panic!("{line:?} is no command for folders"),
    };
    said.exit = Some(ended.unwrap_or_else(|failure| {
        said.err += &failure.to_string();
        failure.exit
    }));
    said
}

/// 200 packages in folders, of several generations and lengths, some by the same name; some that are damaged, some
/// files that are no packages.
fn write_game(top: &Path) {
    for number in 0..200 {
        let folder = top.join(["Sounds", "Music/Old", "System"][number % 3]);
        fs::create_dir_all(&folder).unwrap();
        // Some are much longer than others, so that threads end in another order than they began.
        let mut bytes = various(number, if number % 11 == 0 { 6_000 } else { 50 });
        let file = folder.join(match number % 7 {
            0..=4 => format!("Package{}.uax", number / 7),
            5 => format!("package{}.u", number / 7),
            _ => format!("{number:03}.umx"),
        });
        match number % 13 {
            5 => bytes.truncate(bytes.len() / 3),
            6 => bytes = b"no package".to_vec(),
            _ => {}
        }
        fs::write(file, bytes).unwrap();
    }
}

/// Returns every file below a folder.
fn files(top: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn many_threads_say_and_write_what_one_does() {
    let temporary = TempDir::new().unwrap();
    let path = |name: &str| temporary.path().join(name).to_str().unwrap().to_owned();
    let (game, missing, out) = (path("game"), path("missing"), path("out"));
    write_game(Path::new(&game));
    for line in [
        &["info", &game, "-vv"][..],
        &["list", &missing, &game, "demo:"],
        &["list", "--json", &game],
        &["extract", &game, "-o", &out, "--sfz", "--sf2", "-v", "--filter", "*[12]"],
        &["extract", &game, "-o", &out, "--flat", "--filter", "*0"],
        &["extract", &game, "-o", &out, "--format", "original", "--json", "--filter", "*0"],
        &["extract", &game, "-o", &out, "--dry-run"],
    ] {
        let run = |threads| {
            let said = said(line, threads);
            let written = if Path::new(&out).exists() { files(Path::new(&out)) } else { BTreeMap::new() };
            let _ = fs::remove_dir_all(&out);
            (said, written)
        };
        let (alone, written) = run(1);
        assert_eq!(alone.exit, Some(Exit::Partly), "{line:?}: {}", alone.err);
        assert!(alone.out.len() > 3000, "{line:?}");
        assert!(alone.err.contains("no such file") == line.contains(&&*missing), "{line:?}: {}", alone.err);
        assert!(line[0] != "extract" || line.contains(&"--dry-run") || written.len() > 100, "{line:?}");
        for threads in [2, 8, 3] {
            let (together, also_written) = run(threads);
            assert_eq!(
                String::from_utf8_lossy(&together.out),
                String::from_utf8_lossy(&alone.out),
                "{line:?}"
            );
            assert_eq!(together.err, alone.err, "{line:?} with {threads} threads");
            assert_eq!(together.exit, alone.exit, "{line:?} with {threads} threads");
            assert!(also_written == written, "{line:?} with {threads} threads wrote something else");
        }
    }
}

#[test]
fn a_file_in_the_way_ends_all_before_anything_of_later_packages_is_written() {
    let temporary = TempDir::new().unwrap();
    let path = |name: &str| temporary.path().join(name).to_str().unwrap().to_owned();
    let (game, out) = (path("game"), path("out"));
    fs::create_dir(&game).unwrap();
    (0..40).for_each(|number| write_package(Path::new(&game), &format!("{number:02}.uax")));
    for threads in [1, 4] {
        fs::create_dir_all(Path::new(&out).join("20")).unwrap();
        fs::write(Path::new(&out).join("20/Click.wav"), "mine").unwrap();
        let said = said(&["extract", &game, "-o", &out], threads);
        assert_eq!(said.exit, Some(Exit::NotWritable));
        assert!(with_slashes(&said.err).contains("20/Click.wav already exists; use --force"), "{}", said.err);
        let written = files(Path::new(&out));
        assert_eq!(written.len(), 21, "20 before it, and the one in the way");
        assert_eq!(written[&Path::new(&out).join("20/Click.wav")], b"mine");
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn an_output_that_is_full_or_gone_ends_a_folder() {
    let temporary = TempDir::new().unwrap();
    let game = temporary.path().join("game");
    write_game(&game);
    let run = |out: Stdio| {
        let mut command = program::command(&["list", "--json", game.to_str().unwrap()]);
        command.stdout(out).stderr(Stdio::piped()).spawn().unwrap()
    };
    if Path::new("/dev/full").exists() {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = run(full.into()).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stderr).contains("error: cannot write standard output"));
    }
    let mut child = run(Stdio::piped());
    drop(child.stdout.take());
    assert_eq!(
        child.wait_with_output().unwrap().status.code(),
        Some(0),
        "a reader that went away is no failure"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_extraction_of_a_folder_soon_and_leaves_whole_files_only() {
    let temporary = TempDir::new().unwrap();
    let (game, out) = (temporary.path().join("game"), temporary.path().join("out"));
    fs::create_dir(&game).unwrap();
    // Much more than can be extracted before the interrupt.
    let mut package = PackageWriter::new(69);
    let wave = Wave::new(8000, 1, Values::I16(vec![77; 20_000])).finish();
    for number in 0..200 {
        package.sound(&format!("Sound{number}"), None, "WAV", &wave);
    }
    let bytes = package.finish();
    (0..30).for_each(|number| fs::write(game.join(format!("{number:02}.uax")), &bytes).unwrap());
    let mut child = program::command(&["extract", game.to_str().unwrap(), "-o", out.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    // What is there may be renamed at any time, so it is only looked for and not read.
    while fs::read_dir(&out).map_or(true, |mut found| found.next().is_none()) {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let written = files(&out);
    assert!(written.len() < 6000 / 2, "{} of 6000 were written after all", written.len());
    for (path, bytes) in written {
        assert!(path.extension().is_some_and(|end| end == "wav"), "{}", path.display());
        assert!(bytes.len() > 40_000, "{} has {} bytes", path.display(), bytes.len());
    }
}

#[test]
fn events_of_a_sound_bank_are_folders_of_their_media_which_threads_write_in_order() {
    let folder = TempDir::new().unwrap();
    let wave = |frames: u32| Wave::new(8000, 1, Values::I16(vec![7; frames as usize])).finish();
    let bank = (1..=40).fold(WwiseBank::default(), |bank, id| bank.media(id, &wave(id)).sound(100 + id, id));
    let bank = bank.switch(200, "Surface", "Grass", &[("Grass", 102), ("Stone", 103)]);
    let bank = bank.sound(150, 99).event("Play_Wind", &[103]).event("Play_All", &[101, 200, 150]);
    let [file, names, out] = ["A.bnk", "names.txt", "out"].map(|name| folder.path().join(name));
    fs::write(&file, bank.finish()).unwrap();
    fs::write(&names, "Play_Wind\nPlay_All\n").unwrap();
    let [file, names, out] = [&file, &names, &out].map(|path| path.to_str().unwrap());
    let run = usampler(&["extract", file, "--names", names, "--events", "-o", out]);
    run.ends_with(1);
    assert!(run.err.contains("Play_All: not extracted: media 99 is in none of the files"), "{}", run.err);
    let below = |path: &str| with_slashes(path.strip_prefix(out).unwrap());
    let written: Vec<String> = run.out.lines().map(below).collect();
    assert_eq!(written, ["/Play_Wind/3.wav", "/Play_All/1.wav", "/Play_All/2.wav", "/Play_All/3.wav"]);
    let all = folder.path().join("all");
    let run = usampler(&["extract", file, "-o", all.to_str().unwrap()]);
    // One media is in none of the files.
    run.ends_with(1);
    let written: Vec<String> = run.out.lines().map(with_slashes).collect();
    let expected: Vec<String> = (1..=40).map(|id| format!("/A/{id}.wav")).collect();
    let ends: Vec<bool> = written.iter().zip(&expected).map(|(one, end)| one.ends_with(end)).collect();
    assert!(written.len() == 40 && ends.iter().all(|is| *is), "{written:?}");
    let length = |id: u32| hound::WavReader::open(all.join(format!("A/{id}.wav"))).unwrap().duration();
    assert!((1..=40).all(|id| length(id) == id));
}
