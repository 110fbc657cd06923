use crate::{InstrumentIndex, Invalid, Key};

/// What happens in one row of one channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The note that starts here.
    pub note: Option<Key>,
    /// The instrument that is chosen here, with or without a note.
    pub instrument: Option<InstrumentIndex>,
}

/// A grid of cells: rows in time, channels side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    channels: usize,
    /// Row by row.
    cells: Vec<Cell>,
}

impl Pattern {
    /// Rows of a pattern whose format does not say otherwise.
    pub const ROWS: usize = 64;
    /// The most rows a pattern can have.
    pub const MAX_ROWS: usize = 1024;
    /// The most channels a pattern can have.
    pub const MAX_CHANNELS: usize = 1 << 16;

    /// A pattern of empty cells.
    ///
    /// # Errors
    /// [`Invalid::PatternSize`] unless 1..=1024 rows and 1..=65536 channels.
    pub fn empty(rows: usize, channels: usize) -> Result<Self, Invalid> {
        if (1..=Self::MAX_ROWS).contains(&rows) && (1..=Self::MAX_CHANNELS).contains(&channels) {
            Ok(Self { channels, cells: vec![Cell::default(); rows * channels] })
        } else {
            Err(Invalid::PatternSize { rows, channels })
        }
    }

    /// A pattern of 64 rows without notes that refers to every instrument of a song in sequence: instrument i,
    /// counted from 0, stands in row i mod 64 of channel i div 64.
    ///
    /// # Errors
    /// [`Invalid::PatternSize`] for more instruments than 65536 channels hold.
    pub fn referring_to(instruments: usize) -> Result<Self, Invalid> {
        let channels = instruments.div_ceil(Self::ROWS).max(1);
        let mut pattern = Self::empty(Self::ROWS, channels)?;
        for index in 0..instruments {
            pattern.cells[(index % Self::ROWS) * channels + index / Self::ROWS].instrument =
                Some(InstrumentIndex::new(index));
        }
        Ok(pattern)
    }

    /// How many rows, at least one.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.cells.len() / self.channels
    }

    /// How many channels, at least one.
    #[must_use]
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// The cell of a row and channel, both counted from 0.
    #[must_use]
    pub fn cell(&self, row: usize, channel: usize) -> Option<&Cell> {
        if channel < self.channels { self.cells.get(row * self.channels + channel) } else { None }
    }

    /// All cells, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_65th_instrument_stands_in_the_first_row_of_the_second_channel() {
        let pattern = Pattern::referring_to(65).unwrap();
        assert_eq!((pattern.rows(), pattern.channels()), (64, 2));
        let at = |row, channel| pattern.cell(row, channel).unwrap().instrument.map(InstrumentIndex::get);
        assert_eq!([at(0, 0), at(63, 0), at(0, 1), at(1, 1)], [Some(0), Some(63), Some(64), None]);
        assert!(pattern.cells().iter().all(|cell| cell.note.is_none()));
    }

    #[test]
    fn no_instruments_still_make_a_pattern_of_64_rows() {
        let pattern = Pattern::referring_to(0).unwrap();
        assert_eq!((pattern.rows(), pattern.channels()), (64, 1));
        assert_eq!(pattern.cells(), [Cell::default(); 64]);
    }

    #[test]
    fn a_pattern_without_rows_or_channels_is_refused() {
        assert!(Pattern::empty(0, 1).is_err());
        assert!(Pattern::empty(1, 0).is_err());
        assert!(Pattern::empty(1024, 1).is_ok());
        assert!(Pattern::empty(1025, 1).is_err());
    }

    #[test]
    fn there_is_no_cell_outside_the_grid() {
        let pattern = Pattern::empty(2, 2).unwrap();
        assert!(pattern.cell(1, 1).is_some());
        assert!(pattern.cell(0, 2).is_none() && pattern.cell(2, 0).is_none());
    }
}
