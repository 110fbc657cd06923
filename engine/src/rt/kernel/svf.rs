//! State variable filters of eight sounds at a time, each in a lane of its own.
//!
//! ```text
//! d  = i x − s₂                                s are both integrators
//! s₁' = s₁ − (c + k b) s₁ + b d                b = 2 g / n,  c = 2 g² / n,  n = 1 + g (g + k)
//! s₂' = s₂ + b s₁ + c d
//! y  = o₀ x + o₁ (s₁ + s₁') + o₂ (s₂ + s₂')    means of s are the band-pass and the low-pass
//! ```
//!
//! The trapezoidal rule in both integrators, the loop without delay solved: Zavalishin, *The Art of VA Filter Design*,
//! chapter 4. A frame has to wait for the one before it, which eight sounds do together.

/// Sounds that are filtered together.
pub(in crate::rt) const LANES: usize = 8;

/// The most stages in a row.
pub(in crate::rt) const STAGES: usize = 2;

/// Numbers of a filter.
pub(super) const NUMBERS: usize = 7;

/// What both integrators hold.
pub(in crate::rt) type Integrators = [f32; 2];

/// The numbers of a filter, the same in all its stages.
///
/// A mean of two is a filter between them: if neither adds energy to the integrators, it does not either.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::rt) struct Coefficients([f32; NUMBERS]);

/// Numbers that each go along a parabola: `from + at (step + at bend)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::rt) struct CoefficientRamp {
    pub(in crate::rt) from: Coefficients,
    pub(in crate::rt) step: Coefficients,
    pub(in crate::rt) bend: Coefficients,
    /// Frames since `from`.
    pub(in crate::rt) at: u16,
}

/// Eight filters, number by number. Aligned, so that vectors lie within a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(in crate::rt) struct FilterLanes {
    pub(super) from: [[f32; LANES]; NUMBERS],
    pub(super) step: [[f32; LANES]; NUMBERS],
    pub(super) bend: [[f32; LANES]; NUMBERS],
    /// Frames since `from`: whole, and so few that they are exact.
    pub(super) at: [f32; LANES],
    /// Both integrators of each stage.
    pub(super) stages: [[[f32; LANES]; 2]; STAGES],
}

impl Coefficients {
    /// Those with which the integrators stay as they are, as a low-pass that is shut.
    pub(in crate::rt) const IDLE: Self = Self::new([0.0; 3], 1.0, Self::LOW_PASS);
    /// What is heard of a low-pass.
    pub(in crate::rt) const LOW_PASS: [f32; 3] = [0.0, 0.0, 0.5];

    /// Creates them from k, b and c, then i, and o₀, o₁ and o₂.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) const fn new(feedback: [f32; 3], input: f32, output: [f32; 3]) -> Self {
        let ([k, b, c], [direct, band, low]) = (feedback, output);
        Self([k, b, c, input, direct, band, low])
    }

    /// Returns them for a sound that is heard as it comes in, while the integrators go on.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) const fn unfiltered(self) -> Self {
        let Self([k, b, c, input, ..]) = self;
        Self::new([k, b, c], input, [1.0, 0.0, 0.0])
    }

    #[cfg(test)]
    pub(in crate::rt) const fn numbers(self) -> [f32; NUMBERS] {
        self.0
    }

    /// Returns a number found for each pair of those of two.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn with(self, other: Self, number: impl Fn(f32, f32) -> f32) -> Self {
        let mut all = self;
        for (one, other) in all.0.iter_mut().zip(other.0) {
            *one = number(*one, other);
        }
        all
    }
}

impl CoefficientRamp {
    /// Creates one that stays.
    pub(in crate::rt) const fn level(from: Coefficients) -> Self {
        let zero = Coefficients([0.0; NUMBERS]);
        Self { from, step: zero, bend: zero, at: 0 }
    }

    /// Returns the numbers at its present frame.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn now(&self) -> Coefficients {
        let at = f32::from(self.at);
        let slope = self.step.with(self.bend, |step, bend| step + bend * at);
        self.from.with(slope, |from, slope| from + slope * at)
    }
}

impl FilterLanes {
    /// Creates eight that are [idle](Coefficients::IDLE).
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn new() -> Self {
        Self {
            from: Coefficients::IDLE.0.map(|number| [number; LANES]),
            step: [[0.0; LANES]; NUMBERS],
            bend: [[0.0; LANES]; NUMBERS],
            at: [0.0; LANES],
            stages: [[[0.0; LANES]; 2]; STAGES],
        }
    }

    /// Sets the numbers of a lane from the next frame on.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn set(&mut self, lane: usize, ramp: &CoefficientRamp) {
        let all = [(&mut self.from, ramp.from), (&mut self.step, ramp.step), (&mut self.bend, ramp.bend)];
        for (to, from) in all {
            to.iter_mut().zip(from.0).for_each(|(to, number)| put(to, lane, number));
        }
        put(&mut self.at, lane, ramp.at.into());
    }

    /// Returns whether all of them stay.
    #[cfg(vectors)]
    pub(super) fn are_level(&self) -> bool {
        are_zero(self.step.as_flattened()) && are_zero(self.bend.as_flattened())
    }

    /// Returns what the integrators of a lane hold, stage by stage.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn state(&self, lane: usize) -> [Integrators; STAGES] {
        self.stages.map(|stage| stage.map(|all| all.get(lane % LANES).copied().unwrap_or_default()))
    }

    /// Sets what the integrators of a lane hold.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn set_state(&mut self, lane: usize, state: [Integrators; STAGES]) {
        for (to, value) in self.stages.as_flattened_mut().iter_mut().zip(state.as_flattened()) {
            put(to, lane, *value);
        }
    }

    /// Lets what lies below a floor be silence.
    ///
    /// # Real-time
    /// Safe.
    pub(in crate::rt) fn flush(&mut self, floor: f32) {
        for value in self.stages.as_flattened_mut().as_flattened_mut() {
            if value.abs() < floor {
                *value = 0.0;
            }
        }
    }

    /// Filters so many frames of each row in their place, from one on, by the first stages.
    pub(super) fn run(&mut self, stages: usize, rows: [&mut [f32]; LANES], from: usize, frames: usize) {
        let mut rows = rows;
        for frame in from..from + frames {
            let mut values = [0.0; LANES];
            for (value, row) in values.iter_mut().zip(&rows) {
                *value = row.get(frame).copied().unwrap_or_default();
            }
            let numbers = self.now();
            for stage in self.stages.iter_mut().take(stages) {
                values = filtered(&numbers, stage, &values);
            }
            for (value, row) in values.into_iter().zip(&mut rows) {
                if let Some(to) = row.get_mut(frame) {
                    *to = value;
                }
            }
            self.at.iter_mut().for_each(|at| *at += 1.0);
        }
    }

    /// Returns the numbers at the present frame of each lane.
    fn now(&self) -> [[f32; LANES]; NUMBERS] {
        let mut numbers = self.from;
        for ((numbers, steps), bends) in numbers.iter_mut().zip(&self.step).zip(&self.bend) {
            for (((number, step), bend), at) in numbers.iter_mut().zip(steps).zip(bends).zip(&self.at) {
                *number += at * (step + bend * at);
            }
        }
        numbers
    }
}

/// Sets the number of a lane. The remainder spares a comparison.
fn put(to: &mut [f32; LANES], lane: usize, number: f32) {
    if let Some(to) = to.get_mut(lane % LANES) {
        *to = number;
    }
}

/// Returns whether all numbers are zero; looks at all of them, which takes a few vectors.
#[cfg(vectors)]
pub(super) fn are_zero(numbers: &[f32]) -> bool {
    numbers.iter().fold(0, |bits, number| bits | number.to_bits() << 1) == 0
}

/// Returns what a stage gives for a value of each lane.
fn filtered(
    [k, b, c, input, direct, of_band, of_low]: &[[f32; LANES]; NUMBERS],
    [band, low]: &mut [[f32; LANES]; 2],
    values: &[f32; LANES],
) -> [f32; LANES] {
    let mut out = [0.0; LANES];
    let integrators = band.iter_mut().zip(low);
    let feedback = k.iter().zip(b).zip(c).zip(input);
    let output = direct.iter().zip(of_band).zip(of_low);
    let lanes = out.iter_mut().zip(values).zip(integrators).zip(feedback).zip(output);
    for ((((out, x), (band, low)), (((k, b), c), input)), ((direct, of_band), of_low)) in lanes {
        let around = input * x - *low;
        let next_band = *band - (c + k * b) * *band + b * around;
        let next_low = *low + b * *band + c * around;
        *out = direct * x + of_band * (*band + next_band) + of_low * (*low + next_low);
        (*band, *low) = (next_band, next_low);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Kernels;
    use super::super::simd::SimdLevel;
    use super::*;

    const FRAMES: usize = if cfg!(miri) { 40 } else { 1000 };
    const ROW: usize = FRAMES + LANES;

    /// A resonant low-pass, and a band-pass far above.
    const ONE: Coefficients = Coefficients::new([0.15, 0.2, 0.02], 1.0, [0.0, 0.0, 0.5]);
    const OTHER: Coefficients = Coefficients::new([1.0, 0.7, 0.4], 1.5, [0.1, 0.5, -0.2]);

    fn noise() -> [[f32; ROW]; LANES] {
        let mut noise = fixtures::signal::Noise::new(1);
        [(); LANES].map(|()| [(); ROW].map(|()| f32::from(noise.bits() as i16) / 32_768.0))
    }

    /// Returns what a form makes of noise and holds then, in lanes that go from one filter to another in as many ways.
    fn filtered(level: SimdLevel, is_moving: bool, cuts: &[usize]) -> ([[f32; ROW]; LANES], FilterLanes) {
        let (mut lanes, mut rows) = (FilterLanes::new(), noise());
        for lane in 0..LANES {
            let part = lane as f32 / LANES as f32;
            let from = ONE.with(OTHER, |one, other| one + (other - one) * part);
            let steps = if is_moving { FRAMES as f32 * 2.0 } else { f32::INFINITY };
            let step = ONE.with(OTHER, |one, other| (other - one) / steps);
            let bend = step.with(step, |step, _| 0.1 * step / steps);
            lanes.set(lane, &CoefficientRamp { from, step, bend, at: 3 * lane as u16 });
        }
        let mut from = 0;
        for cut in cuts.iter().cycle() {
            let frames = (*cut).min(FRAMES - from);
            let sides = rows.each_mut().map(<[f32; ROW]>::as_mut_slice);
            Kernels { level }.filter(if is_moving { 2 } else { 1 }, &mut lanes, sides, from, frames);
            from += frames;
            if from == FRAMES {
                break;
            }
        }
        (rows, lanes)
    }

    #[test]
    fn every_form_filters_like_the_definition() {
        for is_moving in [false, true] {
            let (defined, _) = filtered(SimdLevel::SCALAR, is_moving, &[FRAMES]);
            for level in SimdLevel::all() {
                let (heard, _) = filtered(level, is_moving, &[FRAMES]);
                let pairs = defined.as_flattened().iter().zip(heard.as_flattened());
                let off = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
                assert!(off < 1e-5, "{level:?} is off by {off}");
            }
        }
    }

    #[test]
    fn no_form_filters_otherwise_where_frames_are_cut() {
        for level in SimdLevel::all() {
            for is_moving in [false, true] {
                let whole = filtered(level, is_moving, &[FRAMES]);
                for cuts in [&[1][..], &[8, 3, 64, 7], &[13]] {
                    let cut = filtered(level, is_moving, cuts);
                    assert_eq!(format!("{whole:?}"), format!("{cut:?}"), "{level:?} {cuts:?}");
                }
            }
        }
    }

    #[test]
    fn lanes_do_not_hear_each_other_and_an_idle_one_keeps_what_it_holds() {
        let state = [[0.25, -0.5], [1e-30, 3.0]];
        // Low-passes alone are a kind of their own.
        let filtered = |level, other: Coefficients| {
            let (mut lanes, mut rows) = (FilterLanes::new(), noise());
            lanes.set(0, &CoefficientRamp::level(ONE));
            lanes.set(2, &CoefficientRamp::level(other));
            lanes.set_state(1, state);
            let sides = rows.each_mut().map(<[f32; ROW]>::as_mut_slice);
            Kernels { level }.filter(2, &mut lanes, sides, 0, FRAMES);
            assert_eq!(lanes.state(1), state, "{level:?}");
            (rows[0], lanes.state(0))
        };
        for level in SimdLevel::all() {
            let alone = filtered(level, Coefficients::IDLE);
            assert_eq!(alone, filtered(level, ONE), "{level:?}");
            assert_eq!(alone, filtered(level, OTHER), "{level:?}");
        }
    }
}
