//! Kernels of a few neighbours on frames as floats: nearest, linear, cubic.
//!
//! ```text
//! up to ratio 1    frames  x₀ x₁ x₂ x₃ x₄ x₅ x₆ x₇      one load for each neighbour,
//!                          ↓     ↘  ↓   …               and a permutation by index
//!                  here    x₀ x₁ x₁ x₂ x₃ x₃ x₄ x₅
//! up to ratio 2    two loads, two permutations, and a choice between them
//! above            frames are gathered
//! ```

use std::arch::x86_64::*;

use super::super::super::{Few, Task};
use super::super::Checked;
use super::{BEHIND, Kernel, LANES, Lanes, Places, add};
use crate::rt::position::Step;

impl Lanes for f32 {
    #[target_feature(enable = "avx2,fma")]
    unsafe fn few<const C: usize>(few: Few, task: Task<'_, Self, C>) {
        match few {
            Few::Copy => {
                if let Some(task) = Checked::new(task, 0, BEHIND) {
                    add(&Exact, task);
                }
            }
            Few::Nearest => curved(Nearest, task),
            Few::Linear => curved(Linear, task),
            Few::Cubic => curved(Cubic, task),
        }
    }
}

/// With the way to get at its frames that the step allows.
#[target_feature(enable = "avx2,fma")]
fn curved<K: Curve<N>, const N: usize, const C: usize>(kernel: K, task: Task<'_, f32, C>) {
    let step = task.step;
    let Some(task) = Checked::new(task, K::BEFORE, BEHIND) else { return };
    if step <= Step::ONE.get() {
        add(&Near::<K, N>(kernel), task);
    } else if step <= 2 * Step::ONE.get() {
        add(&Wide::<K, N>(kernel), task);
    } else {
        add(&Apart::<K, N>(kernel), task);
    }
}

/// Every place is a frame, and the next is the next one.
struct Exact;

impl<const C: usize> Kernel<f32, C> for Exact {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], places: &Places) -> [__m256; C] {
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            // SAFETY: behind the first place there are as many frames.
            *value = unsafe { _mm256_loadu_ps(plane.add(places.first())) };
        }
        values
    }
}

/// A value between `N` neighbours.
trait Curve<const N: usize> {
    /// Neighbours before the frame at or before the place.
    const BEFORE: usize;

    /// # Safety
    /// The processor has AVX2 and FMA.
    unsafe fn through(neighbours: [__m256; N], places: &Places) -> __m256;
}

struct Nearest;

impl Curve<2> for Nearest {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([here, next]: [__m256; 2], places: &Places) -> __m256 {
        // The sign is what is less than half a frame.
        _mm256_blendv_ps(next, here, _mm256_castsi256_ps(places.fraction))
    }
}

struct Linear;

impl Curve<2> for Linear {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([here, next]: [__m256; 2], places: &Places) -> __m256 {
        _mm256_fmadd_ps(_mm256_sub_ps(next, here), places.unit(), here)
    }
}

struct Cubic;

impl Curve<4> for Cubic {
    const BEFORE: usize = 1;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([before, here, next, after]: [__m256; 4], places: &Places) -> __m256 {
        let (half, fraction) = (_mm256_set1_ps(0.5), places.unit());
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
struct Near<K, const N: usize>(K);

/// Up to ratio 2: they lie within sixteen.
struct Wide<K, const N: usize>(K);

/// At any ratio.
struct Apart<K, const N: usize>(K);

impl<K: Curve<N>, const N: usize, const C: usize> Kernel<f32, C> for Near<K, N> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], places: &Places) -> [__m256; C] {
        let (first, index) = (places.first(), places.within());
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            let mut found = [_mm256_setzero_ps(); N];
            for (n, found) in found.iter_mut().enumerate() {
                // SAFETY: behind the first place there are as many frames.
                let eight = unsafe { _mm256_loadu_ps(plane.add(first + n)) };
                *found = _mm256_permutevar8x32_ps(eight, index);
            }
            // SAFETY: the processor has what it takes.
            *value = unsafe { K::through(found, places) };
        }
        values
    }
}

impl<K: Curve<N>, const N: usize, const C: usize> Kernel<f32, C> for Wide<K, N> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], places: &Places) -> [__m256; C] {
        let (first, index) = (places.first(), places.within());
        let is_far = _mm256_castsi256_ps(_mm256_cmpgt_epi32(index, _mm256_set1_epi32(LANES as i32 - 1)));
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            let mut found = [_mm256_setzero_ps(); N];
            for (n, found) in found.iter_mut().enumerate() {
                // SAFETY: behind the first place there are as many frames.
                let (eight, further) = unsafe {
                    let from = plane.add(first + n);
                    (_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(LANES)))
                };
                // A permutation looks at the lowest three bits of an index.
                let near = _mm256_permutevar8x32_ps(eight, index);
                let far = _mm256_permutevar8x32_ps(further, index);
                *found = _mm256_blendv_ps(near, far, is_far);
            }
            // SAFETY: the processor has what it takes.
            *value = unsafe { K::through(found, places) };
        }
        values
    }
}

impl<K: Curve<N>, const N: usize, const C: usize> Kernel<f32, C> for Apart<K, N> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], places: &Places) -> [__m256; C] {
        let index = places.index();
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            let mut found = [_mm256_setzero_ps(); N];
            for (n, found) in found.iter_mut().enumerate() {
                // SAFETY: the neighbours of each place may be read.
                *found = unsafe { _mm256_i32gather_ps::<4>(plane.add(n), index) };
            }
            // SAFETY: the processor has what it takes.
            *value = unsafe { K::through(found, places) };
        }
        values
    }
}
