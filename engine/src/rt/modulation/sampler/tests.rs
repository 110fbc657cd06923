use fixtures::songs::segment;
use song::{FilterKind, FilterParams, Key, Lfo, SegmentCurve, SegmentEnvelope, Velocity};

use super::*;
use crate::rt::kernel::svf::CoefficientRamp;

const RATE: u32 = 48_000;

/// Returns a level sound through a filter, whose cutoff an LFO moves by 24,000 cents a second from the first frame on.
fn swept(cutoff: f32, q: f32) -> SamplerArticulation {
    let segments = vec![segment(0.0, 1.0, SegmentCurve::Linear), segment(0.1, 0.0, SegmentCurve::Linear)];
    let depths = ModulationDepths { cutoff: 2400.0, ..ModulationDepths::default() };
    let lfo = Lfo { shape: LfoShape::Triangle, frequency: 2.5, delay: 0.0, fade: 0.0, phase: 0.0 };
    let (kind, key_centre) = (FilterKind::LowPass2, Key::C4);
    SamplerArticulation {
        lfos: vec![ModulationLfo { lfo, depths }],
        filter: Some(FilterParams { kind, cutoff, q, by_key: 0.0, key_centre, by_velocity: 0.0 }),
        ..SamplerArticulation::plain(SegmentEnvelope::new(0.0, segments, Some(1)).unwrap())
    }
}

/// Returns the frames of its first segments.
fn segments(articulation: &SamplerArticulation) -> Vec<usize> {
    let played = NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST };
    let mut modulation = SamplerModulation::new(articulation, played, (1.0, 1.0), true);
    let mut filter = VoiceFilter::default();
    let next = |_| {
        modulation.begin_segment(articulation, Hz::new(RATE).unwrap(), (Tone::default(), &mut filter));
        let frames = modulation.remaining();
        modulation.go_on(articulation, frames);
        frames
    };
    (0..4).map(next).collect()
}

#[test]
fn a_cutoff_that_falls_at_once_when_the_key_is_released_does_not_ring() {
    let held =
        |release| vec![segment(0.0, 1.0, SegmentCurve::Linear), segment(release, 0.0, SegmentCurve::Linear)];
    let envelope = |release| SegmentEnvelope::new(0.0, held(release), Some(1)).unwrap();
    let depths = ModulationDepths { cutoff: 7200.0, ..ModulationDepths::default() };
    let lfo = swept(200.0, 0.7).lfos[0];
    let moved =
        ModulationEnvelope { envelope: envelope(0.0), depths, by_velocity: ModulationDepths::default() };
    let articulation = SamplerArticulation {
        amplitude: envelope(1.0),
        envelopes: vec![moved],
        lfos: vec![ModulationLfo {
            depths: ModulationDepths { cutoff: 100.0, ..ModulationDepths::default() },
            ..lfo
        }],
        ..swept(200.0, 0.7)
    };
    let played = NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST };
    let mut modulation = SamplerModulation::new(&articulation, played, (1.0, 1.0), true);
    let mut filter = VoiceFilter::default();
    let mut at = 0;
    while at < 8192 {
        if at >= 4096 {
            modulation.release(&articulation);
        }
        modulation.begin_segment(&articulation, Hz::new(RATE).unwrap(), (Tone::default(), &mut filter));
        let mut rest = modulation.remaining();
        modulation.go_on(&articulation, rest);
        while rest > 0 {
            let ramp = filter.ramp();
            let some = filter.advance(rest);
            for frame in 0..some as u16 {
                let [_, b, c, ..] = CoefficientRamp { at: ramp.at + frame, ..ramp }.now().numbers();
                assert!(b > 0.0 && c > 0.0 && c < 2.0, "frame {at}: {b}, {c}");
                at += 1;
            }
            rest -= some;
        }
    }
}

#[test]
fn segments_are_as_long_as_a_sweep_allows_from_the_first_on() {
    // 512 cents in 1,024 frames, of which the filter blends 654.
    assert_eq!(segments(&swept(200.0, 0.7)), [1024; 4]);
    // At 6 kHz and with that quality factor 348 cents: 320 in 640 frames. Then the higher it is, the fewer.
    assert_eq!(segments(&swept(6000.0, 3.8)), [640, 640, 576, 512]);
}
