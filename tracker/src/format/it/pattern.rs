use crate::Error;
use crate::format::file::ModuleReader;

/// What happens on one channel in one row. A field that repeats the last one of its channel has the value that it
/// repeats; if its pattern had none, there is nothing to repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// 0 to 119, 254 cut, 255 off; others fade.
    pub note: Option<u8>,
    /// 0 for none, as if it were not there.
    pub instrument: Option<u8>,
    /// The volume column.
    pub volume: Option<u8>,
    /// Command, 1 for A, and its parameter.
    pub command: Option<(u8, u8)>,
}

/// Rows of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// 1 to 1024.
    pub rows: u16,
    /// Up to the last channel that it has something for; none if it is empty.
    pub channels: u8,
    /// `rows × channels`.
    pub cells: Vec<Cell>,
}

/// Rows of a pattern without an offset.
const DEFAULT_ROWS: u16 = 64;
/// The tracker has 200; others write up to so many.
const MAX_ROWS: u16 = 1024;
/// The most that a tracker has.
pub(super) const CHANNELS: usize = 127;
/// Bytes before the cells.
const HEADER: usize = 8;

/// A cell and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedCell {
    row: u16,
    channel: u8,
    cell: Cell,
}

/// What a channel repeats.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    mask: u8,
    note: Option<u8>,
    instrument: Option<u8>,
    volume: Option<u8>,
    command: Option<(u8, u8)>,
}

/// Returns the offset at which the pattern at an offset ends; 0 if there is none.
pub(super) fn end(file: &ModuleReader<'_>, at: usize) -> usize {
    let [low, high] = file.cursor(at, "pattern").padded();
    let stored = usize::from(u16::from_le_bytes([low, high])).saturating_add(HEADER);
    if at == 0 { 0 } else { at.saturating_add(stored) }
}

/// Reads a pattern. `events` is room that patterns may share.
pub(super) fn read(
    file: &mut ModuleReader<'_>,
    at: usize,
    number: usize,
    events: &mut Vec<PackedCell>,
) -> Result<Pattern, Error> {
    let what = format_args!("pattern {number}");
    if at == 0 {
        return Ok(Pattern { rows: DEFAULT_ROWS, channels: 0, cells: Vec::new() });
    }
    let mut cursor = file.cursor(at, "pattern");
    let [length_low, length_high, rows_low, rows_high, _, _, _, _] = cursor.padded::<HEADER>();
    let claimed = u16::from_le_bytes([rows_low, rows_high]);
    if !(1..=MAX_ROWS).contains(&claimed) {
        file.repair(at, what, format_args!("claims {claimed} rows; taken for {DEFAULT_ROWS} empty ones"));
        return Ok(Pattern { rows: DEFAULT_ROWS, channels: 0, cells: Vec::new() });
    }
    let stored = cursor.most(u16::from_le_bytes([length_low, length_high]).into());
    events.clear();
    let mut bytes = stored.iter().copied();
    let mut last = [Last::default(); CHANNELS];
    let full = (0..claimed).map_while(|row| read_row(row, &mut bytes, &mut last, events)).count();
    if full < claimed.into() {
        file.repair(at, what, format_args!("ends early: {full} of {claimed} rows"));
    }
    let channels = events.iter().map(|event| event.channel.saturating_add(1)).max().unwrap_or(0);
    let size = usize::from(claimed).saturating_mul(channels.into());
    file.pay::<Cell>(size)?;
    let mut cells = vec![Cell::default(); size];
    for event in &*events {
        let index = usize::from(event.row).saturating_mul(channels.into());
        if let Some(cell) = cells.get_mut(index.saturating_add(event.channel.into())) {
            // A channel that comes twice in a row adds to what it has.
            cell.note = event.cell.note.or(cell.note);
            cell.instrument = event.cell.instrument.or(cell.instrument);
            cell.volume = event.cell.volume.or(cell.volume);
            cell.command = event.cell.command.or(cell.command);
        }
    }
    Ok(Pattern { rows: claimed, channels, cells })
}

/// Reads a row; none if the bytes end before it does.
fn read_row(
    row: u16,
    bytes: &mut impl Iterator<Item = u8>,
    last: &mut [Last; CHANNELS],
    events: &mut Vec<PackedCell>,
) -> Option<()> {
    loop {
        let what = bytes.next()?;
        if what == 0 {
            return Some(());
        }
        // The tracker has 64 and looks at six bits; others have up to 127 channels and look at seven.
        let channel = (what & 0x7F).saturating_sub(1);
        let last = last.get_mut(usize::from(channel))?;
        if what & 0x80 != 0 {
            last.mask = bytes.next()?;
        }
        let mask = last.mask;
        if mask & 1 != 0 {
            last.note = Some(bytes.next()?);
        }
        if mask & 2 != 0 {
            last.instrument = Some(bytes.next()?);
        }
        if mask & 4 != 0 {
            last.volume = Some(bytes.next()?);
        }
        if mask & 8 != 0 {
            last.command = Some((bytes.next()?, bytes.next()?));
        }
        let cell = Cell {
            note: last.note.filter(|_| mask & 0x11 != 0),
            instrument: last.instrument.filter(|_| mask & 0x22 != 0),
            volume: last.volume.filter(|_| mask & 0x44 != 0),
            command: last.command.filter(|_| mask & 0x88 != 0),
        };
        if cell != Cell::default() {
            events.push(PackedCell { row, channel, cell });
        }
    }
}
