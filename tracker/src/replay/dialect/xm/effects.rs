use song::module::{Cell, Effect, EffectCommand, Note, VolumeCommand};

use super::XmProcessor;
use super::channel::{Direction, RowCell, XmChannel};
use super::rules::{Rules, TremorRule};
use super::slides::Slide;
use crate::replay::dialect::slides::{NO_EFFECT, nibbles, retriggered_volume};
use crate::replay::flow::{Clock, Pace, RowFlow};
use crate::replay::score::Score;

/// Steps of an arpeggio by the ticks that are left of a row.
const ARPEGGIO_STEPS: [u8; 16] = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0];

/// The number of a released key in the note column.
const OFF: u8 = 97;

impl RowCell {
    fn new(cell: &Cell) -> Self {
        Self {
            note: cell.note,
            has_instrument: cell.instrument.is_some_and(|number| number > 0),
            // A stored 0 is an empty column.
            volume: cell.volume.filter(|volume| *volume != VolumeCommand::Unknown(0)),
            effect: cell.effect.unwrap_or(NO_EFFECT),
        }
    }

    /// Returns the note's number, 0 if there is none and 97 for a released key.
    fn note(&self) -> u8 {
        match self.note {
            // The keys that a cell of the format can say.
            Note::Key(key) if (12..=107).contains(&key.get()) => key.get() - 11,
            Note::Off => OFF,
            _ => 0,
        }
    }

    const fn is_vibrato(&self) -> bool {
        matches!(self.effect.command, EffectCommand::Vibrato | EffectCommand::VibratoVolumeSlide)
    }

    /// Returns the four bits of an extended effect and its value, if the cell has that.
    const fn extended(&self) -> Option<(u8, u8)> {
        match self.effect {
            Effect { command: EffectCommand::Extended, parameter } => Some(nibbles(parameter)),
            _ => None,
        }
    }
}

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
        channel.column_first();
        let Effect { command, parameter } = channel.cell.effect;
        match command {
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
            EffectCommand::Extended => return channel.extended_first(clock, parameter),
            EffectCommand::SpeedOrTempo => return Some(RowFlow::speed_or_tempo(parameter)),
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
            | EffectCommand::Macro
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
            EffectCommand::Vibrato => {
                channel.vibrato.set(parameter);
                channel.play_vibrato(rules);
            }
            EffectCommand::TonePortamentoVolumeSlide => {
                channel.slide_to_target(rules);
                channel.slide_volume(parameter);
            }
            EffectCommand::VibratoVolumeSlide => {
                channel.play_vibrato(rules);
                channel.slide_volume(parameter);
            }
            EffectCommand::Tremolo => {
                channel.tremolo.set(parameter);
                channel.play_tremolo(rules);
            }
            EffectCommand::VolumeSlide => channel.slide_volume(parameter),
            EffectCommand::Extended => channel.extended_between(score, tick, parameter, rules),
            EffectCommand::GlobalVolumeSlide => {
                let by = channel.global_volume_slide(parameter);
                self.global_volume = (self.global_volume + by).clamp(0, 64);
            }
            EffectCommand::KeyOff => {
                if tick == u32::from(parameter & 31) {
                    channel.key_off(score);
                }
            }
            EffectCommand::PanSlide => channel.slide_pan(parameter),
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
            | EffectCommand::ExtraFinePortamento => {}
            // The format has no number for them.
            EffectCommand::Speed
            | EffectCommand::Tempo
            | EffectCommand::ChannelVolume
            | EffectCommand::ChannelVolumeSlide
            | EffectCommand::FineVibrato
            | EffectCommand::Panbrello
            | EffectCommand::Macro
            | EffectCommand::Unknown(_) => {}
        }
    }
}

impl XmChannel {
    /// Takes the cell of a new row; vibratos of the row before end unless it goes on with them.
    fn begin_row(&mut self, row: RowCell, rules: Rules) {
        let before = self.cell;
        let ends = match before.effect.command {
            EffectCommand::Arpeggio => before.effect.parameter > 0,
            _ => before.is_vibrato() && !row.is_vibrato(),
        };
        if ends {
            self.heard_period = self.period;
        }
        if rules.ends_lfos {
            self.end_lfos(&row, rules);
        }
        self.cell = row;
    }

    /// Plays note and instrument of the cell.
    fn play(&mut self, score: &Score, has_instrument: bool, rules: Rules) {
        let Effect { command, parameter } = self.cell.effect;
        let note = self.cell.note();
        if self.cell.extended() != Some((9, 0)) {
            if let Some(VolumeCommand::TonePortamento(speed)) = self.cell.volume {
                if speed > 0 {
                    self.tone_speed = i32::from(speed) * 64;
                }
                return self.aim(score, note, has_instrument, rules);
            }
            if matches!(command, EffectCommand::TonePortamento | EffectCommand::TonePortamentoVolumeSlide) {
                if command == EffectCommand::TonePortamento && parameter > 0 {
                    self.tone_speed = i32::from(parameter) * 4;
                }
                return self.aim(score, note, has_instrument, rules);
            }
            if command == EffectCommand::KeyOff && parameter == 0 {
                self.key_off(score);
                if has_instrument {
                    self.reset_volumes();
                }
                return;
            }
            if note == 0 {
                if has_instrument {
                    self.reset_volumes();
                    self.recall_instrument(score, rules);
                }
                return;
            }
        }
        if note == OFF {
            self.note_off(score, rules);
        } else {
            self.begin(score, note, rules);
        }
        if has_instrument {
            self.reset_volumes();
            if note != OFF {
                self.trigger_instrument(score);
            }
        }
    }

    /// Begins a note, with the offset and the finetune of the cell.
    fn begin(&mut self, score: &Score, note: u8, rules: Rules) {
        let Effect { command, parameter } = self.cell.effect;
        let finetune = self.cell.extended().and_then(|(what, value)| (what == 5).then_some(value));
        let mut from = 0;
        if command == EffectCommand::SampleOffset {
            if parameter > 0 {
                self.memory.offset = parameter;
            }
            from = u64::from(self.memory.offset) << 8;
        }
        self.trigger_note(score, note, finetune, from, rules);
    }

    pub(super) fn set_volume(&mut self, volume: i32) {
        self.volume = volume.clamp(0, 64);
        self.heard_volume = self.volume;
    }

    /// Ends vibrato, tremor and tremolo of the row before, unless the row goes on with them.
    fn end_lfos(&mut self, row: &RowCell, rules: Rules) {
        let has_vibrato =
            |row: &RowCell| matches!(row.volume, Some(VolumeCommand::Vibrato(_))) || row.is_vibrato();
        if has_vibrato(&self.cell) && !has_vibrato(row) {
            self.heard_period = self.period;
        }
        if rules.tremor == TremorRule::Counted {
            self.tremor_silences = false;
        }
        let is_tremolo = |row: &RowCell| row.effect.command == EffectCommand::Tremolo;
        if is_tremolo(&self.cell) && !is_tremolo(row) {
            self.heard_volume = self.volume;
        }
    }

    /// Sets the note that a tone portamento goes to, and takes an instrument.
    fn aim(&mut self, score: &Score, note: u8, has_instrument: bool, rules: Rules) {
        if note == OFF {
            self.note_off(score, rules);
        } else if note > 0
            && let Some(target) = self.note_period(i32::from(note) + self.relative, rules)
        {
            self.target = target;
            self.direction = match self.target.cmp(&self.period) {
                std::cmp::Ordering::Equal => Direction::None,
                std::cmp::Ordering::Greater => Direction::Down,
                std::cmp::Ordering::Less => Direction::Up,
            };
        }
        if has_instrument {
            self.reset_volumes();
            if note != OFF {
                self.trigger_instrument(score);
            }
        }
    }

    fn arpeggiate(&mut self, clock: Clock, rules: Rules) {
        let parameter = self.cell.effect.parameter;
        if parameter == 0 {
            return;
        }
        let left = clock.speed.saturating_sub(clock.tick);
        let index = usize::try_from(left).unwrap_or(0);
        // What lies behind the table: a zero, and then numbers that are greater than any step.
        let step = ARPEGGIO_STEPS.get(index).copied().unwrap_or(if index == 16 { 0 } else { 2 });
        let (second, third) = nibbles(parameter);
        self.heard_period = match step {
            0 => self.period,
            1 => self.nearest_note(self.period, second, rules),
            _ => self.nearest_note(self.period, third, rules),
        };
    }

    fn tremor(&mut self, parameter: u8, tick: u32, rules: Rules) {
        if parameter > 0 {
            self.memory.tremor = parameter;
        }
        let (on, off) = nibbles(self.memory.tremor);
        if rules.tremor != TremorRule::Volume && !self.voice.is_sounding() {
            return;
        }
        if rules.tremor == TremorRule::Counted {
            let at = if tick == 0 { self.tremor_ticks.saturating_sub(1) } else { self.tremor_ticks };
            self.tremor_silences = at % (on + off + 2) > on;
            self.tremor_ticks = self.tremor_ticks.wrapping_add(u8::from(tick > 0));
            return;
        }
        if self.tremor_count == 0 {
            self.tremor_is_on = !self.tremor_is_on;
            self.tremor_count = if self.tremor_is_on { on } else { off };
        } else {
            self.tremor_count -= 1;
        }
        match rules.tremor {
            TremorRule::Held => self.tremor_silences = !self.tremor_is_on,
            _ => self.heard_volume = if self.tremor_is_on { self.volume } else { 0 },
        }
    }

    fn extended_first(&mut self, clock: Clock, parameter: u8) -> Option<RowFlow> {
        let (what, value) = nibbles(parameter);
        match what {
            1 => self.slide_once(value, Slide::FineUp),
            2 => self.slide_once(value, Slide::FineDown),
            3 => self.glissando = value > 0,
            4 => self.vibrato.wave = value,
            6 if value == 0 => self.pattern_loop.start = clock.row,
            6 => return self.pattern_loop.turn(value.into()).map(RowFlow::Loop),
            7 => self.tremolo.wave = value,
            0xA => {
                if value > 0 {
                    self.memory.fine_volume_up = value;
                }
                self.set_volume(self.volume + i32::from(self.memory.fine_volume_up));
            }
            0xB => {
                if value > 0 {
                    self.memory.fine_volume_down = value;
                }
                self.set_volume(self.volume - i32::from(self.memory.fine_volume_down));
            }
            0xC if value == 0 => self.set_volume(0),
            0xE => return Some(RowFlow::Delay(value.into())),
            _ => {}
        }
        None
    }

    fn extended_between(&mut self, score: &Score, tick: u32, parameter: u8, rules: Rules) {
        let (what, value) = nibbles(parameter);
        match what {
            9 if value > 0 && tick.is_multiple_of(u32::from(value)) => {
                self.trigger_note(score, 0, None, 0, rules);
                self.trigger_instrument(score);
            }
            0xC if tick == u32::from(value) => self.set_volume(0),
            0xD if tick == u32::from(value) => {
                match self.cell.note() {
                    OFF => self.key_off(score),
                    note => self.trigger_note(score, note, None, 0, rules),
                }
                if self.cell.has_instrument {
                    self.reset_volumes();
                }
                self.trigger_instrument(score);
                self.repeat_column();
            }
            _ => {}
        }
    }

    /// Sets volume or pan of the volume column once more.
    fn repeat_column(&mut self) {
        match self.cell.volume {
            Some(VolumeCommand::Volume(volume)) => self.set_volume(volume.into()),
            // With a released key the tracker forgets it.
            Some(VolumeCommand::Pan(pan)) if self.cell.note() != OFF => self.pan = i32::from(pan) << 4,
            _ => {}
        }
    }

    fn portamento_up(&mut self, parameter: u8, rules: Rules) {
        if parameter > 0 {
            self.memory.up = parameter;
        }
        if rules.shares_portamento {
            self.memory.down = self.memory.up;
        }
        self.slide_period(-4 * i32::from(self.memory.up));
    }

    fn portamento_down(&mut self, parameter: u8, rules: Rules) {
        if parameter > 0 {
            self.memory.down = parameter;
        }
        if rules.shares_portamento {
            self.memory.up = self.memory.down;
        }
        self.slide_period(4 * i32::from(self.memory.down));
    }

    /// Returns what a slide of the global volume adds.
    fn global_volume_slide(&mut self, parameter: u8) -> i32 {
        if parameter > 0 {
            self.memory.global_slide = parameter;
        }
        match nibbles(self.memory.global_slide) {
            (0, down) => -i32::from(down),
            (up, _) => up.into(),
        }
    }

    fn slide_pan(&mut self, parameter: u8) {
        if parameter > 0 {
            self.memory.pan_slide = parameter;
        }
        let by = match nibbles(self.memory.pan_slide) {
            (0, left) => -i32::from(left),
            (right, _) => right.into(),
        };
        self.pan = (self.pan + by).clamp(0, 255);
    }

    /// Takes the parameter of a retrigger, and counts the first tick unless the volume column has something.
    fn retrigger_first(&mut self, score: &Score, parameter: u8, rules: Rules) {
        let (change, every) = nibbles(parameter);
        if every > 0 {
            self.memory.retrigger_every = every;
        }
        if change > 0 {
            self.memory.retrigger_change = change;
        }
        if self.cell.volume.is_none() {
            self.retrigger_multiple(score, rules);
        }
    }

    fn retrigger_multiple(&mut self, score: &Score, rules: Rules) {
        self.retrigger_count += 1;
        if self.retrigger_count < self.memory.retrigger_every {
            return;
        }
        self.retrigger_count = 0;
        self.set_volume(retriggered_volume(self.volume, self.memory.retrigger_change));
        self.repeat_column();
        self.trigger_note(score, 0, None, 0, rules);
    }
}
