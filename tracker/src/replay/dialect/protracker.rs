//! `ProTracker` and its relatives.

mod channel;
mod effects;
mod inversion;
mod rules;

use song::module::Panning;

use super::{DialectProcessor, SoundingVoice, channels};
use crate::replay::flow::{NextRow, RowFlow};
use crate::replay::score::Score;
use crate::replay::transport::Transport;
use crate::replay::voice::{ReplayVoice, Sender, VoiceIds};
use channel::ModChannel;
use rules::ModRules;

/// Plays MOD modules.
pub(crate) struct ModProcessor {
    channels: Vec<ModChannel>,
    rules: ModRules,
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
        Self { channels: channels.collect(), rules: ModRules::of(module) }
    }
}

impl DialectProcessor for ModProcessor {
    fn tick(&mut self, score: &Score, transport: &mut Transport) {
        let is_row_start = transport.clock().is_row_start();
        for (index, channel) in self.channels.iter_mut().enumerate() {
            let clock = transport.clock();
            let flow = if is_row_start {
                let cell = score.cell(clock.order, clock.row, index);
                channel.row(score, clock, &cell, self.rules)
            } else {
                channel.between(score, clock, self.rules)
            };
            // In the first tick of a row only where the effect is.
            if !is_row_start || channel.sets_inversion() {
                channel.inversion.step(score, channel.voice.sample());
            }
            if let Some(flow) = flow {
                combine(transport, flow);
            }
        }
        if is_row_start && self.rules.breaks_late {
            break_late(transport.next_mut());
        }
    }

    fn send(&mut self, out: &mut Sender<'_>) {
        for (index, channel) in self.channels.iter_mut().enumerate() {
            channel.sound = channel.compute_sound(self.rules);
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

    fn voices_mut(&mut self, visit: &mut dyn FnMut(&mut ReplayVoice)) {
        channels::visit_mut(&mut self.channels, visit);
    }

    fn voices(&self, visit: &mut dyn FnMut(SoundingVoice<'_>)) {
        channels::visit(&self.channels, visit);
    }

    fn tempo_is_late(&self) -> bool {
        self.rules.sets_tempo_late
    }
}

/// Combines what another channel does with the row: of jumps and breaks the last counts, and a jump takes back a break
/// and keeps pattern loops from turning.
fn combine(transport: &mut Transport, flow: RowFlow) {
    let next = transport.next_mut();
    match flow {
        RowFlow::Jump(order) => {
            (next.jump, next.break_row, next.loop_row) = (Some(order), None, None);
        }
        RowFlow::Break(row) => next.break_row = Some(row),
        RowFlow::Loop(row) => {
            if next.jump.is_none() {
                next.loop_row = Some(row);
            }
        }
        RowFlow::Delay(times) => next.delay = Some(times),
        RowFlow::Pace(pace) => transport.set_pace(pace),
    }
}

/// Lets a jump or a break of a delayed row go one row too far, as the tracker does.
fn break_late(next: &mut NextRow) {
    if next.delay > Some(0) && (next.jump.is_some() || next.break_row.is_some()) {
        next.break_row = Some(next.break_row.unwrap_or(0) + 1);
    }
}
