//! Recordings with a form for each platform: `--stream` chooses one of them, everywhere a package is read.

use crate::program;
use std::fs;

use fixtures::package::{PackageWriter, Wave};
use fixtures::wave::{self, Values};
use program::usampler;
use serde_json::Value;
use tempfile::TempDir;

/// Returns a package with a wave of two forms of 8,000 and 11,025 Hz, and one of the first alone; and its path.
fn bench() -> (TempDir, String) {
    let recording = |rate| wave::Wave::new(rate, 1, Values::I16(vec![100, -100, 200])).finish();
    let (raw, pc) = (recording(8000), recording(11_025));
    let mut package = PackageWriter::new(868);
    package.wave(&Wave::new("Both", &raw, &pc));
    package.wave(&Wave::new("Raw", &raw, b""));
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("Test.upk");
    fs::write(&path, package.finish()).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn a_list_tells_the_stream_that_was_taken_and_which_there_are_if_it_is_not_there() {
    let (_folder, file) = bench();
    let rows = |args: &[&str]| -> Vec<Value> {
        let run = usampler(&[&["list", "--json", &file], args].concat());
        run.ends_with(0);
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let summary = |row: &Value| (row["stream"].clone(), row["rate"].clone(), row["status"].clone());
    assert_eq!(
        rows(&[]).iter().map(summary).collect::<Vec<_>>(),
        [("raw".into(), 8000.into(), "ok".into()), ("raw".into(), 8000.into(), "ok".into())]
    );
    let pc = rows(&["--stream", "PC"]);
    assert_eq!(summary(&pc[0]), ("pc".into(), 11_025.into(), "ok".into()));
    assert_eq!(summary(&pc[1]), (Value::Null, Value::Null, "empty".into()));
    assert_eq!(pc[1]["reason"], "no stream pc in it, it has raw");
}

#[test]
fn every_command_that_reads_a_package_takes_the_wished_stream() {
    let (folder, file) = bench();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = usampler(&["info", "-vv", "--stream", "pc", &file]);
    run.ends_with(0);
    assert!(run.out.contains("  pc  "), "{}", run.out);
    let run = usampler(&["extract", "--stream", "pc", &file, "-o", &path("out")]);
    run.ends_with(1);
    assert!(run.err.contains("#2 Raw: not extracted: no stream pc in it, it has raw"), "{}", run.err);
    let wave = fs::read(path("out/Test/Both.wav")).unwrap();
    assert_eq!(wave[24..28], 11_025_u32.to_le_bytes());
    usampler(&["render", "--stream", "pc", &file, "Both", "-o", &path("both.wav")]).ends_with(0);
    usampler(&["render", "--stream", "ps3", &file, "Both", "-o", &path("none.wav")]).ends_with(1);
    usampler(&["play", "--stream", "pc", "--device", "null", &file, "Both"]).ends_with(0);
    let run = usampler(&["play", "--stream", "ps3", "--device", "null", &file, "Both"]);
    assert!(run.err.contains("no stream ps3 in it, it has raw, pc"), "{}", run.err);
}

#[test]
fn a_stream_that_no_platform_has_is_a_usage_error_that_names_all() {
    let (_folder, file) = bench();
    let run = usampler(&["list", "--stream", "amiga", &file]);
    run.ends_with(2);
    let all = "raw, pc, xbox360, ps3, xboxone, ps4, wiiu, iphone, flash";
    assert!(run.err.contains(all), "{}", run.err);
    for command in ["jam", "play"] {
        usampler(&[command, "--stream", "amiga", &file]).ends_with(2);
    }
}
