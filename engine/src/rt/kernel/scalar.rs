//! One frame at a time: what every other form is held to, and what runs where there is none.

use super::cubic::Cubic;
use super::interpolator::Interpolator;
use super::linear::Linear;
use super::nearest::Nearest;
use super::sinc::{SincF32, SincI16};
use super::table::SincTable;
use super::{RecordedValue, ShortKernel, Task};
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
    let Task { planes, from: position, step, gain, left, right } = task;
    let frames = left.iter_mut().zip(right).zip(RunPositions { at: position, step });
    let values = |(index, fraction)| planes.map(|plane| kernel.at(plane, index, fraction));
    let level = |ramp: LinearRamp, frame| ramp.from + ramp.slope * (ramp.at + frame) as f32;
    for (((left, right), position), frame) in frames.zip(0..) {
        let values = values(position);
        *left += first(&values) * level(gain.left, frame);
        *right += last(&values) * level(gain.right, frame);
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
