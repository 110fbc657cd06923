//! The zone of a sound in an instrument, as it is set by hand.

use std::ops::RangeInclusive;

use song::{Key, Velocity};

/// Keys and velocities of a sound in an instrument, and the group that it takes turns in: on all keys and velocities
/// and in no group unless set otherwise. No range is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneRanges {
    /// The lowest key and the highest, which is not below it.
    keys: (Key, Key),
    /// The lowest velocity and the highest, which is not below it.
    velocities: (Velocity, Velocity),
    /// 1..=[`MAX_TURNS`](Self::MAX_TURNS).
    turns: Option<u8>,
}

impl Default for ZoneRanges {
    fn default() -> Self {
        Self {
            keys: (Key::LOWEST, Key::HIGHEST),
            velocities: (Velocity::LOWEST, Velocity::HIGHEST),
            turns: None,
        }
    }
}

impl ZoneRanges {
    /// The last group of sounds that take turns.
    pub const MAX_TURNS: u8 = 16;

    /// Returns the keys that play the sound.
    #[must_use]
    pub const fn keys(&self) -> RangeInclusive<Key> {
        self.keys.0..=self.keys.1
    }

    /// Returns the velocities that play it.
    #[must_use]
    pub const fn velocities(&self) -> RangeInclusive<Velocity> {
        self.velocities.0..=self.velocities.1
    }

    /// Returns the group that it takes turns in.
    #[must_use]
    pub const fn turns(&self) -> Option<u8> {
        self.turns
    }
}

/// A number of a [`ZoneRanges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneParameter {
    /// The lowest key.
    LowKey,
    /// The highest key.
    HighKey,
    /// The lowest velocity.
    LowVelocity,
    /// The highest velocity.
    HighVelocity,
    /// The group of sounds that take turns; 0 is none.
    Turns,
}

impl ZoneParameter {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::LowKey, Self::HighKey, Self::LowVelocity, Self::HighVelocity, Self::Turns];

    /// Returns what a knob of it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LowKey => "low key",
            Self::HighKey => "high key",
            Self::LowVelocity => "low vel.",
            Self::HighVelocity => "high vel.",
            Self::Turns => "turns",
        }
    }

    /// Returns its value.
    #[must_use]
    pub const fn get(self, ranges: &ZoneRanges) -> u8 {
        match self {
            Self::LowKey => ranges.keys.0.get(),
            Self::HighKey => ranges.keys.1.get(),
            Self::LowVelocity => ranges.velocities.0.get(),
            Self::HighVelocity => ranges.velocities.1.get(),
            Self::Turns => match ranges.turns {
                Some(group) => group,
                None => 0,
            },
        }
    }

    /// Sets its value, or the highest that there is. An end of a range that is moved past the other end pushes it
    /// along, so that the range is never empty and a single key can be moved with one knob.
    pub fn set(self, ranges: &mut ZoneRanges, value: u8) {
        let key = Key::new(value).unwrap_or(Key::HIGHEST);
        let velocity = Velocity::new(value).unwrap_or(Velocity::HIGHEST);
        let ZoneRanges { keys, velocities, turns } = ranges;
        match self {
            Self::LowKey => *keys = (key, keys.1.max(key)),
            Self::HighKey => *keys = (keys.0.min(key), key),
            Self::LowVelocity => *velocities = (velocity, velocities.1.max(velocity)),
            Self::HighVelocity => *velocities = (velocities.0.min(velocity), velocity),
            Self::Turns => *turns = Some(value.min(ZoneRanges::MAX_TURNS)).filter(|group| *group > 0),
        }
    }

    /// Moves its value by steps, as far as there are values.
    pub fn step(self, ranges: &mut ZoneRanges, steps: isize) {
        let value = usize::from(self.get(ranges)).saturating_add_signed(steps);
        self.set(ranges, u8::try_from(value).unwrap_or(u8::MAX));
    }

    /// Returns its value as a user reads it.
    #[must_use]
    pub fn text(self, ranges: &ZoneRanges) -> String {
        match self {
            Self::LowKey => ranges.keys.0.to_string(),
            Self::HighKey => ranges.keys.1.to_string(),
            Self::Turns => ranges.turns.map_or_else(|| "off".to_owned(), |group| group.to_string()),
            Self::LowVelocity | Self::HighVelocity => self.get(ranges).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_of_a_range_pushes_the_other_along() {
        let mut ranges = ZoneRanges::default();
        let mut keys = |parameter: ZoneParameter, value| {
            parameter.set(&mut ranges, value);
            (ranges.keys().start().get(), ranges.keys().end().get())
        };
        assert_eq!(keys(ZoneParameter::HighKey, 40), (0, 40));
        assert_eq!(keys(ZoneParameter::LowKey, 50), (50, 50));
        assert_eq!(keys(ZoneParameter::HighKey, 45), (45, 45));
        assert_eq!(keys(ZoneParameter::LowKey, 200), (127, 127));
        for value in [0, 64, 127] {
            let mut ranges = ZoneRanges::default();
            ZoneParameter::HighVelocity.set(&mut ranges, 63);
            ZoneParameter::LowVelocity.set(&mut ranges, value);
            assert!(!ranges.velocities().is_empty(), "{value}");
        }
    }

    #[test]
    fn steps_end_where_there_are_no_more_values_and_no_step_makes_a_zone_of_none() {
        for parameter in ZoneParameter::ALL {
            let last = if parameter == ZoneParameter::Turns { ZoneRanges::MAX_TURNS } else { 127 };
            for (steps, value) in [(isize::MIN, 0), (isize::MAX, last)] {
                let mut ranges = ZoneRanges::default();
                parameter.step(&mut ranges, steps);
                assert_eq!(parameter.get(&ranges), value, "{parameter:?}");
            }
            let mut ranges = ZoneRanges::default();
            parameter.step(&mut ranges, 0);
            assert_eq!(ranges, ZoneRanges::default(), "{parameter:?}");
        }
    }

    #[test]
    fn keys_are_read_by_their_names_and_no_group_as_off() {
        let mut ranges = ZoneRanges::default();
        ZoneParameter::LowKey.set(&mut ranges, 36);
        let texts = ZoneParameter::ALL.map(|parameter| parameter.text(&ranges));
        assert_eq!(texts, ["C2", "G9", "0", "127", "off"]);
        ZoneParameter::Turns.set(&mut ranges, 3);
        assert_eq!((ZoneParameter::Turns.text(&ranges), ranges.turns()), ("3".to_owned(), Some(3)));
    }
}
