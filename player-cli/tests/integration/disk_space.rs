//! Outputs that a disk has no room for, or that a small file floods it with.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::hostile::shared;
use fixtures::package::PackageWriter;
use fixtures::raw_pak::RawPak;
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

#[track_caller]
fn is_refused_as_a_flood(line: &[&str], folder: &Path, files: usize) {
    let run = usampler(line);
    run.ends_with(5);
    assert!(run.err.contains(" would become ") && run.err.contains("--large"), "{}", run.err);
    assert_eq!(count(folder), files, "nothing was begun: {line:?}");
}

#[test]
fn a_small_container_floods_no_disk() {
    let folder = TempDir::new().unwrap();
    let game = folder.path().join("x.pak");
    let out = TempDir::new().unwrap();
    let (game, below) = (path(&game), out.path().join("new"));
    let write = |pak: &RawPak| fs::write(game, pak.finish()).unwrap();
    // A thousand names for 100 blocks of zeros, of 64 KiB each: 6.5 GB.
    write(&RawPak::of_zeros(100, (0..1000).map(|number| format!("{number:x}.uasset"))));
    for line in [["asset", "unpack", game, "-o", path(&below)], ["asset", "json", game, "-o", path(&below)]] {
        is_refused_as_a_flood(&line, out.path(), 0);
    }
    // Sixteen of them are many times what is stored as well, but not large.
    usampler(&["asset", "unpack", game, "--filter", "1?.uasset", "-o", path(&below)]).ends_with(0);
    assert_eq!(fs::read_dir(below.join("d")).unwrap().count(), 16);
    // One file of 4.06 GB.
    write(&RawPak::of_zeros(62_000, std::iter::once("big.bin".to_owned())));
    let file = out.path().join("big.bin");
    is_refused_as_a_flood(&["asset", "cat", game, "d/big.bin", "-o", path(&file)], out.path(), 1);
    is_refused_as_a_flood(&["asset", "unpack", game, "-o", path(&out.path().join("other"))], out.path(), 1);
}

#[test]
fn sounds_that_share_their_bytes_flood_no_disk() {
    const SOUNDS: usize = 10_100;
    let folder = TempDir::new().unwrap();
    let package = folder.path().join("shared.uax");
    let recording = Wave::new(22_050, 1, Values::U8(vec![128; 400_000])).finish();
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    for number in 0..SOUNDS {
        writer.sound(&format!("S{number}"), None, "WAV", if number == 0 { &recording } else { b"1234" });
    }
    // A megabyte that becomes 4.04 GB.
    fs::write(&package, shared(writer.written(), SOUNDS).bytes).unwrap();
    let (package, out) = (path(&package), TempDir::new().unwrap());
    let below = out.path().join("new");
    for format in ["wav", "original"] {
        let line = ["extract", package, "--format", format, "-o", path(&below)];
        is_refused_as_a_flood(&line, out.path(), 0);
    }
    usampler(&["extract", package, "--filter", "S77", "-o", path(&below)]).ends_with(0);
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
