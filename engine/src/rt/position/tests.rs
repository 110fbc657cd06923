use std::sync::Arc;

use proptest::prelude::*;
use song::{
    Frames, LoopCount, LoopMode, LoopRange, Origin, Planes, Recording, Sample, Song, SongParts, Width,
};

use super::*;
use crate::bank::{Bank, Channels, Padded};

/// Returns frames that say where they are: the first is 1, so that silence is not among them.
fn numbered(length: i16, range: Option<(u64, u64, LoopMode)>) -> Bank {
    let recording = Recording::I16(Planes::new(vec![(1..=length).collect()]).unwrap());
    let mut sample = Sample::new(Origin::default(), recording, Width::Sixteen, Hz::new(1).unwrap());
    if let Some((start, end, mode)) = range {
        let frames = Frames::new;
        let range = LoopRange::new(frames(start), frames(end), sample.length(), mode, LoopCount::Forever);
        sample = sample.with_loops(vec![range.unwrap()]).unwrap();
    }
    let song = Song::new(SongParts { samples: vec![Arc::new(sample)], ..SongParts::default() }).unwrap();
    Bank::prepare(&song).unwrap()
}

/// Returns the windows, GUARD frames to both sides, that a voice sees at each of its frames.
fn windows(track: &PreparedSample, step: PositionStep, frames: usize, cut: usize) -> Vec<Vec<i16>> {
    let Padded::I16(Channels::Mono(lanes)) = &track.planes else { panic!("made of one 16-bit plane") };
    let mut position = Position::default();
    let mut seen = Vec::new();
    while seen.len() < frames {
        let run = position.run(track, step, cut.min(frames - seen.len()));
        assert!(run.frames > 0);
        let plane = run.plane.of(lanes);
        for i in 0..run.frames as u64 {
            let index = ((run.from + i * step.get()) >> 32) as usize;
            seen.push(plane[index - GUARD..=index + GUARD].to_vec());
        }
        position.advance(track, step, run.frames);
    }
    seen
}

/// Returns what lies at a frame if the loop is written out without end.
fn written_out(length: i64, range: Option<(u64, u64, LoopMode)>, frame: i64) -> i16 {
    let source = match range {
        Some((start, end, mode)) if frame >= end as i64 => {
            let (start, end) = (start as i64, end as i64);
            let turn: Vec<i64> = match mode {
                LoopMode::Forward => (start..end).collect(),
                LoopMode::PingPong => (start..end).chain((start..end).rev()).collect(),
                LoopMode::ShortPingPong => (start..end).chain((start..end - 1).rev()).collect(),
            };
            turn[((frame - start) as usize) % turn.len()]
        }
        Some(_) => frame,
        None => frame.min(length - 1),
    };
    if (0..length).contains(&source) { source as i16 + 1 } else { 0 }
}

fn at_hz(hz: f64) -> PositionStep {
    PositionStep::new(hz, Hz::new(1).unwrap())
}

#[test]
fn a_recording_without_a_loop_is_read_once_and_then_held() {
    let bank = numbered(3, None);
    let seen = windows(&bank.tracks[0], at_hz(1.0), 999, 999);
    let middles: Vec<_> = seen.iter().map(|window| window[GUARD]).collect();
    assert_eq!(middles[..3], [1, 2, 3]);
    assert_eq!(middles[3..], [3; 996]);
}

/// Returns the number of frames of output up to the end of a recording, read in runs of at most so many.
fn lasts(frames: i16, hz: f64, most: usize) -> usize {
    let bank = numbered(frames, None);
    let (track, step) = (&bank.tracks[0], at_hz(hz));
    let (mut position, mut lasted) = (Position::default(), 0);
    while !position.has_ended(track) {
        let run = position.run(track, step, most);
        position.advance(track, step, run.frames);
        lasted += run.frames;
    }
    assert!(position.0 < frame(frames as u32) + step.get(), "the run ended after the recording");
    lasted
}

#[test]
fn a_run_ends_with_the_first_frame_that_is_not_before_the_end() {
    for most in [1, 2, 1000] {
        assert_eq!(lasts(1, 1.0, most), 1);
        assert_eq!(lasts(1, 0.5, most), 2);
        assert_eq!(lasts(100, 1.0, most), 100);
        assert_eq!(lasts(100, 1.5, most), 67);
        assert_eq!(lasts(100, 64.0, most), 2);
    }
}

#[test]
fn a_loop_never_ends() {
    let bank = numbered(3, Some((1, 2, LoopMode::Forward)));
    let (track, mut position) = (&bank.tracks[0], Position::default());
    position.advance(track, at_hz(1.0), 10_000);
    assert!(!position.has_ended(track));
}

#[test]
fn a_loop_of_one_frame_holds_it() {
    let bank = numbered(3, Some((1, 2, LoopMode::Forward)));
    let seen = windows(&bank.tracks[0], at_hz(1.0), 500, 500);
    assert!(seen[2 + GUARD..].iter().all(|window| window.iter().all(|&value| value == 2)));
}

#[test]
fn absurd_steps_become_the_slowest_and_the_fastest() {
    let steps = [0.0, f64::NAN, -1.0, 1e-9, 1e9, f64::INFINITY].map(|hz| at_hz(hz).get());
    assert_eq!(steps, [MIN_STEP, MIN_STEP, MIN_STEP, MIN_STEP, MAX_STEP, MAX_STEP]);
    assert_eq!(at_hz(1.0).get(), ONE);
}

#[test]
fn an_hour_of_steps_ends_on_the_frame_it_should() {
    let bank = numbered(1000, Some((0, 1000, LoopMode::Forward)));
    let track = &bank.tracks[0];
    let mut position = Position::default();
    let step = at_hz(1.5);
    for _ in 0..48_000 * 36 {
        position.advance(track, step, 100);
    }
    let gone = 48_000 * 3600 * 3 / 2;
    assert_eq!(position.0 % frame(1000), frame(gone % 1000));
}

proptest! {
    #[test]
    fn every_window_is_that_of_the_loop_written_out(
        length in 1_i64..200,
        place in (0.0..1.0, 0.0..1.0, 0_usize..3, any::<bool>()),
        hz in prop_oneof![Just(1.0), 0.02..4.0, 4.0..64.0],
        cut in 1_usize..100,
    ) {
        let (from, to, mode, loops) = place;
        let start = (from * length as f64) as u64;
        let end = start + 1 + (to * (length as u64 - start - 1) as f64) as u64;
        let mode = [LoopMode::Forward, LoopMode::PingPong, LoopMode::ShortPingPong][mode];
        let range = loops.then_some((start, end, mode));
        let bank = numbered(length as i16, range);
        let track = &bank.tracks[0];
        let step = at_hz(hz);
        let seen = windows(track, step, 600, 600);
        prop_assert_eq!(&seen, &windows(track, step, 600, cut));
        let guard = GUARD as i64;
        for (i, window) in seen.iter().enumerate() {
            let here = ((i as u64 * step.get()) >> 32) as i64;
            let expected: Vec<i16> =
                (here - guard..=here + guard).map(|frame| written_out(length, range, frame)).collect();
            prop_assert_eq!(window, &expected, "frame {} of the output, {} of the recording", i, here);
        }
    }
}

#[test]
fn a_loop_that_is_left_for_one_that_ends_before_goes_on_within_that() {
    let [held, after] =
        [(600, 900), (0, 300)].map(|(start, end)| numbered(900, Some((start, end, LoopMode::Forward))));
    let (held, after) = (&held.tracks[0], &after.tracks[0]);
    let mut position = Position::default();
    position.advance(held, PositionStep::ONE, 850);
    position.leave(held, after);
    let run = position.run(after, PositionStep::ONE, 16);
    assert_eq!((run.frames, position.frame(after)), (16, 850 % 300));
}

#[test]
fn a_recording_of_one_frame_a_second_lasts_that_long() {
    for rate in [8000, 48_000, 192_000] {
        let step = PositionStep::new(1.0, Hz::new(rate).unwrap()).get() as f64 / ONE as f64;
        assert!((step * f64::from(rate) - 1.0).abs() < 1e-4, "{rate} Hz: {step}");
    }
}
