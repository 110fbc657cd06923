/// Sound and silence that take turns.
///
/// Of every `on + off` ticks the first `on` sound. Of the parameter xy, Scream Tracker 3 and `FastTracker` 2 make x + 1
/// and y + 1 ticks; Impulse Tracker makes x and y, at least one, and with old effects one more.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tremor {
    is_on: bool,
    /// Ticks that are left of this turn.
    left: u8,
}

impl Tremor {
    /// Goes on by a tick, with turns of at least one tick; returns whether it sounds.
    pub(crate) const fn step(&mut self, on: u8, off: u8) -> bool {
        if self.left == 0 {
            self.is_on = !self.is_on;
            self.left = if self.is_on { on } else { off };
        }
        self.left -= 1;
        self.is_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_ticks_of_sound_and_one_of_silence_take_turns() {
        let mut tremor = Tremor::default();
        let heard: Vec<bool> = (0..7).map(|_| tremor.step(2, 1)).collect();
        assert_eq!(heard, [true, true, false, true, true, false, true]);
    }
}
