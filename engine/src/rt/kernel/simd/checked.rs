use super::super::table::SincTable;
use super::super::{Output, Task};

/// A task whose planes hold every frame that will be read.
pub(super) struct CheckedTask<'a, V, const C: usize> {
    /// The farthest neighbour before the first position.
    pub(super) planes: [*const V; C],
    /// Fraction of the first position, in 2^-32 frames.
    pub(super) fraction: u32,
    pub(super) step: u64,
    pub(super) output: Output,
    pub(super) left: &'a mut [f32],
    pub(super) right: &'a mut [f32],
}

impl<'a, V, const C: usize> CheckedTask<'a, V, C> {
    /// Checks a task for a sinc: each position needs as many frames around it as the table has taps.
    pub(super) fn around<T>(task: Task<'a, V, C>, table: &SincTable<T>) -> Option<Self> {
        Self::new(task, table.before(), table.before() + 1)
    }

    /// Checks that each position has `before` frames before it and `after` after it. If not, which runs never ask for,
    /// the task is dropped and nothing is heard.
    pub(super) fn new(task: Task<'a, V, C>, before: usize, after: usize) -> Option<Self> {
        let Task { planes, from, step, output, left, right } = task;
        let frames = left.len();
        let last = from.checked_add(step.checked_mul(frames.checked_sub(1)? as u64)?)?;
        // Positions ascend, so what holds for the first and the last holds for all.
        let first = usize::try_from(from >> 32).ok()?.checked_sub(before)?;
        let end = usize::try_from(last >> 32).ok()?.checked_add(after)?;
        let fits = planes.iter().all(|plane| end < plane.len()) && frames == right.len();
        // Vectors count frames from the first position with 32 bits.
        let is_near = (last >> 32) - (from >> 32) < 1 << 30;
        // SAFETY: `first` is at most `end`, which lies within each plane.
        let planes = (fits && is_near).then(|| planes.map(|plane| unsafe { plane.as_ptr().add(first) }))?;
        Some(Self { planes, fraction: from as u32, step, output, left, right })
    }
}
