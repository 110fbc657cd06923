use super::ItProcessor;
use crate::replay::macros::{FilterMessage, MacroValues, filter_messages, seven_bits};
use crate::replay::score::Score;

impl ItProcessor {
    /// Does what the macro of a parameter says.
    pub(super) fn play_macro(&mut self, score: &Score, index: usize, parameter: u8) {
        let Some(host) = self.hosts.get(index) else { return };
        let note = &host.note;
        let sample = note.tuned(score);
        let instrument = note.instrument(score);
        let volume =
            (note.volume * host.channel_volume * self.global_volume) as f32 / (64.0 * 64.0 * 128.0) * 127.0;
        let volume = volume
            * sample.map_or(1.0, |sample| sample.global_volume.gain())
            * instrument.map_or(1.0, |instrument| instrument.global_volume.gain());
        let velocity = (note.volume * 2) as f32
            * sample.map_or(1.0, |sample| sample.global_volume.gain())
            * instrument.map_or(1.0, |instrument| instrument.global_volume.gain());
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
        filter_messages(macros, chosen, &values, |message| match message {
            FilterMessage::Cutoff(cutoff) => {
                if let Some(host) = hosts.get_mut(index) {
                    host.note.cutoff = cutoff;
                }
            }
            FilterMessage::Resonance(resonance) => {
                if let Some(host) = hosts.get_mut(index) {
                    host.note.resonance = resonance;
                }
            }
            FilterMessage::Open => {
                for host in hosts.iter_mut() {
                    (host.note.cutoff, host.note.resonance) = (127, 0);
                }
            }
        });
    }
}
