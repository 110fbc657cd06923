//! Four frames at a time, with what every 64-bit ARM processor has.
//!
//! ```text
//! positions     p₀    p₁    p₂    p₃      64 bits each, in two registers
//! index      i₀ i₁ i₂ i₃               the upper halves
//! fraction   f₀ f₁ f₂ f₃               the lower halves
//! values     v₀ v₁ v₂ v₃               by one of the kernels
//! left       += v × left gain          right likewise
//! ```
//!
//! The last frames of a run are rendered four at a time as well, by the same instructions, and what is too much is
//! thrown away: to multiply and add in one step rounds otherwise than to do so in two.

mod curve;
mod sinc;

use std::arch::aarch64::*;

use super::super::table::Table;
use super::super::{Few, Task, Value};
use super::Checked;
pub(in super::super) use curve::Lanes;
use curve::{Cubic, Curve, Exact, Linear, Nearest};

/// Frames in a vector.
const LANES: usize = 4;

/// Four positions, as frames counted from the first place of the run.
struct Positions {
    index: [u32; LANES],
    /// In 2^-32.
    fraction: uint32x4_t,
}

/// One way to find four values.
trait Kernel<V, const C: usize> {
    /// The values of each plane, given where its farthest frame before the run's first place lies.
    ///
    /// # Safety
    /// Planes and positions are those of a task that was [`Checked`] for this kernel.
    unsafe fn values(&self, planes: &[*const V; C], positions: &Positions) -> [float32x4_t; C];
}

#[target_feature(enable = "neon")]
pub(super) fn few<V: Value, const C: usize>(few: Few, task: Task<'_, V, C>) {
    match few {
        Few::Copy => curved(&Exact, task),
        Few::Nearest => curved(&Nearest, task),
        Few::Linear => curved(&Linear, task),
        Few::Cubic => curved(&Cubic, task),
    }
}

#[target_feature(enable = "neon")]
pub(super) fn fine<const C: usize>(table: &Table<f32>, task: Task<'_, f32, C>) {
    let Some(task) = Checked::around(task, table) else { return };
    match table.width() {
        1 => add(&sinc::Fine::<1>(table), task),
        2 => add(&sinc::Fine::<2>(table), task),
        _ => add(&sinc::Fine::<0>(table), task),
    }
}

#[target_feature(enable = "neon")]
pub(super) fn short<const C: usize>(table: &Table<i16>, task: Task<'_, i16, C>) {
    let Some(task) = Checked::around(task, table) else { return };
    match table.width() {
        1 => add(&sinc::Short::<1>(table), task),
        2 => add(&sinc::Short::<2>(table), task),
        _ => add(&sinc::Short::<0>(table), task),
    }
}

#[target_feature(enable = "neon")]
fn curved<K: Curve, V: Value, const C: usize>(kernel: &K, task: Task<'_, V, C>) {
    if let Some(task) = Checked::new(task, K::BEFORE, curve::BEHIND) {
        add(kernel, task);
    }
}

#[target_feature(enable = "neon")]
fn add<K: Kernel<V, C>, V, const C: usize>(kernel: &K, task: Checked<'_, V, C>) {
    if task.gain.line.slope == 0.0 {
        add_along::<K, V, C, false>(kernel, task);
    } else {
        add_along::<K, V, C, true>(kernel, task);
    }
}

/// Along a ramp, or at one level.
#[target_feature(enable = "neon")]
fn add_along<K: Kernel<V, C>, V, const C: usize, const RAMP: bool>(kernel: &K, task: Checked<'_, V, C>) {
    let Checked { planes, fraction, step, gain, left, right } = task;
    let from = u64::from(fraction);
    let place = |frame: u64| from.wrapping_add(step.wrapping_mul(frame));
    let mut lower = vcombine_u64(vcreate_u64(place(0)), vcreate_u64(place(1)));
    let mut upper = vcombine_u64(vcreate_u64(place(2)), vcreate_u64(place(3)));
    let further = vdupq_n_u64(step.wrapping_mul(LANES as u64));
    // SAFETY: they are four.
    let lanes = unsafe { vld1q_u32([0, 1, 2, 3].as_ptr()) };

    let (start, slope) = (vdupq_n_f32(gain.line.from), vdupq_n_f32(gain.line.slope));
    let mut since = vaddq_u32(vdupq_n_u32(gain.line.at), lanes);
    let steady = if RAMP { 1.0 } else { gain.line.from };
    let (to_left, to_right) = (vdupq_n_f32(gain.left * steady), vdupq_n_f32(gain.right * steady));

    for (left, right) in left.chunks_mut(LANES).zip(right.chunks_mut(LANES)) {
        let wanted = vcltq_u32(lanes, vdupq_n_u32(left.len() as u32));
        let index = vshrn_high_n_u64::<32>(vshrn_n_u64::<32>(lower), upper);
        let fraction = vmovn_high_u64(vmovn_u64(lower), upper);
        let positions = Positions { index: stored(vandq_u32(index, wanted)), fraction };
        // SAFETY: each index is that of a place of the checked task.
        let values = unsafe { kernel.values(&planes, &positions) };
        let (Some(&one), Some(&two)) = (values.first(), values.last()) else { return };
        let (mut to_left, mut to_right) = (to_left, to_right);
        if RAMP {
            let level = vfmaq_f32(start, slope, vcvtq_f32_u32(since));
            (to_left, to_right) = (vmulq_f32(level, to_left), vmulq_f32(level, to_right));
            since = vaddq_u32(since, vdupq_n_u32(LANES as u32));
        }
        accumulate(left, one, to_left);
        accumulate(right, two, to_right);
        lower = vaddq_u64(lower, further);
        upper = vaddq_u64(upper, further);
    }
}

/// Adds values times gains to as many frames as there are, at most four.
#[inline]
#[target_feature(enable = "neon")]
fn accumulate(frames: &mut [f32], values: float32x4_t, gains: float32x4_t) {
    if let Ok(frames) = <&mut [f32; LANES]>::try_from(&mut *frames) {
        // SAFETY: they are four floats.
        unsafe {
            let sum = vfmaq_f32(vld1q_f32(frames.as_ptr()), values, gains);
            vst1q_f32(frames.as_mut_ptr(), sum);
        }
    } else {
        let mut all = [0.0; LANES];
        all.iter_mut().zip(&*frames).for_each(|(all, frame)| *all = *frame);
        // SAFETY: they are four floats.
        unsafe {
            let sum = vfmaq_f32(vld1q_f32(all.as_ptr()), values, gains);
            vst1q_f32(all.as_mut_ptr(), sum);
        }
        frames.iter_mut().zip(all).for_each(|(frame, all)| *frame = all);
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn stored(values: uint32x4_t) -> [u32; LANES] {
    let mut all = [0; LANES];
    // SAFETY: there is room for four.
    unsafe { vst1q_u32(all.as_mut_ptr(), values) };
    all
}

/// 0..1 of fractions in 2^-32; 24 bits of them, as the scalar form.
#[inline]
#[target_feature(enable = "neon")]
fn unit(fraction: uint32x4_t) -> float32x4_t {
    // Converted as 24 binary positions, which a float holds exactly.
    vcvtq_n_f32_u32::<24>(vshrq_n_u32::<8>(fraction))
}
