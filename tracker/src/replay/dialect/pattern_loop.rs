/// Where a pattern loop begins, and how often it is still to be played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PatternLoop {
    pub(crate) start: usize,
    /// Repetitions left; 0 while it is not active.
    pub(crate) left: u32,
    /// As many before this row.
    before: u32,
}

impl PatternLoop {
    /// Begins a loop at a row if `times` is 0, else ends it there, unless another one is active that leaves no room.
    /// Returns the row to go back to, if it goes on.
    pub(crate) const fn play(&mut self, row: usize, times: u32, is_other_active: bool) -> Option<usize> {
        if times == 0 {
            self.start = row;
            return None;
        }
        if self.left == 0 && is_other_active {
            return None;
        }
        self.turn(times)
    }

    /// Ends a loop at a row; returns the row to go back to, if it goes on. `times` are its repetitions.
    pub(crate) const fn turn(&mut self, times: u32) -> Option<usize> {
        if self.left == 0 {
            self.left = times;
        } else {
            self.left -= 1;
        }
        if self.left > 0 { Some(self.start) } else { None }
    }

    /// Keeps what the rows so far made of it: [`undo`](Self::undo) goes back to here.
    pub(crate) const fn settle(&mut self) {
        self.before = self.left;
    }

    /// Takes back what this row made of it.
    pub(crate) const fn undo(&mut self) {
        self.left = self.before;
    }

    /// Returns a number for how far it is, to be added to those of others; 0 unless it is active.
    pub(crate) const fn state(&self, channel: usize) -> u64 {
        if self.left == 0 {
            return 0;
        }
        (self.left as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left((channel % 64) as u32)
    }
}
