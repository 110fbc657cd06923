/// The count of ticks after which a sample begins again. Each tracker counts in another way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Retrigger {
    count: u8,
}

impl Retrigger {
    /// Begins to count anew.
    pub(crate) const fn restart(&mut self) {
        self.count = 0;
    }

    /// Counts a tick as Scream Tracker 3; returns whether the sample begins again: n, 2 n, 3 n ticks after the note.
    /// The count goes on from row to row, and the tick that is due is the first of the next count.
    pub(crate) const fn scream_tracker(&mut self, every: u8) -> bool {
        let is_due = every > 0 && self.count >= every;
        self.count = if is_due { 1 } else { self.count.saturating_add(1) };
        is_due
    }

    /// Counts a tick as `FastTracker` 2; returns whether the sample begins again: every nth tick that has the effect.
    pub(crate) const fn fast_tracker(&mut self, every: u8) -> bool {
        self.count += 1;
        let is_due = self.count >= every;
        if is_due {
            self.count = 0;
        }
        is_due
    }

    /// Counts a tick as `ModPlug` Tracker, which in an IT counts like Impulse Tracker, but waits in the first tick of a
    /// row that `resumes` without a note.
    pub(crate) const fn modplug(&mut self, every: u8, begins: bool, resumes: bool) -> bool {
        if resumes && self.count == 0 {
            self.count = every;
            return false;
        }
        self.impulse_tracker(every, begins)
    }

    /// Counts a tick as Impulse Tracker; returns whether the sample begins again: n ticks after the note of the row.
    /// Without one the count of a row before goes on.
    pub(crate) const fn impulse_tracker(&mut self, every: u8, begins: bool) -> bool {
        self.count = if begins { every } else { self.count.saturating_sub(1) };
        let is_due = self.count == 0;
        if is_due {
            self.count = every;
        }
        is_due && !begins
    }
}

/// Returns a volume after a retrigger that changes it, 0..=64.
pub(crate) fn retriggered_volume(volume: i32, change: u8) -> i32 {
    let changed = match change & 15 {
        by @ 1..=5 => volume - (1 << (by - 1)),
        6 => volume * 2 / 3,
        7 => volume / 2,
        by @ 9..=13 => volume + (1 << (by - 9)),
        14 => volume * 3 / 2,
        15 => volume * 2,
        _ => volume,
    };
    changed.clamp(0, 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the ticks of the first nine in which a sample begins again.
    fn due(mut step: impl FnMut(&mut Retrigger, u8) -> bool) -> Vec<u8> {
        let mut retrigger = Retrigger::default();
        (0..9).filter(|tick| step(&mut retrigger, *tick)).collect()
    }

    #[test]
    fn every_third_tick_is_another_one_in_each_tracker() {
        assert_eq!(due(|retrigger, _| retrigger.scream_tracker(3)), [3, 6]);
        assert_eq!(due(|retrigger, _| retrigger.fast_tracker(3)), [2, 5, 8]);
        assert_eq!(due(|retrigger, tick| retrigger.impulse_tracker(3, tick == 0)), [3, 6]);
        assert_eq!(due(|retrigger, _| retrigger.impulse_tracker(3, false)), [0, 3, 6]);
    }
}
