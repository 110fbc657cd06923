use song::module::{Cell, CellNote, Effect, EffectCommand, VolumeCommand};

use crate::replay::dialect::slides::NO_EFFECT;
use crate::replay::nibbles::nibbles;

/// What a cell says that later ticks look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowCell {
    pub(super) note: CellNote,
    pub(super) has_instrument: bool,
    pub(super) volume: Option<VolumeCommand>,
    pub(super) effect: Effect,
}

/// The number of a released key in the note column.
pub(super) const OFF: u8 = 97;

impl RowCell {
    pub(super) const EMPTY: Self =
        Self { note: CellNote::None, has_instrument: false, volume: None, effect: NO_EFFECT };

    pub(super) fn new(cell: &Cell) -> Self {
        Self {
            note: cell.note,
            has_instrument: cell.instrument.is_some_and(|number| number > 0),
            // A stored 0 is an empty column.
            volume: cell.volume.filter(|volume| *volume != VolumeCommand::Unknown(0)),
            effect: cell.effect.unwrap_or(NO_EFFECT),
        }
    }

    /// Returns the note's number, 0 if there is none and 97 for a released key.
    pub(super) fn note(&self) -> u8 {
        match self.note {
            // The keys that a cell of the format can say.
            CellNote::Key(key) if (12..=107).contains(&key.get()) => key.get() - 11,
            CellNote::Off => OFF,
            _ => 0,
        }
    }

    pub(super) const fn is_vibrato(&self) -> bool {
        matches!(self.effect.command, EffectCommand::Vibrato | EffectCommand::VibratoVolumeSlide)
    }

    /// Returns the four bits of an extended effect and its value, if the cell has that.
    pub(super) const fn extended(&self) -> Option<(u8, u8)> {
        match self.effect {
            Effect { command: EffectCommand::Extended, parameter } => Some(nibbles(parameter)),
            _ => None,
        }
    }
}
