//! Eight frames of a filter at a time: see [`Poles`].

use std::arch::x86_64::*;

use super::LANES;
use crate::rt::kernel::poles::{CHUNK, Poles};

const _: () = assert!(CHUNK == LANES);

/// Poles, each number of `near`, `far` and `eight` as often as a vector needs it.
#[derive(Clone, Copy)]
struct Vectors {
    near: [__m256; 4],
    far: [__m128; 4],
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
        let (outputs, end) = vectors.chunk(both, load(chunk));
        store(outputs, chunk);
        both = end;
    }
    *state = first_two(both);
}

/// Filters chunks in their place, before each of which a step is added to the poles.
#[target_feature(enable = "avx2,fma")]
pub(in super::super) fn moving(
    poles: &mut Poles,
    step: &Poles,
    state: &mut [f32; 2],
    chunks: &mut [[f32; CHUNK]],
) {
    let (mut vectors, step) = (Vectors::of(poles), Vectors::of(step));
    let mut both = spread(*state);
    for chunk in chunks {
        vectors.add(&step);
        let (outputs, end) = vectors.chunk(both, load(chunk));
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
        let Poles { near: [n0, n1, n2, n3], far: [f0, f1, f2, f3], rows: [band, low], into, eight } = poles;
        let [outer, inner] = into;
        let [of_band, of_low] = *eight;
        Self {
            near: [_mm256_set1_ps(*n0), _mm256_set1_ps(*n1), _mm256_set1_ps(*n2), _mm256_set1_ps(*n3)],
            far: [_mm_set1_ps(*f0), _mm_set1_ps(*f1), _mm_set1_ps(*f2), _mm_set1_ps(*f3)],
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
        for (to, from) in poles.near.iter_mut().zip(self.near) {
            *to = _mm256_cvtss_f32(from);
        }
        for (to, from) in poles.far.iter_mut().zip(self.far) {
            *to = _mm_cvtss_f32(from);
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
        for (one, step) in self.far.iter_mut().zip(step.far) {
            *one = _mm_add_ps(*one, step);
        }
        let wide = |one: &mut [__m256], step: &[__m256]| {
            for (one, step) in one.iter_mut().zip(step) {
                *one = _mm256_add_ps(*one, *step);
            }
        };
        wide(&mut self.near, &step.near);
        wide(&mut self.rows, &step.rows);
        wide(&mut self.into, &step.into);
        wide(&mut self.eight, &step.eight);
    }

    /// Returns the outputs of a chunk, and where the integrators are after it: both by turns, as `both`.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn chunk(&self, both: __m256, input: __m256) -> (__m256, __m256) {
        let Self { near: [n0, n1, n2, n3], far: [f0, f1, f2, f3], rows, into, eight } = *self;
        // The input one, two and three frames later, after silence.
        let (now, before) = (_mm256_castps_si256(input), half_later(input));
        let before = _mm256_castps_si256(before);
        let one = _mm256_castsi256_ps(_mm256_alignr_epi8::<12>(now, before));
        let two = _mm256_castsi256_ps(_mm256_alignr_epi8::<8>(now, before));
        let three = _mm256_castsi256_ps(_mm256_alignr_epi8::<4>(now, before));
        let even = _mm256_fmadd_ps(one, n1, _mm256_mul_ps(input, n0));
        let odd = _mm256_fmadd_ps(three, n3, _mm256_mul_ps(two, n2));
        let [early, early1, early2, early3] = [input, one, two, three].map(|all| _mm256_castps256_ps128(all));
        let far = _mm_fmadd_ps(early1, f1, _mm_mul_ps(early, f0));
        let far = _mm_fmadd_ps(early3, f3, _mm_fmadd_ps(early2, f2, far));
        let late = half_later(_mm256_castps128_ps256(far));
        let (band, low) = (_mm256_moveldup_ps(both), _mm256_movehdup_ps(both));
        let outputs = _mm256_add_ps(_mm256_add_ps(even, odd), late);
        let outputs = _mm256_fmadd_ps(rows[1], low, _mm256_fmadd_ps(rows[0], band, outputs));

        let (outer, inner) = (_mm256_unpacklo_ps(input, input), _mm256_unpackhi_ps(input, input));
        let sums = _mm256_fmadd_ps(inner, into[1], _mm256_mul_ps(outer, into[0]));
        let sums = _mm256_add_ps(sums, _mm256_permute2f128_ps::<0x01>(sums, sums));
        let sums = _mm256_add_ps(sums, _mm256_permute_ps::<0b01_00_11_10>(sums));
        let end = _mm256_fmadd_ps(eight[1], low, _mm256_fmadd_ps(eight[0], band, sums));
        (outputs, end)
    }
}

/// Returns four frames of silence, then the first four.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn half_later(frames: __m256) -> __m256 {
    _mm256_permute2f128_ps::<0x08>(frames, frames)
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
