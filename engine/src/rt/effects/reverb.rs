//! A reverberator: a feedback delay network.
//!
//! ```text
//!                                        ┌──────────── rotation ◄─ mixing ◄───────┐
//! left, right ─► pre-delay ─► diffusion ─┴─► 8 lines ─┬─► absorption per line ────┘
//!                                                     └─► two sums of signs: left and right
//! ```
//!
//! The lines have different prime lengths, and the mixing matrix is orthogonal, so without absorption no energy is
//! lost. Each line absorbs in proportion to its length, so that every path through the network has lost 60 dB after the
//! decay time: its gain is 10^(−3 × length / decay), and the pole of its one-pole filter is chosen so that the damping
//! frequency loses twice as many decibels. Pairs of lines are rotated into each other slowly, each pair at another
//! speed. That is orthogonal as well, needs no interpolation, and keeps modes from ringing.
//!
//! Source: J.-M. Jot, A. Chaigne, *Digital delay networks for designing artificial reverberators*, AES 90 (1991); S. J.
//! Schlecht, E. A. P. Habets, *Time-varying feedback matrices in feedback delay networks and their application in
//! artificial reverberation*, JASA 138 (2015); M. R. Schroeder, *Natural sounding artificial reverberation*, JAES 10
//! (1962), for the allpass filters of the diffusion.

use std::f64::consts::TAU;
use std::time::Duration;

use song::Hz;

use super::line::{DelayLine, Glide, ReadHead};
use super::{Effect, FADE, MAX_RATE, audible};
use crate::effects::ReverbSetting;
use crate::message::Micros;
use crate::rt::grid::{self, CELL};

const LINES: usize = 8;

/// One value for each line.
type Lanes = [f32; LINES];

/// Lengths of the lines in seconds, a geometric series: the short ones make echoes dense early, and all together have
/// one mode per 2.7 Hz.
const LENGTHS: [f64; LINES] = [0.0153, 0.02, 0.0262, 0.0343, 0.0449, 0.0588, 0.0769, 0.1007];

/// Allpass filters in a row for each side.
const DIFFUSERS: usize = 4;

/// Their lengths in seconds, left and right.
const DIFFUSION: [[f64; DIFFUSERS]; 2] = [[0.0023, 0.0041, 0.0073, 0.0127], [0.0029, 0.0047, 0.0067, 0.0137]];

/// Their coefficient.
const DIFFUSION_GAIN: f32 = 0.65;

/// Time in which all lines and diffusers have been passed once.
pub(crate) const ONSET: Duration = Duration::from_millis(130);

/// The longest pre-delay, in seconds.
const MAX_PRE_DELAY: f64 = 0.25;

/// Signs of the lines in the output of each side, orthogonal also over the lines that one side is sent to, and no rows
/// of the matrix. All lines together are as loud as one.
const LEFT: Lanes = signs([1, 1, 1, -1, 1, -1, 1, 1]);
const RIGHT: Lanes = signs([1, 1, 1, 1, -1, 1, -1, 1]);

const fn signs(signs: [i8; LINES]) -> Lanes {
    let [a, b, c, d, e, f, g, h] = signs;
    [
        a as f32 * MIXING,
        b as f32 * MIXING,
        c as f32 * MIXING,
        d as f32 * MIXING,
        e as f32 * MIXING,
        f as f32 * MIXING,
        g as f32 * MIXING,
        h as f32 * MIXING,
    ]
}

/// Scale that makes the matrix orthogonal: 1/√8.
const MIXING: f32 = 0.353_553_39;

/// Turns of each pair of lines per second: fast enough to spread modes, slow enough not to flutter.
const ROTATIONS: [f64; LINES / 2] = [0.37, 0.53, 0.79, 1.03];

/// The reverb of an engine.
#[derive(Debug)]
pub(crate) struct Reverb {
    setting: ReverbSetting,
    rate: Hz,
    fade: u32,
    pre: [DelayLine; 2],
    head: ReadHead,
    diffusers: [[Allpass; DIFFUSERS]; 2],
    lines: [Line; LINES],
    /// State of the filters.
    damped: Lanes,
    feed: Glide<LINES>,
    pole: Glide<LINES>,
    input: Glide<1>,
    rotation: Rotation,
}

/// A delay line of the network.
#[derive(Debug)]
struct Line {
    values: DelayLine,
    length: usize,
}

impl Line {
    fn new(seconds: f64) -> Self {
        let values = DelayLine::new(prime((seconds * MAX_RATE).ceil() as usize).max(CELL));
        Self { length: values.size(), values }
    }

    fn set_rate(&mut self, seconds: f64, rate: Hz) {
        // The cast saturates.
        let frames = (seconds * f64::from(rate.get())).round() as usize;
        // A cell at least, so that one can be read before the next is written.
        self.length = prime(frames.clamp(CELL, self.values.size())).min(self.values.size());
        self.values.clear();
    }
}

/// Returns the first prime number that is not below a number. Lines of different prime lengths never come back
/// together.
fn prime(from: usize) -> usize {
    let is_prime = |number: &usize| (2..).take_while(|d| d * d <= *number).all(|d| !number.is_multiple_of(d));
    (from.max(2)..=usize::MAX).find(is_prime).unwrap_or(from)
}

impl Reverb {
    /// # Real-time
    /// Never: takes all its memory.
    pub(super) fn new(setting: ReverbSetting, rate: Hz) -> Self {
        let pre = || DelayLine::new((MAX_PRE_DELAY * MAX_RATE) as usize + CELL);
        let mut reverb = Self {
            setting,
            rate,
            fade: 0,
            pre: [pre(), pre()],
            head: ReadHead::at(0),
            diffusers: DIFFUSION.map(|side| side.map(|seconds| Allpass(Line::new(seconds)))),
            lines: LENGTHS.map(Line::new),
            damped: [0.0; LINES],
            feed: Glide::at([0.0; LINES]),
            pole: Glide::at([0.0; LINES]),
            input: Glide::at([0.0]),
            rotation: Rotation::default(),
        };
        reverb.set_rate(rate);
        reverb
    }

    fn pre_delay(&self) -> usize {
        let [left, _] = &self.pre;
        (self.setting.pre_delay.frames(self.rate) as usize).min(left.size() - CELL)
    }

    /// Glides to the coefficients of its setting.
    fn tune(&mut self) {
        let rate = f64::from(self.rate.get());
        let decay = self.setting.decay.duration().as_secs_f64();
        let damping = (f64::from(self.setting.damping) / rate).min(0.45);
        let (mut feed, mut pole, mut energy) = ([0.0; LINES], [0.0; LINES], 0.0);
        for ((line, feed), pole) in self.lines.iter().zip(&mut feed).zip(&mut pole) {
            let gain = gain_of(line.length as f64 / rate, decay);
            // As f32, so that the gain at low frequencies is exact however near to 1 the pole is.
            *pole = pole_of(gain, damping) as f32;
            *feed = (gain * (1.0 - f64::from(*pole))) as f32;
            energy += gain * gain / LINES as f64;
        }
        // Noise of power 1 adds up to 1 / (1 - energy) in the lines.
        let input = (1.0 - energy).sqrt();
        let length = GLIDE.frames(self.rate);
        self.feed.set(feed, length);
        self.pole.set(pole, length);
        self.input.set([input as f32], length);
    }

    fn is_gliding(&self) -> bool {
        self.feed.remaining().is_some()
    }

    /// Passes both sides through pre-delay and diffusion, in place.
    fn diffuse(&mut self, sides: [&mut [f32]; 2]) {
        let [frames, _] = sides.each_ref().map(|side| side.len());
        for ((side, pre), diffusers) in sides.into_iter().zip(&mut self.pre).zip(&mut self.diffusers) {
            pre.write(side);
            self.head.read(pre, side.len(), side);
            diffusers.iter_mut().for_each(|diffuser| diffuser.run(side));
        }
        self.head.advance(frames, self.fade);
    }

    /// Runs the network for some frames, with coefficients for each; returns the peak of its lines. `first` is the
    /// first frame's offset in its cell.
    fn circulate(
        &mut self,
        first: usize,
        [left, right]: [&mut [f32]; 2],
        coefficients: impl Fn(&Self, u32) -> ([Lanes; 2], f32),
    ) -> f32 {
        let frames = left.len();
        let mut lanes = [[0.0; LINES]; CELL];
        let mut values = [0.0; CELL];
        let values = values.get_mut(..frames).unwrap_or_default();
        for (lane, line) in self.lines.iter().enumerate() {
            line.values.read(line.length, values);
            for (lanes, value) in lanes.iter_mut().zip(&*values) {
                if let Some(place) = lanes.get_mut(lane) {
                    *place = *value;
                }
            }
        }
        let mut peak = [0.0_f32; LINES];
        let mut damped = self.damped;
        for (((lanes, left), right), i) in lanes.iter_mut().zip(left).zip(right).zip(0..) {
            let ([feed, pole], input) = coefficients(self, i);
            for ((((damped, value), feed), pole), peak) in
                damped.iter_mut().zip(&*lanes).zip(feed).zip(pole).zip(&mut peak)
            {
                *damped = audible(feed * *value + pole * *damped);
                *peak = peak.max(value.abs());
            }
            let (sent_left, sent_right) = (*left * input, *right * input);
            (*left, *right) = (dot(lanes, &LEFT), dot(lanes, &RIGHT));
            *lanes = mixed(self.rotation.apply(first + i as usize, &damped));
            let (pairs, _) = lanes.as_chunks_mut();
            for [even, odd] in pairs {
                *even += sent_left;
                *odd += sent_right;
            }
        }
        self.damped = damped;
        for (lane, line) in self.lines.iter_mut().enumerate() {
            for (lanes, value) in lanes.iter().zip(&mut *values) {
                *value = lanes.get(lane).copied().unwrap_or_default();
            }
            line.values.write(values);
        }
        peak.into_iter().fold(0.0, f32::max)
    }
}

/// How long coefficients take from one setting to another.
const GLIDE: Micros = Micros::millis(20);

impl Effect for Reverb {
    type Setting = ReverbSetting;

    fn set(&mut self, setting: &ReverbSetting) {
        self.setting = *setting;
        self.head.move_to(self.pre_delay(), self.fade);
        self.tune();
    }

    fn set_rate(&mut self, rate: Hz) {
        (self.rate, self.fade) = (rate, FADE.frames(rate));
        for (line, seconds) in self.lines.iter_mut().zip(LENGTHS) {
            line.set_rate(seconds, rate);
        }
        for (Allpass(line), seconds) in
            self.diffusers.iter_mut().flatten().zip(DIFFUSION.into_iter().flatten())
        {
            line.set_rate(seconds, rate);
        }
        self.rotation = Rotation::default();
        self.head = ReadHead::at(self.pre_delay());
        self.tune();
        self.settle();
        self.clear();
    }

    fn clear(&mut self) {
        self.pre.iter_mut().for_each(DelayLine::clear);
        self.lines.iter_mut().for_each(|line| line.values.clear());
        self.diffusers.iter_mut().flatten().for_each(|Allpass(line)| line.values.clear());
        self.damped = [0.0; LINES];
    }

    fn settle(&mut self) {
        self.head.settle();
        self.feed.settle();
        self.pole.settle();
        self.input.settle();
    }

    fn reach(&self) -> usize {
        let longest = self.lines.iter().map(|line| line.length).max().unwrap_or_default();
        let side = |side: &[Allpass; DIFFUSERS]| side.iter().map(|Allpass(line)| line.length).sum();
        let diffusion: usize = self.diffusers.iter().map(side).max().unwrap_or_default();
        self.head.reach() + diffusion + longest
    }

    fn frames_until_change(&self) -> usize {
        let fades = [self.head.remaining(), self.feed.remaining()];
        fades.into_iter().flatten().min().unwrap_or(usize::MAX)
    }

    fn run(&mut self, now: u64, left: &mut [f32], right: &mut [f32]) -> f32 {
        let frames = left.len();
        self.rotation.turn(now, self.rate);
        self.diffuse([&mut *left, &mut *right]);
        let first = (now % CELL as u64) as usize;
        if !self.is_gliding() {
            let [input] = self.input.values(0);
            let still = ([self.feed.values(0), self.pole.values(0)], input);
            return self.circulate(first, [left, right], |_, _| still);
        }
        let peak = self.circulate(first, [left, right], |reverb, i| {
            let [input] = reverb.input.values(i);
            ([reverb.feed.values(i), reverb.pole.values(i)], input)
        });
        self.feed.advance(frames);
        self.pole.advance(frames);
        self.input.advance(frames);
        peak
    }
}

/// Returns the gain of a line of some seconds, in a network that falls by 60 dB within the decay time: below 1, however
/// short it is.
fn gain_of(seconds: f64, decay: f64) -> f64 {
    10.0_f64.powf(-3.0 * seconds / decay).min(0.9999)
}

/// Returns the pole of a low-pass filter of one pole, whose gain at a frequency (in cycles per frame) is `gain` times
/// that at 0.
fn pole_of(gain: f64, frequency: f64) -> f64 {
    let (lost, cosine) = (1.0 - gain * gain, (TAU * frequency).cos());
    let half = 1.0 - gain * gain * cosine;
    lost / (half + (half * half - lost * lost).max(0.0).sqrt())
}

fn dot(lanes: &Lanes, signs: &Lanes) -> f32 {
    let mut sums = [0.0; LINES / 2];
    let [lanes, more] = halves(*lanes);
    let [signs, more_signs] = halves(*signs);
    for ((((sum, a), a_sign), b), b_sign) in sums.iter_mut().zip(lanes).zip(signs).zip(more).zip(more_signs) {
        *sum = a * a_sign + b * b_sign;
    }
    let [a, b, c, d] = sums;
    (a + c) + (b + d)
}

const fn halves([a, b, c, d, e, f, g, h]: Lanes) -> [[f32; LINES / 2]; 2] {
    [[a, b, c, d], [e, f, g, h]]
}

/// Returns the product with the Hadamard matrix of size 8, made orthogonal.
fn mixed([low, high]: [[f32; LINES / 2]; 2]) -> Lanes {
    let (mut sum, mut difference) = ([0.0; LINES / 2], [0.0; LINES / 2]);
    for (((sum, difference), low), high) in sum.iter_mut().zip(&mut difference).zip(low).zip(high) {
        (*sum, *difference) = ((low + high) * MIXING, (low - high) * MIXING);
    }
    let four = |[a, b, c, d]: [f32; 4]| {
        let [e, f, g, h] = [a + c, b + d, a - c, b - d];
        [e + f, e - f, g + h, g - h]
    };
    let ([a, b, c, d], [e, f, g, h]) = (four(sum), four(difference));
    [a, b, c, d, e, f, g, h]
}

/// Rotation of pairs of lines, by angles that follow from absolute time.
#[derive(Debug, Default)]
struct Rotation {
    /// The cell after the present one; 0 if there is none.
    next: u64,
    cosines: [Slope; LINES / 2],
    sines: [Slope; LINES / 2],
}

/// A straight line along a cell of the grid.
#[derive(Clone, Copy, Debug, Default)]
struct Slope {
    from: f32,
    slope: f32,
}

impl Rotation {
    /// Finds the angles for the cell of a frame.
    fn turn(&mut self, now: u64, rate: Hz) {
        let cell = grid::cell_of(now);
        if self.next == cell + 1 {
            return;
        }
        self.next = cell + 1;
        for ((speed, cosine), sine) in ROTATIONS.iter().zip(&mut self.cosines).zip(&mut self.sines) {
            let at = |cell: u64| {
                let seconds = (cell as f64 * CELL as f64) / f64::from(rate.get());
                let (sine, cosine) = (TAU * (seconds * speed).fract()).sin_cos();
                (sine as f32, cosine as f32)
            };
            let ((from_sine, from_cosine), (to_sine, to_cosine)) = (at(cell), at(cell + 1));
            let line = |from: f32, to: f32| Slope { from, slope: (to - from) / CELL as f32 };
            (*sine, *cosine) = (line(from_sine, to_sine), line(from_cosine, to_cosine));
        }
    }

    /// Returns both halves of the lanes, rotated by the angles at a frame of the cell. A straight line between two
    /// points of the unit circle lies within it, so the rotation never amplifies.
    #[inline]
    fn apply(&self, frame: usize, lanes: &Lanes) -> [[f32; LINES / 2]; 2] {
        let at = frame as f32;
        let [mut low, mut high] = halves(*lanes);
        for (((low, high), cosine), sine) in low.iter_mut().zip(&mut high).zip(&self.cosines).zip(&self.sines)
        {
            let (cosine, sine) = (cosine.from + cosine.slope * at, sine.from + sine.slope * at);
            (*low, *high) = (cosine * *low - sine * *high, sine * *low + cosine * *high);
        }
        [low, high]
    }
}

/// A Schroeder allpass filter.
#[derive(Debug)]
struct Allpass(Line);

impl Allpass {
    /// Filters some frames in place, a cell at most.
    fn run(&mut self, values: &mut [f32]) {
        let Self(line) = self;
        let mut delayed = [0.0; CELL];
        let delayed = delayed.get_mut(..values.len()).unwrap_or_default();
        line.values.read(line.length, delayed);
        for (value, delayed) in values.iter_mut().zip(&mut *delayed) {
            let fed = audible(*value + DIFFUSION_GAIN * *delayed);
            *value = *delayed - DIFFUSION_GAIN * fed;
            *delayed = fed;
        }
        line.values.write(delayed);
    }
}

#[cfg(test)]
mod tests;
