//! The coefficients of the sinc kernels.
//!
//! ```text
//! ratio     ≤ 1    ≤ 1.12  ≤ 1.26  …  ≤ 4, and above        a table for each whole tone up to two octaves
//! taps       16      24      24    …    64
//! cutoff    0.94    0.84    0.75   …   0.235                of half the recording's rate
//! ```
//!
//! A sound that is pitched up has what would lie beyond half the output's rate filtered out: its table is for the upper
//! end of a whole tone, the cutoff as much lower and the taps as many more. Above two octaves both stay: what
//! that filter lets through and a faster sound puts beyond half the output's rate folds back.
//!
//! Source: J. O. Smith, *Digital Audio Resampling*, for the method; the windows are Kaiser's. Cutoffs and windows were
//! chosen by measuring sines at −7 and +7 semitones and the fold of 15 kHz at +11: the widest passband, then the
//! steepest window, that keeps all of them a few decibels better than asked for.

mod design;

use std::sync::OnceLock;

use crate::config::Interpolation;
use crate::rt::position::PositionStep;
use design::{FilterDesign, rounded};

/// Taps whose coefficients lie together: what a vector of 16 bits holds.
pub(super) const CHUNK: usize = 8;

/// Between two frames there are 128 phases; fewer where an interpreter checks every instruction.
pub(super) const PHASE_BITS: u32 = if cfg!(miri) { 2 } else { 7 };
const PHASES: usize = 1 << PHASE_BITS;

/// Tables to an octave.
const TO_AN_OCTAVE: usize = 6;
const NUMBERS: usize = 2 * TO_AN_OCTAVE + 1;

/// Taps of a sinc at the recording's own pitch and below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taps {
    Eight,
    Sixteen,
    ThirtyTwo,
}

impl Taps {
    /// Returns how many an interpolation has, if it is by a sinc.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn of(interpolation: Interpolation) -> Option<Self> {
        match interpolation {
            Interpolation::Nearest | Interpolation::Linear | Interpolation::Cubic => None,
            Interpolation::Sinc8 => Some(Self::Eight),
            Interpolation::Sinc16 => Some(Self::Sixteen),
            Interpolation::Sinc32 => Some(Self::ThirtyTwo),
        }
    }

    /// Returns how many; the cutoff as part of half the recording's rate; the shape of Kaiser's window.
    const fn design(self) -> (usize, f64, f64) {
        match self {
            Self::Eight => (8, 0.98, 5.5),
            Self::Sixteen => (16, 0.94, 8.0),
            Self::ThirtyTwo => (32, 0.97, 11.0),
        }
    }
}

/// Returns which table is for a step.
///
/// # Real-time
/// Safe.
pub(super) fn number(step: PositionStep) -> usize {
    // 2^32 times the powers of the sixth root of 2.
    const LIMITS: [u64; NUMBERS - 1] = [
        4_294_967_296,
        4_820_937_788,
        5_411_319_705,
        6_074_001_000,
        6_817_835_604,
        7_652_761_717,
        8_589_934_592,
        9_641_875_577,
        10_822_639_410,
        12_148_002_000,
        13_635_671_208,
        15_305_523_434,
    ];
    LIMITS.iter().take_while(|limit| step.get() > **limit).count()
}

/// The tables of every number of taps that was asked for. Made once for the whole process, and never freed.
pub(crate) struct SincTables {
    eight: OnceLock<Tones>,
    sixteen: OnceLock<Tones>,
    thirty_two: OnceLock<Tones>,
}

/// The tables of one number of taps.
struct Tones {
    /// Where 16 bits are enough.
    short: Option<[SincTable<i16>; NUMBERS]>,
    fine: [SincTable<f32>; NUMBERS],
}

/// The coefficients of one filter.
pub(super) struct SincTable<T> {
    /// Chunks of a row.
    width: usize,
    /// A row for each phase.
    rows: Box<[CoefficientChunk<T>]>,
}

/// Eight taps; as long as a vector register or two, and never across more cache lines than it has to be.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct CoefficientChunk<T> {
    pub(super) coefficients: [T; CHUNK],
    /// To those of the next phase.
    pub(super) differences: [T; CHUNK],
}

/// All there are; what is to be played was [prepared](SincTables::prepare).
pub(super) static TABLES: SincTables =
    SincTables { eight: OnceLock::new(), sixteen: OnceLock::new(), thirty_two: OnceLock::new() };

impl SincTables {
    /// Makes the tables that an interpolation needs, if there are none yet.
    ///
    /// # Real-time
    /// Never: waits for them to be made.
    pub(crate) fn prepare(interpolation: Interpolation) {
        if let Some(taps) = Taps::of(interpolation) {
            TABLES.tones(taps).get_or_init(|| Tones::new(taps, taps != Taps::ThirtyTwo));
        }
    }

    const fn tones(&self, taps: Taps) -> &OnceLock<Tones> {
        match taps {
            Taps::Eight => &self.eight,
            Taps::Sixteen => &self.sixteen,
            Taps::ThirtyTwo => &self.thirty_two,
        }
    }

    /// Returns the table for 16-bit recordings, where 16 bits are enough.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn short(&self, taps: Taps, number: usize) -> Option<&SincTable<i16>> {
        self.tones(taps).get()?.short.as_ref()?.get(number)
    }

    /// # Real-time
    /// Safe.
    pub(super) fn fine(&self, taps: Taps, number: usize) -> Option<&SincTable<f32>> {
        self.tones(taps).get()?.fine.get(number)
    }
}

impl<T> SincTable<T> {
    /// Returns the number of chunks of a row.
    #[cfg(vectors)]
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    #[cfg(vectors)]
    pub(super) const fn rows(&self) -> &[CoefficientChunk<T>] {
        &self.rows
    }

    /// Returns the number of taps before the frame at or before a position; after it there is one more.
    pub(super) const fn before(&self) -> usize {
        self.width * (CHUNK / 2) - 1
    }

    /// Returns the coefficients for a fraction in 2^-32.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn row(&self, fraction: u32) -> &[CoefficientChunk<T>] {
        let phase = (fraction >> (u32::BITS - PHASE_BITS)) as usize;
        self.rows.get(phase * self.width..(phase + 1) * self.width).unwrap_or_default()
    }

    /// Returns the frames of a plane that the taps of a position lie on.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn window<'a, V>(&self, plane: &'a [V], index: usize) -> Option<&'a [V]> {
        let first = index.checked_sub(self.before())?;
        plane.get(first..first + self.width * CHUNK)
    }
}

impl Tones {
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    fn new(taps: Taps, short: bool) -> Self {
        let filters: [FilterDesign; NUMBERS] = std::array::from_fn(|number| {
            let ratio = (number as f64 / TO_AN_OCTAVE as f64).exp2();
            FilterDesign::new(taps, ratio)
        });
        let to_float = |row: &[f64]| row.iter().map(|&value| value as f32).collect();
        Self {
            short: short.then(|| filters.each_ref().map(|filter| filter.table(rounded))),
            fine: filters.each_ref().map(|filter| filter.table(to_float)),
        }
    }
}
