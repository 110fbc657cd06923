//! Notes that move while they sound: envelopes, fadeout, filter, vibrato, and loops that a release leaves.

use std::time::Duration;

use engine::{Interpolation, Quality};
use fixtures::signal::sine;
use fixtures::songs::{articulated, curve, looped, mono_float, of, sustained, sustaining, unmoved};
use song::module::{LfoWave, VibratoSweep};
use song::{
    Decibels, FadeStart, Frames, LoopMode, LowPass, Pan, PitchLfo, Sample, Song, TickEnvelope, TickLoop,
    TickLoops, TrackerArticulation,
};

use super::rig::{Rig, frame};

/// A tick of 20 ms at 48 kHz.
const TICK: usize = 960;

/// Returns a constant, held.
fn constant(value: f32) -> Sample {
    looped(mono_float([value; 100]), 0, 100, LoopMode::Forward)
}

/// Returns a sine of so many hertz, held.
fn tone(hz: f64) -> Sample {
    let frames: Vec<f32> = sine(hz / 48_000.0, 0.5).take(48_000).map(|value| value as f32).collect();
    looped(mono_float(frames), 0, 48_000, LoopMode::Forward)
}

fn playing(sample: Sample, articulation: TrackerArticulation) -> Rig {
    let mut rig = Rig::new(&articulated(vec![(sample, articulation)]));
    rig.play(0, 0);
    rig
}

fn it() -> TrackerArticulation {
    unmoved(FadeStart::AtEnvelopeEnd)
}

/// Returns an envelope that stays between two ticks while the key is held.
fn envelope(points: &[(u16, i8)], sustain: Option<[u16; 2]>) -> Option<TickEnvelope> {
    Some(curve(points, sustain.map_or_else(TickLoops::default, |[start, end]| sustaining(start, end))))
}

fn near(found: f32, wanted: f32) -> bool {
    (found - wanted).abs() < 1e-5
}

/// Returns upward zero crossings.
fn turns(frames: &[f32]) -> usize {
    frames.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
}

fn power(frames: &[f32]) -> f32 {
    frames.iter().map(|value| value * value).sum::<f32>() / frames.len() as f32
}

#[test]
fn an_articulation_that_changes_nothing_changes_no_bit() {
    let still = TrackerArticulation { volume: envelope(&[(0, 64), (9, 64)], None), ..it() };
    let mut moved = playing(tone(440.0), still);
    let mut plain = Rig::new(&of(vec![tone(440.0)]));
    plain.play(0, 0);
    assert_eq!(moved.render(5000), plain.render(5000));
}

#[test]
fn volume_follows_its_points() {
    let volume = envelope(&[(0, 64), (1, 0), (2, 32)], None);
    let heard = playing(constant(0.5), TrackerArticulation { volume, ..it() }).left(4 * TICK as u64);
    for (frame, wanted) in [(0, 0.5), (TICK / 2, 0.25), (TICK, 0.0), (3 * TICK / 2, 0.125), (2 * TICK, 0.25)]
    {
        assert!(near(heard[frame], wanted), "{} at {frame}", heard[frame]);
    }
    assert!(heard[2 * TICK..].iter().all(|&value| near(value, 0.25)));
    assert!(heard.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.001), "no step");
}

#[test]
fn a_note_stays_where_its_volume_sustains_and_ends_with_it() {
    let volume = envelope(&[(0, 64), (1, 32), (3, 0)], Some([1, 1]));
    let mut rig = Rig::new(&articulated(vec![(constant(0.5), TrackerArticulation { volume, ..it() })]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, frame(5000)).unwrap();
    let heard = rig.left(8000);
    assert!(heard[TICK..5000].iter().all(|&value| near(value, 0.25)));
    assert!(heard[5001..].windows(2).all(|pair| pair[1] <= pair[0]), "it falls from there");
    assert!(heard[5200] < 0.25, "at once, and not with the next tick");
    let [end] = rig.ends()[..] else { panic!("one end") };
    assert!((5000 + TICK..5000 + 2 * TICK + 64).contains(&(end as usize)), "{end}");
    assert_eq!(heard[end as usize], 0.0);
}

#[test]
fn a_note_whose_volume_stays_at_silence_after_the_release_follows_it_there() {
    let at = |tick| Some(TickLoop { start: tick, jump_from: tick, jump_to: u16::MAX });
    let loops = TickLoops { held: at(2), released: at(8), sustained_until: Some(2), ..TickLoops::default() };
    let volume = Some(curve(&[(0, 64), (2, 32), (8, 0)], loops));
    let mut rig = Rig::new(&articulated(vec![(constant(0.5), TrackerArticulation { volume, ..it() })]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, frame(5 * TICK as u64)).unwrap();
    let heard = rig.left(16 * TICK as u64);
    assert!(near(heard[5 * TICK - 1], 0.25) && near(heard[8 * TICK], 0.125), "{}", heard[8 * TICK]);
    assert_eq!(heard[11 * TICK], 0.0);
    let [end] = rig.ends()[..] else { panic!("one end") };
    assert!((11 * TICK..12 * TICK + 64).contains(&(end as usize)), "{end}");
}

#[test]
fn a_released_note_fades_by_its_fadeout() {
    let mut rig =
        Rig::new(&articulated(vec![(constant(0.5), TrackerArticulation { fadeout: 16_384, ..it() })]));
    let note = rig.play(0, 0);
    // In the middle of the third tick.
    let off = 5 * TICK / 2;
    rig.controller.note_off(note, frame(off as u64)).unwrap();
    let heard = rig.left(6000);
    assert!(heard[..off].iter().all(|&value| value == 0.5));
    let after = |ticks: usize| heard[off + ticks * TICK / 2];
    assert!(near(after(2), 0.25) && near(after(3), 0.125), "half of it in each tick");
    assert!(heard[off + 2 * TICK..].iter().all(|&value| value == 0.0), "a tick begins with the release");
    assert_eq!(rig.ends(), [(off + 2 * TICK) as u64]);
}

#[test]
fn a_note_of_impulse_tracker_fades_when_its_volume_is_over_and_one_of_fasttracker_stays() {
    let volume = envelope(&[(0, 64), (1, 32)], None);
    let heard = |fade_start| {
        let articulation =
            TrackerArticulation { volume: volume.clone(), fadeout: 16_384, ..unmoved(fade_start) };
        playing(constant(0.5), articulation).left(4 * TICK as u64)
    };
    assert!(near(heard(FadeStart::AtEnvelopeEnd)[2 * TICK], 0.125));
    assert!(near(heard(FadeStart::AtRelease)[4 * TICK - 1], 0.25));
}

#[test]
fn without_an_end_of_its_own_a_released_note_fades_like_any() {
    let pan = envelope(&[(0, 0)], None);
    let mut rig = Rig::new(&articulated(vec![(constant(0.5), TrackerArticulation { pan, ..it() })]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, frame(1000)).unwrap();
    rig.left(5000);
    assert_eq!(rig.ends(), [1000 + 2400], "50 ms");
}

#[test]
fn pan_goes_as_far_as_there_is_room() {
    let pan = envelope(&[(0, 0), (1, 32), (2, -32)], None);
    let heard = |own: f32| {
        let song = articulated(vec![(constant(0.5), TrackerArticulation { pan: pan.clone(), ..it() })]);
        let mut rig = Rig::new(&song);
        let note = engine::Note { pan: Pan::new(own).unwrap(), ..Rig::note(0, 0) };
        rig.controller.note_on(note).unwrap();
        rig.render(3 * TICK as u64)
    };
    let [left, right] = heard(0.0);
    assert!(near(left[0], 0.5) && near(right[0], 0.5));
    assert!(near(left[TICK], 0.0) && near(right[TICK], 0.5 * 2_f32.sqrt()));
    assert!(near(left[2 * TICK], 0.5 * 2_f32.sqrt()) && near(right[2 * TICK], 0.0));
    // Half way to the right there is half the room to either side.
    let [left, right] = heard(0.5);
    assert!(near(left[TICK], 0.0), "{}", left[TICK]);
    assert!(near(left[2 * TICK], 0.5) && near(right[2 * TICK], 0.5));
}

#[test]
fn pitch_goes_up_by_half_semitones_in_steps() {
    let pitch = envelope(&[(0, 0), (50, 0), (50, 24)], None);
    let heard = playing(tone(480.0), TrackerArticulation { pitch, ..it() }).left(100 * TICK as u64);
    let [low, high] = [0, 50].map(|tick| turns(&heard[tick * TICK..][..48_000]));
    assert!((479..=481).contains(&low) && (959..=961).contains(&high), "{low} {high}");
}

#[test]
fn a_filter_takes_away_what_lies_above_its_cutoff_and_an_envelope_closes_it() {
    let filter = LowPass { cutoff: 60.0, resonance: 0.0 };
    let of = |hz: f64, articulation: TrackerArticulation| playing(tone(hz), articulation).left(48_000);
    let [low, high] = [50.0, 6000.0].map(|hz| power(&of(hz, TrackerArticulation { filter, ..it() })));
    assert!(low > 0.12 && high < 0.001, "{low} {high}");
    let cutoff = envelope(&[(0, 32), (25, -32)], None);
    let heard = of(1000.0, TrackerArticulation { cutoff, ..it() });
    let powers: Vec<f32> = heard[..25 * TICK].chunks(5 * TICK).map(power).collect();
    assert!(powers[1..].is_sorted_by(|one, two| one > two), "{powers:?}");
    assert!(power(&heard[25 * TICK..]) < 0.01 * powers[0]);
}

#[test]
fn a_filtered_sound_rings_out_after_its_end() {
    let filter = LowPass { cutoff: 40.0, resonance: 100.0 };
    let click = mono_float([&[0.0; 10][..], &[0.9; 2], &[0.0; 10]].concat());
    let mut rig = playing(click, TrackerArticulation { filter, ..it() });
    let heard = rig.left(1000);
    assert_eq!(rig.ends(), [22]);
    assert!(power(&heard[40..100]) > 0.0 && heard[22 + 240..].iter().all(|&value| value == 0.0));
    assert!(heard.windows(2).skip(23).all(|pair| (pair[1] - pair[0]).abs() < 0.05), "it does not break off");
}

#[test]
fn a_vibrato_of_its_own_swings_around_the_pitch() {
    // A turn in 16 ticks, a whole tone to each side.
    let vibrato = PitchLfo {
        wave: LfoWave::Square,
        ramp_phase: 0.5,
        square_low: -1.0,
        speed: 16,
        depth: 128,
        sweep: VibratoSweep::Ticks(0),
    };
    let heard =
        playing(tone(480.0), TrackerArticulation { vibrato: Some(vibrato), ..unmoved(FadeStart::AtRelease) })
            .left(48_000);
    let [up, down] =
        [0, 8].map(|tick| turns(&heard[tick * TICK..][..8 * TICK]) as f64 / (8 * TICK) as f64 * 48_000.0);
    assert!((up - 538.8).abs() < 8.0 && (down - 427.6).abs() < 8.0, "{up} {down}");
}

#[test]
fn a_release_leaves_the_sustain_loop_and_plays_what_is_after_it() {
    let values = [vec![0.5; 100], vec![0.25; 300]].concat();
    let mut rig = Rig::new(&of(vec![sustained(mono_float(values), 0, 100, LoopMode::Forward)]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, frame(1050)).unwrap();
    let heard = rig.left(3000);
    assert!(heard[..1100].iter().all(|&value| value == 0.5), "the loop is gone through to its end");
    assert!(heard[1100..1400].iter().all(|&value| value == 0.25), "not faded");
    assert_eq!(rig.ends(), [1400]);
}

#[test]
fn the_loop_after_a_sustain_loop_sounds_until_the_note_has_faded() {
    let sample = sustained(mono_float([vec![0.5; 100], vec![0.25; 100]].concat()), 0, 100, LoopMode::Forward);
    let range = looped(sample.clone(), 150, 200, LoopMode::Forward).loops()[0];
    let sample = sample.clone().with_loops(vec![sample.loops()[0], range]).unwrap();
    let mut rig = Rig::new(&of(vec![sample]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, frame(1000)).unwrap();
    let heard = rig.left(5000);
    assert!(heard[1101..3399].windows(2).all(|pair| pair[1] < pair[0] && pair[1] > 0.0));
    assert_eq!(rig.ends(), [1000 + 2400]);
}

#[test]
fn a_loop_that_ends_before_the_sustain_loop_does_is_gone_back_to() {
    let values = [vec![0.25; 1000], vec![0.125; 2000], vec![0.5; 1000]].concat();
    for how in Interpolation::ALL {
        let sample = sustained(mono_float(values.clone()), 3000, 4000, LoopMode::Forward);
        let range = looped(sample.clone(), 0, 1000, LoopMode::Forward).loops()[0];
        let sample = sample.clone().with_loops(vec![sample.loops()[0], range]).unwrap();
        let mut rig = Rig::interpolating(how, &of(vec![sample]));
        let note = rig.play(0, 3);
        rig.controller.note_off(note, frame(5000)).unwrap();
        let heard = rig.left(8000);
        let fading = |at: usize| 0.25 * (1.0 - (at - 5000) as f32 / 2400.0);
        for at in [5200, 6000, 7000] {
            assert!((heard[at] - fading(at)).abs() < 0.01, "{how:?}: {} at {at}", heard[at]);
        }
        assert_eq!(rig.ends(), [5000 + 2400]);
    }
}

#[test]
fn a_sustain_loop_that_goes_to_and_fro_is_left_without_a_jump() {
    let rise: Vec<f32> = (0..800).map(|frame| frame as f32 / 1600.0).collect();
    for off in [950, 1000, 1033, 1100, 1151, 1203] {
        let song = of(vec![sustained(mono_float(rise.clone()), 100, 200, LoopMode::PingPong)]);
        let mut rig = Rig::interpolating(Quality::Draft, &song);
        // Between frames most of the time.
        let note = rig.play(0, -5);
        rig.controller.note_off(note, frame(off)).unwrap();
        // Before the recording ends.
        let heard = rig.left(1700);
        let steps = heard.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        let largest = steps.fold(0.0, f32::max);
        assert!(largest < 1.2 / 1600.0, "{largest} where it is left at {off}");
        assert!(heard[1699] > 0.25, "it has left the loop");
    }
}

#[test]
fn a_note_with_another_release_fades_by_that_and_one_with_another_attack_as_it_would() {
    let ends_with = |attack, release| {
        let articulation = TrackerArticulation { fadeout: 16_384, ..it() };
        let mut rig = Rig::new(&articulated(vec![(constant(0.5), articulation)]));
        let (attack, release) = (Duration::from_millis(attack), Duration::from_millis(release));
        let envelope = Some(song::Envelope { attack, release });
        let note = rig.controller.note_on(engine::Note { envelope, ..Rig::note(0, 0) }).unwrap();
        rig.controller.note_off(note, frame(TICK as u64)).unwrap();
        rig.left(5000);
        rig.ends()
    };
    assert_eq!(ends_with(0, 10), [TICK as u64 + 480]);
    assert_eq!(ends_with(10, 50), [3 * TICK as u64]);
}

#[test]
fn a_panic_silences_what_would_play_out() {
    let mut rig = playing(constant(0.5), TrackerArticulation { fadeout: 1, ..it() });
    rig.controller.all_notes_off(None).unwrap();
    assert!(rig.left(1000)[999] > 0.49);
    rig.controller.all_sound_off();
    assert!(rig.left(1000)[240..].iter().all(|&value| value == 0.0));
    assert!(rig.processor.is_idle());
}

#[test]
fn a_note_keeps_its_gain_and_velocity() {
    let song: Song =
        articulated(vec![(constant(0.5), TrackerArticulation { pan: envelope(&[(0, 0)], None), ..it() })]);
    let mut rig = Rig::new(&song);
    let note = engine::Note { gain: Decibels::new(-6.0).unwrap(), ..Rig::note(0, 0) };
    rig.controller.note_on(note).unwrap();
    let heard = rig.left(100);
    assert!(near(heard[50], 0.5 * Decibels::new(-6.0).unwrap().gain()));
    assert_eq!(rig.controller.now(), Frames::new(100));
}
