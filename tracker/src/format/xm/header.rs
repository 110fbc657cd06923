use crate::Error;
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;

/// What the file says before its patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Padded with zeros or blanks.
    pub title: [u8; 20],
    /// The name of the tracker, padded with zeros or blanks.
    pub tracker: [u8; 20],
    /// Such as 0x0104.
    pub version: u16,
    /// Bytes from here to the first pattern or instrument.
    pub size: u32,
    /// How many of the orders are played.
    pub length: u16,
    /// The order to go on with after the end.
    pub restart: u16,
    /// Of every pattern.
    pub channels: u16,
    /// Patterns that it counts.
    pub patterns: u16,
    /// Instruments that it counts.
    pub instruments: u16,
    /// Bit 1 for linear frequencies.
    pub flags: u16,
    /// Ticks of a row.
    pub speed: u16,
    /// Beats per minute.
    pub tempo: u16,
    /// Which pattern comes when, also beyond the length: as many as the size has room for, at most 256.
    pub orders: Vec<u8>,
}

/// Where the size of the header counts from.
const SIZE_AT: usize = 60;
/// Bytes of it without orders.
const LEAST: usize = 20;
const MAX_ORDERS: usize = 256;
/// The most channels that a tracker writes.
const MAX_CHANNELS: u16 = 128;

pub(super) fn read(file: &mut ModuleReader<'_>) -> Result<Header, Error> {
    let mut cursor = file.cursor(17, "header");
    let title = cursor.array()?;
    let _eof = cursor.u8()?;
    let tracker = cursor.array()?;
    let version = cursor.u16()?;
    let size = cursor.u32()?;
    let [length, restart, channels, patterns] = [cursor.u16()?, cursor.u16()?, cursor.u16()?, cursor.u16()?];
    let [instruments, flags, speed, tempo] = [cursor.u16()?, cursor.u16()?, cursor.u16()?, cursor.u16()?];
    if channels == 0 || channels > MAX_CHANNELS {
        return Err(file.cursor(68, "header").error(format_args!("claims {channels} channels")));
    }
    let claimed = usize::try_from(size).unwrap_or(usize::MAX);
    if claimed < LEAST {
        return Err(file.cursor(SIZE_AT, "header").error(format_args!("claims {size} bytes")));
    }
    let orders = cursor.most(claimed.saturating_sub(LEAST).min(MAX_ORDERS)).to_vec();
    if orders.len() < length.into() {
        let text = format_args!("counts {length} orders and has {}", orders.len());
        file.repair(64, "header", text);
    }
    Ok(Header {
        title,
        tracker,
        version,
        size,
        length,
        restart,
        channels,
        patterns,
        instruments,
        flags,
        speed,
        tempo,
        orders,
    })
}

impl Header {
    /// Returns where it ends.
    pub(super) fn end(&self) -> usize {
        usize::try_from(self.size).unwrap_or(usize::MAX).saturating_add(SIZE_AT)
    }
}

/// What depends on the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct XmLayout {
    /// Instruments come before patterns, and frames after both.
    pub(super) instruments_first: bool,
    /// The number of rows takes a byte and is one less.
    pub(super) rows_in_a_byte: bool,
}

/// From here on rows take two bytes. Source: *libxmp*; files of it made here are read alike by libopenmpt.
const ROWS_TAKE_TWO_BYTES: u16 = 0x0103;
/// From here on patterns come first. Source: as above.
const PATTERNS_FIRST: u16 = 0x0104;
const OLDEST: u16 = 0x0102;

impl XmLayout {
    /// # Errors
    /// If the version is older than the oldest that is known.
    pub(super) fn of(header: &Header) -> Result<Self, Error> {
        let version = header.version;
        if version < OLDEST {
            let error =
                Cursor::new(&[], 58, "header").error(format_args!("version {version:#06x} is not read"));
            return Err(error);
        }
        Ok(Self {
            instruments_first: version < PATTERNS_FIRST,
            rows_in_a_byte: version < ROWS_TAKE_TWO_BYTES,
        })
    }
}
