//! Eight frames at a time, for processors with AVX2 and FMA.
//!
//! ```text
//! places     p₀        p₁        p₂   …   p₇          64 bits each, in two registers
//! index      i₀ i₁ i₂ … i₇                            the upper halves
//! fraction   f₀ f₁ f₂ … f₇                            the lower halves
//! values     v₀ v₁ v₂ … v₇                            by one of the kernels
//! left       += v × left gain                         right likewise
//! ```
//!
//! The last frames of a run are rendered eight at a time as well, and what is too much is thrown away: so each frame
//! comes about in the same way wherever a run ends. The index of a frame that is too much is that of the first.

mod curve;
mod sinc;

use std::arch::x86_64::*;

use super::super::table::{Table, Tables};
use super::super::{Choice, Task, Value};
use super::Checked;
use crate::rt::position::Step;
pub(in super::super) use curve::Lanes;
use curve::{Apart, Cubic, Curve, Exact, Linear, Near, Nearest, Wide};

/// Frames in a vector.
const LANES: usize = 8;

/// Eight places, as frames counted from the first place of the run.
struct Places {
    /// Of the first of them.
    first: usize,
    index: __m256i,
    /// In 2^-32.
    fraction: __m256i,
}

/// One way to find eight values.
trait Kernel<V, const C: usize>: Sized {
    /// The values of each plane, given where its farthest frame before the run's first place lies.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; planes and places are those of a task that was [`Checked`] for this kernel.
    unsafe fn values(&self, planes: &[*const V; C], places: &Places) -> [__m256; C];
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn mix<V: Value, const C: usize>(choice: Choice, tables: &Tables, task: Task<'_, V, C>) {
    match choice {
        Choice::Copy => curved(Exact, task),
        Choice::Nearest => curved(Nearest, task),
        Choice::Linear => curved(Linear, task),
        Choice::Cubic => curved(Cubic, task),
        Choice::Sinc(taps, number) => {
            let Some(table) = tables.fine(taps, number) else { return };
            let Some(task) = Checked::around(task, table) else { return };
            match table.width() {
                1 => add(&sinc::Fine::<1>(table), task),
                2 => add(&sinc::Fine::<2>(table), task),
                3 => add(&sinc::Fine::<3>(table), task),
                4 => add(&sinc::Fine::<4>(table), task),
                _ => add(&sinc::Fine::<0>(table), task),
            }
        }
    }
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn short<const C: usize>(table: &Table<i16>, task: Task<'_, i16, C>) {
    let Some(task) = Checked::around(task, table) else { return };
    match table.width() {
        1 => add(&sinc::Short::<1>(table), task),
        2 => add(&sinc::Short::<2>(table), task),
        3 => add(&sinc::Short::<3>(table), task),
        4 => add(&sinc::Short::<4>(table), task),
        _ => add(&sinc::Short::<0>(table), task),
    }
}

/// With the way to get at its frames that the step allows.
#[target_feature(enable = "avx2,fma")]
fn curved<K: Curve<N>, V: Value, const N: usize, const C: usize>(kernel: K, task: Task<'_, V, C>) {
    let step = task.step;
    let Some(task) = Checked::new(task, K::BEFORE, curve::BEHIND) else { return };
    if step <= Step::ONE.get() {
        add(&Near::<K, N>(kernel), task);
    } else if step <= 2 * Step::ONE.get() {
        add(&Wide::<K, N>(kernel), task);
    } else {
        add(&Apart::<K, N>(kernel), task);
    }
}

#[target_feature(enable = "avx2,fma")]
fn add<K: Kernel<V, C>, V, const C: usize>(kernel: &K, task: Checked<'_, V, C>) {
    if task.gain.line.slope == 0.0 {
        add_along::<K, V, C, false>(kernel, task);
    } else {
        add_along::<K, V, C, true>(kernel, task);
    }
}

/// Along a ramp, or at one level.
#[target_feature(enable = "avx2,fma")]
fn add_along<K: Kernel<V, C>, V, const C: usize, const RAMP: bool>(kernel: &K, task: Checked<'_, V, C>) {
    let Checked { planes, fraction, step, gain, left, right } = task;
    let from = i64::from(fraction);
    let place = |frame: i64| from.wrapping_add((step as i64).wrapping_mul(frame));
    // In an order that leaves their halves in the order of frames.
    let mut outer = _mm256_setr_epi64x(place(0), place(1), place(4), place(5));
    let mut inner = _mm256_setr_epi64x(place(2), place(3), place(6), place(7));
    let mut first = u64::from(fraction);
    let further = _mm256_set1_epi64x(place(8) - from);
    let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

    let (start, slope) = (_mm256_set1_ps(gain.line.from), _mm256_set1_ps(gain.line.slope));
    let mut since = _mm256_add_epi32(_mm256_set1_epi32(gain.line.at as i32), lanes);
    let steady = if RAMP { 1.0 } else { gain.line.from };
    let (to_left, to_right) = (_mm256_set1_ps(gain.left * steady), _mm256_set1_ps(gain.right * steady));

    for (left, right) in left.chunks_mut(LANES).zip(right.chunks_mut(LANES)) {
        let (lower, upper) = (_mm256_castsi256_ps(outer), _mm256_castsi256_ps(inner));
        let wanted = _mm256_cmpgt_epi32(_mm256_set1_epi32(left.len() as i32), lanes);
        let index = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(lower, upper));
        let fraction = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(lower, upper));
        let places =
            Places { first: (first >> 32) as usize, index: _mm256_and_si256(index, wanted), fraction };
        // SAFETY: each index is that of a place of the checked task.
        let values = unsafe { kernel.values(&planes, &places) };
        let (Some(&one), Some(&two)) = (values.first(), values.last()) else { return };
        let (mut to_left, mut to_right) = (to_left, to_right);
        if RAMP {
            let level = _mm256_fmadd_ps(slope, _mm256_cvtepi32_ps(since), start);
            (to_left, to_right) = (_mm256_mul_ps(level, to_left), _mm256_mul_ps(level, to_right));
            since = _mm256_add_epi32(since, _mm256_set1_epi32(LANES as i32));
        }
        accumulate(left, one, to_left);
        accumulate(right, two, to_right);
        outer = _mm256_add_epi64(outer, further);
        inner = _mm256_add_epi64(inner, further);
        first = first.wrapping_add(step.wrapping_mul(LANES as u64));
    }
}

/// Adds values times gains to as many frames as there are, at most eight.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn accumulate(frames: &mut [f32], values: __m256, gains: __m256) {
    if let Ok(frames) = <&mut [f32; LANES]>::try_from(&mut *frames) {
        // SAFETY: they are eight floats.
        unsafe {
            let sum = _mm256_fmadd_ps(values, gains, _mm256_loadu_ps(frames.as_ptr()));
            _mm256_storeu_ps(frames.as_mut_ptr(), sum);
        }
    } else {
        let mut all = [0.0; LANES];
        all.iter_mut().zip(&*frames).for_each(|(all, frame)| *all = *frame);
        // SAFETY: they are eight floats.
        unsafe {
            let sum = _mm256_fmadd_ps(values, gains, _mm256_loadu_ps(all.as_ptr()));
            _mm256_storeu_ps(all.as_mut_ptr(), sum);
        }
        frames.iter_mut().zip(all).for_each(|(frame, all)| *frame = all);
    }
}

/// 0..1 of fractions in 2^-32; 24 bits of them, as the scalar form.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn unit(fraction: __m256i) -> __m256 {
    const SCALE: f32 = 1.0 / (1 << 24) as f32;
    _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32::<8>(fraction)), _mm256_set1_ps(SCALE))
}
