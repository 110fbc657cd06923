//! How a voice moves while it sounds: as its articulation says, or as commands do.
//!
//! ```text
//! tracker   a tracker's articulation, tick by tick
//! sampler   that of a sampler's bank: envelopes, LFOs, a filter
//! drive     gains, rate and filter that commands set
//! tone      what note and strip add to the filter
//! glide     the way from the pitch of a note to that of the next
//! segment   frames along which gains are straight lines, the pitch stays, and a filter goes to its next tuning
//! ```
//!
//! Segments begin with the voice, at its release and where its strip is bent: all of them frames that do not depend on
//! how blocks are cut.

mod cell_timer;
pub(crate) mod drive;
mod filter;
pub(crate) mod glide;
mod sampler;
mod segment;
pub(crate) mod tone;
mod tracker;

use std::ops::Range;

use song::{Articulation, Hz, NotePlayed};

use crate::message::Tone;
use crate::rt::filter_queue::FilterQueue;
use crate::rt::kernel::{Gain, Kernels};
use crate::rt::ramp::LinearRamp;
use crate::rt::strip::StripState;
use drive::Drive;
use filter::VoiceFilter;
use glide::PitchGlide;
use sampler::SamplerModulation;
use tone::VoiceTone;
use tracker::{ModulationFilter, TrackerModulation};

/// The most that a voice's filter raises a sound.
pub(crate) const MAX_RAISE: f64 =
    if tracker::MAX_RAISE > filter::MAX_RAISE { tracker::MAX_RAISE } else { filter::MAX_RAISE };

/// Where a voice is in its articulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modulation {
    movement: Movement,
    /// Of a voice that has followed its strip; else as a voice before has left it.
    pub(crate) strip_state: StripState,
    /// Ratio of pitches and rate that the step of an articulated voice was found for.
    pub(crate) stepped: Option<(f64, Hz)>,
    /// Of a voice that has no articulation, but is driven by commands.
    drive: Drive,
    /// That of a sampler's articulation, or the low-pass of a tone.
    pub(in crate::rt) filter: VoiceFilter,
    /// Of a voice whose note or strip has one; else as a voice before has left it.
    pub(crate) tone: VoiceTone,
    /// Of a voice that glides; else as a voice before has left it.
    pub(crate) glide: PitchGlide,
}

#[derive(Clone, Debug, Default)]
enum Movement {
    #[default]
    Still,
    Tracker(TrackerModulation),
    Sampler(SamplerModulation),
}

impl Modulation {
    /// Creates a beginning, at its first frame. `sides` are the gains the voice has of itself, left and right.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn new(
        articulation: &Articulation,
        played: NotePlayed,
        sides: (f32, f32),
        is_mono: bool,
        seed: u32,
    ) -> Self {
        let movement = match articulation {
            Articulation::Tracker(articulation) => {
                Movement::Tracker(TrackerModulation::new(articulation, sides, is_mono, seed))
            }
            Articulation::Sampler(articulation) => {
                Movement::Sampler(SamplerModulation::new(articulation, played, sides, is_mono))
            }
        };
        Self { movement, ..Self::default() }
    }

    /// Creates the modulation of a driven voice.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn driven(drive: Drive) -> Self {
        Self { drive, ..Self::default() }
    }

    /// # Real-time
    /// Safe.
    pub(crate) const fn drive(&self) -> &Drive {
        &self.drive
    }

    /// # Real-time
    /// Safe.
    pub(crate) const fn drive_mut(&mut self) -> &mut Drive {
        &mut self.drive
    }

    /// The key is released at the present frame.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn release(&mut self, articulation: &Articulation) {
        match (&mut self.movement, articulation) {
            (Movement::Tracker(movement), Articulation::Tracker(articulation)) => {
                movement.release(articulation);
            }
            (Movement::Sampler(movement), Articulation::Sampler(articulation)) => {
                movement.release(articulation);
            }
            _ => {}
        }
    }

    /// Lets a new segment begin at the present frame, for what it depends on has changed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn cut(&mut self) {
        match &mut self.movement {
            Movement::Still => {}
            Movement::Tracker(movement) => movement.cut(),
            Movement::Sampler(movement) => movement.cut(),
        }
    }

    /// Returns the number of frames for which all goes on as it does; none where a segment has to begin.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn remaining(&self) -> usize {
        match &self.movement {
            Movement::Still => 0,
            Movement::Tracker(movement) => movement.remaining(),
            Movement::Sampler(movement) => movement.remaining(),
        }
    }

    /// Begins the next segment; gives the ratio of frequencies that lasts for it. `tone` is added to a filter.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn begin_segment(&mut self, articulation: &Articulation, rate: Hz, tone: Tone) -> f64 {
        match (&mut self.movement, articulation) {
            (Movement::Tracker(movement), Articulation::Tracker(articulation)) => {
                movement.begin_segment(articulation, rate)
            }
            (Movement::Sampler(movement), Articulation::Sampler(articulation)) => {
                movement.begin_segment(articulation, rate, (tone, &mut self.filter))
            }
            _ => 1.0,
        }
    }

    /// Returns whether the present segment is so long that a run of its own is worth it: longer than those along which
    /// something moves, or without a filter than a cell.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn is_long(&self, articulation: &Articulation) -> bool {
        match (&self.movement, articulation) {
            (Movement::Sampler(movement), Articulation::Sampler(articulation)) => {
                movement.is_long(articulation)
            }
            _ => false,
        }
    }

    /// Returns whether its articulation leaves the pitch alone: then segments can begin while frames of one run are
    /// added.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn keeps_pitch(&self) -> bool {
        match &self.movement {
            Movement::Sampler(movement) => movement.keeps_pitch(),
            Movement::Still | Movement::Tracker(_) => false,
        }
    }

    /// Returns whether nothing more will be heard of it.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn is_over(&self) -> bool {
        match &self.movement {
            Movement::Still => false,
            Movement::Tracker(movement) => movement.is_over(),
            Movement::Sampler(movement) => movement.is_over(),
        }
    }

    /// Returns whether its recording has not begun yet.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn is_delayed(&self) -> bool {
        match &self.movement {
            Movement::Sampler(movement) => movement.is_delayed(),
            Movement::Still | Movement::Tracker(_) => false,
        }
    }

    /// Returns how loud its articulation lets it be at the present frame, and what is added to that with each frame as
    /// far as it fades.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn course(&self) -> (f32, f32) {
        match &self.movement {
            Movement::Still => (0.0, 0.0),
            Movement::Tracker(movement) => movement.course(),
            Movement::Sampler(movement) => movement.course(),
        }
    }

    /// Begins the low-pass of a voice whose articulation has no filter; it may have sounded without it.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn begin_low_pass(&mut self, has_sounded: bool) {
        self.filter = if has_sounded { VoiceFilter::within() } else { VoiceFilter::default() };
    }

    /// Sets that low-pass.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn tune_low_pass(&mut self, tone: Tone, rate: f64) {
        VoiceTone::tune(&mut self.filter, tone, rate);
    }

    /// Returns whether its articulation has a filter that runs with those of other voices.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn is_filtered(&self, articulation: &Articulation) -> bool {
        matches!(articulation, Articulation::Sampler(articulation) if articulation.filter.is_some())
    }

    /// Lets the next frames of the present voice, which are in the queue's rows, wait for its filter, and goes on by as
    /// many. They are no more than [`remaining`](Self::remaining).
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn queue(
        &mut self,
        articulation: &Articulation,
        queue: &mut FilterQueue,
        line: LinearRamp,
        frames: Range<usize>,
    ) {
        let count = frames.len();
        match (&mut self.movement, articulation) {
            (Movement::Tracker(movement), Articulation::Tracker(articulation)) => {
                let gains = movement.filter(articulation, queue.sides(frames.clone()));
                movement.go_on(articulation, count);
                self.queue_level(queue, gains, line, frames);
            }
            (Movement::Sampler(movement), Articulation::Sampler(articulation)) => {
                let gains = movement.gains();
                movement.go_on(articulation, count);
                self.queue_level(queue, gains, line, frames);
            }
            _ => {}
        }
    }

    /// Does the same for a voice without an articulation, at gains that are lines times another.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn queue_level(
        &mut self,
        queue: &mut FilterQueue,
        gains: [LinearRamp; 2],
        line: LinearRamp,
        frames: Range<usize>,
    ) {
        let mut at = frames.start;
        while at < frames.end {
            let later = |line: LinearRamp| line.later(at - frames.start);
            let Some(part) = queue.push() else { return };
            part.filter = self.filter.ramp();
            part.frames = self.filter.advance(frames.end - at);
            (part.at, part.gains, part.line) = (at, gains.map(later), later(line));
            at += part.frames;
        }
    }

    /// Returns the gains of both sides along an envelope if that is all that is done to its frames: then no scratch
    /// buffer is needed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn gain_along(&self, articulation: &Articulation, envelope: LinearRamp) -> Option<Gain> {
        match (&self.movement, articulation) {
            (Movement::Sampler(movement), Articulation::Sampler(articulation)) => {
                movement.gain_along(articulation, envelope)
            }
            _ => None,
        }
    }

    /// Goes on by some frames that were added with such gains, no more than [`remaining`](Self::remaining).
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn go_on(&mut self, articulation: &Articulation, frames: usize) {
        if let (Movement::Sampler(movement), Articulation::Sampler(articulation)) =
            (&mut self.movement, articulation)
        {
            movement.go_on(articulation, frames);
        }
    }

    /// Goes on by some frames in which its recording has not begun.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn wait(&mut self, articulation: &Articulation, frames: usize) {
        let mut rest = frames;
        while rest > 0 {
            rest -= self.filter.advance(rest);
        }
        self.go_on(articulation, frames);
    }

    /// Adds frames that wait for no filter to both sides, as loud as they are to be, and goes on by as many. They are
    /// no more than [`remaining`](Self::remaining); those they are made of are changed, of a mono sound only the left
    /// ones.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn mix(
        &mut self,
        kernels: Kernels,
        articulation: &Articulation,
        line: LinearRamp,
        own: [&mut [f32]; 2],
        to: [&mut [f32]; 2],
    ) {
        match (&mut self.movement, articulation) {
            (Movement::Tracker(movement), Articulation::Tracker(articulation)) => {
                movement.mix(articulation, line, own, to);
            }
            (Movement::Sampler(movement), Articulation::Sampler(articulation)) => {
                movement.mix(kernels, articulation, line, own.map(|side| &*side), to);
            }
            _ => {}
        }
    }
}
