use crate::Error;
use crate::format::file::ModuleReader;

/// Every pattern has so many rows.
pub const ROWS: usize = 64;
/// Every row has so many channels; the header says which are in use.
pub const CHANNELS: usize = 32;

/// What happens on one channel in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Octave in the upper four bits, semitone in the lower; 254 ends a note, 255 is none.
    pub note: u8,
    /// 0 for none.
    pub instrument: u8,
    /// 0 to 64, or a pan from 128 on; 255 for none.
    pub volume: u8,
    /// 1 for A; 0 for none.
    pub command: u8,
    /// Of the command.
    pub parameter: u8,
}

impl Default for Cell {
    fn default() -> Self {
        Self { note: 255, instrument: 0, volume: 255, command: 0, parameter: 0 }
    }
}

/// 64 rows of 32 cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// `rows × channels`.
    pub cells: Vec<Cell>,
}

/// Reads a pattern. What its length says is not believed: trackers differ in what they count, and readers go on to the
/// last row.
pub(super) fn read(file: &mut ModuleReader<'_>, at: usize, number: usize) -> Result<Pattern, Error> {
    file.pay::<Cell>(ROWS.saturating_mul(CHANNELS))?;
    let mut cells = vec![Cell::default(); ROWS.saturating_mul(CHANNELS)];
    if at > 0 {
        let mut stored = file.from(at.saturating_add(2)).iter().copied();
        let full = cells.chunks_exact_mut(CHANNELS).filter_map(|row| fill(row, &mut stored)).count();
        if full < ROWS {
            let text = format_args!("ends with the file: {full} of {ROWS} rows");
            file.repair(at, format_args!("pattern {number}"), text);
        }
    }
    Ok(Pattern { cells })
}

/// Reads a row; none if the bytes end before it does.
fn fill(row: &mut [Cell], stored: &mut impl Iterator<Item = u8>) -> Option<()> {
    loop {
        let what = stored.next()?;
        if what == 0 {
            return Some(());
        }
        let cell = row.get_mut(usize::from(what & 31))?;
        if what & 32 != 0 {
            (cell.note, cell.instrument) = (stored.next()?, stored.next()?);
        }
        if what & 64 != 0 {
            cell.volume = stored.next()?;
        }
        if what & 128 != 0 {
            (cell.command, cell.parameter) = (stored.next()?, stored.next()?);
        }
    }
}
