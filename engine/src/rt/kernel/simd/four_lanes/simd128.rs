//! Vectors of four as WebAssembly has them. The operations are those of SSE2 in the same order, so that both
//! give the same bits.

use std::arch::wasm32::*;

use super::curve::Neighbours;
use super::{FourPositions, LANES};

pub(super) type F32x4 = v128;
pub(super) type U32x4 = v128;
pub(super) type I32x4 = v128;

/// Four positions that go on by four steps.
pub(super) struct FrameSteps {
    lower: v128,
    upper: v128,
    further: v128,
}

impl FrameSteps {
    #[inline]
    pub(super) fn new(fraction: u32, step: u64) -> Self {
        let from = u64::from(fraction);
        let position = |frame: u64| from.wrapping_add(step.wrapping_mul(frame));
        Self {
            lower: u64x2(position(0), position(1)),
            upper: u64x2(position(2), position(3)),
            further: u64x2_splat(step.wrapping_mul(LANES as u64)),
        }
    }

    /// Returns the positions of the first `frames` lanes; the others are at frame 0.
    #[inline]
    pub(super) fn positions(&self, frames: usize) -> FourPositions {
        let wanted = i32x4_gt(i32x4_splat(frames as i32), i32x4(0, 1, 2, 3));
        let index = i32x4_shuffle::<1, 3, 5, 7>(self.lower, self.upper);
        let fraction = i32x4_shuffle::<0, 2, 4, 6>(self.lower, self.upper);
        FourPositions { index: stored(v128_and(index, wanted)), fraction }
    }

    #[inline]
    pub(super) fn advance(&mut self) {
        self.lower = i64x2_add(self.lower, self.further);
        self.upper = i64x2_add(self.upper, self.further);
    }
}

#[inline]
pub(super) fn splat(value: f32) -> F32x4 {
    f32x4_splat(value)
}

#[inline]
pub(super) fn zero() -> I32x4 {
    i32x4_splat(0)
}

#[inline]
pub(super) fn add(one: F32x4, other: F32x4) -> F32x4 {
    f32x4_add(one, other)
}

#[inline]
pub(super) fn sub(one: F32x4, other: F32x4) -> F32x4 {
    f32x4_sub(one, other)
}

#[inline]
pub(super) fn mul(one: F32x4, other: F32x4) -> F32x4 {
    f32x4_mul(one, other)
}

/// Returns `sum + one × other`, rounded twice.
#[inline]
pub(super) fn mul_add(sum: F32x4, one: F32x4, other: F32x4) -> F32x4 {
    f32x4_add(sum, f32x4_mul(one, other))
}

/// Returns `sum − one × other`, rounded twice.
#[inline]
pub(super) fn mul_sub(sum: F32x4, one: F32x4, other: F32x4) -> F32x4 {
    f32x4_sub(sum, f32x4_mul(one, other))
}

/// Returns `sum + a₀ × b₀ + a₁ × b₁`, the products added first.
#[inline]
pub(super) fn add_products(sum: F32x4, [a0, a1]: [F32x4; 2], [b0, b1]: [F32x4; 2]) -> F32x4 {
    f32x4_add(sum, f32x4_add(f32x4_mul(a0, b0), f32x4_mul(a1, b1)))
}

#[inline]
pub(super) fn load(values: &[f32; LANES]) -> F32x4 {
    let [a, b, c, d] = *values;
    f32x4(a, b, c, d)
}

#[inline]
pub(super) fn store(values: &mut [f32; LANES], vector: F32x4) {
    // SAFETY: an array of four floats is as long as a vector, and the store asks for no alignment.
    unsafe { v128_store(values.as_mut_ptr().cast(), vector) };
}

/// # Safety
/// Four floats from `from` on may be read.
#[inline]
pub(super) unsafe fn load_from(from: *const f32) -> F32x4 {
    // SAFETY: the caller grants four floats, and the load asks for no alignment.
    unsafe { v128_load(from.cast()) }
}

#[inline]
pub(super) fn stored(values: U32x4) -> [u32; LANES] {
    let mut all = [0; LANES];
    // SAFETY: an array of four words is as long as a vector, and the store asks for no alignment.
    unsafe { v128_store(all.as_mut_ptr().cast(), values) };
    all
}

/// Returns the numbers `from`, `from + 1` and so on.
#[inline]
pub(super) fn counting_from(from: u32) -> U32x4 {
    i32x4_add(u32x4_splat(from), i32x4(0, 1, 2, 3))
}

/// Returns the next four numbers.
#[inline]
pub(super) fn count_on(numbers: U32x4) -> U32x4 {
    i32x4_add(numbers, i32x4_splat(LANES as i32))
}

/// Returns the numbers below 2^31 as floats.
#[inline]
pub(super) fn count_to_f32(numbers: U32x4) -> F32x4 {
    f32x4_convert_i32x4(numbers)
}

#[inline]
pub(super) fn shift_right<const BITS: i32>(values: U32x4) -> U32x4 {
    u32x4_shr(values, BITS as u32)
}

#[inline]
pub(super) fn shift_left<const BITS: i32>(values: U32x4) -> U32x4 {
    u32x4_shl(values, BITS as u32)
}

/// Returns fractions in 2^-32 as 0..1; 24 bits of them, as the scalar form.
#[inline]
pub(super) fn unit(fraction: U32x4) -> F32x4 {
    const SCALE: f32 = 1.0 / (1 << 24) as f32;
    f32x4_mul(f32x4_convert_i32x4(u32x4_shr(fraction, 8)), f32x4_splat(SCALE))
}

/// Returns `next` where the fraction is a half or more, else `here`.
#[inline]
pub(super) fn by_half(fraction: U32x4, here: F32x4, next: F32x4) -> F32x4 {
    // By the highest bit, which is half a frame.
    v128_bitselect(next, here, i32x4_shr(fraction, 31))
}

/// Returns a vector for each lane, which has it four times.
#[inline]
pub(super) fn spread(f: F32x4) -> [F32x4; LANES] {
    [
        i32x4_shuffle::<0, 0, 0, 0>(f, f),
        i32x4_shuffle::<1, 1, 1, 1>(f, f),
        i32x4_shuffle::<2, 2, 2, 2>(f, f),
        i32x4_shuffle::<3, 3, 3, 3>(f, f),
    ]
}

/// Returns the columns of four rows.
#[inline]
pub(super) fn transposed([one, two, three, four]: [F32x4; 4]) -> [F32x4; 4] {
    let low = |a, b| i32x4_shuffle::<0, 4, 1, 5>(a, b);
    let high = |a, b| i32x4_shuffle::<2, 6, 3, 7>(a, b);
    let (a, b, c, d) = (low(one, two), low(three, four), high(one, two), high(three, four));
    [
        i32x4_shuffle::<0, 1, 4, 5>(a, b),
        i32x4_shuffle::<2, 3, 6, 7>(a, b),
        i32x4_shuffle::<0, 1, 4, 5>(c, d),
        i32x4_shuffle::<2, 3, 6, 7>(c, d),
    ]
}

/// Returns the sum over each of four vectors.
#[inline]
pub(super) fn added_f32([one, two, three, four]: [F32x4; 4]) -> F32x4 {
    let pairs = |a, b| f32x4_add(i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
    let (low, high) = (pairs(one, two), pairs(three, four));
    f32x4_add(i32x4_shuffle::<0, 1, 4, 5>(low, high), i32x4_shuffle::<2, 3, 6, 7>(low, high))
}

/// Returns the sum over each of four vectors, as a float.
#[inline]
pub(super) fn added_i32([one, two, three, four]: [I32x4; 4]) -> F32x4 {
    let pairs = |a, b| i32x4_add(i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
    let (low, high) = (pairs(one, two), pairs(three, four));
    let sum = i32x4_add(i32x4_shuffle::<0, 1, 4, 5>(low, high), i32x4_shuffle::<2, 3, 6, 7>(low, high));
    f32x4_convert_i32x4(sum)
}

/// Adds the products of eight frames with eight taps, twice.
///
/// # Safety
/// Eight values may be read from each pointer.
#[inline]
pub(super) unsafe fn dot_i16(
    [sum, difference]: [I32x4; 2],
    [a, d]: [*const i16; 2],
    frames: *const i16,
) -> [I32x4; 2] {
    // SAFETY: the caller grants eight values after each pointer, and the loads ask for no alignment.
    let (a, d, frames) = unsafe { (v128_load(a.cast()), v128_load(d.cast()), v128_load(frames.cast())) };
    [i32x4_add(sum, i32x4_dot_i16x8(a, frames)), i32x4_add(difference, i32x4_dot_i16x8(d, frames))]
}

impl Neighbours for f32 {
    #[inline]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 2] {
        // SAFETY: the caller grants two floats from each index on, and the load asks for no alignment.
        let two = |index: u32| unsafe { v128_load64_zero(from.add(index as usize).cast()) };
        let low = i32x4_shuffle::<0, 4, 1, 5>(two(i0), two(i1));
        let high = i32x4_shuffle::<0, 4, 1, 5>(two(i2), two(i3));
        [i32x4_shuffle::<0, 1, 4, 5>(low, high), i32x4_shuffle::<2, 3, 6, 7>(low, high)]
    }

    #[inline]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 4] {
        // SAFETY: the caller grants four floats from each index on, and the load asks for no alignment.
        let four = |index: u32| unsafe { v128_load(from.add(index as usize).cast()) };
        transposed([four(i0), four(i1), four(i2), four(i3)])
    }
}

impl Neighbours for i16 {
    #[inline]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 2] {
        // SAFETY: the caller grants two values from each index on, which are as long as one of 32 bits.
        let two = |index: u32| unsafe { from.add(index as usize).cast::<i32>().read_unaligned() };
        let both = i32x4(two(i0), two(i1), two(i2), two(i3));
        let float = |upper: v128| f32x4_convert_i32x4(i32x4_shr(upper, 16));
        [float(i32x4_shl(both, 16)), float(both)]
    }

    #[inline]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 4] {
        // SAFETY: the caller grants four values from each index on, 64 bits, and the load asks for no alignment.
        let four = |index: u32| unsafe { v128_load64_zero(from.add(index as usize).cast()) };
        let low = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(four(i0), four(i1));
        let high = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(four(i2), four(i3));
        let [before, here] = halves(i32x4_shuffle::<0, 4, 1, 5>(low, high));
        let [next, after] = halves(i32x4_shuffle::<2, 6, 3, 7>(low, high));
        [before, here, next, after]
    }
}

/// Returns eight 16-bit values as floats.
#[inline]
fn halves(eight: v128) -> [F32x4; 2] {
    [f32x4_convert_i32x4(i32x4_extend_low_i16x8(eight)), f32x4_convert_i32x4(i32x4_extend_high_i16x8(eight))]
}
