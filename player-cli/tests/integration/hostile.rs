//! Crafted songs and mappings through the whole program: each command ends, in little time and memory, and says why it
//! does not do what it was asked to.

use crate::program;
use std::fs;
use std::process::Command;

use fixtures::hostile_mappings::hostile_mappings;
use fixtures::hostile_songs::{Length, songs};
use fixtures::pak::PakWriter;
use fixtures::sound_wave::package;
use program::{Run, command};
use tempfile::TempDir;

/// Runs the program with 200 MB for its data and ten seconds of a processor; beyond those it is killed or aborts.
fn bounded(args: &[&str]) -> Run {
    let program = command(args);
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -d 200000; ulimit -t 10; exec \"$@\"", "sh"]);
    shell.arg(program.get_program()).args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    Run::spawned(&args.join(" "), shell, b"")
}

#[test]
fn crafted_songs_are_read_or_refused_by_every_command() {
    let folder = TempDir::new().unwrap();
    for song in songs() {
        let file = folder.path().join(song.name);
        fs::write(&file, &song.bytes).unwrap();
        let file = file.to_str().unwrap();
        let out = folder.path().join("out");
        let (files, flac) = (out.join("files"), out.join("out.flac"));
        let flac = flac.to_str().unwrap();
        fs::create_dir(&out).unwrap();
        for line in [
            &["info", file][..],
            &["info", "--json", file],
            &["list", file],
            &["list", "--json", file],
            &["pattern", file],
            &["extract", file, "-o", files.to_str().unwrap()],
            &["render", file, "-o", flac],
        ] {
            let run = bounded(line);
            if !song.is_read {
                run.ends_with(3);
                assert!(run.err.contains(song.name) && run.err.contains(" at 0x"), "{line:?}: {}", run.err);
            } else if song.length == Length::Hours && line[0] == "render" {
                run.ends_with(5);
                assert!(run.err.contains("--large"), "{line:?}: {}", run.err);
            } else {
                run.ends_with(0);
            }
            if line[0] == "info" && song.is_read {
                let is_longer = song.length != Length::Short;
                let said = if line.contains(&"--json") { "\"is_longer\":true" } else { "longer than " };
                assert_eq!(run.out.contains(said), is_longer, "{line:?}: {}", run.out);
            }
        }
        // Part of it is no flood.
        if song.length == Length::Hours {
            bounded(&["render", file, "--seconds", "2", "-o", flac]).ends_with(0);
        }
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn crafted_mappings_are_refused_by_every_command_that_takes_some() {
    let folder = TempDir::new().unwrap();
    let game = folder.path().join("Game.pak");
    fs::write(&game, PakWriter { entries: package("Steps"), ..PakWriter::new(8) }.finish()).unwrap();
    let game = game.to_str().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for (name, bytes, reason) in hostile_mappings() {
        let file = folder.path().join(format!("{name}.usmap"));
        fs::write(&file, bytes).unwrap();
        let file = file.to_str().unwrap();
        for line in [
            &["list", game, "--usmap", file][..],
            &["info", game, "--usmap", file],
            &["extract", game, "--usmap", file, "-o", out],
            &["asset", "show", game, "--usmap", file],
            &["asset", "json", game, "--usmap", file, "-o", out],
        ] {
            let run = bounded(line);
            run.ends_with(3);
            assert!(run.err.contains(&*format!("{name}.usmap")) && run.err.contains(reason), "{}", run.err);
        }
        assert!(!folder.path().join("out").exists(), "{name}");
    }
}
