use std::f32::consts::TAU;

use song::PitchLfo;
use song::module::{LfoWave, VibratoSweep};

/// Where a voice is in its own lfo.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AutoVibratoPhase {
    /// Ticks since it began.
    ticks: u32,
    /// Part of a tick that was cut short, 0..1.
    cut: f32,
    /// What chance goes by.
    seed: u32,
}

impl AutoVibratoPhase {
    pub(super) const fn new(seed: u32) -> Self {
        Self { ticks: 0, cut: 0.0, seed }
    }

    pub(super) const fn step(&mut self) {
        self.ticks = self.ticks.wrapping_add(1);
    }

    /// Lets a tick begin at a part of the present one.
    pub(super) fn begin_tick(&mut self, part: f32) {
        self.cut += part;
        if self.cut >= 1.0 {
            self.cut -= 1.0;
            self.step();
        }
    }

    /// Returns the semitones above its pitch at a part of the tick.
    pub(super) fn at(&self, lfo: &PitchLfo, part: f32) -> f32 {
        let part = part + self.cut;
        // Whole turns are left out while numbers are whole.
        let elapsed = self.ticks.wrapping_mul(lfo.speed.into()) % 256;
        let phase = (elapsed as f32 + f32::from(lfo.speed) * part) / 256.0;
        let depth = f32::from(lfo.depth) * self.grown(lfo, part);
        self.wave(lfo, phase.fract()) * depth / 64.0
    }

    /// Returns how much of its depth it has come to, 0..=1.
    fn grown(&self, lfo: &PitchLfo, part: f32) -> f32 {
        let ticks = self.ticks as f32 + part;
        match lfo.sweep {
            VibratoSweep::Ticks(0) => 1.0,
            VibratoSweep::Ticks(whole) => (ticks / f32::from(whole)).min(1.0),
            VibratoSweep::Rate(rate) => {
                (ticks * f32::from(rate) / (256.0 * f32::from(lfo.depth.max(1)))).min(1.0)
            }
        }
    }

    /// Returns the wave at a phase of 0..1, −1..=1.
    fn wave(&self, lfo: &PitchLfo, phase: f32) -> f32 {
        let ramp = (phase + lfo.ramp_phase).fract();
        match lfo.wave {
            LfoWave::Sine => (TAU * phase).sin(),
            LfoWave::RampUp => 2.0 * ramp - 1.0,
            LfoWave::RampDown => 1.0 - 2.0 * ramp,
            LfoWave::Square if phase < 0.5 => 1.0,
            LfoWave::Square => lfo.square_low,
            LfoWave::Random => {
                let bits = scattered(self.seed ^ self.ticks.wrapping_mul(0x9E37_79B9));
                (bits >> 8) as f32 / (1 << 23) as f32 - 1.0
            }
        }
    }
}

/// Scatters bits: every bit of the result depends on every bit of the argument.
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

    fn vibrato(wave: LfoWave, sweep: VibratoSweep) -> PitchLfo {
        PitchLfo { wave, ramp_phase: 0.5, square_low: -1.0, speed: 64, depth: 64, sweep }
    }

    fn walk(vibrato: &PitchLfo, count: usize) -> Vec<f32> {
        let mut auto_vibrato = AutoVibratoPhase::new(1);
        let mut tick = || {
            let now = auto_vibrato.at(vibrato, 0.0);
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
        near(&walk(&vibrato(LfoWave::Sine, at_once), 5), &[0.0, 1.0, 0.0, -1.0, 0.0]);
        near(&walk(&vibrato(LfoWave::RampUp, at_once), 5), &[0.0, 0.5, -1.0, -0.5, 0.0]);
        near(&walk(&vibrato(LfoWave::RampDown, at_once), 5), &[0.0, -0.5, 1.0, 0.5, 0.0]);
        near(&walk(&vibrato(LfoWave::Square, at_once), 5), &[1.0, 1.0, -1.0, -1.0, 1.0]);
    }

    #[test]
    fn a_ramp_begins_and_a_square_goes_down_to_where_it_is_reported() {
        let of =
            |wave| PitchLfo { ramp_phase: 0.0, square_low: 0.0, ..vibrato(wave, VibratoSweep::Ticks(0)) };
        near(&walk(&of(LfoWave::RampDown), 5), &[1.0, 0.5, 0.0, -0.5, 1.0]);
        near(&walk(&of(LfoWave::Square), 5), &[1.0, 1.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn its_depth_grows_as_its_dialect_says() {
        let square =
            |onset| walk(&vibrato(LfoWave::Square, onset), 9).iter().map(|v| v.abs()).collect::<Vec<_>>();
        near(&square(VibratoSweep::Ticks(4)), &[0.0, 0.25, 0.5, 0.75, 1.0, 1.0]);
        // 4096 of 64 × 256 in each tick.
        near(&square(VibratoSweep::Rate(255)), &[0.0, 0.015_56, 0.031_13]);
    }

    #[test]
    fn chance_stays_within_the_depth_and_differs_from_tick_to_tick() {
        let values = walk(&vibrato(LfoWave::Random, VibratoSweep::Ticks(0)), 100);
        assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)));
        assert!(values.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(values.iter().any(|value| *value > 0.5) && values.iter().any(|value| *value < -0.5));
    }
}
