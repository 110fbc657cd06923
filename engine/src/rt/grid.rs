//! The control grid: cells of 64 frames, aligned to the engine's absolute time.
//!
//! ```text
//! time     0        64       128      192      256
//! grid     ├────────┼────────┼────────┼────────┼───
//! block       ├─────────────────┤                       as a device asks for it
//! cells       ├─────┼────────┼──┤                       what a voice renders in one go
//! ```
//!
//! What holds for a while (the kernel of a voice, how many orders are carried out) is decided anew where a cell begins,
//! or at the frame of a command; never where a block begins. So the decision does not depend on how a device cuts its
//! blocks, and a block that begins within a cell decides what the one before it did.

/// Frames of a cell.
const CELL: usize = 64;

/// The number of the cell a frame lies in.
///
/// # Real-time
/// Safe.
pub(crate) const fn cell_of(frame: u64) -> u64 {
    frame / CELL as u64
}

/// Frames from this one to the end of its cell, itself included: 1..=64.
///
/// # Real-time
/// Safe.
pub(crate) const fn rest_of_cell(frame: u64) -> usize {
    CELL - (frame % CELL as u64) as usize
}

/// Both sides of the bus, cut where cells end. Their first value is that of the frame `now`.
///
/// # Real-time
/// Safe.
pub(crate) fn cells<'b>(
    now: u64,
    left: &'b mut [f32],
    right: &'b mut [f32],
) -> impl Iterator<Item = (&'b mut [f32], &'b mut [f32])> {
    cut(now, left).zip(cut(now, right))
}

fn cut(now: u64, side: &mut [f32]) -> impl Iterator<Item = &mut [f32]> {
    let (first, others) = side.split_at_mut(rest_of_cell(now).min(side.len()));
    std::iter::once(first).chain(others.chunks_mut(CELL))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(now: u64, frames: usize) -> Vec<usize> {
        let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
        cells(now, &mut left, &mut right)
            .map(|(left, right)| {
                assert_eq!(left.len(), right.len());
                left.len()
            })
            .collect()
    }

    #[test]
    fn a_block_is_cut_where_cells_end_wherever_it_begins() {
        assert_eq!(lengths(0, 200), [64, 64, 64, 8]);
        assert_eq!(lengths(100, 200), [28, 64, 64, 44]);
        assert_eq!(lengths(127, 1), [1]);
        assert_eq!(lengths(10, 20), [20]);
    }

    #[test]
    fn a_cell_ends_before_the_next_begins() {
        for frame in [0, 1, 63, 64, 1000, u64::MAX - 64] {
            let rest = rest_of_cell(frame) as u64;
            assert_eq!(cell_of(frame + rest - 1), cell_of(frame));
            assert_eq!(cell_of(frame + rest), cell_of(frame) + 1);
        }
    }
}
