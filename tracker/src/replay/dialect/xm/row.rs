//! What a cell does when its row begins: note and instrument.

use std::cmp::Ordering;

use song::module::{BreakpointEnvelope, Effect, EffectCommand, VolumeCommand};

use super::channel::XmChannel;
use super::memory::PortamentoDirection;
use super::row_cell::{OFF, RowCell};
use super::rules::{TremorRule, XmRules};
use crate::replay::score::Score;

impl XmChannel {
    /// Takes the cell of a new row; vibratos of the row before end unless it goes on with them.
    pub(super) fn begin_row(&mut self, row: RowCell, rules: XmRules) {
        let before = self.cell;
        let ends = match before.effect.command {
            EffectCommand::Arpeggio => before.effect.parameter > 0,
            _ => before.is_vibrato() && !row.is_vibrato(),
        };
        if ends {
            self.heard_period = self.period;
        }
        if rules.ends_lfos {
            self.end_lfos(&row, rules);
        }
        self.cell = row;
    }

    /// Plays note and instrument of the cell.
    pub(super) fn play(&mut self, score: &Score, has_instrument: bool, rules: XmRules) {
        let Effect { command, parameter } = self.cell.effect;
        let note = self.cell.note();
        if self.cell.extended() != Some((9, 0)) {
            if let Some(VolumeCommand::TonePortamento(speed)) = self.cell.volume {
                if speed > 0 {
                    self.tone.speed = i32::from(speed) * 64;
                }
                return self.aim(score, note, has_instrument, rules);
            }
            if matches!(command, EffectCommand::TonePortamento | EffectCommand::TonePortamentoVolumeSlide) {
                if command == EffectCommand::TonePortamento && parameter > 0 {
                    self.tone.speed = i32::from(parameter) * 4;
                }
                return self.aim(score, note, has_instrument, rules);
            }
            if command == EffectCommand::KeyOff && parameter == 0 && !rules.releases_at_once {
                self.key_off(score);
                if has_instrument {
                    self.reset_volumes();
                }
                return;
            }
            if note == 0 {
                if has_instrument {
                    if rules.instrument_keeps_pan {
                        self.reset_volume();
                    } else {
                        self.reset_volumes();
                    }
                    self.recall_instrument(score, rules);
                }
                return;
            }
        }
        if note == OFF {
            self.note_off(score, rules);
        } else {
            self.begin(score, note, rules);
        }
        if has_instrument && !(note == OFF && self.is_silenced_by_key(score, rules)) {
            self.reset_volumes();
            if note != OFF {
                self.trigger_instrument(score);
            }
        }
    }

    /// Returns whether a released key silences the note, whatever its instrument says.
    fn is_silenced_by_key(&self, score: &Score, rules: XmRules) -> bool {
        let envelope = self.playing(score).and_then(|instrument| instrument.volume.as_ref());
        rules.key_off_silences && !envelope.is_some_and(BreakpointEnvelope::is_on)
    }

    /// Begins a note, with the offset and the finetune of the cell.
    fn begin(&mut self, score: &Score, note: u8, rules: XmRules) {
        let Effect { command, parameter } = self.cell.effect;
        let finetune = self.cell.extended().and_then(|(what, value)| (what == 5).then_some(value));
        let mut from = 0;
        if command == EffectCommand::SampleOffset {
            if parameter > 0 {
                self.memory.offset = parameter;
            }
            from = u64::from(self.memory.offset) << 8;
        }
        self.trigger_note(score, note, finetune, from, rules);
    }

    /// Ends vibrato, tremor and tremolo of the row before, unless the row goes on with them.
    fn end_lfos(&mut self, row: &RowCell, rules: XmRules) {
        let has_vibrato =
            |row: &RowCell| matches!(row.volume, Some(VolumeCommand::Vibrato(_))) || row.is_vibrato();
        if has_vibrato(&self.cell) && !has_vibrato(row) {
            self.heard_period = self.period;
        }
        if rules.tremor == TremorRule::Counted {
            self.is_silenced = false;
        }
        let is_tremolo = |row: &RowCell| row.effect.command == EffectCommand::Tremolo;
        if is_tremolo(&self.cell) && !is_tremolo(row) {
            self.heard_volume = self.volume;
        }
    }

    /// Sets the note that a tone portamento goes to, and takes an instrument.
    fn aim(&mut self, score: &Score, note: u8, has_instrument: bool, rules: XmRules) {
        if note == OFF {
            self.note_off(score, rules);
        } else if note > 0
            && let Some(target) = self.note_period(i32::from(note) + self.tuned.relative, rules)
        {
            self.tone.target = target;
            self.tone.direction = match target.cmp(&self.period) {
                Ordering::Equal => PortamentoDirection::None,
                Ordering::Greater => PortamentoDirection::Down,
                Ordering::Less => PortamentoDirection::Up,
            };
        }
        if has_instrument {
            self.reset_volumes();
            if note != OFF {
                self.trigger_instrument(score);
            }
        }
    }
}
