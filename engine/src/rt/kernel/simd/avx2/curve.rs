//! Kernels of a few neighbours: nearest, linear, cubic.
//!
//! ```text
//! up to ratio 1    frames  x₀ x₁ x₂ x₃ x₄ x₅ x₆ x₇      one load for each neighbour,
//!                          ↓     ↘  ↓   …               and a permutation by index
//!                  here    x₀ x₁ x₁ x₂ x₃ x₃ x₄ x₅
//! up to ratio 2    two loads, two permutations, and a choice between them
//! above            frames are gathered
//! ```

use std::arch::x86_64::*;

use super::{Kernel, LANES, Places, unit};
use crate::bank::GUARD;

/// Frames that may be read behind a place: two vectors from the farthest neighbour on.
pub(super) const BEHIND: usize = 2 * LANES + 4;
const _: () = assert!(BEHIND <= GUARD);

/// A value that can be loaded as eight floats.
pub(in super::super::super) trait Lanes: Copy {
    /// Eight that lie together.
    ///
    /// # Safety
    /// The processor has AVX2; all of them may be read.
    unsafe fn load(from: *const Self) -> __m256;

    /// `N` neighbours at each of eight places: a vector for each neighbour.
    ///
    /// # Safety
    /// The processor has AVX2; all of them may be read, and one more.
    unsafe fn gather<const N: usize>(from: *const Self, index: __m256i) -> [__m256; N];
}

impl Lanes for f32 {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn load(from: *const Self) -> __m256 {
        // SAFETY: they may be read.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn gather<const N: usize>(from: *const Self, index: __m256i) -> [__m256; N] {
        let mut found = [_mm256_setzero_ps(); N];
        for (n, found) in found.iter_mut().enumerate() {
            // SAFETY: they may be read.
            *found = unsafe { _mm256_i32gather_ps::<4>(from.add(n), index) };
        }
        found
    }
}

impl Lanes for i16 {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn load(from: *const Self) -> __m256 {
        // SAFETY: they may be read.
        let eight = unsafe { _mm_loadu_si128(from.cast()) };
        _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(eight))
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn gather<const N: usize>(from: *const Self, index: __m256i) -> [__m256; N] {
        let mut found = [_mm256_setzero_ps(); N];
        for (n, pair) in found.chunks_mut(2).enumerate() {
            // Two neighbours at a time, as the halves of 32 bits.
            // SAFETY: they may be read, and one more.
            let both = unsafe { _mm256_i32gather_epi32::<2>(from.add(2 * n).cast(), index) };
            let halves = [_mm256_slli_epi32::<16>(both), both];
            for (found, half) in pair.iter_mut().zip(halves) {
                *found = _mm256_cvtepi32_ps(_mm256_srai_epi32::<16>(half));
            }
        }
        found
    }
}

/// A value between `N` neighbours.
pub(super) trait Curve<const N: usize> {
    /// Neighbours before the frame at or before the place.
    const BEFORE: usize;

    /// # Safety
    /// The processor has AVX2 and FMA.
    unsafe fn through(neighbours: [__m256; N], fraction: __m256i) -> __m256;
}

/// Every place is a frame.
pub(super) struct Exact;

impl Curve<1> for Exact {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([here]: [__m256; 1], _: __m256i) -> __m256 {
        here
    }
}

pub(super) struct Nearest;

impl Curve<2> for Nearest {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([here, next]: [__m256; 2], fraction: __m256i) -> __m256 {
        // By the highest bit, which is half a frame.
        _mm256_blendv_ps(here, next, _mm256_castsi256_ps(fraction))
    }
}

pub(super) struct Linear;

impl Curve<2> for Linear {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([here, next]: [__m256; 2], fraction: __m256i) -> __m256 {
        _mm256_fmadd_ps(_mm256_sub_ps(next, here), unit(fraction), here)
    }
}

pub(super) struct Cubic;

impl Curve<4> for Cubic {
    const BEFORE: usize = 1;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([before, here, next, after]: [__m256; 4], fraction: __m256i) -> __m256 {
        let (half, fraction) = (_mm256_set1_ps(0.5), unit(fraction));
        let one = _mm256_sub_ps(here, before);
        let two = _mm256_sub_ps(next, here);
        let three = _mm256_sub_ps(after, next);
        let near = _mm256_mul_ps(half, _mm256_sub_ps(two, one));
        let far = _mm256_mul_ps(half, _mm256_sub_ps(two, three));
        let both = _mm256_add_ps(near, far);
        let bend = _mm256_fnmadd_ps(fraction, both, _mm256_add_ps(near, both));
        let slope = _mm256_fmadd_ps(fraction, bend, _mm256_sub_ps(two, near));
        _mm256_fmadd_ps(fraction, slope, here)
    }
}

/// Up to ratio 1: eight places lie within eight frames.
pub(super) struct Near<K, const N: usize>(pub(super) K);

/// Up to ratio 2: they lie within sixteen.
pub(super) struct Wide<K, const N: usize>(pub(super) K);

/// At any ratio.
pub(super) struct Apart<K, const N: usize>(pub(super) K);

impl<K: Curve<N>, V: Lanes, const N: usize, const C: usize> Kernel<V, C> for Near<K, N> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const V; C], places: &Places) -> [__m256; C] {
        let index = within(places);
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            let mut found = [_mm256_setzero_ps(); N];
            for (n, found) in found.iter_mut().enumerate() {
                // SAFETY: behind the first place there are as many frames.
                let eight = unsafe { V::load(plane.add(places.first + n)) };
                *found = _mm256_permutevar8x32_ps(eight, index);
            }
            // SAFETY: the processor has what it takes.
            *value = unsafe { K::through(found, places.fraction) };
        }
        values
    }
}

impl<K: Curve<N>, V: Lanes, const N: usize, const C: usize> Kernel<V, C> for Wide<K, N> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const V; C], places: &Places) -> [__m256; C] {
        let index = within(places);
        let is_far = _mm256_castsi256_ps(_mm256_cmpgt_epi32(index, _mm256_set1_epi32(LANES as i32 - 1)));
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            let mut found = [_mm256_setzero_ps(); N];
            for (n, found) in found.iter_mut().enumerate() {
                // SAFETY: behind the first place there are as many frames.
                let (eight, further) = unsafe {
                    let from = plane.add(places.first + n);
                    (V::load(from), V::load(from.add(LANES)))
                };
                // A permutation looks at the lowest three bits of an index.
                let near = _mm256_permutevar8x32_ps(eight, index);
                let far = _mm256_permutevar8x32_ps(further, index);
                *found = _mm256_blendv_ps(near, far, is_far);
            }
            // SAFETY: the processor has what it takes.
            *value = unsafe { K::through(found, places.fraction) };
        }
        values
    }
}

impl<K: Curve<N>, V: Lanes, const N: usize, const C: usize> Kernel<V, C> for Apart<K, N> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const V; C], places: &Places) -> [__m256; C] {
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            // SAFETY: the neighbours of each place may be read, and more behind them.
            *value = unsafe { K::through(V::gather(*plane, places.index), places.fraction) };
        }
        values
    }
}

/// Index of each place, counted from the first of the eight.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn within(places: &Places) -> __m256i {
    _mm256_sub_epi32(places.index, _mm256_set1_epi32(places.first as i32))
}
