//! The audio thread neither allocates nor frees, whatever is asked of it, and gives its processor back.

use std::sync::Arc;

use engine::Bank;
use fixtures::allocator::Counting;
use fixtures::signal::Noise;
use fixtures::songs::{curve, looped, mono, some_articulated, stereo_float, sustained, unmoved};
use song::module::{Filter, VibratoSweep, Wave};
use song::{Articulation, Envelope, FadeStart, LoopMode, PitchLfo, TickLoops};

mod realtime {
    mod device;
    mod paths;

    use super::bank;
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns notes that move in every way.
fn moving() -> Articulation {
    let curve = Some(curve(&[(0, 9), (2, 32), (5, 1)], TickLoops::default()));
    Articulation {
        volume: curve.clone(),
        pan: curve.clone(),
        pitch: curve.clone(),
        cutoff: curve,
        fadeout: 20_000,
        filter: Filter { cutoff: Some(70), resonance: Some(60) },
        vibrato: Some(PitchLfo {
            wave: Wave::Random,
            ramp_phase: 0.0,
            square_low: 0.0,
            speed: 9,
            depth: 20,
            sweep: VibratoSweep::Rate(3),
        }),
        ..unmoved(FadeStart::AtEnvelopeEnd)
    }
}

/// Returns two loops, a recording that ends, and one that moves and leaves its loop.
fn bank(seed: u64) -> Arc<Bank> {
    let mut noise = Noise::new(seed);
    let values: Vec<i16> = (0..4000).map(|_| noise.bits() as i16).collect();
    let floats: Vec<f32> = (0..4000).map(|_| noise.flat() as f32).collect();
    let samples = vec![
        looped(mono(values.clone()), 1000, 3999, LoopMode::Forward),
        looped(mono(values.clone()), 500, 531, LoopMode::PingPong),
        stereo_float(floats.clone(), floats),
    ];
    let still = samples.into_iter().map(|sample| (sample, None));
    let moved = sustained(mono(values), 1000, 3999, LoopMode::PingPong);
    let all = still.chain([(moved, Some(moving()))]).collect();
    Arc::new(Bank::prepare(&some_articulated(all, Envelope::default())).unwrap())
}
