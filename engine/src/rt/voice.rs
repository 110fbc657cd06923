use song::{Articulation, Hz, SampleIndex};

use crate::bank::{Ending, Track};
use crate::config::Interpolation;
use crate::message::{Micros, NoteId, Start, StripIndex};
use crate::rt::bus::Bus;
use crate::rt::envelope::{Envelope, Phase};
use crate::rt::kernel::{self, Choice, Gain, Kernels};
use crate::rt::motion::Motion;
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
    /// Frames in which it may still be heard, once its recording has ended.
    rest: Option<u32>,
}

/// How a voice has fared while it was rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fate {
    /// After how many frames its recording ended or it fell silent, if that was now. From there on it makes room.
    pub(crate) ended: Option<usize>,
    /// Whether nothing more will be heard of it.
    pub(crate) is_over: bool,
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
            rest: None,
            start,
            sent,
            born,
        }
    }

    pub(crate) const fn note(&self) -> NoteId {
        self.start.note
    }

    /// In which recording it is, and where.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn place(&self) -> Option<(SampleIndex, u32)> {
        let track = self.start.bank.track(self.start.track)?;
        Some((track.sample, self.position.frame(track)))
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

    /// How it moves, and that from the beginning; none if it does not.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn motion(&self) -> Option<Motion> {
        let articulation = self.articulation()?;
        let is_mono = self.start.bank.track(self.start.track).is_none_or(|track| track.planes.is_mono());
        let sides = (self.start.left, self.start.right);
        Some(Motion::new(articulation, sides, is_mono, self.start.note.get() as u32))
    }

    fn articulation(&self) -> Option<&Articulation> {
        self.start.bank.articulation(self.start.articulation?)
    }

    /// How its loudness falls from the present frame on, whatever the recording does; level unless it is falling.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fall(&self, motion: &Motion, now: u64) -> Fall {
        let (level, slope) = self.envelope.course();
        let (level, slope) = (f64::from(level), f64::from(slope));
        let (gain, own) = match self.start.articulation {
            Some(_) => motion.course(),
            None => (self.start.left.max(self.start.right), 0.0),
        };
        let (gain, own) = (f64::from(gain), f64::from(own));
        Fall { from: gain * level, slope: gain * slope + own * level, at: now, born: self.born }
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
    pub(crate) fn follow(&mut self, detune: Detune, rate: Hz, motion: &mut Motion) {
        if self.detune.version != detune.version {
            self.detune = detune;
            self.set_rate(rate);
            motion.cut();
        }
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn release(&mut self, rate: Hz, motion: &mut Motion) {
        if self.start.plays_out {
            self.envelope.play_out();
        } else {
            self.envelope.release(self.start.release.frames(rate).max(FADE.frames(rate)));
        }
        if let Some(articulation) = self.articulation() {
            motion.release(articulation);
        }
        if let Some(track) = self.start.bank.track(self.start.track)
            && let Some(number) = track.after
            && let Some(after) = self.start.bank.track(number)
        {
            self.position.leave(track, after);
            self.start.track = number;
            self.kernel = Choice::of(self.interpolation, self.step, self.position.is_on_frame());
        }
    }

    /// Makes room, without a click.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fade(&mut self, rate: Hz) {
        self.envelope.fade(FADE.frames(rate));
    }

    /// Asks memory for what it will read for its next frames: what thousands of voices read is in no cache.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn prefetch(&self, frames: usize) {
        if let Some(track) = self.start.bank.track(self.start.track) {
            let (plane, index) = self.position.place(track);
            kernel::prefetch(&track.planes, plane, index, self.step.reach(frames));
        }
    }

    /// Adds its next frames to the bus, as many as both planes have, or fewer if it is over before.
    ///
    /// A stretch is broken where the ramp ends or the recording's plane does, and where the recording itself does: from
    /// the first frame behind it the voice fades. Each frame follows from the position and the ramp's origin, so it does
    /// not matter where stretches and blocks begin.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn render(
        &mut self,
        kernels: Kernels,
        rate: Hz,
        (motion, alone): (&mut Motion, &mut Bus),
        left: &mut [f32],
        right: &mut [f32],
    ) -> Fate {
        let mut fate = Fate::default();
        let articulation = self.start.articulation.and_then(|index| self.start.bank.articulation(index));
        let Some(track) = self.start.bank.track(self.start.track) else {
            return Fate { ended: Some(0), is_over: true };
        };
        let (mut left, mut right) = (left, right);
        let mut done = 0;
        self.has_sounded |= !left.is_empty();
        while !left.is_empty() && !fate.is_over {
            let (line, most) = self.envelope.segment(left.len());
            let most = self.rest.map_or(most, |rest| most.min(rest as usize));
            let most = match articulation {
                None => most,
                Some(articulation) => {
                    if motion.rest() == 0 {
                        let ratio = self.detune.ratio * motion.begin_leg(articulation, rate);
                        self.step = Step::new(self.start.hz * ratio, rate);
                        self.kernel = Choice::of(self.interpolation, self.step, self.position.is_on_frame());
                    }
                    most.min(motion.rest())
                }
            };
            let run = self.position.run(track, self.step, most);
            let Some((now_left, then_left)) = left.split_at_mut_checked(run.frames) else { break };
            let Some((now_right, then_right)) = right.split_at_mut_checked(run.frames) else { break };
            match articulation {
                None => {
                    let gain = Gain { left: self.start.left, right: self.start.right, line };
                    kernels.mix(self.kernel, &track.planes, run, self.step, gain, now_left, now_right);
                }
                Some(articulation) => {
                    alone.clear(run.frames);
                    let (own_left, own_right) = alone.part(0, run.frames);
                    kernels.mix(self.kernel, &track.planes, run, self.step, Gain::UNITY, own_left, own_right);
                    motion.pour(articulation, line, [own_left, own_right], [now_left, now_right]);
                }
            }
            self.position.advance(track, self.step, run.frames);
            self.envelope.advance(run.frames);
            done += run.frames;
            match &mut self.rest {
                Some(rest) => *rest = rest.saturating_sub(run.frames as u32),
                None if self.position.has_ended(track) => {
                    fate.ended = Some(done);
                    let rings = articulation.is_some_and(Articulation::is_filtered);
                    self.rest = Some(if rings { u32::MAX } else { self.rest_of(track) });
                    self.envelope.fade(FADE.frames(rate));
                }
                None if self.envelope.phase() == Phase::Over => fate.ended = Some(done),
                None if articulation.is_some() && motion.is_over() => {
                    fate.ended = Some(done);
                    self.rest = Some(0);
                }
                None => {}
            }
            fate.is_over = self.rest == Some(0) || self.envelope.phase() == Phase::Over;
            (left, right) = (then_left, then_right);
        }
        fate
    }

    /// Frames in which it may be heard behind the end of its recording, however long it fades: none if all that is left
    /// is silence, or as many as its kernel still sees some of the sound.
    fn rest_of(&self, track: &Track) -> u32 {
        let is_mute = self.start.left.max(self.start.right) * self.envelope.level() == 0.0;
        match track.ending {
            _ if is_mute => 0,
            Ending::Silence(from) => {
                let unseen = from.saturating_add(self.kernel.looks_back());
                u32::try_from(self.position.frames_to(unseen, self.step)).unwrap_or(u32::MAX)
            }
            Ending::Value | Ending::Never => u32::MAX,
        }
    }
}
