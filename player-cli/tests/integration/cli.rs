//! The program as a process: what it prints where, what it writes, how it ends.

use crate::program;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use program::bench::{bench, write_package};
use program::{Run, usampler};
use serde_json::Value;
use tempfile::TempDir;

#[test]
fn list_prints_a_table_on_standard_output_and_nothing_on_the_other() {
    let bench = bench();
    let run = usampler(&["list", &bench.file]);
    run.ends_with(0);
    assert_eq!(run.err, "");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], format!("{}  4 sounds", bench.file));
    assert!(lines[2].contains("Weapons.Flak.Fire") && lines[2].contains("1-4"), "{}", lines[2]);
    assert!(lines[4].contains("empty: the package holds no data for it"), "{}", lines[4]);
    assert!(lines[5].contains("damaged: ") && lines[5].contains(" at 0x"), "{}", lines[5]);
    assert_eq!(lines.len(), 6);
}

#[test]
fn list_json_has_the_keys_of_the_contract() {
    let bench = bench();
    let run = usampler(&["list", "--json", &bench.file]);
    run.ends_with(0);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = serde_json::json!({
        "schema": "usampler.sound/1", "file": bench.file, "index": 1, "name": "Weapons.Flak.Fire", "class": "Sound",
        "format": "wav", "codec": "pcm_s16", "rate": 22050, "channels": 2, "bits": 16, "frames": 4,
        "loops": [{"start": 1, "end": 4, "mode": "forward"}], "status": "ok", "plays": [], "path": null, "container": null, "stream": null,
        "module": null,
    });
    assert_eq!(rows[0], expected);
    assert_eq!((&rows[2]["status"], &rows[2]["frames"]), (&"empty".into(), &0.into()));
    assert!(rows[2]["reason"].is_string());
    assert_eq!((&rows[3]["class"], &rows[3]["format"]), (&"Music".into(), &"it".into()));
    let keys = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    for row in &rows {
        assert!(keys(row).iter().filter(|key| !key.starts_with("reason")).eq(&keys(&expected)), "{row}");
    }
}

#[test]
fn list_tsv_has_the_same_keys_as_columns() {
    let bench = bench();
    let run = usampler(&["list", "--tsv", &bench.file]);
    run.ends_with(0);
    let rows: Vec<Vec<&str>> = run.out.lines().map(|line| line.split('\t').collect()).collect();
    let json = usampler(&["list", "--json", &bench.file]);
    let sound: Value = serde_json::from_str(json.out.lines().nth(2).unwrap()).unwrap();
    let mut keys: Vec<&str> = sound.as_object().unwrap().keys().map(String::as_str).collect();
    let mut columns = rows[0].clone();
    keys.sort_unstable();
    columns.sort_unstable();
    assert_eq!(columns, keys);
    assert_eq!(rows[1][11], "1-4:forward");
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
}

#[test]
fn filters_and_orders_keep_the_numbers() {
    let bench = bench();
    let names = |args: &[&str]| -> Vec<(u64, String)> {
        let run = usampler(&[&["list", "--json", &bench.file], args].concat());
        let rows = run.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| (row["index"].as_u64().unwrap(), row["name"].as_str().unwrap().to_owned())).collect()
    };
    assert_eq!(names(&["--filter", "weapons.*"]), [(1, "Weapons.Flak.Fire".to_owned())]);
    assert_eq!(names(&["--filter", "fire"]), [(1, "Weapons.Flak.Fire".to_owned())]);
    let numbers = |args: &[&str]| names(args).into_iter().map(|(number, _)| number).collect::<Vec<_>>();
    assert_eq!(numbers(&["--sort", "name"]), [2, 4, 3, 1]);
    assert_eq!(numbers(&["--sort", "rate"]), [2, 1, 3, 4]);
    usampler(&["list", "--filter", "[", &bench.file]).ends_with(2);
}

#[test]
fn info_tells_what_the_package_is() {
    let bench = bench();
    let run = usampler(&["info", "--json", &bench.file]);
    run.ends_with(0);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(row["schema"], "usampler.package/1");
    assert_eq!((&row["version"], &row["licensee"], &row["sounds"]), (&69.into(), &0.into(), &4.into()));
    assert_eq!(row["guid"], "00112233-4455-6677-8899-AABBCCDDEEFF");
    assert_eq!((&row["file"], &row["kind"]), (&bench.file.as_str().into(), &"package".into()));
    assert_eq!((&row["names"], &row["imports"], &row["exports"]), (&15.into(), &5.into(), &6.into()));
    let reason = "the package holds no data for it";
    assert_eq!(row["skipped"].as_array().unwrap().len(), 2);
    assert_eq!(row["skipped"][0], serde_json::json!({"object": "Stripped", "reason": reason}));
    assert_eq!(row.get("generation_list"), None);
    let run = usampler(&["info", "--json", "-v", &bench.file]);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    let expected = serde_json::json!([{"exports": 6, "names": 15, "net_objects": null}]);
    assert_eq!((&row["generation_list"], &row["generations"]), (&expected, &1.into()));
    let run = usampler(&["info", &bench.file]);
    assert!(
        run.out.contains("version      69, licensee 0") && run.out.contains("4 (2 playable)"),
        "{}",
        run.out
    );
}

#[test]
fn one_unreadable_file_among_others_ends_with_1_and_alone_with_3() {
    let bench = bench();
    let text = bench.path("text.int");
    fs::write(&text, "[Public]\r\nObject=(Name=X)\r\n").unwrap();
    let run = usampler(&["list", &bench.file, &text, "/no/such/file"]);
    run.ends_with(1);
    assert!(run.out.contains("4 sounds"));
    assert!(run.err.contains("text file") && run.err.contains("/no/such/file: no such file"), "{}", run.err);
    usampler(&["list", &text, "/no/such/file"]).ends_with(3);
    usampler(&["info", &text]).ends_with(3);
}

#[test]
fn a_command_line_that_makes_no_sense_ends_with_2() {
    let bench = bench();
    for line in [
        &["list"][..],
        &["list", "--json", "--tsv", &bench.file],
        &["list", "--midi", &bench.file],
        &["nonsense"],
        &["render", &bench.file, "#1", "--all", "-o", "x.wav"],
        &["render", &bench.file, "#1", "-o", "x.wav", "--velocity", "128"],
        &["render", &bench.file, "-o", "x.wav"],
        &["play", &bench.file, "#1", "--quality", "best"],
        &["jam", &bench.file],
    ] {
        let run = usampler(line);
        run.ends_with(2);
        assert!(!run.err.is_empty() && run.out.is_empty(), "{line:?}");
    }
}

#[test]
fn a_sound_that_is_not_there_ends_with_3_and_helps() {
    let bench = bench();
    let run = usampler(&["render", &bench.file, "Weapons.Flak.Fyre", "-o", &bench.path("x.wav")]);
    run.ends_with(3);
    assert_eq!(
        run.err,
        format!(
            "error: no sound \"Weapons.Flak.Fyre\" in {0}\n  did you mean \"Weapons.Flak.Fire\"?  \
             `usampler list {0}` shows all 4\n",
            bench.file
        )
    );
    usampler(&["render", &bench.file, "#5", "-o", &bench.path("x.wav")]).ends_with(3);
    usampler(&["render", &bench.file, "#0", "-o", &bench.path("x.wav")]).ends_with(3);
    assert!(!Path::new(&bench.path("x.wav")).exists());
}

#[test]
fn a_sound_that_cannot_be_played_ends_with_1() {
    let bench = bench();
    for sound in ["stripped", "song"] {
        usampler(&["render", &bench.file, sound, "-o", &bench.path("x.wav")]).ends_with(1);
        usampler(&["play", &bench.file, sound, "--device", "null"]).ends_with(1);
    }
    assert!(!Path::new(&bench.path("x.wav")).exists());
}

/// Returns left and right of a WAV file of 16 bits.
fn frames(path: &str) -> (u32, Vec<[i16; 2]>) {
    let mut reader = hound::WavReader::open(path).unwrap();
    assert_eq!((reader.spec().channels, reader.spec().bits_per_sample), (2, 16));
    let rate = reader.spec().sample_rate;
    let values: Vec<i16> = reader.samples().map(Result::unwrap).collect();
    (rate, values.chunks_exact(2).map(|frame| [frame[0], frame[1]]).collect())
}

#[test]
fn a_sound_rendered_at_its_own_rate_is_its_source() {
    let bench = bench();
    let out = bench.path("click.wav");
    usampler(&["render", &bench.file, "click", "--rate", "8000", "-o", &out]).ends_with(0);
    assert_eq!(frames(&out), (8000, vec![[0, 0], [32512, 32512], [-32768, -32768], [0, 0]]));
}

#[test]
fn a_looped_sound_is_held_and_then_released() {
    let bench = bench();
    let out = bench.path("fire.wav");
    usampler(&["render", &bench.file, "#1", "--rate", "22050", "--hold", "1s", "-o", &out]).ends_with(0);
    let (rate, frames) = frames(&out);
    assert_eq!(rate, 22_050);
    assert_eq!(frames[..8], [100, 200, 300, 400, 200, 300, 400, 200].map(|x| [x, -x]));
    // A second, and the 50 ms of its release.
    assert_eq!(frames.len(), 22_050 + 1103);
    let last = frames.last().unwrap()[0];
    assert!((0..10).contains(&last), "{last}");
}

#[test]
fn all_sounds_stand_half_a_second_apart_and_the_silent_ones_are_reported() {
    let bench = bench();
    let out = bench.path("all.wav");
    let run = usampler(&[
        "render",
        &bench.file,
        "--all",
        "--rate",
        "8000",
        "--hold",
        "0s",
        "--tail",
        "0s",
        "-o",
        &out,
    ]);
    run.ends_with(1);
    assert!(run.err.contains("Stripped") && run.err.contains("Song"), "{}", run.err);
    let (_, frames) = frames(&out);
    assert_eq!(frames.len(), 4000 + 4);
    assert_eq!(frames[4001], [32512, 32512]);
}

#[test]
fn nothing_is_overwritten_unless_forced() {
    let bench = bench();
    let out = bench.path("x.wav");
    fs::write(&out, "mine").unwrap();
    usampler(&["render", &bench.file, "#2", "-o", &out]).ends_with(5);
    assert_eq!(fs::read(&out).unwrap(), b"mine");
    usampler(&["render", &bench.file, "#2", "-o", &out, "--force"]).ends_with(0);
    assert_eq!(&fs::read(&out).unwrap()[..4], b"RIFF");
    usampler(&["render", &bench.file, "#2", "-o", "/no/such/folder/x.wav"]).ends_with(5);
    let left: Vec<_> =
        fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing half done is left: {left:?}");
}

#[test]
fn a_rendered_file_can_go_to_standard_output() {
    let bench = bench();
    let run = usampler(&["render", &bench.file, "#2", "--rate", "8000", "--bits", "32f", "-q", "-o", "-"]);
    run.ends_with(0);
    let reader = hound::WavReader::new(run.bytes.as_slice()).unwrap();
    assert_eq!((reader.spec().sample_format, reader.duration()), (hound::SampleFormat::Float, 4));
    assert_eq!(run.err, "");
}

#[test]
fn extract_writes_a_folder_per_package_with_loops_and_width_kept() {
    let bench = bench();
    let other = bench.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let twin = write_package(&other, "Test.uax");
    let out = bench.path("out");
    let run = usampler(&["extract", &bench.file, &twin, "-o", &out]);
    run.ends_with(1);
    assert!(run.err.contains("Stripped") && run.err.contains("Song"), "{}", run.err);
    let fire = fs::read(format!("{out}/Test/Weapons.Flak.Fire.wav")).unwrap();
    assert!(fire.windows(4).any(|window| window == b"smpl"));
    assert_eq!(fire, fs::read(format!("{out}/Test~2/Weapons.Flak.Fire.wav")).unwrap());
    let click = hound::WavReader::open(format!("{out}/Test/Click.wav")).unwrap();
    assert_eq!((click.spec().bits_per_sample, click.spec().sample_rate, click.duration()), (8, 8000, 4));
    // Windows writes over no file that is open.
    drop(click);
    assert_eq!(run.out.lines().count(), 4);

    let again = usampler(&["extract", &bench.file, "-o", &out]);
    again.ends_with(5);
    usampler(&["extract", &bench.file, "-o", &out, "--force", "--filter", "click"]).ends_with(0);
}

#[test]
fn extract_original_writes_the_stored_bytes() {
    let bench = bench();
    let out = bench.path("out");
    usampler(&["extract", &bench.file, "-o", &out, "--format", "original", "--flat"]).ends_with(1);
    assert_eq!(fs::read(format!("{out}/Song.it")).unwrap(), b"IMPM but not more");
    let click = Wave::new(8000, 1, Values::U8(vec![128, 255, 0, 128])).finish();
    assert_eq!(fs::read(format!("{out}/Click.wav")).unwrap(), click);
}

#[test]
fn a_dry_run_writes_nothing() {
    let bench = bench();
    let run = usampler(&["extract", &bench.file, "-o", &bench.path("out"), "--dry-run", "--filter", "c*"]);
    run.ends_with(0);
    assert!(run.out.ends_with("Click.wav\n"), "{}", run.out);
    assert!(!Path::new(&bench.path("out")).exists());
}

#[test]
fn names_cannot_lead_out_of_the_folder() {
    let folder = TempDir::new().unwrap();
    let mut package = PackageWriter::new(69);
    let wave = Wave::new(1, 1, Values::U8(vec![128])).finish();
    for name in ["../../up", "/etc/x", "a\\b", "CON", "same", "SAME"] {
        package.sound(name, None, "WAV", &wave);
    }
    let file = folder.path().join("Evil.uax");
    fs::write(&file, package.finish()).unwrap();
    let out = folder.path().join("out");
    usampler(&["extract", file.to_str().unwrap(), "-o", out.to_str().unwrap()]).ends_with(0);
    let mut names: Vec<String> = fs::read_dir(out.join("Evil"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["SAME~2.wav", "_.._.._up.wav", "_CON.wav", "_etc_x.wav", "a_b.wav", "same.wav"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn the_demo_and_standard_input_are_files_too() {
    let listed = usampler(&["list", "--json", "demo:"]);
    listed.ends_with(0);
    assert!((8..=12).contains(&listed.out.lines().count()));
    let piped = Run::of(&["list", "--json", "-"], player::demo::package());
    piped.ends_with(0);
    assert_eq!(piped.out.replace("\"file\":\"-\"", "\"file\":\"demo:\""), listed.out);
}

#[test]
fn without_a_terminal_the_program_alone_lists_the_demo_and_says_how_to_hear_it() {
    let run = usampler(&[]);
    run.ends_with(0);
    assert!(run.out.contains("Drums.Kick") && run.out.contains("usampler render demo: --all -o demo.wav"));
}

#[test]
fn a_sound_plays_to_its_end_on_the_null_device() {
    let bench = bench();
    let run = usampler(&["play", &bench.file, "#2", "--device", "null"]);
    run.ends_with(0);
    assert!(run.err.contains("playing Click on null"), "{}", run.err);
    assert_eq!(run.out, "");
    assert_eq!(usampler(&["play", &bench.file, "#2", "--device", "null", "-q"]).err, "");
}

#[test]
fn a_device_that_is_not_there_ends_with_4_and_says_what_else_can_be_done() {
    let bench = bench();
    let run = usampler(&["play", &bench.file, "#2", "--device", "no such device"]);
    run.ends_with(4);
    assert!(run.err.contains("usampler devices") && run.err.contains("usampler render"), "{}", run.err);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child =
        program::command(&["list", "--json", "demo:"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_play_count_is_kept_in_the_list() {
    let folder = TempDir::new().unwrap();
    let mut wave = Wave::new(8000, 1, Values::U8(vec![128; 8])).looped(1, 3);
    wave.sampler.as_mut().unwrap().loops[0].count = 3;
    let mut package = PackageWriter::new(69);
    package.sound("Thrice", None, "WAV", &wave.finish());
    let file = folder.path().join("Test.uax");
    fs::write(&file, package.finish()).unwrap();
    let json = usampler(&["list", "--json", file.to_str().unwrap()]);
    let row: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(row["loops"][0], serde_json::json!({"start": 1, "end": 4, "mode": "forward", "plays": 3}));
    assert!(usampler(&["list", file.to_str().unwrap()]).out.contains("1-4 x3"));
}

#[test]
fn packages_of_every_generation_are_distinguished_by_info() {
    use fixtures::compressed::{Method, chunked};
    let bench = bench();
    let mut package = PackageWriter::new(868);
    package.wave(&fixtures::package::Wave::new("Kick", b"12345", b""));
    fs::write(bench.path("Three.upk"), chunked(&package, Method::Lzo, 2, 300).bytes).unwrap();
    let mut package = PackageWriter::new(128);
    package.version |= 29 << 16;
    fs::write(bench.path("Two.uax"), package.finish()).unwrap();
    let run = usampler(&["info", &bench.path("Three.upk"), &bench.path("Two.uax")]);
    run.ends_with(0);
    for line in [
        "  compressed   LZO, 2 chunks",
        "  engine       8788, cooker 111",
        "licensee 29 (Unreal Tournament 2004)",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    let run = usampler(&["info", "--json", &bench.path("Two.uax")]);
    let row: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&row["game"], &row["licensee"]), (&Value::from("ut2004"), &Value::from(29)));
}

#[test]
fn what_the_user_knows_counts_more_than_what_the_file_says() {
    let bench = bench();
    let mut package = PackageWriter::new(69);
    package.sound("Kick", None, "WAV", b"");
    fs::write(bench.path("Odd.uax"), package.written().with_u32("version", 868).bytes).unwrap();
    usampler(&["list", &bench.path("Odd.uax")]).ends_with(3);
    let run = usampler(&["list", "--package-version", "69", &bench.path("Odd.uax")]);
    run.ends_with(0);
    assert!(run.out.contains("Kick"), "{}", run.out);
    let run = usampler(&["info", "--package-version", "128/29", "--game", "swat-4", &bench.path("Odd.uax")]);
    run.ends_with(0);
    assert!(run.out.contains("version      128, licensee 29 (SWAT 4)"), "{}", run.out);
    usampler(&["list", "--game", "quake", &bench.file]).ends_with(2);
    usampler(&["list", "--package-version", "new", &bench.file]).ends_with(2);
}

#[test]
fn tsv_shows_what_would_steer_a_terminal() {
    let bench = bench();
    let file = bench.path("steers.uax");
    let mut package = PackageWriter::new(69);
    let wave = Wave::new(8000, 1, Values::U8(vec![1, 2])).finish();
    package.sound("a\u{1b}[31m\u{7}b\tc\\d", None, "WAV", &wave);
    fs::write(&file, package.finish()).unwrap();
    let run = usampler(&["list", "--tsv", &file]);
    run.ends_with(0);
    assert!(run.out.contains("\ta\\u001b[31m\\u0007b\\tc\\\\d\t"), "{}", run.out);
}

#[test]
fn the_licences_of_what_is_linked_go_with_the_program() {
    let run = usampler(&["licenses"]);
    run.ends_with(0);
    for line in [
        "usampler is licensed under either MIT or Apache-2.0",
        "clap 4",
        "symphonia 0",
        "Permission is hereby granted",
    ] {
        assert!(run.out.contains(line), "{line}");
    }
}

#[test]
fn a_program_without_the_page_names_the_command_that_builds_one_with_it() {
    let run = usampler(&["page", "-o", "never.html"]);
    run.ends_with(2);
    assert!(run.err.contains("scripts/web"), "{}", run.err);
    assert!(!Path::new("never.html").exists());
}
