//! The control grid: cells of 64 frames, aligned to the engine's absolute time.
//!
//! ```text
//! time     0        64       128      192      256
//! grid     ├────────┼────────┼────────┼────────┼───
//! block       ├───────────────────┤                     as a device asks for it
//! ```
//!
//! What holds for a while is decided anew where a cell begins, or at the frame of a command; never where a block
//! begins. So no decision depends on how a device cuts its blocks: one that begins within a cell finds what the one
//! before it decided.

/// Frames of a cell.
pub(crate) const CELL: usize = 64;

/// Returns the number of the cell a frame lies in.
///
/// # Real-time
/// Safe.
pub(crate) const fn cell_of(frame: u64) -> u64 {
    frame / CELL as u64
}

/// Returns the number of frames from this one to the end of its cell, itself included: 1..=64.
///
/// # Real-time
/// Safe.
pub(crate) const fn rest_of_cell(frame: u64) -> usize {
    CELL - (frame % CELL as u64) as usize
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
}
