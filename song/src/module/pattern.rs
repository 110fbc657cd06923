use super::Cell;
use crate::Invalid;

/// Rows in time, channels side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    rows: usize,
    channels: usize,
    /// Row by row.
    cells: Vec<Cell>,
}

impl Pattern {
    /// The most rows that any tracker writes.
    pub const MAX_ROWS: usize = 1024;

    /// A pattern of cells, row by row. One in which nothing happens may have no channels, but has rows.
    ///
    /// # Errors
    /// [`Invalid::PatternSize`] unless there are 1..=1024 rows, and as many cells as rows × channels.
    pub fn new(rows: usize, channels: usize, cells: Vec<Cell>) -> Result<Self, Invalid> {
        let fits = (1..=Self::MAX_ROWS).contains(&rows) && rows.checked_mul(channels) == Some(cells.len());
        if fits { Ok(Self { rows, channels, cells }) } else { Err(Invalid::PatternSize { rows, channels }) }
    }

    /// How many rows, at least one.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// How many channels it has something for, which may be fewer or more than the module uses.
    #[must_use]
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// All cells, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cell of a row and channel, both counted from 0; an empty one on channels that it does not have.
    #[must_use]
    pub fn cell(&self, row: usize, channel: usize) -> Cell {
        let index = (channel < self.channels).then(|| row.checked_mul(self.channels)).flatten();
        let index = index.and_then(|first| first.checked_add(channel));
        index.and_then(|index| self.cells.get(index)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_as_many_cells_as_rows_and_channels_make() {
        assert!(Pattern::new(2, 3, vec![Cell::default(); 6]).is_ok());
        assert!(Pattern::new(2, 3, vec![Cell::default(); 5]).is_err());
        assert!(Pattern::new(64, 0, Vec::new()).is_ok());
        assert!(Pattern::new(0, 0, Vec::new()).is_err());
        assert!(Pattern::new(1025, 0, Vec::new()).is_err());
    }

    #[test]
    fn cells_outside_are_empty() {
        let cell = Cell { instrument: Some(1), ..Cell::default() };
        let pattern = Pattern::new(1, 1, vec![cell]).unwrap();
        assert_eq!(pattern.cell(0, 0), cell);
        assert_eq!([pattern.cell(0, 1), pattern.cell(1, 0)], [Cell::default(); 2]);
        assert_eq!(pattern.cell(usize::MAX, 0), Cell::default());
    }
}
