use std::num::NonZeroU32;

use crate::{Frames, Invalid};

/// Which way a loop is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LoopMode {
    /// From start to end, then from the start again.
    Forward,
    /// From start to end, back to the start, and so on; the frames at both turns sound twice.
    PingPong,
    /// As `PingPong`, but the last frame sounds once at its turn: Impulse Tracker's software mixer.
    ShortPingPong,
}

impl LoopMode {
    /// Returns the mode's name as it is listed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::PingPong | Self::ShortPingPong => "ping-pong",
        }
    }

    /// Maps a frame of a recording whose loop `start..end` is unrolled without end to the frame of the recording that
    /// sounds there; true if the pass is reversed. Before the loop's end, and in an empty loop, frames are themselves.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub const fn fold(self, start: u64, end: u64, frame: u64) -> (u64, bool) {
        if frame < end || end <= start {
            return (frame, false);
        }
        let period = self.period(end - start);
        let within = (frame - start) % period;
        if within < end - start { (start + within, false) } else { (start + (period - 1 - within), true) }
    }

    /// Returns the frames of one period of a loop of `length` frames: there, or there and back.
    #[must_use]
    pub const fn period(self, length: u64) -> u64 {
        match self {
            Self::Forward => length,
            Self::PingPong => 2 * length,
            Self::ShortPingPong => 2 * length - 1,
        }
    }
}

/// How often a loop was meant to be played. Kept and listed; a held note loops until it is released all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopCount {
    /// Without end.
    Forever,
    /// That many times.
    Times(NonZeroU32),
}

/// What a note goes on in when it is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterRelease<'l> {
    /// What it was in.
    Same,
    /// Another loop.
    Loop(&'l LoopRange),
    /// The recording up to its end.
    End,
}

impl<'l> AfterRelease<'l> {
    /// Of a recording with these loops, the first of which is the one that held notes are in.
    #[must_use]
    pub fn of(loops: &'l [LoopRange]) -> Self {
        match loops {
            [first, others @ ..] if first.is_sustaining() => {
                others.iter().find(|range| !range.is_sustaining()).map_or(Self::End, Self::Loop)
            }
            _ => Self::Same,
        }
    }
}

/// The part of a sample that repeats: half-open, in frames, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopRange {
    start: Frames,
    end: Frames,
    mode: LoopMode,
    plays: LoopCount,
    is_sustaining: bool,
}

impl LoopRange {
    /// Returns the frames `start..end` of a sample that is `length` long.
    ///
    /// # Errors
    /// [`Invalid::Loop`] if it is empty or reaches past the sample.
    pub fn new(
        start: Frames,
        end: Frames,
        length: Frames,
        mode: LoopMode,
        plays: LoopCount,
    ) -> Result<Self, Invalid> {
        if start < end && end <= length {
            Ok(Self { start, end, mode, plays, is_sustaining: false })
        } else {
            Err(Invalid::Loop { start, end, length })
        }
    }

    /// Returns the loop as one that is left when the key is released.
    #[must_use]
    pub const fn sustaining(mut self) -> Self {
        self.is_sustaining = true;
        self
    }

    /// Returns whether it is left when the key is released.
    #[must_use]
    pub const fn is_sustaining(&self) -> bool {
        self.is_sustaining
    }

    /// Returns the first frame that repeats.
    #[must_use]
    pub const fn start(&self) -> Frames {
        self.start
    }

    /// Returns the first frame after the loop.
    #[must_use]
    pub const fn end(&self) -> Frames {
        self.end
    }

    /// Returns how many frames repeat, at least one.
    #[must_use]
    pub const fn length(&self) -> Frames {
        Frames::new(self.end.get() - self.start.get())
    }

    /// Returns which way it is gone through.
    #[must_use]
    pub const fn mode(&self) -> LoopMode {
        self.mode
    }

    /// Returns how often it was meant to be played.
    #[must_use]
    pub const fn plays(&self) -> LoopCount {
        self.plays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_folds_frames_into_itself_forward_or_there_and_back() {
        let folded = |mode: LoopMode| (0..9).map(|frame| mode.fold(1, 4, frame).0).collect::<Vec<_>>();
        assert_eq!(folded(LoopMode::Forward), [0, 1, 2, 3, 1, 2, 3, 1, 2]);
        assert_eq!(folded(LoopMode::PingPong), [0, 1, 2, 3, 3, 2, 1, 1, 2]);
        assert_eq!(folded(LoopMode::ShortPingPong), [0, 1, 2, 3, 2, 1, 1, 2, 3]);
        let is_reversed = |frame| LoopMode::PingPong.fold(1, 4, frame).1;
        assert_eq!([3, 4, 6, 7].map(is_reversed), [false, true, true, false]);
        assert_eq!(LoopMode::Forward.fold(3, 3, 7), (7, false), "an empty loop leads nowhere");
    }

    fn forward(start: u64, end: u64, length: u64) -> Result<LoopRange, Invalid> {
        let frames = Frames::new;
        LoopRange::new(frames(start), frames(end), frames(length), LoopMode::Forward, LoopCount::Forever)
    }

    #[test]
    fn a_loop_may_span_the_whole_sample_but_no_more() {
        assert_eq!(forward(0, 10, 10).map(|l| l.length()), Ok(Frames::new(10)));
        assert!(forward(0, 11, 10).is_err());
    }

    #[test]
    fn a_loop_has_at_least_one_frame() {
        assert!(forward(9, 10, 10).is_ok());
        assert!(forward(10, 10, 10).is_err());
        assert!(forward(5, 4, 10).is_err());
    }
}
