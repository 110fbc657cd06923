//! Four frames at a time, with what every x86-64 processor has.
//!
//! ```text
//! positions     p₀    p₁    p₂    p₃      64 bits each, in two registers
//! index      i₀ i₁ i₂ i₃               the upper halves
//! fraction   f₀ f₁ f₂ f₃               the lower halves
//! values     v₀ v₁ v₂ v₃               by one of the kernels
//! left       += v × left gain          right likewise
//! ```
//!
//! As in [`avx2`](super::avx2), the last frames of a run are rendered four at a time as well.

mod curve;
mod sinc;

use std::arch::x86_64::*;

use super::super::table::SincTable;
use super::super::{RecordedValue, ShortKernel, Task};
use super::Checked;
pub(in super::super) use curve::Lanes;
use curve::{Cubic, Curve, Exact, Linear, Nearest};

/// Frames in a vector.
const LANES: usize = 4;

/// Four positions, as frames counted from the first place of the run.
struct Positions {
    index: [u32; LANES],
    /// In 2^-32.
    fraction: __m128i,
}

/// One way to find four values.
trait Kernel<V, const C: usize> {
    /// The values of each plane, given where its farthest frame before the run's first place lies.
    ///
    /// # Safety
    /// Planes and positions are those of a task that was [`Checked`] for this kernel.
    unsafe fn values(&self, planes: &[*const V; C], positions: &Positions) -> [__m128; C];
}

#[target_feature(enable = "sse2")]
pub(super) fn few<V: RecordedValue, const C: usize>(few: ShortKernel, task: Task<'_, V, C>) {
    match few {
        ShortKernel::Copy => curved(&Exact, task),
        ShortKernel::Nearest => curved(&Nearest, task),
        ShortKernel::Linear => curved(&Linear, task),
        ShortKernel::Cubic => curved(&Cubic, task),
    }
}

#[target_feature(enable = "sse2")]
pub(super) fn fine<const C: usize>(table: &SincTable<f32>, task: Task<'_, f32, C>) {
    let Some(task) = Checked::around(task, table) else { return };
    match table.width() {
        1 => add(&sinc::SincF32::<1>(table), task),
        2 => add(&sinc::SincF32::<2>(table), task),
        _ => add(&sinc::SincF32::<0>(table), task),
    }
}

#[target_feature(enable = "sse2")]
pub(super) fn short<const C: usize>(table: &SincTable<i16>, task: Task<'_, i16, C>) {
    let Some(task) = Checked::around(task, table) else { return };
    match table.width() {
        1 => add(&sinc::SincI16::<1>(table), task),
        2 => add(&sinc::SincI16::<2>(table), task),
        _ => add(&sinc::SincI16::<0>(table), task),
    }
}

#[target_feature(enable = "sse2")]
fn curved<K: Curve, V: RecordedValue, const C: usize>(kernel: &K, task: Task<'_, V, C>) {
    if let Some(task) = Checked::new(task, K::BEFORE, curve::BEHIND) {
        add(kernel, task);
    }
}

#[target_feature(enable = "sse2")]
fn add<K: Kernel<V, C>, V, const C: usize>(kernel: &K, task: Checked<'_, V, C>) {
    if task.gain.line.slope == 0.0 {
        add_along::<K, V, C, false>(kernel, task);
    } else {
        add_along::<K, V, C, true>(kernel, task);
    }
}

/// Along a ramp, or at one level.
#[target_feature(enable = "sse2")]
fn add_along<K: Kernel<V, C>, V, const C: usize, const RAMP: bool>(kernel: &K, task: Checked<'_, V, C>) {
    let Checked { planes, fraction, step, gain, left, right } = task;
    let from = i64::from(fraction);
    let place = |frame: i64| from.wrapping_add((step as i64).wrapping_mul(frame));
    let mut lower = _mm_set_epi64x(place(1), place(0));
    let mut upper = _mm_set_epi64x(place(3), place(2));
    let further = _mm_set1_epi64x(place(LANES as i64) - from);
    let lanes = _mm_setr_epi32(0, 1, 2, 3);

    let (start, slope) = (_mm_set1_ps(gain.line.from), _mm_set1_ps(gain.line.slope));
    let mut since = _mm_add_epi32(_mm_set1_epi32(gain.line.at as i32), lanes);
    let steady = if RAMP { 1.0 } else { gain.line.from };
    let (to_left, to_right) = (_mm_set1_ps(gain.left * steady), _mm_set1_ps(gain.right * steady));

    for (left, right) in left.chunks_mut(LANES).zip(right.chunks_mut(LANES)) {
        let wanted = _mm_cmpgt_epi32(_mm_set1_epi32(left.len() as i32), lanes);
        let (low, high) = (_mm_castsi128_ps(lower), _mm_castsi128_ps(upper));
        let index = _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(low, high));
        let fraction = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(low, high));
        let positions = Positions { index: stored(_mm_and_si128(index, wanted)), fraction };
        // SAFETY: each index is that of a place of the checked task.
        let values = unsafe { kernel.values(&planes, &positions) };
        let (Some(&one), Some(&two)) = (values.first(), values.last()) else { return };
        let (mut to_left, mut to_right) = (to_left, to_right);
        if RAMP {
            let level = _mm_add_ps(_mm_mul_ps(slope, _mm_cvtepi32_ps(since)), start);
            (to_left, to_right) = (_mm_mul_ps(level, to_left), _mm_mul_ps(level, to_right));
            since = _mm_add_epi32(since, _mm_set1_epi32(LANES as i32));
        }
        accumulate(left, _mm_mul_ps(one, to_left));
        accumulate(right, _mm_mul_ps(two, to_right));
        lower = _mm_add_epi64(lower, further);
        upper = _mm_add_epi64(upper, further);
    }
}

/// Adds values to as many frames as there are, at most four.
#[inline]
#[target_feature(enable = "sse2")]
fn accumulate(frames: &mut [f32], values: __m128) {
    if let Ok(frames) = <&mut [f32; LANES]>::try_from(&mut *frames) {
        // SAFETY: they are four floats.
        unsafe { _mm_storeu_ps(frames.as_mut_ptr(), _mm_add_ps(values, _mm_loadu_ps(frames.as_ptr()))) };
    } else {
        let mut all = [0.0; LANES];
        // SAFETY: they are four floats.
        unsafe { _mm_storeu_ps(all.as_mut_ptr(), values) };
        frames.iter_mut().zip(all).for_each(|(frame, all)| *frame += all);
    }
}

#[inline]
#[target_feature(enable = "sse2")]
fn stored(values: __m128i) -> [u32; LANES] {
    let mut all = [0; LANES];
    // SAFETY: there is room for four.
    unsafe { _mm_storeu_si128(all.as_mut_ptr().cast(), values) };
    all
}

/// 0..1 of fractions in 2^-32; 24 bits of them, as the scalar form.
#[inline]
#[target_feature(enable = "sse2")]
fn unit(fraction: __m128i) -> __m128 {
    const SCALE: f32 = 1.0 / (1 << 24) as f32;
    _mm_mul_ps(_mm_cvtepi32_ps(_mm_srli_epi32::<8>(fraction)), _mm_set1_ps(SCALE))
}
