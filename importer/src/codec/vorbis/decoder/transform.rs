//! The inverse transform (IMDCT) of a block, by a Fourier transform of a quarter of its length.
//!
//! ```text
//! n/2 values ─► n/4 complex ones, turned ─► FFT ─► turned ─► n/2 values
//!
//! block of n:  │ rising │ its mirror, negated │ falling │ its mirror │
//! ```
//!
//! A block of n frames has n/2 different values: one half of them makes its first half, the other its second. The FFT
//! sorts itself (Stockham) and takes four points at a time; four complex values travel together, so that the compiler
//! makes vectors of them.
//!
//! Source: Xiph.Org, *Vorbis I specification*, §4.3.7. Van Loan, *Computational frameworks for the fast Fourier
//! transform*, §1.7 and §2.4.

use std::f64::consts::{PI, TAU};

use super::codebook::narrow;

/// Four values that travel together.
type Lanes = [f32; 4];

/// Four complex values.
#[derive(Clone, Copy, Debug, Default)]
struct Complex {
    re: Lanes,
    im: Lanes,
}

/// The turns of three of the four points of a step.
type Turns = [Complex; 3];

/// The transform of one length, and the memory it works in.
#[derive(Debug)]
pub(super) struct Transform {
    /// The turns before and after the Fourier transform.
    turns: Vec<Complex>,
    /// The turns of each step of four points.
    steps: Vec<Vec<Turns>>,
    /// Whether a step of two points comes last.
    ends_in_two: bool,
    from: Vec<Complex>,
    to: Vec<Complex>,
}

#[inline(always)]
fn each([a0, a1, a2, a3]: Lanes, [b0, b1, b2, b3]: Lanes, f: impl Fn(f32, f32) -> f32) -> Lanes {
    [f(a0, b0), f(a1, b1), f(a2, b2), f(a3, b3)]
}

/// Counts 0, 1, 2, …
fn count() -> impl Iterator<Item = f64> + Clone {
    std::iter::successors(Some(0.0), |number| Some(number + 1.0))
}

impl Complex {
    /// Returns e^(−i·angle).
    fn turning(angles: [f64; 4]) -> Self {
        Self { re: angles.map(|angle| narrow(angle.cos())), im: angles.map(|angle| narrow(-angle.sin())) }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { re: each(self.re, other.re, |a, b| a + b), im: each(self.im, other.im, |a, b| a + b) }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self { re: each(self.re, other.re, |a, b| a - b), im: each(self.im, other.im, |a, b| a - b) }
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        let product = |a, b| each(a, b, |a, b| a * b);
        Self {
            re: each(product(self.re, other.re), product(self.im, other.im), |a, b| a - b),
            im: each(product(self.re, other.im), product(self.im, other.re), |a, b| a + b),
        }
    }

    /// Multiplies by −i.
    #[inline(always)]
    fn quarter_turned(self) -> Self {
        Self { re: self.im, im: self.re.map(|value| -value) }
    }
}

impl Transform {
    /// Makes the transform of blocks of a power of two, 64 frames at least.
    pub(super) fn new(block: usize) -> Self {
        let points = block / 4;
        let float = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        let turn = |number: f64| PI / float(block) * (2.0 * number + 0.25);
        let turns = count().step_by(4).take(points / 4);
        let turns =
            turns.map(|at| Complex::turning([turn(at), turn(at + 1.0), turn(at + 2.0), turn(at + 3.0)]));
        let (mut steps, mut left) = (Vec::new(), points);
        while left >= 4 {
            let of = |at: [f64; 4]| {
                [1.0, 2.0, 3.0].map(|times| Complex::turning(at.map(|at| TAU * times * at / float(left))))
            };
            steps.push(if steps.is_empty() {
                let at = count().step_by(4).take(left / 16);
                at.map(|at| of([at, at + 1.0, at + 2.0, at + 3.0])).collect()
            } else {
                count().take(left / 4).map(|at| of([at; 4])).collect::<Vec<_>>()
            });
            left /= 4;
        }
        let memory = vec![Complex::default(); points / 4];
        Self { turns: turns.collect(), steps, ends_in_two: left == 2, from: memory.clone(), to: memory }
    }

    /// Transforms half as many values as a block has frames into the first quarter of the block and the third, as many
    /// values each.
    pub(super) fn run(&mut self, spectrum: &[f32], rising: &mut [f32], falling: &mut [f32]) {
        let (forward, backward) = (spectrum.as_chunks::<8>().0, spectrum.as_chunks::<8>().0.iter().rev());
        for (((value, turn), from), to) in self.from.iter_mut().zip(&self.turns).zip(forward).zip(backward) {
            let ([a, _, b, _, c, _, d, _], [_, w, _, x, _, y, _, z]) = (*from, *to);
            *value = Complex { re: [a, b, c, d], im: [z, y, x, w] }.times(*turn);
        }
        let (mut steps, mut stride) = (self.steps.iter(), 1);
        if let Some(turns) = steps.next() {
            first_step(&self.from, &mut self.to, turns);
            std::mem::swap(&mut self.from, &mut self.to);
        }
        for turns in steps {
            step_of_four(&self.from, &mut self.to, turns, stride);
            std::mem::swap(&mut self.from, &mut self.to);
            stride = stride.saturating_mul(4);
        }
        if self.ends_in_two {
            step_of_two(&self.from, &mut self.to);
            std::mem::swap(&mut self.from, &mut self.to);
        }
        let half = self.from.len() / 2;
        let (low, high) = self.from.split_at(half);
        let (low_turns, high_turns) = self.turns.split_at(half);
        let low = low.iter().zip(low_turns).rev();
        let outputs = rising.as_chunks_mut::<8>().0.iter_mut().zip(falling.as_chunks_mut::<8>().0);
        for ((low, high), (rising, falling)) in low.zip(high.iter().zip(high_turns)).zip(outputs) {
            let (low, high) = (low.0.times(*low.1), high.0.times(*high.1));
            let ([a, b, c, d], [w, x, y, z]) = (high.re, low.im);
            *rising = [a, -z, b, -y, c, -x, d, -w];
            let ([a, b, c, d], [w, x, y, z]) = (high.im, low.re);
            *falling = [a, -z, b, -y, c, -x, d, -w];
        }
    }
}

/// Takes four points, a quarter of the length apart.
#[inline(always)]
fn butterfly(a: Complex, b: Complex, c: Complex, d: Complex, [one, two, three]: &Turns) -> [Complex; 4] {
    let (even, odd) = (a.plus(c), b.plus(d));
    let (difference, turned) = (a.minus(c), b.minus(d).quarter_turned());
    [
        even.plus(odd),
        difference.plus(turned).times(*one),
        even.minus(odd).times(*two),
        difference.minus(turned).times(*three),
    ]
}

/// Takes four neighbouring points of each quarter, whose results lie together.
fn first_step(from: &[Complex], to: &mut [Complex], turns: &[Turns]) {
    let Some((a, b, c, d)) = quarters(from) else { return };
    let points = a.iter().zip(b).zip(c).zip(d);
    for ((((a, b), c), d), (turns, to)) in points.zip(turns.iter().zip(to.as_chunks_mut::<4>().0)) {
        let [p, q, r, s] = butterfly(*a, *b, *c, *d, turns);
        let ([p0, p1, p2, p3], [q0, q1, q2, q3]) = (p.re, q.re);
        let ([r0, r1, r2, r3], [s0, s1, s2, s3]) = (r.re, s.re);
        let re = [[p0, q0, r0, s0], [p1, q1, r1, s1], [p2, q2, r2, s2], [p3, q3, r3, s3]];
        let ([p0, p1, p2, p3], [q0, q1, q2, q3]) = (p.im, q.im);
        let ([r0, r1, r2, r3], [s0, s1, s2, s3]) = (r.im, s.im);
        let im = [[p0, q0, r0, s0], [p1, q1, r1, s1], [p2, q2, r2, s2], [p3, q3, r3, s3]];
        for (to, (re, im)) in to.iter_mut().zip(re.into_iter().zip(im)) {
            *to = Complex { re, im };
        }
    }
}

/// Takes `stride` fours of points with the same turns.
fn step_of_four(from: &[Complex], to: &mut [Complex], turns: &[Turns], stride: usize) {
    let Some((a, b, c, d)) = quarters(from) else { return };
    let [a, b, c, d] = [a, b, c, d].map(|quarter| quarter.chunks_exact(stride.max(1)));
    let points = a.zip(b).zip(c).zip(d);
    let to = to.chunks_exact_mut(stride.saturating_mul(4).max(4));
    for ((((a, b), c), d), (turns, to)) in points.zip(turns.iter().zip(to)) {
        let (low, high) = to.split_at_mut(to.len() / 2);
        let ((p, q), (r, s)) = (low.split_at_mut(stride), high.split_at_mut(stride));
        let to = p.iter_mut().zip(q).zip(r.iter_mut().zip(s));
        for (((p, q), (r, s)), (((a, b), c), d)) in to.zip(a.iter().zip(b).zip(c).zip(d)) {
            [*p, *q, *r, *s] = butterfly(*a, *b, *c, *d, turns);
        }
    }
}

fn step_of_two(from: &[Complex], to: &mut [Complex]) {
    let ((a, b), half) = (from.split_at(from.len() / 2), to.len() / 2);
    let (sums, differences) = to.split_at_mut(half);
    for ((sum, difference), (a, b)) in sums.iter_mut().zip(differences).zip(a.iter().zip(b)) {
        (*sum, *difference) = (a.plus(*b), a.minus(*b));
    }
}

type Slices<'c> = (&'c [Complex], &'c [Complex], &'c [Complex], &'c [Complex]);

fn quarters(all: &[Complex]) -> Option<Slices<'_>> {
    let (low, high) = all.split_at_checked(all.len() / 2)?;
    let ((a, b), (c, d)) = (low.split_at_checked(low.len() / 2)?, high.split_at_checked(low.len() / 2)?);
    Some((a, b, c, d))
}
