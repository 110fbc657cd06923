//! Effects that strips send to. They return the wet signal only, which adds to the bus.
//!
//! ```text
//! strips ──┬──────────────────────────────────► bus ─► master
//!          ├─► sent ─► reverb ─► its gain ───────┤
//!          └─► sent ─► delay ──► its gain ───────┘
//! ```
//!
//! An effect runs in pieces that end where a cell of the [grid], a block or a glide ends; its output does not depend on
//! the pieces. Once its input and its state have been silent for long enough it sleeps and costs nothing. That is
//! decided at the beginning of a cell, by whole cells.

mod delay;
mod line;
pub(crate) mod reverb;

use std::fmt;

use song::Hz;

use crate::bank::DENORMAL_FLOOR;
use crate::effects::{DelayParams, DelaySetting, ReverbParams, ReverbSetting};
use crate::message::Micros;
use crate::rt::bus::Bus;
use crate::rt::fader::Fader;
use crate::rt::grid::{self, CELL};
use crate::rt::ramp::LinearRamp;
use delay::Delay;
use reverb::Reverb;

/// The rate that memory is sized for, in hertz; at higher ones times are limited.
const MAX_RATE: f64 = 192_000.0;

/// Length of the crossfade to another delay time.
const FADE: Micros = Micros::millis(30);

/// Level below which an effect is silent: −150 dB, less than one bit of 24.
const SILENCE: f32 = 3e-8;

/// The effects of an engine.
#[derive(Debug)]
pub(crate) struct Effects {
    reverb: Return<Reverb>,
    delay: Return<Delay>,
}

/// The gains of a strip's sends, one for each effect.
#[derive(Debug)]
pub(crate) struct Sends {
    reverb: Fader,
    delay: Fader,
}

impl Sends {
    /// Sends nothing.
    pub(crate) const NONE: Self = Self::at(0.0, 0.0);

    /// # Real-time
    /// Safe.
    pub(crate) const fn at(reverb: f32, delay: f32) -> Self {
        Self { reverb: Fader::at(reverb, reverb), delay: Fader::at(delay, delay) }
    }

    /// Glides to other gains, linear.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set(&mut self, reverb: f32, delay: f32, rate: Hz) {
        self.reverb.set(reverb, reverb, rate);
        self.delay.set(delay, delay, rate);
    }

    /// Returns whether nothing is sent, nor will be before a gain is set.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn are_closed(&self) -> bool {
        self.reverb.is_closed() && self.delay.is_closed()
    }

    /// Returns the number of frames until they have stopped gliding, if one glides.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn remaining(&self) -> Option<u64> {
        [&self.reverb, &self.delay].into_iter().filter_map(Fader::remaining).min()
    }

    /// Sends frames of a strip to the effects, no more than [`remaining`](Self::remaining).
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn send(&self, effects: &mut Effects, left: &[f32], right: &[f32]) {
        let Effects { reverb, delay } = effects;
        reverb.receive(&self.reverb, left, right);
        delay.receive(&self.delay, left, right);
    }

    /// Moves the gains on by some frames.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn advance(&mut self, frames: usize) {
        self.reverb.advance(frames);
        self.delay.advance(frames);
    }
}

impl Effects {
    /// # Real-time
    /// Never: takes all its memory.
    pub(crate) fn new(rate: Hz) -> Self {
        let (reverb, delay) = (ReverbParams::default().resolve(1.0), DelayParams::default().resolve(1.0));
        Self {
            reverb: Return::new(Reverb::new(reverb, rate), reverb.gain),
            delay: Return::new(Delay::new(delay, rate), delay.gain),
        }
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn set_rate(&mut self, rate: Hz) {
        self.reverb.set_rate(rate);
        self.delay.set_rate(rate);
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn set_reverb(&mut self, setting: &ReverbSetting, rate: Hz) {
        self.reverb.set(setting, setting.gain, rate);
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn set_delay(&mut self, setting: &DelaySetting, rate: Hz) {
        self.delay.set(setting, setting.gain, rate);
    }

    /// Returns whether both have decayed to silence.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn are_silent(&self) -> bool {
        self.reverb.is_asleep && self.delay.is_asleep
    }

    /// Fades out within 5 ms and then clears all memory, including input that arrives during the fade.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn cut(&mut self, rate: Hz) {
        self.reverb.cut(rate);
        self.delay.cut(rate);
    }

    /// Adds the wet signal of the frames from `now` on to both sides, a block at most, and empties the sends.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn mix(&mut self, now: u64, left: &mut [f32], right: &mut [f32]) {
        self.reverb.mix(now, left, right);
        self.delay.mix(now, left, right);
    }
}

/// A processor of wet signals. Its output does not depend on how frames are cut into pieces.
trait Effect {
    type Setting;

    /// Glides to a setting.
    fn set(&mut self, setting: &Self::Setting);

    /// Ends all glides at once.
    fn settle(&mut self);

    /// Sets the rate; clears all memory and ends all glides.
    fn set_rate(&mut self, rate: Hz);

    /// Clears all memory.
    fn clear(&mut self);

    /// Returns the number of silent frames, of input and state, after which all memory is silent.
    fn reach(&self) -> usize;

    /// Returns the number of frames until the next glide ends; no piece is longer.
    fn frames_until_change(&self) -> usize;

    /// Replaces the frames from `now` on by the wet signal, all within one cell; returns the peak of its state.
    fn run(&mut self, now: u64, left: &mut [f32], right: &mut [f32]) -> f32;
}

/// An effect with its input bus and its return gain.
struct Return<E> {
    effect: E,
    gain: f32,
    fader: Fader,
    /// The sum of the sends for the next frames.
    sent: Box<Bus>,
    is_sent: bool,
    /// The fade after which its memory is cleared.
    cut: Option<Fader>,
    is_asleep: bool,
    cell: u64,
    /// The peak of input and state within the cell.
    peak: f32,
    /// Consecutive silent cells.
    silent: usize,
}

impl<E> fmt::Debug for Return<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Return").field("is_asleep", &self.is_asleep).finish_non_exhaustive()
    }
}

impl<E: Effect> Return<E> {
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    fn new(effect: E, gain: f32) -> Self {
        Self {
            effect,
            gain,
            fader: Fader::at(gain, gain),
            sent: Box::new(Bus::new()),
            is_sent: false,
            cut: None,
            is_asleep: true,
            cell: 0,
            peak: 0.0,
            silent: 0,
        }
    }

    fn set_rate(&mut self, rate: Hz) {
        self.effect.set_rate(rate);
        self.sleep();
    }

    fn set(&mut self, setting: &E::Setting, gain: f32, rate: Hz) {
        self.gain = gain;
        self.effect.set(setting);
        self.fader.set(gain, gain, rate);
        if self.is_asleep {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.effect.settle();
        self.fader = Fader::at(self.gain, self.gain);
    }

    fn cut(&mut self, rate: Hz) {
        if !self.is_asleep && self.cut.is_none() {
            let mut cut = Fader::at(1.0, 1.0);
            cut.set(0.0, 0.0, rate);
            self.cut = Some(cut);
        }
    }

    fn sleep(&mut self) {
        self.effect.clear();
        self.settle();
        self.cut = None;
        (self.is_asleep, self.peak, self.silent) = (true, 0.0, 0);
    }

    /// Decides at the beginning of a cell whether to sleep.
    fn begin_cell(&mut self, now: u64) {
        let cell = grid::cell_of(now);
        if cell == self.cell {
            return;
        }
        self.cell = cell;
        self.silent = if self.peak < SILENCE { self.silent + 1 } else { 0 };
        self.peak = 0.0;
        if !self.is_asleep && self.silent > self.effect.reach() / CELL + 1 {
            self.sleep();
        }
    }

    /// Adds frames of a strip to the input, with the gain of its send.
    fn receive(&mut self, send: &Fader, left: &[f32], right: &[f32]) {
        if send.is_closed() {
            return;
        }
        let frames = left.len();
        let (sent_left, sent_right) = self.sent.part(0, frames);
        let [left_line, right_line] = send.lines();
        add(left, left_line, sent_left);
        add(right, right_line, sent_right);
        self.is_sent = true;
    }

    fn mix(&mut self, now: u64, left: &mut [f32], right: &mut [f32]) {
        let (mut left, mut right) = (left, right);
        let mut done = 0;
        while !left.is_empty() {
            let now = now + done as u64;
            self.begin_cell(now);
            let cut =
                self.cut.as_ref().and_then(Fader::remaining).map_or(usize::MAX, |frames| frames as usize);
            let most =
                grid::rest_of_cell(now).min(self.effect.frames_until_change()).min(cut).min(left.len());
            let Some((now_left, then_left)) = left.split_at_mut_checked(most) else { break };
            let Some((now_right, then_right)) = right.split_at_mut_checked(most) else { break };
            self.run(now, done, now_left, now_right);
            done += most;
            (left, right) = (then_left, then_right);
        }
        if std::mem::take(&mut self.is_sent) {
            self.sent.clear(done);
        }
    }

    /// Adds the wet signal of a piece that begins at frame `from` of the input bus.
    fn run(&mut self, now: u64, from: usize, left: &mut [f32], right: &mut [f32]) {
        let (wet_left, wet_right) = self.sent.part(from, left.len());
        let sent = if self.is_sent { loudest(wet_left).max(loudest(wet_right)) } else { 0.0 };
        if self.is_asleep && sent == 0.0 {
            return;
        }
        self.is_asleep = false;
        self.peak = self.peak.max(sent).max(self.effect.run(now, wet_left, wet_right));
        self.fader.apply(wet_left, wet_right);
        if let Some(cut) = &mut self.cut {
            cut.apply(wet_left, wet_right);
        }
        take(wet_left, left);
        take(wet_right, right);
        if self.cut.as_ref().is_some_and(|cut| cut.remaining().is_none()) {
            self.sleep();
        }
    }
}

/// Returns the value, or 0 if it is so small that feedback would soon make it denormal.
#[inline]
fn audible(value: f32) -> f32 {
    if value.abs() < DENORMAL_FLOOR { 0.0 } else { value }
}

fn loudest(values: &[f32]) -> f32 {
    values.iter().fold(0.0, |loudest: f32, value| loudest.max(value.abs()))
}

/// Adds the values of one plane, with a gain, to another.
fn add(from: &[f32], gain: LinearRamp, to: &mut [f32]) {
    for ((from, to), i) in from.iter().zip(to).zip(gain.at..) {
        *to += audible(*from) * (gain.from + gain.slope * i as f32);
    }
}

/// Moves the values of one plane into another.
fn take(from: &mut [f32], to: &mut [f32]) {
    for (from, to) in from.iter_mut().zip(to) {
        *to += std::mem::take(from);
    }
}
