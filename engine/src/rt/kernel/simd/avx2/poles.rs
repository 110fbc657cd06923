//! Eight frames of a filter at a time: see [`Poles`].

use std::arch::x86_64::*;

use super::LANES;
use crate::rt::kernel::poles::{CHUNK, Moving, Poles};

const _: () = assert!(CHUNK == LANES);

/// Poles, each number of `eight` as often as a vector needs it, and what each input does.
#[derive(Clone, Copy)]
struct Vectors {
    responses: [__m256; CHUNK],
    rows: [__m256; 2],
    into: [__m256; 2],
    eight: [__m256; 2],
}

/// Filters chunks in their place.
#[target_feature(enable = "avx2,fma")]
pub(in super::super) fn still(poles: &Poles, state: &mut [f32; 2], chunks: &mut [[f32; CHUNK]]) {
    let vectors = Vectors::of(poles);
    let mut both = spread(*state);
    for chunk in chunks {
        let (outputs, end) = vectors.chunk(both, chunk);
        store(outputs, chunk);
        both = end;
    }
    *state = first_two(both);
}

/// Filters chunks in their place while the poles move.
#[target_feature(enable = "avx2,fma")]
pub(in super::super) fn moving(
    poles: &mut Poles,
    moving: Moving<'_>,
    state: &mut [f32; 2],
    chunks: &mut [[f32; CHUNK]],
) {
    let (mut vectors, step) = (Vectors::of(poles), Vectors::of(moving.step));
    let mut both = spread(*state);
    for (done, chunk) in chunks.iter_mut().enumerate() {
        if moving.is_due(done) {
            vectors.add(&step);
        }
        let (outputs, end) = vectors.chunk(both, chunk);
        store(outputs, chunk);
        both = end;
    }
    *state = first_two(both);
    *poles = vectors.poles();
}

impl Vectors {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn of(poles: &Poles) -> Self {
        let Poles { impulse: _, rows: [band, low], into, eight } = poles;
        let [outer, inner] = into;
        let [of_band, of_low] = *eight;
        let mut responses = [_mm256_setzero_ps(); CHUNK];
        responses.iter_mut().zip(poles.responses()).for_each(|(to, from)| *to = load(from));
        Self {
            responses,
            rows: [load(band), load(low)],
            into: [load(outer), load(inner)],
            eight: [spread(of_band), spread(of_low)],
        }
    }

    /// Returns the poles that these are.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn poles(&self) -> Poles {
        let mut poles = Poles::default();
        let [first, ..] = self.responses;
        if let Some(impulse) = poles.impulse.last_chunk_mut() {
            store(first, impulse);
        }
        for (to, from) in poles.rows.iter_mut().zip(self.rows) {
            store(from, to);
        }
        for (to, from) in poles.into.iter_mut().zip(self.into) {
            store(from, to);
        }
        for (to, from) in poles.eight.iter_mut().zip(self.eight) {
            *to = first_two(from);
        }
        poles
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn add(&mut self, step: &Self) {
        let wide = |one: &mut [__m256], step: &[__m256]| {
            for (one, step) in one.iter_mut().zip(step) {
                *one = _mm256_add_ps(*one, *step);
            }
        };
        wide(&mut self.responses, &step.responses);
        wide(&mut self.rows, &step.rows);
        wide(&mut self.into, &step.into);
        wide(&mut self.eight, &step.eight);
    }

    /// Returns the outputs of a chunk, and where the integrators are after it: both by turns, as `both`.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn chunk(&self, both: __m256, frames: &[f32; CHUNK]) -> (__m256, __m256) {
        let Self { responses: [r0, r1, r2, r3, r4, r5, r6, r7], rows, into, eight } = *self;
        let [x0, x1, x2, x3, x4, x5, x6, x7] = frames.each_ref().map(|frame| _mm256_broadcast_ss(frame));
        // Two sums at a time, so that none has to wait for the other.
        let one = _mm256_fmadd_ps(x2, r2, _mm256_mul_ps(x0, r0));
        let other = _mm256_fmadd_ps(x3, r3, _mm256_mul_ps(x1, r1));
        let one = _mm256_fmadd_ps(x6, r6, _mm256_fmadd_ps(x4, r4, one));
        let other = _mm256_fmadd_ps(x7, r7, _mm256_fmadd_ps(x5, r5, other));
        let (band, low) = (_mm256_moveldup_ps(both), _mm256_movehdup_ps(both));
        let outputs = _mm256_add_ps(one, other);
        let outputs = _mm256_fmadd_ps(rows[1], low, _mm256_fmadd_ps(rows[0], band, outputs));

        let input = load(frames);
        let (outer, inner) = (_mm256_unpacklo_ps(input, input), _mm256_unpackhi_ps(input, input));
        let sums = _mm256_fmadd_ps(inner, into[1], _mm256_mul_ps(outer, into[0]));
        let sums = _mm256_add_ps(sums, _mm256_permute2f128_ps::<0x01>(sums, sums));
        let sums = _mm256_add_ps(sums, _mm256_permute_ps::<0b01_00_11_10>(sums));
        let end = _mm256_fmadd_ps(eight[1], low, _mm256_fmadd_ps(eight[0], band, sums));
        (outputs, end)
    }
}

/// Returns two numbers by turns.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn spread([one, other]: [f32; 2]) -> __m256 {
    _mm256_setr_ps(one, other, one, other, one, other, one, other)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn first_two(vector: __m256) -> [f32; 2] {
    let mut all = [0.0; LANES];
    store(vector, &mut all);
    let [one, other, ..] = all;
    [one, other]
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load(from: &[f32; LANES]) -> __m256 {
    // SAFETY: an array of eight floats is as long as a vector, and the load does not ask for alignment.
    unsafe { _mm256_loadu_ps(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn store(vector: __m256, to: &mut [f32; LANES]) {
    // SAFETY: an array of eight floats is as long as a vector, and the store does not ask for alignment.
    unsafe { _mm256_storeu_ps(to.as_mut_ptr(), vector) };
}
