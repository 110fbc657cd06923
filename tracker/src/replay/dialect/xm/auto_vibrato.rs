use song::module::{Vibrato, VibratoSweep};

use crate::replay::lfo;

/// The vibrato that an instrument has by itself.
///
/// It adds wave × depth / 64 to the period. The depth grows by the sweep in each tick while the key is held; from a
/// release before it is reached, it is one step of the sweep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InstrumentVibrato {
    /// What the depth grows by in each tick, 0 once it is reached.
    sweep: i32,
    depth: i32,
    position: u8,
    /// What it adds to the period in this tick.
    pub(super) added_period: i32,
}

impl InstrumentVibrato {
    pub(super) fn restart(&mut self, vibrato: Vibrato) {
        self.position = 0;
        let depth = i32::from(vibrato.depth) << 8;
        (self.depth, self.sweep) = match vibrato.sweep {
            VibratoSweep::Ticks(ticks) if ticks > 0 => (0, depth / i32::from(ticks)),
            VibratoSweep::Ticks(_) | VibratoSweep::Rate(_) => (depth, 0),
        };
    }

    /// Goes on by a tick of a note whose sample may have a vibrato.
    pub(super) fn step(&mut self, vibrato: Option<Vibrato>, is_held: bool) {
        self.added_period = 0;
        let Some(vibrato) = vibrato else { return };
        let mut depth = self.depth;
        if self.sweep > 0 {
            depth = self.sweep;
            if is_held {
                depth += self.depth;
                let most = i32::from(vibrato.depth);
                if depth >> 8 > most {
                    depth = most << 8;
                    self.sweep = 0;
                }
                self.depth = depth;
            }
        }
        self.position = self.position.wrapping_add(vibrato.speed);
        let value = lfo::fast_tracker_instrument(vibrato.wave, self.position);
        self.added_period = (value * depth) >> 14;
    }
}
