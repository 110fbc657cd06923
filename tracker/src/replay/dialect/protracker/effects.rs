use song::module::{Effect, EffectCommand};

use super::channel::{ModChannel, signed};
use super::rules::Rules;
use crate::replay::dialect::slides::{nibbles, towards};
use crate::replay::period::{AMIGA_NOTES, amiga_period};
use crate::replay::score::Score;
use crate::replay::transport::Transport;

impl ModChannel {
    /// What effects do in the first tick of a row.
    pub(super) fn first_tick(&mut self, score: &Score, transport: &mut Transport, rules: Rules) {
        let Effect { command, parameter } = self.effect;
        match command {
            EffectCommand::SetPanning => {
                if rules.is_original {
                    self.keep_pitch();
                } else {
                    self.set_pan(parameter);
                }
            }
            EffectCommand::SampleOffset => {
                if rules.is_original || !self.has_note {
                    self.set_offset();
                }
            }
            EffectCommand::PositionJump => {
                (transport.jump, transport.break_row) = (Some(parameter.into()), None);
            }
            EffectCommand::SetVolume => {
                self.volume = parameter.min(64).into();
                self.heard_volume = self.volume;
            }
            EffectCommand::PatternBreak => {
                let (tens, ones) = nibbles(parameter);
                let row = usize::from(tens) * 10 + usize::from(ones);
                transport.break_row = Some(if row > 63 || rules.is_noisetracker { 0 } else { row });
            }
            EffectCommand::Extended => self.extended_tick(score, transport, rules),
            EffectCommand::SpeedOrTempo => match parameter {
                0 => transport.end(),
                1..32 => transport.speed = parameter.into(),
                32.. => transport.tempo = parameter.into(),
            },
            // They act in the other ticks.
            EffectCommand::Arpeggio
            | EffectCommand::PortamentoUp
            | EffectCommand::PortamentoDown
            | EffectCommand::TonePortamento
            | EffectCommand::Vibrato
            | EffectCommand::TonePortamentoVolumeSlide
            | EffectCommand::VibratoVolumeSlide
            | EffectCommand::Tremolo
            | EffectCommand::VolumeSlide => self.keep_pitch(),
            // The format has no number for them.
            EffectCommand::Speed
            | EffectCommand::Tempo
            | EffectCommand::GlobalVolume
            | EffectCommand::GlobalVolumeSlide
            | EffectCommand::KeyOff
            | EffectCommand::EnvelopePosition
            | EffectCommand::PanSlide
            | EffectCommand::Retrigger
            | EffectCommand::Tremor
            | EffectCommand::ExtraFinePortamento
            | EffectCommand::ChannelVolume
            | EffectCommand::ChannelVolumeSlide
            | EffectCommand::FineVibrato
            | EffectCommand::Panbrello
            | EffectCommand::Macro
            | EffectCommand::Unknown(_) => self.keep_pitch(),
        }
    }

    /// Lets the pitch be heard as it is without an effect, unless a note begins in this row.
    fn keep_pitch(&mut self) {
        if !self.has_note || self.slides_to_note() {
            self.heard_period = self.period;
        }
    }

    /// What effects do in the other ticks, the first of a repeated row included.
    pub(super) fn between(&mut self, score: &Score, transport: &mut Transport, rules: Rules) {
        let Effect { command, parameter } = self.effect;
        match command {
            EffectCommand::Arpeggio => self.arpeggiate(transport.tick, rules),
            EffectCommand::PortamentoUp => self.slide_period(-i32::from(parameter), rules),
            EffectCommand::PortamentoDown => self.slide_period(parameter.into(), rules),
            EffectCommand::TonePortamento => {
                if parameter > 0 {
                    self.tone_speed = parameter;
                }
                self.slide_to_target();
            }
            EffectCommand::Vibrato => {
                self.vibrato.set(parameter);
                self.play_vibrato();
            }
            EffectCommand::TonePortamentoVolumeSlide => {
                self.slide_to_target();
                self.slide_volume(parameter);
            }
            EffectCommand::VibratoVolumeSlide => {
                self.play_vibrato();
                self.slide_volume(parameter);
            }
            EffectCommand::Tremolo => {
                self.heard_period = self.period;
                self.tremolo.set(parameter);
                self.play_tremolo();
            }
            EffectCommand::VolumeSlide => {
                self.heard_period = self.period;
                self.slide_volume(parameter);
            }
            EffectCommand::Extended => self.extended_tick(score, transport, rules),
            // They act in the first tick.
            EffectCommand::SetPanning
            | EffectCommand::SampleOffset
            | EffectCommand::PositionJump
            | EffectCommand::SetVolume
            | EffectCommand::PatternBreak
            | EffectCommand::SpeedOrTempo => self.heard_period = self.period,
            // The format has no number for them.
            EffectCommand::Speed
            | EffectCommand::Tempo
            | EffectCommand::GlobalVolume
            | EffectCommand::GlobalVolumeSlide
            | EffectCommand::KeyOff
            | EffectCommand::EnvelopePosition
            | EffectCommand::PanSlide
            | EffectCommand::Retrigger
            | EffectCommand::Tremor
            | EffectCommand::ExtraFinePortamento
            | EffectCommand::ChannelVolume
            | EffectCommand::ChannelVolumeSlide
            | EffectCommand::FineVibrato
            | EffectCommand::Panbrello
            | EffectCommand::Macro
            | EffectCommand::Unknown(_) => self.heard_period = self.period,
        }
    }

    fn arpeggiate(&mut self, tick: u32, rules: Rules) {
        let (second, third) = nibbles(self.effect.parameter);
        self.heard_period = match tick % 3 {
            _ if self.effect.parameter == 0 => self.period,
            0 => self.period,
            1 => self.above(second, rules),
            _ => self.above(third, rules),
        };
    }

    fn extended_tick(&mut self, score: &Score, transport: &mut Transport, rules: Rules) {
        let (what, value) = nibbles(self.effect.parameter);
        let (tick, first) = (transport.tick, transport.tick == 0);
        match what {
            1 if first => self.slide_period(-i32::from(value), rules),
            2 if first => self.slide_period(value.into(), rules),
            3 => self.glissando = value > 0,
            4 => self.vibrato.wave = value,
            5 => self.finetune = signed(value),
            6 if first => {
                if value == 0 {
                    self.pattern_loop.start = transport.row;
                } else if let Some(row) = self.pattern_loop.turn(value.into()) {
                    transport.loop_row = Some(row);
                }
            }
            7 => self.tremolo.wave = value,
            8 if first && !rules.is_original => self.set_pan(value * 17),
            9 if value > 0 && !(first && self.has_note) && tick % u32::from(value) == 0 => {
                self.trigger(score);
            }
            0xA if first => self.add_volume(value.into()),
            0xB if first => self.add_volume(-i32::from(value)),
            0xC if tick == u32::from(value) => {
                self.volume = 0;
                self.heard_volume = 0;
            }
            0xD if tick == u32::from(value) && self.has_note => self.trigger(score),
            0xE if transport.is_row_start() => transport.row_delay = Some(value.into()),
            0xF if first => self.inversion.speed = value,
            _ => {}
        }
    }

    fn add_volume(&mut self, by: i32) {
        self.volume = (self.volume + by).clamp(0, 64);
        self.heard_volume = self.volume;
    }

    fn slide_period(&mut self, by: i32, rules: Rules) {
        if self.period == 0 {
            return;
        }
        let (lowest, highest) = if rules.is_original { (113, 856) } else { (14, 6848) };
        self.period = (self.period + by).clamp(lowest, highest);
        self.heard_period = self.period;
    }

    fn slide_to_target(&mut self) {
        if self.target == 0 {
            return;
        }
        self.period = towards(self.period, self.target, self.tone_speed.into());
        if self.period == self.target {
            self.target = 0;
        }
        self.heard_period = self.period;
        if self.glissando {
            let note = (0..AMIGA_NOTES).find(|note| self.period >= amiga_period(*note, self.finetune));
            self.heard_period = amiga_period(note.unwrap_or(AMIGA_NOTES - 1), self.finetune);
        }
    }

    fn slide_volume(&mut self, parameter: u8) {
        let by = match nibbles(parameter) {
            (0, down) => -i32::from(down),
            (up, _) => up.into(),
        };
        self.add_volume(by);
    }

    fn play_vibrato(&mut self) {
        let value = self.vibrato.pro_tracker(self.vibrato.position);
        self.heard_period = self.period + value * i32::from(self.vibrato.depth) / 128;
        self.vibrato.advance();
    }

    fn play_tremolo(&mut self) {
        let value = self.tremolo.pro_tracker(self.vibrato.position);
        let volume = self.volume + value * i32::from(self.tremolo.depth) / 64;
        self.heard_volume = volume.clamp(0, 64);
        self.tremolo.advance();
    }
}
