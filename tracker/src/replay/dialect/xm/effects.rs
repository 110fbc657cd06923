//! What effects do, tick by tick.

use song::module::{Cell, Effect, EffectCommand, VolumeCommand};

use super::XmProcessor;
use super::channel::XmChannel;
use super::row_cell::RowCell;
use super::rules::{ArpeggioRule, TremorRule, XmRules};
use super::slides::Slide;
use crate::replay::dialect::arpeggio::Arpeggio;
use crate::replay::dialect::retrigger::retriggered_volume;
use crate::replay::flow::{Clock, Pace, RowFlow};
use crate::replay::nibbles::nibbles;
use crate::replay::score::Score;

impl XmProcessor {
    /// Reads a cell, in the first tick of its row.
    pub(super) fn row(&mut self, score: &Score, clock: Clock, index: usize, cell: &Cell) -> Option<RowFlow> {
        let channel = self.channels.get_mut(index)?;
        channel.begin_row(RowCell::new(cell), self.rules);
        let mut has_instrument = channel.cell.has_instrument;
        if let Some(number @ 1..) = cell.instrument {
            if number <= 128 {
                channel.instrument = Some(usize::from(number) - 1);
            } else {
                has_instrument = false;
            }
        }
        // A delayed note waits with all that stands in its cell.
        if matches!(channel.cell.extended(), Some((0xD, 1..))) {
            return None;
        }
        channel.play(score, has_instrument, self.rules);
        self.first_tick(score, clock, index)
    }

    /// What effects do in the first tick of a row.
    fn first_tick(&mut self, score: &Score, clock: Clock, index: usize) -> Option<RowFlow> {
        let rules = self.rules;
        let channel = self.channels.get_mut(index)?;
        channel.column_first(rules);
        let Effect { command, parameter } = channel.cell.effect;
        match command {
            EffectCommand::Vibrato | EffectCommand::VibratoVolumeSlide if rules.has_early_vibrato => {
                if command == EffectCommand::Vibrato {
                    channel.vibrato.set(parameter);
                }
                channel.hold_vibrato(rules);
            }
            EffectCommand::KeyOff if rules.releases_at_once => channel.release(score),
            EffectCommand::SetPanning => {
                channel.pan = parameter.into();
                channel.voice.jump();
            }
            EffectCommand::PositionJump => return Some(RowFlow::Jump(parameter.into())),
            EffectCommand::SetVolume => {
                channel.set_volume(parameter.into());
                channel.voice.jump();
            }
            EffectCommand::PatternBreak => return Some(RowFlow::decimal_break(parameter)),
            EffectCommand::Extended if parameter >> 4 == 6 => {
                return self.turn_loop(clock, index, parameter & 15);
            }
            EffectCommand::Extended => return channel.extended_first(parameter),
            EffectCommand::SpeedOrTempo => return RowFlow::speed_or_tempo(parameter),
            EffectCommand::GlobalVolume => self.global_volume = parameter.min(64).into(),
            EffectCommand::EnvelopePosition => channel.seek_envelopes(score, parameter),
            EffectCommand::Tremor => {
                if rules.tremor == TremorRule::Counted {
                    channel.tremor(parameter, 0, rules);
                }
            }
            EffectCommand::Retrigger => channel.retrigger_first(score, parameter, rules),
            EffectCommand::ExtraFinePortamento => match nibbles(parameter) {
                (1, by) => channel.slide_once(by, Slide::ExtraFineUp),
                (2, by) => channel.slide_once(by, Slide::ExtraFineDown),
                // Of ModPlug Tracker and those after it.
                (6, by) if rules.is_modplug => return Some(RowFlow::Pace(Pace::Longer(by.into()))),
                _ => {}
            },
            // Of ModPlug Tracker and those after it.
            EffectCommand::Macro => self.play_macro(index, parameter),
            // They act in the other ticks.
            EffectCommand::Arpeggio
            | EffectCommand::PortamentoUp
            | EffectCommand::PortamentoDown
            | EffectCommand::TonePortamento
            | EffectCommand::Vibrato
            | EffectCommand::TonePortamentoVolumeSlide
            | EffectCommand::VibratoVolumeSlide
            | EffectCommand::Tremolo
            | EffectCommand::VolumeSlide
            | EffectCommand::GlobalVolumeSlide
            | EffectCommand::KeyOff
            | EffectCommand::PanSlide => {}
            // They begin the sample, before this.
            EffectCommand::SampleOffset => {}
            // The format has no number for them.
            EffectCommand::Speed
            | EffectCommand::Tempo
            | EffectCommand::ChannelVolume
            | EffectCommand::ChannelVolumeSlide
            | EffectCommand::FineVibrato
            | EffectCommand::Panbrello
            | EffectCommand::Unknown(_) => {}
        }
        None
    }

    /// What effects do in the other ticks, the first of a repeated row included.
    pub(super) fn between(&mut self, score: &Score, clock: Clock, index: usize) {
        let rules = self.rules;
        let Some(channel) = self.channels.get_mut(index) else { return };
        let tick = clock.tick;
        channel.column_between(rules);
        let Effect { command, parameter } = channel.cell.effect;
        match command {
            EffectCommand::Arpeggio => channel.arpeggiate(clock, rules),
            EffectCommand::PortamentoUp => channel.portamento_up(parameter, rules),
            EffectCommand::PortamentoDown => channel.portamento_down(parameter, rules),
            EffectCommand::TonePortamento => channel.slide_to_target(rules),
            EffectCommand::Vibrato => channel.vibrato(parameter, rules),
            EffectCommand::TonePortamentoVolumeSlide => {
                channel.slide_to_target(rules);
                channel.slide_volume(parameter);
            }
            EffectCommand::VibratoVolumeSlide => {
                channel.play_vibrato(rules);
                channel.slide_volume(parameter);
            }
            EffectCommand::Tremolo => channel.tremolo(parameter, rules),
            EffectCommand::VolumeSlide => channel.slide_volume(parameter),
            EffectCommand::Extended => channel.extended_between(score, tick, parameter, rules),
            EffectCommand::GlobalVolumeSlide => {
                let by = channel.global_volume_slide(parameter);
                self.global_volume = (self.global_volume + by).clamp(0, 64);
            }
            EffectCommand::KeyOff => {
                if tick == u32::from(parameter & 31) && !rules.releases_at_once {
                    channel.key_off(score);
                }
            }
            EffectCommand::PanSlide => channel.slide_pan(parameter, rules),
            EffectCommand::Retrigger => channel.retrigger_multiple(score, rules),
            EffectCommand::Tremor => channel.tremor(parameter, tick, rules),
            // They act in the first tick.
            EffectCommand::SetPanning
            | EffectCommand::SampleOffset
            | EffectCommand::PositionJump
            | EffectCommand::SetVolume
            | EffectCommand::PatternBreak
            | EffectCommand::SpeedOrTempo
            | EffectCommand::GlobalVolume
            | EffectCommand::EnvelopePosition
            | EffectCommand::ExtraFinePortamento
            | EffectCommand::Macro => {}
            // The format has no number for them.
            EffectCommand::Speed
            | EffectCommand::Tempo
            | EffectCommand::ChannelVolume
            | EffectCommand::ChannelVolumeSlide
            | EffectCommand::FineVibrato
            | EffectCommand::Panbrello
            | EffectCommand::Unknown(_) => {}
        }
    }
}

impl XmChannel {
    pub(super) fn set_volume(&mut self, volume: i32) {
        self.volume = volume.clamp(0, 64);
        self.heard_volume = self.volume;
    }

    fn vibrato(&mut self, parameter: u8, rules: XmRules) {
        self.vibrato.set(parameter);
        self.play_vibrato(rules);
    }

    fn tremolo(&mut self, parameter: u8, rules: XmRules) {
        self.tremolo.set(parameter);
        self.play_tremolo(rules);
    }

    fn arpeggiate(&mut self, clock: Clock, rules: XmRules) {
        let parameter = self.cell.effect.parameter;
        if parameter == 0 {
            return;
        }
        let arpeggio = Arpeggio::new(parameter);
        let above = match rules.arpeggio {
            ArpeggioRule::Notes => arpeggio.at(clock.tick),
            _ => arpeggio.at_left(clock.speed.saturating_sub(clock.tick)),
        };
        self.heard_period = match above {
            None => self.period,
            Some(above) => match rules.arpeggio {
                ArpeggioRule::Nearest => self.nearest_note(self.period, above, rules),
                ArpeggioRule::Notes => {
                    let note = i32::from(self.note) + self.tuned.relative + i32::from(above);
                    self.note_period(note, rules).unwrap_or(self.period)
                }
            },
        };
    }

    fn tremor(&mut self, parameter: u8, tick: u32, rules: XmRules) {
        if parameter > 0 {
            self.memory.tremor = parameter;
        }
        let (on, off) = nibbles(self.memory.tremor);
        let (on, off) = (on + 1, off + 1);
        if rules.tremor != TremorRule::Volume && !self.voice.is_sounding() {
            return;
        }
        match rules.tremor {
            TremorRule::Counted => {
                let at = if tick == 0 { self.tremor_ticks.saturating_sub(1) } else { self.tremor_ticks };
                self.is_silenced = at % (on + off) >= on;
                self.tremor_ticks = self.tremor_ticks.wrapping_add(u8::from(tick > 0));
            }
            TremorRule::Held => self.is_silenced = !self.tremor.step(on, off),
            TremorRule::Volume => {
                self.heard_volume = if self.tremor.step(on, off) { self.volume } else { 0 };
            }
        }
    }

    /// Takes the parameter of a retrigger, and counts the first tick unless the volume column has something.
    fn retrigger_first(&mut self, score: &Score, parameter: u8, rules: XmRules) {
        let (change, every) = nibbles(parameter);
        if every > 0 {
            self.memory.retrigger_every = every;
        }
        if change > 0 {
            self.memory.retrigger_change = change;
        }
        // The tracker takes the first digit off a column for volume or pan, and takes what is left of 0 for none.
        if matches!(self.cell.volume, None | Some(VolumeCommand::Volume(0) | VolumeCommand::Pan(0))) {
            self.retrigger_multiple(score, rules);
        }
    }

    fn retrigger_multiple(&mut self, score: &Score, rules: XmRules) {
        if !self.retrigger.fast_tracker(self.memory.retrigger_every) {
            return;
        }
        self.set_volume(retriggered_volume(self.volume, self.memory.retrigger_change));
        self.repeat_column();
        self.trigger_note(score, 0, None, 0, rules);
        if rules.is_modplug {
            self.press();
        }
    }
}
