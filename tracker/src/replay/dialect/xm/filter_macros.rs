//! Filters, which `ModPlug` Tracker brought to the format: macros move them.

use song::LowPass;

use super::XmProcessor;
use super::channel::XmChannel;
use crate::replay::filter::FilterModel;
use crate::replay::macros::{MacroValues, filter_messages, seven_bits};

/// The filter of a channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChannelFilter {
    cutoff: u8,
    resonance: u8,
    /// What is heard of it; once it is closed it stays, however far it is opened, until the next note.
    pub(super) sound: Option<LowPass>,
}

impl Default for ChannelFilter {
    fn default() -> Self {
        Self { cutoff: 127, resonance: 0, sound: None }
    }
}

impl ChannelFilter {
    const fn is_open(&self) -> bool {
        self.cutoff == 127 && self.resonance == 0
    }

    /// A note begins.
    pub(super) const fn begin_note(&mut self) {
        if self.is_open() {
            self.sound = None;
        }
    }

    fn tune(&mut self) {
        if !self.is_open() || self.sound.is_some() {
            // Of every version, as libopenmpt plays them.
            self.sound = Some(FilterModel::ModPlug.low_pass(self.cutoff.into(), self.resonance.into()));
        }
    }
}

impl XmProcessor {
    /// Does what the macro of a parameter says.
    pub(super) fn play_macro(&mut self, index: usize, parameter: u8) {
        let Some(channel) = self.channels.get(index) else { return };
        let volume = (channel.volume * self.global_volume) as f32 / (64.0 * 64.0);
        let values = MacroValues {
            note: channel.note,
            velocity: seven_bits((channel.volume * 2) as f32),
            volume: seven_bits(volume * 127.0),
            pan: (channel.pan / 2).clamp(0, 127) as u8,
            parameter,
            channel: (index & 127) as u8,
            offset: 0,
            is_reversed: channel.voice.is_reversed(),
        };
        let Self { macros, channels, .. } = self;
        filter_messages(macros, 0, &values, |message| {
            let taking = message.channels(index, channels.len());
            for XmChannel { filter, .. } in channels.get_mut(taking).into_iter().flatten() {
                message.apply(&mut filter.cutoff, &mut filter.resonance);
                filter.tune();
            }
        });
    }
}
