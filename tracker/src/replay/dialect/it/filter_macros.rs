//! What MIDI macros do to the filters of IT modules.

use super::ItProcessor;
use crate::replay::macros::{MacroValues, filter_messages, seven_bits};
use crate::replay::score::Score;

impl ItProcessor {
    /// Does what the macro of a parameter says.
    pub(super) fn play_macro(&mut self, score: &Score, index: usize, parameter: u8) {
        let Some(host) = self.hosts.get(index) else { return };
        let note = &host.note;
        let sample = note.tuned(score);
        let volume =
            (note.volume * host.channel_volume * self.global_volume) as f32 / (64.0 * 64.0 * 128.0) * 127.0;
        let volume = volume * sample.map_or(1.0, |sample| sample.global_volume.gain()) * note.instrument_gain;
        let velocity = (note.volume * 2) as f32
            * sample.map_or(1.0, |sample| sample.global_volume.gain())
            * note.instrument_gain;
        let values = MacroValues {
            note: note.key,
            velocity: seven_bits(velocity),
            volume: seven_bits(volume),
            pan: (note.pan / 2).clamp(0, 127) as u8,
            parameter,
            channel: (index & 127) as u8,
            offset: host.memory.offset,
            is_reversed: note.voice.is_reversed(),
        };
        let Self { macros, hosts, .. } = self;
        let chosen = hosts.get(index).map_or(0, |host| host.macro_number);
        filter_messages(macros, chosen, &values, |message| {
            let taking = message.channels(index, hosts.len());
            for host in hosts.get_mut(taking).into_iter().flatten() {
                message.apply(&mut host.note.cutoff, &mut host.note.resonance);
            }
        });
    }
}
