//! Slides of pitch, volume and pan.

use super::channel::XmChannel;
use super::memory::PortamentoDirection;
use super::rules::XmRules;
use crate::replay::nibbles::nibbles;

/// Slides that happen once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slide {
    FineUp,
    FineDown,
    ExtraFineUp,
    ExtraFineDown,
}

impl XmChannel {
    pub(super) fn slide_to_target(&mut self, rules: XmRules) {
        let tone = &mut self.tone;
        let (period, has_arrived) = match tone.direction {
            PortamentoDirection::None => return,
            PortamentoDirection::Up => (self.period - tone.speed, self.period - tone.speed <= tone.target),
            PortamentoDirection::Down => (self.period + tone.speed, self.period + tone.speed >= tone.target),
        };
        self.period = period;
        if has_arrived {
            (self.period, tone.direction) = (tone.target, PortamentoDirection::Down);
        }
        self.heard_period =
            if self.tone.is_stepped { self.nearest_note(self.period, 0, rules) } else { self.period };
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

    pub(super) fn portamento_up(&mut self, parameter: u8, rules: XmRules) {
        if parameter > 0 {
            self.memory.up = parameter;
        }
        if rules.shares_portamento {
            self.memory.down = self.memory.up;
        }
        self.slide_period(-4 * i32::from(self.memory.up));
    }

    pub(super) fn portamento_down(&mut self, parameter: u8, rules: XmRules) {
        if parameter > 0 {
            self.memory.down = parameter;
        }
        if rules.shares_portamento {
            self.memory.up = self.memory.down;
        }
        self.slide_period(4 * i32::from(self.memory.down));
    }

    /// Returns what a slide of the global volume adds.
    pub(super) fn global_volume_slide(&mut self, parameter: u8) -> i32 {
        if parameter > 0 {
            self.memory.global_slide = parameter;
        }
        match nibbles(self.memory.global_slide) {
            (0, down) => -i32::from(down),
            (up, _) => up.into(),
        }
    }

    pub(super) fn slide_pan(&mut self, parameter: u8, rules: XmRules) {
        if parameter > 0 {
            self.memory.pan_slide = parameter;
        }
        let by = match nibbles(self.memory.pan_slide) {
            (0, left) => -rules.pan_step(left),
            (right, _) => rules.pan_step(right),
        };
        self.pan = (self.pan + by).clamp(0, 255);
    }
}
