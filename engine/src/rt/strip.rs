//! Groups of voices that are turned up, moved and bent together while they sound.
//!
//! ```text
//! voices of an open strip ──────────────────────────────┐
//! voices of another ──► its planes ──► its fader ──┬────┴─► bus ─► master
//!                                                  └─► its sends ─► effects
//! ```
//!
//! A strip that changes and sends nothing costs nothing: its voices add up in the bus itself. Its pitch and tone are
//! heard in the voices themselves.

use std::f64::consts::TAU;

use song::Hz;

use crate::message::{StripIndex, StripParams, Tone};
use crate::rt::bus::Bus;
use crate::rt::effects::{Effects, Sends};
use crate::rt::fader::Fader;
use crate::rt::grid;
use crate::rt::modulation::tone::ToneGlide;

/// How often vibrato swings in a second.
const VIBRATO_HZ: f64 = 5.5;

/// All strips of an engine.
#[derive(Debug)]
pub(crate) struct Strips {
    strips: Box<[Strip]>,
    /// The cell for which vibrato and tone were found last.
    cell: u64,
}

#[derive(Debug)]
struct Strip {
    fader: Fader,
    sends: Sends,
    planes: Bus,
    /// Whether anything is in the planes.
    is_used: bool,
    /// Voices on it, and how many of them began at the frame at which the latest did.
    voices: u32,
    latest: (u64, u32),
    /// Pitch without vibrato, as a ratio.
    bend: f64,
    /// How far vibrato goes to each side, in cents.
    vibrato: f64,
    tone: ToneGlide,
    state: StripState,
}

/// How far the voices of a strip are from their own pitch and tone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StripState {
    /// Ratio of frequencies.
    pub(crate) ratio: f64,
    pub(crate) tone: Tone,
    /// Counts changes, so that a voice knows whether it has followed.
    pub(crate) version: u32,
}

impl Default for StripState {
    fn default() -> Self {
        Self::NEUTRAL
    }
}

impl StripState {
    /// Not at all, and never were.
    pub(crate) const NEUTRAL: Self =
        Self { ratio: 1.0, tone: Tone { cutoff: 0.0, resonance: 0.0 }, version: 0 };

    fn set(&mut self, ratio: f64, tone: Tone) {
        if self.ratio != ratio || self.tone != tone {
            *self = Self { ratio, tone, version: self.version.wrapping_add(1) };
        }
    }
}

impl Strips {
    /// # Real-time
    /// Never: takes all its memory.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new(count: usize) -> Self {
        let strip = |_| Strip {
            fader: Fader::at(1.0, 1.0),
            sends: Sends::NONE,
            planes: Bus::new(),
            is_used: false,
            voices: 0,
            latest: (0, 0),
            bend: 1.0,
            vibrato: 0.0,
            tone: ToneGlide::default(),
            state: StripState::NEUTRAL,
        };
        Self { strips: (0..count).map(strip).collect(), cell: 0 }
    }

    /// Sets a strip from the present frame on: gains glide there while a voice of it is heard, otherwise they are there
    /// at once, as the pitch is in any case. The tone glides likewise, from the next cell of the grid on.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set(&mut self, index: StripIndex, setting: &StripParams, rate: Hz, now: u64) {
        let Some(strip) = self.strips.get_mut(index.index()) else { return };
        if strip.is_heard(now) {
            strip.fader.set(setting.left, setting.right, rate);
            strip.tone.follow(setting.tone);
            strip.sends.set(setting.reverb, setting.delay, rate);
        } else {
            strip.fader = Fader::at(setting.left, setting.right);
            strip.tone = ToneGlide::at(setting.tone);
            strip.sends = Sends::at(setting.reverb, setting.delay);
        }
        (strip.bend, strip.vibrato) = (f64::from(setting.bend), f64::from(setting.vibrato));
        strip.update(self.cell, false, rate);
    }

    /// Brings vibrato and tone to where they are in the cell of a frame.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn enter_cell(&mut self, now: u64, rate: Hz) {
        let cell = grid::cell_of(now);
        if cell != self.cell {
            self.cell = cell;
            self.strips.iter_mut().for_each(|strip| strip.update(cell, true, rate));
        }
    }

    /// For how many frames no strip becomes another by itself: vibrato, tone or a fade of one goes on.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn frames_until_change(&self, now: u64) -> u64 {
        let is_moving = self.strips.iter().any(|strip| strip.vibrato != 0.0 || strip.tone.is_moving());
        let fades = self.strips.iter().filter_map(Strip::remaining);
        fades.chain(is_moving.then_some(grid::rest_of_cell(now) as u64)).min().unwrap_or(u64::MAX)
    }

    /// Returns how the voices of a strip are heard, and where they add up if not in the bus.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn of(&mut self, index: StripIndex) -> (StripState, Option<&mut Bus>) {
        let Some(strip) = self.strips.get_mut(index.index()) else { return (StripState::NEUTRAL, None) };
        let is_open = strip.is_open();
        strip.is_used |= !is_open;
        (strip.state, (!is_open).then_some(&mut strip.planes))
    }

    /// A voice begins on a strip at the present frame.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn enter(&mut self, index: StripIndex, now: u64) {
        let Some(strip) = self.strips.get_mut(index.index()) else { return };
        strip.voices += 1;
        strip.latest = match strip.latest {
            (at, voices) if at == now => (now, voices + 1),
            _ => (now, 1),
        };
    }

    /// A voice is no more on its strip; one that has not sounded began at the present frame.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn leave(&mut self, index: StripIndex, has_sounded: bool) {
        let Some(strip) = self.strips.get_mut(index.index()) else { return };
        strip.voices = strip.voices.saturating_sub(1);
        if !has_sounded {
            strip.latest.1 = strip.latest.1.saturating_sub(1);
        }
    }

    /// Adds the frames of all strips that are not open to those of the bus, sends them to the effects, and empties
    /// them.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn mix(&mut self, mut effects: Option<&mut Effects>, left: &mut [f32], right: &mut [f32]) {
        let frames = left.len();
        for strip in self.strips.iter_mut().filter(|strip| strip.is_used || !strip.is_open()) {
            let (own_left, own_right) = strip.planes.part(0, frames);
            strip.fader.apply(own_left, own_right);
            if strip.is_used
                && let Some(effects) = &mut effects
            {
                strip.sends.send(effects, own_left, own_right);
            }
            strip.sends.advance(frames);
            if std::mem::take(&mut strip.is_used) {
                add(own_left, left);
                add(own_right, right);
            }
        }
    }
}

impl Strip {
    /// Returns whether its voices are heard as they are, and will be until it is set again.
    fn is_open(&self) -> bool {
        self.fader.is_open() && self.sends.are_closed()
    }

    /// Returns the number of frames until one of its gains has stopped gliding, if one glides.
    fn remaining(&self) -> Option<u64> {
        [self.fader.remaining(), self.sends.remaining()].into_iter().flatten().min()
    }

    /// Returns whether a frame of any voice on it was heard before the present one.
    const fn is_heard(&self, now: u64) -> bool {
        let (at, voices) = self.latest;
        self.voices > if at == now { voices } else { 0 }
    }

    /// Brings pitch and tone to where they are in a cell; the tone goes on by a step if the cell is another one.
    fn update(&mut self, cell: u64, is_next: bool, rate: Hz) {
        let ratio = if self.vibrato == 0.0 {
            self.bend
        } else {
            let seconds = (cell * grid::CELL as u64) as f64 / f64::from(rate.get());
            let phase = (seconds * VIBRATO_HZ).fract();
            self.bend * ((TAU * phase).sin() * self.vibrato / 1200.0).exp2()
        };
        if is_next {
            self.tone.step();
        }
        self.state.set(ratio, self.tone.now());
    }
}

/// Moves the values of one plane into another.
fn add(from: &mut [f32], to: &mut [f32]) {
    for (from, to) in from.iter_mut().zip(to) {
        *to += std::mem::take(from);
    }
}
