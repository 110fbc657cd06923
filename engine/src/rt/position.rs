//! Where a voice stands in its recording.
//!
//! ```text
//! main    ├──────────────────────┼────┤        one run up to `enter`, which without a loop is the end,
//! looped                       ├─┴──────┤      then runs from there to `top`, and back
//! ```
//!
//! Nothing else on the audio thread knows of loops, nor that a recording without one is held at its end. It hands out
//! runs: so many output frames, read one after another from one plane.

use song::Hz;

use crate::bank::{Bank, ChannelPlanes, GUARD, PreparedSample, Tail};

/// One frame.
const ONE: u64 = 1 << 32;

/// The slowest step: a recording of 1 Hz on a device of 192 kHz, two octaves down.
const MIN_STEP: u64 = ONE >> 20;

/// The fastest step: six octaves up. Beyond it nothing is left of a sound that could be heard as one.
const MAX_STEP: u64 = ONE * Bank::MAX_RATIO as u64;

/// Frames of the recording for one frame of output, as 32.32 fixed point, 2^-20..=64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PositionStep(u64);

impl PositionStep {
    /// The recording's own pitch.
    pub(crate) const ONE: Self = Self(ONE);

    /// For a recording that is to give `hz` frames a second.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn new(hz: f64, rate: Hz) -> Self {
        // The cast saturates, and what is not a number becomes 0.
        let step = (hz / f64::from(rate.get()) * ONE as f64).round() as u64;
        Self(step.clamp(MIN_STEP, MAX_STEP))
    }

    /// Returns the number of frames of the recording that so many frames of output take.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn reach(self, frames: usize) -> usize {
        (self.0.saturating_mul(frames as u64) >> 32) as usize
    }

    /// In 2^-32 frames.
    pub(crate) const fn get(self) -> u64 {
        self.0
    }
}

/// A place in a recording, as 32.32 fixed point in frames, so that an hour of steps adds no drift and two short
/// advances are one long one.
///
/// In a loop it counts as if the loop had been written out, and goes back once the loop's seam is after it. Without one
/// it does the same [after the end](Position::has_ended), where the last value is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position(u64);

/// Output frames that read one plane without a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) plane: Plane,
    /// Where the first lies, as 32.32 fixed point, counted from the plane's index 0.
    pub(crate) from: u64,
    pub(crate) frames: usize,
}

/// What of a plane lies before a position.
struct Stretch {
    plane: Plane,
    /// The first frame after it.
    limit: u32,
    /// From frames to indices.
    shift: i64,
}

/// Which of a channel's two planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plane {
    Main,
    Looped,
}

impl Plane {
    pub(crate) fn of<T>(self, lanes: &ChannelPlanes<T>) -> &[T] {
        match self {
            Self::Main => &lanes.main,
            Self::Looped => &lanes.looped,
        }
    }
}

impl Position {
    /// Returns the position of a frame of a track; a frame after its end is that end.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn at(track: &PreparedSample, index: u32) -> Self {
        Self::default().plus(track, frame(index.min(track.length)))
    }

    /// Returns the position so many 2^-32 frames further.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn plus(mut self, track: &PreparedSample, beyond: u64) -> Self {
        self.0 += beyond;
        self.wrap(track);
        self
    }

    /// Returns the frame at which a loop turns next, or the recording ends, counted as if the loop had been written
    /// out.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn next_seam(self, track: &PreparedSample) -> u32 {
        let Some(region) = track.loop_region else { return track.length };
        let period = region.mode.period(u64::from(region.end - region.start));
        let (first, now) = (u64::from(region.start) + period, self.0 >> 32);
        // A ping-pong loop turns back to its start there.
        let turns = now.checked_sub(first).map_or(0, |beyond| beyond / period + 1);
        u32::try_from(first + turns * period).unwrap_or(u32::MAX)
    }

    /// Returns how far it is beyond the last seam, in 2^-32 frames; less than one step, if it was just crossed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn beyond_seam(self, track: &PreparedSample) -> u64 {
        let Some(region) = track.loop_region else { return self.0.saturating_sub(frame(track.length)) };
        let period = region.mode.period(u64::from(region.end - region.start));
        self.0.saturating_sub(frame(region.start)) % (period << 32)
    }

    /// Returns the next run, of at most `most` frames and at least one. It goes up to the end of the recording or
    /// begins there.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn run(self, track: &PreparedSample, step: PositionStep, most: usize) -> Run {
        let Stretch { plane, limit, shift } = self.stretch(track);
        // Most often the limit is far, and nothing has to be divided.
        let is_far = frame(limit).saturating_sub(self.0) > step.0.saturating_mul(most as u64);
        let until = || usize::try_from(self.frames_to(limit, step)).map_or(most, |until| until.min(most));
        Run {
            plane,
            from: self.0.wrapping_add_signed(shift << 32),
            frames: if is_far { most } else { until() },
        }
    }

    /// Returns the number of frames of output before a frame of the recording.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn frames_to(self, limit: u32, step: PositionStep) -> u64 {
        frame(limit).saturating_sub(self.0).div_ceil(step.0)
    }

    /// Returns the plane of the next run, and the index of the frame at or before its first place.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn place(self, track: &PreparedSample) -> (Plane, usize) {
        let Stretch { plane, shift, .. } = self.stretch(track);
        (plane, (self.0.wrapping_add_signed(shift << 32) >> 32) as usize)
    }

    fn stretch(self, track: &PreparedSample) -> Stretch {
        let loop_plan = track.loop_plan;
        if self.0 < frame(loop_plan.switch_at) {
            Stretch { plane: Plane::Main, limit: loop_plan.switch_at, shift: GUARD as i64 }
        } else {
            // A trimmed recording ends within its looped plane, and a run with it.
            let ends = track.tail != Tail::Looped && self.0 < frame(track.length);
            let limit = if ends { track.length } else { loop_plan.jump_at };
            Stretch { plane: Plane::Looped, limit, shift: -loop_plan.base }
        }
    }

    /// Moves past a run's frames.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn advance(&mut self, track: &PreparedSample, step: PositionStep, frames: usize) {
        self.0 += step.0 * frames as u64;
        self.wrap(track);
    }

    /// Back from beyond the jump of a track's loop plan.
    fn wrap(&mut self, track: &PreparedSample) {
        let (top, wrap) = (frame(track.loop_plan.jump_at), frame(track.loop_plan.jump_by));
        if self.0 >= top {
            self.0 = top - wrap + (self.0 - top) % wrap;
        }
    }

    /// Returns the frame of the recording it is on or after.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn frame(self, track: &PreparedSample) -> u32 {
        let frame = (self.0 >> 32) as u32;
        let frame = track.loop_region.map_or(frame, |region| region.fold(frame).0);
        frame.min(track.length.saturating_sub(1))
    }

    /// From a loop to the same place of the recording on another track, which may have a loop elsewhere: one that ends
    /// before that place is gone back to.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn leave(&mut self, track: &PreparedSample, after: &PreparedSample) {
        let Some(region) = track.loop_region else { return };
        let (whole, part) = ((self.0 >> 32) as u32, self.0 & (ONE - 1));
        self.0 = match region.fold(whole) {
            (place, false) => frame(place) + part,
            // It is on its way from the frame to the one before it; both ends of the loop are there twice.
            (place, true) => (frame(place) - part.min(frame(place))).max(frame(region.start)),
        };
        self.wrap(after);
    }

    /// Returns whether it is on a frame and not between two.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn is_on_frame(self) -> bool {
        self.0 as u32 == 0
    }

    /// Returns whether the recording is after it; never in a loop.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn has_ended(self, track: &PreparedSample) -> bool {
        self.0 >= frame(track.length) && track.tail != Tail::Looped
    }
}

const fn frame(frame: u32) -> u64 {
    (frame as u64) << 32
}

#[cfg(test)]
mod tests;
