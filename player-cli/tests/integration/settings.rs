//! The user's settings: defaults of options.

use crate::program;
use std::fs;
use std::process::Output;

use program::command;
use tempfile::TempDir;

/// Runs the program with these settings.
fn run(settings: &str, args: &[&str]) -> (i32, String, String) {
    let home = TempDir::new().unwrap();
    if !settings.is_empty() {
        fs::create_dir(home.path().join("usampler")).unwrap();
        fs::write(home.path().join("usampler/config.toml"), settings).unwrap();
    }
    let Output { status, stdout, stderr } =
        command(args).env("XDG_CONFIG_HOME", home.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn a_setting_stands_for_an_option_that_is_not_typed() {
    let settings = "[list]\nsort = \"length\"\nfilter = \"drums\"\ntsv = true\n[render]\nbits = \"24\"\n";
    let (code, set, _) = run(settings, &["list", "demo:"]);
    let (_, typed, _) = run("", &["list", "demo:", "--sort", "length", "--filter", "drums", "--tsv"]);
    assert_eq!((code, &set), (0, &typed));
    let (_, other, _) = run(settings, &["list", "demo:", "--filter", "pads"]);
    let (_, expected, _) = run("", &["list", "demo:", "--sort", "length", "--filter", "pads", "--tsv"]);
    assert_eq!(other, expected, "what is typed goes before");
    let (_, plain, _) = run(settings, &["demo:"]);
    assert_eq!(plain, typed, "also where no command is typed");
}

#[test]
fn settings_for_all_commands_give_way_to_those_of_one() {
    let settings = "[all]\nquiet = true\n[extract]\nquiet = false\n";
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let (_, printed, _) = run(settings, &["extract", "demo:", "-o", out.to_str().unwrap(), "--dry-run"]);
    assert_eq!(printed.lines().count(), 11);
    let settings = "[all]\nquiet = true\n";
    let (_, printed, said) = run(settings, &["extract", "demo:", "-o", out.to_str().unwrap(), "--dry-run"]);
    assert_eq!((printed.as_str(), said.as_str()), ("", ""));
}

#[test]
fn a_setting_that_makes_no_sense_is_named() {
    for (settings, named) in [
        ("[list]\nsorted = \"length\"\n", "[list] has no option sorted"),
        ("[lists]\nsort = \"length\"\n", "[lists] is no command"),
        ("sort = \"length\"\n", "[sort] is no command"),
        ("[list\n", "config.toml: "),
        ("[list]\nsort = \"size\"\n", "invalid value 'size'"),
    ] {
        let (code, _, said) = run(settings, &["list", "demo:"]);
        assert_eq!(code, 2, "{settings}: {said}");
        assert!(said.contains(named), "{settings}: {said}");
    }
}

#[test]
fn config_shows_where_settings_are_and_what_is_in_force() {
    let (code, shown, _) = run("[jam]\nvoices = 128\n", &["config"]);
    assert_eq!(code, 0);
    assert!(shown.contains("usampler/config.toml\n") && shown.contains("voices = 128"), "{shown}");
    let (_, shown, _) = run("", &["config"]);
    assert!(shown.contains("config.toml  (not there)") && shown.contains("no settings"), "{shown}");
    assert_eq!(run("[list\n", &["config"]).0, 2);
}

#[test]
fn settings_that_are_a_pipe_a_device_or_too_large_are_refused() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("usampler/config.toml");
    fs::create_dir(home.path().join("usampler")).unwrap();
    let ends = |expected: &str| {
        let run = command(&["list", "demo:"]).env("XDG_CONFIG_HOME", home.path()).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert_eq!(said, format!("error: cannot read {}: {expected}\n", file.display()));
        fs::remove_file(&file).unwrap();
    };
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    ends("it is a pipe or a device, not a file");
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    ends("it is a pipe or a device, not a file");
    fs::write(&file, vec![b'#'; (1 << 20) + 1]).unwrap();
    ends("it has more than 1048576 bytes");
    fs::write(&file, b"# \xFF").unwrap();
    ends("byte 2 is not UTF-8");
}
