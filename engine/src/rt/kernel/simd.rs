//! The kernels, several frames at a time: the only room with unsafe code.
//!
//! What makes it sound, in one place: [`CheckedTask`] is made by looking whether a plane holds every frame a kernel
//! will read, so the pointers it hands out may be read that far; and [`SimdLevel`] is made by asking the processor, so
//! what is called for a level is there.
#![allow(
    unsafe_code,
    reason = "vectors are loaded through pointers, and functions called that not every processor has"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(vectors)]
mod checked;
#[cfg(vectors)]
mod four_lanes;

use super::svf::{FilterLanes, LANES};
use super::table::SincTable;
use super::{RecordedValue, ShortKernel, Task, scalar};
use crate::rt::ramp::LinearRamp;
#[cfg(vectors)]
use checked::CheckedTask;

/// A cache line, in bytes.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// The most cache lines that are asked for: what comes after these is read in order, and processors see that by
/// themselves.
#[cfg(target_arch = "x86_64")]
const MAX_LINES: usize = 24;

/// Which forms the processor can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SimdLevel(InstructionSet);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InstructionSet {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", vectors))]
    Simd128,
}

impl SimdLevel {
    /// One frame at a time: for every processor.
    pub(crate) const SCALAR: Self = Self(InstructionSet::Scalar);

    /// Returns all the processor has, the slowest first.
    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Self> {
        let forms = [
            Some(InstructionSet::Scalar),
            #[cfg(target_arch = "x86_64")]
            Some(InstructionSet::Sse2),
            #[cfg(target_arch = "x86_64")]
            (std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma"))
                .then_some(InstructionSet::Avx2),
            #[cfg(target_arch = "aarch64")]
            Some(InstructionSet::Neon),
            // A module with them is refused where they are missing.
            #[cfg(all(target_arch = "wasm32", vectors))]
            Some(InstructionSet::Simd128),
        ];
        forms.into_iter().flatten().map(Self)
    }

    /// Returns what it is called.
    pub(crate) const fn name(self) -> &'static str {
        match self.0 {
            InstructionSet::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse2 => "sse2",
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => "avx2",
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => "neon",
            #[cfg(all(target_arch = "wasm32", vectors))]
            InstructionSet::Simd128 => "simd128",
        }
    }

    /// Returns the fastest the processor has.
    pub(crate) fn best() -> Self {
        Self::all().next_back().unwrap_or(Self::SCALAR)
    }
}

/// What the forms need of a recorded value.
pub(super) trait SimdValue: Vectors {}
impl<V: Vectors> SimdValue for V {}

#[cfg(target_arch = "x86_64")]
mod vectors {
    pub(in super::super) trait Vectors:
        super::avx2::Lanes + super::four_lanes::Neighbours
    {
    }
    impl<V: super::avx2::Lanes + super::four_lanes::Neighbours> Vectors for V {}
}
#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", vectors)))]
mod vectors {
    pub(in super::super) use super::four_lanes::Neighbours as Vectors;
}
#[cfg(not(vectors))]
mod vectors {
    // Without vectors nothing is needed.
    pub(in super::super) use std::marker::Sized as Vectors;
}
use vectors::Vectors;

/// By a few neighbours.
pub(super) fn few<V: RecordedValue, const C: usize>(
    level: SimdLevel,
    few: ShortKernel,
    task: Task<'_, V, C>,
) {
    match level.0 {
        InstructionSet::Scalar => scalar::few(few, task),
        // SAFETY: every x86-64 processor has SSE2.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Sse2 => unsafe { four_lanes::few(few, task) },
        // SAFETY: `SimdLevel::all` offers AVX2 only where the processor says that it has AVX2 and FMA.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { <V as avx2::Lanes>::few(few, task) },
        // SAFETY: every 64-bit ARM processor has NEON.
        #[cfg(target_arch = "aarch64")]
        InstructionSet::Neon => unsafe { four_lanes::few(few, task) },
        #[cfg(all(target_arch = "wasm32", vectors))]
        InstructionSet::Simd128 => four_lanes::few(few, task),
    }
}

/// By a sinc whose coefficients are floats.
pub(super) fn fine<const C: usize>(level: SimdLevel, table: &SincTable<f32>, task: Task<'_, f32, C>) {
    match level.0 {
        InstructionSet::Scalar => scalar::fine(table, task),
        // SAFETY: every x86-64 processor has SSE2.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Sse2 => unsafe { four_lanes::fine(table, task) },
        // SAFETY: `SimdLevel::all` offers AVX2 only where the processor says that it has AVX2 and FMA.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2::fine(table, task) },
        // SAFETY: every 64-bit ARM processor has NEON.
        #[cfg(target_arch = "aarch64")]
        InstructionSet::Neon => unsafe { four_lanes::fine(table, task) },
        #[cfg(all(target_arch = "wasm32", vectors))]
        InstructionSet::Simd128 => four_lanes::fine(table, task),
    }
}

/// By a sinc whose coefficients are 16 bits.
pub(super) fn short<const C: usize>(level: SimdLevel, table: &SincTable<i16>, task: Task<'_, i16, C>) {
    match level.0 {
        InstructionSet::Scalar => scalar::short(table, task),
        // SAFETY: every x86-64 processor has SSE2.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Sse2 => unsafe { four_lanes::short(table, task) },
        // SAFETY: `SimdLevel::all` offers AVX2 only where the processor says that it has AVX2 and FMA.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2::short(table, task) },
        // SAFETY: every 64-bit ARM processor has NEON.
        #[cfg(target_arch = "aarch64")]
        InstructionSet::Neon => unsafe { four_lanes::short(table, task) },
        #[cfg(all(target_arch = "wasm32", vectors))]
        InstructionSet::Simd128 => four_lanes::short(table, task),
    }
}

/// Filters so many frames of each row in their place, from one on, by one or two stages.
pub(super) fn filter(
    level: SimdLevel,
    stages: usize,
    lanes: &mut FilterLanes,
    rows: [&mut [f32]; LANES],
    from: usize,
    frames: usize,
) {
    match level.0 {
        // SAFETY: `SimdLevel::all` offers AVX2 only where the processor says that it has AVX2 and FMA.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2::svf::run(stages, lanes, rows, from, frames) },
        // SAFETY: every x86-64 processor has SSE2.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Sse2 => unsafe { four_lanes::svf::run(stages, lanes, rows, from, frames) },
        // SAFETY: every 64-bit ARM processor has NEON.
        #[cfg(target_arch = "aarch64")]
        InstructionSet::Neon => unsafe { four_lanes::svf::run(stages, lanes, rows, from, frames) },
        #[cfg(all(target_arch = "wasm32", vectors))]
        InstructionSet::Simd128 => four_lanes::svf::run(stages, lanes, rows, from, frames),
        InstructionSet::Scalar => lanes.run(stages, rows, from, frames),
    }
}

/// Adds frames to both sides, as loud as the products of the sides' lines and another.
pub(super) fn add(
    level: SimdLevel,
    from: [&[f32]; 2],
    to: [&mut [f32]; 2],
    gains: [LinearRamp; 2],
    line: LinearRamp,
) {
    /// The same in wider vectors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn wide(from: [&[f32]; 2], to: [&mut [f32]; 2], gains: [LinearRamp; 2], line: LinearRamp) {
        scalar::add_lines(from, to, gains, line);
    }
    match level.0 {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => match gains.map(|gain| gain.times(line)) {
            // SAFETY: `SimdLevel::all` offers AVX2 only where the processor says that it has AVX2 and FMA.
            [Some(left), Some(right)] => unsafe { avx2::add(from, to, [left, right]) },
            // SAFETY: the same.
            _ => unsafe { wide(from, to, gains, line) },
        },
        _ => scalar::add_lines(from, to, gains, line),
    }
}

/// Asks memory for the frames of a plane from an index on: the first cache lines, the others follow by themselves.
pub(super) fn prefetch<V>(plane: &[V], index: usize, frames: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let Some(there) = plane.get(index..) else { return };
        let first = there.as_ptr().cast::<i8>();
        let lines = (frames * size_of::<V>() / LINE + 2).min(MAX_LINES);
        for line in 0..lines {
            // SAFETY: a hint reads nothing, wherever it points: at what lies after the plane, if that is shorter.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(LINE * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (plane, index, frames);
}
