//! The cosine transform of Bink Audio, by one complex transform of half its length.
//!
//! ```text
//! y[k] = Σ x[n] · cos(π · n · (2k + 1) / 2N)        n, k = 0 … N - 1
//! ```
//!
//! Let `v` be `y[0] y[2] y[4] … y[5] y[3] y[1]`, and `w` = e^(iπ/2N). Then `v[m] = Σ V[n] · w^(4nm)` with
//! `V[0] = x[0]` and `V[n] = w^n · (x[n] - i · x[N-n]) / 2`. `v` is real, so a complex transform of `N / 2` points
//! gives it: the even samples are the real parts of its output, the odd ones the imaginary parts.
//!
//! Source: the definition; J. Makhoul, *A fast cosine transform in one and two dimensions*, 1980.

use std::f32::consts::FRAC_1_SQRT_2;
use std::f64::consts::TAU;
use std::mem;

#[cfg(test)]
mod tests;

/// A real and an imaginary part.
type Complex = [f32; 2];

/// The transform for one length, with its factors.
pub(super) struct Dct {
    /// `w^k / 2` and `i · w^(4k)`, for each `k` from 1 on.
    folds: Vec<[Complex; 2]>,
    /// The factors of each pass: the first, second and third power for each group of butterflies.
    passes: Vec<Vec<[Complex; 3]>>,
    points: Vec<Complex>,
    scratch: Vec<Complex>,
}

impl Dct {
    /// Returns the transform of `length` values, a power of two and at least 4.
    pub(super) fn new(length: usize) -> Self {
        let half = length / 2;
        let fold = |k: usize| {
            let [re, im] = unit(k, length.saturating_mul(4));
            [[re / 2.0, im / 2.0], unit(k.saturating_add(length / 4), length)]
        };
        let sizes = std::iter::successors(Some(half), |size| Some(size / 4)).take_while(|size| *size >= 4);
        let pass = |size: usize| {
            (0..size / 4)
                .map(|group| [1, 2, 3].map(|power| unit(group.saturating_mul(power), size)))
                .collect()
        };
        Self {
            folds: (1..half).map(fold).collect(),
            passes: sizes.map(pass).collect(),
            points: vec![[0.0; 2]; half],
            scratch: vec![[0.0; 2]; half],
        }
    }

    /// Replaces coefficients by samples; `values` are as many as the transform was made for.
    pub(super) fn process(&mut self, values: &mut [f32]) {
        self.fold(values);
        let mut stride = 1;
        for factors in &self.passes {
            pass(&self.points, &mut self.scratch, stride, factors);
            mem::swap(&mut self.points, &mut self.scratch);
            stride = stride.saturating_mul(4);
        }
        if stride < self.points.len() {
            // An odd power of two: one pass over two halves is left, without factors.
            let (low, high) = self.points.split_at_mut(stride);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (add(*a, *b), sub(*a, *b));
            }
        }
        let both = self.points.iter().zip(self.points.iter().rev());
        for (four, (front, back)) in values.as_chunks_mut().0.iter_mut().zip(both) {
            *four = [front[0], back[1], front[1], back[0]];
        }
    }

    /// Computes the complex spectrum: `V[k] + V[k + N/2]` for the even samples, and `i` times the difference, turned by
    /// `k` samples of `N`, for the odd ones. `V[k + N/2]` is the conjugate of `V[N/2 - k]`.
    fn fold(&mut self, values: &[f32]) {
        let (low, high) = values.split_at(values.len() / 2);
        let ([x0, rising @ ..], [middle, above @ ..], [c0, points @ ..]) = (low, high, &mut *self.points)
        else {
            return;
        };
        let middle = middle * FRAC_1_SQRT_2;
        *c0 = [x0 + middle, x0 - middle];
        let pairs = rising.iter().zip(high.iter().rev()).zip(low.iter().rev().zip(above));
        for ((point, [half_turn, odd]), ((x, mirror), (below, above))) in
            points.iter_mut().zip(&self.folds).zip(pairs)
        {
            let a = [*x, -mirror];
            // Turned back by an eighth, as `w^(N/2)` is an eighth of a turn.
            let b = [(below + above) * FRAC_1_SQRT_2, (above - below) * FRAC_1_SQRT_2];
            *point = mul(*half_turn, add(add(a, b), mul(*odd, sub(a, b))));
        }
    }
}

/// Splits transforms of `4 · factors.len()` points, `stride` of them interleaved, into four each of a quarter's length.
fn pass(from: &[Complex], into: &mut [Complex], stride: usize, factors: &[[Complex; 3]]) {
    let (front, back) = from.split_at(from.len() / 2);
    let ((a, b), (c, d)) = (front.split_at(front.len() / 2), back.split_at(back.len() / 2));
    let [a, b, c, d] = [a, b, c, d].map(|quarter| quarter.chunks_exact(stride));
    let groups = into.chunks_exact_mut(stride.saturating_mul(4)).zip(factors);
    for ((((into, [w1, w2, w3]), a), b), (c, d)) in groups.zip(a).zip(b).zip(c.zip(d)) {
        let (front, back) = into.split_at_mut(stride.saturating_mul(2));
        let ((y0, y1), (y2, y3)) = (front.split_at_mut(stride), back.split_at_mut(stride));
        let outputs = y0.iter_mut().zip(y1).zip(y2.iter_mut().zip(y3));
        for (((y0, y1), (y2, y3)), ((a, b), (c, d))) in outputs.zip(a.iter().zip(b).zip(c.iter().zip(d))) {
            let (sum_ac, difference_ac) = (add(*a, *c), sub(*a, *c));
            let (sum_bd, [re, im]) = (add(*b, *d), sub(*b, *d));
            *y0 = add(sum_ac, sum_bd);
            *y1 = mul(*w1, add(difference_ac, [-im, re]));
            *y2 = mul(*w2, sub(sum_ac, sum_bd));
            *y3 = mul(*w3, add(difference_ac, [im, -re]));
        }
    }
}

/// Returns the point on the unit circle after `part` of `whole` of a turn.
#[expect(clippy::cast_possible_truncation, reason = "it is rounded to the nearest value")]
fn unit(part: usize, whole: usize) -> Complex {
    let (sin, cos) = (TAU * part as f64 / whole as f64).sin_cos();
    [cos as f32, sin as f32]
}

fn add(a: Complex, b: Complex) -> Complex {
    [a[0] + b[0], a[1] + b[1]]
}

fn sub(a: Complex, b: Complex) -> Complex {
    [a[0] - b[0], a[1] - b[1]]
}

fn mul(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}
