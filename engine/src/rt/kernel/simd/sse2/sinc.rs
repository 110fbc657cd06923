//! Sincs: for each frame a dot product of its neighbours and the coefficients of its phase.
//!
//! ```text
//! 16 bits                               floats
//! frames          x₀ … x₇               x₀ … x₃, x₄ … x₇
//! coefficients    a₀ … a₇, d₀ … d₇      a₀ … a₃ + f × d₀ … d₃, …
//! products        4 sums,  4 sums       4 sums
//! of four frames, turned round and added
//!                 A₀ … A₃, D₀ … D₃      the values
//! value           (A + f × D) / 2¹⁵
//! ```

use std::arch::x86_64::*;

use super::super::super::table::{CHUNK, CoefficientChunk, PHASE_BITS, SincTable};
use super::{Kernel, LANES, Positions, stored, unit};

/// For 16-bit recordings, with coefficients of 16 bits. `W`: chunks of a row, or 0 if that is only known to the table.
pub(super) struct SincI16<'a, const W: usize>(pub(super) &'a SincTable<i16>);

/// With coefficients as floats.
pub(super) struct SincF32<'a, const W: usize>(pub(super) &'a SincTable<f32>);

/// Which phase is before each place.
#[inline]
#[target_feature(enable = "sse2")]
fn phases(positions: &Positions) -> [u32; LANES] {
    stored(_mm_srli_epi32::<{ 32 - PHASE_BITS as i32 }>(positions.fraction))
}

/// How far each place is from its phase to the next.
#[inline]
#[target_feature(enable = "sse2")]
fn between(positions: &Positions) -> __m128 {
    unit(_mm_slli_epi32::<{ PHASE_BITS as i32 }>(positions.fraction))
}

impl<const W: usize> SincI16<'_, W> {
    /// Four sums with the coefficients, and four with the differences.
    ///
    /// # Safety
    /// A row begins at `row`, and as many frames may be read.
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn dot(&self, row: *const CoefficientChunk<i16>, frames: *const i16) -> [__m128i; 2] {
        let width = if W == 0 { self.0.width() } else { W };
        let (mut sum, mut difference) = (_mm_setzero_si128(), _mm_setzero_si128());
        for chunk in 0..width {
            // SAFETY: the row has as many chunks, and each has a frame for each tap.
            let (a, d, frames) = unsafe {
                let taps = row.add(chunk).cast::<__m128i>();
                (taps.read(), taps.add(1).read(), _mm_loadu_si128(frames.add(chunk * CHUNK).cast()))
            };
            sum = _mm_add_epi32(sum, _mm_madd_epi16(a, frames));
            difference = _mm_add_epi32(difference, _mm_madd_epi16(d, frames));
        }
        [sum, difference]
    }
}

impl<const W: usize, const C: usize> Kernel<i16, C> for SincI16<'_, W> {
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn values(&self, planes: &[*const i16; C], positions: &Positions) -> [__m128; C] {
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
            let sum = _mm_cvtepi32_ps(added([a0, a1, a2, a3]));
            let difference = _mm_cvtepi32_ps(added([d0, d1, d2, d3]));
            let sum = _mm_add_ps(sum, _mm_mul_ps(between(positions), difference));
            _mm_mul_ps(sum, _mm_set1_ps(SCALE))
        })
    }
}

/// The sum over each of four vectors.
#[inline]
#[target_feature(enable = "sse2")]
fn added([one, two, three, four]: [__m128i; 4]) -> __m128i {
    let low = _mm_add_epi32(_mm_unpacklo_epi32(one, two), _mm_unpackhi_epi32(one, two));
    let high = _mm_add_epi32(_mm_unpacklo_epi32(three, four), _mm_unpackhi_epi32(three, four));
    _mm_add_epi32(_mm_unpacklo_epi64(low, high), _mm_unpackhi_epi64(low, high))
}

impl<const W: usize> SincF32<'_, W> {
    /// Four sums for each plane.
    ///
    /// # Safety
    /// A row begins at `row`, and as many frames from `index` on may be read.
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn dot<const C: usize>(
        &self,
        planes: &[*const f32; C],
        row: *const CoefficientChunk<f32>,
        index: u32,
        between: __m128,
    ) -> [__m128; C] {
        let width = if W == 0 { self.0.width() } else { W };
        let mut sums = [_mm_setzero_ps(); C];
        for chunk in 0..width {
            // SAFETY: the row has as many chunks, of four vectors each.
            let [a0, a1, d0, d1] = unsafe {
                let taps = row.add(chunk).cast::<__m128>();
                [taps.read(), taps.add(1).read(), taps.add(2).read(), taps.add(3).read()]
            };
            let low = _mm_add_ps(a0, _mm_mul_ps(between, d0));
            let high = _mm_add_ps(a1, _mm_mul_ps(between, d1));
            for (sum, plane) in sums.iter_mut().zip(planes) {
                // SAFETY: there is a frame for each tap.
                let (x0, x1) = unsafe {
                    let frames = plane.add(index as usize + chunk * CHUNK);
                    (_mm_loadu_ps(frames), _mm_loadu_ps(frames.add(4)))
                };
                *sum = _mm_add_ps(*sum, _mm_add_ps(_mm_mul_ps(low, x0), _mm_mul_ps(high, x1)));
            }
        }
        sums
    }
}

impl<const W: usize, const C: usize> Kernel<f32, C> for SincF32<'_, W> {
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn values(&self, planes: &[*const f32; C], positions: &Positions) -> [__m128; C] {
        let width = if W == 0 { self.0.width() } else { W };
        let [p0, p1, p2, p3] = phases(positions);
        let [i0, i1, i2, i3] = positions.index;
        let f = between(positions);
        let table = self.0.rows().as_ptr();
        // SAFETY: a phase is one of the table, and a place has as many frames around it as the row has taps.
        let dot = |phase: u32, index: u32, between: __m128| unsafe {
            self.dot(planes, table.add(phase as usize * width), index, between)
        };
        let one = dot(p0, i0, _mm_shuffle_ps::<0b00_00_00_00>(f, f));
        let two = dot(p1, i1, _mm_shuffle_ps::<0b01_01_01_01>(f, f));
        let three = dot(p2, i2, _mm_shuffle_ps::<0b10_10_10_10>(f, f));
        let four = dot(p3, i3, _mm_shuffle_ps::<0b11_11_11_11>(f, f));
        let mut values = [_mm_setzero_ps(); C];
        let quads = one.into_iter().zip(two).zip(three.into_iter().zip(four));
        for (value, ((one, two), (three, four))) in values.iter_mut().zip(quads) {
            let low = _mm_add_ps(_mm_unpacklo_ps(one, two), _mm_unpackhi_ps(one, two));
            let high = _mm_add_ps(_mm_unpacklo_ps(three, four), _mm_unpackhi_ps(three, four));
            *value = _mm_add_ps(_mm_movelh_ps(low, high), _mm_movehl_ps(high, low));
        }
        values
    }
}
