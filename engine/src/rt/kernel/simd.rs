//! The kernels, several frames at a time: the only room with unsafe code.
//!
//! What makes it sound, in one place: [`Checked`] is made by looking whether a plane holds every frame a kernel will
//! read, so the pointers it hands out may be read that far; and [`Level`] is made by asking the processor, so what is
//! called for a level is there.
#![allow(
    unsafe_code,
    reason = "vectors are loaded through pointers, and functions called that not every processor has"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod checked;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse2;

use super::table::Table;
use super::{Few, Task, Value, scalar};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use checked::Checked;

/// Cache lines that are asked for.
#[cfg(target_arch = "x86_64")]
const LINES: usize = 8;

/// Which forms the processor can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level(Form);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Level {
    /// One frame at a time: for every processor.
    pub(crate) const SCALAR: Self = Self(Form::Scalar);

    /// All the processor has, the slowest first.
    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Self> {
        let forms = [
            Some(Form::Scalar),
            #[cfg(target_arch = "x86_64")]
            Some(Form::Sse2),
            #[cfg(target_arch = "x86_64")]
            (std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma"))
                .then_some(Form::Avx2),
            #[cfg(target_arch = "aarch64")]
            Some(Form::Neon),
        ];
        forms.into_iter().flatten().map(Self)
    }

    /// What it is called.
    pub(crate) const fn name(self) -> &'static str {
        match self.0 {
            Form::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Form::Sse2 => "sse2",
            #[cfg(target_arch = "x86_64")]
            Form::Avx2 => "avx2",
            #[cfg(target_arch = "aarch64")]
            Form::Neon => "neon",
        }
    }

    /// The fastest the processor has.
    pub(crate) fn best() -> Self {
        Self::all().next_back().unwrap_or(Self::SCALAR)
    }
}

/// What the forms need of a value.
#[cfg(target_arch = "x86_64")]
pub(super) trait Lanes: avx2::Lanes + sse2::Lanes {}
#[cfg(target_arch = "x86_64")]
impl<V: avx2::Lanes + sse2::Lanes> Lanes for V {}

/// What the forms need of a value.
#[cfg(target_arch = "aarch64")]
pub(super) trait Lanes: neon::Lanes {}
#[cfg(target_arch = "aarch64")]
impl<V: neon::Lanes> Lanes for V {}

/// What the forms need of a value.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) trait Lanes {}
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl<V> Lanes for V {}

/// By a few neighbours.
pub(super) fn few<V: Value, const C: usize>(level: Level, few: Few, task: Task<'_, V, C>) {
    match level.0 {
        Form::Scalar => scalar::few(few, task),
        // SAFETY: as for the next.
        #[cfg(target_arch = "x86_64")]
        Form::Sse2 => unsafe { sse2::few(few, task) },
        // SAFETY: a level is one that the processor has.
        #[cfg(target_arch = "x86_64")]
        Form::Avx2 => unsafe { <V as avx2::Lanes>::few(few, task) },
        // SAFETY: every processor of this kind has it.
        #[cfg(target_arch = "aarch64")]
        Form::Neon => unsafe { neon::few(few, task) },
    }
}

/// By a sinc whose coefficients are floats.
pub(super) fn fine<const C: usize>(level: Level, table: &Table<f32>, task: Task<'_, f32, C>) {
    match level.0 {
        Form::Scalar => scalar::fine(table, task),
        // SAFETY: as for the next.
        #[cfg(target_arch = "x86_64")]
        Form::Sse2 => unsafe { sse2::fine(table, task) },
        // SAFETY: a level is one that the processor has.
        #[cfg(target_arch = "x86_64")]
        Form::Avx2 => unsafe { avx2::fine(table, task) },
        // SAFETY: every processor of this kind has it.
        #[cfg(target_arch = "aarch64")]
        Form::Neon => unsafe { neon::fine(table, task) },
    }
}

/// By a sinc whose coefficients are 16 bits.
pub(super) fn short<const C: usize>(level: Level, table: &Table<i16>, task: Task<'_, i16, C>) {
    match level.0 {
        Form::Scalar => scalar::short(table, task),
        // SAFETY: as for the next.
        #[cfg(target_arch = "x86_64")]
        Form::Sse2 => unsafe { sse2::short(table, task) },
        // SAFETY: a level is one that the processor has.
        #[cfg(target_arch = "x86_64")]
        Form::Avx2 => unsafe { avx2::short(table, task) },
        // SAFETY: every processor of this kind has it.
        #[cfg(target_arch = "aarch64")]
        Form::Neon => unsafe { neon::short(table, task) },
    }
}

/// Asks memory for the frames of a plane from an index on: the first cache lines, the others follow by themselves.
pub(super) fn prefetch<V>(plane: &[V], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let Some(frames) = plane.get(index..) else { return };
        let first = frames.as_ptr().cast::<i8>();
        for line in 0..LINES {
            // SAFETY: a hint reads nothing, wherever it points: at what lies behind the plane, if that is shorter.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(64 * line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (plane, index);
}
