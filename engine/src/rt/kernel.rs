//! From frames of a recording to frames of the output: interpolation, gain, and adding to the bus.
//!
//! A kernel sees one padded plane and where to read it; it knows of no ends, loops or envelopes. It works in the
//! recording's own unit (for 16 bits the integers), and the gain carries the factor to full scale, a power of two.

mod cubic;
mod linear;
mod nearest;

use crate::bank::{Channels, Padded};
use crate::config::Interpolation;
use crate::rt::position::{Run, Step};
use crate::rt::ramp::Line;

/// One way to find a value between frames.
trait Kernel {
    /// The value a `fraction` (0..1) behind the frame at an index. Silence if the plane does not reach so far, which
    /// runs never ask for.
    fn at<V: Value>(plane: &[V], index: usize, fraction: f32) -> f32;
}

/// A value as it was recorded.
trait Value: Copy {
    /// What one unit is of full scale.
    const UNIT: f32;

    /// In units; exact.
    fn units(self) -> f32;
}

impl Value for i16 {
    const UNIT: f32 = 1.0 / 32768.0;

    fn units(self) -> f32 {
        f32::from(self)
    }
}

impl Value for f32 {
    const UNIT: f32 = 1.0;

    fn units(self) -> f32 {
        self
    }
}

/// The gains of a voice along a stretch of its envelope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) line: Line,
}

/// The kernel of one voice in one cell of the [grid](crate::rt::grid).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice(Interpolation);

impl Choice {
    /// The one place where a kernel is chosen; whatever that depends on is asked for here.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn of(interpolation: Interpolation) -> Self {
        Self(interpolation)
    }

    /// Adds a run to the bus: `left` and `right` are as long as the run.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn mix(
        self,
        planes: &Padded,
        run: Run,
        step: Step,
        gain: Gain,
        left: &mut [f32],
        right: &mut [f32],
    ) {
        match self.0 {
            Interpolation::Nearest => mix::<nearest::Nearest>(planes, run, step, gain, left, right),
            Interpolation::Linear => mix::<linear::Linear>(planes, run, step, gain, left, right),
            Interpolation::Cubic => mix::<cubic::Cubic>(planes, run, step, gain, left, right),
        }
    }
}

fn mix<K: Kernel>(planes: &Padded, run: Run, step: Step, gain: Gain, left: &mut [f32], right: &mut [f32]) {
    match planes {
        Padded::I16(channels) => add::<K, i16>(channels, run, step, gain, left, right),
        Padded::F32(channels) => add::<K, f32>(channels, run, step, gain, left, right),
    }
}

fn add<K: Kernel, V: Value>(
    channels: &Channels<V>,
    run: Run,
    step: Step,
    gain: Gain,
    left: &mut [f32],
    right: &mut [f32],
) {
    let Line { from, slope, at } = gain.line;
    let (to_left, to_right) = (gain.left * V::UNIT, gain.right * V::UNIT);
    let frames = left.iter_mut().zip(right);
    let places = Places { at: run.from, step: step.get() };
    match (channels, slope == 0.0) {
        (Channels::Mono(lanes), true) => {
            let plane = run.plane.of(lanes);
            let (to_left, to_right) = (to_left * from, to_right * from);
            for ((left, right), (index, fraction)) in frames.zip(places) {
                let value = K::at(plane, index, fraction);
                *left += value * to_left;
                *right += value * to_right;
            }
        }
        (Channels::Mono(lanes), false) => {
            let plane = run.plane.of(lanes);
            for (((left, right), (index, fraction)), i) in frames.zip(places).zip(at..) {
                let value = K::at(plane, index, fraction) * (from + slope * i as f32);
                *left += value * to_left;
                *right += value * to_right;
            }
        }
        (Channels::Stereo(one, two), true) => {
            let (one, two) = (run.plane.of(one), run.plane.of(two));
            let (to_left, to_right) = (to_left * from, to_right * from);
            for ((left, right), (index, fraction)) in frames.zip(places) {
                *left += K::at(one, index, fraction) * to_left;
                *right += K::at(two, index, fraction) * to_right;
            }
        }
        (Channels::Stereo(one, two), false) => {
            let (one, two) = (run.plane.of(one), run.plane.of(two));
            for (((left, right), (index, fraction)), i) in frames.zip(places).zip(at..) {
                let level = from + slope * i as f32;
                *left += K::at(one, index, fraction) * level * to_left;
                *right += K::at(two, index, fraction) * level * to_right;
            }
        }
    }
}

/// The places a run reads, as index and fraction; without end.
struct Places {
    at: u64,
    step: u64,
}

impl Iterator for Places {
    type Item = (usize, f32);

    fn next(&mut self) -> Option<Self::Item> {
        /// Of the 32 bits of the fraction a float holds the upper 24 exactly.
        const SCALE: f32 = 1.0 / (1 << 24) as f32;
        let (index, fraction) = ((self.at >> 32) as usize, (self.at as u32) >> 8);
        self.at = self.at.wrapping_add(self.step);
        Some((index, fraction as f32 * SCALE))
    }
}
