//! Sincs: for each frame a dot product of its neighbours and the coefficients of its phase.
//!
//! ```text
//! 16 bits                               floats
//! frames          x₀ … x₇               x₀ … x₃, x₄ … x₇
//! coefficients    a₀ … a₇, d₀ … d₇      a₀ … a₃ + f × d₀ … d₃, …
//! products        4 sums,  4 sums       4 sums
//! of four frames, transposed and added
//!                 A₀ … A₃, D₀ … D₃      the values
//! value           (A + f × D) / 2¹⁵
//! ```

use super::super::super::table::{CHUNK, CoefficientChunk, PHASE_BITS, SincTable};
use super::vector::{self, F32x4, I32x4};
use super::{FourPositions, Kernel, LANES};

/// For 16-bit recordings, with coefficients of 16 bits. `W`: chunks of a row, or 0 if that is only known to the table.
pub(super) struct SincI16<'a, const W: usize>(pub(super) &'a SincTable<i16>);

/// With coefficients as floats.
pub(super) struct SincF32<'a, const W: usize>(pub(super) &'a SincTable<f32>);

/// Returns which phase is before each position.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn phases(positions: &FourPositions) -> [u32; LANES] {
    vector::stored(vector::shift_right::<{ 32 - PHASE_BITS as i32 }>(positions.fraction))
}

/// Returns how far each position is from its phase to the next.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn between(positions: &FourPositions) -> F32x4 {
    vector::unit(vector::shift_left::<{ PHASE_BITS as i32 }>(positions.fraction))
}

impl<const W: usize> SincI16<'_, W> {
    /// Returns four sums with the coefficients, and four with the differences.
    ///
    /// # Safety
    /// A row of the table begins at `row`, and as many frames as it has taps lie within the plane from `frames` on.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn dot(&self, row: *const CoefficientChunk<i16>, frames: *const i16) -> [I32x4; 2] {
        let width = if W == 0 { self.0.width() } else { W };
        let mut sums = [vector::zero(); 2];
        for chunk in 0..width {
            // SAFETY: a row has `width` chunks of `CHUNK` coefficients and as many differences, and `frames` has
            // `width * CHUNK` frames.
            sums = unsafe {
                let taps = row.add(chunk).cast::<i16>();
                vector::dot_i16(sums, [taps, taps.add(CHUNK)], frames.add(chunk * CHUNK))
            };
        }
        sums
    }
}

impl<const W: usize, const C: usize> Kernel<i16, C> for SincI16<'_, W> {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn values(&self, planes: &[*const i16; C], positions: &FourPositions) -> [F32x4; C] {
        const SCALE: f32 = 1.0 / 32_768.0;
        let width = if W == 0 { self.0.width() } else { W };
        let [p0, p1, p2, p3] = phases(positions);
        let [i0, i1, i2, i3] = positions.index;
        let table = self.0.rows().as_ptr();
        planes.map(|plane| {
            // SAFETY: a phase has `PHASE_BITS` bits and the table a row for each; the caller's task was checked around
            // this table, so the plane has as many frames from each index on as a row has taps.
            let dot = |phase: u32, index: u32| unsafe {
                self.dot(table.add(phase as usize * width), plane.add(index as usize))
            };
            let [[a0, d0], [a1, d1], [a2, d2], [a3, d3]] =
                [dot(p0, i0), dot(p1, i1), dot(p2, i2), dot(p3, i3)];
            let sum = vector::added_i32([a0, a1, a2, a3]);
            let difference = vector::added_i32([d0, d1, d2, d3]);
            vector::mul(vector::mul_add(sum, between(positions), difference), vector::splat(SCALE))
        })
    }
}

impl<const W: usize> SincF32<'_, W> {
    /// Returns four sums for each plane.
    ///
    /// # Safety
    /// A row of the table begins at `row`, and as many frames as it has taps lie within each plane from `index` on.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn dot<const C: usize>(
        &self,
        planes: &[*const f32; C],
        row: *const CoefficientChunk<f32>,
        index: u32,
        between: F32x4,
    ) -> [F32x4; C] {
        let width = if W == 0 { self.0.width() } else { W };
        let mut sums = [vector::splat(0.0); C];
        for chunk in 0..width {
            // SAFETY: a row has `width` chunks, each of eight coefficients and eight differences.
            let [a0, a1, d0, d1] = unsafe {
                let taps = row.add(chunk).cast::<f32>();
                [0, 4, 8, 12].map(|at| vector::load_from(taps.add(at)))
            };
            let low = vector::mul_add(a0, between, d0);
            let high = vector::mul_add(a1, between, d1);
            for (sum, plane) in sums.iter_mut().zip(planes) {
                // SAFETY: the plane has `width * CHUNK` frames from `index` on.
                let (x0, x1) = unsafe {
                    let frames = plane.add(index as usize + chunk * CHUNK);
                    (vector::load_from(frames), vector::load_from(frames.add(4)))
                };
                *sum = vector::add_products(*sum, [low, high], [x0, x1]);
            }
        }
        sums
    }
}

impl<const W: usize, const C: usize> Kernel<f32, C> for SincF32<'_, W> {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn values(&self, planes: &[*const f32; C], positions: &FourPositions) -> [F32x4; C] {
        let width = if W == 0 { self.0.width() } else { W };
        let [p0, p1, p2, p3] = phases(positions);
        let [i0, i1, i2, i3] = positions.index;
        let [f0, f1, f2, f3] = vector::spread(between(positions));
        let table = self.0.rows().as_ptr();
        // SAFETY: a phase has `PHASE_BITS` bits and the table a row for each; the caller's task was checked around this
        // table, so each plane has as many frames from each index on as a row has taps.
        let dot = |phase: u32, index: u32, between: F32x4| unsafe {
            self.dot(planes, table.add(phase as usize * width), index, between)
        };
        let (one, two) = (dot(p0, i0, f0), dot(p1, i1, f1));
        let (three, four) = (dot(p2, i2, f2), dot(p3, i3, f3));
        let mut values = [vector::splat(0.0); C];
        let quads = one.into_iter().zip(two).zip(three.into_iter().zip(four));
        for (value, ((one, two), (three, four))) in values.iter_mut().zip(quads) {
            *value = vector::added_f32([one, two, three, four]);
        }
        values
    }
}
