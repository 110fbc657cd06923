use std::f64::consts::PI;

use song::FilterKind;

use crate::bank::DENORMAL_FLOOR;

/// The most that a sound is raised by it, all values of its answer to a click added up.
pub(in crate::rt) const MAX_RAISE: f64 = 256.0;

/// Quality factors beyond this would ring for ever.
const MAX_Q: f64 = 100.0;
const MIN_Q: f64 = 0.05;

/// A filter of one, two or four poles for both sides, by integrators in a loop.
///
/// ```text
/// x ─► high ─► ∫ ─► band ─► ∫ ─► low        g = tan(π · cutoff / rate),  k = 1 / Q
/// ```
///
/// Its responses are those of analog filters by the bilinear transform, and stay stable while the cutoff moves.
///
/// Source: Zavalishin, *The Art of VA Filter Design*, chapters 3 and 4.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VoiceFilter {
    sides: [[FilterState; 2]; 2],
    kind: FilterKind,
    g: f32,
    k: f32,
    /// 1 / (1 + g (g + k)), of one pole g / (1 + g).
    scale: f32,
}

/// What the two integrators hold.
#[derive(Clone, Copy, Debug, Default)]
struct FilterState {
    band: f32,
    low: f32,
}

impl VoiceFilter {
    /// Sets its cutoff in hertz and its quality factor.
    pub(super) fn tune(&mut self, kind: FilterKind, cutoff: f64, q: f64, rate: f64) {
        for state in self.sides.iter_mut().flatten() {
            // What nobody hears would cost twenty times as much to compute with.
            for value in [&mut state.band, &mut state.low] {
                if value.abs() < DENORMAL_FLOOR {
                    *value = 0.0;
                }
            }
        }
        let g = (PI * (cutoff / rate).clamp(1e-5, 0.49)).tan();
        // Each of two stages in a row has its share of the resonance.
        let q = q.clamp(MIN_Q, MAX_Q);
        let q = if matches!(kind, FilterKind::LowPass4 | FilterKind::HighPass4) { q.sqrt() } else { q };
        let k = 1.0 / q;
        let scale = match kind {
            FilterKind::LowPass1 | FilterKind::HighPass1 => g / (1.0 + g),
            _ => 1.0 / (1.0 + g * (g + k)),
        };
        (self.kind, self.g, self.k, self.scale) = (kind, g as f32, k as f32, scale as f32);
    }

    /// Filters frames of both sides in their place; of a mono sound both are the left one.
    pub(super) fn run(&mut self, left: &mut [f32], right: &mut [f32], is_mono: bool) {
        self.run_side(0, left);
        if is_mono {
            right.copy_from_slice(left);
        } else {
            self.run_side(1, right);
        }
    }

    fn run_side(&mut self, side: usize, frames: &mut [f32]) {
        let Self { kind, g, k, scale, .. } = *self;
        let Some([first, second]) = self.sides.get_mut(side) else { return };
        let two = |state: &mut FilterState, value: f32| {
            let high = (value - (g + k) * state.band - state.low) * scale;
            let band = g * high + state.band;
            let low = g * band + state.low;
            (state.band, state.low) = (g * high + band, g * band + low);
            (low, band, high)
        };
        let one = |state: &mut FilterState, value: f32| {
            let step = (value - state.low) * scale;
            let low = step + state.low;
            state.low = low + step;
            low
        };
        let mut map =
            |next: &mut dyn FnMut(f32) -> f32| frames.iter_mut().for_each(|value| *value = next(*value));
        match kind {
            FilterKind::LowPass1 => map(&mut |value| one(first, value)),
            FilterKind::HighPass1 => map(&mut |value| value - one(first, value)),
            FilterKind::LowPass2 => map(&mut |value| two(first, value).0),
            FilterKind::HighPass2 => map(&mut |value| two(first, value).2),
            FilterKind::BandPass2 => map(&mut |value| k * two(first, value).1),
            FilterKind::Notch2 => map(&mut |value| value - k * two(first, value).1),
            FilterKind::LowPass4 => map(&mut |value| two(second, two(first, value).0).0),
            FilterKind::HighPass4 => map(&mut |value| two(second, two(first, value).2).2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 48_000.0;

    /// Returns the decibels by which a sine is changed, once it has swung in.
    fn level(kind: FilterKind, cutoff: f64, q: f64, hz: f64) -> f64 {
        let sine = |frame: u32| (2.0 * PI * hz * f64::from(frame) / RATE).sin() as f32;
        let mut out: Vec<f32> = (0..96_000).map(sine).collect();
        let mut filter = VoiceFilter::default();
        filter.tune(kind, cutoff, q, RATE);
        filter.run(&mut out, &mut vec![0.0; 96_000], true);
        let power: f64 = out[48_000..].iter().map(|value| f64::from(*value).powi(2)).sum();
        10.0 * (2.0 * power / 48_000.0).log10()
    }

    /// Decibels of the analog filter whose corner the bilinear transform has moved to where it is heard.
    fn analog(kind: FilterKind, cutoff: f64, q: f64, hz: f64) -> f64 {
        let w = (PI * hz / RATE).tan() / (PI * cutoff / RATE).tan();
        let two = |q: f64| 1.0 / ((1.0 - w * w).powi(2) + (w / q).powi(2)).sqrt();
        20.0 * match kind {
            FilterKind::LowPass1 => 1.0 / (1.0 + w * w).sqrt(),
            FilterKind::HighPass1 => w / (1.0 + w * w).sqrt(),
            FilterKind::LowPass2 => two(q),
            FilterKind::HighPass2 => w * w * two(q),
            FilterKind::BandPass2 => w / q * two(q),
            FilterKind::Notch2 => (1.0 - w * w).abs() * two(q),
            FilterKind::LowPass4 => two(q.sqrt()).powi(2),
            FilterKind::HighPass4 => (w * w * two(q.sqrt())).powi(2),
        }
        .log10()
    }

    #[test]
    fn responses_are_those_of_the_analog_filters() {
        use FilterKind::{BandPass2, HighPass1, HighPass2, HighPass4, LowPass1, LowPass2, LowPass4, Notch2};
        for kind in [LowPass1, LowPass2, LowPass4, HighPass1, HighPass2, HighPass4, BandPass2, Notch2] {
            for (cutoff, q) in [(200.0, 0.707), (1000.0, 4.0), (8000.0, 1.0)] {
                for hz in [100.0, 500.0, 2000.0, 6000.0, 15_000.0] {
                    let (found, wanted) = (level(kind, cutoff, q, hz), analog(kind, cutoff, q, hz));
                    // Below that, what is left of a sine in 32-bit floats is rounding.
                    if wanted > -90.0 {
                        assert!(
                            (found - wanted).abs() < 0.05,
                            "{kind:?} {cutoff} {q} {hz}: {found} for {wanted}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn it_dies_away_and_is_never_louder_than_it_may_be() {
        for kind in [FilterKind::LowPass2, FilterKind::LowPass4, FilterKind::HighPass4, FilterKind::BandPass2]
        {
            for cutoff in [1.0, 100.0, 5000.0, 1e6] {
                for q in [0.0, 1.0, 1e9] {
                    let mut filter = VoiceFilter::default();
                    filter.tune(kind, cutoff, q, RATE);
                    let mut click = vec![0.0; 200_000];
                    click[0] = 1.0;
                    filter.run(&mut click, &mut vec![0.0; 200_000], true);
                    let most: f64 = click.iter().map(|value| f64::from(value.abs())).sum();
                    assert!(most <= MAX_RAISE, "{most}: {kind:?} {cutoff} {q}");
                }
            }
        }
    }
}
