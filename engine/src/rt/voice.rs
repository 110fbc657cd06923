use song::Hz;

use crate::config::Interpolation;
use crate::message::{Micros, NoteId, Start, StripIndex};
use crate::rt::envelope::{Envelope, Phase};
use crate::rt::kernel::{self, Choice, Gain, Kernels};
use crate::rt::position::{Position, Step};
use crate::rt::steal::Fall;
use crate::rt::strip::Detune;

/// The fade that hides a cut; also the shortest release.
const FADE: Micros = Micros::millis(5);

/// One sounding zone of one note.
#[derive(Debug)]
pub(crate) struct Voice {
    start: Start,
    sent: u64,
    born: u64,
    interpolation: Interpolation,
    detune: Detune,
    step: Step,
    position: Position,
    kernel: Choice,
    envelope: Envelope,
    has_sounded: bool,
}

impl Voice {
    /// At its first frame. `sent` is the number of its command; `born` counts voices, so that the older of two is known.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn new(start: Start, sent: u64, born: u64, rate: Hz, interpolation: Interpolation) -> Self {
        let (step, position) = (Step::new(start.hz, rate), Position::default());
        let interpolation = start.interpolation.unwrap_or(interpolation);
        Self {
            detune: Detune::NONE,
            step,
            position,
            interpolation,
            kernel: Choice::of(interpolation, step, position.is_on_frame()),
            envelope: Envelope::new(start.attack.frames(rate)),
            has_sounded: false,
            start,
            sent,
            born,
        }
    }

    pub(crate) const fn note(&self) -> NoteId {
        self.start.note
    }

    pub(crate) const fn strip(&self) -> StripIndex {
        self.start.strip
    }

    pub(crate) const fn sent(&self) -> u64 {
        self.sent
    }

    pub(crate) const fn phase(&self) -> Phase {
        self.envelope.phase()
    }

    /// Whether a frame of it has been heard.
    pub(crate) const fn has_sounded(&self) -> bool {
        self.has_sounded
    }

    /// How its loudness falls from the present frame on, whatever the recording does; level unless it is falling.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fall(&self, now: u64) -> Fall {
        let gain = f64::from(self.start.left.max(self.start.right));
        let (level, slope) = self.envelope.course();
        Fall { from: gain * f64::from(level), slope: gain * f64::from(slope), at: now, born: self.born }
    }

    /// Goes on at another output rate; what is fading keeps its number of frames.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set_rate(&mut self, rate: Hz) {
        self.step = Step::new(self.start.hz * self.detune.ratio, rate);
        self.kernel = Choice::of(self.interpolation, self.step, self.position.is_on_frame());
    }

    /// Follows its strip's pitch, if that has changed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn follow(&mut self, detune: Detune, rate: Hz) {
        if self.detune.version != detune.version {
            self.detune = detune;
            self.set_rate(rate);
        }
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn release(&mut self, rate: Hz) {
        self.envelope.release(self.start.release.frames(rate).max(FADE.frames(rate)));
    }

    /// Makes room, without a click.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fade(&mut self, rate: Hz) {
        self.envelope.fade(FADE.frames(rate));
    }

    /// Asks memory for the frames it will read first: what thousands of voices read is in no cache.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn prefetch(&self) {
        if let Some(track) = self.start.bank.track(self.start.track) {
            let (plane, index) = self.position.place(track);
            kernel::prefetch(&track.planes, plane, index);
        }
    }

    /// Adds its next frames to the bus, as many as both planes have. If it ends on the way or right after the last,
    /// says after how many.
    ///
    /// A stretch is broken where the ramp ends or the recording's plane does. Each frame follows from the position and
    /// the ramp's origin, so it does not matter where stretches and blocks begin.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn render(&mut self, kernels: Kernels, left: &mut [f32], right: &mut [f32]) -> Option<usize> {
        let Some(track) = self.start.bank.track(self.start.track) else {
            return Some(0);
        };
        let (mut left, mut right) = (left, right);
        let mut done = 0;
        self.has_sounded |= !left.is_empty();
        while !left.is_empty() {
            let (line, most) = self.envelope.segment(left.len());
            let run = self.position.run(track, self.step, most);
            let gain = Gain { left: self.start.left, right: self.start.right, line };
            let (now_left, then_left) = left.split_at_mut_checked(run.frames)?;
            let (now_right, then_right) = right.split_at_mut_checked(run.frames)?;
            kernels.mix(self.kernel, &track.planes, run, self.step, gain, now_left, now_right);
            self.position.advance(track, self.step, run.frames);
            self.envelope.advance(run.frames);
            done += run.frames;
            if self.position.is_over(track) || self.envelope.phase() == Phase::Over {
                return Some(done);
            }
            (left, right) = (then_left, then_right);
        }
        None
    }
}
