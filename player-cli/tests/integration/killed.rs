//! Mods that are overwritten while the program is killed.

use crate::program;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fixtures::pak::PakWriter;
use fixtures::sound_wave::package;
use fixtures::zen::{PackageForm, ZenWriter};
use program::command;
use tempfile::TempDir;

/// Returns how often each command is killed; `KILLS` gives another number, for measuring.
fn kills() -> u32 {
    std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(12)
}

/// Returns a command in a folder, with a home in it.
fn ready(folder: &Path, line: &str) -> Command {
    let mut command = command(&line.split(' ').collect::<Vec<_>>());
    command.current_dir(folder).env("XDG_DATA_HOME", folder.join("home"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn runs(folder: &Path, line: &str) -> Duration {
    let begun = Instant::now();
    assert!(ready(folder, line).status().unwrap().success(), "{line}");
    begun.elapsed()
}

/// Writes a mod over another one and is killed meanwhile, again and again; the last of its `files` is the one that a
/// game finds the others by.
fn kill_again_and_again(folder: &Path, old: &str, new: &str, files: &[&str]) {
    let read =
        || -> Vec<Option<Vec<u8>>> { files.iter().map(|file| fs::read(folder.join(file)).ok()).collect() };
    let game = fs::read(folder.join("Paks/Game.pak")).unwrap();
    runs(folder, old);
    let old_files = read();
    let time = runs(folder, new);
    let new_files = read();
    assert!(old_files.iter().all(Option::is_some) && old_files != new_files);
    let (mut killed, mut hidden) = (0, 0);
    for round in 0..kills() {
        // Whatever a kill has left, the next run goes on as if nothing had been.
        runs(folder, old);
        assert!(read() == old_files, "round {round}");
        let mut child = ready(folder, new).spawn().unwrap();
        // Half of them while it puts its files to their places, towards its end.
        let share = f64::from(round % 10 + 1) / 10.0;
        thread::sleep(time.mul_f64(if round % 2 == 0 { share } else { 0.4 + 0.6 * share }));
        child.kill().unwrap();
        killed += u32::from(child.wait().unwrap().code().is_none());
        let found = read();
        let is_hidden = found.last().is_some_and(Option::is_none);
        hidden += u32::from(is_hidden);
        assert!(is_hidden || found == old_files || found == new_files, "round {round}: a mixture");
        assert!(fs::read(folder.join("Paks/Game.pak")).unwrap() == game, "round {round}: the game");
    }
    eprintln!("{killed} of {} killed, {hidden} of them found no mod: {new}", kills());
    runs(folder, new);
    assert!(read() == new_files);
    let names = fs::read_dir(folder.join("Paks/~mods")).unwrap();
    // One that has no bytes yet may be another run's that is just beginning.
    let names = names.map(Result::unwrap).filter(|entry| entry.metadata().unwrap().len() > 0);
    let names = names.map(|entry| entry.file_name().into_string().unwrap());
    let mods = names.filter(|name| !files.iter().any(|file| file.ends_with(name.as_str())));
    assert_eq!(mods.collect::<Vec<_>>(), [""; 0], "nothing is left of runs that were killed");
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("Paks/~mods")).unwrap();
    let entries = ["Steps", "Door"].into_iter().flat_map(package).collect();
    let game = PakWriter { entries, ..PakWriter::new(8) }.finish();
    fs::write(folder.path().join("Paks/Game.pak"), game).unwrap();
    folder
}

#[test]
fn a_pak_that_replaces_another_is_never_half_of_each() {
    let folder = folder();
    for (name, frames) in [("old", 20_000), ("new", 30_000)] {
        let sample_format = hound::SampleFormat::Int;
        let spec = hound::WavSpec { channels: 1, sample_rate: 8000, bits_per_sample: 16, sample_format };
        let path = folder.path().join(format!("{name}.wav"));
        let mut writer = hound::WavWriter::create(path, spec).unwrap();
        (0..frames).for_each(|n| writer.write_sample((n % 100) as i16).unwrap());
        writer.finalize().unwrap();
    }
    let line = |name: &str| format!("replace Paks/Game.pak Steps {name}.wav -o Paks/~mods/M_P --force");
    kill_again_and_again(folder.path(), &line("old"), &line("new"), &["Paks/~mods/M_P.pak"]);
}

#[test]
fn a_table_of_contents_that_replaces_another_never_has_data_of_the_other() {
    let folder = folder();
    for (name, byte) in [("old", 1), ("new", 2)] {
        let content = folder.path().join(name).join("Game/Content");
        fs::create_dir_all(&content).unwrap();
        let writer = ZenWriter {
            exports: vec![("A".to_owned(), 1, vec![byte])],
            ..ZenWriter::new(PackageForm::Engine5_6, "/Game/A")
        };
        fs::write(content.join("A.uasset"), writer.finish()).unwrap();
        fs::write(content.join("A.ubulk"), vec![byte; 700_000]).unwrap();
        fs::write(content.join("A.ini"), vec![byte; 1000]).unwrap();
    }
    let line = |name: &str| {
        format!("asset pack {name} -o Paks/~mods/M_P.utoc --engine 5.6 --partition 300K --force")
    };
    let files = ["M_P.ucas", "M_P_s1.ucas", "M_P_s2.ucas", "M_P.utoc", "M_P.pak"];
    let files = files.map(|name| format!("Paks/~mods/{name}"));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    kill_again_and_again(folder.path(), &line("old"), &line("new"), &files);
}
