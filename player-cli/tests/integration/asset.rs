//! `usampler asset`: the files in containers of later engines.

use crate::containers;
use crate::program;
use std::fs;
use std::path::Path;

use containers::{KEY, entries, game, key};
use fixtures::asset::AssetWriter;
use fixtures::pak::PakWriter;
use fixtures::sound_wave::{Stored, object, recording};
use fixtures::toc::{TocChunk, TocWriter};
use player_cli::args::ReadingArgs;
use player_cli::input::InputFile;
use program::usampler;
use tempfile::TempDir;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_folder_is_listed_as_the_engine_mounts_it_and_what_has_no_key_is_left_out() {
    let folder = game();
    let run = usampler(&["asset", "ls", path(folder.path())]);
    run.ends_with(1);
    let lines: Vec<Vec<&str>> = run.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        lines,
        [
            vec!["size", "stored", "method", "path"],
            vec!["5", "5", "-", "Game/A.ini"],
            vec!["6", "6", "-", "overridden", "Game/B.ini"],
            vec!["5", "5", "-", "Game/b.ini"],
        ]
    );
    assert!(
        run.err.contains("Hidden.pak: encrypted; give its key with --aes (key id 00000000-"),
        "{}",
        run.err
    );
    let run = usampler(&["asset", "ls", path(&folder.path().join("Hidden.pak"))]);
    run.ends_with(3);
    let run = usampler(&["asset", "ls", path(folder.path()), "--json", "--aes", &key(), "--filter", "c.ini"]);
    run.ends_with(0);
    let row: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let shown =
        ["schema", "path", "size", "encrypted", "overridden", "compression"].map(|name| row[name].clone());
    assert_eq!(
        serde_json::Value::from(shown.to_vec()),
        serde_json::json!(["usampler.entry/1", "Game/C.ini", 6, true, false, null])
    );
}

#[test]
fn the_entry_that_wins_is_written_in_whatever_case_it_is_asked_for() {
    let folder = game();
    for (entry, expected) in [("Game/A.ini", "first"), ("/game/b.INI", "third"), ("Game/C.ini", "fourth")] {
        let run = usampler(&["asset", "cat", path(folder.path()), entry, "--aes", &key()]);
        run.ends_with(0);
        assert_eq!(run.out, expected);
    }
    let run = usampler(&["asset", "cat", path(folder.path()), "Game/D.ini", "--aes", &key()]);
    run.ends_with(3);
    assert!(run.err.contains("no entry Game/D.ini"), "{}", run.err);
}

#[test]
fn one_changed_byte_is_found_and_named() {
    let folder = game();
    let all = ["asset", "verify", path(folder.path()), "--aes", &key()];
    let run = usampler(&all);
    run.ends_with(0);
    assert_eq!(run.out, "4 entries of 3 containers, 22 bytes: all as stated\n");
    let file = folder.path().join("Base.pak");
    let mut bytes = fs::read(&file).unwrap();
    let place = bytes.windows(6).position(|part| part == b"second").unwrap();
    bytes[place] ^= 1;
    fs::write(&file, bytes).unwrap();
    let run = usampler(&all);
    run.ends_with(1);
    assert!(run.out.ends_with(": 1 damaged\n"), "{}", run.out);
    assert!(run.err.contains("Base.pak: Game/B.ini: entry of a pak at"), "{}", run.err);
}

#[test]
fn entries_become_files_below_the_folder_and_nowhere_else() {
    let folder = TempDir::new().unwrap();
    let paths =
        ["Game/A.ini", "../../../../../evil.txt", "Game/../../../up.txt", "Game/CON.txt", "game/a.INI"];
    let texts: Vec<(&str, &str)> = paths.iter().map(|path| (*path, *path)).collect();
    let pak = PakWriter { entries: entries(&texts), ..PakWriter::new(7) };
    let file = folder.path().join("Game.pak");
    fs::write(&file, pak.finish()).unwrap();
    let out = folder.path().join("deep/out");
    let command = ["asset", "unpack", path(&file), "-o", path(&out), "-v"];
    let run = usampler(&command);
    run.ends_with(0);
    let mut written = Vec::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { written.push(path) }
        }
    }
    let mut written: Vec<String> = written
        .iter()
        .map(|path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap().replace('\\', "/"))
        .collect();
    written.sort();
    // Of two that differ only in case the later wins.
    let expected =
        ["Game.pak", "deep/out/Game/_CON.txt", "deep/out/evil.txt", "deep/out/game/a.INI", "deep/out/up.txt"];
    assert_eq!(written, expected);
    assert!(run.err.contains("Game/CON.txt is written as"), "{}", run.err);
    assert_eq!(fs::read_to_string(out.join("evil.txt")).unwrap(), "../../../../../evil.txt");
    let run = usampler(&command);
    run.ends_with(5);
    assert!(run.err.contains("already exists; use --force"), "{}", run.err);
    usampler(&[&command[..], &["--force"]].concat()).ends_with(0);
    let run = usampler(&[&command[..], &["--force", "--filter", "evil"]].concat());
    run.ends_with(0);
    assert!(run.err.contains("1 file written"), "{}", run.err);
}

/// A pak of two equal entries, whose index says that the second lies so many bytes after the first.
fn shared(after: u64) -> Vec<u8> {
    let entries = entries(&[("A.ini", "the same"), ("B.ini", "the same")]);
    let mut bytes = PakWriter { entries, ..PakWriter::new(7) }.finish();
    let after_name =
        |name: &[u8]| bytes.windows(name.len()).position(|part| part == name).unwrap() + name.len();
    let (a, b) = (after_name(b"A.ini\0"), after_name(b"B.ini\0"));
    let first = u64::from_le_bytes(bytes[a..a + 8].try_into().unwrap());
    bytes[b..b + 8].copy_from_slice(&(first + after).to_le_bytes());
    bytes
}

#[test]
fn entries_that_share_all_are_one_and_those_that_share_some_are_damaged() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Game.pak");
    for (after, damaged) in [(0, "1 damaged"), (10, "2 damaged")] {
        fs::write(&file, shared(after)).unwrap();
        let run = usampler(&["asset", "verify", path(&file)]);
        run.ends_with(1);
        // The index is another than its hash says, in both.
        assert_eq!(run.out, format!("2 entries of 1 container, {} bytes: {damaged}\n", 16 - after / 10 * 8));
        let shares = run.err.contains("Game.pak: B.ini: shares some of its bytes with A.ini");
        assert_eq!(shares, after > 0, "{}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_folder_is_not_followed() {
    let folder = game();
    let (out, elsewhere) = (folder.path().join("out"), folder.path().join("elsewhere"));
    fs::create_dir(&out).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, out.join("Game")).unwrap();
    let run = usampler(&["asset", "unpack", path(&folder.path().join("Base.pak")), "-o", path(&out)]);
    run.ends_with(1);
    assert!(run.err.contains("is a link to another folder"), "{}", run.err);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn a_game_without_script_objects_is_said_to_have_none() {
    let folder = game();
    let run = usampler(&["asset", "scripts", path(folder.path()), "--aes", &key()]);
    run.ends_with(3);
    assert!(run.err.contains("no script objects in"), "{}", run.err);
}

#[test]
fn what_is_no_key_or_no_container_is_said() {
    let folder = game();
    usampler(&["asset", "ls", path(folder.path()), "--aes", "secret"]).ends_with(2);
    let run = usampler(&["asset", "ls", "Cargo.toml"]);
    run.ends_with(3);
    assert!(run.err.contains("Cargo.toml"), "{}", run.err);
    let empty = TempDir::new().unwrap();
    let run = usampler(&["asset", "ls", path(empty.path())]);
    run.ends_with(3);
    assert!(run.err.contains("no .pak, .utoc or .uasset of Unreal Engine 4 or later in"), "{}", run.err);
}

#[test]
fn entries_without_a_key_are_counted_apart_from_damaged_ones() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Game.pak");
    let mut entries = entries(&[("Game/A.ini", "first"), ("Game/B.ini", "second")]);
    entries[0].is_hidden = true;
    let mut bytes = PakWriter { entries, key: Some(KEY), ..PakWriter::new(11) }.finish();
    fs::write(&file, &bytes).unwrap();
    let run = usampler(&["asset", "verify", path(&file)]);
    run.ends_with(1);
    assert_eq!(run.out, "2 entries of 1 container, 6 bytes: 1 encrypted, the others as stated\n");
    assert!(run.err.contains("Game.pak: 1 entry is encrypted, and no key opens it"), "{}", run.err);
    usampler(&["asset", "verify", path(&file), "--aes", &key()]).ends_with(0);
    // Its hash is of what is stored, so damage is seen without a key.
    bytes[55] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let run = usampler(&["asset", "verify", path(&file)]);
    run.ends_with(1);
    assert_eq!(run.out, "2 entries of 1 container, 6 bytes: 1 damaged\n");
    assert!(run.err.contains("does not match its hash (edited after packing?)"), "{}", run.err);
}

#[test]
fn a_missing_file_of_data_is_named_and_the_others_are_read() {
    let folder = TempDir::new().unwrap();
    let chunk = |number: u8| TocChunk {
        path: format!("Game/{number}.uasset"),
        id: [number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        data: vec![number; 100],
        is_packed: false,
    };
    let writer = TocWriter { chunks: (0..4).map(chunk).collect(), ..TocWriter::new(8) };
    let writer = TocWriter { partition_size: Some(256), has_seeds: false, ..writer };
    let written = writer.finish();
    assert_eq!(written.partitions.len(), 2);
    let file = folder.path().join("Game.utoc");
    fs::write(&file, written.table).unwrap();
    fs::write(file.with_extension("ucas"), &written.partitions[0]).unwrap();
    let run = usampler(&["asset", "ls", path(&file)]);
    run.ends_with(1);
    assert_eq!(run.out.lines().count(), 5);
    assert!(run.err.contains("Game_s1.ucas is missing; its contents cannot be read"), "{}", run.err);
    let run = usampler(&["asset", "verify", path(&file)]);
    run.ends_with(1);
    assert!(run.err.contains("its data lies in partition 1, which is not there"), "{}", run.err);
    let run = usampler(&["asset", "unpack", path(&file), "-o", path(&folder.path().join("out"))]);
    run.ends_with(1);
    assert!(run.err.contains("2 files written"), "{}", run.err);
}

#[test]
fn a_game_is_as_large_as_its_data_and_known_by_its_table() {
    let folder = TempDir::new().unwrap();
    let chunk = TocChunk { path: "Game/A.bin".into(), id: [1; 12], data: vec![7; 5000], is_packed: false };
    let written = TocWriter { chunks: vec![chunk], has_seeds: false, ..TocWriter::new(8) }.finish();
    let file = folder.path().join("Game.utoc");
    fs::write(&file, &written.table).unwrap();
    fs::write(file.with_extension("ucas"), &written.partitions[0]).unwrap();
    let input = InputFile::open(&file, &ReadingArgs::default()).unwrap();
    assert_eq!((input.len(), input.stored_len()), (written.table.len() as u64, 5008));
    input.read_at(input.len() - 1, &mut [0]).unwrap();
    // The data stands for its table.
    for extension in ["utoc", "ucas"] {
        let run = usampler(&["info", path(&file.with_extension(extension))]);
        run.ends_with(0);
        assert!(run.out.contains("size         5.0 kB (5008 bytes)"), "{}", run.out);
        assert!(run.out.contains("  kind         container of Unreal Engine 4 or later\n"), "{}", run.out);
    }
    let loose = folder.path().join("Game/Content");
    fs::create_dir_all(&loose).unwrap();
    let (header, objects) = AssetWriter::new(-8, 522, 1012).finish();
    fs::write(loose.join("Wind.uasset"), header).unwrap();
    fs::write(loose.join("Wind.uexp"), objects).unwrap();
    let kind =
        |path: &Path| usampler(&["info", path.to_str().unwrap()]).out.lines().nth(1).unwrap().to_owned();
    assert_eq!(kind(&loose), "  kind         loose packages of Unreal Engine 4 or later");
    assert_eq!(kind(&loose.join("Wind.uasset")), "  kind         package of Unreal Engine 4 or later");
    assert_eq!(
        kind(folder.path()),
        "  kind         containers and loose packages of Unreal Engine 4 or later"
    );
}

#[test]
fn packages_are_shown_with_their_tables_and_sounds() {
    let folder = TempDir::new().unwrap();
    let audio = recording();
    let wave = object(Stored::Streamed, &audio, 6, true, 0);
    let writer = AssetWriter {
        states_version: false,
        is_unversioned: true,
        folder: "/Game/Audio/SW_Steps".to_owned(),
        names: vec!["ADPCM".to_owned()],
        exports: vec![("SW_Steps".to_owned(), -2, wave.bytes)],
        data: Some(wave.data),
        ..AssetWriter::new(-8, 522, 1012)
    };
    let (header, objects) = writer.finish();
    let file = folder.path().join("SW_Steps.uasset");
    fs::write(&file, header).unwrap();
    fs::write(file.with_extension("uexp"), objects).unwrap();
    fs::write(file.with_extension("ubulk"), wave.beside).unwrap();
    let run = usampler(&["asset", "show", path(&file)]);
    run.ends_with(0);
    let package = "  package  /Game/Audio/SW_Steps (legacy, unversioned properties)\n";
    let engine = "  engine   5.5 (the newest whose tables fit)\n";
    let chunks = format!("       ADPCM: 46 bytes in .uexp, {} bytes in .ubulk\n", audio.len() - 46);
    let problem = "properties at 0x";
    for expected in
        [package, engine, "    /Script/Engine.SoundWave\n", &chunks, problem, "(.usmap) are needed"]
    {
        assert!(run.out.contains(expected), "{expected}: {}", run.out);
    }
    let run = usampler(&["asset", "show", path(&file), "/Game/Audio/SW_Steps", "--json", "--engine", "5.4"]);
    run.ends_with(3);
    let run = usampler(&["asset", "show", path(&file), "SW_Steps.uasset", "--json", "--engine", "5.4"]);
    run.ends_with(0);
    let row: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&row["schema"], &row["kind"]), (&"usampler.package/2".into(), &"legacy".into()));
    assert_eq!((&row["engine"], &row["engine_reason"]), (&"5.4".into(), &"named by the user".into()));
    assert_eq!(row["imports"][1]["path"], "/Script/Engine.SoundWave");
    assert_eq!(row["exports"][0]["sound"]["chunks"][1]["place"], "ubulk");
    usampler(&["asset", "show", path(&file), "--engine", "4.99"]).ends_with(2);
    usampler(&["asset", "show", path(&file), "--usmap", "Cargo.toml"]).ends_with(3);
}
