use song::LoopMode;

use super::score::ScoreRecording;

/// Where a voice stands in its recording, as far as the replay has to know it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SamplePosition {
    /// In frames, within the recording.
    frame: f64,
    /// On the way back through a ping-pong loop.
    is_reversed: bool,
}

impl SamplePosition {
    pub(crate) const fn at(frame: u64) -> Self {
        Self { frame: frame as f64, is_reversed: false }
    }

    /// Returns the whole frame.
    pub(crate) fn frame(self) -> u64 {
        // The cast saturates.
        self.frame as u64
    }

    pub(crate) const fn is_reversed(self) -> bool {
        self.is_reversed
    }

    /// Goes on by some frames; returns whether a loop has turned, and whether the recording is over.
    pub(crate) fn advance(&mut self, recording: &ScoreRecording, is_released: bool, frames: f64) -> Passed {
        let Some(active) = recording.active_loop(is_released) else {
            self.frame += if self.is_reversed { -frames } else { frames };
            return if self.frame >= recording.length as f64 || self.frame < 0.0 {
                Passed::End
            } else {
                Passed::Nothing
            };
        };
        let (start, end) = (active.start as f64, active.end as f64);
        let length = (end - start).max(1.0);
        match active.mode {
            LoopMode::Forward => {
                self.is_reversed = false;
                self.frame += frames;
                if self.frame < end {
                    return Passed::Nothing;
                }
                self.frame = start + (self.frame - start) % length;
                Passed::Turn
            }
            LoopMode::PingPong | LoopMode::ShortPingPong => {
                // As if it were written out, there and back.
                let period = active.mode.period(active.end - active.start) as f64;
                let unrolled =
                    if self.is_reversed { period - (self.frame - start) } else { self.frame - start };
                let moved = unrolled + frames;
                if moved < length && !self.is_reversed {
                    self.frame += frames;
                    return Passed::Nothing;
                }
                let folded = moved % period;
                self.is_reversed = folded >= length;
                self.frame = start + if self.is_reversed { period - folded } else { folded };
                self.frame = self.frame.min(end - 1e-6);
                if moved >= period { Passed::Turn } else { Passed::Nothing }
            }
        }
    }

    /// Moves into what repeats after a release, if it is beyond that.
    pub(crate) fn release(&mut self, recording: &ScoreRecording) {
        if let Some(active) = recording.released
            && self.frame >= active.end as f64
        {
            let (start, end) = (active.start as f64, active.end as f64);
            self.frame = start + (self.frame - start) % (end - start).max(1.0);
        }
    }
}

/// What a position came past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    Nothing,
    /// The end of its loop.
    Turn,
    /// The end of the recording.
    End,
}
