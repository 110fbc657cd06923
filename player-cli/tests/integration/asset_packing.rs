//! `usampler asset pack`, `to-zen`, `to-legacy`: containers and packages that are written.

use crate::containers;
use crate::program;
use std::fs;
use std::path::Path;

use containers::{game, key};
use fixtures::asset::AssetWriter;
use fixtures::sound_wave::{Stored, object, recording};
use fixtures::zen::{PackageForm, ZenWriter};
use program::usampler;
use tempfile::TempDir;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Files that are to be packed.
fn mod_files() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("Game/Content")).unwrap();
    fs::write(folder.path().join("Game/Content/Text.txt"), "what repeats ".repeat(10_000)).unwrap();
    fs::write(folder.path().join("Game/B.ini"), "mine").unwrap();
    folder
}

#[test]
fn a_packed_folder_is_listed_verified_and_unpacked_and_replaces_what_it_patches() {
    let (files, game) = (mod_files(), game());
    let pak = game.path().join("Mod_9_P.pak");
    let plain = ["asset", "pack", path(files.path()), "-o", path(&pak), "--compress", "zlib"];
    let run = usampler(&plain);
    run.ends_with(0);
    assert!(run.err.contains("2 files, ") && run.out.is_empty(), "{}", run.err);
    let lines = usampler(&["asset", "ls", path(&pak)]).out;
    assert!(lines.contains("130000") && lines.contains("Zlib"), "{lines}");
    assert_eq!(usampler(&["asset", "cat", path(game.path()), "game/b.INI"]).out, "mine");
    // Nothing is replaced unless it is asked for.
    let before = fs::read(&pak).unwrap();
    usampler(&["asset", "pack", path(files.path()), "-o", path(&pak)]).ends_with(5);
    assert_eq!(fs::read(&pak).unwrap(), before);
    let encrypted = ["--force", "--encrypt", "--aes", &key(), "--cipher", "ctr", "--pak-version", "15"];
    usampler(&[&plain[..], &encrypted].concat()).ends_with(0);
    let run = usampler(&["asset", "verify", path(&pak), "--aes", &key()]);
    run.ends_with(0);
    assert!(run.out.contains("2 entries of 1 container") && run.out.contains("all as stated"), "{}", run.out);
    let out = game.path().join("out");
    usampler(&["asset", "unpack", path(&pak), "-o", path(&out), "--aes", &key()]).ends_with(0);
    for name in ["Game/Content/Text.txt", "Game/B.ini"] {
        assert_eq!(fs::read(out.join(name)).unwrap(), fs::read(files.path().join(name)).unwrap());
    }
}

#[test]
fn what_cannot_be_packed_is_said_and_nothing_is_written() {
    let files = mod_files();
    let out = TempDir::new().unwrap();
    let pak = out.path().join("Mod_P.pak");
    let cases: [(&[&str], i32, &str); 6] = [
        (&["--compress", "zstd", "--pak-version", "4"], 2, "version 4 cannot hold zstd"),
        (&["--encrypt", "--aes", &key(), "--pak-version", "3"], 2, "version 3 cannot hold encryption"),
        (
            &["--encrypt", "--aes", &key(), "--cipher", "ctr"],
            2,
            "version 11 cannot hold encryption by a stream",
        ),
        (&["--encrypt"], 2, "--encrypt needs a key"),
        (&["--cipher", "ctr"], 2, "--encrypt"),
        (&["--pak-version", "16"], 2, "no version of a pak"),
    ];
    for (options, code, reason) in cases {
        let args = [&["asset", "pack", path(files.path()), "-o", path(&pak)], options].concat();
        let run = usampler(&args);
        run.ends_with(code);
        assert!(run.err.contains(reason), "{options:?}: {}", run.err);
    }
    let run = usampler(&["asset", "pack", path(files.path()), "-o", path(&out.path().join("Mod.zip"))]);
    run.ends_with(2);
    let empty = TempDir::new().unwrap();
    usampler(&["asset", "pack", path(empty.path()), "-o", path(&pak)]).ends_with(3);
    usampler(&["asset", "pack", path(&empty.path().join("missing")), "-o", path(&pak)]).ends_with(3);
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0, "nothing is left of it");
}

#[test]
fn packages_become_a_container_with_its_data_and_a_pak_and_play_from_there() {
    let files = TempDir::new().unwrap();
    let folder = files.path().join("Game/Content/Audio");
    fs::create_dir_all(&folder).unwrap();
    let audio = recording();
    let wave = object(Stored::Streamed, &audio, 2, true, 0);
    let writer = ZenWriter {
        names: vec!["ADPCM".to_owned()],
        exports: vec![("SW_Steps".to_owned(), 0x44F2_6264_628E_498D, wave.bytes)],
        bulk: Some(wave.data),
        ..ZenWriter::new(PackageForm::Engine5_6, "/Game/Audio/SW_Steps")
    };
    fs::write(folder.join("SW_Steps.uasset"), writer.finish()).unwrap();
    fs::write(folder.join("SW_Steps.ubulk"), wave.beside).unwrap();
    fs::write(files.path().join("Game/Mine.ini"), "mine").unwrap();
    let out = TempDir::new().unwrap();
    let table = out.path().join("Mod_P.utoc");
    let pack = ["asset", "pack", path(files.path()), "-o", path(&table)];
    let unsaid = usampler(&pack);
    unsaid.ends_with(2);
    assert!(unsaid.err.contains("--base GAME"), "{}", unsaid.err);
    usampler(&[&pack[..], &["--engine", "5.6", "--compress", "zlib"]].concat()).ends_with(0);
    let run = usampler(&["asset", "verify", path(out.path())]);
    run.ends_with(0);
    assert!(run.out.contains("4 entries of 2 containers"), "{}", run.out);
    let list = usampler(&["list", path(out.path()), "--tsv"]);
    list.ends_with(0);
    assert!(list.out.contains("/Game/Audio/SW_Steps") && list.out.contains("\tok\t"), "{}", list.out);
    assert_eq!(usampler(&["asset", "cat", path(out.path()), "Game/Mine.ini"]).out, "mine");
    // It is taken for a game itself, and packed for it again it is the same.
    let again = TempDir::new().unwrap();
    let other = again.path().join("Mod_P.utoc");
    let args = ["asset", "pack", path(files.path()), "-o", path(&other), "--base", path(&table)];
    usampler(&[&args[..], &["--compress", "zlib"]].concat()).ends_with(0);
    for ending in ["utoc", "ucas", "pak"] {
        let file = |table: &Path| fs::read(table.with_extension(ending)).unwrap();
        assert_eq!(file(&table), file(&other), "{ending}");
    }
    // Data without a package, packages of another kind, and nothing at all are refused; nothing is left.
    let refuses = |reason: &str| {
        let empty = TempDir::new().unwrap();
        let file = empty.path().join("X.utoc");
        let args = ["asset", "pack", path(files.path()), "-o", path(&file), "--engine", "5.6"];
        let run = usampler(&args);
        run.ends_with(3);
        assert!(run.err.contains(reason), "{}", run.err);
        assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
    };
    fs::rename(folder.join("SW_Steps.ubulk"), folder.join("Lost.ubulk")).unwrap();
    refuses("Lost.ubulk has no package beside it");
    fs::remove_file(folder.join("Lost.ubulk")).unwrap();
    fs::write(folder.join("Old.uasset"), [0xC1, 0x83, 0x2A, 0x9E, 0, 0, 0, 0]).unwrap();
    refuses("Old.uasset: ");
    fs::write(folder.join("Old.uasset"), AssetWriter::new(-8, 522, 1013).finish().0).unwrap();
    refuses("Old.uasset is of Unreal Engine 5.5, its container of another release");
    fs::rename(folder.join("Old.uasset"), folder.join("Old.uexp")).unwrap();
    refuses("Old.uexp has no package beside it");
    fs::remove_dir_all(&folder).unwrap();
    refuses("no packages in");
}

#[test]
fn packages_of_a_container_become_files_and_a_container_again() {
    let (chunks, files, out) = (TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap());
    let folder = chunks.path().join("Game/Content/Audio");
    fs::create_dir_all(&folder).unwrap();
    let wave = object(Stored::Streamed, &recording(), 2, true, 0);
    let writer = ZenWriter {
        names: vec!["ADPCM".to_owned()],
        exports: vec![("SW_Steps".to_owned(), 0x44F2_6264_628E_498D, wave.bytes)],
        bulk: Some(wave.data),
        ..ZenWriter::new(PackageForm::Engine5_6, "/Game/Audio/SW_Steps")
    };
    fs::write(folder.join("SW_Steps.uasset"), writer.finish()).unwrap();
    fs::write(folder.join("SW_Steps.ubulk"), wave.beside).unwrap();
    let table = out.path().join("Game.utoc");
    usampler(&["asset", "pack", path(chunks.path()), "-o", path(&table), "--engine", "5.6"]).ends_with(0);
    let listed = |file: &Path| {
        let list = usampler(&["list", path(file), "--tsv"]);
        list.ends_with(0);
        let cells = list
            .out
            .lines()
            .skip(1)
            .map(|line| line.split('\t').skip(2).take(10).map(str::to_owned).collect());
        cells.collect::<Vec<Vec<String>>>()
    };
    let expected = listed(&table);
    assert_eq!(expected.len(), 1);

    let unpack = ["asset", "unpack", path(&table), "--legacy", "-o", path(files.path())];
    let run = usampler(&unpack);
    run.ends_with(0);
    assert!(run.err.contains("1 converted, 0 overridden, 0 failed, 1 skipped"), "{}", run.err);
    let audio = files.path().join("Game/Content/Audio");
    let mut names: Vec<_> = fs::read_dir(&audio).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["SW_Steps.uasset", "SW_Steps.ubulk", "SW_Steps.uexp"]);
    assert!(fs::read(audio.join("SW_Steps.uasset")).unwrap().starts_with(&[0xC1, 0x83, 0x2A, 0x9E]));
    assert_eq!(listed(files.path()), expected);
    let again = usampler(&unpack);
    again.ends_with(5);
    assert!(again.err.contains("nothing was written"), "{}", again.err);

    let packed = out.path().join("Again.utoc");
    usampler(&["asset", "pack", path(files.path()), "-o", path(&packed), "--base", path(&table)])
        .ends_with(0);
    assert_eq!(listed(&packed), expected);
    usampler(&["asset", "verify", path(&packed)]).ends_with(0);

    // What cannot be converted is named, and the rest is there.
    fs::write(folder.join("SW_Steps.uasset"), writer.finish()).unwrap();
    let damaged = ZenWriter { name: "/Game/Audio/SW_Bad".to_owned(), ..writer };
    let mut bytes = damaged.finish();
    let exports = u32::from_le_bytes(bytes[32..36].try_into().unwrap()) as usize;
    // Its class is one of its own objects, which is not there.
    bytes[exports + 32..exports + 40].copy_from_slice(&77_u64.to_le_bytes());
    fs::write(folder.join("SW_Bad.uasset"), bytes).unwrap();
    let table = out.path().join("Bad.utoc");
    usampler(&["asset", "pack", path(chunks.path()), "-o", path(&table), "--engine", "5.6"]).ends_with(0);
    let target = out.path().join("bad");
    let run = usampler(&["asset", "unpack", path(&table), "--legacy", "-o", path(&target)]);
    run.ends_with(1);
    assert!(run.err.contains("Game/Content/Audio/SW_Bad.uasset: not written: "), "{}", run.err);
    assert!(run.err.contains("1 converted, 0 overridden, 1 failed, 1 skipped"), "{}", run.err);
}

#[test]
fn only_what_a_mod_holds_is_unpacked_and_a_need_that_is_not_met_is_named() {
    let (files, game) = (mod_files(), game());
    let (mods, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let pak = mods.path().join("Mod.pak");
    usampler(&["asset", "pack", path(files.path()), "-o", path(&pak)]).ends_with(0);
    let unpack = |target: &Path, more: &[&str]| {
        let args = ["asset", "unpack", path(game.path()), "--aes", &key(), "-o", path(target)];
        usampler(&[&args[..], more].concat())
    };
    // Whatever it is called, a mod lies over its game.
    let target = out.path().join("mod");
    unpack(&target, &["--mod", path(mods.path())]).ends_with(0);
    assert_eq!(fs::read(target.join("Game/B.ini")).unwrap(), b"mine");
    assert!(target.join("Game/Content/Text.txt").is_file() && !target.join("Game/A.ini").exists());
    let target = out.path().join("some");
    unpack(&target, &["--mod", path(&pak), "--filter", "*.ini"]).ends_with(0);
    assert!(target.join("Game/B.ini").is_file() && !target.join("Game/Content").exists());
    unpack(&out.path().join("none"), &["--mod", path(&out.path().join("missing"))]).ends_with(3);

    // A package that needs two others, one of which is there.
    let files = TempDir::new().unwrap();
    let content = files.path().join("Game/Content");
    fs::create_dir_all(&content).unwrap();
    let needs = |name: &str, imported: &[&str]| {
        let writer = ZenWriter {
            exports: vec![("A".to_owned(), 1, vec![1])],
            imported: imported.iter().map(|name| (*name).to_owned()).collect(),
            ..ZenWriter::new(PackageForm::Engine5_6, &format!("/Game/{name}"))
        };
        fs::write(content.join(format!("{name}.uasset")), writer.finish()).unwrap();
    };
    needs("First", &["/Game/Second", "/Game/Gone"]);
    needs("Second", &["/Game/First"]);
    needs("Other", &[]);
    let table = out.path().join("Needs.utoc");
    let pack = ["asset", "pack", path(files.path()), "-o", path(&table), "--engine", "5.6"];
    usampler(&pack).ends_with(0);
    let target = out.path().join("needed");
    let args = ["asset", "unpack", path(&table), "-o", path(&target), "--filter", "First", "--with-deps"];
    let run = usampler(&args);
    run.ends_with(1);
    assert!(run.err.contains("/Game/Gone is needed and not there"), "{}", run.err);
    let mut names: Vec<_> =
        fs::read_dir(target.join("Game/Content")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["First.uasset", "Second.uasset"]);
}

/// Files of a package with data, more than a disk has room for, or than is written at once.
fn large_files(bytes: usize) -> TempDir {
    let files = TempDir::new().unwrap();
    let folder = files.path().join("Game/Content");
    fs::create_dir_all(&folder).unwrap();
    let exports = vec![("A".to_owned(), 1, vec![1])];
    let writer = ZenWriter { exports, ..ZenWriter::new(PackageForm::Engine5_6, "/Game/A") };
    fs::write(folder.join("A.uasset"), writer.finish()).unwrap();
    fs::File::create(folder.join("A.ubulk")).unwrap().set_len(bytes as u64).unwrap();
    files
}

#[cfg(unix)]
#[test]
fn a_container_that_the_disk_has_no_room_for_leaves_nothing_behind() {
    let files = large_files(4 << 20);
    for name in ["Mod_P.pak", "Mod_P.utoc"] {
        let out = TempDir::new().unwrap();
        let table = out.path().join(name);
        let pack = ["asset", "pack", path(files.path()), "-o", path(&table), "--engine", "5.6"];
        let program = program::command(&[]).get_program().to_owned();
        // Writes of more than a megabyte fail, and do not end the program.
        let run = std::process::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 2048; exec \"$@\"", "sh"])
            .arg(program)
            .args(pack)
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(5), "{name}: {}", String::from_utf8_lossy(&run.stderr));
        let message = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(message.contains("Mod_P"), "{message}");
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_container_whose_writing_is_ended_has_no_file_with_its_name() {
    let files = large_files(8 << 30);
    for (signal, name) in
        [("INT", "Mod_P.pak"), ("KILL", "Mod_P.pak"), ("INT", "Mod_P.utoc"), ("KILL", "Mod_P.utoc")]
    {
        let out = TempDir::new().unwrap();
        let table = out.path().join(name);
        let pack = [
            "asset",
            "pack",
            path(files.path()),
            "-o",
            path(&table),
            "--engine",
            "5.6",
            "--compress",
            "zlib",
        ];
        let mut child = program::command(&pack).stderr(std::process::Stdio::null()).spawn().unwrap();
        let begun = std::time::Instant::now();
        while fs::read_dir(out.path()).unwrap().count() == 0 {
            assert!(begun.elapsed().as_secs() < 20, "it does not begin");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert!(!status.success(), "{signal} {name}");
        let left: Vec<_> =
            fs::read_dir(out.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let is_final = |name: &std::ffi::OsString| {
            ["Mod_P.pak", "Mod_P.utoc", "Mod_P.ucas"].iter().any(|known| name == known)
        };
        assert!(!left.iter().any(is_final), "{signal} {name}: {left:?}");
        if signal == "INT" {
            assert!(left.is_empty(), "{signal} {name}: {left:?}");
        }
    }
}
