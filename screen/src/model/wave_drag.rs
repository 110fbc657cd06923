//! A loop or an end of the trim while the mouse marks it.

use std::ops::Range;

use player::Waveform;
use song::{FrameRange, Frames};

use super::Model;
use super::zoom::{column_of, frame_of, last_column_of, loop_of};

/// Part of the frames shown within which a dragged end of a loop moves to a zero crossing. That of a trim moves within
/// a column only: it must not leave the attack.
const SNAP: u64 = 16;

/// Frames of the recording that is seen, while the mouse marks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveDrag {
    /// What is marked.
    pub what: WaveMark,
    /// The column where the button went down, from the left of the waveform.
    pub from: usize,
    /// The column where the mouse is.
    pub to: usize,
    /// How many columns the waveform has.
    pub columns: usize,
    /// The frames that they show.
    pub window: Range<u64>,
}

/// What the mouse marks on the wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaveMark {
    /// The loop.
    Loop {
        /// The other end of the loop, if one end of it was taken.
        kept: Option<u64>,
    },
    /// The start or the end of what is played.
    Trim {
        /// The other end.
        kept: u64,
        /// Whether it is the start that is dragged.
        is_start: bool,
    },
}

impl WaveDrag {
    /// Returns what begins at a column: in the top row an end of the trim if it is there; else an end of the loop if it
    /// is there, else a new loop; none without a recording.
    pub(crate) fn begin(model: &Model, column: usize, columns: usize, is_top: bool) -> Option<Self> {
        let waveform = model.chosen_picture()?.waveform.as_ref()?;
        let window = model.zoom.window(model.chosen, waveform.length.get());
        let is_near = |at: usize| at.abs_diff(column) <= 1;
        let ends = |range: &Range<u64>| {
            let first = column_of(&window, range.start, columns);
            [first, last_column_of(&window, range.end, columns)].map(|end| end.is_some_and(is_near))
        };
        let trim = model.trim(waveform);
        let what = match ends(&trim) {
            [true, _] if is_top => WaveMark::Trim { kept: trim.end, is_start: true },
            [_, true] if is_top => WaveMark::Trim { kept: trim.start, is_start: false },
            _ => {
                let range = loop_of(waveform).filter(|_| model.loops(model.chosen));
                let kept = range.and_then(|range| match ends(&range) {
                    [true, _] => Some(range.end),
                    [_, true] => Some(range.start),
                    _ => None,
                });
                WaveMark::Loop { kept }
            }
        };
        Some(Self { what, from: column, to: column, columns, window })
    }

    /// Returns whether an end of the trim is dragged.
    #[must_use]
    pub const fn is_trim(&self) -> bool {
        matches!(self.what, WaveMark::Trim { .. })
    }

    /// Returns the frames that are marked, each dragged end at a rising zero crossing of the waveform if one is near;
    /// none unless the mouse has moved. The first and the last frame of the recording are ends of a trim as they are.
    #[must_use]
    pub fn frames(&self, waveform: &Waveform) -> Option<FrameRange> {
        if self.from == self.to {
            return None;
        }
        let frame = |column| frame_of(&self.window, column, self.columns);
        let seen = self.window.end.saturating_sub(self.window.start);
        let within = if self.is_trim() { seen / self.columns.max(1) as u64 } else { seen / SNAP };
        let snapped = |frame| snapped(waveform, within, frame);
        let range = |start, end| (start < end).then_some((start, end));
        // A kept end may be no crossing: then only the dragged one is. Where both would be at one they stay.
        let smoothest = |ends: [(u64, u64); 2]| {
            let ends = ends.map(|(frame, within)| (Frames::new(frame), Frames::new(within)));
            waveform.smoothest_loop(ends).map(|(start, end)| (start.get(), end.get()))
        };
        let (start, end) = match self.what {
            WaveMark::Loop { kept: Some(kept) } if kept <= frame(self.to) => {
                let end = frame(self.to + 1);
                let near = smoothest([(kept, 0), (end, within)]);
                near.or_else(|| range(kept, snapped(end))).or_else(|| range(kept, end))
            }
            WaveMark::Loop { kept: Some(kept) } => {
                let start = frame(self.to);
                let near = smoothest([(start, within), (kept, 0)]);
                near.or_else(|| range(snapped(start), kept)).or_else(|| range(start, kept))
            }
            WaveMark::Loop { kept: None } => {
                let (start, end) = (frame(self.from.min(self.to)), frame(self.from.max(self.to) + 1));
                let near = smoothest([(start, within), (end, within)]);
                near.or_else(|| range(snapped(start), snapped(end))).or_else(|| range(start, end))
            }
            WaveMark::Trim { kept, is_start: true } => with_start(frame(self.to), kept, snapped),
            WaveMark::Trim { kept, is_start: false } => {
                with_end(kept, frame(self.to + 1), waveform.length.get(), snapped)
            }
        }?;
        Some(FrameRange { start: Frames::new(start), end: Frames::new(end) })
    }

    /// Returns the columns of the first and the last frame that are marked, where they are seen; none unless the mouse
    /// has moved.
    #[must_use]
    pub fn ends(&self, waveform: &Waveform) -> Option<[Option<usize>; 2]> {
        let FrameRange { start, end } = self.frames(waveform)?;
        let first = column_of(&self.window, start.get(), self.columns);
        Some([first, last_column_of(&self.window, end.get(), self.columns)])
    }

    /// Returns the first and the last column that are marked; none unless the mouse has moved.
    #[must_use]
    pub fn marked(&self, waveform: &Waveform) -> Option<(usize, usize)> {
        let FrameRange { start, end } = self.frames(waveform)?;
        let (start, end) = (start.get(), end.get());
        let column = |seen: Option<usize>, frame: u64| match seen {
            Some(column) => column,
            None if frame < self.window.start => 0,
            None => self.columns.saturating_sub(1),
        };
        let first = column(column_of(&self.window, start, self.columns), start);
        Some((first, column(last_column_of(&self.window, end, self.columns), end.saturating_sub(1))))
    }
}

/// Returns the known rising zero crossing nearest to a frame if it is within so many frames, else the frame. A sound
/// that begins or repeats at one does not click.
pub(crate) fn snapped(waveform: &Waveform, within: u64, frame: u64) -> u64 {
    waveform.rising_crossing_near(Frames::new(frame), Frames::new(within)).map_or(frame, Frames::get)
}

/// Returns a trim whose start is moved: at most to the last frame before its end. The recording's first frame is not
/// snapped.
pub(crate) fn with_start(start: u64, end: u64, snapped: impl Fn(u64) -> u64) -> Option<(u64, u64)> {
    let start = start.min(end.saturating_sub(1));
    let near = if start == 0 { 0 } else { snapped(start) };
    Some((if near < end { near } else { start }, end)).filter(|(start, end)| start < end)
}

/// Returns a trim whose end is moved: at least after the first frame, at most to the end of a recording of so many
/// frames, which is not snapped.
pub(crate) fn with_end(
    start: u64,
    end: u64,
    length: u64,
    snapped: impl Fn(u64) -> u64,
) -> Option<(u64, u64)> {
    let end = end.max(start.saturating_add(1)).min(length);
    let near = if end == length { end } else { snapped(end) };
    Some((start, if near > start { near } else { end })).filter(|(start, end)| start < end)
}
