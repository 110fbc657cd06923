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
//! As rows are missing, first the frame of the piano goes, then the piano, then the knobs. While they are turned the
//! knobs stay, in place of the waveform or the list.

pub mod replay;

use ratatui::layout::{Constraint, Layout, Rect};

use crate::model::Model;
use player::keyboard::Scheme;

/// The smallest terminal that a list and its meters fit into.
pub const MIN_SIZE: (u16, u16) = (40, 12);

/// Lines of the piano without its frame.
pub const PIANO: u16 = 4;
/// Lines of the knobs with their frame.
pub const KNOBS: u16 = 7;
/// Lines of the middle that the list and waveform need beside the piano.
const MIDDLE: u16 = 11;
/// Columns of what the frame of the piano says of the keys.
const KEYS_TITLE: u16 = 68;
/// Columns of meters that stand beside the piano, with their frame.
const LEVELS: u16 = 32;
/// Lines of a waveform that shows anything, with its frame.
const WAVE: u16 = 4;
/// Columns from which on there is a second column about the chosen sound, and how wide that is.
const TWO_COLUMNS: u16 = 60;
const NARROWEST: u16 = 30;
const WIDEST: u16 = 90;

/// What of the screen is wanted where there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Columns of the piano without its frame; none if it is not shown.
    pub piano: Option<u16>,
    /// Whether the position of a song is shown.
    pub bar: bool,
    /// Whether knobs are turned.
    pub knobs: bool,
}

impl Wanted {
    /// Returns what a model shows.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let last = Scheme::of(model.layout).notes().map(|(_, semitone)| semitone).max().unwrap_or_default();
        let white = (0..=last).filter(|semitone| !is_black(*semitone)).count();
        let columns = u16::try_from(white * WHITE_KEY).unwrap_or(u16::MAX).max(KEYS_TITLE);
        Self {
            piano: model.has_piano().then_some(columns),
            bar: model.view.is_of_songs() && model.song.is_some(),
            knobs: model.is_adjusting,
        }
    }
}

/// The parts of the screen; none where there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// What plays, and on what.
    pub header: Rect,
    /// The position of the song.
    pub bar: Option<Rect>,
    /// All between the header and the piano.
    pub middle: Rect,
    /// The list of sounds.
    pub list: Rect,
    /// The waveform of the chosen sound.
    pub wave: Option<Rect>,
    /// The knobs.
    pub knobs: Option<Rect>,
    /// The piano; higher than [`PIANO`] lines if it has a frame.
    pub piano: Option<Rect>,
    /// The meters, beside the piano with a frame, or in one line.
    pub meters: Rect,
    /// What happened, or what the keys do.
    pub bottom: Rect,
}

impl Areas {
    /// Divides a terminal.
    #[must_use]
    pub fn of(area: Rect, wanted: Wanted) -> Self {
        let bar = u16::from(wanted.bar);
        let rest = area.height.saturating_sub(3 + bar);
        let piano = match rest {
            _ if wanted.piano.is_none() => 0,
            // The framed piano leaves more than it needs.
            _ if rest >= MIDDLE + PIANO + 2 => PIANO + 2,
            _ if rest >= MIDDLE + PIANO => PIANO,
            _ => 0,
        };
        // A framed piano has the meters beside it, if that is wide enough.
        let beside = area.width.saturating_sub(wanted.piano.unwrap_or(0) + 2);
        let is_beside = piano > PIANO && beside >= LEVELS;
        let [header, bar, middle, keys, meters, bottom] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(bar),
            Constraint::Min(0),
            Constraint::Length(piano),
            Constraint::Length(u16::from(!is_beside)),
            Constraint::Length(1),
        ])
        .areas(area);
        let [keys, meters] = if is_beside {
            Layout::horizontal([Constraint::Min(0), Constraint::Length(beside)]).areas(keys)
        } else {
            [keys, meters]
        };
        let right = match area.width {
            ..TWO_COLUMNS => 0,
            width => (width * 2 / 5).clamp(NARROWEST, WIDEST),
        };
        let [list, chosen] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(right)]).areas(middle);
        let knobs = match middle.height {
            height if height >= WAVE + KNOBS => KNOBS,
            // What is left would show nothing.
            height if wanted.knobs => height,
            _ => 0,
        };
        // Without a column beside the list, knobs that are turned are below it.
        let column = if right == 0 && wanted.knobs { list } else { chosen };
        let [above, knobs] = Layout::vertical([Constraint::Min(0), Constraint::Length(knobs)]).areas(column);
        let (list, wave) = if column == list { (above, chosen) } else { (list, above) };
        let there = |area: Rect| (area.width > 0 && area.height > 0).then_some(area);
        Self {
            header,
            bar: there(bar),
            middle,
            list,
            wave: there(wave),
            knobs: there(knobs),
            piano: there(keys),
            meters,
            bottom,
        }
    }
}

/// Returns the part of an area inside its frame.
#[must_use]
pub const fn inside(area: Rect) -> Rect {
    Rect {
        x: area.x.saturating_add(1),
        y: area.y.saturating_add(1),
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    }
}

/// Returns the first row that is seen of a list whose marked row is in the middle, as far as there are rows.
#[must_use]
pub fn first_of_list(rows: usize, marked: Option<usize>, seen: usize) -> usize {
    marked.unwrap_or(0).saturating_sub(seen / 2).min(rows.saturating_sub(seen))
}

/// Rows that are seen above and below the marked one, as far as there are.
const MARGIN: usize = 2;

/// Where a list is scrolled to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scroll {
    /// The first row that was seen last.
    pub top: usize,
    /// Whether its rows are clicked: then they stay under the mouse.
    pub is_still: bool,
}

impl Scroll {
    /// Returns the first row that is seen of so many: it is scrolled as little as shows the marked row and those beside
    /// it. After a longer way that is in the middle.
    #[must_use]
    pub fn first(self, rows: usize, marked: Option<usize>, seen: usize) -> usize {
        let last = rows.saturating_sub(seen);
        let top = self.top.min(last);
        let Some(marked) = marked else { return top };
        let margin = if self.is_still { 0 } else { MARGIN.min(seen.saturating_sub(1) / 2) };
        let highest = (marked + margin + 1).saturating_sub(seen);
        let lowest = marked.saturating_sub(margin);
        let wanted = top.clamp(highest.min(lowest), lowest);
        let is_far = wanted.abs_diff(top) > seen;
        if is_far { first_of_list(rows, Some(marked), seen) } else { wanted.min(last) }
    }
}

/// Columns of a menu over the screen, with its frame.
const MENU_WIDTH: u16 = 74;
/// Rows that are left free above and below it.
const MENU_MARGIN: u16 = 2;

/// Returns where a menu of so many rows lies, with its frame.
#[must_use]
pub fn menu(rows: usize, screen: Rect) -> Rect {
    let width = MENU_WIDTH.min(screen.width);
    let rows = u16::try_from(rows).unwrap_or(u16::MAX);
    let height = rows.saturating_add(2).min(screen.height.saturating_sub(2 * MENU_MARGIN));
    let (x, y) = (screen.x + (screen.width - width) / 2, screen.y + (screen.height - height) / 2);
    Rect { x, y, width, height }
}

/// Returns the first row that is seen of a menu that is scrolled as little as shows the chosen one.
#[must_use]
pub const fn first_of_menu(chosen: usize, seen: usize) -> usize {
    (chosen + 1).saturating_sub(seen)
}

/// Columns of a white key of the piano with the line on its left.
pub const WHITE_KEY: usize = 4;

/// Returns whether a key of the piano is black, by its distance from a C.
#[must_use]
pub const fn is_black(semitone: u8) -> bool {
    matches!(semitone % 12, 1 | 3 | 6 | 8 | 10)
}

/// Returns the key at a column and row of a piano that begins with a C: its distance from that.
#[must_use]
pub fn piano_key(column: usize, row: usize) -> Option<u8> {
    let whites = || (0..=u8::MAX).filter(|semitone| !is_black(*semitone));
    // A black key covers the line between two white ones, and a column on each side.
    let black = whites().nth((column + 1) / WHITE_KEY)?.checked_sub(1);
    match black.filter(|semitone| is_black(*semitone)) {
        Some(black) if row < BLACK_ROWS && (column + 1) % WHITE_KEY < 3 => Some(black),
        _ => whites().nth(column / WHITE_KEY),
    }
}

/// Rows of the piano in which black keys are seen.
pub const BLACK_ROWS: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: Wanted = Wanted { piano: Some(77), bar: false, knobs: false };

    fn parts(width: u16, height: u16) -> (Option<u16>, bool, bool) {
        let areas = Areas::of(Rect::new(0, 0, width, height), WANTED);
        (areas.piano.map(|area| area.height), areas.knobs.is_some(), areas.wave.is_some())
    }

    #[test]
    fn frame_piano_and_knobs_go_in_this_order_as_rows_are_missing() {
        let framed = Some(PIANO + 2);
        assert_eq!([parts(80, 24), parts(80, 23), parts(80, 20)], [(framed, true, true); 3]);
        assert_eq!(parts(80, 19), (Some(PIANO), true, true));
        assert_eq!(parts(80, 18), (Some(PIANO), true, true));
        assert_eq!([parts(80, 17), parts(80, 14)], [(None, true, true); 2]);
        assert_eq!([parts(80, 13), parts(80, 12)], [(None, false, true); 2]);
        assert_eq!(parts(40, 12), (None, false, false));
        for (height, knobs, wave) in [(12, 9, false), (13, 10, false), (14, KNOBS, true)] {
            let areas = Areas::of(Rect::new(0, 0, 80, height), Wanted { knobs: true, ..WANTED });
            assert_eq!((areas.knobs.unwrap().height, areas.wave.is_some()), (knobs, wave), "{height}");
        }
    }

    #[test]
    fn parts_lie_within_the_terminal_and_do_not_overlap() {
        for (width, height) in
            (40..130).flat_map(|width| [(width, 12), (width, 17), (width, 24), (width, 60)])
        {
            for is_adjusting in [false, true] {
                let terminal = Rect::new(0, 0, width, height);
                let wanted = Wanted { knobs: is_adjusting, ..WANTED };
                let Areas { header, list, wave, knobs, piano, meters, bottom, .. } =
                    Areas::of(terminal, wanted);
                assert!(
                    !is_adjusting || knobs.is_some_and(|knobs| knobs.height >= KNOBS),
                    "{width} × {height}"
                );
                let all: Vec<Rect> =
                    [Some(header), Some(list), wave, knobs, piano, Some(meters), Some(bottom)]
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

    #[test]
    fn keys_of_the_piano_are_found_where_they_are_drawn() {
        // │ ▐S▌ ▐D▌ │ ▐G▌
        // │ Z │ X │ C │ V
        let row = |row: usize, columns: std::ops::Range<usize>| -> Vec<u8> {
            columns.map(|column| piano_key(column, row).unwrap()).collect()
        };
        assert_eq!(row(0, 0..17), [0, 0, 0, 1, 1, 1, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6, 6]);
        assert_eq!(row(2, 0..13), [0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 5]);
        assert_eq!(row(1, 26..30), [11, 11, 12, 12]);
        assert_eq!(piano_key(4000, 0), None);
    }

    #[test]
    fn what_is_chosen_is_seen() {
        assert_eq!([first_of_list(100, Some(50), 10), first_of_list(100, Some(99), 10)], [45, 90]);
        assert_eq!([first_of_list(5, Some(4), 10), first_of_list(0, None, 10)], [0, 0]);
        let first = |top, is_still, marked| Scroll { top, is_still }.first(100, Some(marked), 10);
        assert_eq!([20, 29, 30].map(|marked| first(20, true, marked)), [20, 20, 21]);
        assert_eq!([22, 27, 28, 21].map(|marked| first(20, false, marked)), [20, 20, 21, 19]);
        assert_eq!([19, 50, 99].map(|marked| first(20, true, marked)), [19, 45, 90]);
        assert_eq!([0, 99].map(|marked| first(5, false, marked)), [0, 90]);
        assert_eq!(Scroll::default().first(0, None, 10), 0);
        assert_eq!(Scroll { top: 3, is_still: false }.first(2, Some(1), 0), 1);
        assert_eq!([first_of_menu(0, 5), first_of_menu(4, 5), first_of_menu(5, 5)], [0, 0, 1]);
    }
}
