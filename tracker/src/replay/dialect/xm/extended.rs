//! The effects of number E.

use super::XmProcessor;
use super::channel::XmChannel;
use super::row_cell::OFF;
use super::rules::XmRules;
use super::slides::Slide;
use crate::replay::flow::{Clock, RowFlow};
use crate::replay::nibbles::nibbles;
use crate::replay::score::Score;

impl XmProcessor {
    /// Begins or ends a pattern loop.
    pub(super) fn turn_loop(&mut self, clock: Clock, index: usize, times: u8) -> Option<RowFlow> {
        let mut others = self.channels.iter().enumerate().filter(|(other, _)| *other != index);
        let is_active = |(_, channel): (usize, &XmChannel)| channel.pattern_loop.left > 0;
        let is_other_active = self.rules.has_one_loop && others.any(is_active);
        let own = &mut self.channels.get_mut(index)?.pattern_loop;
        own.play(clock.row, times.into(), is_other_active).map(RowFlow::Loop)
    }
}

impl XmChannel {
    pub(super) fn extended_first(&mut self, parameter: u8) -> Option<RowFlow> {
        let (what, value) = nibbles(parameter);
        match what {
            1 => self.slide_once(value, Slide::FineUp),
            2 => self.slide_once(value, Slide::FineDown),
            3 => self.tone.is_stepped = value > 0,
            4 => self.vibrato.wave = value,
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
            0xD if tick == u32::from(value) && rules.delay_needs_note => {
                self.play(score, self.cell.has_instrument, rules);
                self.repeat_column();
            }
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
