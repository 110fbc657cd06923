//! What effects do, tick by tick.

use song::module::{Cell, Effect, EffectCommand, VolumeCommand};

use super::ItProcessor;
use super::host::Host;
use super::rules::{ItRules, LfoModel};
use crate::replay::dialect::arpeggio::Arpeggio;
use crate::replay::dialect::retrigger::retriggered_volume;
use crate::replay::flow::{Clock, Pace, RowFlow};
use crate::replay::nibbles::nibbles;
use crate::replay::period::S3M_CLOCK;
use crate::replay::random::Random;
use crate::replay::score::Score;

impl ItProcessor {
    /// Plays a tick of a channel; returns what it does to the way of the song.
    pub(super) fn channel(&mut self, score: &Score, clock: Clock, index: usize) -> Option<RowFlow> {
        let cell = score.cell(clock.order, clock.row, index);
        let rules = self.rules;
        let host = self.hosts.get_mut(index)?;
        host.begin_tick(rules);
        if clock.is_row_start() {
            host.is_ignored = false;
            host.remember(&cell, rules);
        }
        let extended = host.memory.extended;
        let delay = match cell.effect.map(|effect| effect.command) {
            Some(EffectCommand::Extended) if extended >> 4 == 0xD => {
                u32::from(extended & 15).max((!rules.has_empty_delay).into())
            }
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
            && !(rules.column_sets_vibrato_speed && has_two_vibratos(&cell))
        {
            let is_first = clock.tick == delay;
            host.slide_column(volume, is_first, clock.repetition == 0, rules, random);
        }
        let flow = cell.effect.and_then(|effect| self.effect(score, clock, index, effect));
        self.hosts.get_mut(index)?.end_tick();
        flow
    }

    /// Does what an effect does in a tick.
    ///
    /// Longer than other functions: it has an arm for each command.
    fn effect(&mut self, score: &Score, clock: Clock, index: usize, effect: Effect) -> Option<RowFlow> {
        let Effect { command, parameter } = effect;
        let rules = self.rules;
        let first = clock.tick == 0;
        let Self { hosts, random, .. } = self;
        let host = hosts.get_mut(index)?;
        match command {
            EffectCommand::Speed if first && parameter > 0 => return Some(RowFlow::speed(parameter)),
            EffectCommand::Tempo => return host.tempo(clock),
            EffectCommand::PositionJump if first => return Some(RowFlow::Jump(parameter.into())),
            EffectCommand::PatternBreak if first => return Some(RowFlow::Break(parameter.into())),
            EffectCommand::VolumeSlide => host.slide_volume(first),
            EffectCommand::PortamentoDown => host.slide_pitch(-1, first, rules),
            EffectCommand::PortamentoUp => host.slide_pitch(1, first, rules),
            EffectCommand::TonePortamento => host.slide_to_note(first, rules),
            EffectCommand::Vibrato | EffectCommand::FineVibrato => host.play_vibrato(first, rules, random),
            EffectCommand::VibratoVolumeSlide => host.vibrato_volume_slide(first, rules, random),
            EffectCommand::TonePortamentoVolumeSlide => host.tone_portamento_volume_slide(first, rules),
            EffectCommand::Tremor => host.play_tremor(rules),
            EffectCommand::Arpeggio => host.arpeggiate(clock.tick, rules),
            EffectCommand::ChannelVolume if first && parameter <= 64 => {
                host.channel_volume = parameter.into();
            }
            EffectCommand::ChannelVolumeSlide => host.slide_channel_volume(first),
            EffectCommand::SampleOffset if host.was_played || host.was_aimed => host.offset(score, rules),
            EffectCommand::PanSlide => host.slide_pan(first),
            EffectCommand::Retrigger => host.play_retrigger(score, first, rules),
            EffectCommand::Tremolo => host.play_tremolo(first, rules, random),
            EffectCommand::Extended => return self.extended(score, clock, index),
            // One that is too loud is void, or as loud as can be.
            EffectCommand::GlobalVolume if first && (parameter <= 128 || !rules.ignores_excess_volume) => {
                self.global_volume = parameter.min(128).into();
            }
            EffectCommand::GlobalVolumeSlide => {
                let by = slide(host.memory.global_slide, first);
                self.global_volume = (self.global_volume + by).clamp(0, 128);
            }
            EffectCommand::SetPanning if first => host.set_pan(parameter.into()),
            EffectCommand::Panbrello => match rules.lfo {
                LfoModel::ImpulseTracker => host.panbrello.play(random),
                LfoModel::ModPlug => host.panbrello.play_modplug(random),
            },
            EffectCommand::Macro if first => self.play_macro(score, index, parameter),
            // In other ticks, or with a parameter out of range, they do nothing.
            EffectCommand::Speed
            | EffectCommand::PositionJump
            | EffectCommand::PatternBreak
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

/// Returns whether a vibrato is in both columns.
const fn has_two_vibratos(cell: &Cell) -> bool {
    matches!(cell.volume, Some(VolumeCommand::Vibrato(_)))
        && matches!(
            cell.effect,
            Some(Effect {
                command: EffectCommand::Vibrato
                    | EffectCommand::FineVibrato
                    | EffectCommand::VibratoVolumeSlide,
                ..
            })
        )
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
    const fn begin_tick(&mut self, rules: ItRules) {
        if matches!(rules.lfo, LfoModel::ModPlug) {
            self.panbrello.offset = 0;
        }
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
    fn remember(&mut self, cell: &Cell, rules: ItRules) {
        if let Some(effect) = cell.effect {
            self.remember_tone_portamento(effect, rules);
        }
        if let Some(volume) = cell.volume {
            self.remember_column(volume, rules);
        }
        let Some(Effect { command, parameter }) = cell.effect else { return };
        if self.remember_oscillator(command, parameter) {
            // The column goes before it.
            if let Some(volume @ VolumeCommand::Vibrato(_)) = cell.volume
                && matches!(command, EffectCommand::Vibrato | EffectCommand::FineVibrato)
            {
                self.remember_column(volume, rules);
            }
            return;
        }
        let is_slide = matches!(command, EffectCommand::PortamentoDown | EffectCommand::PortamentoUp);
        if is_slide && parameter > 0 && !rules.compatible_slides {
            self.memory.tone = parameter;
        }
        let Some(remembered) = self.memory.of(command) else { return };
        if parameter > 0 {
            *remembered = parameter;
        }
        self.steps.slide = self.memory.slide;
    }

    fn remember_tone_portamento(&mut self, Effect { command, parameter }: Effect, rules: ItRules) {
        if command == EffectCommand::TonePortamento {
            self.remember_tone(parameter, rules);
        }
        if matches!(command, EffectCommand::TonePortamento | EffectCommand::TonePortamentoVolumeSlide) {
            self.steps.tone = self.memory.tone;
        }
    }

    /// Sets speed and depth of the oscillator that a command has; returns whether it has one.
    const fn remember_oscillator(&mut self, command: EffectCommand, parameter: u8) -> bool {
        match command {
            EffectCommand::Vibrato => {
                self.vibrato.set(parameter);
                if parameter & 15 > 0 {
                    // Four times that of a fine one.
                    self.vibrato.depth <<= 2;
                }
            }
            EffectCommand::FineVibrato => self.vibrato.set(parameter),
            EffectCommand::Tremolo => self.tremolo.set(parameter),
            EffectCommand::Panbrello => self.panbrello.lfo.set(parameter),
            _ => return false,
        }
        true
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

    fn slide_pitch(&mut self, sign: i32, first: bool, rules: ItRules) {
        let parameter = self.steps.slide;
        let steps = match (parameter, first) {
            (0xF0.., true) => 4 * i32::from(parameter & 15),
            (0xE0..=0xEF, true) => i32::from(parameter & 15),
            (0..=0xDF, false) => 4 * i32::from(parameter),
            _ => return,
        };
        self.note.slide(sign * steps, rules);
    }

    fn slide_to_note(&mut self, first: bool, rules: ItRules) {
        if first {
            return;
        }
        self.note.slide_to_target(4 * i32::from(self.steps.tone), rules);
        if self.glissando && self.note.hz > 0.0 {
            let semitones = 12.0 * (self.note.hz / self.note.c4_rate).log2();
            self.note.ratio *= ((semitones.round() - semitones) / 12.0).exp2();
        }
    }

    /// Continues the vibrato, and slides the volume.
    fn vibrato_volume_slide(&mut self, first: bool, rules: ItRules, random: &mut Random) {
        self.play_vibrato(first, rules, random);
        self.slide_volume(first);
    }

    /// Continues the tone portamento, and slides the volume.
    fn tone_portamento_volume_slide(&mut self, first: bool, rules: ItRules) {
        self.slide_to_note(first, rules);
        self.slide_volume(first);
    }

    pub(super) fn play_vibrato(&mut self, first: bool, rules: ItRules, random: &mut Random) {
        let lfo = &mut self.vibrato;
        let (moves, depth) = (!first || !rules.old_effects, i32::from(lfo.depth));
        let steps = match rules.lfo {
            LfoModel::ImpulseTracker => {
                if moves {
                    lfo.advance();
                }
                let value = lfo.impulse_tracker(random);
                if rules.old_effects { -(value * depth) >> 5 } else { (value * depth) >> 6 }
            }
            LfoModel::ModPlug => {
                let value = lfo.modplug(random);
                if moves {
                    lfo.advance();
                }
                let steps = value * depth / if rules.old_effects { 64 } else { 128 };
                // Its table of great steps has every fourth.
                -if rules.is_linear && steps.abs() >= 16 { steps / 4 * 4 } else { steps }
            }
        };
        let hz = self.note.hz * self.note.ratio;
        self.note.ratio *= if rules.is_linear || hz <= 0.0 {
            (f64::from(steps) / 768.0).exp2()
        } else {
            let period = S3M_CLOCK / hz;
            period / (period - f64::from(steps)).max(1.0)
        };
    }

    fn play_tremolo(&mut self, first: bool, rules: ItRules, random: &mut Random) {
        let lfo = &mut self.tremolo;
        let moves = !first || !rules.old_effects;
        if moves && rules.lfo == LfoModel::ImpulseTracker {
            lfo.advance();
        }
        let value = match rules.lfo {
            LfoModel::ImpulseTracker => lfo.impulse_tracker(random),
            LfoModel::ModPlug => lfo.modplug(random),
        };
        self.note.tremolo = (value * i32::from(lfo.depth)) >> 6;
        if moves && rules.lfo == LfoModel::ModPlug {
            lfo.advance();
        }
    }

    fn play_tremor(&mut self, rules: ItRules) {
        if !self.note.voice.is_sounding() {
            return;
        }
        let (on, off) = nibbles(self.memory.tremor);
        let more = u8::from(rules.old_effects);
        let [on, off] = [on, off].map(|ticks| (ticks + more).max(1));
        self.note.is_silenced = !self.tremor.step(on, off);
        self.note.voice.jump();
    }

    fn arpeggiate(&mut self, tick: u32, rules: ItRules) {
        let above = Arpeggio::new(self.memory.arpeggio).at(tick).unwrap_or(0);
        if rules.arpeggio_plays_notes {
            let note = &mut self.note;
            if above > 0 && note.hz > 0.0 {
                note.ratio *= rules.note_hz(note.sounding + i32::from(above), note.c4_rate) / note.hz;
            }
            return;
        }
        self.note.ratio *= (f64::from(above) / 12.0).exp2();
    }

    fn slide_channel_volume(&mut self, first: bool) {
        let by = slide(self.memory.channel_slide, first);
        self.channel_volume = (self.channel_volume + by).clamp(0, 64);
    }

    fn slide_pan(&mut self, first: bool) {
        // Up is to the left.
        let by = -4 * slide(self.memory.pan_slide, first);
        if by != 0 && !self.note.is_surround {
            self.set_pan(self.note.pan + by);
        }
    }

    fn offset(&mut self, score: &Score, rules: ItRules) {
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

    fn play_retrigger(&mut self, score: &Score, first: bool, rules: ItRules) {
        let (change, every) = nibbles(self.memory.retrigger);
        let (every, begins) = (every.max(1), self.was_played);
        let resumes = rules.retrigger_waits && first && !begins;
        if !self.retrigger.modplug(every, begins, resumes) {
            return;
        }
        self.note.volume = retriggered_volume(self.note.volume, change);
        if let Some(sample) = self.note.sample.filter(|_| self.note.voice.is_sounding()) {
            self.note.voice.restart(score, sample, 0);
        }
    }
}
