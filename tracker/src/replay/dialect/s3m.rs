//! Scream Tracker 3.

mod channel;
mod fm;
mod slides;
mod tone_portamento;

use song::module::{Cell, Effect, EffectCommand, Program};

use super::pattern_loop::PatternLoop;
use super::{DialectProcessor, SoundingVoice, channels};
use crate::replay::flow::{Clock, Pace, RowFlow};
use crate::replay::nibbles::nibbles;
use crate::replay::period::{S3M_PARTS, even_s3m_period, s3m_period};
use crate::replay::random::Random;
use crate::replay::score::Score;
use crate::replay::transport::Transport;
use crate::replay::voice::{ReplayVoice, Sender, VoiceIds};
use channel::{S3mChannel, TickEffects};

/// Rates at C4 of the sixteen finetunes.
///
/// Source: *ST3 TECH document*.
const FINETUNES: [u32; 16] =
    [7895, 7941, 7985, 8046, 8107, 8169, 8232, 8280, 8363, 8413, 8463, 8529, 8581, 8651, 8723, 8757];

/// Plays S3M modules.
pub(crate) struct S3mProcessor {
    channels: Vec<S3mChannel>,
    global_volume: i32,
    /// The one loop that there is for all channels.
    pattern_loop: PatternLoop,
    loop_order: usize,
    random: Random,
    rules: S3mRules,
}

/// In what programs that write S3M modules differ.
#[derive(Clone, Copy, Debug)]
struct S3mRules {
    fast_slides: bool,
    amiga_limits: bool,
    /// Notes are those of the even scale, and periods need not be whole.
    has_even_notes: bool,
    /// Imago Orpheus, where each channel has a loop of its own, which begins again where it began before.
    is_imago: bool,
    /// Scream Tracker itself, and not one of those that followed it.
    is_original: bool,
}

impl S3mProcessor {
    pub(crate) fn new(score: &Score, seed: u64) -> Self {
        let module = score.module();
        let program = module.writer.program;
        Self {
            channels: module.channels.iter().map(S3mChannel::new).collect(),
            global_volume: (module.globals.global_volume.get() / 2).into(),
            pattern_loop: PatternLoop::default(),
            loop_order: usize::MAX,
            random: Random::new(seed),
            rules: S3mRules {
                fast_slides: module.globals.compat.fast_volume_slides,
                amiga_limits: module.globals.compat.amiga_limits,
                has_even_notes: program == Program::ImpulseTracker,
                is_imago: program == Program::ImagoOrpheus,
                is_original: program == Program::ScreamTracker3,
            },
        }
    }
}

impl DialectProcessor for S3mProcessor {
    fn tick(&mut self, score: &Score, transport: &mut Transport) {
        let Clock { order, row, .. } = transport.clock();
        if self.loop_order != order && transport.clock().is_row_start() {
            self.loop_order = order;
            self.pattern_loop.start = 0;
            self.channels.iter_mut().for_each(|channel| channel.pattern_loop.start = 0);
        }
        for index in 0..self.channels.len() {
            let cell = score.cell(order, row, index);
            if let Some(flow) = self.channel(score, transport.clock(), index, cell) {
                combine(transport, flow);
            }
        }
    }

    fn send(&mut self, out: &mut Sender<'_>) {
        let global = self.global_volume as f32 / 64.0;
        for (index, channel) in self.channels.iter_mut().enumerate() {
            let Some(sound) = channel.compute_sound(out.score, global, &self.rules) else {
                channel.voice.stop();
                channel.voice.send(out, index, channel.sound);
                continue;
            };
            channel.sound = sound;
            channel.voice.send(out, index, sound);
        }
    }

    fn advance(&mut self, score: &Score, ids: &mut VoiceIds, seconds: f64) {
        channels::advance(&mut self.channels, score, ids, seconds);
    }

    fn loop_state(&self) -> u64 {
        channels::loop_state(&self.channels).wrapping_add(self.pattern_loop.state(0))
    }

    fn voices_mut(&mut self, visit: &mut dyn FnMut(&mut ReplayVoice)) {
        channels::visit_mut(&mut self.channels, visit);
    }

    fn voices(&self, visit: &mut dyn FnMut(SoundingVoice<'_>)) {
        channels::visit(&self.channels, visit);
    }
}

impl S3mProcessor {
    /// Plays a tick of a channel.
    fn channel(&mut self, score: &Score, clock: Clock, index: usize, cell: Cell) -> Option<RowFlow> {
        let channel = self.channels.get_mut(index)?;
        if clock.is_row_start() {
            channel.begin_row(cell.effect);
        }
        channel.heard = TickEffects::default();
        let memory = channel.memory.shared;
        let delay = match cell.effect.map(|effect| effect.command) {
            Some(EffectCommand::Extended) if memory >> 4 == 0xD => Some(u32::from(memory & 15)),
            _ => None,
        };
        // A delay by no tick never ends.
        if delay.map_or(clock.is_row_start(), |delay| delay > 0 && clock.tick == delay) {
            channel.play(score, &cell, self.rules);
        }
        self.effect(score, clock, index, cell.effect?)
    }

    /// Does what an effect does in a tick.
    ///
    /// Longer than other functions: it has an arm for each command.
    fn effect(&mut self, score: &Score, clock: Clock, index: usize, effect: Effect) -> Option<RowFlow> {
        let Effect { command, parameter } = effect;
        let channel = self.channels.get_mut(index)?;
        let (rules, memory, first) = (self.rules, channel.memory.shared, clock.tick == 0);
        match command {
            EffectCommand::Speed if first && parameter > 0 => return Some(RowFlow::speed(parameter)),
            EffectCommand::Tempo if first && parameter >= 0x20 => return Some(RowFlow::tempo(parameter)),
            EffectCommand::PositionJump if first => return Some(RowFlow::Jump(parameter.into())),
            EffectCommand::PatternBreak if first => return Some(RowFlow::decimal_break(parameter)),
            EffectCommand::VolumeSlide => channel.slide_volume(memory, first, rules),
            EffectCommand::PortamentoDown => channel.slide_pitch(memory, 1, first, rules),
            EffectCommand::PortamentoUp => channel.slide_pitch(memory, -1, first, rules),
            EffectCommand::TonePortamento => channel.tone_portamento(parameter, first, rules),
            EffectCommand::Vibrato => channel.play_vibrato(parameter, 5, clock, &mut self.random),
            EffectCommand::FineVibrato => channel.play_vibrato(parameter, 7, clock, &mut self.random),
            EffectCommand::VibratoVolumeSlide => {
                channel.vibrato_volume_slide(memory, clock, rules, &mut self.random);
            }
            EffectCommand::TonePortamentoVolumeSlide => {
                channel.tone_portamento_volume_slide(memory, first, rules);
            }
            EffectCommand::Tremor => channel.play_tremor(memory),
            EffectCommand::Arpeggio => channel.arpeggiate(memory, clock.tick, rules),
            EffectCommand::ChannelVolume if first && parameter <= 64 => {
                channel.channel_volume = parameter.into();
            }
            EffectCommand::Retrigger => channel.play_retrigger(score, memory),
            EffectCommand::Tremolo => channel.play_tremolo(memory, first, &mut self.random),
            EffectCommand::GlobalVolume if first && parameter <= 64 => self.global_volume = parameter.into(),
            EffectCommand::GlobalVolumeSlide => {
                let by = channel.global_volume_slide(parameter, first);
                self.global_volume = (self.global_volume + by).clamp(0, 64);
            }
            EffectCommand::SetPanning if first => channel.set_panning(parameter),
            EffectCommand::Extended => return self.extended(clock, index, memory),
            // In other ticks, or with a parameter out of range, they do nothing.
            EffectCommand::Speed
            | EffectCommand::PositionJump
            | EffectCommand::PatternBreak
            | EffectCommand::Tempo
            | EffectCommand::ChannelVolume
            | EffectCommand::GlobalVolume
            | EffectCommand::SetPanning => {}
            // It begins the sample, with the note.
            EffectCommand::SampleOffset => {}
            // Scream Tracker ignores the effects of later programs.
            EffectCommand::ChannelVolumeSlide
            | EffectCommand::PanSlide
            | EffectCommand::Panbrello
            | EffectCommand::Macro => {}
            // The format has no letter for them.
            EffectCommand::SetVolume
            | EffectCommand::SpeedOrTempo
            | EffectCommand::KeyOff
            | EffectCommand::EnvelopePosition
            | EffectCommand::ExtraFinePortamento
            | EffectCommand::Unknown(_) => {}
        }
        None
    }

    fn extended(&mut self, clock: Clock, index: usize, memory: u8) -> Option<RowFlow> {
        let channel = self.channels.get_mut(index)?;
        let (what, value) = nibbles(memory);
        let first = clock.tick == 0;
        match what {
            1 if first => channel.tone.is_stepped = value > 0,
            2 if first => channel.c4_rate = FINETUNES.get(usize::from(value)).copied().unwrap_or(8363),
            3 if first => channel.vibrato.wave = value,
            4 if first => channel.tremolo.wave = value,
            6 if clock.is_row_start() => return Some(RowFlow::Pace(Pace::Longer(value.into()))),
            8 if first => channel.set_pan((i32::from(value) * 256 + 8) / 15),
            0xB if clock.is_row_start() => return self.pattern_loop(clock.row, index, value),
            0xC if value > 0 && clock.tick == u32::from(value) => channel.cut(),
            0xE if clock.is_row_start() => return Some(RowFlow::Delay(value.into())),
            _ => {}
        }
        None
    }

    /// Begins or ends a pattern loop.
    fn pattern_loop(&mut self, row: usize, index: usize, times: u8) -> Option<RowFlow> {
        let is_imago = self.rules.is_imago;
        let channel = self.channels.get_mut(index)?;
        let own = if is_imago { &mut channel.pattern_loop } else { &mut self.pattern_loop };
        if times == 0 {
            own.start = row;
            return None;
        }
        let back = own.turn(times.into());
        if back.is_none() && !is_imago {
            own.start = row + 1;
        }
        back.map(RowFlow::Loop)
    }
}

/// Combines what another channel does with the row: the last of its kind counts, but for delays, of which the first
/// that is none of nothing does.
fn combine(transport: &mut Transport, flow: RowFlow) {
    let next = transport.next_mut();
    match flow {
        RowFlow::Jump(order) => next.jump = Some(order),
        RowFlow::Break(row) => next.break_row = Some(row),
        RowFlow::Loop(row) => next.loop_row = Some(row),
        RowFlow::Delay(times) => {
            if next.delay.is_none_or(|delay| delay == 0) {
                next.delay = Some(times);
            }
        }
        RowFlow::Pace(pace) => transport.set_pace(pace),
    }
}

/// So far from the highest number that slides and vibratos do not reach it.
const MAX_PERIOD: i32 = i32::MAX / 4;

impl S3mRules {
    /// Returns the period of a key, in parts of [`S3M_PARTS`].
    fn note_period(self, key: i32, c4_rate: u32) -> i32 {
        let period = if self.has_even_notes {
            even_s3m_period(key, c4_rate)
        } else {
            s3m_period(key, c4_rate).saturating_mul(S3M_PARTS)
        };
        period.min(MAX_PERIOD)
    }

    fn limited(self, period: i32) -> i32 {
        let most = 32_767 * S3M_PARTS;
        if self.amiga_limits {
            period.clamp(113 * 4 * S3M_PARTS, 856 * 4 * S3M_PARTS)
        } else {
            period.min(most)
        }
    }
}
