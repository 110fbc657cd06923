use crate::replay::nibbles::nibbles;

/// A note and two others above it in turn: the parameter xy adds 0, x and y semitones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arpeggio {
    second: u8,
    third: u8,
}

/// Steps of `FastTracker` 2 by the ticks that are left of a row.
const STEPS: [u8; 16] = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0];

impl Arpeggio {
    pub(crate) const fn new(parameter: u8) -> Self {
        let (second, third) = nibbles(parameter);
        Self { second, third }
    }

    /// Returns the semitones above the note in a tick of the row, none for the note itself: step tick mod 3.
    pub(crate) const fn at(self, tick: u32) -> Option<u8> {
        match tick % 3 {
            0 => None,
            1 => Some(self.second),
            _ => Some(self.third),
        }
    }

    /// Returns the semitones by the ticks that are `left` of the row, as `FastTracker` 2 counts.
    ///
    /// It reads beyond its table of 16 steps: a zero, and then numbers that are greater than any step.
    pub(crate) fn at_left(self, left: u32) -> Option<u8> {
        let index = usize::try_from(left).unwrap_or(usize::MAX);
        match STEPS.get(index).copied().unwrap_or(if index == 16 { 0 } else { 2 }) {
            0 => None,
            1 => Some(self.second),
            _ => Some(self.third),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_tracker_counts_backwards_and_beyond_its_table() {
        let arpeggio = Arpeggio::new(0x47);
        assert_eq!([0, 1, 2, 3].map(|tick| arpeggio.at(tick)), [None, Some(4), Some(7), None]);
        let left = [6, 5, 4, 3, 2, 1].map(|left| arpeggio.at_left(left));
        assert_eq!(left, [None, Some(7), Some(4), None, Some(7), Some(4)]);
        assert_eq!([15, 16, 17].map(|left| arpeggio.at_left(left)), [None, None, Some(7)]);
    }
}
