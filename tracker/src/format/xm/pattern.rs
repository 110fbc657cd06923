use super::Header;
use super::header::XmLayout;
use crate::Error;
use crate::format::file::ModuleReader;

/// What happens on one channel in one row, as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// 1 to 96, 97 for the key to be let go; 0 for none.
    pub note: u8,
    /// 0 for none.
    pub instrument: u8,
    /// The volume column; 0 for none.
    pub volume: u8,
    /// 0 with parameter 0 for none.
    pub effect: u8,
    /// Of the effect.
    pub parameter: u8,
}

/// Rows of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// 1 to 1024.
    pub rows: u16,
    /// As many as the header says.
    pub channels: u16,
    /// `rows × channels`.
    pub cells: Vec<Cell>,
}

/// The tracker has 256; others write up to so many.
const MAX_ROWS: u16 = 1024;
/// Bytes before the cells, with rows of two bytes.
const HEADER: usize = 9;
/// Rows of a pattern that claims none.
const DEFAULT_ROWS: u16 = 64;

/// Reads the patterns from an offset on; also returns the offset of their end.
pub(super) fn read_all(
    file: &mut ModuleReader<'_>,
    header: &Header,
    layout: XmLayout,
    mut at: usize,
) -> Result<(Vec<Pattern>, usize), Error> {
    let count = usize::from(header.patterns);
    let mut patterns = Vec::new();
    for number in 0..count {
        if file.from(at).is_empty() {
            let missing = count.saturating_sub(number);
            let text = format_args!("is not there; {missing} are missing");
            file.repair(at, format_args!("pattern {number}"), text);
            break;
        }
        let pattern;
        (pattern, at) = read(file, header.channels, layout, at, number)?;
        file.pay::<Pattern>(1)?;
        patterns.push(pattern);
    }
    Ok((patterns, at))
}

fn read(
    file: &mut ModuleReader<'_>,
    channels: u16,
    layout: XmLayout,
    at: usize,
    number: usize,
) -> Result<(Pattern, usize), Error> {
    let what = format_args!("pattern {number}");
    // Made up with zeros if the file ends here.
    let head: [u8; HEADER] = file.cursor(at, "pattern").padded();
    let [a, b, c, d, _packing, rest @ ..] = head;
    let claimed = u32::from_le_bytes([a, b, c, d]);
    let mut size = usize::try_from(claimed).unwrap_or(usize::MAX);
    if size > file.from(at).len() {
        size = if layout.rows_in_a_byte { HEADER - 1 } else { HEADER };
        file.repair(at, what, format_args!("claims a header of {claimed} bytes; taken for {size}"));
    }
    let (claimed, packed) = match (layout.rows_in_a_byte, rest) {
        (true, [rows, low, high, _]) => (u16::from(rows).saturating_add(1), [low, high]),
        (false, [rows_low, rows_high, low, high]) => (u16::from_le_bytes([rows_low, rows_high]), [low, high]),
    };
    let rows = if (1..=MAX_ROWS).contains(&claimed) {
        claimed
    } else {
        file.repair(at, what, format_args!("claims {claimed} rows; has {DEFAULT_ROWS}"));
        DEFAULT_ROWS
    };
    let packed = usize::from(u16::from_le_bytes(packed));
    let start = at.saturating_add(size);
    let stored = file.from(start);
    let stored = stored.get(..packed).unwrap_or(stored);
    let count = usize::from(rows).saturating_mul(channels.into());
    file.pay::<Cell>(count)?;
    let mut cells = vec![Cell::default(); count];
    let mut bytes = stored.iter().copied();
    let full = cells.iter_mut().map_while(|cell| fill(cell, &mut bytes)).count();
    if full < count && (packed > 0 || stored.len() < packed) {
        file.repair(start, what, format_args!("ends after {full} of {count} cells"));
    }
    Ok((Pattern { rows, channels, cells }, start.saturating_add(packed)))
}

/// Reads a cell; none if the bytes end before it does.
fn fill(cell: &mut Cell, bytes: &mut impl Iterator<Item = u8>) -> Option<()> {
    let first = bytes.next()?;
    let is_mask = first & 0x80 != 0;
    // Without a mask the byte is the note itself, and all else follows.
    let mask = if is_mask { first } else { 0b1_1110 };
    let mut field = |bit: u8| if mask & bit == 0 { Some(0) } else { bytes.next() };
    let note = if is_mask { field(1)? } else { first };
    *cell = Cell { note, instrument: field(2)?, volume: field(4)?, effect: field(8)?, parameter: field(16)? };
    Some(())
}
