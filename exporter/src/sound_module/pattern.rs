//! The pattern of a module of sounds, cell by cell.

use song::module::Pattern;

/// Returns the instruments of each row, by channel, none where a cell is empty.
pub(crate) fn rows(instruments: usize) -> Vec<Vec<Option<u8>>> {
    let pattern = Pattern::referring_to(instruments);
    let cell = |row, channel| pattern.cell(row, channel).instrument;
    let number = |instrument: Option<u16>| instrument.and_then(|number| u8::try_from(number).ok());
    let row = |row| (0..pattern.channels()).map(|channel| number(cell(row, channel))).collect();
    (0..pattern.rows()).map(row).collect()
}

/// Rows of it.
pub(crate) const ROWS: u16 = 64;
/// Ticks per minute over 2.5, of every module.
pub(crate) const TEMPO: u8 = 125;

/// Returns the ticks of a row: the usual 6, or the most there are, 0.62 s, to hear what each row plays.
pub(crate) const fn speed(has_notes: bool) -> u8 {
    if has_notes { 31 } else { 6 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_that_are_stated() {
        assert_eq!((rows(1).len(), Pattern::ROWS), (usize::from(ROWS), usize::from(ROWS)));
        assert_eq!((&rows(65)[0], &rows(65)[1]), (&vec![Some(1), Some(65)], &vec![Some(2), None]));
    }
}
