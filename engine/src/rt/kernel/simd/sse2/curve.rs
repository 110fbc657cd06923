//! Kernels of a few neighbours: nearest, linear, cubic.
//!
//! ```text
//! frames      b₀ h₀ n₀ a₀     the neighbours of one place, one load
//!             b₁ h₁ n₁ a₁
//!             b₂ h₂ n₂ a₂
//!             b₃ h₃ n₃ a₃     of four positions
//! neighbours  b₀ b₁ b₂ b₃     turned round: one vector for each neighbour
//! ```

use std::arch::x86_64::*;

use super::{Kernel, LANES, Positions, unit};
use crate::bank::GUARD;

/// Frames that may be read behind a place.
pub(super) const BEHIND: usize = 4;
const _: () = assert!(BEHIND <= GUARD);

/// A value that can be loaded as floats.
pub(in super::super::super) trait Lanes: Copy {
    /// Two neighbours at each of four positions: a vector for each neighbour.
    ///
    /// # Safety
    /// All of them may be read.
    unsafe fn pair(from: *const Self, index: [u32; LANES]) -> [__m128; 2];

    /// Four neighbours.
    ///
    /// # Safety
    /// All of them may be read.
    unsafe fn quad(from: *const Self, index: [u32; LANES]) -> [__m128; 4];
}

impl Lanes for f32 {
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [__m128; 2] {
        // SAFETY: they may be read.
        let two = |index: u32| unsafe { _mm_castsi128_ps(_mm_loadl_epi64(from.add(index as usize).cast())) };
        let (low, high) = (_mm_unpacklo_ps(two(i0), two(i1)), _mm_unpacklo_ps(two(i2), two(i3)));
        [_mm_movelh_ps(low, high), _mm_movehl_ps(high, low)]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [__m128; 4] {
        // SAFETY: they may be read.
        let four = |index: u32| unsafe { _mm_loadu_ps(from.add(index as usize)) };
        let (one, two, three, last) = (four(i0), four(i1), four(i2), four(i3));
        let (a, b) = (_mm_unpacklo_ps(one, two), _mm_unpacklo_ps(three, last));
        let (c, d) = (_mm_unpackhi_ps(one, two), _mm_unpackhi_ps(three, last));
        [_mm_movelh_ps(a, b), _mm_movehl_ps(b, a), _mm_movelh_ps(c, d), _mm_movehl_ps(d, c)]
    }
}

impl Lanes for i16 {
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [__m128; 2] {
        // SAFETY: they may be read.
        let two = |index: u32| unsafe { from.add(index as usize).cast::<i32>().read_unaligned() };
        let both = _mm_setr_epi32(two(i0), two(i1), two(i2), two(i3));
        let float = |half: __m128i| _mm_cvtepi32_ps(_mm_srai_epi32::<16>(half));
        [float(_mm_slli_epi32::<16>(both)), float(both)]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [__m128; 4] {
        // SAFETY: they may be read.
        let four = |index: u32| unsafe { _mm_loadl_epi64(from.add(index as usize).cast()) };
        let low = _mm_unpacklo_epi16(four(i0), four(i1));
        let high = _mm_unpacklo_epi16(four(i2), four(i3));
        let [before, here] = halves(_mm_unpacklo_epi32(low, high));
        let [next, after] = halves(_mm_unpackhi_epi32(low, high));
        [before, here, next, after]
    }
}

/// Eight 16-bit values as floats.
#[inline]
#[target_feature(enable = "sse2")]
fn halves(eight: __m128i) -> [__m128; 2] {
    // Each in the upper half of 32 bits, and then down with its sign.
    let float = |upper: __m128i| _mm_cvtepi32_ps(_mm_srai_epi32::<16>(upper));
    [float(_mm_unpacklo_epi16(eight, eight)), float(_mm_unpackhi_epi16(eight, eight))]
}

/// A value between neighbours.
pub(super) trait Curve {
    /// Neighbours before the frame at or before the place.
    const BEFORE: usize;

    /// # Safety
    /// The neighbours of each place may be read.
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> __m128;
}

impl<K: Curve, V: Lanes, const C: usize> Kernel<V, C> for K {
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn values(&self, planes: &[*const V; C], positions: &Positions) -> [__m128; C] {
        // SAFETY: the neighbours of each place may be read.
        planes.map(|plane| unsafe { K::at(plane, positions) })
    }
}

/// Every place is a frame.
pub(super) struct Exact;

impl Curve for Exact {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> __m128 {
        // SAFETY: they may be read.
        let [here, _] = unsafe { V::pair(plane, positions.index) };
        here
    }
}

pub(super) struct Nearest;

impl Curve for Nearest {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> __m128 {
        // SAFETY: they may be read.
        let [here, next] = unsafe { V::pair(plane, positions.index) };
        // By the highest bit, which is half a frame.
        let is_late = _mm_castsi128_ps(_mm_srai_epi32::<31>(positions.fraction));
        _mm_or_ps(_mm_and_ps(is_late, next), _mm_andnot_ps(is_late, here))
    }
}

pub(super) struct Linear;

impl Curve for Linear {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> __m128 {
        // SAFETY: they may be read.
        let [here, next] = unsafe { V::pair(plane, positions.index) };
        _mm_add_ps(here, _mm_mul_ps(_mm_sub_ps(next, here), unit(positions.fraction)))
    }
}

pub(super) struct Cubic;

impl Curve for Cubic {
    const BEFORE: usize = 1;

    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> __m128 {
        // SAFETY: they may be read.
        let [before, here, next, after] = unsafe { V::quad(plane, positions.index) };
        let (half, fraction) = (_mm_set1_ps(0.5), unit(positions.fraction));
        let one = _mm_sub_ps(here, before);
        let two = _mm_sub_ps(next, here);
        let three = _mm_sub_ps(after, next);
        let near = _mm_mul_ps(half, _mm_sub_ps(two, one));
        let far = _mm_mul_ps(half, _mm_sub_ps(two, three));
        let both = _mm_add_ps(near, far);
        let bend = _mm_sub_ps(_mm_add_ps(near, both), _mm_mul_ps(fraction, both));
        let slope = _mm_add_ps(_mm_sub_ps(two, near), _mm_mul_ps(fraction, bend));
        _mm_add_ps(here, _mm_mul_ps(fraction, slope))
    }
}
