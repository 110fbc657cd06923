//! Groups and cues as a person meets them: listed, rendered, handed on.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::package::{Object, PackageWriter, Tag, Wave};
use fixtures::wave::{self, Values};
use player_cli::args::ReadingArgs;

use player_cli::input::InputFile;
use program::{usampler, with_slashes};
use tempfile::TempDir;

const LONG: usize = 9600;

/// Returns a package with a short and a long recording, a cue that plays both together, and one that repeats the short
/// one.
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

/// Returns a package of Unreal Engine 1 of two sounds that play and, between them, one that is listed as if it did.
fn with_a_spoilt_sound() -> (TempDir, String) {
    let recording = |value| wave::Wave::new(48_000, 1, Values::I16(vec![value; 100])).finish();
    let (first, last) = (recording(1), recording(2));
    let mut spoilt = fixtures::adpcm::ima(&[vec![0; 505]], 256).wave(48_000, None);
    // The step it begins with is none.
    let data = spoilt.windows(4).position(|bytes| bytes == b"data").unwrap();
    spoilt[data + 8 + 2] = 200;
    let mut package = PackageWriter::new(69);
    for (name, bytes) in [("First", &first), ("Spoilt", &spoilt), ("Last", &last)] {
        package.sound(name, None, "WAV", bytes);
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("Spoilt.uax");
    fs::write(&path, package.finish()).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

#[test]
fn a_sound_that_cannot_be_decoded_says_why_and_does_not_spoil_a_reel() {
    let (_folder, file) = with_a_spoilt_sound();
    assert_eq!(usampler(&["list", &file, "--tsv"]).out.matches("\tok\t").count(), 3);
    let alone = usampler(&["play", &file, "Spoilt", "--device", "null"]);
    alone.ends_with(1);
    assert!(alone.err.contains("ADPCM block") && !alone.err.contains("playing"), "{}", alone.err);
    let file = usampler(&["render", &file, "--all", "-o", "-"]);
    file.ends_with(1);
    assert!(file.err.contains("#2 Spoilt: ") && file.err.contains("2 sounds rendered"), "{}", file.err);
    let half_a_second = 24_000;
    assert_eq!(file.bytes.len(), 44 + 4 * (100 + half_a_second + 100));
}

#[test]
fn a_filter_that_takes_a_cue_takes_what_it_plays_into_instrument_files() {
    let (folder, file) = package();
    let out = folder.path().join("out");
    let run = usampler(&["extract", &file, "-o", out.to_str().unwrap(), "--sfz", "--filter", "Both"]);
    run.ends_with(0);
    let sfz = fs::read_to_string(out.join("Cues/Cues.sfz")).unwrap();
    // Each recording once alone, and both together.
    assert_eq!((sfz.matches("<region>").count(), sfz.matches("sample=Long.wav").count()), (4, 2), "{sfz}");
}

#[test]
fn files_for_loops_are_planned_like_all_others() {
    let (folder, file) = package();
    let out = folder.path().join("out");
    let to = out.to_str().unwrap();
    let planned = usampler(&["extract", &file, "-o", to, "--sfz", "--dry-run"]);
    assert!(with_slashes(&planned.out).contains("Cues loops/Short.wav"), "{}", planned.out);
    let in_the_way = out.join("Cues/Cues loops/Short.wav");
    fs::create_dir_all(in_the_way.parent().unwrap()).unwrap();
    fs::write(&in_the_way, "mine").unwrap();
    let run = usampler(&["extract", &file, "-o", to, "--sfz"]);
    run.ends_with(5);
    assert!(run.err.contains("nothing of this package was written"), "{}", run.err);
    assert!(!out.join("Cues/Short.wav").exists());
}

#[test]
fn a_note_without_a_loop_plays_out_even_if_the_cue_has_one() {
    let mut package = PackageWriter::new(868);
    let recording = |frames| wave::Wave::new(48_000, 1, Values::I16(vec![100; frames])).finish();
    let (short, long) = (recording(480), recording(2 * LONG));
    let short = package.wave(&Wave::new("Short", &short, b""));
    let long = package.wave(&Wave::new("Long", &long, b""));
    let looping = package.node("SoundNodeLooping", "Loop", &[Tag::objects("ChildNodes", &[short])]);
    let weights = Tag::floats("Weights", &[0.0, 1.0]);
    let random =
        package.node("SoundNodeRandom", "Random", &[Tag::objects("ChildNodes", &[looping, long]), weights]);
    package.node("SoundCue", "Cue", &[Tag::new("FirstNode", "ObjectProperty", &random.0.to_le_bytes())]);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("Cue.upk");
    fs::write(&path, package.finish()).unwrap();
    let run = usampler(&["render", path.to_str().unwrap(), "Cue", "-o", "-", "--hold", "0.1s"]);
    run.ends_with(0);
    assert_eq!(run.bytes.len(), 44 + 4 * 2 * LONG);
}

/// Returns the left values of a rendered sound.
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
    let (both, rest) = heard.split_at(480);
    assert!(both.iter().all(|value| *value == 1500));
    // The short layer ends at a level, so it fades for 5 ms while the long one goes on.
    let (fade, alone) = rest.split_at(240);
    assert!(fade.is_sorted_by(|one, next| one > next), "{fade:?}");
    assert!(fade.iter().all(|value| (500..=1500).contains(value)), "{fade:?}");
    assert!(alone.iter().all(|value| *value == 500));
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
    let plays: Vec<&str> = run.out.lines().map(|line| line.split('\t').nth(14).unwrap()).collect();
    assert_eq!(plays, ["plays", "", "", "1;2", "1"]);
    assert!(usampler(&["list", &file]).out.contains("ok, plays 2 sounds"));
}

#[test]
fn the_list_of_jam_has_room_for_what_a_cue_plays() {
    let (_folder, file) = package();
    let input = InputFile::open(Path::new(&file), &ReadingArgs::default()).unwrap();
    let package = input.package().unwrap();
    let lengths: Vec<String> = screen::entries(&package, None, screen::OptionNames::default())
        .into_iter()
        .map(|entry| entry.cell("length").to_owned())
        .collect();
    assert_eq!(lengths, ["0.01 s", "0.20 s", "2 sounds", "#1"]);
}

#[test]
fn extract_keeps_cues_in_instrument_files_and_says_so_where_it_cannot() {
    let (folder, file) = package();
    let out = folder.path().join("out");
    let run = usampler(&["extract", &file, "-o", out.to_str().unwrap()]);
    run.ends_with(0);
    assert_eq!(run.out.lines().count(), 2);
    assert!(run.err.contains("groups and cues left out: 2"), "{}", run.err);
    let run = usampler(&["extract", &file, "-o", out.to_str().unwrap(), "--sfz", "--sf2", "--force"]);
    run.ends_with(0);
    let sfz = fs::read_to_string(out.join("Cues/Cues.sfz")).unwrap();
    assert_eq!(sfz.matches("<region>").count(), 5, "{sfz}");
    assert!(sfz.contains("loop_start=8 loop_end=487\nsample=Cues loops/Short.wav"), "{sfz}");
    assert_eq!(fs::read(out.join("Cues/Cues loops/Short.wav")).unwrap()[40..44], 992_u32.to_le_bytes());
}
