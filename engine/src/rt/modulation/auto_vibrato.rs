use std::f32::consts::TAU;

use song::module::{Dialect, Vibrato, VibratoSweep, Wave};

/// Where a voice is in its own vibrato.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AutoVibrato {
    /// Ticks since it began.
    ticks: u32,
    /// What chance goes by.
    seed: u32,
}

impl AutoVibrato {
    pub(super) const fn new(seed: u32) -> Self {
        Self { ticks: 0, seed }
    }

    pub(super) const fn step(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
    }

    /// Semitones above its pitch at a part of the tick.
    pub(super) fn at(&self, vibrato: &Vibrato, dialect: Dialect, part: f32) -> f32 {
        // Whole turns are left out while numbers are whole.
        let elapsed = self.ticks.wrapping_mul(vibrato.speed.into()) % 256;
        let phase = (elapsed as f32 + f32::from(vibrato.speed) * part) / 256.0;
        let depth = f32::from(vibrato.depth) * self.grown(vibrato, part);
        self.wave(vibrato.wave, dialect, phase.fract()) * depth / 64.0
    }

    /// How much of its depth it has come to, 0..=1.
    fn grown(&self, vibrato: &Vibrato, part: f32) -> f32 {
        let ticks = self.ticks as f32 + part;
        match vibrato.sweep {
            VibratoSweep::Ticks(0) => 1.0,
            VibratoSweep::Ticks(whole) => (ticks / f32::from(whole)).min(1.0),
            VibratoSweep::Rate(rate) => {
                (ticks * f32::from(rate) / (256.0 * f32::from(vibrato.depth.max(1)))).min(1.0)
            }
        }
    }

    /// −1..=1 at a part of a phase. Impulse Tracker begins its ramp at an end and not in the middle, and its square comes back
    /// to the pitch and does not go below.
    fn wave(&self, wave: Wave, dialect: Dialect, phase: f32) -> f32 {
        let (ramp, low) = match dialect {
            Dialect::ImpulseTracker => (phase, 0.0),
            _ => ((phase + 0.5).fract(), -1.0),
        };
        match wave {
            Wave::Sine => (TAU * phase).sin(),
            Wave::RampUp => 2.0 * ramp - 1.0,
            Wave::RampDown => 1.0 - 2.0 * ramp,
            Wave::Square if phase < 0.5 => 1.0,
            Wave::Square => low,
            Wave::Random => {
                let bits = scattered(self.seed ^ self.ticks.wrapping_mul(0x9E37_79B9));
                (bits >> 8) as f32 / (1 << 23) as f32 - 1.0
            }
        }
    }
}

/// Every bit of the result depends on every bit of the argument.
///
/// Source: Wellons, *Prospecting for Hash Functions*, 2018 (`lowbias32`).
const fn scattered(bits: u32) -> u32 {
    let bits = (bits ^ (bits >> 16)).wrapping_mul(0x7FEB_352D);
    let bits = (bits ^ (bits >> 15)).wrapping_mul(0x846C_A68B);
    bits ^ (bits >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vibrato(wave: Wave, onset: VibratoSweep) -> Vibrato {
        Vibrato { wave, speed: 64, depth: 64, sweep: onset }
    }

    fn walk(vibrato: &Vibrato, count: usize) -> Vec<f32> {
        walk_as(vibrato, Dialect::FastTracker2, count)
    }

    fn walk_as(vibrato: &Vibrato, dialect: Dialect, count: usize) -> Vec<f32> {
        let mut auto_vibrato = AutoVibrato::new(1);
        let mut tick = || {
            let now = auto_vibrato.at(vibrato, dialect, 0.0);
            auto_vibrato.step();
            now
        };
        (0..count).map(|_| tick()).collect()
    }

    fn near(found: &[f32], wanted: &[f32]) {
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-5, "{found} for {wanted}");
        }
    }

    #[test]
    fn a_quarter_of_a_turn_each_tick_comes_back_after_four() {
        let at_once = VibratoSweep::Ticks(0);
        near(&walk(&vibrato(Wave::Sine, at_once), 5), &[0.0, 1.0, 0.0, -1.0, 0.0]);
        near(&walk(&vibrato(Wave::RampUp, at_once), 5), &[0.0, 0.5, -1.0, -0.5, 0.0]);
        near(&walk(&vibrato(Wave::RampDown, at_once), 5), &[0.0, -0.5, 1.0, 0.5, 0.0]);
        near(&walk(&vibrato(Wave::Square, at_once), 5), &[1.0, 1.0, -1.0, -1.0, 1.0]);
    }

    #[test]
    fn impulse_tracker_has_a_ramp_and_a_square_of_its_own() {
        let it = |wave| walk_as(&vibrato(wave, VibratoSweep::Ticks(0)), Dialect::ImpulseTracker, 5);
        near(&it(Wave::RampDown), &[1.0, 0.5, 0.0, -0.5, 1.0]);
        near(&it(Wave::Square), &[1.0, 1.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn its_depth_grows_as_its_dialect_says() {
        let square =
            |onset| walk(&vibrato(Wave::Square, onset), 9).iter().map(|v| v.abs()).collect::<Vec<_>>();
        near(&square(VibratoSweep::Ticks(4)), &[0.0, 0.25, 0.5, 0.75, 1.0, 1.0]);
        // 4096 of 64 × 256 in each tick.
        near(&square(VibratoSweep::Rate(255)), &[0.0, 0.015_56, 0.031_13]);
    }

    #[test]
    fn chance_stays_within_the_depth_and_differs_from_tick_to_tick() {
        let values = walk(&vibrato(Wave::Random, VibratoSweep::Ticks(0)), 100);
        assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)));
        assert!(values.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(values.iter().any(|value| *value > 0.5) && values.iter().any(|value| *value < -0.5));
    }
}
