//! A loop while the mouse marks it.

use std::ops::Range;

use player::Waveform;
use player::voicing::FrameRange;
use song::Frames;

use super::Model;
use super::zoom::{column_of, frame_of, loop_of, snapped};

/// Frames of the recording that is seen, while the mouse marks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopDrag {
    /// The column where the button went down, from the left of the waveform.
    pub from: usize,
    /// The column where the mouse is.
    pub to: usize,
    /// How many columns the waveform has.
    pub columns: usize,
    /// The frames that they show.
    pub window: Range<u64>,
    /// The other end of the loop, if one end of it was taken.
    pub kept: Option<u64>,
}

impl LoopDrag {
    /// Returns what begins at a column: an end of the loop if it is there, else a new loop; none without a recording.
    pub(crate) fn begin(model: &Model, column: usize, columns: usize) -> Option<Self> {
        let waveform = model.chosen_picture()?.waveform.as_ref()?;
        let window = model.zoom.window(model.chosen, waveform.length.get());
        let range = loop_of(waveform).filter(|_| model.loops(model.chosen));
        let is_at =
            |frame: u64| column_of(&window, frame, columns).is_some_and(|at| at.abs_diff(column) <= 1);
        let kept = range.and_then(|range| match () {
            () if is_at(range.start) => Some(range.end),
            () if is_at(range.end.saturating_sub(1)) => Some(range.start),
            () => None,
        });
        Some(Self { from: column, to: column, columns, window, kept })
    }

    /// Returns the frames that are marked, each dragged end at a rising zero crossing of the waveform if one is near;
    /// none unless the mouse has moved.
    #[must_use]
    pub fn frames(&self, waveform: &Waveform) -> Option<FrameRange> {
        if self.from == self.to {
            return None;
        }
        let frame = |column| frame_of(&self.window, column, self.columns);
        let snapped = |frame| snapped(waveform, &self.window, frame);
        let range = |start, end| (start < end).then_some((start, end));
        // Where both ends would be at one crossing they stay.
        let (start, end) = match self.kept {
            Some(kept) if kept <= frame(self.to) => {
                let end = frame(self.to + 1);
                range(kept, snapped(end)).or_else(|| range(kept, end))
            }
            Some(kept) => range(snapped(frame(self.to)), kept).or_else(|| range(frame(self.to), kept)),
            None => {
                let (start, end) = (frame(self.from.min(self.to)), frame(self.from.max(self.to) + 1));
                range(snapped(start), snapped(end)).or_else(|| range(start, end))
            }
        }?;
        Some(FrameRange { start: Frames::new(start), end: Frames::new(end) })
    }

    /// Returns the columns that are marked; none unless the mouse has moved.
    #[must_use]
    pub fn marked(&self, waveform: &Waveform) -> Option<(usize, usize)> {
        let FrameRange { start, end } = self.frames(waveform)?;
        let column = |frame: u64| match column_of(&self.window, frame, self.columns) {
            Some(column) => column,
            None if frame < self.window.start => 0,
            None => self.columns.saturating_sub(1),
        };
        Some((column(start.get()), column(end.get().saturating_sub(1))))
    }
}
