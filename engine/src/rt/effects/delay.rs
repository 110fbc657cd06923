//! Echoes.
//!
//! ```text
//! left  ─► + ─► line ─┬─► left          ping-pong:  both ─► + ─► line ─┬─► left
//!          ▲          │                                     │          └─► feedback ─► line ─┬─► right
//!          └ feedback ┘                                     └──────────────────── feedback ◄─┘
//! ```
//!
//! The feedback passes a one-pole low-pass filter. A change of time is a crossfade; feedback, filter and routing glide.

use std::f64::consts::TAU;

use song::Hz;

use super::line::{DelayLine, Glide, ReadHead};
use super::{Effect, FADE, MAX_RATE, audible};
use crate::effects::{DelayParams, DelaySetting};
use crate::message::Micros;
use crate::rt::grid::CELL;

/// How long coefficients take from one setting to another.
const GLIDE: Micros = Micros::millis(20);

/// The delay of an engine.
#[derive(Debug)]
pub(crate) struct Delay {
    setting: DelaySetting,
    rate: Hz,
    fade: u32,
    lines: [DelayLine; 2],
    head: ReadHead,
    /// State of the filters.
    filtered: [f32; 2],
    coefficients: Glide<3>,
}

impl Delay {
    /// # Real-time
    /// Never: takes all its memory.
    pub(super) fn new(setting: DelaySetting, rate: Hz) -> Self {
        let frames = (DelayParams::MAX_TIME.as_secs_f64() * MAX_RATE) as usize;
        let mut delay = Self {
            setting,
            rate,
            fade: 0,
            lines: [DelayLine::new(frames), DelayLine::new(frames)],
            head: ReadHead::at(CELL),
            filtered: [0.0; 2],
            coefficients: Glide::at([0.0; 3]),
        };
        delay.set_rate(rate);
        delay
    }

    /// Returns the time in frames: a cell at least, so that one can be read before the next is written.
    fn time(&self) -> usize {
        let [left, _] = &self.lines;
        (self.setting.time.frames(self.rate) as usize).clamp(CELL, left.size())
    }

    /// Returns feedback, filter coefficient, and the share of ping-pong, 0..=1.
    fn coefficients(&self) -> [f32; 3] {
        let rate = f64::from(self.rate.get());
        let filter = self.setting.tone.map_or(1.0, |tone| 1.0 - (-TAU * f64::from(tone) / rate).exp());
        [self.setting.feedback, filter as f32, f32::from(u8::from(self.setting.ping_pong))]
    }
}

impl Effect for Delay {
    type Setting = DelaySetting;

    fn set(&mut self, setting: &DelaySetting) {
        self.setting = *setting;
        self.head.move_to(self.time(), self.fade);
        self.coefficients.set(self.coefficients(), GLIDE.frames(self.rate));
    }

    fn set_rate(&mut self, rate: Hz) {
        (self.rate, self.fade) = (rate, FADE.frames(rate));
        self.head = ReadHead::at(self.time());
        self.coefficients = Glide::at(self.coefficients());
        self.clear();
    }

    fn clear(&mut self) {
        self.lines.iter_mut().for_each(DelayLine::clear);
        self.filtered = [0.0; 2];
    }

    fn settle(&mut self) {
        self.head.settle();
        self.coefficients.settle();
    }

    fn reach(&self) -> usize {
        self.head.reach()
    }

    fn frames_until_change(&self) -> usize {
        let fades = [self.head.remaining(), self.coefficients.remaining()];
        fades.into_iter().flatten().min().unwrap_or(usize::MAX)
    }

    fn run(&mut self, _: u64, left: &mut [f32], right: &mut [f32]) -> f32 {
        let frames = left.len();
        let mut echoes = [[0.0; CELL]; 2];
        let [echo_left, echo_right] = &mut echoes;
        let echo_left = echo_left.get_mut(..frames).unwrap_or_default();
        let echo_right = echo_right.get_mut(..frames).unwrap_or_default();
        let [line_left, line_right] = &mut self.lines;
        self.head.read(line_left, 0, echo_left);
        self.head.read(line_right, 0, echo_right);
        self.head.advance(frames, self.fade);
        let [mut low_left, mut low_right] = self.filtered;
        let mut peak = 0.0_f32;
        let sides = left.iter_mut().zip(right.iter_mut());
        for (((left, right), (echo_left, echo_right)), i) in
            sides.zip(echo_left.iter_mut().zip(echo_right.iter_mut())).zip(0..)
        {
            let [feedback, filter, crossed] = self.coefficients.values(i);
            // In this form an open filter changes no bit.
            low_left = audible(filter * *echo_left + (1.0 - filter) * low_left);
            low_right = audible(filter * *echo_right + (1.0 - filter) * low_right);
            let straight = [*left + feedback * low_left, *right + feedback * low_right];
            let across = [(*left + *right) * 0.5 + feedback * low_right, feedback * low_left];
            (*left, *right) = (*echo_left, *echo_right);
            peak = peak.max(left.abs()).max(right.abs());
            let [straight_left, straight_right] = straight;
            let [across_left, across_right] = across;
            *echo_left = audible(straight_left * (1.0 - crossed) + across_left * crossed);
            *echo_right = audible(straight_right * (1.0 - crossed) + across_right * crossed);
        }
        self.filtered = [low_left, low_right];
        self.coefficients.advance(frames);
        line_left.write(echo_left);
        line_right.write(echo_right);
        peak
    }
}

#[cfg(test)]
mod tests;
