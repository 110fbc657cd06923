//! From frames of a recording to frames of the output: interpolation, gain, and adding to the bus.
//!
//! ```text
//! plane   ·····xxxxxxxxxxxxxxxxxxxxxxx·····      padded: no kernel meets an end or a loop
//! run            │   │   │   │   │   │           positions in it, a step apart
//! values         v   v   v   v   v   v           found between the frames around each position
//! bus           += v × gain, on the left and on the right
//! ```
//!
//! Each way to find a value is defined once, one frame at a time, in [`nearest`], [`linear`], [`cubic`] and [`sinc`].
//! [`simd`] does the same several frames at a time, where the processor can. Kernels work in the recording's own unit
//! (for 16 bits the integers), and the gain carries the factor to full scale, a power of two.

#[cfg(feature = "bench")]
pub mod bench;
mod cubic;
mod interpolator;
mod linear;
mod nearest;
mod scalar;
pub(crate) mod simd;
mod sinc;
pub(in crate::rt) mod svf;
mod table;
mod widen;

use crate::bank::{Channels, GUARD, Padded};
use crate::config::Interpolation;
use crate::rt::position::{Plane, PositionStep, Run};
use crate::rt::ramp::LinearRamp;
use simd::SimdLevel;
use svf::{FilterLanes, LANES};
use table::{SincTables, TABLES, Taps};

/// A value as it was recorded.
trait RecordedValue: Copy + simd::SimdValue {
    /// What one unit is of full scale.
    const UNIT: f32;

    /// In units; exact.
    fn units(self) -> f32;
}

impl RecordedValue for i16 {
    const UNIT: f32 = 1.0 / 32768.0;

    fn units(self) -> f32 {
        f32::from(self)
    }
}

impl RecordedValue for f32 {
    const UNIT: f32 = 1.0;

    fn units(self) -> f32 {
        self
    }
}

/// The gains of a voice along a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    pub(crate) left: LinearRamp,
    pub(crate) right: LinearRamp,
}

impl Gain {
    /// Returns one that stays, the same on both sides.
    #[cfg(vectors)]
    const fn level(gain: f32) -> Self {
        Self { left: LinearRamp::level(gain), right: LinearRamp::level(gain) }
    }

    /// Returns the gains of both sides along an envelope, unless they rise or fall as well as it does.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn along(left: LinearRamp, right: LinearRamp, envelope: LinearRamp) -> Option<Self> {
        Some(Self { left: left.times(envelope)?, right: right.times(envelope)? })
    }

    /// # Real-time
    /// Safe.
    #[cfg(vectors)]
    const fn is_level(&self) -> bool {
        self.left.slope == 0.0 && self.right.slope == 0.0
    }
}

/// What becomes of the values that a kernel finds.
#[derive(Clone, Copy, Debug)]
enum Output {
    /// They are added to both sides of the bus, at gains that have the unit of the recording in them.
    Mixed(Gain),
    /// They take the place of what was there, times the unit of the recording: of one plane on the left only.
    Alone(f32),
}

/// What a kernel is to do: read positions of one or two planes, and add what it finds to both sides of the bus, or
/// write it there.
struct Task<'a, V, const C: usize> {
    planes: [&'a [V]; C],
    /// The first position, as 32.32 fixed point.
    from: u64,
    /// From one position to the next.
    step: u64,
    output: Output,
    /// As many frames as there are positions.
    left: &'a mut [f32],
    right: &'a mut [f32],
}

/// Which kernel a voice is rendered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KernelKind {
    Few(ShortKernel),
    /// How many taps at the recording's own pitch, and which table.
    Sinc(Taps, usize),
}

/// A kernel of a few neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShortKernel {
    /// Every position is a frame, and the next is the next one: nothing is to be found in between.
    Copy,
    Nearest,
    Linear,
    Cubic,
}

impl KernelKind {
    /// Returns the one position where a kernel is chosen; whatever that depends on is asked for here. `on_frame` says
    /// whether the voice stands on a frame and not between two.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn of(interpolation: Interpolation, step: PositionStep, on_frame: bool) -> Self {
        let sinc = |taps| Self::Sinc(taps, table::number(step));
        match interpolation {
            _ if on_frame && step == PositionStep::ONE => Self::Few(ShortKernel::Copy),
            Interpolation::Nearest => Self::Few(ShortKernel::Nearest),
            Interpolation::Linear => Self::Few(ShortKernel::Linear),
            Interpolation::Cubic => Self::Few(ShortKernel::Cubic),
            Interpolation::Sinc8 => sinc(Taps::Eight),
            Interpolation::Sinc16 => sinc(Taps::Sixteen),
            Interpolation::Sinc32 => sinc(Taps::ThirtyTwo),
        }
    }

    /// Returns the number of frames before the one at or before a position that are heard there, at most.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn looks_back(self) -> u32 {
        match self {
            Self::Few(ShortKernel::Copy | ShortKernel::Nearest | ShortKernel::Linear) => 0,
            Self::Few(ShortKernel::Cubic) => 1,
            Self::Sinc(..) => GUARD as u32,
        }
    }
}

/// All kernels, in the form that is best here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernels {
    level: SimdLevel,
}

impl Kernels {
    /// # Real-time
    /// Never: waits for what an interpolation needs to be made. Another has to be [prepared](Self::prepare).
    pub(crate) fn new(interpolation: Interpolation) -> Self {
        Self::prepare(interpolation);
        Self { level: SimdLevel::best() }
    }

    /// Returns the fastest form; what an interpolation needs may not have been made.
    #[cfg(test)]
    pub(in crate::rt) fn best() -> Self {
        Self { level: SimdLevel::best() }
    }

    /// Makes what an interpolation needs; a voice is silent if that was not done.
    ///
    /// # Real-time
    /// Never: waits for it to be made.
    pub(crate) fn prepare(interpolation: Interpolation) {
        SincTables::prepare(interpolation);
    }

    /// Adds a run to the bus: `left` and `right` are as long as the run.
    ///
    /// # Real-time
    /// Safe.
    #[expect(clippy::too_many_arguments, reason = "all of them differ from call to call")]
    pub(crate) fn mix(
        self,
        choice: KernelKind,
        planes: &Padded,
        run: Run,
        step: PositionStep,
        gain: Gain,
        left: &mut [f32],
        right: &mut [f32],
    ) {
        let mixed =
            |unit| Output::Mixed(Gain { left: gain.left.scaled(unit), right: gain.right.scaled(unit) });
        self.run(choice, planes, run, step, mixed, [left, right]);
    }

    /// Writes a run as it was recorded, of a mono recording on the left only; the sides are as long as the run.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn write(
        self,
        choice: KernelKind,
        planes: &Padded,
        run: Run,
        step: PositionStep,
        sides: [&mut [f32]; 2],
    ) {
        self.run(choice, planes, run, step, Output::Alone, sides);
    }

    /// Renders a run; `output` is given the unit of the recording. Inlined, as it is between a voice and its kernel.
    #[inline(always)]
    fn run(
        self,
        choice: KernelKind,
        planes: &Padded,
        run: Run,
        step: PositionStep,
        output: impl FnOnce(f32) -> Output,
        sides: [&mut [f32]; 2],
    ) {
        match planes {
            Padded::I16(Channels::Mono(one)) => {
                self.short(choice, Task::new([run.plane.of(one)], run, step, output(i16::UNIT), sides));
            }
            Padded::I16(Channels::Stereo(one, two)) => {
                let planes = [run.plane.of(one), run.plane.of(two)];
                self.short(choice, Task::new(planes, run, step, output(i16::UNIT), sides));
            }
            Padded::F32(Channels::Mono(one)) => {
                self.float(choice, Task::new([run.plane.of(one)], run, step, output(f32::UNIT), sides));
            }
            Padded::F32(Channels::Stereo(one, two)) => {
                let planes = [run.plane.of(one), run.plane.of(two)];
                self.float(choice, Task::new(planes, run, step, output(f32::UNIT), sides));
            }
        }
    }

    /// Filters so many frames of each row in their place, from one on, by one or two stages. A row has room for a
    /// vector after them.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn filter(
        self,
        stages: usize,
        lanes: &mut FilterLanes,
        rows: [&mut [f32]; LANES],
        from: usize,
        frames: usize,
    ) {
        simd::filter(self.level, stages, lanes, rows, from, frames);
    }

    /// Adds frames to both sides of the bus, as loud as the products of the sides' lines and another.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn add(
        self,
        from: [&[f32]; 2],
        to: [&mut [f32]; 2],
        gains: [LinearRamp; 2],
        line: LinearRamp,
    ) {
        simd::add(self.level, from, to, gains, line);
    }

    /// 16-bit recordings have filters of their own, where 16 bits are enough.
    fn short<const C: usize>(self, choice: KernelKind, task: Task<'_, i16, C>) {
        let level = self.level;
        match choice {
            KernelKind::Few(few) => simd::few(level, few, task),
            KernelKind::Sinc(taps, number) => {
                if let Some(table) = TABLES.short(taps, number) {
                    simd::short(level, table, task);
                } else if let Some(table) = TABLES.fine(taps, number) {
                    widen::widened(task, table, |task| simd::fine(level, table, task));
                }
            }
        }
    }

    fn float<const C: usize>(self, choice: KernelKind, task: Task<'_, f32, C>) {
        match choice {
            KernelKind::Few(few) => simd::few(self.level, few, task),
            KernelKind::Sinc(taps, number) => {
                if let Some(table) = TABLES.fine(taps, number) {
                    simd::fine(self.level, table, task);
                }
            }
        }
    }
}

/// Asks memory for the frames from an index on, on each channel.
///
/// # Real-time
/// Safe.
pub(crate) fn prefetch(planes: &Padded, plane: Plane, index: usize, frames: usize) {
    match planes {
        Padded::I16(Channels::Mono(one)) => simd::prefetch(plane.of(one), index, frames),
        Padded::I16(Channels::Stereo(one, two)) => {
            simd::prefetch(plane.of(one), index, frames);
            simd::prefetch(plane.of(two), index, frames);
        }
        Padded::F32(Channels::Mono(one)) => simd::prefetch(plane.of(one), index, frames),
        Padded::F32(Channels::Stereo(one, two)) => {
            simd::prefetch(plane.of(one), index, frames);
            simd::prefetch(plane.of(two), index, frames);
        }
    }
}

impl<'a, V, const C: usize> Task<'a, V, C> {
    fn new(
        planes: [&'a [V]; C],
        run: Run,
        step: PositionStep,
        output: Output,
        [left, right]: [&'a mut [f32]; 2],
    ) -> Self {
        Self { planes, from: run.from, step: step.get(), output, left, right }
    }
}

#[cfg(test)]
mod tests;
