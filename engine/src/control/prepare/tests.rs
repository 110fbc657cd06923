use fixtures::songs::{self, mono, of};
use song::{Hz, InstrumentIndex, LoopCount, LoopMode, LoopRange, Width};

use super::unrolled_loop::SHORT;
use super::*;
use crate::bank::{LoopOverride, LoopRegion};

fn looped(frames: Vec<i16>, start: u64, end: u64, mode: LoopMode) -> PreparedSample {
    let length = Frames::of(&frames);
    let recording = Recording::I16(Planes::new(vec![frames]).unwrap());
    let range =
        LoopRange::new(Frames::new(start), Frames::new(end), length, mode, LoopCount::Forever).unwrap();
    let sample = Sample::new(Origin::default(), recording, Width::Sixteen, Hz::new(1).unwrap())
        .with_loops(vec![range])
        .unwrap();
    track(&sample).unwrap()
}

fn planes(track: &PreparedSample) -> (&[i16], &[i16]) {
    match &track.planes {
        Padded::I16(Channels::Mono(lanes)) => (&lanes.main, &lanes.looped),
        _ => panic!("made of one 16-bit plane"),
    }
}

#[test]
fn a_recording_lies_between_silence_and_its_last_value() {
    let track = looped(vec![1, 2, 3], 0, 3, LoopMode::Forward);
    assert_eq!(planes(&track).0, [&[0; GUARD][..], &[1, 2, 3], &[3; HOLD + GUARD]].concat());
}

fn unlooped(planes: Vec<Vec<i16>>) -> PreparedSample {
    let recording = Recording::I16(Planes::new(planes).unwrap());
    let sample = Sample::new(Origin::default(), recording, Width::Sixteen, Hz::new(1).unwrap());
    track(&sample).unwrap()
}

#[test]
fn without_a_loop_the_last_value_is_held_and_no_plane_is_there_twice() {
    let track = unlooped(vec![vec![1, 2, 3]]);
    let (main, looped) = planes(&track);
    assert_eq!(main, [&[0; GUARD][..], &[1, 2, 3], &[3; HOLD + GUARD]].concat());
    assert!(std::ptr::eq(main, looped));
}

#[test]
fn an_end_is_silent_from_after_the_last_value_of_any_channel() {
    let ending = |planes| unlooped(planes).tail;
    assert_eq!(ending(vec![vec![1, 2, 3]]), Tail::Value);
    assert_eq!(ending(vec![vec![1, 2, 0]]), Tail::Silence(2));
    assert_eq!(ending(vec![vec![0, 0, 0]]), Tail::Silence(0));
    assert_eq!(ending(vec![vec![1, 2, 0, 0], vec![1, 0, 0, 0]]), Tail::Silence(2));
    assert_eq!(ending(vec![vec![0, 0], vec![0, -1]]), Tail::Value);
    assert_eq!(looped(vec![1, 0], 0, 1, LoopMode::Forward).tail, Tail::Looped);
}

#[test]
fn a_long_loop_gets_a_seam_and_goes_back_to_the_recording() {
    let (start, end, guard) = (10, 910, GUARD as i16);
    let track = looped((0..1000).collect(), start as u64, end as u64, LoopMode::Forward);
    let seam: Vec<i16> = (end - 2 * guard..end).chain(start..start + 2 * guard).collect();
    assert_eq!(planes(&track).1, seam);
    let (end, guard) = (910, GUARD as u32);
    let base = i64::from(end - 2 * guard);
    assert_eq!(
        track.loop_plan,
        LoopPlan { switch_at: end - guard, base, jump_at: end + guard, jump_by: 900 }
    );
}

#[test]
fn a_short_loop_is_written_out_in_whole_periods() {
    let track = looped(vec![7, 8, 9], 1, 3, LoopMode::Forward);
    let looped = planes(&track).1;
    let end = 2 * GUARD;
    assert_eq!(looped[..end - 3], vec![0; end - 3]);
    assert_eq!(looped[end - 3..end + 4], [7, 8, 9, 8, 9, 8, 9]);
    assert_eq!(looped.len(), 4 * GUARD + SHORT);
    let (base, jump_at) = (3 - 2 * GUARD as i64, (3 + GUARD + SHORT) as u32);
    assert_eq!(track.loop_plan, LoopPlan { switch_at: 0, base, jump_at, jump_by: SHORT as u32 });
}

#[test]
fn a_ping_pong_loop_sounds_its_turning_frames_twice() {
    let track = looped(vec![1, 2, 3, 4], 1, 4, LoopMode::PingPong);
    let first = 2 * GUARD - 4;
    assert_eq!(planes(&track).1[first..first + 13], [1, 2, 3, 4, 4, 3, 2, 2, 3, 4, 4, 3, 2]);
}

#[test]
fn an_instrument_can_be_made_to_repeat_and_to_play_through_without_another_copy() {
    let flat = mono((0..900).collect::<Vec<i16>>());
    let song = of(vec![flat.clone(), songs::looped(flat, 100, 700, LoopMode::Forward)]);
    let bank = Bank::prepare(&song).unwrap();
    let [one, other] = [0, 1].map(InstrumentIndex::new);
    let loops = |bank: &Bank| [one, other].map(|index| bank.is_looped(index));
    assert_eq!(loops(&bank), [false, true]);
    let turned = bank.with_override(one, LoopOverride::On).with_override(other, LoopOverride::Off);
    assert_eq!(loops(&turned), [true, false]);
    assert_eq!(turned.tracks.len(), 4);
    for (number, variant) in [(0, 2), (1, 3)] {
        assert!(std::ptr::eq(planes(&turned.tracks[number]).0, planes(&turned.tracks[variant]).0));
    }
    assert_eq!(
        (turned.tracks[2].loop_plan.switch_at, turned.tracks[3].loop_plan.switch_at),
        (900 - GUARD as u32, 900)
    );
    let back = [
        (one, LoopOverride::Off),
        (other, LoopOverride::On),
        (one, LoopOverride::On),
        (one, LoopOverride::Off),
    ]
    .into_iter()
    .fold(turned, |bank, (index, how)| bank.with_override(index, how));
    assert_eq!((loops(&back), back.tracks.len()), ([false, true], 4));
    assert_eq!(loops(&bank), [false, true], "the first is as it was");
    assert_eq!(loops(&bank.with_override(InstrumentIndex::new(9), LoopOverride::On)), [false, true]);
}

#[test]
fn an_instrument_can_be_made_to_repeat_other_frames_than_its_loop() {
    let flat = mono((0..900).collect::<Vec<i16>>());
    let song = of(vec![flat.clone(), songs::looped(flat, 100, 700, LoopMode::PingPong)]);
    let bank = Bank::prepare(&song).unwrap();
    let range = |bank: &Bank, index, start, end| {
        bank.with_override(
            InstrumentIndex::new(index),
            LoopOverride::Range(Frames::new(start), Frames::new(end)),
        )
    };
    let region = |bank: &Bank, index: usize| {
        let zone = bank.instruments[index].zones()[0].clone();
        bank.track(bank.track_of(InstrumentIndex::new(index), &zone).unwrap()).unwrap().loop_region
    };
    let forward = |start, end| Some(LoopRegion { start, end, mode: LoopMode::Forward });
    let turned = range(&range(&bank, 0, 300, 900), 1, 2, 3);
    assert_eq!([region(&turned, 0), region(&turned, 1)], [forward(300, 900), forward(2, 3)]);
    assert_eq!(turned.tracks.len(), 4);
    assert_eq!(range(&turned, 0, 300, 900).tracks.len(), 4, "it is there already");
    for (start, end) in [(5, 5), (6, 5), (0, 901), (0, u64::MAX)] {
        assert_eq!(region(&range(&bank, 0, start, end), 0), None, "{start}..{end} is no loop of it");
    }
}

#[test]
fn values_nobody_can_hear_become_silence() {
    let clean = [f32::NAN, f32::INFINITY, f32::MIN, 1e-30, -1e-14, 2.0, -MAX_MAGNITUDE].map(audible);
    assert_eq!(clean, [0.0, 0.0, 0.0, 0.0, -1e-14, 2.0, -MAX_MAGNITUDE]);
}

#[test]
fn a_recording_beyond_the_longest_is_refused_by_name() {
    let frames = Frames::new;
    let drone = Origin { group: "Ambient.Wind".to_owned(), name: "Drone".to_owned(), ..Origin::default() };
    assert_eq!(fitting(&drone, frames(MAX_FRAMES)), Ok(1 << 30));
    let refused = |origin: &Origin| fitting(origin, frames(MAX_FRAMES + 1)).unwrap_err().to_string();
    let what = "has 1073741825 frames, 1073741824 can be played";
    assert_eq!(refused(&drone), format!("Ambient.Wind.Drone {what}"));
    assert_eq!(refused(&Origin::default()), format!("a recording {what}"));
}

#[test]
fn banks_that_share_a_recording_take_its_memory_once() {
    let sample = songs::looped(mono([1, 2, 3, 4]), 1, 3, LoopMode::Forward);
    let recording = PreparedRecording::new(&sample).unwrap();
    // 4 frames between their guards; before the loop's end and after it as many again, and whole turns of the loop.
    let main = 4 + 2 * GUARD + HOLD;
    let looped = 4 * GUARD + SHORT;
    assert_eq!(recording.bytes(), 2 * (main + looped) as u64);
    let bank = || Bank::of_recordings(vec![recording.clone()], Vec::new(), Arc::from([]));
    let banks = [bank(), bank()];
    let [one, other] = [0, 1].map(|place| planes(&banks[place].tracks[0]).0.as_ptr());
    assert_eq!(one, other);
}
