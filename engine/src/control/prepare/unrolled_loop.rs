use song::{LoopMode, LoopRange};

use crate::bank::{GUARD, LoopPlan, LoopRegion};

/// A loop shorter than this is written out until it has at least as many frames, so that a voice does not turn round
/// every few frames.
pub(super) const SHORT: usize = 256;

// A long loop goes back after its first guard.
const _: () = assert!(SHORT >= GUARD);

/// A loop written out.
pub(super) struct UnrolledLoop {
    start: i64,
    end: i64,
    mode: LoopMode,
    /// Frames of whole periods held beyond the seam; 0 for a long forward loop, which goes back to the main plane.
    extra: i64,
}

impl UnrolledLoop {
    pub(super) fn of(range: &LoopRange) -> Self {
        Self::new(range.start().get() as i64, range.end().get() as i64, range.mode())
    }

    pub(super) fn of_region(region: LoopRegion) -> Self {
        Self::new(region.start.into(), region.end.into(), region.mode)
    }

    pub(super) fn forward(start: i64, end: i64) -> Self {
        Self::new(start, end, LoopMode::Forward)
    }

    fn new(start: i64, end: i64, mode: LoopMode) -> Self {
        let length = end - start;
        let period = mode.period(length as u64) as i64;
        let short = SHORT as i64;
        let extra = match mode {
            LoopMode::Forward if length >= short => 0,
            _ => period * ((short + period - 1) / period),
        };
        Self { start, end, mode, extra }
    }

    /// Returns which frame of the recording sounds at each frame of the looped plane.
    pub(super) fn frames(&self) -> impl Iterator<Item = i64> {
        let guard = GUARD as i64;
        (self.end - 2 * guard..self.end + 2 * guard + self.extra).map(|frame| self.source(frame))
    }

    /// Returns the frame of the recording that sounds at a frame of the unrolled loop; frames before the recording are
    /// themselves.
    fn source(&self, frame: i64) -> i64 {
        let Ok(unrolled) = u64::try_from(frame) else { return frame };
        self.mode.fold(self.start as u64, self.end as u64, unrolled).0 as i64
    }

    /// Returns its frames, which are those of a recording and fit 32 bits.
    pub(super) fn region(&self) -> LoopRegion {
        LoopRegion { start: self.start as u32, end: self.end as u32, mode: self.mode }
    }

    pub(super) fn loop_plan(&self) -> LoopPlan {
        let guard = GUARD as i64;
        // Lengths were checked to leave all of these far below 2^32.
        let frame = |frame: i64| u32::try_from(frame.max(0)).unwrap_or(u32::MAX);
        let wrap = if self.extra == 0 { self.end - self.start } else { self.extra };
        LoopPlan {
            switch_at: frame(self.end - guard),
            base: self.end - 2 * guard,
            jump_at: frame(self.end + guard + self.extra),
            jump_by: frame(wrap),
        }
    }
}
