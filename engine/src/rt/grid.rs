//! The control grid: cells of 64 frames, aligned to the engine's absolute time.
//!
//! ```text
//! time     0        64       128      192      256
//! grid     ├────────┼────────┼────────┼────────┼───
//! choices  │ linear │ linear │ cubic  │ cubic  │
//! block       ├───────────────────┤                     as a device asks for it
//! stretches   ├──────────────┼────┤                     what a voice renders in one go
//! ```
//!
//! What holds for a while (the kernel of a voice, how many orders are carried out) is decided anew where a cell begins,
//! or at the frame of a command; never where a block begins. So the decision does not depend on how a device cuts its
//! blocks: one that begins within a cell decides what the one before it did.

/// Frames of a cell.
pub(crate) const CELL: usize = 64;

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

/// What the cell of the frame `now` chooses, and for how many frames from there on, at most `most`, all cells choose
/// the same. `choice` is asked by the number of the cell.
///
/// Cells that choose alike are rendered in one go: to begin anew with each would cost a tenth of the fastest kernels.
///
/// # Real-time
/// Safe.
pub(crate) fn stretch<C: PartialEq>(now: u64, most: usize, choice: impl Fn(u64) -> C) -> (C, usize) {
    let first = choice(cell_of(now));
    let mut frames = rest_of_cell(now);
    while frames < most && choice(cell_of(now + frames as u64)) == first {
        frames += CELL;
    }
    (first, frames.min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_ends_before_the_next_begins() {
        for frame in [0, 1, 63, 64, 1000, u64::MAX - 64] {
            let rest = rest_of_cell(frame) as u64;
            assert_eq!(cell_of(frame + rest - 1), cell_of(frame));
            assert_eq!(cell_of(frame + rest), cell_of(frame) + 1);
        }
    }

    /// The choice of each frame, rendered in blocks of some length.
    fn choices(block: usize) -> Vec<u64> {
        let mut chosen = Vec::new();
        while chosen.len() < 1000 {
            let end = chosen.len() + block;
            while chosen.len() < end {
                // Cells 0..3 choose alike, 3..6, and so on.
                let (choice, frames) = stretch(chosen.len() as u64, end - chosen.len(), |cell| cell / 3);
                chosen.extend(std::iter::repeat_n(choice, frames));
            }
        }
        chosen.truncate(1000);
        chosen
    }

    #[test]
    fn every_frame_has_the_choice_of_its_cell_however_blocks_are_cut() {
        let expected: Vec<u64> = (0..1000).map(|frame| frame / 192).collect();
        for block in [1, 7, 64, 100, 256, 1000] {
            assert_eq!(choices(block), expected, "blocks of {block}");
        }
    }

    #[test]
    fn cells_that_choose_alike_are_one_stretch() {
        assert_eq!(stretch(100, 256, |_| 'a'), ('a', 256));
        assert_eq!(stretch(100, 256, |cell| cell), (1, 28));
        assert_eq!(stretch(100, 5, |cell| cell), (1, 5));
    }
}
