use fixtures::songs::segment;
use song::{FilterKind, FilterParams, Key, Lfo, SegmentCurve, SegmentEnvelope, Velocity};

use super::*;

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
fn segments_are_as_long_as_a_sweep_allows_from_the_first_on() {
    // 512 cents in 1,024 frames, of which the filter blends 654.
    assert_eq!(segments(&swept(200.0, 0.7)), [1024; 4]);
    // At 6 kHz and with that quality factor 348 cents: 320 in 640 frames. Then the higher it is, the fewer.
    assert_eq!(segments(&swept(6000.0, 3.8)), [640, 640, 576, 512]);
}
