//! Vectors of four as NEON has them, which every 64-bit ARM processor does.

use std::arch::aarch64::*;

use super::curve::Neighbours;
use super::{FourPositions, LANES};

pub(super) type F32x4 = float32x4_t;
pub(super) type U32x4 = uint32x4_t;
pub(super) type I32x4 = int32x4_t;

/// Four positions that go on by four steps.
pub(super) struct FrameSteps {
    lower: uint64x2_t,
    upper: uint64x2_t,
    further: uint64x2_t,
}

impl FrameSteps {
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn new(fraction: u32, step: u64) -> Self {
        let from = u64::from(fraction);
        let position = |frame: u64| from.wrapping_add(step.wrapping_mul(frame));
        Self {
            lower: vcombine_u64(vcreate_u64(position(0)), vcreate_u64(position(1))),
            upper: vcombine_u64(vcreate_u64(position(2)), vcreate_u64(position(3))),
            further: vdupq_n_u64(step.wrapping_mul(LANES as u64)),
        }
    }

    /// Returns the positions of the first `frames` lanes; the others are at frame 0.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn positions(&self, frames: usize) -> FourPositions {
        let wanted = vcltq_u32(counting_from(0), vdupq_n_u32(frames as u32));
        let index = vshrn_high_n_u64::<32>(vshrn_n_u64::<32>(self.lower), self.upper);
        let fraction = vmovn_high_u64(vmovn_u64(self.lower), self.upper);
        FourPositions { index: stored(vandq_u32(index, wanted)), fraction }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn advance(&mut self) {
        self.lower = vaddq_u64(self.lower, self.further);
        self.upper = vaddq_u64(self.upper, self.further);
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn splat(value: f32) -> F32x4 {
    vdupq_n_f32(value)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn zero() -> I32x4 {
    vdupq_n_s32(0)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn add(one: F32x4, other: F32x4) -> F32x4 {
    vaddq_f32(one, other)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn sub(one: F32x4, other: F32x4) -> F32x4 {
    vsubq_f32(one, other)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mul(one: F32x4, other: F32x4) -> F32x4 {
    vmulq_f32(one, other)
}

/// Returns `sum + one × other`, rounded once.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mul_add(sum: F32x4, one: F32x4, other: F32x4) -> F32x4 {
    vfmaq_f32(sum, one, other)
}

/// Returns `sum − one × other`, rounded once.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mul_sub(sum: F32x4, one: F32x4, other: F32x4) -> F32x4 {
    vfmsq_f32(sum, one, other)
}

/// Returns `sum + a₀ × b₀ + a₁ × b₁`, one product after the other.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn add_products(sum: F32x4, [a0, a1]: [F32x4; 2], [b0, b1]: [F32x4; 2]) -> F32x4 {
    vfmaq_f32(vfmaq_f32(sum, a0, b0), a1, b1)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load(values: &[f32; LANES]) -> F32x4 {
    // SAFETY: an array of four floats is as long as a vector.
    unsafe { vld1q_f32(values.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store(values: &mut [f32; LANES], vector: F32x4) {
    // SAFETY: an array of four floats is as long as a vector.
    unsafe { vst1q_f32(values.as_mut_ptr(), vector) };
}

/// # Safety
/// Four floats from `from` on may be read.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn load_from(from: *const f32) -> F32x4 {
    // SAFETY: the caller grants four floats.
    unsafe { vld1q_f32(from) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn stored(values: U32x4) -> [u32; LANES] {
    let mut all = [0; LANES];
    // SAFETY: an array of four words is as long as a vector.
    unsafe { vst1q_u32(all.as_mut_ptr(), values) };
    all
}

/// Returns the numbers `from`, `from + 1` and so on.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn counting_from(from: u32) -> U32x4 {
    let numbers = [0, 1, 2, 3];
    // SAFETY: an array of four words is as long as a vector.
    vaddq_u32(vdupq_n_u32(from), unsafe { vld1q_u32(numbers.as_ptr()) })
}

/// Returns the next four numbers.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn count_on(numbers: U32x4) -> U32x4 {
    vaddq_u32(numbers, vdupq_n_u32(LANES as u32))
}

/// Returns the numbers as floats.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn count_to_f32(numbers: U32x4) -> F32x4 {
    vcvtq_f32_u32(numbers)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn shift_right<const BITS: i32>(values: U32x4) -> U32x4 {
    vshrq_n_u32::<BITS>(values)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn shift_left<const BITS: i32>(values: U32x4) -> U32x4 {
    vshlq_n_u32::<BITS>(values)
}

/// Returns fractions in 2^-32 as 0..1; 24 bits of them, as the scalar form.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn unit(fraction: U32x4) -> F32x4 {
    // Converted as 24 binary positions, which a float holds exactly.
    vcvtq_n_f32_u32::<24>(vshrq_n_u32::<8>(fraction))
}

/// Returns `next` where the fraction is a half or more, else `here`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn by_half(fraction: U32x4, here: F32x4, next: F32x4) -> F32x4 {
    vbslq_f32(vcgeq_u32(fraction, vdupq_n_u32(1 << 31)), next, here)
}

/// Returns a vector for each lane, which has it four times.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn spread(f: F32x4) -> [F32x4; LANES] {
    [vdupq_laneq_f32::<0>(f), vdupq_laneq_f32::<1>(f), vdupq_laneq_f32::<2>(f), vdupq_laneq_f32::<3>(f)]
}

/// Returns the columns of four rows.
///
/// ```text
/// rows      a₀ a₁ a₂ a₃
/// pairs     a₀ b₀ a₂ b₂     of two rows, and a₁ b₁ a₃ b₃
/// columns   a₀ b₀ c₀ d₀
/// ```
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn transposed([one, two, three, four]: [F32x4; 4]) -> [F32x4; 4] {
    let (a, b) = (vtrn1q_f32(one, two), vtrn1q_f32(three, four));
    let (c, d) = (vtrn2q_f32(one, two), vtrn2q_f32(three, four));
    [
        vcombine_f32(vget_low_f32(a), vget_low_f32(b)),
        vcombine_f32(vget_low_f32(c), vget_low_f32(d)),
        vcombine_f32(vget_high_f32(a), vget_high_f32(b)),
        vcombine_f32(vget_high_f32(c), vget_high_f32(d)),
    ]
}

/// Returns the sum over each of four vectors.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn added_f32([one, two, three, four]: [F32x4; 4]) -> F32x4 {
    vpaddq_f32(vpaddq_f32(one, two), vpaddq_f32(three, four))
}

/// Returns the sum over each of four vectors, as a float.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn added_i32([one, two, three, four]: [I32x4; 4]) -> F32x4 {
    vcvtq_f32_s32(vpaddq_s32(vpaddq_s32(one, two), vpaddq_s32(three, four)))
}

/// Adds the products of eight frames with eight taps, twice.
///
/// # Safety
/// Eight values may be read from each pointer.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn dot_i16(mut sums: [I32x4; 2], taps: [*const i16; 2], frames: *const i16) -> [I32x4; 2] {
    // SAFETY: the caller grants eight values after each pointer.
    let (taps, frames) = unsafe { (taps.map(|taps| vld1q_s16(taps)), vld1q_s16(frames)) };
    for (sum, taps) in sums.iter_mut().zip(taps) {
        let low = vmlal_s16(*sum, vget_low_s16(taps), vget_low_s16(frames));
        *sum = vmlal_high_s16(low, taps, frames);
    }
    sums
}

impl Neighbours for f32 {
    /// ```text
    /// low         h₀ n₀ h₁ n₁     two loads of two; high likewise
    /// neighbours  h₀ h₁ h₂ h₃     every second; n likewise
    /// ```
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 2] {
        // SAFETY: the caller grants two floats from each index on.
        let two = |index: u32| unsafe { vld1_f32(from.add(index as usize)) };
        let (low, high) = (vcombine_f32(two(i0), two(i1)), vcombine_f32(two(i2), two(i3)));
        [vuzp1q_f32(low, high), vuzp2q_f32(low, high)]
    }

    /// ```text
    /// frames      b₀ h₀ n₀ a₀     the neighbours of one position, one load
    /// neighbours  b₀ b₁ b₂ b₃     one vector for each neighbour
    /// ```
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 4] {
        // SAFETY: the caller grants four floats from each index on.
        let four = |index: u32| unsafe { vld1q_f32(from.add(index as usize)) };
        transposed([four(i0), four(i1), four(i2), four(i3)])
    }
}

impl Neighbours for i16 {
    /// ```text
    /// both        h₀n₀  h₁n₁  h₂n₂  h₃n₃     32 bits each, the later above
    /// neighbours  h₀    h₁    h₂    h₃       shifted up and down again, with their signs
    ///             n₀    n₁    n₂    n₃       shifted down
    /// ```
    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 2] {
        let two = |index: u32| {
            // SAFETY: the caller grants two values from each index on, and two are aligned as one is.
            let [here, next] = unsafe { from.add(index as usize).cast::<[i16; 2]>().read() };
            i32::from(here) & 0xffff | i32::from(next) << 16
        };
        let both = [two(i0), two(i1), two(i2), two(i3)];
        // SAFETY: an array of four words is as long as a vector.
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
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 4] {
        // SAFETY: the caller grants four values from each index on.
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

/// Returns eight 16-bit values as floats.
#[inline]
#[target_feature(enable = "neon")]
fn halves(eight: int16x8_t) -> [F32x4; 2] {
    [vcvtq_f32_s32(vmovl_s16(vget_low_s16(eight))), vcvtq_f32_s32(vmovl_high_s16(eight))]
}
