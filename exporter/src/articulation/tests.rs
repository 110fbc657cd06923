use std::time::Duration;

use song::module::Point;
use song::{FadeStart, TickEnvelope, TickLoop, TickLoops};

use super::*;

const OWN: Envelope = Envelope { attack: Duration::ZERO, release: Duration::from_millis(50) };

fn envelope(points: &[(u16, i8)], loops: TickLoops) -> TickEnvelope {
    let points = points.iter().map(|&(tick, value)| Point { tick, value }).collect();
    TickEnvelope::new(points, loops).unwrap()
}

fn tracker(fade_start: FadeStart) -> TrackerArticulation {
    TrackerArticulation {
        tick: Duration::from_millis(20),
        volume: None,
        pan: None,
        pitch: None,
        cutoff: None,
        fadeout: 0,
        fade_start,
        filter: LowPass::OPEN,
        vibrato: None,
    }
}

fn converted(articulation: &TrackerArticulation) -> (SamplerArticulation, Losses) {
    let mut losses = Losses::default();
    let made = of_tracker(articulation, 0.0, OWN, &mut losses);
    losses.end_instrument(&song::Instrument::default());
    (made.checked().unwrap(), losses)
}

/// Returns seconds and level of each segment.
fn segments(envelope: &SegmentEnvelope) -> Vec<(f32, f32)> {
    let rounded = |value: f32| (value * 1e4).round() / 1e4;
    let of = |segment: &EnvelopeSegment| (rounded(segment.time.base), rounded(segment.level));
    envelope.segments().iter().map(of).collect()
}

#[test]
fn a_volume_that_sustains_ends_with_its_release() {
    let loops = TickLoops { wait_at: Some(2), sustained_until: Some(2), ..TickLoops::default() };
    let volume = Some(envelope(&[(0, 64), (2, 32), (6, 0)], loops));
    let (made, _) = converted(&TrackerArticulation { volume, ..tracker(FadeStart::AtRelease) });
    assert_eq!((made.amplitude.start(), made.amplitude.release()), (1.0, Some(1)));
    assert_eq!(segments(&made.amplitude), [(0.04, 0.5), (0.08, 0.0)]);
    assert!(made.envelopes.is_empty());
}

#[test]
fn a_fadeout_ends_a_note_and_the_volume_moves_beside_it() {
    let volume = Some(envelope(&[(0, 64), (4, 32)], TickLoops::default()));
    let articulation = TrackerArticulation { volume, fadeout: 1024, ..tracker(FadeStart::AtRelease) };
    let (made, losses) = converted(&articulation);
    assert_eq!(segments(&made.amplitude), [(0.64, 0.0)]);
    assert_eq!(segments(&made.envelopes[0].envelope), [(0.08, 0.5)]);
    assert_eq!(made.envelopes[0].depths.amplitude, 1.0);
    assert!(losses.is_empty());
}

#[test]
fn a_note_of_impulse_tracker_fades_after_its_volume_held_or_not() {
    let volume = Some(envelope(&[(0, 64), (4, 32)], TickLoops::default()));
    let articulation = TrackerArticulation { volume, fadeout: 1024, ..tracker(FadeStart::AtEnvelopeEnd) };
    let (made, _) = converted(&articulation);
    assert_eq!((segments(&made.amplitude), made.amplitude.release()), (vec![(0.08, 0.5), (0.64, 0.0)], None));
}

#[test]
fn a_loop_goes_round_through_the_tick_in_which_it_goes_back() {
    let around = Some(TickLoop { start: 1, jump_from: 3, jump_to: u16::MAX });
    let loops = TickLoops { held: around, released: around, ..TickLoops::default() };
    let volume = Some(envelope(&[(0, 0), (1, 64), (3, 32)], loops));
    let (made, _) = converted(&TrackerArticulation { volume, ..tracker(FadeStart::AtRelease) });
    let round = &made.envelopes[0].envelope;
    assert_eq!(segments(round), [(0.02, 1.0), (0.0, 1.0), (0.04, 0.5), (0.02, 1.0)]);
    assert_eq!((round.held_loop(), round.release()), (Some((2, 3)), None));
}

#[test]
fn a_sustain_loop_is_left_by_the_release() {
    let held = Some(TickLoop { start: 0, jump_from: 2, jump_to: u16::MAX });
    let loops = TickLoops { held, sustained_until: Some(2), ..TickLoops::default() };
    let volume = Some(envelope(&[(0, 64), (2, 32), (4, 0)], loops));
    let (made, losses) = converted(&TrackerArticulation { volume, ..tracker(FadeStart::AtRelease) });
    let amplitude = &made.amplitude;
    assert_eq!(segments(amplitude), [(0.04, 0.5), (0.02, 1.0), (0.04, 0.0)]);
    assert_eq!((amplitude.held_loop(), amplitude.release()), (Some((0, 1)), Some(2)));
    assert_eq!(losses.iter().collect::<Vec<_>>(), [(Loss::EarlyRelease, 1)]);
}

#[test]
fn pitch_moves_in_steps_of_ticks() {
    let pitch = Some(envelope(&[(0, 0), (2, 32)], TickLoops::default()));
    let (made, _) = converted(&TrackerArticulation { pitch, ..tracker(FadeStart::AtRelease) });
    let moved = &made.envelopes[0];
    assert_eq!(segments(&moved.envelope), [(0.02, 0.0), (0.0, 0.5), (0.02, 0.5), (0.0, 1.0)]);
    assert_eq!(moved.depths.pitch, 1600.0);
}

#[test]
fn a_filter_envelope_lowers_the_cutoff_to_the_lowest() {
    let cutoff = Some(envelope(&[(0, 32), (1, -32)], TickLoops::default()));
    let filter = LowPass { cutoff: 90.0, resonance: 0.0 };
    let (made, _) = converted(&TrackerArticulation { cutoff, filter, ..tracker(FadeStart::AtRelease) });
    let (moved, params) = (&made.envelopes[0], made.filter.unwrap());
    assert_eq!((moved.envelope.start(), segments(&moved.envelope)), (0.0, vec![(0.02, 1.0)]));
    assert!((params.cutoff - 110.0 * 16.0).abs() < 0.1 && params.q == 1.0);
    assert!((params.cutoff * (moved.depths.cutoff / 1200.0).exp2() - 110.0 * 0.25_f32.exp2()).abs() < 0.1);
}

#[test]
fn a_vibrato_is_an_lfo_in_hertz_and_cents() {
    let vibrato = PitchLfo {
        wave: LfoWave::Sine,
        ramp_phase: 0.0,
        square_low: -1.0,
        speed: 32,
        depth: 16,
        sweep: VibratoSweep::Ticks(10),
    };
    let of =
        |vibrato| converted(&TrackerArticulation { vibrato: Some(vibrato), ..tracker(FadeStart::AtRelease) });
    let (made, _) = of(vibrato);
    let ModulationLfo { lfo, depths } = made.lfos[0];
    assert_eq!((lfo.frequency, depths.pitch), (6.25, 25.0));
    assert!((lfo.fade - 0.2).abs() < 1e-6);
    let (_, losses) = of(PitchLfo { wave: LfoWave::Random, ..vibrato });
    assert_eq!(losses.iter().collect::<Vec<_>>(), [(Loss::Vibrato, 1)]);
}

#[test]
fn of_a_mono_instrument_it_is_said_that_it_is_left_out() {
    let mut losses = Losses::default();
    for voice_mode in [song::VoiceMode::Poly, song::VoiceMode::Legato] {
        losses.end_instrument(&song::Instrument { voice_mode, ..song::Instrument::default() });
    }
    assert_eq!(losses.iter().collect::<Vec<_>>(), [(Loss::VoiceMode, 1)]);
}
