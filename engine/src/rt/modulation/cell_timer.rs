use crate::rt::grid::CELL;

/// Counts the frames of a voice from one step of something that moves to the next: a cell, from the frame that it began
/// at, however blocks are cut.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellTimer {
    /// Frames until the next step; 0 where it is due, or none is to come.
    rest: u32,
    is_due: bool,
}

impl CellTimer {
    /// Lets a step be due after a cell.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn wait() -> Self {
        Self { rest: CELL as u32, is_due: false }
    }

    /// Lets a step be due at the present frame, unless one is to come.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn hurry(&mut self) {
        self.is_due |= self.rest == 0;
    }

    /// Returns the number of frames until a step, at most `most`.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn segment(&self, most: usize) -> usize {
        if self.rest == 0 { most } else { most.min(self.rest as usize) }
    }

    /// Goes on by some frames, no more than [`segment`](Self::segment).
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn advance(&mut self, frames: usize) {
        if self.rest > 0 {
            self.rest = self.rest.saturating_sub(frames as u32);
            self.is_due = self.rest == 0;
        }
    }

    /// Returns whether a step is due at the present frame; it is not any more then.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn take(&mut self) -> bool {
        let is_due = self.is_due;
        self.is_due = false;
        is_due
    }
}
