//! What effects do, tick by tick.

use song::module::{Cell, Effect, EffectCommand, VolumeCommand};

use super::host::Host;
use super::{ItProcessor, Rules};
use crate::replay::dialect::slides::{nibbles, retriggered_volume};
use crate::replay::flow::{Clock, Pace, RowFlow};
use crate::replay::random::Random;
use crate::replay::score::Score;

impl ItProcessor {
    /// Plays a tick of a channel; returns what it does to the way of the song.
    pub(super) fn channel(&mut self, score: &Score, clock: Clock, index: usize) -> Option<RowFlow> {
        let cell = score.cell(clock.order, clock.row, index);
        let rules = self.rules;
        let host = self.hosts.get_mut(index)?;
        host.begin_tick();
        if clock.is_row_start() {
            host.is_ignored = false;
            host.remember(&cell, rules);
        }
        let extended = host.memory.extended;
        let delay = match cell.effect.map(|effect| effect.command) {
            Some(EffectCommand::Extended) if extended >> 4 == 0xD => u32::from(extended & 15).max(1),
            _ => 0,
        };
        let plays = if delay == 0 { clock.is_row_start() } else { clock.tick == delay };
        if plays && delay < clock.ticks() {
            let is_ignored = self.play(score, index, &cell);
            self.hosts.get_mut(index)?.is_ignored = is_ignored;
        } else if delay > 0 && clock.is_row_start() && delay >= clock.ticks() {
            self.remember_instrument(score, index, &cell);
        }
        let Self { hosts, random, .. } = self;
        let host = hosts.get_mut(index)?;
        if host.is_ignored {
            return None;
        }
        if let Some(volume) = cell.volume
            && clock.tick >= delay
        {
            let is_first = clock.tick == delay;
            host.slide_column(volume, is_first, clock.repetition == 0, rules, random);
        }
        let flow = cell.effect.and_then(|effect| self.effect(score, clock, index, effect));
        self.hosts.get_mut(index)?.end_tick();
        flow
    }

    /// Does what an effect does in a tick.
    fn effect(&mut self, score: &Score, clock: Clock, index: usize, effect: Effect) -> Option<RowFlow> {
        let Effect { command, parameter } = effect;
        let rules = self.rules;
        let first = clock.tick == 0;
        let Self { hosts, random, .. } = self;
        let host = hosts.get_mut(index)?;
        match command {
            EffectCommand::Speed if first && parameter > 0 => {
                return Some(RowFlow::Pace(Pace::Speed(parameter.into())));
            }
            EffectCommand::Tempo => return host.tempo(clock),
            EffectCommand::PositionJump if first => return Some(RowFlow::Jump(parameter.into())),
            EffectCommand::PatternBreak if first => return Some(RowFlow::Break(parameter.into())),
            EffectCommand::VolumeSlide => host.slide_volume(first),
            EffectCommand::PortamentoDown => host.slide_pitch(-1, first, rules),
            EffectCommand::PortamentoUp => host.slide_pitch(1, first, rules),
            EffectCommand::TonePortamento if !first => host.slide_to_note(rules),
            EffectCommand::Vibrato | EffectCommand::FineVibrato => host.play_vibrato(first, rules, random),
            EffectCommand::VibratoVolumeSlide => {
                host.play_vibrato(first, rules, random);
                host.slide_volume(first);
            }
            EffectCommand::TonePortamentoVolumeSlide => {
                if !first {
                    host.slide_to_note(rules);
                }
                host.slide_volume(first);
            }
            EffectCommand::Tremor => host.tremor(rules),
            EffectCommand::Arpeggio => {
                let (second, third) = nibbles(host.memory.arpeggio);
                let above = match clock.tick % 3 {
                    0 => 0,
                    1 => second,
                    _ => third,
                };
                host.note.ratio *= (f64::from(above) / 12.0).exp2();
            }
            EffectCommand::ChannelVolume if first && parameter <= 64 => {
                host.channel_volume = parameter.into();
            }
            EffectCommand::ChannelVolumeSlide => {
                let by = slide(host.memory.channel_slide, first);
                host.channel_volume = (host.channel_volume + by).clamp(0, 64);
            }
            EffectCommand::SampleOffset if host.was_played || host.was_aimed => host.offset(score, rules),
            EffectCommand::PanSlide => {
                // Up is to the left.
                let by = -4 * slide(host.memory.pan_slide, first);
                if by != 0 && !host.note.is_surround {
                    let pan = host.note.pan + by;
                    host.set_pan(pan);
                }
            }
            EffectCommand::Retrigger => host.retrigger(score),
            EffectCommand::Tremolo => host.play_tremolo(first, rules, random),
            EffectCommand::Extended => return self.extended(score, clock, index),
            // One that is too loud is void, or as loud as can be.
            EffectCommand::GlobalVolume if first && (parameter <= 128 || !rules.is_original) => {
                self.global_volume = parameter.min(128).into();
            }
            EffectCommand::GlobalVolumeSlide => {
                let by = slide(host.memory.global_slide, first);
                self.global_volume = (self.global_volume + by).clamp(0, 128);
            }
            EffectCommand::SetPanning if first => host.set_pan(parameter.into()),
            EffectCommand::Panbrello => host.panbrello.play(random),
            EffectCommand::Macro if first => self.play_macro(score, index, parameter),
            // They act in other ticks, and up to a largest parameter.
            EffectCommand::Speed
            | EffectCommand::PositionJump
            | EffectCommand::PatternBreak
            | EffectCommand::TonePortamento
            | EffectCommand::ChannelVolume
            | EffectCommand::SampleOffset
            | EffectCommand::GlobalVolume
            | EffectCommand::SetPanning
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
}

/// Returns what a slide adds in a tick.
fn slide(parameter: u8, first: bool) -> i32 {
    match (parameter >> 4, parameter & 15) {
        (up, 0) => {
            if first {
                0
            } else {
                up.into()
            }
        }
        (0, down) => {
            if first {
                0
            } else {
                -i32::from(down)
            }
        }
        (up, 15) if first => up.into(),
        (15, down) if first => -i32::from(down),
        _ => 0,
    }
}

impl Host {
    const fn begin_tick(&mut self) {
        self.note.ratio = 1.0;
        self.note.tremolo = 0;
        self.note.is_silenced = false;
        (self.was_played, self.was_aimed) = (false, false);
    }

    const fn end_tick(&mut self) {
        self.note.channel_volume = self.channel_volume;
        self.note.panbrello = self.panbrello.offset;
    }

    /// Sets the tempo, or slides it.
    fn tempo(&self, clock: Clock) -> Option<RowFlow> {
        let tempo = match (self.memory.tempo, clock.tick) {
            (tempo @ 0x20.., 0) => tempo.into(),
            (up @ 0x10..=0x1F, 1..) => (clock.tempo + u32::from(up & 15)).min(255),
            (down @ 0..=0x0F, 1..) => clock.tempo.saturating_sub(down.into()).max(32),
            _ => return None,
        };
        Some(RowFlow::Pace(Pace::Tempo(tempo)))
    }

    /// Remembers the parameters of a row, in the order in which the tracker does.
    fn remember(&mut self, cell: &Cell, rules: Rules) {
        let effect = cell.effect.map(|effect| (effect.command, effect.parameter));
        match effect {
            Some((EffectCommand::TonePortamento, parameter)) => {
                self.remember_tone(parameter, rules);
                self.steps.tone = self.memory.tone;
            }
            Some((EffectCommand::TonePortamentoVolumeSlide, _)) => self.steps.tone = self.memory.tone,
            _ => {}
        }
        if let Some(volume) = cell.volume {
            self.remember_column(volume, rules);
        }
        let Some((command, parameter)) = effect else { return };
        let memory = &mut self.memory;
        let place = match command {
            EffectCommand::VolumeSlide
            | EffectCommand::VibratoVolumeSlide
            | EffectCommand::TonePortamentoVolumeSlide => &mut memory.volume_slide,
            EffectCommand::PortamentoDown | EffectCommand::PortamentoUp => {
                if parameter > 0 && !rules.compatible_slides {
                    memory.tone = parameter;
                }
                &mut memory.slide
            }
            EffectCommand::Tremor => &mut memory.tremor,
            EffectCommand::Arpeggio => &mut memory.arpeggio,
            EffectCommand::ChannelVolumeSlide => &mut memory.channel_slide,
            EffectCommand::SampleOffset => &mut memory.offset,
            EffectCommand::PanSlide => &mut memory.pan_slide,
            EffectCommand::Retrigger => &mut memory.retrigger,
            EffectCommand::Extended => &mut memory.extended,
            EffectCommand::Tempo => &mut memory.tempo,
            EffectCommand::GlobalVolumeSlide => &mut memory.global_slide,
            EffectCommand::Vibrato | EffectCommand::FineVibrato => {
                self.vibrato.set(parameter);
                if command == EffectCommand::Vibrato && parameter & 15 > 0 {
                    self.vibrato.depth <<= 2;
                }
                // The column goes before it.
                if let Some(volume @ VolumeCommand::Vibrato(_)) = cell.volume {
                    self.remember_column(volume, rules);
                }
                return;
            }
            EffectCommand::Tremolo => return self.tremolo.set(parameter),
            EffectCommand::Panbrello => return self.panbrello.lfo.set(parameter),
            // They have no memory.
            EffectCommand::TonePortamento
            | EffectCommand::Speed
            | EffectCommand::PositionJump
            | EffectCommand::PatternBreak
            | EffectCommand::ChannelVolume
            | EffectCommand::GlobalVolume
            | EffectCommand::SetPanning
            | EffectCommand::Macro => return,
            // The format has no letter for them.
            EffectCommand::SetVolume
            | EffectCommand::SpeedOrTempo
            | EffectCommand::KeyOff
            | EffectCommand::EnvelopePosition
            | EffectCommand::ExtraFinePortamento
            | EffectCommand::Unknown(_) => return,
        };
        if parameter > 0 {
            *place = parameter;
        }
        self.steps.slide = self.memory.slide;
    }

    fn slide_volume(&mut self, first: bool) {
        let by = match nibbles(self.memory.volume_slide) {
            // As far as can be, and in the first tick as well.
            (15, 0) => 15,
            (0, 15) => -15,
            _ => slide(self.memory.volume_slide, first),
        };
        self.add_volume(by);
    }

    fn slide_pitch(&mut self, sign: i32, first: bool, rules: Rules) {
        let parameter = self.steps.slide;
        let steps = match (parameter, first) {
            (0xF0.., true) => 4 * i32::from(parameter & 15),
            (0xE0..=0xEF, true) => i32::from(parameter & 15),
            (0..=0xDF, false) => 4 * i32::from(parameter),
            _ => return,
        };
        self.note.slide(sign * steps, rules);
    }

    fn slide_to_note(&mut self, rules: Rules) {
        self.note.slide_to_target(4 * i32::from(self.steps.tone), rules);
        if self.glissando && self.note.hz > 0.0 {
            let semitones = 12.0 * (self.note.hz / self.note.c4_rate).log2();
            self.note.ratio *= ((semitones.round() - semitones) / 12.0).exp2();
        }
    }

    pub(super) fn play_vibrato(&mut self, first: bool, rules: Rules, random: &mut Random) {
        let lfo = &mut self.vibrato;
        if !first || !rules.old_effects {
            lfo.advance();
        }
        let value = lfo.impulse_tracker(random);
        let steps = if rules.old_effects {
            -(value * i32::from(lfo.depth)) >> 5
        } else {
            (value * i32::from(lfo.depth)) >> 6
        };
        self.note.ratio *= (f64::from(steps) / 768.0).exp2();
    }

    fn play_tremolo(&mut self, first: bool, rules: Rules, random: &mut Random) {
        let lfo = &mut self.tremolo;
        if !first || !rules.old_effects {
            lfo.advance();
        }
        self.note.tremolo = (lfo.impulse_tracker(random) * i32::from(lfo.depth)) >> 6;
    }

    fn tremor(&mut self, rules: Rules) {
        if !self.note.voice.is_sounding() {
            return;
        }
        let (on, off) = nibbles(self.memory.tremor);
        let more = u8::from(rules.old_effects);
        let [on, off] = [on, off].map(|ticks| (ticks + more).max(1));
        if self.tremor_count == 0 {
            self.tremor_is_on = !self.tremor_is_on;
            self.tremor_count = if self.tremor_is_on { on } else { off };
        }
        self.tremor_count -= 1;
        self.note.is_silenced = !self.tremor_is_on;
        self.note.voice.jump();
    }

    fn offset(&mut self, score: &Score, rules: Rules) {
        let Some(sample) = self.note.sample else { return };
        let Some(recording) = score.recording(sample) else { return };
        let offset = (u64::from(self.memory.high_offset) << 16) | (u64::from(self.memory.offset) << 8);
        let from = if offset < recording.length {
            offset
        } else if rules.old_effects {
            recording.length - 1
        } else {
            0
        };
        self.note.voice.restart(score, sample, from);
    }

    fn retrigger(&mut self, score: &Score) {
        let (change, every) = nibbles(self.memory.retrigger);
        let every = every.max(1);
        if self.was_played {
            self.retrigger_count = every;
        } else {
            self.retrigger_count = self.retrigger_count.saturating_sub(1);
            if self.retrigger_count == 0 {
                self.retrigger_count = every;
                self.note.volume = retriggered_volume(self.note.volume, change);
                if let Some(sample) = self.note.sample.filter(|_| self.note.voice.is_sounding()) {
                    self.note.voice.restart(score, sample, 0);
                }
            }
        }
    }
}
