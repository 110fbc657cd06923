//! What happens on one channel in one row, typed so that nothing of what is stored is lost.

use std::num::NonZeroU16;

use super::{EffectCommand, VolumeCommand};
use crate::Key;

/// A note, or what ends one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CellNote {
    /// Nothing.
    #[default]
    None,
    /// A key; C4 (60) sounds a sample at its own tuning.
    Key(Key),
    /// A period of the Amiga (MOD): 428 is C4. At most 4095.
    Period(NonZeroU16),
    /// The key is released.
    Off,
    /// The note ends at once.
    Cut,
    /// The note fades; the byte that stood for it.
    Fade(u8),
    /// A byte that stands for no note of the dialect.
    Unknown(u8),
}

/// A command and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// What it does.
    pub command: EffectCommand,
    /// How much.
    pub parameter: u8,
}

/// What happens on one channel in one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The note.
    pub note: CellNote,
    /// The module's instrument, its sample where it has no instruments, or the song's instrument where it has neither;
    /// counted from 1. An IT may say 0, which is none.
    pub instrument: Option<u16>,
    /// The volume column.
    pub volume: Option<VolumeCommand>,
    /// The effect.
    pub effect: Option<Effect>,
}

#[cfg(test)]
mod tests {
    use super::super::Dialect;
    use super::*;

    const DIALECTS: [Dialect; 4] =
        [Dialect::ProTracker, Dialect::ScreamTracker3, Dialect::FastTracker2, Dialect::ImpulseTracker];

    #[test]
    fn every_number_of_every_dialect_comes_back_from_what_it_stands_for() {
        for dialect in DIALECTS {
            for byte in 0..=255 {
                assert_eq!(VolumeCommand::from_byte(dialect, byte).byte(dialect), Some(byte), "{dialect:?}");
                assert_eq!(
                    EffectCommand::from_number(dialect, byte).number(dialect),
                    Some(byte),
                    "{dialect:?}"
                );
            }
        }
    }

    #[test]
    fn a_cell_is_small() {
        assert!(size_of::<Cell>() <= 14, "{}", size_of::<Cell>());
    }
}
