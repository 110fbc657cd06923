//! 16-bit frames as floats, for filters that want floats.
//!
//! ```text
//! plane    ·····xxxxxxxxxxxxxxxxxxx·····     16 bits
//!             ├────────────────┤             what some positions of a run and their taps lie on
//! floats       xxxxxxxxxxxxxxxx              widened once, and read by each position whose taps reach them
//! ```

use super::table::SincTable;
use super::{Output, Task};

/// Frames that are widened in one go: few enough for the nearest cache, many enough for six positions at the fastest
/// step and the longest filter.
const ROOM: usize = 512;

/// Hands on a task in parts whose frames are floats. A float holds 16 bits exactly, so it does not matter where parts
/// begin. If the planes do not reach so far, which runs never ask for, nothing is handed on.
///
/// # Real-time
/// Safe.
pub(super) fn widened<const C: usize>(
    task: Task<'_, i16, C>,
    table: &SincTable<f32>,
    mut each: impl FnMut(Task<'_, f32, C>),
) {
    let Task { planes, mut from, step, output, mut left, mut right } = task;
    let before = table.before();
    let taps = 2 * (before + 1);
    let most = (ROOM.saturating_sub(taps + 1) as u64) << 32;
    let most = usize::try_from(most / step.max(1) + 1).unwrap_or(usize::MAX);
    let mut room = [[0.0; ROOM]; C];
    let mut output = output;
    while !left.is_empty() {
        let frames = most.min(left.len());
        let (Some((now_left, then_left)), Some((now_right, then_right))) =
            (left.split_at_mut_checked(frames), right.split_at_mut_checked(frames))
        else {
            return;
        };
        let fraction = from & 0xffff_ffff;
        let span = ((fraction + step * (frames as u64 - 1)) >> 32) as usize + taps;
        let Some(first) = ((from >> 32) as usize).checked_sub(before) else { return };
        for (room, plane) in room.iter_mut().zip(planes) {
            let frames = first.checked_add(span).and_then(|end| plane.get(first..end));
            let (Some(room), Some(frames)) = (room.get_mut(..span), frames) else { return };
            room.iter_mut().zip(frames).for_each(|(wide, &frame)| *wide = f32::from(frame));
        }
        each(Task {
            planes: room.each_ref().map(|room| room.get(..span).unwrap_or_default()),
            from: (before as u64) << 32 | fraction,
            step,
            output,
            left: now_left,
            right: now_right,
        });
        from = from.wrapping_add(step * frames as u64);
        if let Output::Mixed(gain) = &mut output {
            gain.left.at += frames as u32;
            gain.right.at += frames as u32;
        }
        (left, right) = (then_left, then_right);
    }
}
