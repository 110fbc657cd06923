//! Whole folders, and packages as instrument files for other samplers.

mod program;

use std::fs;
use std::path::Path;

use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use program::usampler;
use tempfile::TempDir;

/// A package with one sound.
fn write_package(folder: &Path, name: &str) {
    let mut package = PackageWriter::new(69);
    package.sound("Click", None, "WAV", &Wave::new(8000, 1, Values::U8(vec![128, 255, 0, 128])).finish());
    fs::write(folder.join(name), package.finish()).unwrap();
}

#[test]
fn a_folder_is_walked_and_one_bad_file_does_not_stop_the_rest() {
    let temporary = TempDir::new().unwrap();
    let path = |name: &str| temporary.path().join(name).to_str().unwrap().to_owned();
    let folder = temporary.path().join("game/Sounds");
    fs::create_dir_all(&folder).unwrap();
    write_package(&folder, "A.uax");
    write_package(&folder, "C.umx");
    fs::write(folder.join("readme.txt"), "no package").unwrap();
    let run = usampler(&["list", &path("game"), "--json"]);
    run.ends_with(0);
    assert_eq!(run.out.lines().count(), 2);
    fs::write(
        folder.join("B.uax"),
        b"\xC1\x83\x2A\x9E\x45\0\0\0 and then nothing that makes sense at all, alas",
    )
    .unwrap();
    let run = usampler(&["list", &path("game"), "--json"]);
    run.ends_with(1);
    assert_eq!(run.out.lines().count(), 2);
    assert!(run.err.contains("2 packages read, 1 failed, 1 other files ignored"), "{}", run.err);
    let out = path("out");
    usampler(&["extract", &path("game"), "-o", &out]).ends_with(1);
    assert!(Path::new(&out).join("A/Click.wav").is_file() && Path::new(&out).join("C/Click.wav").is_file());
    fs::create_dir(temporary.path().join("none")).unwrap();
    usampler(&["info", &path("none")]).ends_with(3);
}

#[test]
fn a_package_becomes_one_instrument_file_of_each_kind() {
    let temporary = TempDir::new().unwrap();
    let path = |name: &str| temporary.path().join(name).to_str().unwrap().to_owned();
    let out = path("out");
    let run = usampler(&["extract", "demo:", "-o", &out, "--sfz", "--sf2", "--filter", "pads.*"]);
    run.ends_with(0);
    assert!(run.out.contains("demo.sfz") && run.out.contains("demo.sf2"), "{}", run.out);
    let sfz = fs::read_to_string(Path::new(&out).join("demo/demo.sfz")).unwrap();
    assert!(sfz.contains("\nloop_mode=loop_continuous loop_start=3000 loop_end=11090\n"), "{sfz}");
    assert!(sfz.ends_with("\nsample=Pads.Warm.wav\n"), "{sfz}");
    let sf2 = fs::read(Path::new(&out).join("demo/demo.sf2")).unwrap();
    assert_eq!((&sf2[..4], &sf2[8..12]), (&b"RIFF"[..], &b"sfbk"[..]));
    usampler(&["extract", "demo:", "-o", &out, "--sf2", "--filter", "keys.*"]).ends_with(5);
    usampler(&["extract", "demo:", "-o", &out, "--sfz", "--format", "original"]).ends_with(2);
}
