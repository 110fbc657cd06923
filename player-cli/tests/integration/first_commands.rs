//! What a person types first, without having read anything.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use program::bench::bench;
use program::{command, usampler};

#[test]
fn a_file_instead_of_a_command_is_listed_where_there_is_no_terminal() {
    let bench = bench();
    for file in [bench.file.as_str(), "demo:"] {
        let run = usampler(&[file]);
        run.ends_with(0);
        assert_eq!(run.out, usampler(&["list", file]).out, "{file}");
        assert_eq!(usampler(&[file, "--json"]).out, usampler(&["list", "--json", file]).out, "{file}");
    }
    let run = usampler(&["/no/such/file.uax"]);
    run.ends_with(3);
    assert!(run.err.contains("cannot read /no/such/file.uax: no such file"), "{}", run.err);
    let run = usampler(&["extarct"]);
    run.ends_with(2);
    assert!(run.err.contains("did you mean `usampler extract`?"), "{}", run.err);
}

#[test]
fn help_is_a_command() {
    let run = usampler(&["help"]);
    run.ends_with(0);
    assert_eq!(run.out, usampler(&["--help"]).out);
    assert_eq!(usampler(&["help", "list"]).out, usampler(&["list", "--help"]).out);
}

/// Returns a package of short sounds with these names.
fn named(names: &[&str]) -> (tempfile::TempDir, String) {
    let mut package = PackageWriter::new(69);
    for (length, name) in (1..).zip(names) {
        let wave = Wave::new(8000, 1, Values::U8(vec![128; 1000 * length])).finish();
        package.sound(name, None, "WAV", &wave);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Named.uax");
    fs::write(&path, package.finish()).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn a_plain_number_is_a_sound_where_no_sound_has_that_name() {
    let (folder, file) = named(&["Kick", "1", "Snare"]);
    let out = folder.path().join("out.wav");
    let rendered = |sound: &str| {
        usampler(&["render", &file, sound, "--force", "-o", out.to_str().unwrap()]).err.trim().to_owned()
    };
    assert!(rendered("3").starts_with("Snare rendered"));
    assert!(rendered("#3").starts_with("Snare rendered"));
    assert!(rendered("1").starts_with("1 rendered"), "a name comes first");
    assert!(rendered("#1").starts_with("Kick rendered"));
    assert!(rendered("4").contains("no sound #4"));
}

#[test]
fn a_name_that_is_no_sound_suggests_one_that_holds_it() {
    let (_folder, file) = named(&["Announcer_KillingSpree", "Pain"]);
    for (typed, meant) in [("killing", "Announcer_KillingSpree"), ("Pian", "Pain")] {
        let run = usampler(&["play", &file, typed]);
        run.ends_with(3);
        assert!(run.err.contains(&format!("did you mean \"{meant}\"?")), "{}", run.err);
    }
}

#[test]
fn nothing_found_is_said_and_ends_with_1() {
    let bench = bench();
    let out = bench.path("out");
    for line in [
        &["list", &bench.file, "--filter", "nomatch"][..],
        &["list", &bench.file, "--filter", "nomatch", "--json"],
        &["list", &bench.file, "--sort", "name", "--longer", "99s"],
        &["extract", &bench.file, "--filter", "nomatch", "-o", &out],
    ] {
        let run = usampler(line);
        run.ends_with(1);
        assert!(run.out.is_empty() && run.err.contains("no sound matches --"), "{line:?}\n{}", run.err);
    }
    assert!(!fs::exists(&out).unwrap());
}

#[test]
fn a_folder_is_one_list_where_it_is_sorted_and_shows_only_files_with_hits_where_it_is_filtered() {
    let (folder, file) = named(&["Long", "Longer", "Longest"]);
    fs::copy(&file, folder.path().join("Other.uax")).unwrap();
    let mut empty = PackageWriter::new(69);
    empty.group("Nothing", None);
    fs::write(folder.path().join("Empty.uax"), empty.finish()).unwrap();
    let folder = folder.path().to_str().unwrap();

    let run = usampler(&["list", folder, "--sort", "length", "--shorter", "0.3s"]);
    run.ends_with(0);
    let column = |index: usize| -> Vec<&str> {
        run.out.lines().skip(1).map(|line| line.split_whitespace().nth(index).unwrap()).collect()
    };
    assert_eq!(column(2), ["Long", "Long", "Longer", "Longer"]);
    let names: Vec<_> = column(0).iter().map(|path| path.rsplit(['/', '\\']).next().unwrap()).collect();
    assert_eq!(names, ["Named.uax", "Other.uax", "Named.uax", "Other.uax"]);

    let run = usampler(&["list", folder, "--filter", "longest", "--longer", "0.3s"]);
    assert_eq!(run.out.matches("1 of 3 sounds").count(), 2, "{}", run.out);
    assert!(!run.out.contains("Empty"), "{}", run.out);
    assert!(!usampler(&["list", folder]).out.contains("no sounds"));
    assert!(usampler(&["list", folder, "-v"]).out.contains("no sounds"));
}

#[test]
fn sounds_are_found_by_length_loop_and_rate() {
    let bench = bench();
    let names = |args: &[&str]| -> Vec<String> {
        let run = usampler(&[&["list", &bench.file, "--tsv"], args].concat());
        run.out.lines().skip(1).map(|line| line.split('\t').nth(3).unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["--loop"]), ["Weapons.Flak.Fire"]);
    assert_eq!(names(&["--rate", "8000"]), ["Click"]);
    assert_eq!(names(&["--rate", "8000-22050"]), ["Weapons.Flak.Fire", "Click"]);
    assert_eq!(names(&["--longer", "0.4ms"]), ["Click"], "four frames at 8000 Hz are half a millisecond");
    assert_eq!(names(&["--shorter", "0.4ms"]), ["Weapons.Flak.Fire"]);
}

#[test]
fn damaged_files_of_later_engines_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut pak = vec![7; 300];
    let magic = pak.len() - 44;
    pak[magic..magic + 8].copy_from_slice(&[0xE1, 0x12, 0x6F, 0x5A, 3, 0, 0, 0]);
    let mut asset = 0x9E2A_83C1_u32.to_le_bytes().to_vec();
    asset.extend((-7_i32).to_le_bytes().repeat(16));
    let files: [(&str, &[u8], &str); 5] = [
        ("a.pak", &pak, "footer of a pak at 0x100"),
        ("b.utoc", &[b"-==--==--==--==-".as_slice(), &[0; 99]].concat(), "a table of contents of version 0"),
        ("s.ucas", &[0x99; 64], "the data of an IoStore container"),
        ("c.uasset", &asset, "read as a package of Unreal Engine"),
        ("d.uzenasset", &[0x99; 64], "a package from an IoStore container"),
    ];
    for (name, bytes, kind) in files {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let run = usampler(&["list", path.to_str().unwrap()]);
        run.ends_with(3);
        assert!(run.err.contains(&format!("{name}: {kind}")), "{}", run.err);
    }
    fs::write(folder.path().join("e.uasset"), &asset).unwrap();
    let folder = folder.path().to_str().unwrap();
    // They are those of one game.
    let run = usampler(&["list", folder]);
    run.ends_with(1);
    assert!(run.err.contains("a.pak: ") && run.err.contains("b.utoc: "), "{}", run.err);
    for name in ["a.pak", "b.utoc"] {
        fs::remove_file(Path::new(folder).join(name)).unwrap();
    }
    let run = usampler(&["list", folder]);
    run.ends_with(1);
    assert!(run.err.contains("2 packages could not be read; -v names them"), "{}", run.err);
    let run = usampler(&["list", folder, "-v"]);
    assert!(run.err.contains("e.uasset: read as a package of Unreal Engine"), "{}", run.err);
}

#[test]
fn an_empty_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let output = command(&["list", path]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains(&format!("no packages, modules, sound banks or audio files in {path} (0 other files)")),
        "{text}"
    );
}

#[test]
fn audio_files_of_a_folder_are_one_list_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["kick10.wav", "kick2.wav", "Pad C4.wav", "Pad C5.wav"] {
        fs::write(path(name), Wave::new(44_100, 1, Values::I16(vec![9; 400])).finish()).unwrap();
    }
    fs::write(path("demo.uax"), player::demo::package()).unwrap();
    let folder = folder.path().to_str().unwrap();
    let run = usampler(&["list", folder]);
    let names =
        ["1  kick2 ", "2  kick10 ", "3  Pad C4 ", "4  Pad C5 ", "5  Pad "].map(|name| run.out.find(name));
    assert!(names.is_sorted() && names[0].is_some(), "{}", run.out);
    assert!(run.err.contains("4 audio files, 1 file read"), "{}", run.err);
    let run = usampler(&["info", "-v", folder]);
    assert!(run.out.contains("kind         folder of audio files"), "{}", run.out);
    assert!(run.out.contains("Pad C4: root key C4 by the file's name"), "{}", run.out);
}
