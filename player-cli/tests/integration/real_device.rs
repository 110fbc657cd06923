//! `play` through a real audio stream: what is heard is what `render --limiter` writes.
//!
//! ```text
//! usampler play ─► ALSA ─► PulseAudio's null sink "ci" ─► its monitor ─► parec ─► compared with usampler render
//! ```
//!
//! `scripts/with-null-audio cargo test -p usampler-cli --test integration -- --ignored real_device`; with
//! `USAMPLER_SECONDS=60` it plays a minute instead of ten seconds.

use std::fs;

use fixtures::tape::{Tape, from_first_sound};
use tempfile::TempDir;

use crate::program::usampler;

/// Returns a song for the demo that lasts so many seconds: chords of all its sounds, struck at any frame, bent, held by
/// the pedal, and at times so loud that the limiter has to act.
fn song(seconds: u64) -> Vec<u8> {
    let mut state = 1_u32;
    let mut any = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut events: Vec<(u64, Vec<u8>)> = Vec::new();
    for channel in (0..8_u8).chain([9]) {
        events.push((0, vec![0xC0 | channel, channel]));
        events.push((0, vec![0xB0 | channel, 7, 127]));
    }
    let mut at = 0;
    while at < seconds * 48_000 {
        let channel = [0, 1, 2, 3, 4, 5, 6, 7, 9][any(9) as usize];
        let key = u8::try_from(36 + any(40)).unwrap();
        let velocity = u8::try_from(40 + any(88)).unwrap();
        let until = at + 2000 + u64::from(any(40_000));
        events.push((at, vec![0x90 | channel, key, velocity]));
        events.push((until, vec![0x80 | channel, key, 0]));
        match any(6) {
            0 => events.push((at + 500, vec![0xE0 | channel, 0, u8::try_from(any(128)).unwrap()])),
            1 => events.push((at, vec![0xB0 | channel, 64, 127])),
            2 => events.push((at, vec![0xB0 | channel, 64, 0])),
            _ => {}
        }
        at += u64::from(any(9000));
    }
    events.sort_by_key(|(at, _)| *at);
    let mut track = Vec::new();
    let mut before = 0;
    for (at, event) in events {
        let delta = at - before;
        before = at;
        let septets = [delta >> 14, delta >> 7, delta].map(|bits| u8::try_from(bits & 127).unwrap());
        track.extend([septets[0] | 128, septets[1] | 128, septets[2]]);
        track.extend(event);
    }
    track.extend([0, 0xFF, 0x2F, 0]);
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01".to_vec();
    // At 120 beats a minute a tick is a frame of 48 kHz.
    bytes.extend(24_000_u16.to_be_bytes());
    bytes.extend(b"MTrk");
    bytes.extend(u32::try_from(track.len()).unwrap().to_be_bytes());
    bytes.extend(track);
    bytes
}

/// What became of the sound between the program and the tape.
#[derive(Debug, Default)]
struct Damage {
    /// Places where the server had nothing to play, and filled in silence.
    gaps: usize,
    /// Values of that silence, and values that were never heard.
    silent: usize,
    dropped: usize,
}

/// Values by which two recordings are taken to agree again.
const SURE: usize = 512;
/// How far after a gap that is looked for.
const FAR: usize = 96_000;

/// Follows what was heard along what was rendered. Each difference has to be a gap: silence, after which it goes on
/// with what was rendered, there or further on. What it is otherwise comes back as an error.
fn compare(expected: &[f32], heard: &[f32]) -> Result<Damage, String> {
    let mut damage = Damage::default();
    let (mut from, mut at) = (0, 0);
    loop {
        let equal = expected[from..].iter().zip(&heard[at..]);
        let equal = equal.take_while(|(one, other)| one.to_bits() == other.to_bits()).count();
        (from, at) = (from + equal, at + equal);
        if from == expected.len() {
            let after = heard[at..].iter().all(|value| *value == 0.0);
            return if after { Ok(damage) } else { Err("something is heard after the end".to_owned()) };
        }
        // A recorder that stops within the silence at the end has missed nothing.
        if at == heard.len() && expected[from..].iter().all(|value| *value == 0.0) {
            return Ok(damage);
        }
        let silent = heard[at..].iter().take_while(|value| **value == 0.0).count();
        let next = heard.get(at + silent..at + silent + SURE);
        let resumed = next.and_then(|next| {
            // Silence of the song itself may stand at the seam.
            (0..FAR).find(|skipped| expected.get(from + skipped..from + skipped + SURE) == Some(next))
        });
        let Some(dropped) = resumed else {
            let seen =
                (&expected[from..(from + 6).min(expected.len())], &heard[at..(at + 6).min(heard.len())]);
            return Err(format!("value {from} of {} differs: {seen:?}; {damage:?}", expected.len()));
        };
        damage = Damage {
            gaps: damage.gaps + 1,
            silent: damage.silent + silent,
            dropped: damage.dropped + dropped,
        };
        (from, at) = (from + dropped, at + silent);
    }
}

/// As in the engine's own test: a busy machine wakes the device's thread too late now and then, and longer blocks leave
/// more time, until there is none to blame.
const BLOCKS: [&str; 5] = ["512", "512", "1024", "4096", "8192"];

#[test]
#[ignore = "needs scripts/with-null-audio"]
fn what_play_is_heard_to_play_is_bit_for_bit_what_render_writes_with_the_limiter() {
    assert!(std::env::var_os("CI_AUDIO_DIR").is_some(), "run it by scripts/with-null-audio");
    let seconds = std::env::var("USAMPLER_SECONDS").map_or(10, |text| text.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("song.mid"), song(seconds)).unwrap();
    let (song, wav) = (path("song.mid"), path("song.wav"));
    let run = usampler(&["render", "demo:", "--midi", &song, "--limiter", "--bits", "32f", "-o", &wav]);
    run.ends_with(0);
    let mut reader = hound::WavReader::open(&wav).unwrap();
    let rendered: Vec<f32> = reader.samples().map(Result::unwrap).collect();
    let loudest = rendered.iter().fold(0.0_f32, |loudest, value| loudest.max(value.abs()));
    assert!((0.8..0.892).contains(&loudest), "the limiter has to act: {loudest}");
    let expected = from_first_sound(&rendered);

    let mut late = Vec::new();
    for block in BLOCKS {
        let tape = Tape::roll();
        let run = usampler(&["play", "demo:", "--midi", &song, "--rate", "48000", "--buffer", block, "-v"]);
        run.ends_with(0);
        std::thread::sleep(std::time::Duration::from_millis(500));
        let recorded = tape.stop();
        let damage = compare(expected, from_first_sound(&recorded))
            .unwrap_or_else(|problem| panic!("{problem}\n{}{late:#?}", run.err));
        let said = run.err.lines().find(|line| line.contains("too late")).unwrap_or("no block came too late");
        println!("{seconds} s, {block} frames: {damage:?}; the program: {said}");
        if damage.gaps == 0 {
            return;
        }
        late.push((block, damage, said.to_owned()));
    }
    panic!("the machine was too slow each time: {late:#?}");
}

#[test]
fn a_comparison_tells_gaps_from_other_damage() {
    let song: Vec<f32> = (1_u16..6000).map(f32::from).collect();
    let with =
        |from: usize, silent: usize, to: usize| [&song[..from], &vec![0.0; silent], &song[to..]].concat();
    let damage = |heard: &[f32]| compare(&song, heard).map(|d| (d.gaps, d.silent, d.dropped));
    assert_eq!(damage(&song), Ok((0, 0, 0)));
    assert_eq!(damage(&[&song[..], &[0.0; 9]].concat()), Ok((0, 0, 0)));
    assert_eq!(damage(&with(1000, 300, 1000)), Ok((1, 300, 0)));
    assert_eq!(damage(&with(1000, 300, 1700)), Ok((1, 300, 700)));
    let mut wrong = song.clone();
    wrong[3000] += 1.0;
    assert!(damage(&wrong).is_err());
    assert!(damage(&[&song[..], &[1.0]].concat()).is_err());
    assert!(damage(&song[..5000]).is_err());
}
