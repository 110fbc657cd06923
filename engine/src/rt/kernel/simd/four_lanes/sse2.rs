//! Vectors of four as SSE2 has them, which every x86-64 processor does.

use std::arch::x86_64::*;

use super::curve::Neighbours;
use super::{FourPositions, LANES};

pub(super) type F32x4 = __m128;
pub(super) type U32x4 = __m128i;
pub(super) type I32x4 = __m128i;

/// Four positions that go on by four steps.
pub(super) struct FrameSteps {
    lower: __m128i,
    upper: __m128i,
    further: __m128i,
}

impl FrameSteps {
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn new(fraction: u32, step: u64) -> Self {
        let from = i64::from(fraction);
        let position = |frame: i64| from.wrapping_add((step as i64).wrapping_mul(frame));
        Self {
            lower: _mm_set_epi64x(position(1), position(0)),
            upper: _mm_set_epi64x(position(3), position(2)),
            further: _mm_set1_epi64x(position(LANES as i64) - from),
        }
    }

    /// Returns the positions of the first `frames` lanes; the others are at frame 0.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn positions(&self, frames: usize) -> FourPositions {
        let wanted = _mm_cmpgt_epi32(_mm_set1_epi32(frames as i32), _mm_setr_epi32(0, 1, 2, 3));
        let (low, high) = (_mm_castsi128_ps(self.lower), _mm_castsi128_ps(self.upper));
        let index = _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(low, high));
        let fraction = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(low, high));
        FourPositions { index: stored(_mm_and_si128(index, wanted)), fraction }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn advance(&mut self) {
        self.lower = _mm_add_epi64(self.lower, self.further);
        self.upper = _mm_add_epi64(self.upper, self.further);
    }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn splat(value: f32) -> F32x4 {
    _mm_set1_ps(value)
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn zero() -> I32x4 {
    _mm_setzero_si128()
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn add(one: F32x4, other: F32x4) -> F32x4 {
    _mm_add_ps(one, other)
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn sub(one: F32x4, other: F32x4) -> F32x4 {
    _mm_sub_ps(one, other)
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn mul(one: F32x4, other: F32x4) -> F32x4 {
    _mm_mul_ps(one, other)
}

/// Returns `sum + one × other`, rounded twice.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn mul_add(sum: F32x4, one: F32x4, other: F32x4) -> F32x4 {
    _mm_add_ps(sum, _mm_mul_ps(one, other))
}

/// Returns `sum − one × other`, rounded twice.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn mul_sub(sum: F32x4, one: F32x4, other: F32x4) -> F32x4 {
    _mm_sub_ps(sum, _mm_mul_ps(one, other))
}

/// Returns `sum + a₀ × b₀ + a₁ × b₁`, the products added first.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn add_products(sum: F32x4, [a0, a1]: [F32x4; 2], [b0, b1]: [F32x4; 2]) -> F32x4 {
    _mm_add_ps(sum, _mm_add_ps(_mm_mul_ps(a0, b0), _mm_mul_ps(a1, b1)))
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn load(values: &[f32; LANES]) -> F32x4 {
    // SAFETY: an array of four floats is as long as a vector, and the load asks for no alignment.
    unsafe { _mm_loadu_ps(values.as_ptr()) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn store(values: &mut [f32; LANES], vector: F32x4) {
    // SAFETY: an array of four floats is as long as a vector, and the store asks for no alignment.
    unsafe { _mm_storeu_ps(values.as_mut_ptr(), vector) };
}

/// # Safety
/// Four floats from `from` on may be read.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) unsafe fn load_from(from: *const f32) -> F32x4 {
    // SAFETY: the caller grants four floats, and the load asks for no alignment.
    unsafe { _mm_loadu_ps(from) }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn stored(values: U32x4) -> [u32; LANES] {
    let mut all = [0; LANES];
    // SAFETY: an array of four words is as long as a vector, and the store asks for no alignment.
    unsafe { _mm_storeu_si128(all.as_mut_ptr().cast(), values) };
    all
}

/// Returns the numbers `from`, `from + 1` and so on.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn counting_from(from: u32) -> U32x4 {
    _mm_add_epi32(_mm_set1_epi32(from as i32), _mm_setr_epi32(0, 1, 2, 3))
}

/// Returns the next four numbers.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn count_on(numbers: U32x4) -> U32x4 {
    _mm_add_epi32(numbers, _mm_set1_epi32(LANES as i32))
}

/// Returns the numbers below 2^31 as floats.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn count_to_f32(numbers: U32x4) -> F32x4 {
    _mm_cvtepi32_ps(numbers)
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn shift_right<const BITS: i32>(values: U32x4) -> U32x4 {
    _mm_srli_epi32::<BITS>(values)
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn shift_left<const BITS: i32>(values: U32x4) -> U32x4 {
    _mm_slli_epi32::<BITS>(values)
}

/// Returns fractions in 2^-32 as 0..1; 24 bits of them, as the scalar form.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn unit(fraction: U32x4) -> F32x4 {
    const SCALE: f32 = 1.0 / (1 << 24) as f32;
    _mm_mul_ps(_mm_cvtepi32_ps(_mm_srli_epi32::<8>(fraction)), _mm_set1_ps(SCALE))
}

/// Returns `next` where the fraction is a half or more, else `here`.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn by_half(fraction: U32x4, here: F32x4, next: F32x4) -> F32x4 {
    // By the highest bit, which is half a frame.
    let is_late = _mm_castsi128_ps(_mm_srai_epi32::<31>(fraction));
    _mm_or_ps(_mm_and_ps(is_late, next), _mm_andnot_ps(is_late, here))
}

/// Returns a vector for each lane, which has it four times.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn spread(f: F32x4) -> [F32x4; LANES] {
    [
        _mm_shuffle_ps::<0b00_00_00_00>(f, f),
        _mm_shuffle_ps::<0b01_01_01_01>(f, f),
        _mm_shuffle_ps::<0b10_10_10_10>(f, f),
        _mm_shuffle_ps::<0b11_11_11_11>(f, f),
    ]
}

/// Returns the columns of four rows.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn transposed([one, two, three, four]: [F32x4; 4]) -> [F32x4; 4] {
    let (a, b) = (_mm_unpacklo_ps(one, two), _mm_unpacklo_ps(three, four));
    let (c, d) = (_mm_unpackhi_ps(one, two), _mm_unpackhi_ps(three, four));
    [_mm_movelh_ps(a, b), _mm_movehl_ps(b, a), _mm_movelh_ps(c, d), _mm_movehl_ps(d, c)]
}

/// Returns the sum over each of four vectors.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn added_f32([one, two, three, four]: [F32x4; 4]) -> F32x4 {
    let low = _mm_add_ps(_mm_unpacklo_ps(one, two), _mm_unpackhi_ps(one, two));
    let high = _mm_add_ps(_mm_unpacklo_ps(three, four), _mm_unpackhi_ps(three, four));
    _mm_add_ps(_mm_movelh_ps(low, high), _mm_movehl_ps(high, low))
}

/// Returns the sum over each of four vectors, as a float.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn added_i32([one, two, three, four]: [I32x4; 4]) -> F32x4 {
    let low = _mm_add_epi32(_mm_unpacklo_epi32(one, two), _mm_unpackhi_epi32(one, two));
    let high = _mm_add_epi32(_mm_unpacklo_epi32(three, four), _mm_unpackhi_epi32(three, four));
    _mm_cvtepi32_ps(_mm_add_epi32(_mm_unpacklo_epi64(low, high), _mm_unpackhi_epi64(low, high)))
}

/// Adds the products of eight frames with eight taps, twice.
///
/// # Safety
/// Eight values may be read from each pointer, and those of the taps are aligned to 16 bytes.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) unsafe fn dot_i16(
    [sum, difference]: [I32x4; 2],
    [a, d]: [*const i16; 2],
    frames: *const i16,
) -> [I32x4; 2] {
    // SAFETY: the caller grants eight values after each pointer, and aligned taps.
    let (a, d, frames) =
        unsafe { (a.cast::<__m128i>().read(), d.cast::<__m128i>().read(), _mm_loadu_si128(frames.cast())) };
    [_mm_add_epi32(sum, _mm_madd_epi16(a, frames)), _mm_add_epi32(difference, _mm_madd_epi16(d, frames))]
}

/// ```text
/// frames      b₀ h₀ n₀ a₀     the neighbours of one position, one load
///             b₁ h₁ n₁ a₁
///             b₂ h₂ n₂ a₂
///             b₃ h₃ n₃ a₃     of four positions
/// neighbours  b₀ b₁ b₂ b₃     turned round: one vector for each neighbour
/// ```
impl Neighbours for f32 {
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 2] {
        // SAFETY: the caller grants two floats from each index on, and the load asks for no alignment.
        let two = |index: u32| unsafe { _mm_castsi128_ps(_mm_loadl_epi64(from.add(index as usize).cast())) };
        let (low, high) = (_mm_unpacklo_ps(two(i0), two(i1)), _mm_unpacklo_ps(two(i2), two(i3)));
        [_mm_movelh_ps(low, high), _mm_movehl_ps(high, low)]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 4] {
        // SAFETY: the caller grants four floats from each index on, and the load asks for no alignment.
        let four = |index: u32| unsafe { _mm_loadu_ps(from.add(index as usize)) };
        transposed([four(i0), four(i1), four(i2), four(i3)])
    }
}

impl Neighbours for i16 {
    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn pair(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 2] {
        // SAFETY: the caller grants two values from each index on, which are as long as one of 32 bits.
        let two = |index: u32| unsafe { from.add(index as usize).cast::<i32>().read_unaligned() };
        let both = _mm_setr_epi32(two(i0), two(i1), two(i2), two(i3));
        let float = |half: __m128i| _mm_cvtepi32_ps(_mm_srai_epi32::<16>(half));
        [float(_mm_slli_epi32::<16>(both)), float(both)]
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    unsafe fn quad(from: *const Self, [i0, i1, i2, i3]: [u32; LANES]) -> [F32x4; 4] {
        // SAFETY: the caller grants four values from each index on, 64 bits, and the load asks for no alignment.
        let four = |index: u32| unsafe { _mm_loadl_epi64(from.add(index as usize).cast()) };
        let low = _mm_unpacklo_epi16(four(i0), four(i1));
        let high = _mm_unpacklo_epi16(four(i2), four(i3));
        let [before, here] = halves(_mm_unpacklo_epi32(low, high));
        let [next, after] = halves(_mm_unpackhi_epi32(low, high));
        [before, here, next, after]
    }
}

/// Returns eight 16-bit values as floats.
#[inline]
#[target_feature(enable = "sse2")]
fn halves(eight: __m128i) -> [F32x4; 2] {
    // Each in the upper half of 32 bits, and then down with its sign.
    let float = |upper: __m128i| _mm_cvtepi32_ps(_mm_srai_epi32::<16>(upper));
    [float(_mm_unpacklo_epi16(eight, eight)), float(_mm_unpackhi_epi16(eight, eight))]
}
