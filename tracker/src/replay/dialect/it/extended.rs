//! The effects of letter S.

use song::module::NewNoteAction;

use super::ItProcessor;
use super::host::Host;
use crate::replay::flow::{Clock, Pace, RowFlow};
use crate::replay::nibbles::nibbles;
use crate::replay::score::Score;

impl ItProcessor {
    pub(super) fn extended(&mut self, score: &Score, clock: Clock, index: usize) -> Option<RowFlow> {
        let host = self.hosts.get_mut(index)?;
        let (what, value) = nibbles(host.memory.extended);
        let first = clock.tick == 0;
        match what {
            1 if first => host.glissando = value > 0,
            3 if first => host.vibrato.wave = value,
            4 if first => host.tremolo.wave = value,
            5 if first => {
                host.panbrello.lfo.wave = value;
                host.panbrello.lfo.position = 0;
            }
            6 if clock.is_row_start() => return Some(RowFlow::Pace(Pace::Longer(value.into()))),
            7 if first => self.control_notes(score, index, value),
            8 if first => host.set_pan((i32::from(value) * 256 + 8) / 15),
            9 if first && value == 1 => (host.is_surround, host.note.is_surround) = (true, true),
            9 if first && matches!(value, 0xE | 0xF) => host.note.voice.turn(score, value == 0xF),
            9 if first && value == 0 => (host.is_surround, host.note.is_surround) = (false, false),
            0xA if first => host.memory.high_offset = value,
            0xB if clock.is_row_start() => return self.turn_loop(clock.row, index, value),
            0xC if clock.tick == u32::from(value.max(1)) => host.note.voice.stop(),
            0xE if clock.is_row_start() => return Some(RowFlow::Delay(value.into())),
            0xF if first => host.macro_number = value,
            _ => {}
        }
        None
    }

    fn control_notes(&mut self, score: &Score, index: usize, value: u8) {
        let Self { hosts, background, envelopes, .. } = self;
        let Some(host) = hosts.get_mut(index) else { return };
        let left = background.iter_mut().flatten().filter(|note| note.channel == index);
        let note = &mut host.note;
        match value {
            0 => left.for_each(|note| note.voice.stop()),
            1 => left.for_each(|note| note.key_off(score, envelopes)),
            2 => left.for_each(|note| note.is_fading = true),
            3 => note.new_note_action = NewNoteAction::Cut,
            4 => note.new_note_action = NewNoteAction::Continue,
            5 => note.new_note_action = NewNoteAction::Off,
            6 => note.new_note_action = NewNoteAction::Fade,
            7 | 8 => note.volume_envelope.is_on = value == 8,
            9 | 10 => note.pan_envelope.is_on = value == 10,
            11 | 12 => note.pitch_envelope.is_on = value == 12,
            _ => {}
        }
    }
}

impl ItProcessor {
    /// Begins or ends a pattern loop.
    fn turn_loop(&mut self, row: usize, index: usize, times: u8) -> Option<RowFlow> {
        let has_one = self.rules.has_one_loop;
        let mut others = self.hosts.iter().enumerate().filter(|(other, _)| *other != index);
        let is_active = |(_, host): (usize, &Host)| host.pattern_loop.left > 0;
        let is_other_active = has_one && others.any(is_active);
        let own = &mut self.hosts.get_mut(index)?.pattern_loop;
        let back = own.play(row, times.into(), is_other_active);
        if back.is_none() && times > 0 && !has_one {
            own.start = row + 1;
        }
        back.map(RowFlow::Loop)
    }
}
