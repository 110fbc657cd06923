use song::Key;

use super::S3mRules;
use super::channel::S3mChannel;
use crate::replay::dialect::slides::towards;
use crate::replay::flow::Clock;
use crate::replay::nibbles::nibbles;
use crate::replay::period::S3M_PARTS;
use crate::replay::random::Random;

impl S3mChannel {
    pub(super) fn slide_volume(&mut self, memory: u8, first: bool, rules: S3mRules) {
        let (up, down) = nibbles(memory);
        let is_slide = !first || rules.fast_slides;
        let by = match (up, down) {
            // As far as can be, and in the first tick as well.
            (0, 15) => -15,
            (15, 0) => 15,
            (up, 15) => i32::from(up) * i32::from(first),
            (15, down @ 1..) => -i32::from(down) * i32::from(first),
            (up, 0) if is_slide => i32::from(up),
            (_, down) if is_slide => -i32::from(down),
            _ => 0,
        };
        self.volume = (self.volume + by).clamp(0, 64);
    }

    pub(super) fn slide_pitch(&mut self, memory: u8, sign: i32, first: bool, rules: S3mRules) {
        if self.period == 0 {
            return;
        }
        let by = match (memory, first) {
            (0xF0.., true) => 4 * i32::from(memory & 15),
            (0xE0..=0xEF, true) => i32::from(memory & 15),
            (0..=0xDF, false) => 4 * i32::from(memory),
            _ => return,
        };
        self.period += sign * by * S3M_PARTS;
        if self.period <= 0 {
            self.period = 0;
            self.cut();
        } else {
            self.period = rules.limited(self.period);
        }
    }

    /// Continues the vibrato, and slides the volume.
    pub(super) fn vibrato_volume_slide(
        &mut self,
        memory: u8,
        clock: Clock,
        rules: S3mRules,
        random: &mut Random,
    ) {
        self.play_vibrato(0, 5, clock, random);
        self.slide_volume_along(memory, clock.tick == 0, rules);
    }

    /// Continues the tone portamento, and slides the volume.
    pub(super) fn tone_portamento_volume_slide(&mut self, memory: u8, first: bool, rules: S3mRules) {
        self.tone_portamento(0, first, rules);
        self.slide_volume_along(memory, first, rules);
    }

    /// Slides the volume along with a vibrato or a tone portamento.
    fn slide_volume_along(&mut self, memory: u8, first: bool, rules: S3mRules) {
        if !first || !rules.is_original {
            self.slide_volume(memory, first, rules);
        }
    }

    /// Returns what a slide of the global volume adds.
    pub(super) fn global_volume_slide(&mut self, parameter: u8, first: bool) -> i32 {
        if parameter > 0 {
            self.memory.global_slide = parameter;
        }
        let (up, down) = nibbles(self.memory.global_slide);
        match (up, down, first) {
            (up, 15, true) if up > 0 => i32::from(up),
            (15, down, true) if down > 0 => -i32::from(down),
            (up, 0, false) => i32::from(up),
            (0, down, false) => -i32::from(down),
            _ => 0,
        }
    }

    pub(super) fn tone_portamento(&mut self, parameter: u8, first: bool, rules: S3mRules) {
        if first && parameter > 0 {
            self.tone.speed = parameter;
        }
        if !first {
            self.slide_to_target(rules);
        }
    }

    fn slide_to_target(&mut self, rules: S3mRules) {
        if self.tone.target > 0 && self.period > 0 {
            self.period = towards(self.period, self.tone.target, 4 * S3M_PARTS * i32::from(self.tone.speed));
            if self.tone.is_stepped {
                let period = |key| rules.note_period(key, self.c4_rate);
                let middle = Key::C4.get().into();
                let above = 12.0 * (f64::from(period(middle)) / f64::from(self.period)).log2();
                self.heard.semitone = Some(period(middle + above.round() as i32));
            }
        }
    }
}
