//! Two poles of a filter for eight frames at a time.
//!
//! ```text
//! s' = A s + B x,  y = C s + D x                      one frame; s are two integrators
//! y₀…y₇ = [C, CA, … CA⁷] s + [D, CB, CAB, … CA⁶B] ∗ x     eight, of which each sees those before it
//! s₈ = A⁸ s + A⁷B x₀ + A⁶B x₁ + … + B x₇              where the next eight begin
//! ```

/// Frames that are filtered together.
pub(in crate::rt) const CHUNK: usize = 8;

/// Frames of an impulse response after as much silence: from the eighth on, it is what the first input does to eight
/// outputs, and from `n` frames before there what the input `n` does.
const IMPULSE: usize = 2 * CHUNK;

/// Two poles as matrices for eight frames.
///
/// A mean of two is a filter between them: if neither gains energy from one chunk to the next, it does not either.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rt) struct Poles {
    /// Silence, then what an input does to its own output and the next seven.
    pub(super) impulse: [f32; IMPULSE],
    /// What each integrator does to the outputs.
    pub(super) rows: [[f32; CHUNK]; 2],
    /// What inputs do to both integrators, in pairs: of 0, 1, 4 and 5, then of 2, 3, 6 and 7.
    pub(super) into: [[f32; CHUNK]; 2],
    /// What the first and the second integrator do to both of them.
    pub(super) eight: [[f32; 2]; 2],
}

/// How poles move while chunks are filtered.
#[derive(Clone, Copy, Debug)]
pub(in crate::rt) struct Moving<'a> {
    /// What is added to them.
    pub(in crate::rt) step: &'a Poles,
    /// Chunks that begin until they are where they go, the next one among them.
    pub(in crate::rt) left: u8,
    /// Chunks to a step, which is added before the first of them: a power of two.
    pub(in crate::rt) every: u8,
}

impl Moving<'_> {
    /// Returns whether a step is added before a chunk that follows `done` others.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) const fn is_due(&self, done: usize) -> bool {
        (self.left as usize).wrapping_sub(done) & (self.every as usize).saturating_sub(1) == 0
    }

    /// Returns the number of chunks that begin before the next step, one that is due not counted: at least one.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) const fn chunks_to_step(&self) -> u8 {
        (self.left.wrapping_sub(1) & self.every.saturating_sub(1)) + 1
    }
}

/// Returns a product of a matrix, by rows, and a vector.
fn product(matrix: [[f32; 2]; 2], [first, second]: [f32; 2]) -> [f32; 2] {
    matrix.map(|[one, other]| one * first + other * second)
}

/// Returns a matrix, by rows, times itself.
fn squared(matrix: [[f32; 2]; 2]) -> [[f32; 2]; 2] {
    let [[a, b], [c, d]] = matrix;
    [[a * a + b * c, a * b + b * d], [c * a + d * c, c * b + d * d]]
}

impl Poles {
    /// Creates poles from `A` by rows, `B`, and `C` with `D`.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn new(one: [[f32; 2]; 2], input: [f32; 2], output: [f32; 3]) -> Self {
        let two = squared(one);
        let four = squared(two);
        let [[a, b], [c, d]] = squared(four);
        let [band, low, direct] = output;
        // Of a row, what it sees one, two or four frames later.
        let after =
            |[band, low]: [f32; 2], [[a, b], [c, d]]: [[f32; 2]; 2]| [band * a + low * c, band * b + low * d];
        let first = [band, low];
        let second = after(first, one);
        let (third, fourth) = (after(first, two), after(second, two));
        let early = [first, second, third, fourth];
        let late = early.map(|row| after(row, four));
        let mut rows = [[0.0; CHUNK]; 2];
        for (frame, [band, low]) in early.into_iter().chain(late).enumerate() {
            for (row, value) in rows.iter_mut().zip([band, low]) {
                if let Some(to) = row.get_mut(frame) {
                    *to = value;
                }
            }
        }
        let heard = |[band, low]: [f32; 2]| band * input[0] + low * input[1];
        let [h1, h2, h3, h4] = early.map(heard);
        let [h5, h6, h7, _] = late.map(heard);
        let i7 = input;
        let i6 = product(one, i7);
        let (i5, i4) = (product(two, i7), product(two, i6));
        let [i3, i2, i1, i0] = [i7, i6, i5, i4].map(|input| product(four, input));
        let pairs =
            |[[a, b], [c, d], [e, f], [g, h]]: [[f32; 2]; 4]| -> [f32; CHUNK] { [a, b, c, d, e, f, g, h] };
        Self {
            impulse: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, direct, h1, h2, h3, h4, h5, h6, h7],
            rows,
            into: [pairs([i0, i1, i4, i5]), pairs([i2, i3, i6, i7])],
            eight: [[a, c], [b, d]],
        }
    }

    /// Returns what each input does to the outputs of its chunk, from the first input to the last.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn responses(&self) -> impl Iterator<Item = &[f32; CHUNK]> {
        self.impulse.windows(CHUNK).rev().take(CHUNK).filter_map(|window| window.try_into().ok())
    }

    /// Returns the difference to other poles, divided by a number of steps.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn step_to(&self, other: &Self, steps: u8) -> Self {
        let part = f32::from(steps).recip();
        let mut step = *self;
        step.each(other, |from, to| *from = (to - *from) * part);
        step
    }

    /// Adds a step.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn add(&mut self, step: &Self) {
        self.each(step, |one, other| *one += other);
    }

    fn each(&mut self, other: &Self, mut change: impl FnMut(&mut f32, f32)) {
        fn pairs<const N: usize>(
            one: &mut [f32; N],
            other: &[f32; N],
            change: &mut impl FnMut(&mut f32, f32),
        ) {
            one.iter_mut().zip(other).for_each(|(one, other)| change(one, *other));
        }
        pairs(&mut self.impulse, &other.impulse, &mut change);
        for (one, other) in self.rows.iter_mut().zip(&other.rows) {
            pairs(one, other, &mut change);
        }
        for (one, other) in self.into.iter_mut().zip(&other.into) {
            pairs(one, other, &mut change);
        }
        for (one, other) in self.eight.iter_mut().zip(&other.eight) {
            pairs(one, other, &mut change);
        }
    }

    /// Filters chunks in their place while they move, if they do.
    pub(super) fn run(
        &mut self,
        moving: Option<Moving<'_>>,
        state: &mut [f32; 2],
        chunks: &mut [[f32; CHUNK]],
    ) {
        for (done, chunk) in chunks.iter_mut().enumerate() {
            if let Some(moving) = moving.filter(|moving| moving.is_due(done)) {
                self.add(moving.step);
            }
            (*chunk, *state) = self.chunk(*state, *chunk);
        }
    }

    /// Returns the outputs of a chunk, and where the integrators are after it. Each output depends on the inputs up to
    /// its own only, to the bit.
    fn chunk(&self, [band, low]: [f32; 2], input: [f32; CHUNK]) -> ([f32; CHUNK], [f32; 2]) {
        let Self { impulse: _, rows: [of_band, of_low], into: [outer, inner], eight } = self;
        let mut outputs = [0.0; CHUNK];
        for (frame, response) in input.iter().zip(self.responses()) {
            outputs.iter_mut().zip(response).for_each(|(output, response)| *output += response * frame);
        }
        for ((output, of_band), of_low) in outputs.iter_mut().zip(of_band).zip(of_low) {
            *output += of_band * band + of_low * low;
        }
        let [x0, x1, x2, x3, x4, x5, x6, x7] = input;
        let pairs = [[x0, x0, x1, x1, x4, x4, x5, x5], [x2, x2, x3, x3, x6, x6, x7, x7]];
        let mut sums = [0.0; CHUNK];
        for (into, frames) in [outer, inner].into_iter().zip(pairs) {
            for ((sum, into), frame) in sums.iter_mut().zip(into).zip(frames) {
                *sum += into * frame;
            }
        }
        let [b0, l0, b1, l1, b2, l2, b3, l3] = sums;
        let [[band_on, band_to_low], [low_to_band, low_on]] = *eight;
        let end = [
            (b0 + b2) + (b1 + b3) + (band_on * band + low_to_band * low),
            (l0 + l2) + (l1 + l3) + (band_to_low * band + low_on * low),
        ];
        (outputs, end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kernels;
    use super::super::simd::SimdLevel;
    use super::*;

    const CHUNKS: usize = if cfg!(miri) { 5 } else { 200 };

    /// A resonant low-pass: `A` by rows, `B`, and `C` with `D`.
    const ONE: ([[f64; 2]; 2], [f64; 2], [f64; 3]) =
        ([[0.9, -0.2], [0.2, 0.95]], [0.19, 0.02], [0.097, 0.98, 0.0097]);
    const OTHER: ([[f64; 2]; 2], [f64; 2], [f64; 3]) =
        ([[0.5, -0.7], [0.7, 0.6]], [0.7, 0.3], [0.35, 0.8, 0.15]);

    fn poles((one, input, output): ([[f64; 2]; 2], [f64; 2], [f64; 3])) -> Poles {
        let single = |value: f64| value as f32;
        Poles::new(one.map(|row| row.map(single)), input.map(single), output.map(single))
    }

    fn noise() -> Vec<[f32; CHUNK]> {
        let mut noise = fixtures::signal::Noise::new(1);
        (0..CHUNKS).map(|_| [(); CHUNK].map(|()| f32::from(noise.bits() as i16) / 32_768.0)).collect()
    }

    /// Returns the output of a form, with a step from one filter to another or without.
    fn filtered(level: SimdLevel, is_moving: bool, cuts: usize) -> (Vec<f32>, [f32; 2], Poles) {
        let (mut poles, to) = (poles(ONE), poles(OTHER));
        let step = poles.step_to(&to, 128);
        let (mut state, mut chunks) = ([0.0; 2], noise());
        let mut left = 0_u8;
        for chunks in chunks.chunks_mut(cuts) {
            let moving = is_moving.then_some(Moving { step: &step, left, every: 2 });
            Kernels { level }.filter((&mut poles, moving), &mut state, chunks);
            left = left.wrapping_sub(chunks.len() as u8);
        }
        (chunks.into_flattened(), state, poles)
    }

    #[test]
    fn eight_frames_are_those_that_come_one_by_one() {
        let ([to_band, to_low], input, [of_band, of_low, direct]) = ONE;
        let (mut band, mut low) = (0.0, 0.0);
        let one_by_one = noise().into_flattened().into_iter().map(|frame| {
            let frame = f64::from(frame);
            let output = of_band * band + of_low * low + direct * frame;
            (band, low) = (
                to_band[0] * band + to_band[1] * low + input[0] * frame,
                to_low[0] * band + to_low[1] * low + input[1] * frame,
            );
            output
        });
        let one_by_one: Vec<f64> = one_by_one.collect();
        for level in SimdLevel::all() {
            let (heard, ..) = filtered(level, false, CHUNKS);
            for (found, wanted) in heard.iter().zip(&one_by_one) {
                assert!((f64::from(*found) - wanted).abs() < 1e-5, "{level:?}: {found} for {wanted}");
            }
        }
    }

    #[test]
    fn every_form_filters_like_the_definition_while_the_filter_moves() {
        let (defined, ..) = filtered(SimdLevel::SCALAR, true, CHUNKS);
        for level in SimdLevel::all() {
            let (heard, ..) = filtered(level, true, CHUNKS);
            let pairs = defined.iter().zip(&heard);
            let off = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
            assert!(off < 1e-5, "{level:?} is off by {off}");
        }
    }

    #[test]
    fn no_form_filters_otherwise_where_chunks_are_cut() {
        for level in SimdLevel::all() {
            for is_moving in [false, true] {
                let (whole, cut) = (filtered(level, is_moving, CHUNKS), filtered(level, is_moving, 3));
                assert_eq!(format!("{whole:?}"), format!("{cut:?}"), "{level:?}");
            }
        }
    }
}
