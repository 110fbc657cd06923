//! Sincs: for each frame a dot product of its neighbours and the coefficients of its phase.
//!
//! ```text
//! 16 bits                               floats
//! frames          x₀ … x₇               x₀ … x₃, x₄ … x₇
//! coefficients    a₀ … a₇, d₀ … d₇      a₀ … a₃ + f × d₀ … d₃, …
//! products        4 sums,  4 sums       4 sums
//! of four frames, added in pairs, and the pairs in pairs
//!                 A₀ … A₃, D₀ … D₃      the values
//! value           (A + f × D) / 2¹⁵
//! ```
//!
//! Products of 16 bits are widened to 32 before they are added up, so their sums are the definition's.

use std::arch::aarch64::*;

use super::super::super::table::{CHUNK, Chunk, PHASE_BITS, Table};
use super::{Kernel, LANES, Positions, stored, unit};

/// For 16-bit recordings, with coefficients of 16 bits. `W`: chunks of a row, or 0 if that is only known to the table.
pub(super) struct Short<'a, const W: usize>(pub(super) &'a Table<i16>);

/// With coefficients as floats.
pub(super) struct Fine<'a, const W: usize>(pub(super) &'a Table<f32>);

/// Which phase is before each place.
#[inline]
#[target_feature(enable = "neon")]
fn phases(positions: &Positions) -> [u32; LANES] {
    stored(vshrq_n_u32::<{ 32 - PHASE_BITS as i32 }>(positions.fraction))
}

/// How far each place is from its phase to the next.
#[inline]
#[target_feature(enable = "neon")]
fn between(positions: &Positions) -> float32x4_t {
    unit(vshlq_n_u32::<{ PHASE_BITS as i32 }>(positions.fraction))
}

impl<const W: usize> Short<'_, W> {
    /// Four sums with the coefficients, and four with the differences.
    ///
    /// # Safety
    /// A row begins at `row`, and as many frames may be read.
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn dot(&self, row: *const Chunk<i16>, frames: *const i16) -> [int32x4_t; 2] {
        let width = if W == 0 { self.0.width() } else { W };
        let mut sums = [vdupq_n_s32(0); 2];
        for chunk in 0..width {
            // SAFETY: the row has as many chunks, of two vectors each, and there is a frame for each tap.
            let (taps, frames) = unsafe {
                let taps = row.add(chunk).cast::<i16>();
                ([vld1q_s16(taps), vld1q_s16(taps.add(CHUNK))], vld1q_s16(frames.add(chunk * CHUNK)))
            };
            for (sum, taps) in sums.iter_mut().zip(taps) {
                let low = vmlal_s16(*sum, vget_low_s16(taps), vget_low_s16(frames));
                *sum = vmlal_high_s16(low, taps, frames);
            }
        }
        sums
    }
}

impl<const W: usize, const C: usize> Kernel<i16, C> for Short<'_, W> {
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn values(&self, planes: &[*const i16; C], positions: &Positions) -> [float32x4_t; C] {
        const SCALE: f32 = 1.0 / 32_768.0;
        let width = if W == 0 { self.0.width() } else { W };
        let [p0, p1, p2, p3] = phases(positions);
        let [i0, i1, i2, i3] = positions.index;
        let table = self.0.rows().as_ptr();
        planes.map(|plane| {
            // SAFETY: a phase is one of the table, and a place has as many frames around it as the row has taps.
            let dot = |phase: u32, index: u32| unsafe {
                self.dot(table.add(phase as usize * width), plane.add(index as usize))
            };
            let [[a0, d0], [a1, d1], [a2, d2], [a3, d3]] =
                [dot(p0, i0), dot(p1, i1), dot(p2, i2), dot(p3, i3)];
            let sum = vcvtq_f32_s32(vpaddq_s32(vpaddq_s32(a0, a1), vpaddq_s32(a2, a3)));
            let difference = vcvtq_f32_s32(vpaddq_s32(vpaddq_s32(d0, d1), vpaddq_s32(d2, d3)));
            vmulq_f32(vfmaq_f32(sum, between(positions), difference), vdupq_n_f32(SCALE))
        })
    }
}

impl<const W: usize> Fine<'_, W> {
    /// Four sums for each plane.
    ///
    /// # Safety
    /// A row begins at `row`, and as many frames from `index` on may be read.
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn dot<const C: usize>(
        &self,
        planes: &[*const f32; C],
        row: *const Chunk<f32>,
        index: u32,
        between: float32x4_t,
    ) -> [float32x4_t; C] {
        let width = if W == 0 { self.0.width() } else { W };
        let mut sums = [vdupq_n_f32(0.0); C];
        for chunk in 0..width {
            // SAFETY: the row has as many chunks, of four vectors each.
            let [a0, a1, d0, d1] = unsafe {
                let taps = row.add(chunk).cast::<f32>();
                [vld1q_f32(taps), vld1q_f32(taps.add(4)), vld1q_f32(taps.add(8)), vld1q_f32(taps.add(12))]
            };
            let low = vfmaq_f32(a0, between, d0);
            let high = vfmaq_f32(a1, between, d1);
            for (sum, plane) in sums.iter_mut().zip(planes) {
                // SAFETY: there is a frame for each tap.
                let (x0, x1) = unsafe {
                    let frames = plane.add(index as usize + chunk * CHUNK);
                    (vld1q_f32(frames), vld1q_f32(frames.add(4)))
                };
                *sum = vfmaq_f32(vfmaq_f32(*sum, low, x0), high, x1);
            }
        }
        sums
    }
}

impl<const W: usize, const C: usize> Kernel<f32, C> for Fine<'_, W> {
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn values(&self, planes: &[*const f32; C], positions: &Positions) -> [float32x4_t; C] {
        let width = if W == 0 { self.0.width() } else { W };
        let [p0, p1, p2, p3] = phases(positions);
        let [i0, i1, i2, i3] = positions.index;
        let f = between(positions);
        let table = self.0.rows().as_ptr();
        // SAFETY: a phase is one of the table, and a place has as many frames around it as the row has taps.
        let dot = |phase: u32, index: u32, between: float32x4_t| unsafe {
            self.dot(planes, table.add(phase as usize * width), index, between)
        };
        let one = dot(p0, i0, vdupq_laneq_f32::<0>(f));
        let two = dot(p1, i1, vdupq_laneq_f32::<1>(f));
        let three = dot(p2, i2, vdupq_laneq_f32::<2>(f));
        let four = dot(p3, i3, vdupq_laneq_f32::<3>(f));
        let mut values = [vdupq_n_f32(0.0); C];
        let quads = one.into_iter().zip(two).zip(three.into_iter().zip(four));
        for (value, ((one, two), (three, four))) in values.iter_mut().zip(quads) {
            *value = vpaddq_f32(vpaddq_f32(one, two), vpaddq_f32(three, four));
        }
        values
    }
}
