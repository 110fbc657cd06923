//! `FastTracker` 2.

mod auto_vibrato;
mod channel;
mod column;
mod effects;
mod envelope;
mod extended;
mod fadeout;
mod filter_macros;
mod memory;
mod row;
mod row_cell;
mod rules;
mod slides;

use song::module::MidiMacros;

use super::{DialectProcessor, SoundingVoice, channels};
use crate::replay::PanLaw;
use crate::replay::flow::RowFlow;
use crate::replay::score::Score;
use crate::replay::transport::Transport;
use crate::replay::voice::{ReplayVoice, Sender, VoiceIds};
use channel::XmChannel;
use rules::XmRules;

/// Plays XM modules.
pub(crate) struct XmProcessor {
    channels: Vec<XmChannel>,
    global_volume: i32,
    rules: XmRules,
    macros: MidiMacros,
}

impl XmProcessor {
    pub(crate) fn new(score: &Score) -> Self {
        let module = score.module();
        Self {
            channels: module.channels.iter().map(|_| XmChannel::default()).collect(),
            global_volume: 64,
            rules: XmRules::of(module),
            macros: module.macros.clone().unwrap_or_default(),
        }
    }
}

impl DialectProcessor for XmProcessor {
    fn tick(&mut self, score: &Score, transport: &mut Transport) {
        for index in 0..self.channels.len() {
            let clock = transport.clock();
            let mut flow = None;
            if clock.is_row_start() {
                let cell = score.cell(clock.order, clock.row, index);
                flow = self.row(score, clock, index, &cell);
            } else {
                self.between(score, clock, index);
            }
            if let Some(channel) = self.channels.get_mut(index) {
                channel.modulate(score, self.rules);
            }
            if let Some(flow) = flow {
                combine(transport, flow, self.rules);
            }
        }
    }

    fn send(&mut self, out: &mut Sender<'_>) {
        let global = self.global_volume as f32 / 64.0;
        for (index, channel) in self.channels.iter_mut().enumerate() {
            let sound = channel.compute_sound(global, self.rules);
            channel.sound = sound;
            channel.voice.send(out, index, sound);
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

    fn pan_law(&self) -> PanLaw {
        self.rules.pan_law
    }
}

/// Combines what another channel does with the row: a jump and a break take back what is to the left of them, and the
/// loop to the right of one sets its row. A loop that turns also leaves its row to the next pattern.
fn combine(transport: &mut Transport, flow: RowFlow, rules: XmRules) {
    let next = transport.next_mut();
    match flow {
        RowFlow::Jump(order) if rules.loop_beats_jump => (next.jump, next.break_row) = (Some(order), None),
        RowFlow::Break(row) if rules.loop_beats_jump => next.break_row = Some(row),
        RowFlow::Loop(row) if rules.loop_beats_jump => next.loop_row = Some(row),
        RowFlow::Jump(order) => {
            (next.jump, next.break_row, next.loop_row) = (Some(order), None, None);
            next.first_row = 0;
        }
        RowFlow::Break(row) => (next.break_row, next.loop_row) = (Some(row), None),
        RowFlow::Loop(row) => {
            if next.jump.is_some() || next.break_row.is_some() {
                next.break_row = Some(row);
            } else {
                next.loop_row = Some(row);
            }
            next.first_row = row;
        }
        RowFlow::Delay(times) => next.delay = Some(times),
        RowFlow::Pace(pace) => transport.set_pace(pace),
    }
}
