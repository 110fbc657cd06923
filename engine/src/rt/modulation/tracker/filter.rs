use std::f64::consts::TAU;

use song::LowPass;

use crate::bank::DENORMAL_FLOOR;

/// The most that a sound is raised by it, all values of its answer to a click added up.
pub(crate) const MOST: f64 = 64.0;

/// Twice full scale: what the tracker's mixer bounds it by.
const CLIP: f64 = 2.0;

/// A resonant low-pass of two poles for both sides, as in Impulse Tracker.
///
/// ```text
/// y = (x + (d + 2e) y₁ − e y₂) / (1 + d + e)      r = rate / 2πf,  d = k (r + 1) − 1,  e = r²
/// ```
///
/// Source: *Impulse Tracker*'s public description of its filter, and the measured facts about it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rt) struct ModulationFilter {
    sides: [FilterState; 2],
    bend: Bend,
}

/// The last two values of a side.
#[derive(Clone, Copy, Debug, Default)]
struct FilterState {
    last: f64,
    before: f64,
}

/// How much of the value that comes in, and of both remembered ones, goes into the next.
#[derive(Clone, Copy, Debug, Default)]
struct Bend {
    now: f64,
    last: f64,
    before: f64,
}

impl ModulationFilter {
    pub(in crate::rt) fn tune(&mut self, filter: LowPass, rate: f64) {
        for FilterState { last, before } in &mut self.sides {
            // What nobody hears would cost twenty times as much to compute with.
            for value in [last, before] {
                if value.abs() < f64::from(DENORMAL_FLOOR) {
                    *value = 0.0;
                }
            }
        }
        self.bend = if filter.is_open() {
            Bend { now: 1.0, last: 0.0, before: 0.0 }
        } else {
            Bend::of(filter.cutoff.into(), filter.resonance.into(), rate)
        };
    }

    /// Filters frames of both sides in their place; of a mono sound the left ones only.
    pub(in crate::rt) fn run(&mut self, left: &mut [f32], right: &mut [f32], is_mono: bool) {
        let (bend, [one, other]) = (self.bend, &mut self.sides);
        if is_mono {
            left.iter_mut().for_each(|value| *value = one.next(bend, *value));
        } else {
            for (left, right) in left.iter_mut().zip(right) {
                (*left, *right) = (one.next(bend, *left), other.next(bend, *right));
            }
        }
    }
}

impl FilterState {
    fn next(&mut self, bend: Bend, value: f32) -> f32 {
        // What was known long ago is added up first: the last value has just become known.
        let known = f64::from(value) * bend.now - self.before * bend.before;
        let value = known + self.last * bend.last;
        // What it remembers is bounded, and with that how far it rings.
        (self.before, self.last) = (self.last, value.clamp(-CLIP, CLIP));
        value as f32
    }
}

impl Bend {
    fn of(cutoff: f64, resonance: f64, rate: f64) -> Self {
        let frequency = 110.0 * (0.25 + cutoff / 24.0).exp2();
        // Close to half the rate a strong resonance would not die away.
        let turns = rate / (TAU * frequency.min(rate / 4.0));
        let damping = 10_f64.powf(-resonance * 24.0 / (128.0 * 20.0));
        let (d, e) = (damping * (turns + 1.0) - 1.0, turns * turns);
        let whole = 1.0 + d + e;
        Self { now: 1.0 / whole, last: (d + 2.0 * e) / whole, before: e / whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the level that a sine comes out with, once it has swung in.
    fn level(cutoff: f32, resonance: f32, hz: f64, rate: f64) -> f64 {
        // So soft that what rings is not bounded.
        let sine = |frame: u32| 0.1 * (TAU * hz * f64::from(frame) / rate).sin() as f32;
        let mut out: Vec<f32> = (0..48_000).map(sine).collect();
        let mut filter = ModulationFilter::default();
        filter.tune(LowPass { cutoff, resonance }, rate);
        filter.run(&mut out, &mut vec![0.0; 48_000], true);
        10.0 * f64::from(out[24_000..].iter().fold(0.0_f32, |most, value| value.abs().max(most)))
    }

    #[test]
    fn what_lies_below_the_cutoff_passes_and_what_lies_above_falls_by_twelve_decibels_an_octave() {
        // 110 Hz × 2^(0.25 + 48 / 24).
        let cutoff = 523.25;
        assert!((level(48.0, 0.0, 20.0, 48_000.0) - 1.0).abs() < 0.01);
        let [far, farther] = [8.0, 16.0].map(|times| level(48.0, 0.0, cutoff * times, 48_000.0));
        let decay = 20.0 * (far / farther).log10();
        assert!((10.0..13.0).contains(&decay), "{decay}");
    }

    #[test]
    fn a_resonance_rings_at_the_cutoff() {
        let hz = 110.0 * 2_f64.powf(0.25 + 60.0 / 24.0);
        let [plain, ringing] = [0.0, 127.0].map(|resonance| level(60.0, resonance, hz, 48_000.0));
        assert!(plain < 1.0 && ringing > 14.0, "{plain} {ringing}");
    }

    #[test]
    fn open_it_changes_nothing() {
        let mut filter = ModulationFilter::default();
        filter.tune(LowPass::OPEN, 48_000.0);
        let (mut left, mut right) = ([0.5, -0.25, 0.1], [1.0, 2.0, -3.0]);
        filter.run(&mut left, &mut right, false);
        assert_eq!((left, right), ([0.5, -0.25, 0.1], [1.0, 2.0, -3.0]));
    }

    #[test]
    fn it_dies_away_at_any_rate_and_setting_and_is_never_louder_than_it_may_be() {
        for rate in [1000.0, 8000.0, 44_100.0, 384_000.0] {
            for cutoff in [0.0, 30.0, 64.0, 100.0, 127.0, 152.4] {
                for resonance in [-LowPass::HALF_DAMPING, 0.0, 64.0, 127.0] {
                    let mut filter = ModulationFilter::default();
                    filter.tune(LowPass { cutoff, resonance }, rate);
                    // All values of the answer to a click, whatever their sign: the most that any sound is raised.
                    let click = |frame| if frame == 0 { 1.0 } else { 0.0 };
                    let bend = filter.bend;
                    let mut next = |value| filter.sides[0].next(bend, value).abs();
                    let most: f64 = (0..2_000_000).map(|frame| f64::from(next(click(frame)))).sum();
                    assert!(most <= MOST, "{most} at {cutoff}, {resonance}, {rate}");
                    assert!(next(0.0) < 1e-9, "{cutoff}, {resonance}, {rate}");
                }
            }
        }
    }
}
