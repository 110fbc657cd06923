//! Windows, and how blocks overlap: each is faded in while the one before is faded out.
//!
//! ```text
//! middle of the block before         middle of this block
//!        │ only the one before │ both │ only this one │
//!          ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾╲╱
//!                               ╱╲____________________
//! ```
//!
//! The overlap is half as long as the shorter block; packets tell the same by flags.
//!
//! Source: Xiph.Org, *Vorbis I specification*, §1.3.2, §4.3.1 and §4.3.8.

use std::f64::consts::FRAC_PI_2;

use super::codebook::narrow;

/// Returns the rising half of the window of a block.
pub(super) fn slope(block: usize) -> Vec<f32> {
    let length = block / 2;
    let step = FRAC_PI_2 / f64::from(u32::try_from(length).unwrap_or(u32::MAX));
    let angles = std::iter::successors(Some(0.5), |at| Some(at + 1.0)).take(length);
    angles.map(|at: f64| narrow((FRAC_PI_2 * (at * step).sin().powi(2)).sin())).collect()
}

/// Writes the frames between the middles of two blocks, given the third quarter of the one, the first of the other,
/// and the slope of the shorter.
pub(super) fn join(frames: &mut [f32], falling: &[f32], rising: &[f32], slope: &[f32]) {
    let half = slope.len() / 2;
    let parts = || {
        let (only_before, falling) = falling.split_at_checked(falling.len().checked_sub(half)?)?;
        let (only_now, rising) = rising.split_at_checked(rising.len().checked_sub(half)?)?;
        Some((only_before, falling, only_now, rising))
    };
    let Some((only_before, falling, only_now, rising)) = parts() else { return };
    let Some((start, rest)) = frames.split_at_mut_checked(only_before.len()) else { return };
    let Some((early, rest)) = rest.split_at_mut_checked(half) else { return };
    let Some((late, end)) = rest.split_at_mut_checked(half) else { return };
    let (low, high) = slope.split_at(half);
    start.iter_mut().zip(only_before).for_each(|(frame, value)| *frame = *value);
    end.iter_mut().zip(only_now.iter().rev()).for_each(|(frame, value)| *frame = -value);
    let windows = low.iter().zip(high.iter().rev());
    let frames = early.iter_mut().zip(late.iter_mut().rev());
    for (((early, late), (low, high)), (falling, rising)) in
        frames.zip(windows).zip(falling.iter().zip(rising))
    {
        *early = rising * low + falling * high;
        *late = falling * low - rising * high;
    }
}
