use std::f64::consts::PI;

use song::FilterKind;

use crate::bank::DENORMAL_FLOOR;
use crate::rt::grid::CELL;
use crate::rt::kernel::Kernels;
use crate::rt::kernel::poles::{CHUNK, Moving, Poles};

/// The most that a sound is raised by it, all values of its answer to a click added up.
pub(in crate::rt) const MAX_RAISE: f64 = 256.0;

/// Quality factors beyond this would ring for ever.
const MAX_Q: f64 = 100.0;
const MIN_Q: f64 = 0.05;

/// Chunks after which what has rung out becomes silence.
const FLUSH: u8 = 32;

/// The most frames in which it goes to another tuning.
pub(super) const MAX_BLEND: usize = 16 * CELL;
/// Their chunks are counted in 8 bits.
const _: () = assert!(MAX_BLEND / CHUNK <= u8::MAX as usize);

/// Chunks to a step of its poles from which on those between two steps are filtered as if there were none: that is
/// faster by more than it takes to begin.
const STILL: u8 = 4;

/// The most that the cutoff moves with a step of its poles, unless that is taken with every chunk: its share of it,
/// times the quality factor. 6 cents.
const STEP: f32 = 0.0036;

/// The most cents from one tuning to the next, times the quality factor, between which poles filter as the tunings
/// between would: their response is off by 0.05 dB at most.
const BLEND_CENTS: f32 = 200.0;
/// The same times the cutoff, in cycles per frame: what such poles add to a sound, for they change it chunk by chunk,
/// stays below −60 dB.
const BLEND_SWEEP: f32 = 18.0;

/// A filter of one, two or four poles for both sides, by integrators in a loop.
///
/// ```text
/// x ─► high ─► ∫ ─► band ─► ∫ ─► low        g = tan(π · cutoff / rate),  k = 1 / Q
/// ```
///
/// Its responses are those of analog filters by the bilinear transform. Frames are filtered eight at a time, as far as
/// the loop allows: see [`Poles`]. While the cutoff moves, all numbers of these go there in equal steps: the energy of
/// the integrators grows with neither end of the way, so it does not in between.
///
/// Source: Zavalishin, *The Art of VA Filter Design*, chapters 3 and 4.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VoiceFilter {
    poles: Poles,
    /// What is added to the poles with each step, as long as they move.
    step: Poles,
    /// Chunks in which they still do.
    blending: u8,
    /// Chunks to a step.
    every: u8,
    /// Frames that have gone into the present chunk.
    frames: u8,
    /// Chunks since what has rung out was silenced.
    chunks: u8,
    sides: [FilterState; 2],
    tuning: Tuning,
    /// What it is tuned to, and within how many frames, once the present chunk is full.
    next: Option<(Tuning, u16)>,
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

/// What two stages of a side hold at the beginning of a chunk, and what has gone into each since.
#[derive(Clone, Copy, Debug, Default)]
struct FilterState {
    /// The first and the second integrator.
    both: [[f32; 2]; 2],
    input: [[f32; CHUNK]; 2],
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

/// Returns the poles of a filter.
fn poles(kind: FilterKind, g: f32, k: f32) -> Poles {
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
    let one = [[2.0 * band[0] - 1.0, 2.0 * band[1]], [2.0 * low[0], 2.0 * low[1] - 1.0]];
    Poles::new(one, [2.0 * band[2], 2.0 * low[2]], output)
}

impl Tuning {
    /// Returns whether it is of stages of two poles, for which frames are filtered in chunks.
    const fn is_chunked(&self) -> bool {
        !matches!(self.kind, FilterKind::LowPass1 | FilterKind::HighPass1)
    }

    /// Returns the part of its cutoff by which another is away, or of its quality factor, times that.
    fn distance(&self, to: &Self) -> f32 {
        let share = |from: f32, to: f32| (to - from).abs() / from.min(to);
        share(self.cutoff, to.cutoff).max(share(self.q, to.q)) * self.q.max(to.q).max(1.0)
    }
}

impl FilterState {
    /// Filters frames in their place, which a chunk has room for after the first `before`.
    fn run_part<const STAGES: usize>(
        &mut self,
        kernels: Kernels,
        poles: &mut Poles,
        before: usize,
        frames: &mut [f32],
    ) {
        let is_full = before + frames.len() >= CHUNK;
        for (both, input) in self.both.iter_mut().zip(&mut self.input).take(STAGES) {
            for (to, from) in input.iter_mut().skip(before).zip(frames.iter()) {
                *to = *from;
            }
            let (mut then, mut chunk) = (*both, [*input]);
            kernels.filter((poles, None), &mut then, &mut chunk);
            for (to, from) in frames.iter_mut().zip(chunk.as_flattened().iter().skip(before)) {
                *to = *from;
            }
            if is_full {
                (*both, *input) = (then, [0.0; CHUNK]);
            }
        }
    }

    /// Filters frames in their place by one pole; gives its low-pass.
    fn run_one(&mut self, scale: f32, frames: &mut [f32], output: impl Fn(f32, f32) -> f32) {
        let [[_, held], _] = &mut self.both;
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
            *sides = FilterState { both: [[0.0, value]; 2], ..FilterState::default() };
        }
        self.frames = 0;
    }

    /// Returns what it was tuned to last.
    fn target(&self) -> Tuning {
        self.next.map_or(self.tuning, |(next, _)| next)
    }

    /// Returns the most cents from its tuning to the next one for it to filter as it should on the way.
    pub(super) fn blend_cents(&self) -> f32 {
        let Tuning { cutoff, q, .. } = self.target();
        BLEND_CENTS.min(BLEND_SWEEP / cutoff) / q.max(1.0)
    }

    /// Sets its cutoff in hertz and its quality factor; it goes there within some frames, as far as these are whole
    /// chunks and [`MAX_BLEND`] at most. Where a chunk has begun, it begins with the next.
    pub(super) fn tune(&mut self, kind: FilterKind, cutoff: f64, q: f64, (rate, frames): (f64, usize)) {
        let cutoff = (cutoff / rate).clamp(1e-5, 0.49);
        let tuning = Tuning { kind, cutoff: cutoff as f32, q: q.clamp(MIN_Q, MAX_Q) as f32 };
        if self.target() == tuning {
            return;
        }
        if self.frames > 0 && self.tuning.kind == kind && tuning.is_chunked() {
            self.next = Some((tuning, frames as u16));
        } else {
            self.begin_tuning(tuning, frames);
        }
    }

    /// Begins to go to what it is tuned to, with the next chunk.
    fn begin_tuning(&mut self, tuning: Tuning, frames: usize) {
        self.next = None;
        let (before, kind) = (self.tuning, tuning.kind);
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
        let poles = poles(kind, g, k);
        // What was never tuned goes nowhere.
        if before.kind == kind && before.q > 0.0 {
            let chunks = (frames / CHUNK).clamp(1, MAX_BLEND / CHUNK) as u8;
            let most = f32::from(chunks) * STEP;
            let distance = before.distance(&tuning);
            let mut every = 1;
            // On its way it is not where it was tuned to, so the way is not known to be short.
            while self.blending == 0
                && chunks.is_multiple_of(2 * every)
                && distance * f32::from(2 * every) <= most
            {
                every *= 2;
            }
            if every < chunks {
                self.step = self.poles.step_to(&poles, chunks / every);
                (self.blending, self.every) = (chunks, every);
                return;
            }
        }
        (self.poles, self.blending) = (poles, 0);
    }

    /// Lets what has rung out be silence.
    fn flush(&mut self) {
        for state in &mut self.sides {
            // What nobody hears would cost twenty times as much to compute with.
            for value in state.both.as_flattened_mut() {
                if value.abs() < DENORMAL_FLOOR {
                    *value = 0.0;
                }
            }
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
            for (state, side) in self.sides.iter_mut().zip([&mut left, &mut right]) {
                let whole = std::mem::take(side);
                let (now, then) = whole.split_at_mut(frames.min(whole.len()));
                state.run_one(self.scale, now, &output);
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
            if self.frames == 0
                && let Some((next, frames)) = self.next
            {
                self.begin_tuning(next, frames.into());
            }
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
        let until = match self.blending {
            0 => u8::MAX,
            left if self.is_moving() => left,
            _ => self.moving().chunks_to_step(),
        };
        CHUNK * chunks.min(usize::from(until.min(FLUSH - self.chunks)))
    }

    /// Adds a step to the poles, which are moving, if one is due.
    fn step_if_due(&mut self) {
        if self.moving().is_due(0) {
            self.poles.add(&self.step);
        }
    }

    const fn moving(&self) -> Moving<'_> {
        Moving { step: &self.step, left: self.blending, every: self.every }
    }

    /// Returns whether its poles move so often that chunks are filtered while they do.
    const fn is_moving(&self) -> bool {
        self.blending > 0 && self.every < STILL
    }

    fn run_part<const STAGES: usize>(&mut self, kernels: Kernels, sides: [&mut [f32]; 2]) {
        let before = usize::from(self.frames);
        if before == 0 && self.blending > 0 {
            self.step_if_due();
            self.blending -= 1;
        }
        self.frames += sides[0].len() as u8;
        for (state, frames) in self.sides.iter_mut().zip(sides).filter(|(_, frames)| !frames.is_empty()) {
            state.run_part::<STAGES>(kernels, &mut self.poles, before, frames);
        }
        if usize::from(self.frames) >= CHUNK {
            self.frames = 0;
            self.chunks += 1;
        }
    }

    /// Filters whole chunks, in all of which the poles move, or in none but the first.
    fn run_chunks<const STAGES: usize>(&mut self, kernels: Kernels, sides: [&mut [f32]; 2]) {
        let is_moving = self.is_moving();
        if self.blending > 0 && !is_moving {
            self.step_if_due();
        }
        let moving = is_moving.then_some(Moving { step: &self.step, left: self.blending, every: self.every });
        let is_shared = STAGES > 1 || !sides[1].is_empty();
        // All stages of both sides move in the same way.
        let begun = (is_moving && is_shared).then_some(self.poles);
        let count = (sides[0].len() / CHUNK) as u8;
        for (state, frames) in self.sides.iter_mut().zip(sides).filter(|(_, frames)| !frames.is_empty()) {
            let (chunks, _) = frames.as_chunks_mut::<CHUNK>();
            for both in state.both.iter_mut().take(STAGES) {
                if let Some(begun) = &begun {
                    self.poles = *begun;
                }
                kernels.filter((&mut self.poles, moving), both, chunks);
            }
        }
        self.blending = self.blending.saturating_sub(count);
        self.chunks += count;
    }
}

#[cfg(test)]
mod tests;
