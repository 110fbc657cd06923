//! Kernels of a few neighbours: nearest, linear, cubic.
//!
//! ```text
//! frames      b₀ h₀ n₀ a₀     the neighbours of one place, one load
//!             b₁ h₁ n₁ a₁
//!             b₂ h₂ n₂ a₂
//!             b₃ h₃ n₃ a₃     of four positions
//! turned      b₀ b₁ n₀ n₁     of the upper two, and h₀ h₁ a₀ a₁
//! neighbours  b₀ b₁ b₂ b₃     one vector for each neighbour
//! ```

use std::arch::aarch64::*;

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
    unsafe fn pair(from: *const Self, index: [u32; LANES]) -> [float32x4_t; 2];

    /// Four neighbours.
    ///
    /// # Safety
    /// All of them may be read.
    unsafe fn quad(from: *const Self, index: [u32; LANES]) -> [float32x4_t; 4];
}

impl Lanes for f32 {
    /// ```text
    /// low         h₀ n₀ h₁ n₁     two loads of two; high likewise
    /// neighbours  h₀ h₁ h₂ h₃     every second; n likewise
    /// ```
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [float32x4_t; 2] {
        // SAFETY: they may be read.
        let two = |index: u32| unsafe { vld1_f32(from.add(index as usize)) };
        let (low, high) = (vcombine_f32(two(i0), two(i1)), vcombine_f32(two(i2), two(i3)));
        [vuzp1q_f32(low, high), vuzp2q_f32(low, high)]
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [float32x4_t; 4] {
        // SAFETY: they may be read.
        let four = |index: u32| unsafe { vld1q_f32(from.add(index as usize)) };
        let (one, two, three, last) = (four(i0), four(i1), four(i2), four(i3));
        let (a, b) = (vtrn1q_f32(one, two), vtrn1q_f32(three, last));
        let (c, d) = (vtrn2q_f32(one, two), vtrn2q_f32(three, last));
        let before = vcombine_f32(vget_low_f32(a), vget_low_f32(b));
        let here = vcombine_f32(vget_low_f32(c), vget_low_f32(d));
        let next = vcombine_f32(vget_high_f32(a), vget_high_f32(b));
        let after = vcombine_f32(vget_high_f32(c), vget_high_f32(d));
        [before, here, next, after]
    }
}

impl Lanes for i16 {
    /// ```text
    /// both        h₀n₀  h₁n₁  h₂n₂  h₃n₃     32 bits each, the later above
    /// neighbours  h₀    h₁    h₂    h₃       shifted up and down again, with their signs
    ///             n₀    n₁    n₂    n₃       shifted down
    /// ```
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [float32x4_t; 2] {
        let two = |index: u32| {
            // SAFETY: they may be read, and two lie as one does.
            let [here, next] = unsafe { from.add(index as usize).cast::<[i16; 2]>().read() };
            i32::from(here) & 0xffff | i32::from(next) << 16
        };
        let both = [two(i0), two(i1), two(i2), two(i3)];
        // SAFETY: they are four.
        let both = unsafe { vld1q_s32(both.as_ptr()) };
        let float = |upper: int32x4_t| vcvtq_f32_s32(vshrq_n_s32::<16>(upper));
        [float(vshlq_n_s32::<16>(both)), float(both)]
    }

    /// ```text
    /// even        b₀ h₀ n₀ a₀ b₂ h₂ n₂ a₂     two loads of four; odd likewise
    /// turned      b₀ b₁ n₀ n₁ b₂ b₃ n₂ n₃     and h₀ h₁ a₀ a₁ h₂ h₃ a₂ a₃
    /// neighbours  b₀ b₁ b₂ b₃ h₀ h₁ h₂ h₃     every second pair; n and a likewise
    /// ```
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [float32x4_t; 4] {
        // SAFETY: they may be read.
        let four = |index: u32| unsafe { vld1_s16(from.add(index as usize)) };
        let even = vcombine_s16(four(i0), four(i2));
        let odd = vcombine_s16(four(i1), four(i3));
        let outer = vreinterpretq_s32_s16(vtrn1q_s16(even, odd));
        let inner = vreinterpretq_s32_s16(vtrn2q_s16(even, odd));
        let [before, here] = halves(vreinterpretq_s16_s32(vuzp1q_s32(outer, inner)));
        let [next, after] = halves(vreinterpretq_s16_s32(vuzp2q_s32(outer, inner)));
        [before, here, next, after]
    }
}

/// Eight 16-bit values as floats.
#[inline]
#[target_feature(enable = "neon")]
fn halves(eight: int16x8_t) -> [float32x4_t; 2] {
    [vcvtq_f32_s32(vmovl_s16(vget_low_s16(eight))), vcvtq_f32_s32(vmovl_high_s16(eight))]
}

/// A value between neighbours.
pub(super) trait Curve {
    /// Neighbours before the frame at or before the place.
    const BEFORE: usize;

    /// # Safety
    /// The neighbours of each place may be read.
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> float32x4_t;
}

impl<K: Curve, V: Lanes, const C: usize> Kernel<V, C> for K {
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn values(&self, planes: &[*const V; C], positions: &Positions) -> [float32x4_t; C] {
        // SAFETY: the neighbours of each place may be read.
        planes.map(|plane| unsafe { K::at(plane, positions) })
    }
}

/// Every place is a frame.
pub(super) struct Exact;

impl Curve for Exact {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> float32x4_t {
        // SAFETY: they may be read.
        let [here, _] = unsafe { V::pair(plane, positions.index) };
        here
    }
}

pub(super) struct Nearest;

impl Curve for Nearest {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> float32x4_t {
        // SAFETY: they may be read.
        let [here, next] = unsafe { V::pair(plane, positions.index) };
        let is_late = vcgeq_u32(positions.fraction, vdupq_n_u32(1 << 31));
        vbslq_f32(is_late, next, here)
    }
}

pub(super) struct Linear;

impl Curve for Linear {
    const BEFORE: usize = 0;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> float32x4_t {
        // SAFETY: they may be read.
        let [here, next] = unsafe { V::pair(plane, positions.index) };
        vfmaq_f32(here, vsubq_f32(next, here), unit(positions.fraction))
    }
}

pub(super) struct Cubic;

impl Curve for Cubic {
    const BEFORE: usize = 1;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn at<V: Lanes>(plane: *const V, positions: &Positions) -> float32x4_t {
        // SAFETY: they may be read.
        let [before, here, next, after] = unsafe { V::quad(plane, positions.index) };
        let (half, fraction) = (vdupq_n_f32(0.5), unit(positions.fraction));
        let one = vsubq_f32(here, before);
        let two = vsubq_f32(next, here);
        let three = vsubq_f32(after, next);
        let near = vmulq_f32(half, vsubq_f32(two, one));
        let far = vmulq_f32(half, vsubq_f32(two, three));
        let both = vaddq_f32(near, far);
        let bend = vfmsq_f32(vaddq_f32(near, both), fraction, both);
        let slope = vfmaq_f32(vsubq_f32(two, near), fraction, bend);
        vfmaq_f32(here, fraction, slope)
    }
}
