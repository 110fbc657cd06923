//! Kernels of a few neighbours on frames as floats: nearest, linear, cubic.
//!
//! ```text
//! up to ratio 1    frames     x₀ x₁ x₂ x₃ x₄ x₅ x₆ x₇      one load for each neighbour,
//!                             ↓     ↘  ↓   …               and a permutation by index
//!                  here       x₀ x₁ x₁ x₂ x₃ x₃ x₄ x₅
//! above, linear    frames     h₀ n₀ h₁ n₁ │ h₄ n₄ h₅ n₅    a load for the two of each position, every second
//!                             h₂ n₂ h₃ n₃ │ h₆ n₆ h₇ n₇
//!                  here       h₀ h₁ h₂ h₃ │ h₄ h₅ h₆ h₇
//! above, cubic     frames     b₀ h₀ n₀ a₀ │ b₄ h₄ n₄ a₄    a load for the four of each position, transposed
//!                             …           │ …
//!                             b₃ h₃ n₃ a₃ │ b₇ h₇ n₇ a₇
//!                  before     b₀ b₁ b₂ b₃ │ b₄ b₅ b₆ b₇
//! ```
//!
//! Gathering would take longer than to load one by one.

use std::arch::x86_64::*;

use super::super::super::{ShortKernel, Task};
use super::super::CheckedTask;
use super::{AFTER, EightPositions, Kernel, Lanes, put};
use crate::rt::position::PositionStep;

impl Lanes for f32 {
    #[target_feature(enable = "avx2,fma")]
    unsafe fn few<const C: usize>(few: ShortKernel, task: Task<'_, Self, C>) {
        match few {
            ShortKernel::Copy => {
                if let Some(task) = CheckedTask::new(task, 0, AFTER) {
                    put(&Exact, task);
                }
            }
            ShortKernel::Nearest => curved(Nearest, task),
            ShortKernel::Linear => curved(Linear, task),
            ShortKernel::Cubic => curved(Cubic, task),
        }
    }
}

/// Adds with the loads that the step allows.
#[target_feature(enable = "avx2,fma")]
fn curved<K: Curve<N>, const N: usize, const C: usize>(kernel: K, task: Task<'_, f32, C>)
where
    Apart<K, N>: Kernel<f32, C>,
{
    let step = task.step;
    let Some(task) = CheckedTask::new(task, K::BEFORE, AFTER) else { return };
    if step <= PositionStep::ONE.get() {
        put(&Near::<K, N>(kernel), task);
    } else {
        put(&Apart::<K, N>(kernel), task);
    }
}

/// Copies frames: every position is a whole frame, one after another.
struct Exact;

impl<const C: usize> Kernel<f32, C> for Exact {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], positions: &EightPositions) -> [__m256; C] {
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            // SAFETY: `CheckedTask` proved that `AFTER` frames, more than eight, follow the first position.
            *value = unsafe { _mm256_loadu_ps(plane.add(positions.first())) };
        }
        values
    }
}

/// A value between `N` neighbours.
trait Curve<const N: usize> {
    /// Neighbours before the frame at or before the position.
    const BEFORE: usize;

    /// # Safety
    /// The processor has AVX2 and FMA.
    unsafe fn through(neighbours: [__m256; N], positions: &EightPositions) -> __m256;
}

struct Nearest;

impl Curve<2> for Nearest {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([here, next]: [__m256; 2], positions: &EightPositions) -> __m256 {
        // The sign is what is less than half a frame.
        _mm256_blendv_ps(next, here, _mm256_castsi256_ps(positions.fraction))
    }
}

struct Linear;

impl Curve<2> for Linear {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([here, next]: [__m256; 2], positions: &EightPositions) -> __m256 {
        _mm256_fmadd_ps(_mm256_sub_ps(next, here), positions.unit(), here)
    }
}

struct Cubic;

impl Curve<4> for Cubic {
    const BEFORE: usize = 1;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([before, here, next, after]: [__m256; 4], positions: &EightPositions) -> __m256 {
        let (half, fraction) = (_mm256_set1_ps(0.5), positions.unit());
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

/// Loads for a ratio of at most 1: eight positions lie within eight frames.
struct Near<K, const N: usize>(K);

/// Loads for any ratio: the neighbours of each position by themselves.
struct Apart<K, const N: usize>(K);

impl<K: Curve<N>, const N: usize, const C: usize> Kernel<f32, C> for Near<K, N> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], positions: &EightPositions) -> [__m256; C] {
        let (first, index) = (positions.first(), positions.within());
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            let mut found = [_mm256_setzero_ps(); N];
            for (n, found) in found.iter_mut().enumerate() {
                // SAFETY: `CheckedTask` proved that `AFTER` frames, more than eight and `N` neighbours, follow the
                // first position.
                let eight = unsafe { _mm256_loadu_ps(plane.add(first + n)) };
                *found = _mm256_permutevar8x32_ps(eight, index);
            }
            // SAFETY: `through` enables the same target features as this function.
            *value = unsafe { K::through(found, positions) };
        }
        values
    }
}

impl<K: Curve<2>, const C: usize> Kernel<f32, C> for Apart<K, 2> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], positions: &EightPositions) -> [__m256; C] {
        let [i0, i1, i2, i3, i4, i5, i6, i7] = positions.each();
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            // SAFETY: `CheckedTask` proved that `AFTER` frames, more than two, follow each position.
            let two = |index: usize| unsafe { _mm_loadl_epi64(plane.add(index).cast()) };
            let four = |one: usize, other: usize| {
                _mm256_castsi256_ps(_mm256_castsi128_si256(_mm_unpacklo_epi64(two(one), two(other))))
            };
            let low = _mm256_permute2f128_ps::<0x20>(four(i0, i1), four(i4, i5));
            let high = _mm256_permute2f128_ps::<0x20>(four(i2, i3), four(i6, i7));
            let here = _mm256_shuffle_ps::<0b10_00_10_00>(low, high);
            let next = _mm256_shuffle_ps::<0b11_01_11_01>(low, high);
            // SAFETY: `through` enables the same target features as this function.
            *value = unsafe { K::through([here, next], positions) };
        }
        values
    }
}

impl<K: Curve<4>, const C: usize> Kernel<f32, C> for Apart<K, 4> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], positions: &EightPositions) -> [__m256; C] {
        let [i0, i1, i2, i3, i4, i5, i6, i7] = positions.each();
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            // SAFETY: planes begin `BEFORE` frames before the first position, and `CheckedTask` proved that `AFTER`
            // frames, more than four, follow each; the load asks for no alignment.
            let eight =
                |one: usize, other: usize| unsafe { _mm256_loadu2_m128(plane.add(other), plane.add(one)) };
            let (one, two, three, last) = (eight(i0, i4), eight(i1, i5), eight(i2, i6), eight(i3, i7));
            let (a, b) = (_mm256_unpacklo_ps(one, two), _mm256_unpacklo_ps(three, last));
            let (c, d) = (_mm256_unpackhi_ps(one, two), _mm256_unpackhi_ps(three, last));
            let before = _mm256_shuffle_ps::<0b01_00_01_00>(a, b);
            let here = _mm256_shuffle_ps::<0b11_10_11_10>(a, b);
            let next = _mm256_shuffle_ps::<0b01_00_01_00>(c, d);
            let after = _mm256_shuffle_ps::<0b11_10_11_10>(c, d);
            // SAFETY: `through` enables the same target features as this function.
            *value = unsafe { K::through([before, here, next, after], positions) };
        }
        values
    }
}
