//! `usampler asset`: what it says to mistakes that modders make, and where it writes.

use crate::program;
#[cfg(target_os = "linux")]
use crate::pty;
use std::fs;
use std::path::Path;

use fixtures::asset::AssetWriter;
use fixtures::package::PackageWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::wave::{Values, Wave};
use program::usampler;
use serde_json::Value;
use tempfile::TempDir;

const KEY: [u8; 32] = [0x42; 32];

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A package of files with an object of some bytes.
fn package(file: &Path, is_unversioned: bool) {
    let writer = AssetWriter {
        is_unversioned,
        exports: vec![("Data".to_owned(), -2, b"some bytes".to_vec())],
        data: Some(Vec::new()),
        ..AssetWriter::new(-8, 522, 1012)
    };
    let (header, objects) = writer.finish();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, header).unwrap();
    fs::write(file.with_extension("uexp"), objects).unwrap();
}

/// A game of packages; their contents do not matter.
fn game(folder: &Path) -> String {
    let paths = [
        "Shooter/Content/Audio/SW_Steps.uasset",
        "Shooter/Content/Audio/SW_Steps.uexp",
        "Shooter/Content/Audio/Far/SW_Rain.uasset",
        "Shooter/Content/Audio/Near/SW_Rain.uasset",
        "Shooter/Config/Game.ini",
        "Shooter/Content/zLast.bin",
    ];
    let many = (0..14).map(|number| format!("Shooter/Content/Many/BP_Door{number:02}.uasset"));
    let paths = paths.into_iter().map(str::to_owned).chain(many);
    let mut entries: Vec<PakEntry> = paths.map(|path| PakEntry::new(&path, b"text")).collect();
    entries[5] = PakEntry::new("Shooter/Content/zLast.bin", &[0, 1, 2, 0x1B, 255]);
    let file = folder.join("Game.pak");
    fs::write(&file, PakWriter { entries, ..PakWriter::new(11) }.finish()).unwrap();
    path(&file).to_owned()
}

#[test]
fn a_package_is_named_as_people_name_it() {
    let folder = TempDir::new().unwrap();
    let game = game(folder.path());
    for name in ["Shooter/Config/Game.ini", "/shooter/config/game.INI", "Config/Game.ini", "game.ini"] {
        let run = usampler(&["asset", "cat", &game, name]);
        run.ends_with(0);
        assert_eq!(run.out, "text", "{name}");
    }
    // What is found cannot be read: these are no packages.
    for name in ["SW_Steps", "/Game/Audio/SW_Steps", "audio/sw_steps", "Shooter/Content/Audio/SW_Steps"] {
        for command in ["show", "json", "niagara", "mesh"] {
            let args = ["asset", command, &game, name, "-o", "/nonexistent/x"];
            let run = usampler(if command == "json" { &args } else { &args[..4] });
            run.ends_with(3);
            assert!(!run.err.contains(&format!("no package {name}")), "{command} {name}: {}", run.err);
            assert!(run.err.contains("SW_Steps.uasset: ") || command == "niagara", "{command}: {}", run.err);
        }
    }
}

#[test]
fn an_ambiguous_name_lists_what_it_may_mean() {
    let folder = TempDir::new().unwrap();
    let game = game(folder.path());
    let run = usampler(&["asset", "json", &game, "SW_Rain", "-o", "-"]);
    run.ends_with(2);
    let expected = format!(
        "error: 2 packages are called SW_Rain in {game}\n  give more of the path:\n    \
         Shooter/Content/Audio/Far/SW_Rain.uasset\n    Shooter/Content/Audio/Near/SW_Rain.uasset\n"
    );
    assert_eq!(run.err, expected);
    let run = usampler(&["asset", "cat", &game, "SW_Steps"]);
    run.ends_with(2);
    assert!(run.err.contains("2 entries are called SW_Steps in "), "{}", run.err);
}

#[test]
fn a_name_that_is_not_there_suggests_others_and_a_whole_command() {
    let folder = TempDir::new().unwrap();
    let game = game(folder.path());
    let run = usampler(&["asset", "show", &game, "SW_Stesp"]);
    run.ends_with(3);
    let expected = format!(
        "error: no package SW_Stesp in {game}\n  did you mean Shooter/Content/Audio/SW_Steps.uasset?\n  \
         `usampler asset ls {game} --filter .uasset` lists all\n"
    );
    assert_eq!(run.err, expected);
    let run = usampler(&["asset", "show", &game, "Door"]);
    run.ends_with(3);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines.len(), 14, "{}", run.err);
    assert_eq!(lines[1], "  did you mean one of these?");
    assert_eq!(lines[2], "    Shooter/Content/Many/BP_Door00.uasset");
    assert_eq!(lines[12], "    and 4 more");
    let run = usampler(&["asset", "cat", &game, "nothing.like.it"]);
    run.ends_with(3);
    let hint = format!("error: no entry nothing.like.it in {game}\n  `usampler asset ls {game}` lists all\n");
    assert_eq!(run.err, hint);
}

#[test]
fn entries_are_listed_by_their_paths() {
    let folder = TempDir::new().unwrap();
    let names = ["b.ini", "a/z.ini", "C.ini", "a/Y.ini"];
    let entries = names.iter().map(|name| PakEntry::new(name, b"text")).collect();
    let file = folder.path().join("Game.pak");
    fs::write(&file, PakWriter { entries, ..PakWriter::new(7) }.finish()).unwrap();
    let run = usampler(&["asset", "ls", path(&file), "--json"]);
    let paths: Vec<String> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["path"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(paths, ["a/Y.ini", "a/z.ini", "b.ini", "C.ini"]);
}

#[test]
fn what_is_not_there_is_said_as_everywhere() {
    let folder = TempDir::new().unwrap();
    let missing = folder.path().join("nothere");
    let missing = path(&missing);
    for args in [
        vec!["asset", "ls", missing],
        vec!["asset", "show", missing],
        vec!["asset", "pack", missing, "-o", "x_P.pak"],
        vec!["asset", "from-json", missing, "-o", "x.uasset"],
        vec!["asset", "json", missing, "-o", "x.json"],
    ] {
        let run = usampler(&args);
        run.ends_with(3);
        let expected = format!("error: cannot read {missing}: no such file or folder\n");
        assert_eq!(run.err, expected, "{args:?}");
    }
}

#[test]
fn an_encrypted_container_says_which_key_it_needs_and_how_to_give_it() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Hidden.pak");
    let mut entries = vec![PakEntry::new("Game/A.ini", b"text")];
    entries[0].is_hidden = true;
    let pak = PakWriter { entries, key: Some(KEY), hides_index: true, ..PakWriter::new(11) };
    fs::write(&file, pak.finish()).unwrap();
    let id = "(key id 00000000-0000-0000-0000-000000000000, the game's main key); index of a pak at 0x";
    for command in [&["asset", "ls"][..], &["list"]] {
        let run = usampler(&[command, &[path(&file)]].concat());
        run.ends_with(3);
        let expected = format!("error: {}: encrypted; give its key with --aes {id}", path(&file));
        assert!(run.err.starts_with(&expected), "{}", run.err);
        let run = usampler(&[command, &[path(&file), "--aes", &"11".repeat(32)]].concat());
        run.ends_with(3);
        let expected = format!("error: {}: encrypted; none of the given keys opens it {id}", path(&file));
        assert!(run.err.starts_with(&expected), "{}", run.err);
    }
    // The same key opens its entries.
    let mut entries = vec![PakEntry::new("Game/A.ini", b"text")];
    entries[0].is_hidden = true;
    fs::write(&file, PakWriter { entries, key: Some(KEY), ..PakWriter::new(11) }.finish()).unwrap();
    let run = usampler(&["asset", "cat", path(&file), "A.ini"]);
    run.ends_with(3);
    let expected = format!("Game/A.ini: encrypted; give its key with --aes {}", id.replace("index", "entry"));
    assert!(run.err.contains(&expected), "{}", run.err);
}

#[test]
fn what_is_no_usmap_is_said_to_be_none() {
    let folder = TempDir::new().unwrap();
    let asset = folder.path().join("A.uasset");
    package(&asset, false);
    let wav = folder.path().join("x.wav");
    fs::write(&wav, Wave::new(8000, 1, Values::I16(vec![0; 10])).finish()).unwrap();
    let empty = folder.path().join("empty.usmap");
    fs::write(&empty, []).unwrap();
    for file in [&wav, &empty] {
        let run = usampler(&["asset", "show", path(&asset), "--usmap", path(file)]);
        run.ends_with(3);
        assert_eq!(run.err, format!("error: {}: not a .usmap file\n", path(file)));
    }
}

#[test]
fn json_without_mappings_says_that_properties_are_raw() {
    let folder = TempDir::new().unwrap();
    let raw = "warning: properties are raw bytes: this package needs the game's mappings (--usmap)\n";
    for (is_unversioned, warning) in [(true, raw), (false, "")] {
        let (asset, json) = (folder.path().join("A.uasset"), folder.path().join("s.json"));
        package(&asset, is_unversioned);
        let run = usampler(&["asset", "json", path(&asset), "-o", path(&json), "--force"]);
        run.ends_with(0);
        assert_eq!(run.err, format!("{warning}1 package written to {}\n", path(&json)));
        let run = usampler(&["asset", "json", path(&asset), "-o", "-"]);
        run.ends_with(0);
        assert_eq!(run.err, warning);
    }
    let many = folder.path().join("many");
    for name in ["A", "B", "Deep/C"] {
        package(&many.join(name).with_extension("uasset"), true);
    }
    let out = folder.path().join("json");
    let run = usampler(&["asset", "json", path(&many), "-o", path(&out)]);
    run.ends_with(0);
    let expected = "warning: properties of 3 packages are raw bytes: they need the game's mappings (--usmap)";
    assert!(run.err.starts_with(expected) && run.err.contains("3 packages written to"), "{}", run.err);
}

#[test]
fn folders_on_the_way_to_an_output_are_made() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    let (asset, files) = (file("in/A.uasset"), file("in"));
    package(&asset, false);
    let json = file("a/b/A.json");
    usampler(&["asset", "json", path(&asset), "-o", path(&json)]).ends_with(0);
    let made = file("c/d/A.uasset");
    usampler(&["asset", "from-json", path(&json), "-o", path(&made)]).ends_with(0);
    assert_eq!(fs::read(&made).unwrap(), fs::read(&asset).unwrap());
    assert!(made.with_extension("uexp").exists());
    let pak = file("e/f/X_P.pak");
    usampler(&["asset", "pack", path(&files), "-o", path(&pak)]).ends_with(0);
    let one = file("g/h/one.bin");
    let cat = ["asset", "cat", path(&pak), "A.uexp", "-o", path(&one)];
    usampler(&cat).ends_with(0);
    assert_eq!(fs::read(&one).unwrap(), fs::read(asset.with_extension("uexp")).unwrap());
    usampler(&cat).ends_with(5);
    usampler(&[&cat[..], &["--force"]].concat()).ends_with(0);
}

#[test]
fn packages_of_the_first_engines_are_shown() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Ambient.uax");
    let mut package = PackageWriter::new(69);
    let group = package.group("Weather", None);
    package.sound("Wind", Some(group), "WAV", &Wave::new(8000, 1, Values::I16(vec![0; 10])).finish());
    fs::write(&file, package.finish()).unwrap();
    let run = usampler(&["asset", "show", path(&file)]);
    run.ends_with(0);
    // What `info` shows comes first.
    let info = usampler(&["info", path(&file)]).out;
    assert!(run.out.starts_with(&info), "{}\n{info}", run.out);
    assert!(
        run.out.contains("\n  exports  2\n") && run.out.contains("  Wind  Engine.Sound  "),
        "{}",
        run.out
    );
    assert!(run.out.contains("\n    Core.Package") || run.out.contains("\n    Engine"), "{}", run.out);
    let run = usampler(&["asset", "show", path(&file), "--json"]);
    run.ends_with(0);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&row["schema"], &row["kind"]), (&"usampler.package/2".into(), &"classic".into()));
    assert_eq!((&row["engine"], &row["path"]), (&"1".into(), &"Ambient".into()));
    let wind = row["exports"].as_array().unwrap().iter().find(|export| export["name"] == "Wind").unwrap();
    assert_eq!((&wind["outer"], &wind["class"]), (&"Weather".into(), &"Engine.Sound".into()));
    assert!(row["names"].as_array().unwrap().contains(&"Wind".into()));
    assert!(wind["size"].as_u64().unwrap() > 44 && wind["offset"].as_u64().unwrap() > 0);
    for command in ["ls", "mesh", "niagara", "verify"] {
        let run = usampler(&["asset", command, path(&file)]);
        run.ends_with(3);
        let expected =
            format!("error: {} is a package of Unreal Engine 1 to 3, not a container", path(&file));
        assert!(run.err.starts_with(&expected), "{}", run.err);
    }
    for command in ["show", "json"] {
        let args = ["asset", command, path(&file), "Wind", "-o", "-"];
        let run = usampler(if command == "json" { &args } else { &args[..4] });
        run.ends_with(2);
        assert!(run.err.contains("is one package"), "{}", run.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn binary_does_not_go_to_a_terminal_and_text_does() {
    let folder = TempDir::new().unwrap();
    let game = game(folder.path());
    let mut terminal = pty::Terminal::of(&["asset", "cat", &game, "zLast.bin"]);
    terminal.shows("-o FILE writes a file; a pipe takes it too");
    assert_eq!(terminal.end(), 2);
    assert!(!terminal.printed.contains("\x1b\u{fffd}"), "{:?}", terminal.printed);
    let mut terminal = pty::Terminal::of(&["asset", "cat", &game, "Game.ini"]);
    terminal.shows("text");
    assert_eq!(terminal.end(), 0);
    // A pipe takes all.
    assert_eq!(usampler(&["asset", "cat", &game, "zLast.bin"]).bytes, [0, 1, 2, 0x1B, 255]);
}
