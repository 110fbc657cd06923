//! `usampler asset` for whoever makes mods: which mods conflict, JSON as a mod, packages of another release.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::asset::AssetWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::toc::{TocChunk, TocWriter};
use fixtures::zen::{HeaderForm, ListedPackage, PackageForm, ZenWriter, container_header};
use program::usampler;
use serde_json::{Value, json};
use tempfile::TempDir;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Writes a pak of texts.
fn pak(file: &Path, texts: &[(&str, &str)]) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let entries = texts.iter().map(|(path, text)| PakEntry::new(path, text.as_bytes())).collect();
    fs::write(file, PakWriter { entries, ..PakWriter::new(11) }.finish()).unwrap();
}

#[test]
fn mods_that_change_the_same_are_listed_with_the_one_that_wins_and_why() {
    let mods = TempDir::new().unwrap();
    let folder = mods.path();
    pak(&folder.join("Speed_P.pak"), &[("Game/A.ini", "fast"), ("Game/B.ini", "same"), ("Game/S.ini", "s")]);
    pak(&folder.join("Jump_P.pak"), &[("game/a.INI", "high"), ("Game/B.ini", "same"), ("Game/J.ini", "j")]);
    pak(&folder.join("Deep/Jump_2_P.pak"), &[("Game/J.ini", "higher")]);
    pak(&folder.join("Logic.pak"), &[("Game/J.ini", "logic"), ("Game/L.ini", "l")]);
    let run = usampler(&["asset", "ls", "--conflicts", path(folder)]);
    run.ends_with(0);
    let expected = "\
Speed_P.pak wins over Jump_P.pak: its name comes later in the alphabet
  Game/A.ini
  Game/B.ini  (identical)
Deep/Jump_2_P.pak wins over Jump_P.pak, Logic.pak: the number before its _P is greater
  Game/J.ini
";
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&program::with_slashes(&run.out)), lines(expected));
    assert!(run.err.contains("3 entries are in more than one of 4 containers"), "{}", run.err);

    let run = usampler(&["asset", "ls", "--conflicts", path(folder), "--json"]);
    run.ends_with(0);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let file = |value: &Value| Path::new(value.as_str().unwrap()).file_name().unwrap().to_owned();
    assert_eq!(rows.len(), 3);
    let facts = |row: &Value| json!([row["schema"], row["path"], row["reason"], row["identical"]]);
    assert_eq!(facts(&rows[0]), json!(["usampler.conflict/1", "Game/A.ini", "name", false]));
    assert_eq!(facts(&rows[1]), json!(["usampler.conflict/1", "Game/B.ini", "name", true]));
    assert_eq!(facts(&rows[2]), json!(["usampler.conflict/1", "Game/J.ini", "patch_number", false]));
    assert_eq!(file(&rows[2]["winner"]), "Jump_2_P.pak");
    let holders: Vec<_> = rows[2]["containers"].as_array().unwrap().iter().map(file).collect();
    assert_eq!(holders, ["Logic.pak", "Jump_P.pak", "Jump_2_P.pak"]);

    // What `cat` gives is what is said to win.
    assert_eq!(usampler(&["asset", "cat", path(folder), "Game/A.ini"]).out, "fast");
    assert_eq!(usampler(&["asset", "cat", path(folder), "Game/J.ini"]).out, "higher");
    let none = usampler(&["asset", "ls", "--conflicts", path(&folder.join("Logic.pak"))]);
    none.ends_with(0);
    assert!(none.out.is_empty() && none.err.contains("no conflicts among 1 container"), "{}", none.err);
}

/// A package of files with an object of some bytes.
fn package(name: &str, bytes: &[u8], engine_5: u32) -> [Vec<u8>; 2] {
    let writer = AssetWriter {
        folder: format!("/Game/Data/{name}"),
        exports: vec![(name.to_owned(), -2, bytes.to_vec())],
        data: Some(Vec::new()),
        ..AssetWriter::new(-8, 522, engine_5)
    };
    let (header, objects) = writer.finish();
    [header, objects]
}

#[test]
fn edited_json_becomes_a_mod_with_the_packages_where_the_game_has_them() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    let mut entries = Vec::new();
    for (name, bytes) in [("DT_A", b"one"), ("DT_B", b"two")] {
        let [header, objects] = package(name, bytes, 1012);
        entries.push(PakEntry::new(&format!("Shooter/Content/Data/{name}.uasset"), &header));
        entries.push(PakEntry::new(&format!("Shooter/Content/Data/{name}.uexp"), &objects));
    }
    fs::create_dir(file("Paks")).unwrap();
    fs::write(file("Paks/Game.pak"), PakWriter { entries, ..PakWriter::new(8) }.finish()).unwrap();
    let paks = file("Paks");
    for name in ["DT_A", "DT_B"] {
        let json = file(&format!("{name}.json"));
        usampler(&["asset", "json", path(&paks), name, "-o", path(&json)]).ends_with(0);
        let text = fs::read_to_string(&json).unwrap();
        fs::write(&json, text.replace("b25l", "T05F").replace("dHdv", "VFdP")).unwrap();
    }
    let target = file("mods/new/My_P");
    let (a, b) = (file("DT_A.json"), file("DT_B.json"));
    let args = ["asset", "from-json", path(&a), path(&b), "--base", path(&paks), "-o", path(&target)];
    let run = usampler(&args);
    run.ends_with(0);
    assert!(run.err.contains("2 packages in ") && run.err.contains("My_P.pak"), "{}", run.err);
    let made = file("mods/new/My_P.pak");
    let paths: Vec<String> = usampler(&["asset", "ls", path(&made), "--json"])
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["path"].as_str().unwrap().to_owned())
        .collect();
    let expected = ["DT_A.uasset", "DT_A.uexp", "DT_B.uasset", "DT_B.uexp"];
    assert_eq!(paths, expected.map(|name| format!("Shooter/Content/Data/{name}")));
    let bytes = usampler(&["asset", "cat", path(&made), "DT_A.uexp"]).bytes;
    assert!(bytes.starts_with(b"ONE"), "{bytes:?}");
    usampler(&["asset", "verify", path(&made)]).ends_with(0);
    usampler(&args).ends_with(5);
    // A folder of documents, and a container of the kind that the game does not have.
    fs::create_dir(file("docs")).unwrap();
    fs::rename(&a, file("docs/one.json")).unwrap();
    let docs = file("docs");
    let wrong = file("My_P.utoc");
    let run = usampler(&["asset", "from-json", path(&docs), "--base", path(&paks), "-o", path(&wrong)]);
    run.ends_with(2);
    assert!(run.err.contains("this game takes a .pak"), "{}", run.err);
    let one = file("One_P");
    let run = usampler(&["asset", "from-json", path(&docs), "--base", path(&paks), "-o", path(&one)]);
    run.ends_with(0);
    // A package that the game does not have, and one twice.
    let text = fs::read_to_string(&b).unwrap();
    fs::write(file("c.json"), text.replace("/Game/Data/DT_B", "/Game/Data/DT_C")).unwrap();
    let (c, two) = (file("c.json"), file("Two_P"));
    let run = usampler(&["asset", "from-json", path(&c), "--base", path(&paks), "-o", path(&two)]);
    run.ends_with(3);
    assert!(run.err.contains("c.json: no package /Game/Data/DT_C in "), "{}", run.err);
    assert!(run.err.contains("Shooter/Content/Data/DT_A.uasset"), "{}", run.err);
    let twice = ["asset", "from-json", path(&b), path(&b), "--base", path(&paks), "-o", path(&two)];
    let run = usampler(&twice);
    run.ends_with(3);
    assert!(run.err.contains("DT_B.json: is Shooter/Content/Data/DT_B.uasset once more"), "{}", run.err);
    assert!(!file("Two_P.pak").exists());
}

/// A container of 5.0 with a package of some form.
fn container(file: &Path, form: PackageForm) {
    let (id, own) = (0x0102_0304_0506_0708_u64, 0x1234_5678_9ABC_DEF0_u64);
    let chunk_id = |number: u64, kind: u8| {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        bytes[11] = kind;
        bytes
    };
    let listed = ListedPackage { id, ..ListedPackage::default() };
    let package =
        ZenWriter { exports: vec![("A".to_owned(), 1, vec![1, 2, 3])], ..ZenWriter::new(form, "/Game/A") };
    let chunk = |path: &str, id, data| TocChunk { path: path.to_owned(), id, data, is_packed: false };
    let chunks = vec![
        chunk("Game/Content/A.uasset", chunk_id(id, 1), package.finish()),
        chunk("header", chunk_id(own, 6), container_header(HeaderForm::Signed(1), own, &[listed])),
    ];
    let written = TocWriter { chunks, has_seeds: false, ..TocWriter::new(5) }.finish();
    fs::write(file, written.table).unwrap();
    fs::write(file.with_extension("ucas"), &written.partitions[0]).unwrap();
}

#[test]
fn a_package_of_another_release_is_found_in_a_container() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Mod_P.utoc");
    container(&file, PackageForm::Engine5_0);
    let run = usampler(&["asset", "verify", path(&file)]);
    run.ends_with(0);
    for (form, releases) in [(PackageForm::Engine5_6, "5.6 to 6.0"), (PackageForm::Engine5_3, "5.3 to 5.5")] {
        container(&file, form);
        let run = usampler(&["asset", "verify", path(&file)]);
        run.ends_with(1);
        let message = format!(
            "Game/Content/A.uasset: is of Unreal Engine {releases}, its container of another release"
        );
        assert!(run.err.contains(&message), "{}", run.err);
        assert!(run.out.contains("1 damaged"), "{}{}", run.out, run.err);
    }
}

#[test]
fn a_package_of_another_release_is_not_packed() {
    let files = TempDir::new().unwrap();
    let folder = files.path().join("Game/Content");
    fs::create_dir_all(&folder).unwrap();
    let exports = vec![("A".to_owned(), 1, vec![1])];
    let pack = |form: PackageForm, engine: &str| {
        let writer = ZenWriter { exports: exports.clone(), ..ZenWriter::new(form, "/Game/A") };
        fs::write(folder.join("A.uasset"), writer.finish()).unwrap();
        let out = TempDir::new().unwrap();
        let table = out.path().join("X_P.utoc");
        let run = usampler(&["asset", "pack", path(files.path()), "-o", path(&table), "--engine", engine]);
        assert_eq!(fs::read_dir(out.path()).unwrap().count() > 0, run.err.contains(" in "), "{}", run.err);
        run
    };
    for (form, engine, releases) in [
        (PackageForm::Engine5_6, "5.0", "5.6 to 6.0"),
        (PackageForm::Engine5_6, "5.5", "5.6 to 6.0"),
        (PackageForm::Engine5_3, "5.6", "5.3 to 5.5"),
    ] {
        let run = pack(form, engine);
        run.ends_with(3);
        let message = format!("A.uasset is of Unreal Engine {releases}, its container of another release");
        assert!(run.err.contains(&message), "{}", run.err);
    }
    for (form, engine) in
        [(PackageForm::Engine5_6, "5.6"), (PackageForm::Engine5_6, "6.0"), (PackageForm::Engine5_3, "5.4")]
    {
        pack(form, engine).ends_with(0);
    }
}

#[test]
fn a_zen_package_in_a_file_is_a_package() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Game/Content/A.uasset");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let exports = vec![("Thing".to_owned(), 1, vec![1, 2, 3])];
    let writer = ZenWriter { exports, ..ZenWriter::new(PackageForm::Engine5_6, "/Game/A") };
    fs::write(&file, writer.finish()).unwrap();
    for opened in [file.as_path(), folder.path()] {
        let run = usampler(&["asset", "show", path(opened)]);
        run.ends_with(0);
        assert!(run.out.contains("/Game/A (zen, ") && run.out.contains("  Thing  "), "{}", run.out);
    }
    let json = folder.path().join("a.json");
    usampler(&["asset", "json", path(&file), "-o", path(&json)]).ends_with(0);
    let made = folder.path().join("B.uasset");
    usampler(&["asset", "from-json", path(&json), "-o", path(&made)]).ends_with(0);
    assert_eq!(fs::read(&made).unwrap(), fs::read(&file).unwrap());
    usampler(&["info", path(&file)]).ends_with(0);
    // What is only called like one is none.
    fs::write(&file, [7; 400]).unwrap();
    let run = usampler(&["asset", "show", path(&file)]);
    run.ends_with(3);
    assert!(run.err.contains("not an Unreal package"), "{}", run.err);
}

#[test]
fn compressed_containers_name_their_method_as_other_programs_do() {
    let files = TempDir::new().unwrap();
    let folder = files.path().join("Game/Content");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("A.txt"), "what repeats ".repeat(10_000)).unwrap();
    let exports = vec![("A".to_owned(), 1, vec![7; 100_000])];
    let writer = ZenWriter { exports, ..ZenWriter::new(PackageForm::Engine5_6, "/Game/A") };
    for (method, name) in [("zlib", "Zlib"), ("zstd", "Zstd"), ("lz4", "LZ4")] {
        let field = |bytes: &[u8]| {
            let mut field = name.as_bytes().to_vec();
            field.resize(32, 0);
            bytes.windows(32).filter(|window| *window == field).count()
        };
        let _ = fs::remove_file(folder.join("A.uasset"));
        let out = TempDir::new().unwrap();
        let pak = out.path().join(format!("{method}_P.pak"));
        let pack = |file: &Path| {
            let args = ["asset", "pack", path(files.path()), "-o", path(file), "--engine", "5.6"];
            usampler(&[&args[..], &["--compress", method]].concat()).ends_with(0);
            fs::read(file).unwrap()
        };
        let bytes = pack(&pak);
        // The footer of version 11 ends with five names of 32 bytes.
        assert_eq!(field(&bytes[bytes.len() - 160..]), 1, "{method}");
        fs::write(folder.join("A.uasset"), writer.finish()).unwrap();
        assert_eq!(field(&pack(&out.path().join("X_P.utoc"))), 1, "{method}");
        assert_eq!(usampler(&["asset", "cat", path(&pak), "A.txt"]).out.len(), 130_000);
        // Whoever wrote it in another way is read too.
        let mut lower = bytes;
        let at = lower.len() - 160;
        lower[at..at + 32].make_ascii_lowercase();
        fs::write(&pak, lower).unwrap();
        assert_eq!(usampler(&["asset", "cat", path(&pak), "A.txt"]).out.len(), 130_000);
    }
}

#[test]
fn names_of_other_programs_stand_for_the_same_commands() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Game.pak");
    pak(&file, &[("Game/A.ini", "text")]);
    let out = |words: &[&str]| {
        let run = usampler(words);
        run.ends_with(0);
        run.out
    };
    assert_eq!(out(&["asset", "list", path(&file)]), out(&["asset", "ls", path(&file)]));
    assert_eq!(out(&["asset", "get", path(&file), "A.ini"]), "text");
    assert_eq!(out(&["verify", path(&file)]), out(&["asset", "verify", path(&file)]));
    let target = folder.path().join("out");
    out(&["-q", "unpack", path(&file), "-o", path(&target)]);
    assert_eq!(fs::read_to_string(target.join("Game/A.ini")).unwrap(), "text");
    let help = out(&["help", "tojson"]);
    assert!(help.contains("usampler asset json"), "{help}");
    // They are no commands: the list of those stays short.
    let help = out(&["--help"]);
    assert!(!help.contains("tojson") && !help.contains("to-zen"), "{help}");
}
