//! Impulse Tracker.

mod column;
mod effects;
mod envelope;
mod extended;
mod filter_macros;
mod host;
mod mapping;
mod note;
mod row;
mod rules;

use song::module::{Level, MidiMacros, NewNoteAction};

use super::{DialectProcessor, SoundingVoice};
use crate::replay::flow::RowFlow;
use crate::replay::random::Random;
use crate::replay::score::Score;
use crate::replay::transport::Transport;
use crate::replay::voice::{ReplayVoice, Sender, VoiceIds};
use crate::replay::{PanLaw, VoiceId};
use envelope::InstrumentEnvelopes;
use host::Host;
use note::ItNote;
use rules::ItRules;

/// Plays IT modules.
pub(crate) struct ItProcessor {
    hosts: Vec<Host>,
    /// Notes that new ones have left behind.
    background: Vec<Option<ItNote>>,
    envelopes: Vec<InstrumentEnvelopes>,
    /// 0..=128.
    global_volume: i32,
    rules: ItRules,
    macros: MidiMacros,
    random: Random,
}

impl ItProcessor {
    pub(crate) fn new(score: &Score, seed: u64) -> Self {
        let module = score.module();
        let globals = &module.globals;
        let rules = ItRules::of(module);
        let envelopes = module.instruments.iter().map(InstrumentEnvelopes::new).collect();
        let room = VoiceId::MAX.saturating_sub(module.channels.len());
        Self {
            hosts: module
                .channels
                .iter()
                .enumerate()
                .map(|(index, channel)| Host::new(index, channel, rules))
                .collect(),
            background: (0..room).map(|_| None).collect(),
            envelopes,
            global_volume: globals.global_volume.get().into(),
            rules,
            macros: module.macros.clone().unwrap_or_default(),
            random: Random::new(seed),
        }
    }

    /// Combines what a channel does with the row, with what the channels to its left do.
    fn combine(&mut self, transport: &mut Transport, index: usize, flow: RowFlow) {
        let next = transport.next_mut();
        match flow {
            RowFlow::Jump(order) => {
                next.jump = Some(order);
                // A jump to the right of the end of a loop keeps it from turning.
                if self.rules.jump_cancels_loop && next.loop_row.take().is_some() {
                    let turned = if self.rules.restores_cancelled_loop { index } else { 0 };
                    self.hosts.iter_mut().take(turned).for_each(|host| host.pattern_loop.undo());
                }
            }
            RowFlow::Break(row) => next.break_row = Some(row),
            RowFlow::Loop(row) => (next.loop_row, next.jump) = (Some(row), None),
            RowFlow::Delay(times) => next.delay = next.delay.or(Some(times)),
            RowFlow::Pace(pace) => transport.set_pace(pace),
        }
    }

    /// Lets a note go on without its channel, if its action says so.
    fn leave(&mut self, score: &Score, mut note: ItNote, action: NewNoteAction) {
        match action {
            NewNoteAction::Cut => note.voice.stop(),
            NewNoteAction::Continue => {}
            NewNoteAction::Off => note.key_off(score, &self.envelopes),
            NewNoteAction::Fade => note.is_fading = true,
        }
        let free = self.background.iter().position(Option::is_none);
        // The quietest yields.
        let slot = free.or_else(|| {
            let loudness = |note: &Option<ItNote>| note.as_ref().map_or(0.0, |note| note.sound.volume);
            let notes = self.background.iter().enumerate();
            notes
                .min_by(|(_, one), (_, other)| loudness(one).total_cmp(&loudness(other)))
                .map(|(index, _)| index)
        });
        if let Some(slot) = slot.and_then(|slot| self.background.get_mut(slot)) {
            // Its voice ends with it: it is sent no more, so it has to be stopped first.
            if let Some(old) = slot.take() {
                note.yielded = old.voice.id();
            }
            *slot = Some(note);
        }
    }
}

impl DialectProcessor for ItProcessor {
    fn tick(&mut self, score: &Score, transport: &mut Transport) {
        if transport.clock().is_row_start() {
            self.hosts.iter_mut().for_each(|host| host.pattern_loop.settle());
        }
        for index in 0..self.hosts.len() {
            if let Some(flow) = self.channel(score, transport.clock(), index) {
                self.combine(transport, index, flow);
            }
        }
        let Self { hosts, background, envelopes, random, rules, .. } = self;
        for host in hosts {
            host.note.modulate(score, envelopes, *rules, random);
        }
        for note in background.iter_mut().flatten() {
            note.modulate(score, envelopes, *rules, random);
        }
    }

    fn send(&mut self, out: &mut Sender<'_>) {
        let global = self.global_volume as f32 / 128.0;
        for (index, host) in self.hosts.iter_mut().enumerate() {
            host.note.send(out, index, self.rules, (global, host.is_muted));
        }
        for slot in &mut self.background {
            let Some(note) = slot else { continue };
            let index = note.channel;
            let is_muted = self.hosts.get(index).is_some_and(|host| host.is_muted);
            note.send(out, index, self.rules, (global, is_muted));
            if !note.voice.is_sounding() {
                *slot = None;
            }
        }
    }

    fn advance(&mut self, score: &Score, ids: &mut VoiceIds, seconds: f64) {
        for host in &mut self.hosts {
            host.note.voice.advance(score, ids, host.note.sound.hz * seconds);
        }
        for note in self.background.iter_mut().flatten() {
            note.voice.advance(score, ids, note.sound.hz * seconds);
        }
    }

    fn pan_law(&self) -> PanLaw {
        self.rules.pan_law
    }

    fn loop_state(&self) -> u64 {
        let own = self.hosts.iter().enumerate().map(|(index, host)| host.pattern_loop.state(index));
        own.fold(0, u64::wrapping_add)
    }

    fn voices_mut(&mut self, visit: &mut dyn FnMut(&mut ReplayVoice)) {
        self.hosts.iter_mut().for_each(|host| visit(&mut host.note.voice));
        self.background.iter_mut().flatten().for_each(|note| visit(&mut note.voice));
    }

    fn voices(&self, visit: &mut dyn FnMut(SoundingVoice<'_>)) {
        let own = self.hosts.iter().map(|host| (&host.note, false));
        let left = self.background.iter().flatten().map(|note| (note, true));
        for (note, is_background) in own.chain(left) {
            if note.voice.is_sounding() {
                visit(SoundingVoice {
                    channel: note.channel,
                    instrument: note.instrument.unwrap_or_default(),
                    voice: &note.voice,
                    sound: note.sound,
                    is_background,
                });
            }
        }
    }
}

/// Returns a level in 64ths.
fn level(level: Level) -> i32 {
    (level.get() / 2).into()
}
