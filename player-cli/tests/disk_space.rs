//! Outputs that a disk has no room for, or that a small file floods it with.
#![cfg(unix)]

mod program;

use std::fs;
use std::path::Path;

use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use program::usampler;
use tempfile::TempDir;

/// More than disks have.
const HUGE: u64 = 8 << 40;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn what_takes_days_to_play_is_refused_before_a_byte_is_written() {
    let folder = TempDir::new().unwrap();
    let name = |name: &str| folder.path().join(name);
    let mut package = PackageWriter::new(69);
    // A frame a second: 14 days, or 230 GB at 48,000 Hz.
    package.sound("Slow", None, "WAV", &Wave::new(1, 1, Values::U8(vec![200; 1_200_000])).finish());
    fs::write(name("slow.uax"), package.finish()).unwrap();
    // A note that is held for 20 hours: 4,291 quarters of 16.8 seconds.
    let track: &[u8] = b"\0\xff\x51\x03\xff\xff\xff\0\x90\x3c\x40\x82\x8c\x1c\x80\x3c\0\0\xff\x2f\0";
    let length = u32::try_from(track.len()).unwrap().to_be_bytes();
    let midi = [b"MThd\0\0\0\x06\0\0\0\x01\0\x08MTrk", &length[..], track].concat();
    fs::write(name("long.mid"), midi).unwrap();
    let files = count(folder.path());
    let (slow, midi) = (name("slow.uax"), name("long.mid"));
    let flac = name("out.flac");
    let sound = ["render", path(&slow), "Slow", "-o", path(&flac)];
    let song = ["render", "demo:", "--midi", path(&midi), "-o", path(&flac)];
    for line in [&sound[..], &song[..]] {
        let run = usampler(line);
        run.ends_with(5);
        assert!(run.err.contains(" would become ") && run.err.contains("--large"), "{}", run.err);
    }
    // A WAV file holds 4 GiB, whatever the user allows.
    let run = usampler(&["render", path(&slow), "Slow", "-o", path(&name("out.wav")), "--large"]);
    run.ends_with(5);
    assert!(run.err.contains("a FLAC file can"), "{}", run.err);
    assert_eq!(count(folder.path()), files, "nothing was begun");
    // As it is stored it is no flood.
    usampler(&["extract", path(&slow), "-o", path(&name("out"))]).ends_with(0);
}

#[test]
fn what_no_disk_has_room_for_is_refused_before_it_is_begun() {
    let folder = TempDir::new().unwrap();
    let out = TempDir::new().unwrap();
    let file = fs::File::create(folder.path().join("A.bin")).unwrap();
    if file.set_len(HUGE).is_err() {
        eprintln!("skipped: this file system has no such files");
        return;
    }
    let target = out.path().join("M_P.pak");
    let run = usampler(&["asset", "pack", path(folder.path()), "-o", path(&target), "--pak-version", "11"]);
    run.ends_with(5);
    assert!(run.err.contains("do not fit"), "{}", run.err);
    assert_eq!(count(out.path()), 0);
}
