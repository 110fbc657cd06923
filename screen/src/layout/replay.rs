//! Where the parts of the song are.
//!
//! ```text
//! orders │ pattern, its channels beside one another │ instruments
//! ```
//!
//! As columns are missing, first the instruments go, then the orders, and cells lose effects, volumes and instruments:
//! those of the marked channel last.

use ratatui::layout::{Constraint, Layout, Rect};
use song::module::Dialect;

use crate::model::replay::SongView;

/// Columns of the orders with their frame.
const ORDERS: u16 = 9;
/// Columns of the instruments with their frame, and how many of the screen they may have at most.
const NAMES: u16 = 23;
const MAX_NAMES: u16 = 36;
/// Columns of a pattern that has room for where the song is.
const STATE: u16 = 48;
/// Columns of the narrowest screen that has orders, and one that has instruments.
const WITH_ORDERS: u16 = 50;
const WITH_NAMES: u16 = 72;

/// Columns of the number of a row.
pub const ROW_NUMBER: usize = 2;
/// Lines above the rows: numbers and meters of channels.
pub const HEAD: usize = 2;

/// The parts of the song; none where there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SongAreas {
    /// The orders.
    pub orders: Option<Rect>,
    /// The pattern.
    pub pattern: Rect,
    /// The names of its instruments.
    pub names: Option<Rect>,
}

impl SongAreas {
    /// Divides the middle of the screen: the pattern has what it can show, the names what is left.
    #[must_use]
    pub fn of(area: Rect, song: &SongView) -> Self {
        let wide = |from: u16, columns: u16| if area.width >= from { columns } else { 0 };
        let orders = wide(WITH_ORDERS, ORDERS);
        let whole = 1 + CellWidth::Whole.columns(song.module().dialect);
        let pattern = u16::try_from(ROW_NUMBER + song.used.len() * whole + 2).unwrap_or(u16::MAX).max(STATE);
        let left = area.width.saturating_sub(orders).saturating_sub(pattern);
        let names = wide(WITH_NAMES, left.clamp(NAMES, MAX_NAMES));
        let [orders, pattern, names] =
            Layout::horizontal([Constraint::Length(orders), Constraint::Min(0), Constraint::Length(names)])
                .areas(area);
        let there = |area: Rect| (area.width > 0).then_some(area);
        Self { orders: there(orders), pattern, names: there(names) }
    }
}

/// How much of a cell is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellWidth {
    /// The note.
    Note,
    /// Note and instrument.
    Instrument,
    /// Note, instrument, and the effect or what is in the volume column.
    Effect,
    /// All of it.
    Whole,
}

impl CellWidth {
    /// Returns the columns of a cell.
    #[must_use]
    pub const fn columns(self, dialect: Dialect) -> usize {
        match (self, dialect) {
            (Self::Effect, _) | (Self::Whole, Dialect::ProTracker) => 10,
            (Self::Whole, _) => 14,
            (Self::Instrument, _) => 6,
            (Self::Note, _) => 3,
        }
    }
}

/// A channel that is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenChannel {
    /// Its index.
    pub channel: usize,
    /// How much of its cells.
    pub width: CellWidth,
}

/// Returns the channels that are seen in some columns, from the left: those that ever play. Where not all have room,
/// the marked one is among them; what is left widens it first, and then those nearest to it.
#[must_use]
pub fn channels(song: &SongView, columns: u16) -> Vec<SeenChannel> {
    use CellWidth::{Effect, Instrument, Note, Whole};
    let dialect = song.module().dialect;
    let needed = |width: CellWidth| 1 + width.columns(dialect);
    let room = usize::from(columns).saturating_sub(ROW_NUMBER);
    let (seen, marked) = if song.used.len() * needed(Note) <= room {
        (song.used.len(), Note)
    } else {
        // Where not even notes have room, the marked one is still seen whole if two more can be.
        let widest =
            [Whole, Effect, Instrument].into_iter().find(|width| needed(*width) + 2 * needed(Note) <= room);
        let marked = widest.unwrap_or(Note);
        (1 + room.saturating_sub(needed(marked)) / needed(Note), marked)
    };
    let at = song.used.iter().position(|channel| *channel == song.channel).unwrap_or(0);
    let first = at.saturating_sub(seen / 2).min(song.used.len().saturating_sub(seen));
    let channels = song.used.iter().skip(first).take(seen).copied();
    let width = |channel| if channel == song.channel { marked } else { Note };
    let mut shown: Vec<_> = channels.map(|channel| SeenChannel { channel, width: width(channel) }).collect();

    let mut nearest: Vec<usize> = (0..shown.len()).collect();
    nearest.sort_by_key(|index| index.abs_diff(at - first));
    let mut left = room.saturating_sub(shown.iter().map(|seen| needed(seen.width)).sum());
    for (width, reach) in [(Effect, 1), (Instrument, seen), (Whole, 1), (Effect, seen), (Whole, seen)] {
        for index in nearest.iter().take(reach) {
            let seen = &mut shown[*index];
            let more = needed(width).saturating_sub(needed(seen.width));
            if width > seen.width && more <= left {
                (seen.width, left) = (width, left - more);
            }
        }
    }
    shown
}

/// A row that is seen: of the order that plays, or of one beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenRow {
    /// The order.
    pub order: usize,
    /// The row of its pattern.
    pub row: usize,
}

/// Returns the rows that are seen, the one that plays in the middle; none beyond the first and the last.
#[must_use]
pub fn seen_rows(song: &SongView, seen: usize) -> Vec<Option<SeenRow>> {
    let place = song.heard.place;
    let count = |order: usize| song.rows(order).unwrap_or(0);
    let beside = |by: isize| Some(song.order_after(by)).filter(|order| *order != place.order);
    let own = count(place.order).cast_signed();
    let row = |row: isize| {
        let (order, row) = match row {
            ..0 => {
                let before = beside(-1)?;
                (before, row + count(before).cast_signed())
            }
            row if row >= own => (beside(1)?, row - own),
            row => (place.order, row),
        };
        let row = usize::try_from(row).ok().filter(|row| *row < count(order))?;
        Some(SeenRow { order, row })
    };
    let top = place.row.cast_signed() - (seen / 2).cast_signed();
    (top..).take(seen).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::replay::example;

    fn widths(channels_of: usize, columns: u16, marked: usize) -> Vec<(usize, usize)> {
        let mut song = example::song(channels_of);
        song.used = (0..channels_of).collect();
        song.channel = marked;
        let dialect = song.module().dialect;
        channels(&song, columns).into_iter().map(|seen| (seen.channel, seen.width.columns(dialect))).collect()
    }

    #[test]
    fn cells_are_as_wide_as_all_channels_allow_and_the_marked_one_is_widest() {
        assert_eq!(widths(2, 32, 0), [(0, 14), (1, 14)]);
        assert_eq!(widths(2, 31, 1), [(0, 10), (1, 14)]);
        assert_eq!(widths(3, 27, 1), [(0, 6), (1, 10), (2, 6)]);
        assert_eq!(widths(3, 21, 1), [(0, 3), (1, 10), (2, 3)]);
        assert_eq!(widths(4, 18, 0), [(0, 3), (1, 3), (2, 3), (3, 3)]);
    }

    #[test]
    fn what_is_left_widens_the_channels_nearest_to_the_marked_one() {
        assert_eq!(widths(4, 40, 0), [(0, 14), (1, 6), (2, 6), (3, 6)], "36 of 38 columns");
        assert_eq!(widths(4, 44, 3), [(0, 6), (1, 6), (2, 10), (3, 14)]);
        assert_eq!(widths(4, 16, 1), [(0, 3), (1, 3), (2, 3)], "three of four");
    }

    #[test]
    fn the_marked_channel_is_seen_where_not_all_have_room() {
        for marked in 0..20 {
            let shown = widths(20, 40, marked);
            assert!(shown.iter().any(|(channel, width)| (*channel, *width) == (marked, 14)), "{shown:?}");
            let columns: usize = shown.iter().map(|(_, width)| 1 + width).sum();
            assert!(columns + ROW_NUMBER <= 40, "{shown:?}");
        }
        assert_eq!(widths(3, 2, 0), [(0, 3)], "there is no room for more");
    }

    #[test]
    fn channels_that_never_play_are_left_out() {
        let mut song = example::song(4);
        song.used = vec![1, 3];
        song.channel = 3;
        let shown: Vec<usize> = channels(&song, 80).into_iter().map(|seen| seen.channel).collect();
        assert_eq!(shown, [1, 3]);
    }
}
