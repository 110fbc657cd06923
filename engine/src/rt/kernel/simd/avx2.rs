//! Eight frames at a time, for processors with AVX2 and FMA.
//!
//! ```text
//! fraction   f₀ f₁ f₂ … f₇            of eight positions; the next eight: + 8 steps, without what exceeds 32 bits
//! index      i₀ + 0 s 2s … 7s         whole frames of so many steps ahead of the first position,
//!               +   c₁ c₂ … c₇        and one more where the fraction has gone round
//! values     v₀ v₁ v₂ … v₇            by one of the kernels
//! left       += v × left gain         right likewise
//! ```
//!
//! The last frames of a run are rendered eight at a time as well, and what is too much is thrown away: so each frame
//! comes about in the same way wherever a run ends. The index of a frame that is too much is that of the first.

mod float;
mod short;
mod sinc;
pub(super) mod svf;

use std::arch::x86_64::*;
use std::slice::from_mut;

use super::super::table::SincTable;
use super::super::{Gain, Output, ShortKernel, Task};
use super::CheckedTask;
use crate::rt::ramp::LinearRamp;

/// Frames in a vector.
const LANES: usize = 8;

/// Frames read after a position: a vector from its farthest neighbour on, four steps later, at ratio 2.
const AFTER: usize = 8 + LANES + 4;
const _: () = assert!(AFTER <= crate::bank::GUARD);

/// A sample type that short kernels read.
pub(in super::super) trait Lanes: Copy {
    /// # Safety
    /// The processor has AVX2 and FMA.
    unsafe fn few<const C: usize>(few: ShortKernel, task: Task<'_, Self, C>);
}

/// Eight positions, in frames from the run's first position.
struct EightPositions {
    /// The first of them, in 2^-32.
    at: u64,
    step: u64,
    /// In 2^-32, less a half: with a sign, as vectors compare and convert them.
    fraction: __m256i,
    eight: Ahead,
    four: Ahead,
    /// How far each is ahead of the first.
    ahead: [u64; LANES],
}

/// How far positions are ahead of the first of a group.
struct Ahead {
    /// Whole frames.
    frames: __m256i,
    /// What is left, in 2^-32, less a half.
    fraction: __m256i,
}

/// Interpolates eight values at a time.
trait Kernel<V, const C: usize>: Sized {
    /// Returns eight values of each plane; `planes` point to the farthest neighbour before the run's first position.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; planes and positions are those of a [`CheckedTask`] for this kernel.
    unsafe fn values(&self, planes: &[*const V; C], positions: &EightPositions) -> [__m256; C];
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn fine<const C: usize>(table: &SincTable<f32>, task: Task<'_, f32, C>) {
    let Some(task) = CheckedTask::around(task, table) else { return };
    match table.width() {
        1 => put(&sinc::SincF32::<1>(table), task),
        2 => put(&sinc::SincF32::<2>(table), task),
        3 => put(&sinc::SincF32::<3>(table), task),
        4 => put(&sinc::SincF32::<4>(table), task),
        _ => put(&sinc::SincF32::<0>(table), task),
    }
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn short<const C: usize>(table: &SincTable<i16>, task: Task<'_, i16, C>) {
    let Some(task) = CheckedTask::around(task, table) else { return };
    match table.width() {
        1 => put(&sinc::SincI16::<1>(table), task),
        2 => put(&sinc::SincI16::<2>(table), task),
        3 => put(&sinc::SincI16::<3>(table), task),
        4 => put(&sinc::SincI16::<4>(table), task),
        _ => put(&sinc::SincI16::<0>(table), task),
    }
}

#[target_feature(enable = "avx2,fma")]
fn put<K: Kernel<V, C>, V, const C: usize>(kernel: &K, task: CheckedTask<'_, V, C>) {
    match task.output {
        Output::Mixed(gain) if gain.is_level() => put_along::<K, V, C, false, false>(kernel, task, gain),
        Output::Mixed(gain) => put_along::<K, V, C, true, false>(kernel, task, gain),
        Output::Alone(unit) => put_along::<K, V, C, false, true>(kernel, task, Gain::level(unit)),
    }
}

/// Adds with a gain that follows a ramp or stays constant, or writes, as [`Output`] says.
#[target_feature(enable = "avx2,fma")]
fn put_along<K: Kernel<V, C>, V, const C: usize, const RAMP: bool, const ALONE: bool>(
    kernel: &K,
    task: CheckedTask<'_, V, C>,
    gain: Gain,
) {
    let CheckedTask { planes, fraction, step, output: _, left, right } = task;
    let mut positions = EightPositions::new(fraction, step);
    let further = _mm256_set1_epi32(step.wrapping_mul(LANES as u64) as i32);
    let (mut to_left, mut to_right) = (EightLevels::new(gain.left), EightLevels::new(gain.right));

    let (whole_left, rest_left) = left.as_chunks_mut::<LANES>();
    let (whole_right, rest_right) = right.as_chunks_mut::<LANES>();
    let (mut last_left, mut last_right) = ([0.0; LANES], [0.0; LANES]);
    let mut rest = Some(rest_left.len()).filter(|frames| *frames > 0);
    let (mut lefts, mut rights) = (whole_left, whole_right);
    // Whole vectors, then the remainder: one body for both, as two would be too long to be inlined.
    loop {
        for (left, right) in lefts.iter_mut().zip(rights) {
            // SAFETY: `CheckedTask` compared the first and the last of these positions with the planes, and positions
            // ascend; `leave` puts lanes past the last frame where the first is.
            let values = unsafe { kernel.values(&planes, &positions) };
            let (Some(&one), Some(&two)) = (values.first(), values.last()) else { return };
            put_values::<ALONE>(left, one, to_left.next::<RAMP>());
            if !ALONE || C > 1 {
                put_values::<ALONE>(right, two, to_right.next::<RAMP>());
            }
            positions.at = positions.at.wrapping_add(step.wrapping_mul(LANES as u64));
            positions.fraction = _mm256_add_epi32(positions.fraction, further);
        }
        let Some(frames) = rest.take() else { break };
        positions.leave(frames);
        last_left.iter_mut().zip(&*rest_left).for_each(|(last, rest)| *last = *rest);
        last_right.iter_mut().zip(&*rest_right).for_each(|(last, rest)| *last = *rest);
        (lefts, rights) = (from_mut(&mut last_left), from_mut(&mut last_right));
    }
    rest_left.iter_mut().zip(last_left).for_each(|(rest, last)| *rest = last);
    rest_right.iter_mut().zip(last_right).for_each(|(rest, last)| *rest = last);
}

/// Adds frames to both sides, as loud as the sides' lines.
#[target_feature(enable = "avx2,fma")]
pub(super) fn add(from: [&[f32]; 2], to: [&mut [f32]; 2], gains: [LinearRamp; 2]) {
    let [(left, rest_left), (right, rest_right)] = from.map(<[f32]>::as_chunks::<LANES>);
    let [(to_left, rest_to_left), (to_right, rest_to_right)] = to.map(<[f32]>::as_chunks_mut::<LANES>);
    let [mut left_gain, mut right_gain] = gains.map(|gain| EightLevels::new(gain));
    for (((left, right), to_left), to_right) in left.iter().zip(right).zip(to_left).zip(to_right) {
        put_values::<false>(to_left, load(left), left_gain.next::<true>());
        put_values::<false>(to_right, load(right), right_gain.next::<true>());
    }
    let sides = [(rest_left, rest_to_left, left_gain), (rest_right, rest_to_right, right_gain)];
    for (from, to, mut gain) in sides.into_iter().filter(|(from, ..)| !from.is_empty()) {
        let (mut last, mut last_to) = ([0.0; LANES], [0.0; LANES]);
        last.iter_mut().zip(from).for_each(|(last, from)| *last = *from);
        last_to.iter_mut().zip(&*to).for_each(|(last, to)| *last = *to);
        put_values::<false>(&mut last_to, load(&last), gain.next::<true>());
        to.iter_mut().zip(last_to).for_each(|(to, last)| *to = last);
    }
}

/// The levels of a ramp at eight frames.
struct EightLevels {
    from: __m256,
    slope: __m256,
    at: __m256i,
}

impl EightLevels {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn new(ramp: LinearRamp) -> Self {
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let at = _mm256_add_epi32(_mm256_set1_epi32(ramp.at as i32), lanes);
        Self { from: _mm256_set1_ps(ramp.from), slope: _mm256_set1_ps(ramp.slope), at }
    }

    /// Returns the levels, and goes on by eight frames; without a ramp all of them are the first.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn next<const RAMP: bool>(&mut self) -> __m256 {
        if !RAMP {
            return self.from;
        }
        let levels = _mm256_fmadd_ps(self.slope, _mm256_cvtepi32_ps(self.at), self.from);
        self.at = _mm256_add_epi32(self.at, _mm256_set1_epi32(LANES as i32));
        levels
    }
}

/// Adds values times gains, or puts them in the place of what was there.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn put_values<const ALONE: bool>(frames: &mut [f32; LANES], values: __m256, gains: __m256) {
    // SAFETY: an array of eight floats is as long as a vector, and neither load nor store asks for alignment.
    unsafe {
        let put = if ALONE {
            _mm256_mul_ps(values, gains)
        } else {
            _mm256_fmadd_ps(values, gains, _mm256_loadu_ps(frames.as_ptr()))
        };
        _mm256_storeu_ps(frames.as_mut_ptr(), put);
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load(from: &[f32; LANES]) -> __m256 {
    // SAFETY: an array of eight floats is as long as a vector, and the load does not ask for alignment.
    unsafe { _mm256_loadu_ps(from.as_ptr()) }
}

/// Returns the highest bit of each.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn signs() -> __m256i {
    _mm256_set1_epi32(i32::MIN)
}

impl EightPositions {
    /// Returns the first eight of a run, given the fraction of the first.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn new(fraction: u32, step: u64) -> Self {
        let from = i64::from(fraction);
        let ahead = |frame: i64| (step as i64).wrapping_mul(frame);
        let low = _mm256_setr_epi64x(ahead(0), ahead(1), ahead(0), ahead(1));
        let high = _mm256_setr_epi64x(ahead(2), ahead(3), ahead(2), ahead(3));
        let half = _mm256_setr_epi64x(0, 0, ahead(4), ahead(4));
        let eight = Ahead::of(_mm256_add_epi64(low, half), _mm256_add_epi64(high, half));
        let fraction = _mm256_add_epi32(eight.fraction, _mm256_set1_epi32(from as i32));
        let ahead = [0, 1, 2, 3, 4, 5, 6, 7].map(|frame| step.wrapping_mul(frame));
        Self { at: from as u64, step, fraction, eight, four: Ahead::of(low, high), ahead }
    }

    /// Keeps the first `some` positions, at least one, and moves the others to the first.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn leave(&mut self, some: usize) {
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let wanted = _mm256_cmpgt_epi32(_mm256_set1_epi32(some as i32), lanes);
        self.eight.frames = _mm256_and_si256(self.eight.frames, wanted);
        self.eight.fraction = _mm256_blendv_epi8(signs(), self.eight.fraction, wanted);
        self.ahead.iter_mut().skip(some).for_each(|ahead| *ahead = 0);
    }

    /// Returns the index of the first.
    #[inline]
    fn first(&self) -> usize {
        (self.at >> 32) as usize
    }

    /// Returns the index of the fifth, which may lie past the run's last.
    #[inline]
    fn fifth(&self) -> usize {
        (self.at.wrapping_add(self.step.wrapping_mul(4)) >> 32) as usize
    }

    /// Returns the index of each, relative to the first.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn within(&self) -> __m256i {
        _mm256_sub_epi32(self.eight.frames, self.eight.has_gone_round(self.fraction))
    }

    /// Returns the index of each, as an array.
    #[inline]
    fn each(&self) -> [usize; LANES] {
        self.ahead.map(|ahead| (self.at.wrapping_add(ahead) >> 32) as usize)
    }

    /// Returns the index of each.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn index(&self) -> __m256i {
        _mm256_add_epi32(_mm256_set1_epi32(self.first() as i32), self.within())
    }

    /// Fractions as 0..1; 24 bits of them, as the scalar form.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn unit(&self) -> __m256 {
        const SCALE: f32 = 1.0 / (1 << 24) as f32;
        let signed = _mm256_cvtepi32_ps(_mm256_srai_epi32::<8>(self.fraction));
        // Exact: a float holds 24 bits.
        _mm256_fmadd_ps(signed, _mm256_set1_ps(SCALE), _mm256_set1_ps(0.5))
    }
}

impl Ahead {
    /// Of positions in the order 0 1 4 5 and 2 3 6 7, which leaves their halves in the order of frames.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn of(outer: __m256i, inner: __m256i) -> Self {
        let (outer, inner) = (_mm256_castsi256_ps(outer), _mm256_castsi256_ps(inner));
        let frames = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(outer, inner));
        let fraction = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(outer, inner));
        Self { frames, fraction: _mm256_xor_si256(fraction, signs()) }
    }

    /// Returns −1 where a position's fraction is less than it is ahead of the first's: there it is a frame farther.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn has_gone_round(&self, fraction: __m256i) -> __m256i {
        _mm256_cmpgt_epi32(self.fraction, fraction)
    }
}
