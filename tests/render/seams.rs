//! Loops without clicks.

use std::f64::consts::PI;

use engine::Quality;
use fixtures::signal::{dithered, sine, snr};
use fixtures::songs::{looped, mono, mono_float, of};
use song::{LoopMode, Sample, Song, SongParts};

use super::rig::Rig;

const RATE: f64 = 48_000.0;
const TEN_SECONDS: u64 = 480_000;

/// Returns the noise of the first and of the last second and a half of ten seconds of a held note.
fn held(quality: Quality, source: &Sample, cycles_per_frame: f64, semitones: i32) -> [f64; 2] {
    let mut rig = Rig::interpolating(quality, &of(vec![source.clone()]));
    rig.play(0, semitones);
    let heard = rig.left(TEN_SECONDS);
    let frequency = cycles_per_frame * RATE * (f64::from(semitones) / 12.0).exp2();
    let window = 1 << 16;
    [&heard[400..][..window], &heard[heard.len() - window..]].map(|tree| snr(tree, frequency, RATE))
}

fn is_clean(source: &Sample, cycles_per_frame: f64, semitones: i32, what: &str) {
    for quality in [Quality::Normal, Quality::Max] {
        for noise in held(quality, source, cycles_per_frame, semitones) {
            assert!(noise > 60.0, "{what}, {quality}, {semitones:+}: {noise:.1} dB");
        }
    }
}

#[test]
fn a_loop_of_whole_periods_is_heard_as_if_there_were_none() {
    // Loops of some frames with some periods in them: long, odd, as short as the seam, shorter than a kernel reaches.
    for (length, periods) in [(4800, 100), (4801, 60), (480, 10), (97, 2), (64, 1), (61, 1), (33, 1), (32, 1)]
    {
        let cycles = f64::from(periods) / f64::from(length);
        for start in [0, 7, 1000] {
            let frames = start + length as usize;
            let recording = mono(dithered(sine(cycles, 0.5)).take(frames + 3));
            let source = looped(recording, start as u64, frames as u64, LoopMode::Forward);
            for semitones in [-7, 0, 5] {
                is_clean(&source, cycles, semitones, &format!("{length} frames from {start}"));
            }
        }
    }
}

#[test]
fn a_zone_without_end_repeats_the_whole_of_its_sample_and_shares_it() {
    for length in [4800, 97, 32, 5, 1] {
        let values = || dithered(sine(0.03, 0.5)).take(length);
        let plain = of(vec![mono(values())]);
        let mut endless = plain.instruments()[0].clone();
        endless.tree = plain.instruments()[0].zones()[0].clone().loop_whole().into();
        let instruments = vec![plain.instruments()[0].clone(), endless];
        let samples = plain.samples().to_vec();
        let both = Song::new(SongParts { samples, instruments, ..SongParts::default() }).unwrap();
        let looped = of(vec![looped(mono(values()), 0, length as u64, LoopMode::Forward)]);
        let heard = |song: &Song, index| {
            let mut rig = Rig::new(song);
            rig.play(index, 3);
            rig.left(10_000)
        };
        assert!(heard(&both, 1) == heard(&looped, 0), "{length}");
        assert_eq!(heard(&both, 0).last(), Some(&0.0), "the same sample plays to its end elsewhere");
    }
    let has_own = looped(mono((0..100).collect::<Vec<i16>>()), 10, 20, LoopMode::Forward);
    let song = of(vec![has_own]);
    let mut endless = song.instruments()[0].clone();
    endless.tree = song.instruments()[0].zones()[0].clone().loop_whole().into();
    let trees =
        SongParts { samples: song.samples().to_vec(), instruments: vec![endless], ..SongParts::default() };
    let [mut own, mut same] = [&song, &Song::new(trees).unwrap()].map(Rig::new);
    own.play(0, 0);
    same.play(0, 0);
    assert_eq!(own.left(1000), same.left(1000), "a loop of its own is kept");
}

#[test]
fn a_ping_pong_loop_of_half_periods_is_heard_as_if_there_were_none() {
    for (length, halves) in [(4800, 100), (481, 11), (65, 3), (31, 1)] {
        let cycles = f64::from(halves) / f64::from(2 * length);
        // Between its turning frames, which sound twice, a cosine is its own mirror image.
        let cosine = |frame: i32| 0.5 * (2.0 * PI * cycles * (f64::from(frame) + 0.5)).cos();
        for start in [0, 2 * length] {
            let recording = mono(dithered((0..start + length).map(|frame| cosine(frame - start))));
            let source = looped(recording, start as u64, (start + length) as u64, LoopMode::PingPong);
            for semitones in [-7, 0, 5] {
                is_clean(&source, cycles, semitones, &format!("{length} frames from {start}"));
            }
        }
    }
}

#[test]
fn a_loop_of_one_frame_holds_its_value() {
    for mode in [LoopMode::Forward, LoopMode::PingPong, LoopMode::ShortPingPong] {
        let source = looped(mono_float([0.1, 0.2, 0.7, 0.4]), 2, 3, mode);
        let mut rig = Rig::new(&of(vec![source]));
        rig.play(0, -5);
        let heard = rig.left(5000).split_off(50);
        assert!(heard.iter().all(|&frame| (frame - 0.7).abs() < 1e-6), "{mode:?}");
    }
}

#[test]
fn a_loop_of_two_frames_alternates() {
    let source = looped(mono_float([0.5, 0.25, -0.25]), 1, 3, LoopMode::Forward);
    let mut rig = Rig::new(&of(vec![source]));
    rig.play(0, 0);
    let expected = [0.25, -0.25].repeat(1000);
    assert_eq!(rig.left(2001)[1..], expected);
}

#[test]
fn a_loop_goes_on_through_the_release() {
    let source = looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward);
    let mut rig = Rig::new(&of(vec![source]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, super::rig::frame(1000)).unwrap();
    let heard = rig.left(4000);
    // 50 ms are 2400 frames.
    assert_eq!(heard[1000], 0.5);
    assert!((heard[1000 + 1200] - 0.25).abs() < 1e-6);
    assert!(heard[1000 + 2399] > 0.0);
    assert_eq!(heard[1000 + 2400..], [0.0; 600]);
}

#[test]
fn only_the_first_loop_plays() {
    let frames: Vec<f32> = (0..200).map(|frame| if frame < 100 { 0.5 } else { -0.5 }).collect();
    let source = mono_float(frames);
    let loops = [(10, 90), (110, 190)]
        .map(|(start, end)| looped(source.clone(), start, end, LoopMode::Forward).loops()[0]);
    let mut rig = Rig::new(&of(vec![source.with_loops(loops.to_vec()).unwrap()]));
    rig.play(0, 0);
    assert!(rig.left(5000).iter().all(|&frame| frame == 0.5));
}
