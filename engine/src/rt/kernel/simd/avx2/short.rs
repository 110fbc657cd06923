//! Kernels of a few neighbours on 16-bit frames: nearest, linear, cubic.
//!
//! ```text
//! up to ratio 2    frames  x₀ x₁ x₂ x₃ x₄ x₅ x₆ x₇ │ …      a load for four positions, one for the other four,
//!                  bytes   0…3   2…5   6…9   8…11  │ …      and a shuffle by which bytes are wanted
//!                  pairs   x₀x₁  x₁x₂  x₃x₄  x₄x₅  │ …      two neighbours of each position
//! above            pairs are loaded one by one, those of a cubic two at a time
//! linear           h n                                      one pair of each position
//! cubic            b h, n a                                 two: the second is found as the first, two frames farther
//! ```
//!
//! Gathering would take longer than to load one by one.
//! Whatever is a whole number of frames is found with integers, and is exact.

use std::arch::x86_64::*;

use super::super::super::{ShortKernel, Task};
use super::super::CheckedTask;
use super::{AFTER, EightPositions, Kernel, Lanes, put};
use crate::rt::position::PositionStep;

impl Lanes for i16 {
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

/// With the way to get at its frames that the step allows.
#[target_feature(enable = "avx2,fma")]
fn curved<K: Curve<P>, const P: usize, const C: usize>(kernel: K, task: Task<'_, i16, C>)
where
    Apart<K, P>: Kernel<i16, C>,
{
    let step = task.step;
    let Some(task) = CheckedTask::new(task, K::BEFORE, AFTER) else { return };
    if step <= 2 * PositionStep::ONE.get() {
        put(&Near::<K, P>(kernel), task);
    } else {
        put(&Apart::<K, P>(kernel), task);
    }
}

/// Every position is a frame, and the next is the next one.
struct Exact;

impl<const C: usize> Kernel<i16, C> for Exact {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const i16; C], positions: &EightPositions) -> [__m256; C] {
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            // SAFETY: `CheckedTask` proved that `AFTER` frames, more than eight, follow the first position.
            let eight = unsafe { _mm_loadu_si128(plane.add(positions.first()).cast()) };
            *value = _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(eight));
        }
        values
    }
}

/// A value between `P` pairs of neighbours, in the lower and the upper half of 32 bits.
trait Curve<const P: usize> {
    /// Neighbours before the frame at or before the position.
    const BEFORE: usize;

    /// # Safety
    /// The processor has AVX2 and FMA.
    unsafe fn through(pairs: [__m256i; P], positions: &EightPositions) -> __m256;
}

/// Returns each pair's sum, weighted.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn weighted<const FIRST: i16, const SECOND: i16>(pairs: __m256i) -> __m256i {
    let both = i32::from(SECOND) << 16 | i32::from(FIRST) & 0xffff;
    _mm256_madd_epi16(pairs, _mm256_set1_epi32(both))
}

struct Nearest;

impl Curve<1> for Nearest {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([pairs]: [__m256i; 1], positions: &EightPositions) -> __m256 {
        let (here, next) = (weighted::<1, 0>(pairs), weighted::<0, 1>(pairs));
        // The sign is what is less than half a frame.
        let is_early = _mm256_srai_epi32::<31>(positions.fraction);
        _mm256_cvtepi32_ps(_mm256_blendv_epi8(next, here, is_early))
    }
}

struct Linear;

impl Curve<1> for Linear {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([pairs]: [__m256i; 1], positions: &EightPositions) -> __m256 {
        let here = _mm256_cvtepi32_ps(weighted::<1, 0>(pairs));
        let rise = _mm256_cvtepi32_ps(weighted::<-1, 1>(pairs));
        _mm256_fmadd_ps(rise, positions.unit(), here)
    }
}

/// ```text
///              low: before here    high: next after
/// 2 × one             −1     0            1     0
/// 2 × two              2    −5            4    −1
/// 2 × three            1    −3            3    −1
/// value        here + f × (one + f × (two − f × three))
/// ```
struct Cubic;

impl Curve<2> for Cubic {
    const BEFORE: usize = 1;

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn through([low, high]: [__m256i; 2], positions: &EightPositions) -> __m256 {
        let float = |low: __m256i, high: __m256i| _mm256_cvtepi32_ps(_mm256_add_epi32(low, high));
        let here = _mm256_cvtepi32_ps(_mm256_srai_epi32::<16>(low));
        // Doubled, they are whole.
        let one = float(weighted::<-1, 0>(low), weighted::<1, 0>(high));
        let two = float(weighted::<2, -5>(low), weighted::<4, -1>(high));
        let three = float(weighted::<1, -3>(low), weighted::<3, -1>(high));
        let fraction = positions.unit();
        let bend = _mm256_fnmadd_ps(fraction, three, two);
        let slope = _mm256_fmadd_ps(fraction, bend, one);
        _mm256_fmadd_ps(_mm256_mul_ps(fraction, _mm256_set1_ps(0.5)), slope, here)
    }
}

/// Up to ratio 2: the neighbours of four positions lie within eight frames, two of each at a time.
struct Near<K, const P: usize>(K);

/// At any ratio.
struct Apart<K, const P: usize>(K);

impl<K: Curve<P>, const P: usize, const C: usize> Kernel<i16, C> for Near<K, P> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const i16; C], positions: &EightPositions) -> [__m256; C] {
        const FRAME: i32 = 0x0202_0202;
        // Which bytes are wanted: those of two frames, and for each frame ahead two bytes farther.
        let ahead = _mm256_mullo_epi32(positions.four.frames, _mm256_set1_epi32(FRAME));
        let ahead = _mm256_add_epi32(ahead, _mm256_set1_epi32(0x0302_0100));
        let more =
            _mm256_and_si256(positions.four.has_gone_round(positions.fraction), _mm256_set1_epi32(FRAME));
        let bytes = _mm256_add_epi32(ahead, more);
        let (first, fifth) = (positions.first(), positions.fifth());
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            let mut pairs = [_mm256_setzero_si256(); P];
            for (n, pairs) in pairs.iter_mut().enumerate() {
                // SAFETY: at a ratio of at most 2 the fifth position is at most eight frames after the first, so each
                // load ends within 8 + 2 * P + 8 frames of a checked position; `AFTER` is as many for `P` up to 2.
                let frames = unsafe {
                    _mm256_loadu2_m128i(plane.add(fifth + 2 * n).cast(), plane.add(first + 2 * n).cast())
                };
                *pairs = _mm256_shuffle_epi8(frames, bytes);
            }
            // SAFETY: `through` enables the same target features as this function.
            *value = unsafe { K::through(pairs, positions) };
        }
        values
    }
}

impl<K: Curve<1>, const C: usize> Kernel<i16, C> for Apart<K, 1> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const i16; C], positions: &EightPositions) -> [__m256; C] {
        let [i0, i1, i2, i3, i4, i5, i6, i7] = positions.each();
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            // SAFETY: `CheckedTask` proved that `AFTER` frames, more than two, follow each position; the read is
            // unaligned.
            let two = |index: usize| unsafe { plane.add(index).cast::<i32>().read_unaligned() };
            let low = _mm_setr_epi32(two(i0), two(i1), two(i2), two(i3));
            let high = _mm_setr_epi32(two(i4), two(i5), two(i6), two(i7));
            // SAFETY: `through` enables the same target features as this function.
            *value = unsafe { K::through([_mm256_set_m128i(high, low)], positions) };
        }
        values
    }
}

impl<K: Curve<2>, const C: usize> Kernel<i16, C> for Apart<K, 2> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const i16; C], positions: &EightPositions) -> [__m256; C] {
        let [i0, i1, i2, i3, i4, i5, i6, i7] = positions.each();
        let mut values = [_mm256_setzero_ps(); C];
        for (value, plane) in values.iter_mut().zip(planes) {
            // SAFETY: planes begin `BEFORE` frames before the first position, and `CheckedTask` proved that `AFTER`
            // frames, more than four, follow each; the load asks for no alignment.
            let four = |index: usize| unsafe { _mm_loadl_epi64(plane.add(index).cast()) };
            let both = |one: usize, other: usize| _mm_unpacklo_epi64(four(one), four(other));
            let outer = _mm256_castsi256_ps(_mm256_set_m128i(both(i4, i5), both(i0, i1)));
            let inner = _mm256_castsi256_ps(_mm256_set_m128i(both(i6, i7), both(i2, i3)));
            let low = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(outer, inner));
            let high = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(outer, inner));
            // SAFETY: `through` enables the same target features as this function.
            *value = unsafe { K::through([low, high], positions) };
        }
        values
    }
}
