//! Slides of pitch and volume.

use super::channel::{Direction, XmChannel};
use super::rules::Rules;
use crate::replay::dialect::slides::nibbles;

/// Slides that happen once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slide {
    FineUp,
    FineDown,
    ExtraFineUp,
    ExtraFineDown,
}

impl XmChannel {
    pub(super) fn slide_to_target(&mut self, rules: Rules) {
        match self.direction {
            Direction::None => return,
            Direction::Up => {
                self.period -= self.tone_speed;
                if self.period <= self.target {
                    (self.period, self.direction) = (self.target, Direction::Down);
                }
            }
            Direction::Down => {
                self.period += self.tone_speed;
                if self.period >= self.target {
                    (self.period, self.direction) = (self.target, Direction::Down);
                }
            }
        }
        self.heard_period =
            if self.glissando { self.nearest_note(self.period, 0, rules) } else { self.period };
    }

    /// Periods are 16 bits, and the tracker compares them as if they had a sign: what slides beyond 32767 in one step
    /// wraps around.
    pub(super) fn slide_period(&mut self, by: i32) {
        let period = (self.period + by) as u16;
        self.period = match period as i16 {
            32_000.. if by > 0 => 31_999,
            ..1 if by < 0 => 1,
            _ => period.into(),
        };
        self.heard_period = self.period;
    }

    pub(super) fn slide_once(&mut self, by: u8, slide: Slide) {
        let (memory, factor) = match slide {
            Slide::FineUp => (&mut self.memory.fine_up, -4),
            Slide::FineDown => (&mut self.memory.fine_down, 4),
            Slide::ExtraFineUp => (&mut self.memory.extra_fine_up, -1),
            Slide::ExtraFineDown => (&mut self.memory.extra_fine_down, 1),
        };
        if by > 0 {
            *memory = by;
        }
        let by = factor * i32::from(*memory);
        self.slide_period(by);
    }

    pub(super) fn slide_volume(&mut self, parameter: u8) {
        if parameter > 0 {
            self.memory.volume_slide = parameter;
        }
        let by = match nibbles(self.memory.volume_slide) {
            (0, down) => -i32::from(down),
            (up, _) => up.into(),
        };
        self.set_volume(self.volume + by);
    }
}
