//! How a voice moves as a tracker's articulation says, tick by tick.
//!
//! ```text
//! ticks     0              1              2
//! curves    ·──────────────·──────────────·       a value at each, and straight lines in between; pitch in steps
//! segments  ├────┼────┼────┼────┼────┼────┼       none goes over a tick, nor a cell where pitch or filter moves
//! ```

mod auto_vibrato;
mod curve;
mod filter;

use song::{Hz, LowPass, TickEnvelope, TrackerArticulation};

use super::segment::{MAX_SEGMENT, Segment, add};
use crate::pan;
use crate::rt::grid::CELL;
use crate::rt::ramp::LinearRamp;
use curve::EnvelopeCurve;

use auto_vibrato::AutoVibratoPhase;
pub(in crate::rt) use filter::MOST as MAX_RAISE;
pub(in crate::rt) use filter::ModulationFilter;

/// A tick, as 0.32 fixed point.
const TICK: u64 = 1 << 32;

/// Of a fadeout: a note at full volume.
const FULL: f32 = 32_768.0;

/// Where a voice is in its articulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackerModulation {
    /// The voice's own.
    gain: f32,
    pan: f32,
    is_mono: bool,
    is_held: bool,
    /// How much of the present tick is over, as 0.32 fixed point.
    clock: u64,
    volume: EnvelopeCurve,
    place: EnvelopeCurve,
    pitch: EnvelopeCurve,
    cutoff: EnvelopeCurve,
    fade: Fade,
    auto_vibrato: AutoVibratoPhase,
    filter: ModulationFilter,
    segment: Segment,
    /// What the clock goes on by in each frame of the segment.
    pace: u64,
}

/// How much a note is still there that fades.
#[derive(Clone, Copy, Debug)]
struct Fade {
    is_on: bool,
    from: f32,
    to: f32,
}

impl Default for Fade {
    fn default() -> Self {
        Self { is_on: false, from: 1.0, to: 1.0 }
    }
}

impl Fade {
    fn begin(&mut self, fadeout: u32) {
        self.is_on = true;
        self.to = (self.from - fadeout as f32 / FULL).max(0.0);
    }

    fn step(&mut self, fadeout: u32) {
        self.from = self.to;
        if self.is_on {
            self.begin(fadeout);
        }
    }

    fn at(&self, part: f32) -> f32 {
        self.from + (self.to - self.from) * part
    }
}

impl TrackerModulation {
    /// Creates a beginning, at its first frame. `sides` are the gains the voice has of itself, left and right.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn new(
        articulation: &TrackerArticulation,
        sides: (f32, f32),
        is_mono: bool,
        seed: u32,
    ) -> Self {
        let (gain, pan) = pan::gain_and_pan(sides, is_mono);
        let curve = |envelope: &Option<TickEnvelope>, neutral| EnvelopeCurve::new(envelope.as_ref(), neutral);
        let mut modulation = Self {
            gain,
            pan,
            is_mono,
            is_held: true,
            volume: curve(&articulation.volume, 64.0),
            place: curve(&articulation.pan, 0.0),
            pitch: curve(&articulation.pitch, 0.0),
            cutoff: curve(&articulation.cutoff, 32.0),
            auto_vibrato: AutoVibratoPhase::new(seed),
            ..Self::default()
        };
        modulation.end(articulation);
        modulation.segment = Segment::at(modulation.gains(0.0));
        modulation
    }

    /// The key is released at the present frame, with which a tick begins: live notes have no song to keep time with,
    /// and fall as long whenever they are released.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn release(&mut self, articulation: &TrackerArticulation) {
        if !std::mem::take(&mut self.is_held) {
            return;
        }
        self.cut();
        let part = self.clock as f32 / TICK as f32;
        self.clock = 0;
        // The pitch goes by whole ticks.
        for (curve, envelope, part) in [
            (&mut self.volume, &articulation.volume, part),
            (&mut self.place, &articulation.pan, part),
            (&mut self.pitch, &articulation.pitch, 0.0),
            (&mut self.cutoff, &articulation.cutoff, part),
        ] {
            curve.release(envelope.as_ref(), part);
        }
        self.auto_vibrato.begin_tick(part);
        self.fade.from = self.fade.at(part);
        if self.fade.is_on || articulation.fades_from_release() {
            self.fade.begin(articulation.fadeout);
        }
        self.end(articulation);
    }

    /// Lets a new segment begin at the present frame, for what it depends on has changed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn cut(&mut self) {
        if let Some(frames) = self.segment.cut() {
            self.clock += u64::from(frames) * self.pace;
        }
    }

    /// Returns the number of frames for which all goes on as it does; none where a segment has to begin.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn remaining(&self) -> usize {
        self.segment.remaining()
    }

    /// Begins the next segment; gives the ratio of frequencies that lasts for it.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn begin_segment(&mut self, articulation: &TrackerArticulation, rate: Hz) -> f64 {
        let rate = f64::from(rate.get());
        // Rounded up, so that a tick of a whole number of frames has no more of them.
        let pace = (TICK as f64 / (articulation.tick.as_secs_f64() * rate)).ceil() as u64;
        let pace = pace.clamp(1, TICK);
        let is_quick = articulation.is_filtered() || articulation.vibrato.is_some();
        let most = if is_quick { CELL as u64 } else { MAX_SEGMENT };
        let length = (TICK - self.clock).div_ceil(pace).min(most);
        let [now, then] =
            [self.clock, (self.clock + length * pace).min(TICK)].map(|at| at as f32 / TICK as f32);
        self.pace = pace;
        self.segment.follow(length as u32, self.gains(then));
        if articulation.is_filtered() {
            let part = (self.cutoff.at(now) + 32.0) / 64.0;
            let cutoff = articulation.filter.cutoff * part;
            self.filter.tune(LowPass { cutoff, ..articulation.filter }, rate);
        }
        let auto_vibrato = articulation.vibrato.map_or(0.0, |vibrato| self.auto_vibrato.at(&vibrato, now));
        // In steps, as trackers do: many an arpeggio is an envelope.
        let semitones = self.pitch.at(0.0) / 2.0 + auto_vibrato;
        f64::from(semitones / 12.0).exp2()
    }

    /// Returns the curves, each with the envelope that it follows if there is one.
    fn curves<'a>(
        &mut self,
        articulation: &'a TrackerArticulation,
    ) -> [(&mut EnvelopeCurve, Option<&'a TickEnvelope>); 4] {
        [
            (&mut self.volume, articulation.volume.as_ref()),
            (&mut self.place, articulation.pan.as_ref()),
            (&mut self.pitch, articulation.pitch.as_ref()),
            (&mut self.cutoff, articulation.cutoff.as_ref()),
        ]
    }

    fn step(&mut self, articulation: &TrackerArticulation) {
        let is_held = self.is_held;
        for (curve, envelope) in self.curves(articulation) {
            curve.step(envelope, is_held);
        }
        self.fade.step(articulation.fadeout);
        self.auto_vibrato.step();
        self.end(articulation);
    }

    /// Sees whether the volume has come to its end.
    fn end(&mut self, articulation: &TrackerArticulation) {
        let (volume, is_held) = (articulation.volume.as_ref(), self.is_held);
        if self.volume.stays_silent(volume, is_held) {
            self.fade = Fade { is_on: true, from: 0.0, to: 0.0 };
        } else if self.volume.has_ended(volume, is_held)
            && articulation.fades_from_envelope_end()
            && !self.fade.is_on
        {
            self.fade.begin(articulation.fadeout);
        }
    }

    /// Returns the gains of both sides at a part of the tick.
    fn gains(&self, part: f32) -> [f32; 2] {
        let gain = self.gain * self.volume.at(part) / 64.0 * self.fade.at(part);
        // As far as there is room on the side it goes to.
        let pan = self.pan + self.place.at(part) / 32.0 * (1.0 - self.pan.abs());
        let (left, right) = pan::sides(pan, self.is_mono);
        [gain * left, gain * right]
    }

    /// Returns whether nothing more will be heard of it.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn is_over(&self) -> bool {
        self.fade.is_on && self.fade.from == 0.0 && self.segment.levels() == [0.0; 2]
    }

    /// Returns how loud its articulation lets it be at the present frame, and what is added to that with each frame as
    /// far as it fades.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn course(&self) -> (f32, f32) {
        let [left, right] = self.segment.levels();
        let each = (self.fade.to - self.fade.from) * self.pace as f32 / TICK as f32;
        (left.max(right), each * self.gain)
    }

    /// Adds frames to both sides, filtered and as loud as they are to be, and goes on by as many. They are no more than
    /// [`remaining`](Self::remaining); those they are made of are changed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn mix(
        &mut self,
        articulation: &TrackerArticulation,
        line: LinearRamp,
        [left, right]: [&mut [f32]; 2],
        [to_left, to_right]: [&mut [f32]; 2],
    ) {
        let [left_gain, right_gain] = self.filter(articulation, [&mut *left, &mut *right]);
        add(left, to_left, left_gain, line);
        add(if self.is_mono { left } else { right }, to_right, right_gain, line);
        self.go_on(articulation, left.len());
    }

    /// Filters frames in their place, of a mono sound only the left ones; returns how loud they are to be.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn filter(
        &mut self,
        articulation: &TrackerArticulation,
        [left, right]: [&mut [f32]; 2],
    ) -> [LinearRamp; 2] {
        if articulation.is_filtered() {
            self.filter.run(left, right, self.is_mono);
        }
        self.segment.lines()
    }

    /// Goes on by some frames, no more than [`remaining`](Self::remaining).
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn go_on(&mut self, articulation: &TrackerArticulation, frames: usize) {
        self.segment.advance(frames);
        if self.segment.is_over() {
            self.clock += u64::from(self.segment.length()) * self.pace;
            if self.clock >= TICK {
                self.clock -= TICK;
                self.step(articulation);
            }
        }
    }
}

#[cfg(test)]
mod tests;
