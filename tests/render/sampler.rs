//! Notes that move as the articulation of a sampler's bank says.

use std::f64::consts::TAU;

use engine::Interpolation;
use fixtures::signal::sine;
use fixtures::songs::{articulated, looped, mono_float, segment};
use song::{
    Articulation, Choke, ChokeMode, Frames, Lfo, LfoShape, LoopMode, ModulationDepths, ModulationEnvelope,
    ModulationLfo, Sample, SamplerArticulation, SegmentCurve, SegmentEnvelope,
};

use super::rig::{Rig, frame};

const LINEAR: SegmentCurve = SegmentCurve::Linear;
const DECIBELS: SegmentCurve = SegmentCurve::Decibels(100.0);

fn constant() -> Sample {
    looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward)
}

/// Returns a sine of so many hertz, held.
fn tone(hz: f64) -> Sample {
    let frames: Vec<f32> = sine(hz / 48_000.0, 0.5).take(48_000).map(|value| value as f32).collect();
    looped(mono_float(frames), 0, 48_000, LoopMode::Forward)
}

fn level() -> SamplerArticulation {
    SamplerArticulation::plain(SegmentEnvelope::gate(segment(0.01, 0.0, LINEAR)))
}

fn playing(sample: Sample, articulation: SamplerArticulation) -> Rig {
    let mut rig = Rig::new(&articulated(vec![(sample, articulation)]));
    rig.play(0, 0);
    rig
}

/// Decibels above the constant.
fn decibels(value: f32) -> f64 {
    20.0 * (f64::from(value) / 0.5).log10()
}

#[test]
fn an_amplitude_is_delayed_rises_decays_and_falls_from_where_it_is() {
    let segments = vec![
        segment(0.1, 0.0, LINEAR),
        segment(0.1, 1.0, LINEAR),
        segment(0.1, 1.0, LINEAR),
        segment(1.0, 0.1, DECIBELS),
        segment(0.5, 0.0, DECIBELS),
    ];
    let amplitude = SegmentEnvelope::new(0.0, segments, Some(4)).unwrap();
    let mut rig = Rig::new(&articulated(vec![(constant(), SamplerArticulation::plain(amplitude))]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, frame(48_000)).unwrap();
    let heard = rig.left(96_000);
    assert!(heard[..4800].iter().all(|&value| value == 0.0));
    for (frame, wanted) in [(7200, -6.02), (9600, 0.0), (14_000, 0.0), (19_200, -10.0), (24_000, -20.0)] {
        let found = decibels(heard[frame]);
        assert!((found - wanted).abs() < 0.02, "{found} at {frame}, not {wanted}");
    }
    assert!((decibels(heard[47_999]) + 20.0).abs() < 0.001);
    // 200 dB a second from −20 dB on: silent at −100 dB.
    assert!((decibels(heard[48_000 + 9600]) + 60.0).abs() < 0.02, "{}", decibels(heard[48_000 + 9600]));
    let [end] = rig.ends()[..] else { panic!("one end") };
    assert!((67_200..67_200 + 65).contains(&end), "{end}");
    assert!(heard.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.001), "no step");
}

#[test]
fn a_recording_begins_after_its_delay_and_at_its_offset() {
    let ramp = || mono_float((0_u16..1000).map(|value| f32::from(value) / 1000.0));
    let delay = SegmentEnvelope::new(0.0, vec![segment(0.01, 0.0, LINEAR), segment(0.0, 1.0, LINEAR)], None);
    let delayed =
        SamplerArticulation { offset: Frames::new(500), ..SamplerArticulation::plain(delay.unwrap()) };
    let mut rig = Rig::interpolating(Interpolation::Linear, &articulated(vec![(ramp(), delayed)]));
    rig.play(0, 0);
    let heard = rig.left(2000);
    assert!(heard[..480].iter().all(|&value| value == 0.0));
    assert!((heard[480 + 100] - 0.6).abs() < 1e-4, "{}", heard[580]);
    assert_eq!(rig.ends(), [980]);
}

#[test]
fn what_does_not_know_of_keys_plays_to_its_end() {
    let one_shot = SamplerArticulation::plain(SegmentEnvelope::level());
    let mut rig = Rig::new(&articulated(vec![(mono_float([0.5; 9600]), one_shot)]));
    let note = rig.play(0, 0);
    rig.controller.note_off(note, frame(100)).unwrap();
    assert!(rig.left(9600).iter().all(|&value| value == 0.5));
}

#[test]
fn an_envelope_and_an_lfo_bend_the_pitch_by_cents() {
    let depths = |pitch| ModulationDepths { pitch, ..ModulationDepths::default() };
    let up = SegmentEnvelope::new(0.0, vec![segment(0.5, 1.0, LINEAR)], Some(1)).unwrap();
    let envelope =
        ModulationEnvelope { envelope: up, depths: depths(1200.0), by_velocity: ModulationDepths::default() };
    let heard =
        playing(tone(480.0), SamplerArticulation { envelopes: vec![envelope], ..level() }).left(96_000);
    let crossings = |part: &[f32]| part.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    assert_eq!(crossings(&heard[48_000..]), 960);
    // ∫ 480 · 2^(2t) dt over half a second.
    let swept = 480.0 / (2.0 * std::f64::consts::LN_2);
    let found = crossings(&heard[..24_000]);
    assert!((found as f64 - swept).abs() <= 1.0, "{found}, not {swept}");
    let lfo = Lfo { shape: LfoShape::Square, frequency: 1.0, delay: 1.0, fade: 0.0, phase: 0.0 };
    let lfo = ModulationLfo { lfo, depths: depths(-1200.0) };
    let heard = playing(tone(480.0), SamplerArticulation { lfos: vec![lfo], ..level() }).left(96_000);
    assert!(crossings(&heard[..48_000]).abs_diff(480) <= 1);
    assert!(
        crossings(&heard[48_000..72_000]).abs_diff(120) <= 1
            && crossings(&heard[72_000..]).abs_diff(480) <= 1
    );
}

#[test]
fn an_lfo_moves_gain_and_pan_without_a_step() {
    let lfo = Lfo { shape: LfoShape::Sine, frequency: 5.0, delay: 0.0, fade: 0.0, phase: 0.0 };
    let depths = ModulationDepths { gain: 6.0, pan: 1.0, ..ModulationDepths::default() };
    let [left, right] =
        playing(constant(), SamplerArticulation { lfos: vec![ModulationLfo { lfo, depths }], ..level() })
            .render(48_000);
    for frame in (0..48_000).step_by(997) {
        let value = (TAU * 5.0 * frame as f64 / 48_000.0).sin();
        let gain = 0.5 * 10_f64.powf(6.0 * value / 20.0);
        let (wanted_left, wanted_right) = (gain * (1.0 - value).sqrt(), gain * (1.0 + value).sqrt());
        let (found_left, found_right) = (f64::from(left[frame]), f64::from(right[frame]));
        let error = (found_left - wanted_left).abs().max((found_right - wanted_right).abs());
        assert!(error < 0.01, "{error} at {frame}");
    }
    assert!(left.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.001), "no step");
}

#[test]
fn a_hi_hat_ends_another_of_its_group_and_nothing_else() {
    let choked = |group, ended_by, mode| {
        (constant(), SamplerArticulation { choke: Choke { group, ended_by, mode }, ..level() })
    };
    let song = articulated(vec![
        choked(1, 1, ChokeMode::Fast),
        choked(1, 1, ChokeMode::Release),
        choked(0, 2, ChokeMode::Fast),
    ]);
    for (open, longest) in [(0, 400), (1, 700)] {
        let mut rig = Rig::new(&song);
        rig.play(open, 0);
        rig.play(2, 0);
        rig.play_at(0, 4800);
        let heard = rig.left(9600);
        assert_eq!((heard[4799], heard[9599]), (1.0, 1.0), "two sound before, and two after");
        let [end] = rig.ends()[..] else { panic!("one end") };
        assert!((4800 + 200..4800 + longest).contains(&end), "{end}");
    }
}

#[test]
fn layers_of_one_note_do_not_end_each_other() {
    let choke = Choke { group: 3, ended_by: 3, mode: ChokeMode::Fast };
    let moved = || (constant(), Articulation::from(SamplerArticulation { choke, ..level() }));
    let mut rig = Rig::new(&fixtures::songs::layered(vec![moved(), moved()]));
    rig.play(0, 0);
    assert_eq!(rig.left(4800)[4799], 1.0);
}
