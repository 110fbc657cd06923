use song::module::{Cell, Dialect, Note};

use super::XmProcessor;
use super::channel::{Direction, RowCell, XmChannel};
use super::rules::{Rules, TremorRule};
use super::slides::Slide;
use crate::replay::dialect::slides::{nibbles, retriggered_volume};
use crate::replay::score::Score;
use crate::replay::transport::Transport;

/// Effects by their numbers.
const ARPEGGIO: u8 = 0;
const TONE_PORTAMENTO: u8 = 3;
const VIBRATO: u8 = 4;
const TONE_PORTAMENTO_SLIDE: u8 = 5;
const VIBRATO_SLIDE: u8 = 6;
const TREMOLO: u8 = 7;
const OFFSET: u8 = 9;
const EXTENDED: u8 = 0xE;
const KEY_OFF: u8 = 20;
const RETRIGGER: u8 = 27;
const TREMOR: u8 = 29;

/// Steps of an arpeggio by the ticks that are left of a row.
const ARPEGGIO_STEPS: [u8; 16] = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0];

impl RowCell {
    fn new(cell: &Cell) -> Self {
        let dialect = Dialect::FastTracker2;
        let (effect, parameter) = cell
            .effect
            .map_or((0, 0), |effect| (effect.command.number(dialect).unwrap_or(u8::MAX), effect.parameter));
        Self {
            note: cell.note,
            has_instrument: cell.instrument.is_some_and(|number| number > 0),
            volume: cell.volume.and_then(|volume| volume.byte(dialect)).unwrap_or(0),
            effect,
            parameter,
        }
    }

    /// Returns the note's number, 0 if there is none and 97 for a released key.
    fn note(&self) -> u8 {
        match self.note {
            // The keys that a cell of the format can say.
            Note::Key(key) if (12..=107).contains(&key.get()) => key.get() - 11,
            Note::Off => 97,
            _ => 0,
        }
    }
}

impl XmProcessor {
    /// Reads a cell, in the first tick of its row.
    pub(super) fn row(&mut self, score: &Score, transport: &mut Transport, index: usize, cell: &Cell) {
        let rules = self.rules;
        let Some(channel) = self.channels.get_mut(index) else { return };
        let before = channel.cell;
        let row = RowCell::new(cell);
        if before.effect == ARPEGGIO {
            if before.parameter > 0 {
                channel.heard_period = channel.period;
            }
        } else if matches!(before.effect, VIBRATO | VIBRATO_SLIDE)
            && !matches!(row.effect, VIBRATO | VIBRATO_SLIDE)
        {
            channel.heard_period = channel.period;
        }
        if rules.ends_swings {
            channel.end_swings(&row, rules);
        }
        channel.cell = row;
        let mut has_instrument = row.has_instrument;
        if let Some(number @ 1..) = cell.instrument {
            if number <= 128 {
                channel.instrument = Some(usize::from(number) - 1);
            } else {
                has_instrument = false;
            }
        }
        let (effect, parameter) = (row.effect, row.parameter);
        if effect == EXTENDED && (0xD1..=0xDF).contains(&parameter) {
            return;
        }
        let retriggers = effect == EXTENDED && parameter == 0x90;
        let note = row.note();
        if !retriggers {
            if row.volume >> 4 == 0xF {
                let speed = row.volume & 15;
                if speed > 0 {
                    channel.tone_speed = i32::from(speed) * 64;
                }
                channel.aim(score, note, has_instrument, rules);
                return self.first_tick(transport, score, index);
            }
            if matches!(effect, TONE_PORTAMENTO | TONE_PORTAMENTO_SLIDE) {
                if effect == TONE_PORTAMENTO && parameter > 0 {
                    channel.tone_speed = i32::from(parameter) * 4;
                }
                channel.aim(score, note, has_instrument, rules);
                return self.first_tick(transport, score, index);
            }
            if effect == KEY_OFF && parameter == 0 {
                channel.key_off(score);
                if has_instrument {
                    channel.reset_volumes();
                }
                return self.first_tick(transport, score, index);
            }
            if note == 0 {
                if has_instrument {
                    channel.reset_volumes();
                    channel.recall_instrument(score, rules);
                }
                return self.first_tick(transport, score, index);
            }
        }
        if note == 97 {
            channel.note_off(score, rules);
        } else {
            let finetune = (effect == EXTENDED && parameter >> 4 == 5).then_some(parameter & 15);
            let mut from = 0;
            if effect == OFFSET {
                if parameter > 0 {
                    channel.memory.offset = parameter;
                }
                from = u64::from(channel.memory.offset) << 8;
            }
            channel.trigger_note(score, note, finetune, from, rules);
        }
        if has_instrument {
            channel.reset_volumes();
            if note != 97 {
                channel.trigger_instrument(score);
            }
        }
        self.first_tick(transport, score, index);
    }

    /// What effects do in the first tick of a row.
    fn first_tick(&mut self, transport: &mut Transport, score: &Score, index: usize) {
        let rules = self.rules;
        let Some(channel) = self.channels.get_mut(index) else { return };
        let value = i32::from(channel.cell.volume & 15);
        match channel.cell.volume {
            volume @ 0x10..=0x50 => {
                channel.set_volume(i32::from(volume) - 0x10);
                channel.voice.jump();
            }
            0x80..=0x8F => channel.set_volume(channel.volume - value),
            0x90..=0x9F => channel.set_volume(channel.volume + value),
            0xA0..=0xAF if value > 0 => channel.vibrato_speed = (value as u8) << 2,
            0xC0..=0xCF => {
                channel.pan = value << 4;
                channel.voice.jump();
            }
            _ => {}
        }
        let (effect, parameter) = (channel.cell.effect, channel.cell.parameter);
        match effect {
            8 => {
                channel.pan = parameter.into();
                channel.voice.jump();
            }
            0xB => {
                transport.jump = Some(parameter.into());
                (transport.break_row, transport.loop_row) = (None, None);
                transport.leaked_row = 0;
            }
            0xC => {
                channel.set_volume(parameter.into());
                channel.voice.jump();
            }
            0xD => {
                let (tens, ones) = nibbles(parameter);
                let row = usize::from(tens) * 10 + usize::from(ones);
                transport.break_row = Some(if row > 63 { 0 } else { row });
                transport.loop_row = None;
            }
            EXTENDED => channel.extended_first(transport, parameter),
            0xF if parameter == 0 => transport.end(),
            0xF if parameter < 32 => transport.speed = parameter.into(),
            0xF => transport.tempo = parameter.into(),
            16 => self.global_volume = parameter.min(64).into(),
            21 => channel.seek_envelopes(score, parameter),
            TREMOR if rules.tremor == TremorRule::Counted => channel.tremor(parameter, 0, rules),
            RETRIGGER => {
                let (change, every) = nibbles(parameter);
                if every > 0 {
                    channel.memory.retrigger_every = every;
                }
                if change > 0 {
                    channel.memory.retrigger_change = change;
                }
                if channel.cell.volume == 0 {
                    channel.retrigger_multiple(score, rules);
                }
            }
            33 => match nibbles(parameter) {
                (1, by) => channel.slide_once(by, Slide::ExtraFineUp),
                (2, by) => channel.slide_once(by, Slide::ExtraFineDown),
                // Of ModPlug Tracker and those after it.
                (6, by) if rules.is_modplug => transport.tick_delay += u32::from(by),
                _ => {}
            },
            _ => {}
        }
    }

    /// What effects do in the other ticks, the first of a repeated row included.
    pub(super) fn between(&mut self, score: &Score, transport: &Transport, index: usize) {
        let rules = self.rules;
        let Some(channel) = self.channels.get_mut(index) else { return };
        let tick = transport.tick;
        let value = i32::from(channel.cell.volume & 15);
        match channel.cell.volume {
            0x60..=0x6F => channel.set_volume(channel.volume - value),
            0x70..=0x7F => channel.set_volume(channel.volume + value),
            0xB0..=0xBF => {
                if value > 0 {
                    channel.vibrato_depth = value as u8;
                }
                channel.swing_pitch(rules);
            }
            // A slide by nothing to the left goes all the way.
            0xD0 => channel.pan = 0,
            0xD1..=0xDF => channel.pan = (channel.pan - value).max(0),
            0xE0..=0xEF => channel.pan = (channel.pan + value).min(255),
            0xF0.. => channel.slide_to_target(rules),
            _ => {}
        }
        let (effect, parameter) = (channel.cell.effect, channel.cell.parameter);
        match effect {
            ARPEGGIO if parameter > 0 => channel.arpeggiate(transport, rules),
            1 => {
                if parameter > 0 {
                    channel.memory.up = parameter;
                }
                if rules.shares_portamento {
                    channel.memory.down = channel.memory.up;
                }
                channel.slide_period(-4 * i32::from(channel.memory.up));
            }
            2 => {
                if parameter > 0 {
                    channel.memory.down = parameter;
                }
                if rules.shares_portamento {
                    channel.memory.up = channel.memory.down;
                }
                channel.slide_period(4 * i32::from(channel.memory.down));
            }
            TONE_PORTAMENTO => channel.slide_to_target(rules),
            VIBRATO => {
                let (speed, depth) = nibbles(parameter);
                if depth > 0 {
                    channel.vibrato_depth = depth;
                }
                if speed > 0 {
                    channel.vibrato_speed = speed << 2;
                }
                channel.swing_pitch(rules);
            }
            TONE_PORTAMENTO_SLIDE => {
                channel.slide_to_target(rules);
                channel.slide_volume(parameter);
            }
            VIBRATO_SLIDE => {
                channel.swing_pitch(rules);
                channel.slide_volume(parameter);
            }
            TREMOLO => {
                let (speed, depth) = nibbles(parameter);
                if depth > 0 {
                    channel.tremolo_depth = depth;
                }
                if speed > 0 {
                    channel.tremolo_speed = speed << 2;
                }
                channel.swing_volume(rules);
            }
            0xA => channel.slide_volume(parameter),
            EXTENDED => channel.extended(score, tick, parameter, rules),
            17 => {
                if parameter > 0 {
                    channel.memory.global_slide = parameter;
                }
                let by = match nibbles(channel.memory.global_slide) {
                    (0, down) => -i32::from(down),
                    (up, _) => up.into(),
                };
                self.global_volume = (self.global_volume + by).clamp(0, 64);
            }
            KEY_OFF if tick == u32::from(parameter & 31) => channel.key_off(score),
            25 => {
                if parameter > 0 {
                    channel.memory.pan_slide = parameter;
                }
                let by = match nibbles(channel.memory.pan_slide) {
                    (0, left) => -i32::from(left),
                    (right, _) => right.into(),
                };
                channel.pan = (channel.pan + by).clamp(0, 255);
            }
            RETRIGGER => channel.retrigger_multiple(score, rules),
            TREMOR => channel.tremor(parameter, tick, rules),
            _ => {}
        }
    }
}

impl XmChannel {
    pub(super) fn set_volume(&mut self, volume: i32) {
        self.volume = volume.clamp(0, 64);
        self.heard_volume = self.volume;
    }

    /// Ends what the row before has left to swing, unless a row goes on with it.
    fn end_swings(&mut self, row: &RowCell, rules: Rules) {
        let swings_pitch =
            |row: &RowCell| row.volume >> 4 == 0xB || matches!(row.effect, VIBRATO | VIBRATO_SLIDE);
        if swings_pitch(&self.cell) && !swings_pitch(row) {
            self.heard_period = self.period;
        }
        if rules.tremor == TremorRule::Counted {
            self.tremor_silences = false;
        }
        if self.cell.effect == TREMOLO && row.effect != TREMOLO {
            self.heard_volume = self.volume;
        }
    }

    /// Sets the note that a tone portamento goes to, and takes an instrument.
    fn aim(&mut self, score: &Score, note: u8, has_instrument: bool, rules: Rules) {
        if note == 97 {
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
            if note != 97 {
                self.trigger_instrument(score);
            }
        }
    }

    fn arpeggiate(&mut self, transport: &Transport, rules: Rules) {
        let left = transport.speed.saturating_sub(transport.tick);
        let index = usize::try_from(left).unwrap_or(0);
        // What lies behind the table: a zero, and then numbers that are greater than any step.
        let step = ARPEGGIO_STEPS.get(index).copied().unwrap_or(if index == 16 { 0 } else { 2 });
        let (second, third) = nibbles(self.cell.parameter);
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

    fn extended_first(&mut self, transport: &mut Transport, parameter: u8) {
        let (what, value) = nibbles(parameter);
        match what {
            1 => self.slide_once(value, Slide::FineUp),
            2 => self.slide_once(value, Slide::FineDown),
            3 => self.glissando = value > 0,
            4 => self.vibrato_wave = value,
            6 if value == 0 => self.pattern_loop.start = transport.row,
            6 => {
                if let Some(row) = self.pattern_loop.turn(value.into()) {
                    if transport.jump.is_some() || transport.break_row.is_some() {
                        transport.break_row = Some(row);
                    } else {
                        transport.loop_row = Some(row);
                    }
                    // The next pattern begins there, unless something else is said until then.
                    transport.leaked_row = row;
                }
            }
            7 => self.tremolo_wave = value,
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
            0xE => transport.row_delay = Some(value.into()),
            _ => {}
        }
    }

    fn extended(&mut self, score: &Score, tick: u32, parameter: u8, rules: Rules) {
        let (what, value) = nibbles(parameter);
        match what {
            9 if value > 0 && tick.is_multiple_of(u32::from(value)) => {
                self.trigger_note(score, 0, None, 0, rules);
                self.trigger_instrument(score);
            }
            0xC if tick == u32::from(value) => self.set_volume(0),
            0xD if tick == u32::from(value) => {
                match self.cell.note() {
                    97 => self.key_off(score),
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
            volume @ 0x10..=0x50 => self.set_volume(i32::from(volume) - 0x10),
            // Beside a released key the tracker forgets it.
            volume @ 0xC0..=0xCF if self.cell.note() != 97 => self.pan = i32::from(volume & 15) << 4,
            _ => {}
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
