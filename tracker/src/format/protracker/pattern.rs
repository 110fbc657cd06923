use super::{FormatTag, Header};
use crate::Error;
use crate::format::file::ModuleReader;

/// Every pattern has so many rows.
pub const ROWS: usize = 64;
/// Bytes of a stored cell.
pub(super) const CELL: usize = 4;
/// Channels of a stored pattern that is half of one.
const HALF: usize = 4;

/// What happens on one channel in one row: all 32 bits of it, taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// 0 for none.
    pub sample: u8,
    /// In units of the Amiga's clock, 12 bits; 0 for none.
    pub period: u16,
    /// 4 bits.
    pub effect: u8,
    /// Of the effect.
    pub parameter: u8,
}

impl Cell {
    const fn of([a, b, c, d]: [u8; CELL]) -> Self {
        Self {
            sample: a & 0xF0 | c >> 4,
            period: u16::from_be_bytes([a & 0x0F, b]),
            effect: c & 0x0F,
            parameter: d,
        }
    }
}

/// 64 rows of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// As many as the header says.
    pub channels: u8,
    /// `rows × channels`.
    pub cells: Vec<Cell>,
}

/// Reads so many patterns; also gives where they end. The last one may be cut short by the end of the file, others may
/// be missing.
pub(super) fn read_all(
    file: &mut ModuleReader<'_>,
    header: &Header,
    count: usize,
) -> Result<(Vec<Pattern>, usize), Error> {
    let size = header.pattern_bytes();
    let start = header.bytes();
    if count > 0 && file.from(start).is_empty() {
        return Err(file.cursor(start, "pattern 0").error("outside the file"));
    }
    let mut cursor = file.cursor(start, "pattern");
    let mut patterns = Vec::new();
    for number in 0..count {
        if cursor.left() == 0 {
            let missing = count.saturating_sub(number);
            file.repair(
                cursor.at(),
                format_args!("pattern {number}"),
                format_args!("is not there; {missing} are missing"),
            );
            break;
        }
        let at = cursor.at();
        let stored = cursor.most(size);
        if stored.len() < size {
            let what = format_args!("pattern {number}");
            file.repair(at, what, format_args!("ends with the file: {} of {size} bytes", stored.len()));
        }
        file.pay::<Cell>(ROWS.saturating_mul(header.channels.into()))?;
        patterns.push(Pattern { channels: header.channels, cells: cells(stored, header) });
    }
    // Samples lie after all patterns, be they there or not.
    Ok((patterns, start.saturating_add(count.saturating_mul(size))))
}

fn cells(stored: &[u8], header: &Header) -> Vec<Cell> {
    let (stored, _) = stored.as_chunks::<CELL>();
    let stored = stored.iter().map(|bytes| Cell::of(*bytes));
    let size = ROWS.saturating_mul(header.channels.into());
    let mut cells: Vec<Cell> = stored.chain(std::iter::repeat(Cell::default())).take(size).collect();
    if header.tag.is_some_and(FormatTag::is_doubled) {
        let (left, right) = cells.split_at(cells.len() >> 1);
        let rows = left.chunks_exact(HALF).zip(right.chunks_exact(HALF));
        cells = rows.flat_map(|(left, right)| [left, right].concat()).collect();
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_all_bits_of_its_four_bytes() {
        let cell = Cell { sample: 0x1F, period: 0x1AC, effect: 0xC, parameter: 0x40 };
        assert_eq!(Cell::of([0x11, 0xAC, 0xFC, 0x40]), cell);
    }
}
