use std::f64::consts::PI;

use song::FilterKind;

use crate::bank::DENORMAL_FLOOR;
use crate::rt::kernel::Kernels;
use crate::rt::kernel::poles::{CHUNK, Poles};

/// The most that a sound is raised by it, all values of its answer to a click added up.
pub(in crate::rt) const MAX_RAISE: f64 = 256.0;

/// Quality factors beyond this would ring for ever.
const MAX_Q: f64 = 100.0;
const MIN_Q: f64 = 0.05;

/// Chunks after which what has rung out becomes silence.
const FLUSH: u8 = 32;

/// A filter of one, two or four poles for both sides, by integrators in a loop.
///
/// ```text
/// x ─► high ─► ∫ ─► band ─► ∫ ─► low        g = tan(π · cutoff / rate),  k = 1 / Q
/// ```
///
/// Its responses are those of analog filters by the bilinear transform. Frames are filtered eight at a time, as far as
/// the loop allows: see [`Poles`]. While the cutoff moves, all numbers of these go there in straight lines: the energy
/// of the integrators grows with neither end of a line, so it does not in between.
///
/// Source: Zavalishin, *The Art of VA Filter Design*, chapters 3 and 4.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VoiceFilter {
    poles: Poles,
    /// What is added to the poles with each chunk, as long as they move.
    step: Poles,
    /// Chunks in which they still do.
    blending: u8,
    /// Frames that have gone into the present chunk.
    frames: u8,
    /// Chunks since what has rung out was silenced.
    chunks: u8,
    sides: [[FilterState; 2]; 2],
    tuning: Tuning,
    single: Single,
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

/// What the two integrators hold at the beginning of a chunk, and what has gone in since.
#[derive(Clone, Copy, Debug, Default)]
struct FilterState {
    /// The first and the second.
    both: [f32; 2],
    input: [f32; CHUNK],
}

/// Two poles for one frame: what the integrators and the input do to both integrators, by rows.
#[derive(Clone, Copy, Debug, Default)]
struct Single {
    to: [[f32; 3]; 2],
    /// As a step of [`Poles`].
    step: [[f32; 3]; 2],
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

/// Returns the poles of a filter, and what they do in one frame.
fn poles(kind: FilterKind, g: f32, k: f32) -> (Poles, [[f32; 3]; 2]) {
    let scale = 1.0 / (1.0 + g * (g + k));
    let high = [-(g + k) * scale, -scale, scale];
    let band = [1.0 - g * (g + k) * scale, -g * scale, g * scale];
    let low = [g * band[0], 1.0 + g * band[1], g * band[2]];
    // Where the band is heard, the input is scaled to 0 dB at its centre and not the output, which would jump with the
    // resonance.
    let input = if matches!(kind, FilterKind::BandPass2 | FilterKind::Notch2) { k } else { 1.0 };
    let [high, band, low] = [high, band, low].map(|[first, second, own]| [first, second, input * own]);
    let output = match kind {
        FilterKind::HighPass2 | FilterKind::HighPass4 => high,
        FilterKind::BandPass2 => band,
        FilterKind::Notch2 => [-band[0], -band[1], 1.0 - band[2]],
        FilterKind::LowPass1 | FilterKind::LowPass2 | FilterKind::LowPass4 | FilterKind::HighPass1 => low,
    };
    let single = [
        [2.0 * band[0] - 1.0, 2.0 * band[1], 2.0 * band[2]],
        [2.0 * low[0], 2.0 * low[1] - 1.0, 2.0 * low[2]],
    ];
    let poles = Poles::new(single.map(|[one, two, _]| [one, two]), single.map(|[_, _, own]| own), output);
    (poles, single)
}

impl FilterState {
    /// Filters frames in their place, which a chunk has room for after the first `before`.
    fn run_part(&mut self, kernels: Kernels, poles: &mut Poles, before: usize, frames: &mut [f32]) {
        for (to, from) in self.input.iter_mut().skip(before).zip(frames.iter()) {
            *to = *from;
        }
        let (mut both, mut chunk) = (self.both, [self.input]);
        kernels.filter((poles, None), &mut both, &mut chunk);
        for (to, from) in frames.iter_mut().zip(chunk.as_flattened().iter().skip(before)) {
            *to = *from;
        }
        if before + frames.len() >= CHUNK {
            *self = Self { both, ..Self::default() };
        }
    }

    /// Filters frames in their place by one pole; gives its low-pass.
    fn run_one(&mut self, scale: f32, frames: &mut [f32], output: impl Fn(f32, f32) -> f32) {
        let [_, held] = &mut self.both;
        for value in frames {
            let step = (*value - *held) * scale;
            let low = step + *held;
            *held = low + step;
            *value = output(*value, low);
        }
    }
}

impl VoiceFilter {
    /// Lets it stand where it would after a constant sound of these values, of the left and the right side.
    pub(super) fn settle(&mut self, values: [f32; 2]) {
        for (sides, value) in self.sides.iter_mut().zip(values) {
            *sides = [FilterState { both: [0.0, value], ..FilterState::default() }; 2];
        }
        self.frames = 0;
    }

    /// Sets its cutoff in hertz and its quality factor; it goes there within some frames, as far as these are whole
    /// chunks and 256 at most.
    pub(super) fn tune(&mut self, kind: FilterKind, cutoff: f64, q: f64, (rate, frames): (f64, usize)) {
        let cutoff = (cutoff / rate).clamp(1e-5, 0.49);
        let tuning = Tuning { kind, cutoff: cutoff as f32, q: q.clamp(MIN_Q, MAX_Q) as f32 };
        if self.tuning == tuning {
            return;
        }
        self.end_chunk();
        // What was never tuned goes nowhere.
        let is_blended = self.tuning.kind == kind && self.tuning.q > 0.0;
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
        let (poles, single) = poles(kind, g, k);
        if is_blended {
            let chunks = (frames / CHUNK).clamp(1, FLUSH.into()) as u8;
            self.single = Single::between(self.single.now(self.blending), single, chunks);
            self.step = self.poles.step_to(&poles, chunks);
            self.blending = chunks;
        } else {
            self.single = Single { to: single, step: [[0.0; 3]; 2] };
            (self.poles, self.blending) = (poles, 0);
        }
    }

    /// Lets what has rung out be silence.
    fn flush(&mut self) {
        for state in self.sides.iter_mut().flatten() {
            // What nobody hears would cost twenty times as much to compute with.
            for value in &mut state.both {
                if value.abs() < DENORMAL_FLOOR {
                    *value = 0.0;
                }
            }
        }
    }

    /// Ends a chunk before it is full: from the present frame on another filter follows.
    fn end_chunk(&mut self) {
        let frames = usize::from(std::mem::take(&mut self.frames));
        let [to_band, to_low] = self.single.now(self.blending);
        for state in self.sides.iter_mut().flatten() {
            let mut both = state.both;
            for input in state.input.iter().take(frames) {
                let next = |[band, low, own]: [f32; 3]| band * both[0] + low * both[1] + own * input;
                both = [next(to_band), next(to_low)];
            }
            *state = FilterState { both, ..FilterState::default() };
        }
    }

    /// Filters frames of both sides in their place; of a mono sound the left one only.
    pub(super) fn run(&mut self, kernels: Kernels, left: &mut [f32], right: &mut [f32], is_mono: bool) {
        let right = if is_mono { &mut [] } else { right };
        match self.tuning.kind {
            FilterKind::LowPass1 => self.run_one([left, right], |_, low| low),
            FilterKind::HighPass1 => self.run_one([left, right], |value, low| value - low),
            FilterKind::LowPass2 | FilterKind::HighPass2 | FilterKind::BandPass2 | FilterKind::Notch2 => {
                self.run_stages::<1>(kernels, [left, right]);
            }
            FilterKind::LowPass4 | FilterKind::HighPass4 => {
                self.run_stages::<2>(kernels, [left, right]);
            }
        }
    }

    fn run_one(&mut self, sides: [&mut [f32]; 2], output: impl Fn(f32, f32) -> f32) {
        let [left, right] = sides;
        let (mut left, mut right) = (left, right);
        while !left.is_empty() {
            let begun = CHUNK * usize::from(self.chunks) + usize::from(self.frames);
            let frames = left.len().min(CHUNK * usize::from(FLUSH) - begun);
            for ([first, _], side) in self.sides.iter_mut().zip([&mut left, &mut right]) {
                let whole = std::mem::take(side);
                let (now, then) = whole.split_at_mut(frames.min(whole.len()));
                first.run_one(self.scale, now, &output);
                *side = then;
            }
            let done = begun + frames;
            (self.chunks, self.frames) = ((done / CHUNK) as u8, (done % CHUNK) as u8);
            self.flush_if_due();
        }
    }

    /// Lets what has rung out be silence, after so many chunks.
    fn flush_if_due(&mut self) {
        if self.chunks >= FLUSH {
            self.chunks = 0;
            self.flush();
        }
    }

    /// Filters frames by stages of two poles, one after another. There are frames on the left.
    fn run_stages<const STAGES: usize>(&mut self, kernels: Kernels, sides: [&mut [f32]; 2]) {
        let mut rest = sides;
        while !rest[0].is_empty() {
            let frames = self.next_run(rest[0].len());
            let [left, right] = rest;
            let (left, then_left) = left.split_at_mut(frames.min(left.len()));
            let (right, then_right) = right.split_at_mut(frames.min(right.len()));
            rest = [then_left, then_right];
            if self.frames > 0 || frames < CHUNK {
                self.run_part::<STAGES>(kernels, [left, right]);
            } else {
                self.run_chunks::<STAGES>(kernels, [left, right]);
            }
            self.flush_if_due();
        }
    }

    /// Returns the number of frames that are filtered next, at most `most`: those that a chunk has room for that was
    /// begun, or as many chunks as can be filtered in one go.
    fn next_run(&self, most: usize) -> usize {
        let begun = usize::from(self.frames);
        let chunks = most / CHUNK;
        if begun > 0 || chunks == 0 {
            return most.min(CHUNK - begun);
        }
        let until =
            if self.blending > 0 { self.blending.min(FLUSH - self.chunks) } else { FLUSH - self.chunks };
        CHUNK * chunks.min(usize::from(until))
    }

    fn run_part<const STAGES: usize>(&mut self, kernels: Kernels, sides: [&mut [f32]; 2]) {
        let before = usize::from(self.frames);
        if before == 0 && self.blending > 0 {
            self.blending -= 1;
            self.poles.add(&self.step);
        }
        self.frames += sides[0].len() as u8;
        for (states, frames) in self.sides.iter_mut().zip(sides).filter(|(_, frames)| !frames.is_empty()) {
            for state in states.iter_mut().take(STAGES) {
                state.run_part(kernels, &mut self.poles, before, frames);
            }
        }
        if usize::from(self.frames) >= CHUNK {
            self.frames = 0;
            self.chunks += 1;
        }
    }

    /// Filters whole chunks, in all of which the poles move, or in none.
    fn run_chunks<const STAGES: usize>(&mut self, kernels: Kernels, sides: [&mut [f32]; 2]) {
        let step = (self.blending > 0).then_some(&self.step);
        let is_shared = STAGES > 1 || !sides[1].is_empty();
        // All stages of both sides move in the same way.
        let begun = (is_shared && step.is_some()).then_some(self.poles);
        let count = (sides[0].len() / CHUNK) as u8;
        for (states, frames) in self.sides.iter_mut().zip(sides).filter(|(_, frames)| !frames.is_empty()) {
            let (chunks, _) = frames.as_chunks_mut::<CHUNK>();
            for state in states.iter_mut().take(STAGES) {
                if let Some(begun) = &begun {
                    self.poles = *begun;
                }
                kernels.filter((&mut self.poles, step), &mut state.both, chunks);
            }
        }
        self.blending = self.blending.saturating_sub(count);
        self.chunks += count;
    }
}

impl Single {
    /// Returns it so many chunks before it is where it goes.
    fn now(&self, left: u8) -> [[f32; 3]; 2] {
        let mut now = self.to;
        for (now, step) in now.as_flattened_mut().iter_mut().zip(self.step.as_flattened()) {
            *now -= step * f32::from(left);
        }
        now
    }

    /// Creates one on its way.
    fn between(from: [[f32; 3]; 2], to: [[f32; 3]; 2], chunks: u8) -> Self {
        let mut step = to;
        for (step, from) in step.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
            *step = (*step - from) / f32::from(chunks);
        }
        Self { to, step }
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
        filter.tune(kind, cutoff, q, (RATE, 64));
        filter.run(Kernels::best(), &mut out, &mut [], true);
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
                    filter.tune(FilterKind::LowPass4, 3000.0, 4.0, (RATE, 64));
                } else if number == 0 {
                    filter.tune(FilterKind::LowPass4, 1000.0, 2.0, (RATE, 64));
                }
                let (now, then) = rest.split_at_mut((*cut).min(rest.len()));
                filter.run(Kernels::best(), now, &mut [], true);
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
                    filter.tune(kind, cutoff, q, (RATE, 64));
                    let mut click = vec![0.0; 200_000];
                    click[0] = 1.0;
                    filter.run(Kernels::best(), &mut click, &mut [], true);
                    let most: f64 = click.iter().map(|value| f64::from(value.abs())).sum();
                    assert!(most <= MAX_RAISE, "{most}: {kind:?} {cutoff} {q}");
                }
            }
        }
    }
}
