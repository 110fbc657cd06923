//! Where the parts of the song lie.
//!
//! ```text
//! orders │ pattern, its channels beside one another │ instruments
//! ```
//!
//! As columns are missing, first the instruments go, then the orders, and cells lose effects, columns and instruments.

use ratatui::layout::{Constraint, Layout, Rect};
use song::module::{Dialect, Module};

use crate::model::replay::SongView;

/// Columns of the orders and of the instruments with their frames.
const ORDERS: u16 = 9;
const NAMES: u16 = 23;
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
    /// Divides the middle of the screen.
    #[must_use]
    pub fn of(area: Rect) -> Self {
        let wide = |from: u16, columns: u16| if area.width >= from { columns } else { 0 };
        let [orders, pattern, names] = Layout::horizontal([
            Constraint::Length(wide(WITH_ORDERS, ORDERS)),
            Constraint::Min(0),
            Constraint::Length(wide(WITH_NAMES, NAMES)),
        ])
        .areas(area);
        let there = |area: Rect| (area.width > 0).then_some(area);
        Self { orders: there(orders), pattern, names: there(names) }
    }
}

/// How much of a cell is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellWidth {
    /// All of it.
    Whole,
    /// Note, instrument, and the effect or what is in the volume column.
    Effect,
    /// Note and instrument.
    Instrument,
    /// The note.
    Note,
}

impl CellWidth {
    /// Returns as much as lets all channels of a module be seen at once in so many columns.
    #[must_use]
    pub fn of(module: &Module, columns: u16) -> Self {
        let fits = |width: &Self| {
            ROW_NUMBER + module.channels.len() * (1 + width.columns(module.dialect)) <= columns.into()
        };
        let narrower = [Self::Whole, Self::Effect, Self::Instrument];
        narrower.into_iter().find(fits).unwrap_or(Self::Note)
    }

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

    /// Returns the first channel that is seen, so that the marked one is, and how many there is room for.
    #[must_use]
    pub fn channels(self, song: &SongView, columns: u16) -> (usize, usize) {
        let cell = 1 + self.columns(song.module().dialect);
        let seen = usize::from(columns).saturating_sub(ROW_NUMBER) / cell;
        let last = song.muted.len().saturating_sub(seen);
        (song.channel.saturating_sub(seen / 2).min(last), seen)
    }
}
