//! Paks with the cipher of Marvel Rivals: `--game rivals`, and what is found without it.

use crate::containers::key;
use crate::program::usampler;
use std::fs;
use std::path::Path;

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
