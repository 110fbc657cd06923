//! The audio thread neither allocates nor frees, whatever is asked of it, and gives its processor back.

use std::sync::Arc;

use engine::Bank;
use fixtures::allocator::Counting;
use fixtures::signal::Noise;
use fixtures::songs::{looped, mono, of, stereo_float};
use song::LoopMode;

mod realtime {
    mod device;
    mod paths;

    use super::bank;
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Two loops and a recording that ends.
fn bank(seed: u64) -> Arc<Bank> {
    let mut noise = Noise::new(seed);
    let values: Vec<i16> = (0..4000).map(|_| noise.bits() as i16).collect();
    let floats: Vec<f32> = (0..4000).map(|_| noise.flat() as f32).collect();
    let samples = vec![
        looped(mono(values.clone()), 1000, 3999, LoopMode::Forward),
        looped(mono(values), 500, 531, LoopMode::PingPong),
        stereo_float(floats.clone(), floats),
    ];
    Arc::new(Bank::prepare(&of(samples)).unwrap())
}
