//! The effects of number E.

use super::channel::XmChannel;
use super::row_cell::OFF;
use super::rules::XmRules;
use super::slides::Slide;
use crate::replay::flow::{Clock, RowFlow};
use crate::replay::nibbles::nibbles;
use crate::replay::score::Score;

impl XmChannel {
    pub(super) fn extended_first(&mut self, clock: Clock, parameter: u8) -> Option<RowFlow> {
        let (what, value) = nibbles(parameter);
        match what {
            1 => self.slide_once(value, Slide::FineUp),
            2 => self.slide_once(value, Slide::FineDown),
            3 => self.tone.is_stepped = value > 0,
            4 => self.vibrato.wave = value,
            6 if value == 0 => self.pattern_loop.start = clock.row,
            6 => return self.pattern_loop.turn(value.into()).map(RowFlow::Loop),
            7 => self.tremolo.wave = value,
            0xA => {
                if value > 0 {
                    self.memory.fine_volume_up = value;
                }
                self.set_volume(self.volume + i32::from(self.memory.fine_volume_up));
            }
            0xB => {
                if value > 0 {
                    self.memory.fine_volume_down = value;
                }
                self.set_volume(self.volume - i32::from(self.memory.fine_volume_down));
            }
            0xC if value == 0 => self.set_volume(0),
            0xE => return Some(RowFlow::Delay(value.into())),
            _ => {}
        }
        None
    }

    pub(super) fn extended_between(&mut self, score: &Score, tick: u32, parameter: u8, rules: XmRules) {
        let (what, value) = nibbles(parameter);
        match what {
            9 if value > 0 && tick.is_multiple_of(u32::from(value)) => {
                self.trigger_note(score, 0, None, 0, rules);
                self.trigger_instrument(score);
            }
            0xC if tick == u32::from(value) => self.set_volume(0),
            0xD if tick == u32::from(value) => {
                match self.cell.note() {
                    OFF => self.key_off(score),
                    note => self.trigger_note(score, note, None, 0, rules),
                }
                if self.cell.has_instrument {
                    self.reset_volumes();
                }
                self.trigger_instrument(score);
                self.repeat_column();
            }
            _ => {}
        }
    }
}
