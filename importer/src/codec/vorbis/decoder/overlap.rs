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

/// The rising half of the window of a block.
#[derive(Debug)]
pub(super) struct Slope {
    /// Its first half.
    low: Vec<f32>,
    /// Its second half, last value first.
    high: Vec<f32>,
}

impl Slope {
    pub(super) fn new(block: usize) -> Self {
        let length = block / 2;
        let step = FRAC_PI_2 / f64::from(u32::try_from(length).unwrap_or(u32::MAX));
        let angles = std::iter::successors(Some(0.5), |at| Some(at + 1.0)).take(length);
        let mut low: Vec<f32> =
            angles.map(|at: f64| narrow((FRAC_PI_2 * (at * step).sin().powi(2)).sin())).collect();
        let mut high = low.split_off(length / 2);
        high.reverse();
        Self { low, high }
    }

    /// Writes the frames between the middles of two blocks, given the third quarter of the one and the first of the
    /// other. The slope is that of the shorter block.
    pub(super) fn join(&self, frames: &mut [f32], falling: &[f32], rising: &[f32]) {
        let half = self.low.len();
        let parts = || {
            let (only_before, falling) = falling.split_at_checked(falling.len().checked_sub(half)?)?;
            let (only_now, rising) = rising.split_at_checked(rising.len().checked_sub(half)?)?;
            Some((only_before, falling, only_now, rising))
        };
        let Some((only_before, falling, only_now, rising)) = parts() else { return };
        let Some((start, rest)) = frames.split_at_mut_checked(only_before.len()) else { return };
        let Some((early, rest)) = rest.split_at_mut_checked(half) else { return };
        let Some((late, end)) = rest.split_at_mut_checked(half) else { return };
        start.iter_mut().zip(only_before).for_each(|(frame, value)| *frame = *value);
        end.iter_mut().zip(only_now.iter().rev()).for_each(|(frame, value)| *frame = -value);
        // Backwards loops are not made into vectors, so the end is turned round when it is done.
        let values = self.low.iter().zip(&self.high).zip(falling.iter().zip(rising));
        for ((early, late), ((low, high), (falling, rising))) in early.iter_mut().zip(&mut *late).zip(values)
        {
            *early = rising * low + falling * high;
            *late = falling * low - rising * high;
        }
        late.reverse();
    }
}
