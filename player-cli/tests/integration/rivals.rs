//! Paks with the cipher of Marvel Rivals: `--game rivals`, and what is found without it.

use crate::containers::key;
use crate::program::usampler;
use std::fs;
use std::path::Path;

use fixtures::class_layout::{LayoutAge, LayoutPackage};
use fixtures::rivals;
use serde_json::Value;
use tempfile::TempDir;

/// Returns a folder of files, and another one that a pak of them is written to.
fn folders() -> (TempDir, TempDir) {
    let (files, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::create_dir_all(files.path().join("Game/Content")).unwrap();
    fs::write(files.path().join("Game/Content/Text.txt"), "what repeats ".repeat(10_000)).unwrap();
    fs::write(files.path().join("Game/Content/Short.bin"), [7; 33]).unwrap();
    (files, out)
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_pak_for_the_game_is_encrypted_with_its_key_and_found_as_such() {
    let (files, out) = folders();
    let (pak, key) = (out.path().join("Mod_P.pak"), key());
    let pack = ["asset", "pack", path(files.path()), "-o", path(&pak), "--game", "rivals", "--aes", &key];
    for options in [&[][..], &["--pak-version", "8"], &["--compress", "zlib"], &["--compress", "zstd"]] {
        usampler(&[&pack[..], &["--force"], options].concat()).ends_with(0);
        let bytes: Vec<u8> = fs::read(&pak).unwrap();
        let digits = key.as_bytes().chunks(2).map(|two| std::str::from_utf8(two).unwrap());
        let digits: Vec<u8> = digits.map(|two| u8::from_str_radix(two, 16).unwrap()).collect();
        let inflate = |name: &str, stored: &[u8], size| {
            unreal::Method::of_container(name).unwrap().decompress(stored, size).unwrap()
        };
        let (_, entries) = rivals::read(&bytes, &digits.try_into().unwrap(), &inflate);
        for entry in &entries {
            assert_eq!(entry.data, fs::read(files.path().join(&entry.path)).unwrap(), "{options:?}");
        }
        assert_eq!(entries.len(), 2);
    }
    for forced in [&[][..], &["--game", "rivals"]] {
        let args = |command: &[&'static str]| -> Vec<String> {
            let more = [path(&pak), "--aes", &key];
            command.iter().chain(&more).chain(forced).map(|text| (*text).to_owned()).collect()
        };
        let run =
            |command: &[&'static str]| usampler(&args(command).iter().map(|arg| &**arg).collect::<Vec<_>>());
        let rows = run(&["asset", "ls", "--json"]).out;
        for row in rows.lines() {
            let row: Value = serde_json::from_str(row).unwrap();
            assert_eq!((&row["encrypted"], &row["cipher"]), (&Value::from(true), &Value::from("rivals")));
        }
        assert_eq!(rows.lines().count(), 2);
        assert!(run(&["asset", "ls"]).out.contains("encrypted (rivals)"));
        let info: Value = serde_json::from_str(&run(&["info", "--json"]).out).unwrap();
        assert_eq!(info["cipher"], "rivals");
        assert!(run(&["info"]).out.contains("cipher       Marvel Rivals"));
        let run = run(&["asset", "verify"]);
        run.ends_with(0);
        assert!(
            run.err.contains("cipher of Marvel Rivals; SHA-1 of the plain text in 2 entries"),
            "{}",
            run.err
        );
    }
    let target = out.path().join("out");
    usampler(&["asset", "unpack", path(&pak), "-o", path(&target), "--aes", &key]).ends_with(0);
    for name in ["Game/Content/Text.txt", "Game/Content/Short.bin"] {
        assert_eq!(fs::read(target.join(name)).unwrap(), fs::read(files.path().join(name)).unwrap());
    }
    let wrong = "77".repeat(32);
    for options in [&["--aes", &*wrong][..], &["--aes", &*wrong, "--game", "rivals"], &["--game", "rivals"]] {
        for command in [&["asset", "ls"][..], &["asset", "verify"], &["info"], &["list"]] {
            let run = usampler(&[command, &[path(&pak)], options].concat());
            run.ends_with(3);
            assert!(run.err.contains("key id 00000000-0000-0000-0000-000000000000"), "{}", run.err);
        }
    }
}

#[test]
fn forms_that_the_game_does_not_have_are_usage_errors() {
    let (files, out) = folders();
    let pak = out.path().join("Mod_P.pak");
    for (options, reason) in [
        (&["--pak-version", "9"][..], "a pak of version 9 is not written for Marvel Rivals"),
        (&["--compress", "lz4"], "LZ4 is not written for Marvel Rivals"),
        (&["--encrypt", "--cipher", "ctr", "--pak-version", "15"], "is not written for Marvel Rivals"),
        (&["--game", "ut2004"], "ut2004"),
    ] {
        let game = if options[0] == "--game" { &[][..] } else { &["--game", "rivals"] };
        let pack = ["asset", "pack", path(files.path()), "-o", path(&pak), "--aes", &key()];
        let run = usampler(&[&pack[..], game, options].concat());
        run.ends_with(2);
        assert!(run.err.contains(reason), "{options:?}: {}", run.err);
        assert!(!pak.exists());
    }
    // Without a key it is plain.
    usampler(&["asset", "pack", path(files.path()), "-o", path(&pak), "--game", "rivals"]).ends_with(0);
    assert!(usampler(&["asset", "ls", path(&pak), "--json"]).out.contains("\"encrypted\":false"));
}

/// Writes the files of a package below `Game/Content`, and a file that is none.
fn write_package(folder: &Path, (header, objects): &(Vec<u8>, Vec<u8>)) {
    let content = folder.join("Game/Content");
    fs::create_dir_all(&content).unwrap();
    fs::write(content.join("SK_1014.uasset"), header).unwrap();
    fs::write(content.join("SK_1014.uexp"), objects).unwrap();
    fs::write(content.join("SK_1014.ubulk"), [9; 200]).unwrap();
}

fn package(is_game: bool) -> (Vec<u8>, Vec<u8>) {
    LayoutPackage { has_end: false, ..LayoutPackage::new(LayoutAge::Five3, is_game) }.finish()
}

const CHANGES: &str = "SK_1014: 2 slots, 8 screen sizes, 3 entries, 84 bytes";

#[test]
fn stock_packages_get_the_layout_of_the_game_in_either_container_and_lose_it_again() {
    let (files, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write_package(files.path(), &package(false));
    for name in ["Mod_P.pak", "Mod_P.utoc"] {
        let (container, target) = (out.path().join(name), out.path().join("out"));
        let pack =
            ["asset", "pack", path(files.path()), "-o", path(&container), "--game", "rivals", "--force"];
        let unpack = ["asset", "unpack", path(&container), "-o", path(&target), "--force", "--legacy"];
        let objects = || fs::read(target.join("Game/Content/SK_1014.uexp")).unwrap();
        let run = usampler(&pack);
        run.ends_with(0);
        assert!(run.err.contains(&format!("{CHANGES}\n")), "{}", run.err);
        usampler(&[&unpack[..], &["--game", "rivals"]].concat()).ends_with(0);
        assert!(objects() == package(true).1, "{name}");
        let run = usampler(&[&unpack[..], &["--game", "rivals", "--stock"]].concat());
        run.ends_with(0);
        assert!(run.err.contains(&format!("{CHANGES} removed\n")), "{}", run.err);
        assert!(objects() == package(false).1, "{name}");
        // What was unpacked as it is stays so.
        usampler(&[&unpack[..], &["--game", "rivals"]].concat()).ends_with(0);
        let again = out.path().join(format!("Again{name}"));
        let run =
            usampler(&["asset", "pack", path(&target), "-o", path(&again), "--game", "rivals", "--force"]);
        run.ends_with(0);
        assert!(!run.err.contains("bytes\n"), "{}", run.err);
        // Nothing is changed that is not to be.
        usampler(&[&pack[..], &["--no-fix"]].concat()).ends_with(0);
        usampler(&[&unpack[..], &["--game", "rivals"]].concat()).ends_with(0);
        assert!(objects() == package(false).1, "{name}");
        fs::remove_dir_all(target).unwrap();
    }
    let stock = ["asset", "unpack", path(files.path()), "-o", path(out.path()), "--stock"];
    usampler(&stock).ends_with(2);
}

#[test]
fn the_pak_beside_a_table_of_the_game_lists_its_files() {
    let (files, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write_package(files.path(), &package(false));
    let table = out.path().join("Mod_P.utoc");
    for (options, folder) in
        [(&[][..], ""), (&["--mount", "../../../Marvel/"], "Marvel/"), (&["--compress", "zlib"], "")]
    {
        let key = key();
        let pack = ["asset", "pack", path(files.path()), "-o", path(&table), "--force"];
        usampler(&[&pack[..], &["--game", "rivals", "--aes", &key], options].concat()).ends_with(0);
        let digits = key.as_bytes().chunks(2).map(|two| std::str::from_utf8(two).unwrap());
        let digits: Vec<u8> = digits.map(|two| u8::from_str_radix(two, 16).unwrap()).collect();
        let pak = fs::read(table.with_extension("pak")).unwrap();
        let (_, entries) =
            rivals::read(&pak, &digits.try_into().unwrap(), &|_, _, _| panic!("it is not compressed"));
        let [list] = &entries[..] else { panic!("{} entries", entries.len()) };
        let lines = [".uasset", ".ubulk"].map(|ending| format!("{folder}Game/Content/SK_1014{ending}"));
        assert_eq!(list.path, "chunknames");
        assert_eq!(String::from_utf8(list.data.clone()).unwrap(), lines.join("\n"));
        // The version of the table, and of the pak, from its footer.
        assert_eq!(fs::read(&table).unwrap()[16], 5);
        assert_eq!(pak[pak.len() - 221 + 21..][..4], [11, 0, 0, 0]);
    }
}

#[test]
fn a_mesh_of_no_known_layout_is_packed_unchanged_and_named() {
    let (files, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (header, mut objects) = package(false);
    // The text loses its last zero.
    let at = objects.windows(6).position(|bytes| bytes == b"Hello\0").unwrap();
    objects[at + 5] = b'!';
    write_package(files.path(), &(header, objects.clone()));
    let pak = out.path().join("Mod_P.pak");
    let run = usampler(&["asset", "pack", path(files.path()), "-o", path(&pak), "--game", "rivals"]);
    run.ends_with(1);
    assert!(run.err.contains("SK_1014.uasset: packed unchanged: the entries of ST_Texts"), "{}", run.err);
    let target = out.path().join("out");
    let unpack =
        ["asset", "unpack", path(&pak), "-o", path(&target), "--legacy", "--game", "rivals", "--stock"];
    let run = usampler(&unpack);
    run.ends_with(1);
    assert!(run.err.contains("SK_1014.uasset: written unchanged"), "{}", run.err);
    assert!(fs::read(target.join("Game/Content/SK_1014.uexp")).unwrap() == objects);
}
