//! Completions: what a shell is given, and what it gets when it asks.

mod program;

use std::fs;
use std::path::Path;
use std::process::Command;

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

#[test]
fn bash_offers_sounds() {
    let folder = folder();
    let (path, script) = (env!("CARGO_BIN_EXE_usampler"), folder.path().join("completions"));
    fs::write(&script, usampler(&["completions", "bash"]).bytes).unwrap();
    let asks = "source ./completions; COMP_WORDS=(usampler play Ambient.uax Wi); COMP_CWORD=3; COMP_TYPE=9; \
                _clap_complete_usampler usampler Wi ''; echo \"${COMPREPLY[@]}\"";
    let programs = Path::new(path).parent().unwrap().to_str().unwrap().to_owned();
    let search = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    // Where there is no bash, nobody needs it.
    if let Ok(run) = Command::new("bash").args(["-c", asks]).env("PATH", search).current_dir(&folder).output()
    {
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(String::from_utf8_lossy(&run.stdout), "Wind\n");
    }
}
