//! Where the parts of the screen lie, from 40 × 12 up.
//!
//! ```text
//! header
//! list of sounds │ waveform of the chosen one
//!                │ its knobs
//! piano with the keys of the computer
//! meters
//! what happened, or what the keys do
//! ```
//!
//! As rows are missing, first the frame of the piano goes, then the piano, then the knobs.

use ratatui::layout::{Constraint, Layout, Rect};

/// The smallest terminal that a list and its meters fit into.
pub const MIN_SIZE: (u16, u16) = (40, 12);

/// Lines of the piano without its frame.
pub const PIANO: u16 = 4;
/// Lines of the knobs with their frame.
pub const KNOBS: u16 = 6;
/// Lines of the middle that the list and waveform need beside the piano.
const MIDDLE: u16 = 10;
/// Lines of a waveform that shows anything, with its frame.
const WAVE: u16 = 4;
/// Columns from which on there is a second column about the chosen sound, and how wide that is.
const TWO_COLUMNS: u16 = 60;
const NARROWEST: u16 = 30;
const WIDEST: u16 = 90;

/// The parts of the screen; none where there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// What is running.
    pub header: Rect,
    /// The list of sounds.
    pub list: Rect,
    /// The waveform of the chosen sound.
    pub wave: Option<Rect>,
    /// The knobs.
    pub knobs: Option<Rect>,
    /// The piano; higher than [`PIANO`] lines if it has a frame.
    pub piano: Option<Rect>,
    /// The meters.
    pub meters: Rect,
    /// What happened, or what the keys do.
    pub bottom: Rect,
}

impl Areas {
    /// Divides a terminal.
    #[must_use]
    pub fn of(area: Rect) -> Self {
        let rest = area.height.saturating_sub(3);
        let piano = match rest {
            // The framed piano leaves more than it needs.
            _ if rest >= MIDDLE + PIANO + 2 => PIANO + 2,
            _ if rest >= MIDDLE + PIANO => PIANO,
            _ => 0,
        };
        let [header, middle, keys, meters, bottom] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(0),
            Constraint::Length(piano),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(area);
        let right = match area.width {
            ..TWO_COLUMNS => 0,
            width => (width * 2 / 5).clamp(NARROWEST, WIDEST),
        };
        let [list, chosen] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(right)]).areas(middle);
        let has_knobs = middle.height >= WAVE + KNOBS;
        let knobs = if has_knobs { KNOBS } else { 0 };
        let [wave, knobs] = Layout::vertical([Constraint::Min(0), Constraint::Length(knobs)]).areas(chosen);
        let there = |area: Rect| (area.width > 0 && area.height > 0).then_some(area);
        Self { header, list, wave: there(wave), knobs: there(knobs), piano: there(keys), meters, bottom }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(width: u16, height: u16) -> (Option<u16>, bool, bool) {
        let areas = Areas::of(Rect::new(0, 0, width, height));
        (areas.piano.map(|area| area.height), areas.knobs.is_some(), areas.wave.is_some())
    }

    #[test]
    fn frame_piano_and_knobs_go_in_this_order_as_rows_are_missing() {
        let framed = Some(PIANO + 2);
        assert_eq!([parts(80, 24), parts(80, 23), parts(80, 19)], [(framed, true, true); 3]);
        assert_eq!([parts(80, 18), parts(80, 17)], [(Some(PIANO), true, true); 2]);
        assert_eq!([parts(80, 16), parts(80, 13)], [(None, true, true); 2]);
        assert_eq!(parts(80, 12), (None, false, true));
        assert_eq!(parts(40, 12), (None, false, false));
    }

    #[test]
    fn parts_lie_within_the_terminal_and_do_not_overlap() {
        for (width, height) in
            (40..130).flat_map(|width| [(width, 12), (width, 17), (width, 24), (width, 60)])
        {
            let terminal = Rect::new(0, 0, width, height);
            let Areas { header, list, wave, knobs, piano, meters, bottom } = Areas::of(terminal);
            let all: Vec<Rect> = [Some(header), Some(list), wave, knobs, piano, Some(meters), Some(bottom)]
                .into_iter()
                .flatten()
                .collect();
            let cells: u32 = all.iter().map(|area| u32::from(area.width) * u32::from(area.height)).sum();
            assert_eq!(cells, u32::from(width) * u32::from(height), "{width} × {height}: {all:?}");
            assert!(all.iter().all(|area| terminal.intersection(*area) == *area));
            assert!(list.width >= 30, "{list:?}");
        }
    }
}
