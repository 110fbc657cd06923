//! Sincs: for each frame a dot product of its neighbours and the coefficients of its phase.
//!
//! ```text
//! 16 bits                                                  floats
//! frames          x₀ … x₇ │ x₀ … x₇    the same twice      x₀ … x₇
//! coefficients    a₀ … a₇ │ d₀ … d₇    one load            a₀ … a₇ + f × d₀ … d₇
//! products        4 sums  │ 4 sums     multiply and add    8 sums
//!
//! of four frames, 3 horizontal additions give
//!                 A₀ A₁ A₂ A₃ │ D₀ D₁ D₂ D₃                lower halves │ upper halves
//! and of eight, with both halves of two of these
//! value           (A + f × D) / 2¹⁵                        lower + upper
//! ```

use std::arch::x86_64::*;

use super::super::super::table::{CHUNK, CoefficientChunk, PHASE_BITS, SincTable};
use super::{EightPositions, Kernel, LANES, signs};

/// For 16-bit recordings, with coefficients of 16 bits. `W`: chunks of a row, or 0 if that is only known to the table.
pub(super) struct SincI16<'a, const W: usize>(pub(super) &'a SincTable<i16>);

/// With coefficients as floats.
pub(super) struct SincF32<'a, const W: usize>(pub(super) &'a SincTable<f32>);

/// What a dot product needs to know of each of eight frames.
struct SincRows {
    /// Chunks before the row of its phase.
    chunks: [u32; LANES],
    /// Frames before its first.
    index: [u32; LANES],
    /// How far it is from its phase to the next.
    between: [f32; LANES],
}

impl SincRows {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn of(positions: &EightPositions, width: usize) -> Self {
        let fraction = _mm256_xor_si256(positions.fraction, signs());
        let phase = _mm256_srli_epi32::<{ 32 - PHASE_BITS as i32 }>(fraction);
        let chunks = _mm256_mullo_epi32(phase, _mm256_set1_epi32(width as i32));
        let mut rows = Self { chunks: [0; LANES], index: [0; LANES], between: [0.0; LANES] };
        // SAFETY: each array holds eight words, as many as a vector, and the stores ask for no alignment.
        unsafe {
            _mm256_storeu_si256(rows.chunks.as_mut_ptr().cast(), chunks);
            _mm256_storeu_si256(rows.index.as_mut_ptr().cast(), positions.index());
            _mm256_storeu_ps(rows.between.as_mut_ptr(), between(positions));
        }
        rows
    }
}

/// Returns 0..1, 24 bits of it as the scalar form.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn between(positions: &EightPositions) -> __m256 {
    const SCALE: f32 = 1.0 / (1 << 24) as f32;
    // Whatever bits are of the phase, and the sign, go.
    let bits = _mm256_slli_epi32::<{ PHASE_BITS as i32 }>(positions.fraction);
    _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32::<8>(bits)), _mm256_set1_ps(SCALE))
}

impl<const W: usize> SincI16<'_, W> {
    /// Returns four sums with the coefficients, and four with the differences.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; a row begins at `row`, and as many frames may be read.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn dot(&self, row: *const CoefficientChunk<i16>, frames: *const i16) -> __m256i {
        let width = if W == 0 { self.0.width() } else { W };
        let mut sum = _mm256_setzero_si256();
        for chunk in 0..width {
            // SAFETY: a row has `width` chunks, aligned as a vector, and the caller grants a frame for each tap.
            let (taps, frames) = unsafe {
                let frames = _mm_loadu_si128(frames.add(chunk * CHUNK).cast());
                (_mm256_load_si256(row.add(chunk).cast()), _mm256_broadcastsi128_si256(frames))
            };
            sum = _mm256_add_epi32(sum, _mm256_madd_epi16(taps, frames));
        }
        sum
    }
}

impl<const W: usize, const C: usize> Kernel<i16, C> for SincI16<'_, W> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const i16; C], positions: &EightPositions) -> [__m256; C] {
        const SCALE: f32 = 1.0 / 32_768.0;
        let rows = SincRows::of(positions, if W == 0 { self.0.width() } else { W });
        let [c0, c1, c2, c3, c4, c5, c6, c7] = rows.chunks;
        let [i0, i1, i2, i3, i4, i5, i6, i7] = rows.index;
        let table = self.0.rows().as_ptr();
        let mut values = [_mm256_setzero_ps(); C];
        for (value, &plane) in values.iter_mut().zip(planes) {
            // SAFETY: a phase has `PHASE_BITS` bits and the table a row for each; `CheckedTask::around` proved that the
            // plane has as many frames from each index on as a row has taps.
            let dot = |chunk: u32, index: u32| unsafe {
                self.dot(table.add(chunk as usize), plane.add(index as usize))
            };
            let low = _mm256_hadd_epi32(
                _mm256_hadd_epi32(dot(c0, i0), dot(c1, i1)),
                _mm256_hadd_epi32(dot(c2, i2), dot(c3, i3)),
            );
            let high = _mm256_hadd_epi32(
                _mm256_hadd_epi32(dot(c4, i4), dot(c5, i5)),
                _mm256_hadd_epi32(dot(c6, i6), dot(c7, i7)),
            );
            let sum = _mm256_cvtepi32_ps(_mm256_permute2x128_si256::<0x20>(low, high));
            let difference = _mm256_cvtepi32_ps(_mm256_permute2x128_si256::<0x31>(low, high));
            let sum = _mm256_fmadd_ps(between(positions), difference, sum);
            *value = _mm256_mul_ps(sum, _mm256_set1_ps(SCALE));
        }
        values
    }
}

impl<const W: usize> SincF32<'_, W> {
    /// Returns eight partial sums for each plane.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; a row begins at `row`, and as many frames from `index` on may be read.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn dot<const C: usize>(
        &self,
        planes: &[*const f32; C],
        row: *const CoefficientChunk<f32>,
        index: u32,
        between: f32,
    ) -> [__m256; C] {
        let width = if W == 0 { self.0.width() } else { W };
        let between = _mm256_set1_ps(between);
        let mut sums = [_mm256_setzero_ps(); C];
        for chunk in 0..width {
            // SAFETY: a row has `width` chunks, each of eight aligned coefficients and eight differences.
            let taps = unsafe {
                let chunk = row.add(chunk).cast::<f32>();
                _mm256_fmadd_ps(between, _mm256_load_ps(chunk.add(CHUNK)), _mm256_load_ps(chunk))
            };
            for (sum, plane) in sums.iter_mut().zip(planes) {
                // SAFETY: the caller grants `width * CHUNK` frames from `index` on, and the load asks for no alignment.
                let frames = unsafe { _mm256_loadu_ps(plane.add(index as usize + chunk * CHUNK)) };
                *sum = _mm256_fmadd_ps(taps, frames, *sum);
            }
        }
        sums
    }
}

impl<const W: usize, const C: usize> Kernel<f32, C> for SincF32<'_, W> {
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn values(&self, planes: &[*const f32; C], positions: &EightPositions) -> [__m256; C] {
        let rows = SincRows::of(positions, if W == 0 { self.0.width() } else { W });
        let [c0, c1, c2, c3, c4, c5, c6, c7] = rows.chunks;
        let [i0, i1, i2, i3, i4, i5, i6, i7] = rows.index;
        let [b0, b1, b2, b3, b4, b5, b6, b7] = rows.between;
        let table = self.0.rows().as_ptr();
        // SAFETY: a phase has `PHASE_BITS` bits and the table a row for each; `CheckedTask::around` proved that each
        // plane has as many frames from each index on as a row has taps.
        let dot = |chunk: u32, index: u32, between: f32| unsafe {
            self.dot(planes, table.add(chunk as usize), index, between)
        };
        let low = four([dot(c0, i0, b0), dot(c1, i1, b1), dot(c2, i2, b2), dot(c3, i3, b3)]);
        let high = four([dot(c4, i4, b4), dot(c5, i5, b5), dot(c6, i6, b6), dot(c7, i7, b7)]);
        let mut values = [_mm256_setzero_ps(); C];
        for (value, (low, high)) in values.iter_mut().zip(low.into_iter().zip(high)) {
            let lower = _mm256_permute2f128_ps::<0x20>(low, high);
            *value = _mm256_add_ps(lower, _mm256_permute2f128_ps::<0x31>(low, high));
        }
        values
    }
}

/// For each plane the sums of four frames, each over the halves of a vector.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn four<const C: usize>([one, two, three, four]: [[__m256; C]; 4]) -> [__m256; C] {
    let mut sums = [_mm256_setzero_ps(); C];
    let pairs = one.into_iter().zip(two).zip(three.into_iter().zip(four));
    for (sum, ((one, two), (three, four))) in sums.iter_mut().zip(pairs) {
        *sum = _mm256_hadd_ps(_mm256_hadd_ps(one, two), _mm256_hadd_ps(three, four));
    }
    sums
}
