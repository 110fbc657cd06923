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
    /// Rows of a pattern whose format does not say otherwise.
    pub const ROWS: usize = 64;
    /// The most rows that any tracker writes.
    pub const MAX_ROWS: usize = 1024;
    /// The most instruments that cells can refer to.
    pub const MAX_INSTRUMENTS: usize = u16::MAX as usize;

    /// Makes a pattern of 64 rows without notes that refers to every instrument of a song in sequence: instrument i,
    /// counted from 0, stands in row i mod 64 of channel i div 64. Instruments beyond [`Self::MAX_INSTRUMENTS`] are
    /// left out.
    #[must_use]
    pub fn referring_to(instruments: usize) -> Self {
        let channels = instruments.min(Self::MAX_INSTRUMENTS).div_ceil(Self::ROWS).max(1);
        let mut cells = vec![Cell::default(); Self::ROWS * channels];
        for (index, number) in (0..instruments).zip(1..=u16::MAX) {
            cells[(index % Self::ROWS) * channels + index / Self::ROWS].instrument = Some(number);
        }
        Self { rows: Self::ROWS, channels, cells }
    }

    /// Creates a pattern of cells, row by row. One in which nothing happens may have no channels, but has rows.
    ///
    /// # Errors
    /// [`Invalid::PatternSize`] unless there are 1..=1024 rows, and as many cells as rows × channels.
    pub fn new(rows: usize, channels: usize, cells: Vec<Cell>) -> Result<Self, Invalid> {
        let fits = (1..=Self::MAX_ROWS).contains(&rows) && rows.checked_mul(channels) == Some(cells.len());
        if fits { Ok(Self { rows, channels, cells }) } else { Err(Invalid::PatternSize { rows, channels }) }
    }

    /// Returns how many rows, at least one.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Returns how many channels it has something for, which may be fewer or more than the module uses.
    #[must_use]
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// Returns all cells, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the cell of a row and channel, both counted from 0; an empty one on channels that it does not have.
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
    fn the_65th_instrument_stands_in_the_first_row_of_the_second_channel() {
        let pattern = Pattern::referring_to(65);
        assert_eq!((pattern.rows(), pattern.channels()), (64, 2));
        let at = |row, channel| pattern.cell(row, channel).instrument;
        assert_eq!([at(0, 0), at(63, 0), at(0, 1), at(1, 1)], [Some(1), Some(64), Some(65), None]);
        assert!(pattern.cells().iter().all(|cell| Cell { instrument: None, ..*cell } == Cell::default()));
    }

    #[test]
    fn no_instruments_still_make_a_pattern_of_64_rows() {
        let pattern = Pattern::referring_to(0);
        assert_eq!((pattern.rows(), pattern.channels()), (64, 1));
        assert_eq!(pattern.cells(), [Cell::default(); 64]);
    }

    #[test]
    fn instruments_beyond_what_a_cell_can_say_are_left_out() {
        let pattern = Pattern::referring_to(Pattern::MAX_INSTRUMENTS + 2);
        let numbers = pattern.cells().iter().filter_map(|cell| cell.instrument);
        assert_eq!(numbers.max(), Some(u16::MAX));
        assert_eq!(pattern.channels(), 1024);
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
