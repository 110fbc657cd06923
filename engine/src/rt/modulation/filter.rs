use std::f64::consts::PI;

use song::FilterKind;

use crate::rt::kernel::svf::{CoefficientRamp, Coefficients, Integrators, STAGES};

/// The most that a sound is raised by it, all values of its answer to a click added up.
pub(in crate::rt) const MAX_RAISE: f64 = 256.0;

/// Quality factors beyond this would ring for ever.
const MAX_Q: f64 = 100.0;
const MIN_Q: f64 = 0.05;

/// The most frames in which it goes to another tuning.
pub(super) const MAX_BLEND: usize = 1024;

/// The most cents from a low tuning to the next, by one half-way, between which it filters as the tunings between
/// would, but for a rest of −60 dB; a resonance asks for less.
const BLEND_CENTS: f32 = 660.0;

/// A filter of one, two or four poles for both sides, by integrators in a loop.
///
/// ```text
/// x ─► high ─► ∫ ─► band ─► ∫ ─► low        g = tan(π · cutoff / rate),  k = 1 / Q
/// ```
///
/// Its responses are those of analog filters by the bilinear transform. It knows its numbers at each frame; sounds are
/// filtered by it together with those of other voices. While the cutoff moves, all numbers go along straight lines: the
/// energy of the integrators grows with neither end of the way, so it does not in between. Where a cutoff half-way is
/// known, they go along parabolas, which keep closer to what they should be.
///
/// Source: Zavalishin, *The Art of VA Filter Design*, chapters 3 and 4.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rt) struct VoiceFilter {
    ramp: CoefficientRamp,
    /// Where the ramp ends, and after how many frames from its beginning.
    to: Coefficients,
    length: u16,
    tuning: Tuning,
    /// Whether it begins within a sound that was not filtered before: as if that had stood where it is for ever.
    begins_within: bool,
    /// What each side holds.
    pub(in crate::rt) sides: [[Integrators; STAGES]; 2],
}

/// What a filter is tuned to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tuning {
    kind: FilterKind,
    /// Cycles per frame.
    cutoff: f32,
    q: f32,
}

/// Returns the tangent of 0..π/2, with an error below 10⁻⁷ of it.
fn tangent(angle: f64) -> f64 {
    let is_steep = angle > PI / 4.0;
    let angle = if is_steep { PI / 2.0 - angle } else { angle };
    let square = angle * angle;
    // The continued fraction of the tangent, cut off after five terms.
    let up = angle * (945.0 - square * (105.0 - square));
    let down = 945.0 - square * (420.0 - 15.0 * square);
    if is_steep { down / up } else { up / down }
}

impl Tuning {
    /// Returns one of a cutoff in hertz.
    fn new(kind: FilterKind, cutoff: f64, q: f64, rate: f64) -> Self {
        let cutoff = (cutoff / rate).clamp(1e-5, 0.49);
        Self { kind, cutoff: cutoff as f32, q: q.clamp(MIN_Q, MAX_Q) as f32 }
    }

    /// Returns the numbers of a filter that is tuned so.
    fn coefficients(&self) -> Coefficients {
        let g = tangent(PI * f64::from(self.cutoff)) as f32;
        let k = match self.kind {
            // The first integrator stays empty, and the second is one alone.
            FilterKind::LowPass1 | FilterKind::HighPass1 => {
                let is_high = self.kind == FilterKind::HighPass1;
                let output = if is_high { [1.0, 0.0, -0.5] } else { Coefficients::LOW_PASS };
                return Coefficients::new([0.0, 0.0, 2.0 * g / (1.0 + g)], 1.0, output);
            }
            // Each of two stages in a row has its share of the resonance.
            FilterKind::LowPass4 | FilterKind::HighPass4 => self.q.sqrt().recip(),
            FilterKind::LowPass2 | FilterKind::HighPass2 | FilterKind::BandPass2 | FilterKind::Notch2 => {
                self.q.recip()
            }
        };
        let b = 2.0 * g / (1.0 + g * (g + k));
        // Where the band is heard, the input is scaled to 0 dB at its centre and not the output, which would jump with
        // the resonance.
        let (input, output) = match self.kind {
            FilterKind::BandPass2 => (k, [0.0, 0.5, 0.0]),
            FilterKind::Notch2 => (k, [1.0, -0.5, 0.0]),
            FilterKind::HighPass2 | FilterKind::HighPass4 => (1.0, [1.0, -0.5 * k, -0.5]),
            FilterKind::LowPass1 | FilterKind::LowPass2 | FilterKind::LowPass4 | FilterKind::HighPass1 => {
                (1.0, Coefficients::LOW_PASS)
            }
        };
        Coefficients::new([k, b, g * b], input, output)
    }
}

impl VoiceFilter {
    /// Creates one for a sound that was not filtered before.
    pub(super) fn within() -> Self {
        Self { begins_within: true, ..Self::default() }
    }

    /// Returns how many times a sound goes through it: once or twice.
    pub(in crate::rt) const fn stages(&self) -> usize {
        if matches!(self.tuning.kind, FilterKind::LowPass4 | FilterKind::HighPass4) { 2 } else { 1 }
    }

    /// Returns the most cents from its tuning to the next one for it to filter as it should on the way.
    pub(super) fn blend_cents(&self) -> f32 {
        // Towards half the rate the numbers bend more.
        BLEND_CENTS * (1.0 - 2.1 * self.tuning.cutoff).max(0.0) / self.tuning.q.max(1.0).sqrt().sqrt()
    }

    /// Sets its cutoff in hertz and its quality factor; it goes there within some frames, [`MAX_BLEND`] at most.
    pub(super) fn tune(&mut self, kind: FilterKind, cutoff: f64, q: f64, (rate, frames): (f64, usize)) {
        let tuning = Tuning::new(kind, cutoff, q, rate);
        if self.tuning != tuning {
            self.begin_way(tuning, frames);
            if self.ramp.from == self.to {
                self.arrive();
            }
        }
    }

    /// Does the same, by another cutoff half-way; along a line if it is still on its way, for a parabola from elsewhere
    /// would go beyond both ends, where filters are not stable.
    pub(super) fn tune_by(
        &mut self,
        kind: FilterKind,
        [half_way, cutoff]: [f64; 2],
        q: f64,
        (rate, frames): (f64, usize),
    ) {
        let has_arrived = self.length == 0;
        self.begin_way(Tuning::new(kind, cutoff, q, rate), frames);
        if !has_arrived {
            return;
        }
        let half_way = Tuning::new(kind, half_way, q, rate).coefficients();
        let part = f32::from(self.length).recip();
        let ends = self.ramp.from.with(self.to, |from, to| from + to);
        let bend = ends.with(half_way, |ends, half_way| 2.0 * (ends - 2.0 * half_way) * part * part);
        self.ramp.step = self.ramp.step.with(bend, |step, bend| step - bend / part);
        self.ramp.bend = bend;
    }

    /// Begins to go to another tuning along a line.
    fn begin_way(&mut self, tuning: Tuning, frames: usize) {
        // What was never tuned goes nowhere.
        let was_tuned = self.tuning.kind == tuning.kind && self.tuning.q > 0.0;
        self.tuning = tuning;
        self.to = tuning.coefficients();
        let from = if was_tuned {
            self.ramp.now()
        } else if self.begins_within {
            self.to.unfiltered()
        } else {
            self.to
        };
        self.length = frames.clamp(1, MAX_BLEND) as u16;
        let part = f32::from(self.length).recip();
        let step = self.to.with(from, |to, from| (to - from) * part);
        self.ramp = CoefficientRamp { step, ..CoefficientRamp::level(from) };
    }

    /// Stays where it was to go.
    const fn arrive(&mut self) {
        (self.ramp, self.length) = (CoefficientRamp::level(self.to), 0);
    }

    /// Returns how its numbers go on from the present frame.
    pub(in crate::rt) const fn ramp(&self) -> CoefficientRamp {
        self.ramp
    }

    /// Goes on by some frames along its ramp; returns their number, at most `most`.
    pub(in crate::rt) fn advance(&mut self, most: usize) -> usize {
        if self.length == 0 {
            return most;
        }
        let frames = most.min(usize::from(self.length - self.ramp.at));
        self.ramp.at += frames as u16;
        if self.ramp.at >= self.length {
            self.arrive();
        }
        frames
    }

    /// Begins with a value of each side, if it begins within a sound and has not begun.
    pub(in crate::rt) fn enter(&mut self, values: [f32; 2]) {
        if std::mem::take(&mut self.begins_within) {
            self.sides = values.map(|value| [[0.0, value]; STAGES]);
        }
    }
}

#[cfg(test)]
mod tests;
