//! Rendering without a device: as fast as it goes, to memory.
//!
//! # Real-time
//! Never.

use std::convert::Infallible;

use song::Frames;

use crate::rt::processor::Processor;

/// Left and right.
pub const CHANNELS: usize = 2;

/// Frames rendered at a time.
const BLOCK: usize = 1024;

/// Renders some frames and hands them on block by block, interleaved stereo.
///
/// # Errors
/// The first error of the sink; what it was not given is rendered all the same up to the end of that block.
pub fn render_into<E>(
    processor: &mut Processor,
    frames: Frames,
    mut sink: impl FnMut(&[f32]) -> Result<(), E>,
) -> Result<(), E> {
    let mut block = [0.0; BLOCK * CHANNELS];
    let mut left = frames.get();
    while left > 0 {
        let now = usize::try_from(left).unwrap_or(BLOCK).min(BLOCK);
        let out = &mut block[..now * CHANNELS];
        processor.process(out, CHANNELS);
        sink(out)?;
        left -= now as u64;
    }
    Ok(())
}

/// Renders some frames, interleaved stereo.
#[must_use]
pub fn render(processor: &mut Processor, frames: Frames) -> Vec<f32> {
    let mut all = Vec::new();
    let Ok(()) = render_into(processor, frames, |block| {
        all.extend_from_slice(block);
        Ok::<_, Infallible>(())
    });
    all
}

/// Renders some frames, left and right apart.
#[must_use]
pub fn render_planar(processor: &mut Processor, frames: Frames) -> [Vec<f32>; CHANNELS] {
    let mut sides = [Vec::new(), Vec::new()];
    let Ok(()) = render_into(processor, frames, |block| {
        for frame in block.chunks_exact(CHANNELS) {
            sides[0].push(frame[0]);
            sides[1].push(frame[1]);
        }
        Ok::<_, Infallible>(())
    });
    sides
}
