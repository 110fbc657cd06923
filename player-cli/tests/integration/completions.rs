//! Completions: what a shell is given, and what it gets when it asks.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use program::{command, usampler};
use tempfile::TempDir;

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "elvish", "powershell"];

/// Returns a folder with a package in it: two sounds share a name.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut package = PackageWriter::new(69);
    let wave = Wave::new(48_000, 1, Values::I16(vec![100; 200])).finish();
    for (name, group) in [("Wind", None), ("Rain", Some("Far")), ("Rain", Some("Near"))] {
        let group = group.map(|group| package.group(group, None));
        package.sound(name, group, "WAV", &wave);
    }
    fs::write(folder.path().join("Ambient.uax"), package.finish()).unwrap();
    folder
}

/// Returns what could follow words, as fish asks for it: the last word is the one that is typed.
fn answers(folder: &Path, words: &[&str]) -> Vec<String> {
    let run = command(&[])
        .args(["--", "usampler"])
        .args(words)
        .env("USAMPLER_COMPLETE", "fish")
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!((run.status.code(), &*run.stderr), (Some(0), &b""[..]), "{words:?}");
    let text = String::from_utf8(run.stdout).unwrap();
    text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn every_shell_gets_a_script_that_asks_the_program() {
    for shell in SHELLS {
        let run = usampler(&["completions", shell]);
        run.ends_with(0);
        assert_eq!(run.err, "");
        assert!(
            run.out.contains("USAMPLER_COMPLETE") && run.out.contains("usampler"),
            "{shell}: {}",
            run.out
        );
    }
    usampler(&["completions", "ksh"]).ends_with(2);
}

#[test]
fn commands_options_and_their_values_are_offered() {
    let folder = folder();
    let first = answers(folder.path(), &[""]);
    for command in ["jam", "list", "extract", "play"] {
        assert!(first.iter().any(|word| word == command), "{command}: {first:?}");
    }
    assert_eq!(answers(folder.path(), &["jam", "--no-l"]), ["--no-limiter"]);
    assert_eq!(answers(folder.path(), &["jam", "--takes", ""]), ["wav", "wav,mid"]);
    assert_eq!(answers(folder.path(), &["list", "Am"]), ["Ambient.uax"]);
}

#[test]
fn sounds_are_offered_as_select_takes_them() {
    let folder = folder();
    let sounds = |words: &[&str]| -> Vec<String> {
        let answers = answers(folder.path(), words);
        answers.into_iter().filter(|word| !word.starts_with('-')).collect()
    };
    for command in ["play", "jam", "render"] {
        assert_eq!(sounds(&[command, "Ambient.uax", ""]), ["Wind", "Far.Rain", "Near.Rain"]);
        assert_eq!(sounds(&[command, "Ambient.uax", "wi"]), ["Wind"]);
        assert_eq!(sounds(&[command, "demo:", "Ki"]), ["Kick"]);
    }
    assert_eq!(sounds(&["play", "--gain", "-3", "Ambient.uax", "far"]), ["Far.Rain"]);
    for file in ["missing.uax", "-", "."] {
        assert_eq!(sounds(&["play", file, "wi"]), [""; 0], "{file}");
    }
}

#[test]
fn what_no_shell_asks_is_refused() {
    let ask = |shell: &str, words: &[&str]| {
        let run = command(words).env("USAMPLER_COMPLETE", shell).output().unwrap();
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let (code, said) = ask("ksh", &["--", "usampler", "l"]);
    assert!(code == Some(2) && said.contains("a shell that is not known: ksh"), "{said}");
    for shell in SHELLS {
        let (code, said) = ask(shell, &[]);
        assert!(code == Some(2) && said.contains("no words to complete"), "{shell}: {said}");
    }
}

/// Returns what bash gets for a line, of which the last letters are replaced.
fn to_bash(folder: &Path, line: &str, replaced: &str) -> Vec<String> {
    let run = command(&["--", line, replaced])
        .env("USAMPLER_COMPLETE", "bash")
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!((run.status.code(), &*run.stderr), (Some(0), &b""[..]), "{line}");
    String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_name_that_could_be_taken_for_something_else_is_offered_as_its_number() {
    let folder = TempDir::new().unwrap();
    let mut package = PackageWriter::new(69);
    let wave = Wave::new(48_000, 1, Values::I16(vec![100; 200])).finish();
    let long = "x".repeat(201);
    for name in ["-rf", "#3", "~root", "=ls", "@x", "a\nb", "a\tb", "\u{1b}[2J", "3", &long] {
        package.sound(name, None, "WAV", &wave);
    }
    fs::write(folder.path().join("odd.uax"), package.finish()).unwrap();
    let answers = answers(folder.path(), &["play", "odd.uax", ""]);
    let sounds: Vec<&str> =
        answers.iter().map(String::as_str).filter(|word| !word.starts_with("--")).collect();
    assert_eq!(sounds[..10], ["#1", "#2", "#3", "#4", "#5", "#6", "#7", "#8", "3", "#10"], "{answers:?}");
    let quoted = to_bash(folder.path(), "usampler play odd.uax \\#1", "\\#1");
    assert_eq!(quoted, ["\\#1", "\\#10"]);
    for (number, word) in sounds.iter().enumerate().take(10) {
        let run = usampler(&["list", "--json", folder.path().join("odd.uax").to_str().unwrap()]);
        assert!(
            run.out.lines().nth(number).unwrap().contains(&format!("\"index\":{}", number + 1)),
            "{word}"
        );
    }
}

#[test]
fn a_path_that_could_be_taken_for_something_else_gets_its_folder_in_front() {
    let folder = TempDir::new().unwrap();
    for name in ["--force", "~root", "#x", "=ls", "@y", "demo:", "a\nb", "a\u{2028}b", "plain"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let answers = answers(folder.path(), &["info", ""]);
    let expected = ["./#x", "./--force", "./=ls", "./@y", "./demo:", "./~root", "plain"];
    let mut paths: Vec<&str> = answers
        .iter()
        .map(String::as_str)
        .filter(|word| expected.contains(word) || !word.starts_with('-'))
        .collect();
    paths.retain(|word| *word != ".");
    paths.sort_unstable();
    assert_eq!(paths, expected);
    assert_eq!(to_bash(folder.path(), "usampler info pl", "pl"), ["plain"]);
}

#[test]
fn what_bash_gets_is_quoted_as_the_line_is() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a $(b).uax"), "").unwrap();
    let answer = |line: &str, replaced: &str| to_bash(folder.path(), line, replaced);
    assert_eq!(answer("usampler info a", "a"), ["a\\ \\$\\(b\\).uax"]);
    assert_eq!(answer("usampler info \"a", "a"), ["a \\$(b).uax"]);
    assert_eq!(answer("usampler info 'a", "a"), ["a $(b).uax"]);
    assert_eq!(answer("usampler info a\\ ", "a\\ "), ["a\\ \\$\\(b\\).uax"]);
    assert_eq!(answer("usampler info a\\", "a\\"), ["a\\ \\$\\(b\\).uax"], "a letter is still to come");
    // Asked by the script of an earlier version.
    let run = command(&["--", "usampler", "info", "a"]).env("USAMPLER_COMPLETE", "bash").output().unwrap();
    assert_eq!((run.status.code(), run.stdout.len()), (Some(0), 0));
}
