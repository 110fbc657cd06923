use std::ops::{Range, RangeInclusive};

use crate::{Invalid, Key};

/// When a zone sounds, beyond its keys and velocities. All conditions that are stated have to be met.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ZoneConditions {
    /// The part of 0..1 that the note's random number lies in: one number is drawn for all zones of a note.
    pub random: Option<Range<f32>>,
    /// Whose turn it is.
    pub sequence: Option<SequenceTurn>,
    /// The key switch that was pressed last.
    pub switch: Option<KeySwitch>,
    /// The key of the note before.
    pub previous: Option<Key>,
    /// What begins it.
    pub trigger: Trigger,
}

/// One turn of several: a zone counts the notes that meet its other conditions, and sounds one of `length`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceTurn {
    length: u32,
    position: u32,
}

/// A condition on the last pressed of the keys that switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySwitch {
    /// Keys that switch.
    pub keys: RangeInclusive<Key>,
    /// Those of them that let the zone sound.
    pub last: RangeInclusive<Key>,
    /// The key that counts as pressed at first.
    pub default: Option<Key>,
}

/// What begins the notes of a zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trigger {
    /// A key that is pressed.
    #[default]
    Attack,
    /// A key that is released; the note lasts as long as its sample.
    Release,
}

impl SequenceTurn {
    /// Sounds turn `position` of `length`, counted from 1.
    ///
    /// # Errors
    /// [`Invalid::EmptyRange`] unless the position is one of them.
    pub fn new(position: u32, length: u32) -> Result<Self, Invalid> {
        if (1..=length).contains(&position) {
            Ok(Self { length, position })
        } else {
            Err(Invalid::EmptyRange)
        }
    }

    /// Returns the number of turns.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.length
    }

    /// Returns the turn that sounds, counted from 1.
    #[must_use]
    pub const fn position(&self) -> u32 {
        self.position
    }

    /// Returns whether a note sounds before which the zone has counted `counted` others.
    #[must_use]
    pub const fn sounds(&self, counted: u32) -> bool {
        counted % self.length == self.position - 1
    }
}

impl KeySwitch {
    /// Returns whether the zone sounds after a key was the last one to switch; none if no key was yet.
    #[must_use]
    pub fn is_on(&self, last: Option<Key>) -> bool {
        last.or(self.default).is_some_and(|key| self.last.contains(&key))
    }
}

impl ZoneConditions {
    /// Returns whether they say nothing.
    #[must_use]
    pub fn is_always(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_sounds_once_in_each_round() {
        let turn = SequenceTurn::new(2, 3).unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(|counted| turn.sounds(counted)), [false, true, false, false, true]);
        assert_eq!(SequenceTurn::new(0, 3), Err(Invalid::EmptyRange));
        assert_eq!(SequenceTurn::new(4, 3), Err(Invalid::EmptyRange));
    }

    #[test]
    fn a_key_switch_is_in_its_default_until_a_key_is_pressed() {
        let key = |key| Key::new(key).unwrap();
        let mut switch =
            KeySwitch { keys: key(24)..=key(26), last: key(25)..=key(25), default: Some(key(25)) };
        assert!(switch.is_on(None) && switch.is_on(Some(key(25))) && !switch.is_on(Some(key(24))));
        switch.default = None;
        assert!(!switch.is_on(None));
    }
}
