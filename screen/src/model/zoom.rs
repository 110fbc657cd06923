//! Which part of a recording is seen.

use std::ops::Range;

use player::Waveform;

/// A part of the chosen sound's recording: all of it, a half, a quarter and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaveZoom {
    /// The sound that it is of; another is seen whole.
    pub sound: usize,
    /// How often it was halved.
    pub level: u32,
    /// Its first frame.
    pub start: u64,
}

/// Halves that the waveform has values for.
pub const MAX_LEVEL: u32 = 5;

impl WaveZoom {
    /// Returns the frames that are seen of a recording of a sound.
    #[must_use]
    pub fn window(self, sound: usize, length: u64) -> Range<u64> {
        if self.level == 0 || self.sound != sound {
            return 0..length;
        }
        let seen = (length >> self.level).max(1).min(length);
        let start = self.start.min(length - seen);
        start..start + seen
    }

    /// Returns the next level, in or out, that keeps a frame where it is on the screen.
    #[must_use]
    pub fn step(self, sound: usize, is_in: bool, frame: u64, length: u64) -> Self {
        let before = self.window(sound, length);
        let own = if self.sound == sound { self.level } else { 0 };
        let level = if is_in { (own + 1).min(MAX_LEVEL) } else { own.saturating_sub(1) };
        let seen = (length >> level).max(1);
        let frame = frame.clamp(before.start, before.end);
        let left = u128::from(frame - before.start) * u128::from(seen)
            / u128::from((before.end - before.start).max(1));
        let start = frame.saturating_sub(u64::try_from(left).unwrap_or(u64::MAX));
        Self { sound, level, start: start.min(length.saturating_sub(seen)) }
    }
}

/// Returns the first frame of a column, of so many that show a window.
#[must_use]
pub fn frame_of(window: &Range<u64>, column: usize, columns: usize) -> u64 {
    let seen = window.end.saturating_sub(window.start);
    // Rounded up, so that a frame is in the column that it was marked in.
    let frame = (column as u128 * u128::from(seen)).div_ceil(columns.max(1) as u128);
    window.start.saturating_add(u64::try_from(frame).unwrap_or(u64::MAX)).min(window.end)
}

/// Returns the column of a frame, of so many that show a window; none if it is not seen.
#[must_use]
pub fn column_of(window: &Range<u64>, frame: u64, columns: usize) -> Option<usize> {
    let seen = u128::from(window.end.saturating_sub(window.start).max(1));
    let column = u128::from(frame.checked_sub(window.start)?) * columns as u128 / seen;
    usize::try_from(column).ok().filter(|column| *column < columns)
}

/// Returns the last column that shows some of the frames before an end, of so many that show a window; none if that is
/// not seen.
#[must_use]
pub fn last_column_of(window: &Range<u64>, end: u64, columns: usize) -> Option<usize> {
    let last = column_of(window, end.checked_sub(1)?, columns)?;
    // A frame may take several columns.
    let before_next = column_of(window, end, columns).unwrap_or(columns).saturating_sub(1);
    Some(last.max(before_next))
}

/// Returns the range of a loop.
#[must_use]
pub fn loop_of(waveform: &Waveform) -> Option<Range<u64>> {
    waveform.looping.map(|(start, end, _)| start.get()..end.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_stays_where_it_is_while_the_wave_is_zoomed() {
        let mut zoom = WaveZoom::default();
        for seen in [500, 250, 125, 62, 31, 31] {
            zoom = zoom.step(3, true, 750, 1000);
            let window = zoom.window(3, 1000);
            assert_eq!(window.end - window.start, seen);
            let part = (750 - window.start) as f64 / seen as f64;
            assert!((part - 0.75).abs() < 0.05, "{window:?}");
        }
        assert_eq!(zoom.window(4, 1000), 0..1000, "another sound is seen whole");
        for _ in 0..MAX_LEVEL {
            zoom = zoom.step(3, false, 750, 1000);
        }
        assert_eq!(zoom.window(3, 1000), 0..1000);
    }

    #[test]
    fn no_length_is_too_small() {
        for length in 0..4 {
            let zoom = WaveZoom::default().step(0, true, 9, length).step(0, true, 0, length);
            let window = zoom.window(0, length);
            assert!(window.start <= window.end && window.end <= length, "{window:?} of {length}");
        }
    }

    #[test]
    fn the_last_column_of_a_range_is_before_that_of_its_end() {
        assert_eq!([10, 11, 19, 20].map(|end| last_column_of(&(0..100), end, 10)), [0, 1, 1, 1].map(Some));
        assert_eq!([1, 2, 3].map(|end| last_column_of(&(0..3), end, 9)), [2, 5, 8].map(Some), "short");
        assert_eq!([0, 5, 21].map(|end| last_column_of(&(5..20), end, 10)), [None; 3]);
        assert_eq!([6, 20].map(|end| last_column_of(&(5..20), end, 10)), [0, 9].map(Some));
    }
}
