//! A windowed sinc: as many taps as its table has, half of them before the position and half after.
//!
//! ```text
//! frames            x₀ x₁ x₂ x₃ │ x₄ x₅ x₆ x₇
//! coefficients      a₀ a₁ a₂ a₃ │ a₄ a₅ a₆ a₇       of the phase before the position
//! differences       d₀ d₁ d₂ d₃ │ d₄ d₅ d₆ d₇       to the next phase's
//! value             Σ xᵢ (aᵢ + f dᵢ)                f: how far the position lies between the two phases
//! ```

use super::interpolator::{Interpolator, unit};
use super::table::{CHUNK, PHASE_BITS, SincTable};

/// With coefficients as floats.
pub(super) struct SincF32<'a>(pub(super) &'a SincTable<f32>);

/// For 16-bit recordings, with coefficients of 16 bits: two dot products of integers, so no order of adding up changes
/// a bit. They end at 82 dB, because the coefficients are rounded.
pub(super) struct SincI16<'a>(pub(super) &'a SincTable<i16>);

impl Interpolator<f32> for SincF32<'_> {
    #[inline(always)]
    fn at(&self, plane: &[f32], index: usize, fraction: u32) -> f32 {
        let Some(window) = self.0.window(plane, index) else { return 0.0 };
        let between = unit(fraction << PHASE_BITS);
        // A sum for each position in a chunk, as the fast forms have it.
        let mut sums = [0.0; CHUNK];
        for (chunk, frames) in self.0.row(fraction).iter().zip(window.chunks_exact(CHUNK)) {
            let taps = chunk.coefficients.iter().zip(&chunk.differences);
            for ((sum, (a, d)), frame) in sums.iter_mut().zip(taps).zip(frames) {
                *sum += frame * (a + between * d);
            }
        }
        sums.iter().sum()
    }
}

impl Interpolator<i16> for SincI16<'_> {
    #[inline(always)]
    fn at(&self, plane: &[i16], index: usize, fraction: u32) -> f32 {
        /// What one unit of a coefficient is.
        const SCALE: f32 = 1.0 / 32_768.0;
        let Some(window) = self.0.window(plane, index) else { return 0.0 };
        let (mut sum, mut difference) = (0_i32, 0_i32);
        for (chunk, frames) in self.0.row(fraction).iter().zip(window.chunks_exact(CHUNK)) {
            let taps = chunk.coefficients.iter().zip(&chunk.differences);
            for ((&a, &d), &frame) in taps.zip(frames) {
                // The coefficients of a row add up to less than 2 without their signs, so nothing overflows.
                sum = sum.wrapping_add(i32::from(frame) * i32::from(a));
                difference = difference.wrapping_add(i32::from(frame) * i32::from(d));
            }
        }
        (sum as f32 + unit(fraction << PHASE_BITS) * difference as f32) * SCALE
    }
}
