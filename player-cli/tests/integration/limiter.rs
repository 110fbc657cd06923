//! The limiter in rendered files: where it is, what it changes, and that no frame moves.

use crate::program;
use std::fs;

use clap::Parser as _;
use fixtures::package::PackageWriter;
use fixtures::signal::Noise;
use fixtures::wave::{Values, Wave};
use player_cli::args::{Cli, ProgramCommand};
use program::usampler;
use tempfile::TempDir;

const FRAMES: usize = 3000;

/// Returns a package of one noise that is nowhere silent.
fn package() -> (TempDir, String) {
    let mut noise = Noise::new(3);
    let values = (0..FRAMES).map(|_| 1 + (noise.flat().abs() * 30_000.0) as i16).collect();
    let mut package = PackageWriter::new(69);
    package.sound("Noise", None, "WAV", &Wave::new(48_000, 1, Values::I16(values)).finish());
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.uax");
    fs::write(&path, package.finish()).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

/// Returns the left values of what is rendered.
fn rendered(file: &str, more: &[&str]) -> Vec<f32> {
    let run = usampler(&[&["render", file, "--bits", "32f", "-o", "-"], more].concat());
    run.ends_with(0);
    let data = run.bytes.windows(4).position(|bytes| bytes == b"data").unwrap() + 8;
    run.bytes[data..].chunks_exact(8).map(|frame| f32::from_le_bytes(*frame.first_chunk().unwrap())).collect()
}

#[test]
fn what_is_not_too_loud_is_the_same_to_the_bit_with_the_limiter() {
    let (_folder, file) = package();
    let plain = rendered(&file, &["--gain", "-3"]);
    assert_eq!(plain.len(), FRAMES);
    assert_eq!(rendered(&file, &["--gain", "-3", "--limiter"]), plain);
}

#[test]
fn what_is_too_loud_is_kept_down_frame_for_frame() {
    let (_folder, file) = package();
    let plain = rendered(&file, &["--gain", "12"]);
    let limited = rendered(&file, &["--gain", "12", "--limiter"]);
    assert_eq!((plain.len(), limited.len()), (FRAMES, FRAMES));
    assert!(plain.iter().any(|value| *value > 1.5));
    // -1 dB.
    assert!(limited.iter().all(|value| *value <= 0.891_251));
    let is_in_place = |(plain, limited): (&f32, &f32)| *limited > 0.2 * plain && limited <= plain;
    assert!(plain.iter().zip(&limited).all(is_in_place), "each value is its own, softer");
}

#[test]
fn each_sound_of_a_reel_begins_where_it_does_without_the_limiter() {
    let mut package = PackageWriter::new(69);
    for name in ["One", "Two"] {
        package.sound(name, None, "WAV", &Wave::new(48_000, 1, Values::I16(vec![3000; 30])).finish());
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.uax");
    fs::write(&path, package.finish()).unwrap();
    let file = path.to_str().unwrap();
    let plain = rendered(file, &["--all"]);
    assert_eq!(plain.len(), 30 + 24_000 + 30);
    assert_eq!(rendered(file, &["--all", "--limiter"]), plain);
}

#[test]
fn what_is_played_live_is_limited_unless_that_is_declined_and_a_file_only_if_it_is_asked_for() {
    for (line, expected) in [
        (&["play", "demo:"][..], true),
        (&["play", "demo:", "--no-limiter"], false),
        (&["jam", "demo:"], true),
        (&["jam", "demo:", "--no-limiter"], false),
        (&["render", "demo:", "-o", "x.wav"], false),
        (&["render", "demo:", "-o", "x.wav", "--limiter"], true),
    ] {
        let limiter = match Cli::try_parse_from([&["usampler"], line].concat()).unwrap().command {
            Some(ProgramCommand::Play(args)) => args.live.has_limiter(),
            Some(ProgramCommand::Jam(args)) => args.live.has_limiter(),
            Some(ProgramCommand::Render(args)) => args.limiter,
            other => panic!("{other:?}"),
        };
        assert_eq!(limiter, expected, "{line:?}");
    }
}
