//! One frame at a time: what every other form is held to, and what runs where there is none.

use super::cubic::Cubic;
use super::interpolator::Interpolator;
use super::linear::Linear;
use super::nearest::Nearest;
use super::sinc::{SincF32, SincI16};
use super::table::SincTable;
use super::{Output, RecordedValue, ShortKernel, Task};
use crate::rt::ramp::LinearRamp;

pub(super) fn few<V: RecordedValue, const C: usize>(few: ShortKernel, task: Task<'_, V, C>) {
    match few {
        ShortKernel::Copy | ShortKernel::Nearest => add(&Nearest, task),
        ShortKernel::Linear => add(&Linear, task),
        ShortKernel::Cubic => add(&Cubic, task),
    }
}

pub(super) fn fine<const C: usize>(table: &SincTable<f32>, task: Task<'_, f32, C>) {
    add(&SincF32(table), task);
}

pub(super) fn short<const C: usize>(table: &SincTable<i16>, task: Task<'_, i16, C>) {
    add(&SincI16(table), task);
}

fn add<K: Interpolator<V>, V, const C: usize>(kernel: &K, task: Task<'_, V, C>) {
    let Task { planes, from: position, step, output, left, right } = task;
    let frames = left.iter_mut().zip(right).zip(RunPositions { at: position, step });
    let values = |(index, fraction)| planes.map(|plane| kernel.at(plane, index, fraction));
    let gain = match output {
        Output::Mixed(gain) => gain,
        Output::Alone(unit) => {
            for ((left, right), position) in frames {
                let values = values(position);
                *left = first(&values) * unit;
                if C > 1 {
                    *right = last(&values) * unit;
                }
            }
            return;
        }
    };
    let level = |ramp: LinearRamp, frame| ramp.from + ramp.slope * (ramp.at + frame) as f32;
    for (((left, right), position), frame) in frames.zip(0..) {
        let values = values(position);
        *left += first(&values) * level(gain.left, frame);
        *right += last(&values) * level(gain.right, frame);
    }
}

/// Adds frames to both sides, as loud as the products of the sides' lines and another. Inlined, so that it is made of
/// the caller's instructions.
#[inline(always)]
pub(super) fn add_lines(
    from: [&[f32]; 2],
    [left, right]: [&mut [f32]; 2],
    gains: [LinearRamp; 2],
    line: LinearRamp,
) {
    // Vectors count frames with a sign.
    let level = |ramp: LinearRamp, frame: i32| ramp.from + ramp.slope * (ramp.at as i32 + frame) as f32;
    let is_mono = std::ptr::eq(from[0], from[1]);
    if is_mono
        && let [Some(one), Some(two)] = gains.map(|gain| gain.times(line))
        && one.at == two.at
    {
        // As most voices are: a frame is read once for both sides, and counted once.
        for (((from, left), right), frame) in from[0].iter().zip(left).zip(right).zip(one.at as i32..) {
            let frame = frame as f32;
            *left += from * (one.from + one.slope * frame);
            *right += from * (two.from + two.slope * frame);
        }
        return;
    }
    let frames = from[0].iter().zip(from[1]).zip(left).zip(right).zip(0_i32..);
    match gains.map(|gain| gain.times(line)) {
        [Some(one), Some(two)] if one.slope == 0.0 && two.slope == 0.0 => {
            for ((((from_left, from_right), left), right), _) in frames {
                *left += from_left * one.from;
                *right += from_right * two.from;
            }
        }
        [Some(one), Some(two)] => {
            for ((((from_left, from_right), left), right), frame) in frames {
                *left += from_left * level(one, frame);
                *right += from_right * level(two, frame);
            }
        }
        _ => {
            let [one, two] = gains;
            for ((((from_left, from_right), left), right), frame) in frames {
                let level_now = level(line, frame);
                *left += from_left * level(one, frame) * level_now;
                *right += from_right * level(two, frame) * level_now;
            }
        }
    }
}

/// Returns the value on the left; a mono recording has the same on both sides.
fn first(values: &[f32]) -> f32 {
    values.first().copied().unwrap_or_default()
}

/// Returns the value on the right.
fn last(values: &[f32]) -> f32 {
    values.last().copied().unwrap_or_default()
}

/// The positions a run reads, as index and fraction; without end.
struct RunPositions {
    at: u64,
    step: u64,
}

impl Iterator for RunPositions {
    type Item = (usize, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let position = ((self.at >> 32) as usize, self.at as u32);
        self.at = self.at.wrapping_add(self.step);
        Some(position)
    }
}
