//! The audio thread neither allocates nor frees, whatever is asked of it, and gives its processor back.

use std::sync::Arc;

use engine::Bank;
use fixtures::allocator::Counting;
use fixtures::signal::Noise;
use fixtures::songs::{
    looped, mono, moving, shaped, shapes, some_articulated, stereo_float, sustained, with_shapes_of,
};
use song::{Envelope, LoopMode};

mod realtime {
    mod device;
    mod paths;

    use super::bank;
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns two loops, a recording that ends, one that moves and leaves its loop, one that moves as a sampler's, and
/// three as a player shapes them.
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
    let shape = (looped(mono(values.clone()), 700, 3000, LoopMode::Forward), Some(shaped().into()));
    let moved = sustained(mono(values), 1000, 3999, LoopMode::PingPong);
    let all = still.chain([(moved, Some(moving().into())), shape]).collect();
    let song = with_shapes_of(&some_articulated(all, Envelope::default()), 0, &shapes());
    Arc::new(Bank::prepare(&song).unwrap())
}
