//! Groups and cues as a person meets them: listed, rendered, handed on.

mod program;

use std::fs;

use fixtures::package::{Object, PackageWriter, Tag, Wave};
use fixtures::wave::{self, Values};
use program::usampler;
use tempfile::TempDir;

const LONG: usize = 9600;

/// A package with a short and a long recording, a cue that plays both together, and one that repeats the short one.
fn package() -> (TempDir, String) {
    let recording = |frames, value| wave::Wave::new(48_000, 1, Values::I16(vec![value; frames])).finish();
    let mut package = PackageWriter::new(868);
    let (short, long) = (recording(480, 1000), recording(LONG, 500));
    let short = package.wave(&Wave::new("Short", &short, b""));
    let long = package.wave(&Wave::new("Long", &long, b""));
    let mut cue = |name, class, children: &[Object]| {
        let node = package.node(class, &format!("{name}Node"), &[Tag::objects("ChildNodes", children)]);
        package.node("SoundCue", name, &[Tag::new("FirstNode", "ObjectProperty", &node.0.to_le_bytes())]);
    };
    cue("Both", "SoundNodeMixer", &[short, long]);
    cue("Again", "SoundNodeLooping", &[short]);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("Cues.upk");
    fs::write(&path, package.finish()).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

/// The left values of a rendered sound.
fn rendered(file: &str, sound: &str) -> Vec<i16> {
    let run = usampler(&["render", file, sound, "-o", "-", "--hold", "0.5s"]);
    run.ends_with(0);
    run.bytes[44..].chunks_exact(4).map(|frame| i16::from_le_bytes([frame[0], frame[1]])).collect()
}

#[test]
fn a_layered_note_lasts_until_its_last_layer_is_over() {
    let (_folder, file) = package();
    let heard = rendered(&file, "Both");
    assert_eq!(heard.len(), LONG);
    assert_eq!((heard[0], heard[479], heard[480], heard[LONG - 1]), (1500, 1500, 500, 500));
}

#[test]
fn a_looping_cue_is_held_and_then_released() {
    let (_folder, file) = package();
    let heard = rendered(&file, "Again");
    assert!(heard.len() > 24_000 && heard.len() < 30_000, "{}", heard.len());
    assert!(heard[..24_000].iter().all(|value| *value == 1000));
}

#[test]
fn a_cue_is_played_through_a_device_to_its_end() {
    let (_folder, file) = package();
    usampler(&["play", &file, "Both", "--device", "null"]).ends_with(0);
}

#[test]
fn cues_are_listed_after_the_sounds_they_play() {
    let (_folder, file) = package();
    let run = usampler(&["list", &file, "--tsv"]);
    let plays: Vec<&str> = run.out.lines().map(|line| line.rsplit('\t').nth(1).unwrap()).collect();
    assert_eq!(plays, ["plays", "", "", "1;2", "1"]);
    assert!(usampler(&["list", &file]).out.contains("ok, plays 2 sounds"));
}

#[test]
fn extract_keeps_cues_in_instrument_files_and_says_so_where_it_cannot() {
    let (folder, file) = package();
    let out = folder.path().join("out");
    let run = usampler(&["extract", &file, "-o", out.to_str().unwrap()]);
    run.ends_with(0);
    assert_eq!(run.out.lines().count(), 2);
    assert!(run.err.contains("2 groups and cues left out"), "{}", run.err);
    let run = usampler(&["extract", &file, "-o", out.to_str().unwrap(), "--sfz", "--sf2", "--force"]);
    run.ends_with(0);
    let sfz = fs::read_to_string(out.join("Cues/Cues.sfz")).unwrap();
    assert_eq!(sfz.matches("<region>").count(), 5, "{sfz}");
    assert!(sfz.contains("loop_start=8 loop_end=487\nsample=Cues loops/Short.wav"), "{sfz}");
    assert_eq!(fs::read(out.join("Cues/Cues loops/Short.wav")).unwrap()[40..44], 992_u32.to_le_bytes());
}
