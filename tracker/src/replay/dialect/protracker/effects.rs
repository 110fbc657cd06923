use song::module::{Effect, EffectCommand};

use super::channel::{ModChannel, signed};
use super::rules::ModRules;
use crate::replay::dialect::arpeggio::Arpeggio;
use crate::replay::dialect::slides::towards;
use crate::replay::flow::{Clock, RowFlow};
use crate::replay::nibbles::nibbles;
use crate::replay::period::{AMIGA_NOTES, QUARTERS, amiga_period};
use crate::replay::score::Score;

impl ModChannel {
    /// What effects do in the first tick of a row.
    pub(super) fn first_tick(&mut self, score: &Score, clock: Clock, rules: ModRules) -> Option<RowFlow> {
        let Effect { command, parameter } = self.effect;
        match command {
            EffectCommand::SetPanning => {
                if rules.ignores_pans {
                    self.keep_pitch();
                } else if rules.has_narrow_pans {
                    self.set_narrow_pan(parameter);
                } else {
                    self.set_pan(parameter);
                }
            }
            EffectCommand::SampleOffset => {
                if rules.doubles_offsets || !self.has_note {
                    self.set_offset();
                }
            }
            EffectCommand::PositionJump => return Some(RowFlow::Jump(parameter.into())),
            EffectCommand::SetVolume => {
                self.volume = parameter.min(64).into();
                self.heard_volume = self.volume;
            }
            EffectCommand::PatternBreak if rules.is_noisetracker => return Some(RowFlow::Break(0)),
            EffectCommand::PatternBreak => return Some(RowFlow::decimal_break(parameter)),
            EffectCommand::Extended => return self.extended_tick(score, clock, rules),
            EffectCommand::SpeedOrTempo if rules.is_timed_by_vblank && parameter > 0 => {
                return Some(RowFlow::speed(parameter));
            }
            EffectCommand::SpeedOrTempo => return RowFlow::speed_or_tempo(parameter),
            EffectCommand::Vibrato if rules.has_early_lfos => {
                self.vibrato.set(parameter);
                self.hold_vibrato();
            }
            EffectCommand::VibratoVolumeSlide if rules.has_early_lfos => self.hold_vibrato(),
            EffectCommand::Tremolo if rules.has_early_lfos => {
                self.keep_pitch();
                self.tremolo.set(parameter);
                self.hold_tremolo();
            }
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
        None
    }

    /// Lets the pitch be heard as it is without an effect, unless a note begins in this row.
    fn keep_pitch(&mut self) {
        if !self.has_note || self.slides_to_note() {
            self.heard_period = self.period;
        }
    }

    /// What effects do in the other ticks, the first of a repeated row included.
    pub(super) fn between(&mut self, score: &Score, clock: Clock, rules: ModRules) -> Option<RowFlow> {
        let Effect { command, parameter } = self.effect;
        match command {
            EffectCommand::Arpeggio => self.arpeggiate(clock.tick, rules),
            EffectCommand::PortamentoUp => self.slide_period(-i32::from(parameter), rules),
            EffectCommand::PortamentoDown => self.slide_period(parameter.into(), rules),
            EffectCommand::TonePortamento => self.tone_portamento(parameter),
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
            EffectCommand::Extended => return self.extended_tick(score, clock, rules),
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
        None
    }

    fn arpeggiate(&mut self, tick: u32, rules: ModRules) {
        let parameter = self.effect.parameter;
        self.heard_period = match Arpeggio::new(parameter).at(tick).filter(|_| parameter > 0) {
            None => self.period,
            Some(above) => self.above(above, rules),
        };
    }

    fn extended_tick(&mut self, score: &Score, clock: Clock, rules: ModRules) -> Option<RowFlow> {
        let (what, value) = nibbles(self.effect.parameter);
        let (tick, first) = (clock.tick, clock.tick == 0);
        match what {
            1 if first => self.slide_period(-i32::from(value), rules),
            2 if first => self.slide_period(value.into(), rules),
            3 => self.glissando = value > 0,
            4 => self.vibrato.wave = value,
            5 => self.finetune = signed(value),
            6 if first && value == 0 => self.pattern_loop.start = clock.row,
            6 if first => return self.pattern_loop.turn(value.into()).map(RowFlow::Loop),
            7 => self.tremolo.wave = value,
            8 if first => self.set_pan(value * 17),
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
            0xE if clock.is_row_start() => return Some(RowFlow::Delay(value.into())),
            0xF if first => self.inversion.speed = value,
            _ => {}
        }
        None
    }

    fn add_volume(&mut self, by: i32) {
        self.volume = (self.volume + by).clamp(0, 64);
        self.heard_volume = self.volume;
    }

    fn slide_period(&mut self, by: i32, rules: ModRules) {
        if self.period == 0 {
            return;
        }
        let limits = self.limits(rules);
        self.period = (self.period + by * QUARTERS).clamp(*limits.start(), *limits.end());
        self.heard_period = self.period;
    }

    fn tone_portamento(&mut self, parameter: u8) {
        if parameter > 0 {
            self.tone_speed = parameter;
        }
        self.slide_to_target();
    }

    fn slide_to_target(&mut self) {
        if self.target == 0 {
            return;
        }
        self.period = towards(self.period, self.target, i32::from(self.tone_speed) * QUARTERS);
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

    /// Plays a tick of the vibrato around the period.
    fn play_vibrato(&mut self) {
        self.hold_vibrato();
        self.vibrato.advance();
    }

    /// Plays the vibrato where it is.
    fn hold_vibrato(&mut self) {
        let value = self.vibrato.pro_tracker(self.vibrato.position) / 2;
        self.heard_period = self.period + value * QUARTERS * i32::from(self.vibrato.depth) / 64;
    }

    /// Plays a tick of the tremolo around the volume.
    fn play_tremolo(&mut self) {
        self.hold_tremolo();
        self.tremolo.advance();
    }

    /// Plays the tremolo where it is.
    fn hold_tremolo(&mut self) {
        let value = self.tremolo.pro_tracker(self.vibrato.position);
        let volume = self.volume + value * i32::from(self.tremolo.depth) / 64;
        self.heard_volume = volume.clamp(0, 64);
    }
}
