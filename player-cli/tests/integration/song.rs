//! Songs of tracker modules through the whole program: their length told, rendered whole, in channels, traced.

use crate::program;
use std::fs;

use fixtures::module::it::{self, It};
use program::usampler;
use serde_json::Value;
use tempfile::TempDir;

/// Writes a module of two channels and two subsongs: four rows of six ticks of 20 ms, and twice as many.
fn folder() -> (TempDir, String) {
    let sample = it::Sample { flags: 1, conversion: 1, length: 4000, data: vec![100; 4000] };
    let cells = vec![0x81, 3, 60, 1, 0x82, 3, 64, 1, 0, 0, 0, 0];
    let file = It {
        samples: vec![sample],
        patterns: vec![Some((4, cells))],
        orders: vec![0, 255, 0, 0, 255],
        ..It::new(0x214)
    };
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("song.it"), file.finish().bytes).unwrap();
    let path = folder.path().join("song.it").to_str().unwrap().to_owned();
    (folder, path)
}

/// Renders the song with these options. Returns the frames of both channels, at 48,000 Hz.
fn rendered(file: &str, options: &[&str]) -> Vec<f32> {
    let out = format!("{file}.wav");
    let line = [&["render", file, "--force", "--tail", "0s", "--bits", "32f", "-o", &out], options].concat();
    usampler(&line).ends_with(0);
    hound::WavReader::open(&out).unwrap().samples().map(Result::unwrap).collect()
}

/// Returns the length in ms.
fn length(samples: &[f32]) -> usize {
    samples.len() / 2 / 48
}

#[test]
fn info_tells_how_long_each_song_is() {
    let (_folder, file) = folder();
    let run = usampler(&["info", "--json", &file]);
    run.ends_with(0);
    let info: Value = serde_json::from_str(&run.out).unwrap();
    let songs = info["songs"].as_array().unwrap();
    let seconds: Vec<f64> = songs.iter().map(|song| song["seconds"].as_f64().unwrap()).collect();
    assert_eq!(seconds.iter().map(|time| (time * 100.0).round()).collect::<Vec<_>>(), [48.0, 96.0]);
}

#[test]
fn info_marks_a_duration_that_is_a_limit() {
    let (folder, _) = folder();
    // Rows of 255 ticks, 16,320 ticks an order; songs are followed for 720,000.
    let cells = [vec![1, 2, 0x40, 0x81, 8, 1, 0xFF, 0], vec![0; 63]].concat();
    for (orders, line, is_longer) in
        [(40, "  duration     ", false), (50, "  duration     longer than 240:00.00", true)]
    {
        let file = It {
            patterns: vec![Some((64, cells.clone()))],
            orders: [vec![0; orders], vec![255]].concat(),
            ..It::new(0x214)
        };
        let path = folder.path().join("long.it").to_str().unwrap().to_owned();
        fs::write(&path, file.finish().bytes).unwrap();
        let info: Value = serde_json::from_str(&usampler(&["info", "--json", &path]).out).unwrap();
        let songs = info["songs"].as_array().unwrap();
        assert_eq!((songs.len(), &songs[0]["is_longer"]), (1, &Value::from(is_longer)), "{info}");
        let run = usampler(&["info", &path]);
        let found = run.out.lines().find(|printed| printed.starts_with(line));
        assert!(found.is_some_and(|found| found.contains("longer") == is_longer), "{}", run.out);
    }
}

#[test]
fn a_song_is_rendered_to_where_it_would_repeat_itself() {
    let (_folder, file) = folder();
    assert_eq!(length(&rendered(&file, &[])), 480);
    assert_eq!(length(&rendered(&file, &["--loops", "2"])), 1440);
    assert_eq!(length(&rendered(&file, &["--seconds", "0.1"])), 100);
    assert_eq!(length(&rendered(&file, &["--subsong", "2"])), 960);
    assert_eq!(length(&rendered(&file, &["--order", "3"])), 480);
}

#[test]
fn channels_are_heard_alone_or_not_and_add_up() {
    let (folder, file) = folder();
    let stems = folder.path().join("stems");
    let whole = rendered(&file, &["--stems", stems.to_str().unwrap()]);
    let first = rendered(&file, &["--solo", "1"]);
    let second = rendered(&file, &["--mute", "1"]);
    assert!(first.iter().any(|value| *value != 0.0) && first != second);
    let far = |of: f32, from: f32| (of - from).abs() > 1e-6;
    assert!(
        !whole.iter().zip(&first).zip(&second).any(|((whole, first), second)| far(*whole, first + second))
    );
    for (number, alone) in [("01", first), ("02", second)] {
        let path = stems.join(format!("song channel {number}.wav"));
        let stem: Vec<f32> = hound::WavReader::open(path).unwrap().samples().map(Result::unwrap).collect();
        assert!(stem == alone);
    }
}

#[test]
fn a_trace_takes_the_place_of_nothing_unless_it_is_told_to() {
    let (folder, file) = folder();
    let [trace, out] = ["trace.jsonl", "out.wav"].map(|name| folder.path().join(name));
    fs::write(&trace, "mine").unwrap();
    let line = ["render", "-q", "--trace", trace.to_str().unwrap(), "-o", out.to_str().unwrap(), &file];
    usampler(&line).ends_with(5);
    assert_eq!((fs::read_to_string(&trace).unwrap().as_str(), out.exists()), ("mine", false));
    usampler(&[&line[..], &["--force"]].concat()).ends_with(0);
    assert!(fs::read_to_string(&trace).unwrap().starts_with('{'));
}

#[test]
fn a_folder_of_songs_is_played_one_after_another_and_what_is_no_song_is_left_out() {
    let (folder, _) = folder();
    fs::copy(folder.path().join("song.it"), folder.path().join("another.it")).unwrap();
    let other = folder.path().join("none");
    fs::create_dir(&other).unwrap();
    let path = folder.path().to_str().unwrap();
    let run = usampler(&["play", path, "--device", "null"]);
    run.ends_with(0);
    let places: Vec<usize> = ["playing 1 of 2: another", "playing 2 of 2: song"]
        .map(|line| run.err.find(line).unwrap_or_else(|| panic!("{line}: {}", run.err)))
        .to_vec();
    assert!(places.is_sorted());
    usampler(&["play", path, "--device", "null", "--shuffle"]).ends_with(0);
    let run = usampler(&["play", other.to_str().unwrap(), "--device", "null"]);
    run.ends_with(3);
    assert!(run.err.contains("no songs"), "{}", run.err);
}

#[test]
fn one_song_is_not_shuffled() {
    let (_folder, file) = folder();
    usampler(&["play", &file, "--device", "null", "--shuffle"]).ends_with(2);
}

#[test]
fn a_trace_has_a_line_for_each_tick() {
    let (folder, file) = folder();
    let trace = folder.path().join("trace.jsonl");
    rendered(&file, &["--trace", trace.to_str().unwrap()]);
    let text = fs::read_to_string(trace).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ticks: Vec<(u64, u64)> =
        lines.iter().map(|line| (line["row"].as_u64().unwrap(), line["tick"].as_u64().unwrap())).collect();
    let expected: Vec<(u64, u64)> = (0..4).flat_map(|row| (0..6).map(move |tick| (row, tick))).collect();
    assert_eq!(ticks[..24], expected);
    let voices = lines[0]["v"].as_array().unwrap();
    assert_eq!(voices.len(), 2);
    assert_eq!((voices[0]["ch"].as_u64(), voices[0]["smp"].as_u64()), (Some(0), Some(0)));
}

#[test]
fn options_that_ask_for_what_is_not_there_are_refused() {
    let (_folder, file) = folder();
    for options in [&["--subsong", "3"][..], &["--order", "9"], &["--solo", "70"], &["--seconds", "x"]] {
        let run = usampler(&[&["render", &file, "-o", "-"], options].concat());
        run.ends_with(2);
        assert!(run.err.contains("error: "), "{}", run.err);
    }
    let run = usampler(&["render", "demo:", "--subsong", "1", "-o", "out.wav"]);
    run.ends_with(2);
}

#[test]
fn a_song_is_played_on_a_device_that_is_there() {
    let (_folder, file) = folder();
    let run = usampler(&["play", &file, "--device", "null"]);
    run.ends_with(0);
    assert!(run.err.contains("playing song"), "{}", run.err);
}
