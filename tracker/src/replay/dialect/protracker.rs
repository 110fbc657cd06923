//! `ProTracker` and its relatives.

mod channel;
mod effects;
mod inversion;
mod rules;

use song::module::Panning;

use super::{Processor, SoundingVoice, channels};
use crate::replay::score::Score;
use crate::replay::transport::Transport;
use crate::replay::voice::{Sender, Voice, VoiceIds};
use channel::ModChannel;
use rules::Rules;

/// Plays MOD modules.
pub(crate) struct ModProcessor {
    channels: Vec<ModChannel>,
    rules: Rules,
}

impl ModProcessor {
    pub(crate) fn new(score: &Score) -> Self {
        let module = score.module();
        let channels = module.channels.iter().map(|channel| {
            let pan = match channel.panning {
                // Half as far apart as on the Amiga, which nobody hears on headphones for long.
                Panning::At(pan) => pan.get() / 2.0,
                Panning::Surround => 0.0,
            };
            ModChannel::new(pan)
        });
        Self { channels: channels.collect(), rules: Rules::of(module) }
    }
}

impl Processor for ModProcessor {
    fn tick(&mut self, score: &Score, transport: &mut Transport) {
        transport.delay_moves_break = self.rules.is_original;
        let rules = self.rules;
        for (index, channel) in self.channels.iter_mut().enumerate() {
            if transport.is_row_start() {
                let cell = score.cell(transport.order, transport.row, index);
                channel.row(score, transport, &cell, rules);
            } else {
                channel.between(score, transport, rules);
            }
            // In the first tick of a row only where the effect is.
            if !transport.is_row_start() || channel.sets_inversion() {
                channel.inversion.step(score, channel.voice.sample());
            }
        }
    }

    fn send(&mut self, out: &mut Sender<'_>) {
        for (index, channel) in self.channels.iter_mut().enumerate() {
            channel.sound = channel.compute_sound();
            // Paula knows no glides.
            channel.voice.jump();
            out.commands.extend(channel.inversion.due.take());
            channel.voice.send(out, index, channel.sound);
        }
    }

    fn advance(&mut self, score: &Score, ids: &mut VoiceIds, seconds: f64) {
        channels::advance(&mut self.channels, score, ids, seconds);
    }

    fn loop_state(&self) -> u64 {
        channels::loop_state(&self.channels)
    }

    fn voices_mut(&mut self, visit: &mut dyn FnMut(&mut Voice)) {
        channels::visit_mut(&mut self.channels, visit);
    }

    fn voices(&self, visit: &mut dyn FnMut(SoundingVoice<'_>)) {
        channels::visit(&self.channels, visit);
    }

    fn tempo_is_late(&self) -> bool {
        self.rules.is_original
    }
}
