//! How coefficients come about.
//!
//! # Real-time
//! Never.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "made before there is an audio thread"
)]

use std::ops::Sub;

use super::{CHUNK, CoefficientChunk, PHASES, SincTable, Taps};
use crate::rt::window::windowed_sinc;

/// The coefficients of a filter as they should be.
pub(super) struct FilterDesign {
    /// One row for each phase, and one for the first phase of the next frame.
    rows: Vec<Vec<f64>>,
}

impl FilterDesign {
    /// For sounds that are pitched up by a ratio, or not at all.
    pub(super) fn new(taps: Taps, ratio: f64) -> Self {
        let (taps, cutoff, shape) = taps.design();
        // A ratio is a power, and powers may be a hair off: that is not to cost another chunk.
        let taps = (taps as f64 * ratio / CHUNK as f64 - 1e-9).ceil() as usize * CHUNK;
        let (half, cutoff) = (taps as f64 / 2.0, cutoff / ratio);
        let coefficient = |position: f64| windowed_sinc(position, cutoff, half, shape);
        let row = |phase: usize| {
            let before = half - 1.0 + phase as f64 / PHASES as f64;
            let row: Vec<f64> = (0..taps).map(|tap| coefficient(tap as f64 - before)).collect();
            // A constant is to stay one.
            let sum: f64 = row.iter().sum();
            row.into_iter().map(|value| value / sum).collect()
        };
        Self { rows: (0..=PHASES).map(row).collect() }
    }

    /// As it is used, rounded row by row.
    pub(super) fn table<T>(&self, round: impl Fn(&[f64]) -> Vec<T>) -> SincTable<T>
    where
        T: Copy + Default + Sub<Output = T>,
    {
        let rows: Vec<Vec<T>> = self.rows.iter().map(|row| round(row)).collect();
        let width = rows[0].len() / CHUNK;
        let chunk = |phase: usize, chunk: usize| {
            let here = &rows[phase][chunk * CHUNK..][..CHUNK];
            let next = &rows[phase + 1][chunk * CHUNK..][..CHUNK];
            CoefficientChunk {
                coefficients: std::array::from_fn(|tap| here[tap]),
                differences: std::array::from_fn(|tap| next[tap] - here[tap]),
            }
        };
        let chunks = (0..PHASES).flat_map(|phase| (0..width).map(move |number| (phase, number)));
        SincTable { width, rows: chunks.map(|(phase, number)| chunk(phase, number)).collect() }
    }
}

/// In units of 2^-15, rounded so that they add up to exactly 1: those that lose most by it are rounded up.
pub(super) fn rounded(row: &[f64]) -> Vec<i16> {
    const ONE: f64 = 32_768.0;
    let mut rounded: Vec<i16> = row.iter().map(|value| (value * ONE).floor() as i16).collect();
    let missing = ONE as i32 - rounded.iter().map(|&value| i32::from(value)).sum::<i32>();
    let mut order: Vec<usize> = (0..row.len()).collect();
    let lost = |tap: &usize| row[*tap] * ONE - (row[*tap] * ONE).floor();
    order.sort_by(|one, other| lost(other).total_cmp(&lost(one)));
    for tap in order.into_iter().take(usize::try_from(missing).unwrap_or_default()) {
        rounded[tap] += 1;
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATIOS: [f64; 4] = [1.0, 1.3, 2.0, 4.0];

    #[test]
    fn a_constant_goes_through_every_phase_unchanged_to_the_bit() {
        for taps in [Taps::Eight, Taps::Sixteen] {
            for ratio in RATIOS {
                let table = FilterDesign::new(taps, ratio).table(rounded);
                for row in table.rows.chunks(table.width) {
                    let sum = |of: fn(&CoefficientChunk<i16>) -> &[i16; CHUNK]| -> i32 {
                        row.iter().flat_map(of).map(|&value| i32::from(value)).sum()
                    };
                    assert_eq!(sum(|chunk| &chunk.coefficients), 32_768);
                    assert_eq!(sum(|chunk| &chunk.differences), 0);
                }
            }
        }
    }

    #[test]
    fn no_sum_of_16_bit_products_can_overflow() {
        for taps in [Taps::Eight, Taps::Sixteen] {
            for ratio in RATIOS {
                let table = FilterDesign::new(taps, ratio).table(rounded);
                for row in table.rows.chunks(table.width) {
                    let size = |value: &i16| i64::from(value.unsigned_abs());
                    let sum: i64 = row.iter().flat_map(|chunk| &chunk.coefficients).map(size).sum();
                    assert!(sum * 32_768 < 1 << 31, "{sum}");
                }
            }
        }
    }

    #[test]
    fn the_longest_filter_reaches_as_far_as_the_guard() {
        for ratio in [4.0, 4.0_f64.next_up(), 4.0_f64.next_down()] {
            let table = FilterDesign::new(Taps::ThirtyTwo, ratio).table(rounded);
            assert_eq!(table.before() + 1, crate::bank::GUARD);
        }
    }
}
