//! Four frames at a time, with what every x86-64 and every 64-bit ARM processor has, and WebAssembly where it is built
//! so. What differs between them is in one file for each, under the same names.
//!
//! ```text
//! positions  p₀    p₁    p₂    p₃      64 bits each, in two registers
//! index      i₀ i₁ i₂ i₃               the upper halves
//! fraction   f₀ f₁ f₂ f₃               the lower halves
//! values     v₀ v₁ v₂ v₃               by one of the kernels
//! left       += v × left gain          right likewise
//! ```
//!
//! The last frames of a run are rendered four at a time as well, by the same instructions, and what is too much is
//! thrown away: to multiply and add in one step rounds otherwise than to do so in two.

mod curve;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "wasm32")]
mod simd128;
mod sinc;
#[cfg(target_arch = "x86_64")]
mod sse2;
pub(super) mod svf;

#[cfg(target_arch = "aarch64")]
use neon as vector;
#[cfg(target_arch = "wasm32")]
use simd128 as vector;
#[cfg(target_arch = "x86_64")]
use sse2 as vector;

use super::super::table::SincTable;
use super::super::{Gain, Output, RecordedValue, ShortKernel, Task};
use super::CheckedTask;
use crate::rt::ramp::LinearRamp;
pub(in super::super) use curve::Neighbours;
use curve::{Cubic, Curve, Exact, Linear, Nearest};
use vector::{F32x4, FrameSteps, U32x4};

/// Frames in a vector.
const LANES: usize = 4;

/// Four positions, as frames counted from the first position of the run.
struct FourPositions {
    index: [u32; LANES],
    /// In 2^-32.
    fraction: U32x4,
}

/// Values at four positions of each plane.
trait Kernel<V, const C: usize> {
    /// # Safety
    /// `planes` and `positions` belong to a [`CheckedTask`] for this kernel: every frame that it reads around a
    /// position lies within its plane.
    unsafe fn values(&self, planes: &[*const V; C], positions: &FourPositions) -> [F32x4; C];
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) fn few<V: RecordedValue, const C: usize>(few: ShortKernel, task: Task<'_, V, C>) {
    match few {
        ShortKernel::Copy => curved(&Exact, task),
        ShortKernel::Nearest => curved(&Nearest, task),
        ShortKernel::Linear => curved(&Linear, task),
        ShortKernel::Cubic => curved(&Cubic, task),
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) fn fine<const C: usize>(table: &SincTable<f32>, task: Task<'_, f32, C>) {
    let Some(task) = CheckedTask::around(task, table) else { return };
    match table.width() {
        1 => put(&sinc::SincF32::<1>(table), task),
        2 => put(&sinc::SincF32::<2>(table), task),
        _ => put(&sinc::SincF32::<0>(table), task),
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(super) fn short<const C: usize>(table: &SincTable<i16>, task: Task<'_, i16, C>) {
    let Some(task) = CheckedTask::around(task, table) else { return };
    match table.width() {
        1 => put(&sinc::SincI16::<1>(table), task),
        2 => put(&sinc::SincI16::<2>(table), task),
        _ => put(&sinc::SincI16::<0>(table), task),
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn curved<K: Curve, V: RecordedValue, const C: usize>(kernel: &K, task: Task<'_, V, C>) {
    if let Some(task) = CheckedTask::new(task, K::BEFORE, curve::AFTER) {
        put(kernel, task);
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn put<K: Kernel<V, C>, V, const C: usize>(kernel: &K, task: CheckedTask<'_, V, C>) {
    match task.output {
        Output::Mixed(gain) if gain.is_level() => put_along::<K, V, C, false, false>(kernel, task, gain),
        Output::Mixed(gain) => put_along::<K, V, C, true, false>(kernel, task, gain),
        Output::Alone(unit) => put_along::<K, V, C, false, true>(kernel, task, Gain::level(unit)),
    }
}

/// Adds along a ramp or at one level, or writes, as [`Output`] says.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn put_along<K: Kernel<V, C>, V, const C: usize, const RAMP: bool, const ALONE: bool>(
    kernel: &K,
    task: CheckedTask<'_, V, C>,
    gain: Gain,
) {
    let CheckedTask { planes, fraction, step, output: _, left, right } = task;
    let mut steps = FrameSteps::new(fraction, step);
    let (mut to_left, mut to_right) = (FourLevels::new(gain.left), FourLevels::new(gain.right));

    for (left, right) in left.chunks_mut(LANES).zip(right.chunks_mut(LANES)) {
        let positions = steps.positions(left.len());
        // SAFETY: `CheckedTask` looked at the first and the last of these positions for this kernel, and positions
        // ascend; lanes past the last frame were given index 0, which is that of the first.
        let values = unsafe { kernel.values(&planes, &positions) };
        let (Some(&one), Some(&two)) = (values.first(), values.last()) else { return };
        put_values::<ALONE>(left, one, to_left.next::<RAMP>());
        if !ALONE || C > 1 {
            put_values::<ALONE>(right, two, to_right.next::<RAMP>());
        }
        steps.advance();
    }
}

/// The levels of a ramp at four frames.
struct FourLevels {
    from: F32x4,
    slope: F32x4,
    at: U32x4,
}

impl FourLevels {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn new(ramp: LinearRamp) -> Self {
        let (from, slope) = (vector::splat(ramp.from), vector::splat(ramp.slope));
        Self { from, slope, at: vector::counting_from(ramp.at) }
    }

    /// Returns the levels, and goes on by four frames; without a ramp all of them are the first.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    fn next<const RAMP: bool>(&mut self) -> F32x4 {
        if !RAMP {
            return self.from;
        }
        let levels = vector::mul_add(self.from, self.slope, vector::count_to_f32(self.at));
        self.at = vector::count_on(self.at);
        levels
    }
}

/// Adds values times gains to as many frames as there are, at most four, or puts them in the place of what was there.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn put_values<const ALONE: bool>(frames: &mut [f32], values: F32x4, gains: F32x4) {
    if let Ok(frames) = <&mut [f32; LANES]>::try_from(&mut *frames) {
        let before = if ALONE { vector::splat(0.0) } else { vector::load(frames) };
        vector::store(frames, vector::mul_add(before, values, gains));
    } else {
        let mut all = [0.0; LANES];
        if !ALONE {
            all.iter_mut().zip(&*frames).for_each(|(all, frame)| *all = *frame);
        }
        let sum = vector::mul_add(vector::load(&all), values, gains);
        vector::store(&mut all, sum);
        frames.iter_mut().zip(all).for_each(|(frame, all)| *frame = all);
    }
}
