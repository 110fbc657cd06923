use std::f64::consts::PI;

use song::FilterKind;

use crate::bank::DENORMAL_FLOOR;

/// The most that a sound is raised by it, all values of its answer to a click added up.
pub(in crate::rt) const MAX_RAISE: f64 = 256.0;

/// Quality factors beyond this would ring for ever.
const MAX_Q: f64 = 100.0;
const MIN_Q: f64 = 0.05;

/// Frames that are filtered together.
const CHUNK: usize = 8;
const HALF: usize = CHUNK / 2;
/// Chunks after a change over which a filter goes from what it was to what it is: a cell.
const BLEND: u8 = 8;

/// A filter of one, two or four poles for both sides, by integrators in a loop.
///
/// ```text
/// x ─► high ─► ∫ ─► band ─► ∫ ─► low        g = tan(π · cutoff / rate),  k = 1 / Q
/// ```
///
/// Its responses are those of analog filters by the bilinear transform, and stay stable while the cutoff moves. Frames
/// are filtered eight at a time, as far as the loop allows: see [`TwoPoles`].
///
/// Source: Zavalishin, *The Art of VA Filter Design*, chapters 3 and 4.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VoiceFilter {
    sides: [[FilterState; 2]; 2],
    tuning: Tuning,
    poles: TwoPoles,
    /// The way to them, if they have changed.
    way: Way,
    /// Of one pole: g / (1 + g).
    scale: f32,
}

/// What a filter is tuned to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tuning {
    kind: FilterKind,
    /// Cycles per frame.
    cutoff: f32,
    q: f32,
}

/// From one pair of coefficients to another.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    kind: FilterKind,
    /// `g` and `k`.
    from: [f32; 2],
    to: [f32; 2],
}

impl Way {
    /// Returns the poles of a chunk, so many before the end of the way.
    fn poles(&self, left: u8) -> TwoPoles {
        let part = f32::from(BLEND - left + 1) / f32::from(BLEND);
        let ([from_g, from_k], [g, k]) = (self.from, self.to);
        TwoPoles::new(self.kind, from_g + (g - from_g) * part, from_k + (k - from_k) * part)
    }
}

/// What the two integrators hold at the beginning of a chunk, and what has gone in since.
#[derive(Clone, Copy, Debug, Default)]
struct FilterState {
    band: f32,
    low: f32,
    input: [f32; CHUNK],
    frames: usize,
    /// Chunks in which the poles are on their way.
    blending: u8,
}

/// Two poles as matrices, for eight frames at a time.
///
/// ```text
/// s' = A s + B x,  y = C s + D x               one frame; s are the two integrators
/// y₀…y₃ = [C, CA, CA², CA³] s + taps · x       four, of which each sees those before it
/// s₈ = A⁸ s + A⁴ (A³B x₀ + … ) + (A³B x₄ + …)  where the next eight begin
/// ```
#[derive(Clone, Copy, Debug, Default)]
struct TwoPoles {
    /// `A`, by rows, and `B`.
    one: [[f32; 3]; 2],
    four: [[f32; 2]; 2],
    eight: [[f32; 2]; 2],
    /// What both integrators do to four outputs.
    rows: [[f32; HALF]; 2],
    /// What four inputs do to four outputs.
    taps: [[f32; HALF]; HALF],
    /// What four inputs do to both integrators, twice beside each other.
    into: [[f32; HALF]; HALF],
}

/// Returns a product of a matrix and a vector.
fn product(matrix: [[f32; 2]; 2], [first, second]: [f32; 2]) -> [f32; 2] {
    matrix.map(|[one, other]| one * first + other * second)
}

/// Returns a product of two matrices.
fn squared(matrix: [[f32; 2]; 2]) -> [[f32; 2]; 2] {
    let [[a, b], [c, d]] = matrix;
    [[a * a + b * c, a * b + b * d], [c * a + d * c, c * b + d * d]]
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

impl TwoPoles {
    fn new(kind: FilterKind, g: f32, k: f32) -> Self {
        let scale = 1.0 / (1.0 + g * (g + k));
        let high = [-(g + k) * scale, -scale, scale];
        let band = [1.0 - g * (g + k) * scale, -g * scale, g * scale];
        let low = [g * band[0], 1.0 + g * band[1], g * band[2]];
        // Where the band is heard, the input is scaled to 0 dB at its centre and not the output, which would jump with
        // the resonance.
        let input = if matches!(kind, FilterKind::BandPass2 | FilterKind::Notch2) { k } else { 1.0 };
        let [high, band, low] = [high, band, low].map(|[first, second, own]| [first, second, input * own]);
        let output = match kind {
            FilterKind::HighPass2 | FilterKind::HighPass4 => high,
            FilterKind::BandPass2 => band,
            FilterKind::Notch2 => [-band[0], -band[1], 1.0 - band[2]],
            FilterKind::LowPass1 | FilterKind::LowPass2 | FilterKind::LowPass4 | FilterKind::HighPass1 => low,
        };
        let one = [
            [2.0 * band[0] - 1.0, 2.0 * band[1], 2.0 * band[2]],
            [2.0 * low[0], 2.0 * low[1] - 1.0, 2.0 * low[2]],
        ];
        let step = one.map(|[first, second, _]| [first, second]);
        let two = squared(step);
        let four = squared(two);
        let first = [one[0][2], one[1][2]];
        let second = product(step, first);
        let (third, fourth) = (product(two, first), product(two, second));
        let into = [fourth, third, second, first].map(|[band, low]| [band, low, band, low]);
        let [c_band, c_low, direct] = output;
        let seen = |[band, low]: [f32; 2]| c_band * band + c_low * low;
        let transposed = |matrix: [[f32; 2]; 2]| {
            let [[a, b], [c, d]] = matrix;
            [[a, c], [b, d]]
        };
        let after = |matrix: [[f32; 2]; 2]| transposed(matrix).map(seen);
        let ([row1_band, row1_low], [row2_band, row2_low]) = (after(step), after(two));
        let [[a, b], [c, d]] = step;
        let row3 = [row2_band * a + row2_low * c, row2_band * b + row2_low * d];
        let rows = [[c_band, row1_band, row2_band, row3[0]], [c_low, row1_low, row2_low, row3[1]]];
        let [after1, after2, after3] = [seen(first), seen(second), seen(third)];
        let taps = [
            [direct, after1, after2, after3],
            [0.0, direct, after1, after2],
            [0.0, 0.0, direct, after1],
            [0.0, 0.0, 0.0, direct],
        ];
        Self { one, four, eight: squared(four), rows, taps, into }
    }

    /// Returns the outputs of a chunk, and where the integrators stand after it. Each output depends on the inputs up
    /// to its own only, to the bit.
    fn chunk(&self, state: [f32; 2], input: &[f32; CHUNK]) -> ([f32; CHUNK], [f32; 2]) {
        let Self { four, eight, rows: [band, low], taps, into, .. } = self;
        let (early, late) = halves(input);
        let mut added = [0.0; HALF];
        for ((into, early), late) in into.iter().zip(early).zip(late) {
            let [to_band, to_low, and_band, and_low] = into;
            let [first, second, third, last] = added;
            added = [
                first + to_band * early,
                second + to_low * early,
                third + and_band * late,
                last + and_low * late,
            ];
        }
        let [first, second, third, last] = added;
        let [band_on, low_on] = product(*four, [first, second]);
        let [band_four, low_four] = product(*four, state);
        let [band_eight, low_eight] = product(*eight, state);
        let middle = [band_four + first, low_four + second];
        let end = [band_eight + (band_on + third), low_eight + (low_on + last)];
        let outputs = |[at_band, at_low]: [f32; 2], input: [f32; HALF]| {
            let mut out = [0.0; HALF];
            for ((out, band), low) in out.iter_mut().zip(band).zip(low) {
                *out = band * at_band + low * at_low;
            }
            for (taps, input) in taps.iter().zip(input) {
                for (out, tap) in out.iter_mut().zip(taps) {
                    *out += tap * input;
                }
            }
            out
        };
        let ([a, b, c, d], [e, f, g, h]) = (outputs(state, early), outputs(middle, late));
        ([a, b, c, d, e, f, g, h], end)
    }
}

const fn halves(chunk: &[f32; CHUNK]) -> ([f32; HALF], [f32; HALF]) {
    let [a, b, c, d, e, f, g, h] = *chunk;
    ([a, b, c, d], [e, f, g, h])
}

impl FilterState {
    /// Filters frames in their place.
    fn run(&mut self, poles: &TwoPoles, way: &Way, frames: &mut [f32]) {
        let mut rest = frames;
        while self.frames > 0 || self.blending > 0 && !rest.is_empty() {
            // A chunk that was begun goes on with what has gone in before.
            let now = rest.len().min(CHUNK - self.frames);
            let Some((now, then)) = rest.split_at_mut_checked(now) else { return };
            rest = then;
            match self.blending {
                0 => self.run_part(poles, now),
                left => self.run_part(&way.poles(left), now),
            }
            if rest.is_empty() {
                return;
            }
        }
        let mut state = [self.band, self.low];
        let mut chunks = rest.chunks_exact_mut(CHUNK);
        for chunk in &mut chunks {
            let Ok(chunk) = <&mut [f32; CHUNK]>::try_from(chunk) else { continue };
            let (output, end) = poles.chunk(state, chunk);
            *chunk = output;
            state = end;
        }
        [self.band, self.low] = state;
        let last = chunks.into_remainder();
        if !last.is_empty() {
            self.run_part(poles, last);
        }
    }

    /// Filters frames of one chunk, which is over if they fill it.
    fn run_part(&mut self, poles: &TwoPoles, frames: &mut [f32]) {
        let first = self.frames;
        for (to, from) in self.input.iter_mut().skip(first).zip(frames.iter()) {
            *to = *from;
        }
        let (output, end) = poles.chunk([self.band, self.low], &self.input);
        for (to, from) in frames.iter_mut().zip(output.into_iter().skip(first)) {
            *to = from;
        }
        self.frames += frames.len();
        if self.frames >= CHUNK {
            let blending = self.blending.saturating_sub(1);
            *self = Self { band: end[0], low: end[1], blending, ..Self::default() };
        }
    }

    /// Ends a chunk before it is full: from the present frame on another filter follows.
    fn end_chunk(&mut self, poles: &TwoPoles, way: &Way) {
        let one = match self.blending {
            0 => poles.one,
            left => way.poles(left).one,
        };
        let (mut state, [to_band, to_low]) = ([self.band, self.low], one);
        for input in self.input.iter().take(self.frames) {
            let next = |[band, low, own]: [f32; 3]| band * state[0] + low * state[1] + own * input;
            state = [next(to_band), next(to_low)];
        }
        *self = Self { band: state[0], low: state[1], ..Self::default() };
    }

    /// Filters frames in their place by one pole; gives its low-pass.
    fn run_one(&mut self, scale: f32, frames: &mut [f32], output: impl Fn(f32, f32) -> f32) {
        for value in frames {
            let step = (*value - self.low) * scale;
            let low = step + self.low;
            self.low = low + step;
            *value = output(*value, low);
        }
    }
}

impl VoiceFilter {
    /// Lets it stand where it would after a constant sound of these values, of the left and the right side.
    pub(super) fn settle(&mut self, values: [f32; 2]) {
        for (sides, value) in self.sides.iter_mut().zip(values) {
            *sides = [FilterState { low: value, ..FilterState::default() }; 2];
        }
    }

    /// Sets its cutoff in hertz and its quality factor.
    pub(super) fn tune(&mut self, kind: FilterKind, cutoff: f64, q: f64, rate: f64) {
        self.flush();
        let cutoff = (cutoff / rate).clamp(1e-5, 0.49);
        let tuning = Tuning { kind, cutoff: cutoff as f32, q: q.clamp(MIN_Q, MAX_Q) as f32 };
        if self.tuning == tuning {
            return;
        }
        // What was never tuned goes nowhere.
        let is_blended = self.tuning.kind == kind && self.tuning.q > 0.0;
        for state in self.sides.iter_mut().flatten() {
            state.end_chunk(&self.poles, &self.way);
            state.blending = if is_blended { BLEND } else { 0 };
        }
        self.tuning = tuning;
        let g = tangent(PI * f64::from(tuning.cutoff)) as f32;
        let k = match kind {
            FilterKind::LowPass1 | FilterKind::HighPass1 => {
                self.scale = g / (1.0 + g);
                return;
            }
            // Each of two stages in a row has its share of the resonance.
            FilterKind::LowPass4 | FilterKind::HighPass4 => tuning.q.sqrt().recip(),
            FilterKind::LowPass2 | FilterKind::HighPass2 | FilterKind::BandPass2 | FilterKind::Notch2 => {
                tuning.q.recip()
            }
        };
        self.way = Way { kind, from: self.way.to, to: [g, k] };
        self.poles = TwoPoles::new(kind, g, k);
    }

    /// Lets what has rung out be silence.
    pub(super) fn flush(&mut self) {
        for state in self.sides.iter_mut().flatten() {
            // What nobody hears would cost twenty times as much to compute with.
            for value in [&mut state.band, &mut state.low] {
                if value.abs() < DENORMAL_FLOOR {
                    *value = 0.0;
                }
            }
        }
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
        let Self { tuning, poles, way, scale, sides } = self;
        let Some([first, second]) = sides.get_mut(side) else { return };
        match tuning.kind {
            FilterKind::LowPass1 => first.run_one(*scale, frames, |_, low| low),
            FilterKind::HighPass1 => first.run_one(*scale, frames, |value, low| value - low),
            FilterKind::LowPass2 | FilterKind::HighPass2 | FilterKind::BandPass2 | FilterKind::Notch2 => {
                first.run(poles, way, frames);
            }
            FilterKind::LowPass4 | FilterKind::HighPass4 => {
                first.run(poles, way, frames);
                second.run(poles, way, frames);
            }
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
    fn the_tangent_is_one() {
        for angle in (1..490).map(|part| PI * f64::from(part) / 1000.0) {
            assert!((tangent(angle) / angle.tan() - 1.0).abs() < 1e-7, "{angle}");
        }
    }

    #[test]
    fn frames_are_the_same_however_they_are_cut() {
        let noise = |frame: u32| ((frame * 7919) % 1013) as f32 / 1013.0 - 0.5;
        let whole: Vec<f32> = (0..200).map(noise).collect();
        let filtered = |cuts: &[usize]| {
            let (mut filter, mut out) = (VoiceFilter::default(), whole.clone());
            let mut rest = &mut out[..];
            for (number, cut) in cuts.iter().chain([&200]).enumerate() {
                if number == cuts.len() / 2 {
                    // Cut for another tuning, which is the same frame in both.
                    filter.tune(FilterKind::LowPass4, 3000.0, 4.0, RATE);
                } else if number == 0 {
                    filter.tune(FilterKind::LowPass4, 1000.0, 2.0, RATE);
                }
                let (now, then) = rest.split_at_mut((*cut).min(rest.len()));
                filter.run(now, &mut vec![0.0; now.len()], true);
                rest = then;
            }
            out
        };
        // The tuning changes after 75 frames.
        assert_eq!(filtered(&[75, 100]), filtered(&[1, 3, 8, 63, 5, 9, 2, 31]));
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
