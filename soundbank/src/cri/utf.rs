//! @UTF: a table with named columns, whose rows may hold whole tables and files.
//!
//! ```text
//! @UTF, size │ version, offsets │ columns │ rows │ strings │ data
//!            └ offsets count from here, the ninth byte
//! ```
//!
//! All numbers are big-endian. Source: *sound-banks*, §7.1; own observation of the tables of four cue sheets.

use std::ops::Range;

use unreal::{Limits, Source};

use crate::reader::{Reader, read_region, take};
use crate::{Error, ErrorKind};

/// The first bytes of a table.
pub(super) const MAGIC: [u8; 4] = *b"@UTF";
/// Bytes before those that the size and all offsets count.
const BASE: u64 = 8;
/// Bytes before the columns.
const HEAD: u64 = 32;
/// The most rows of a table that has constants only, whose rows take no bytes. References have 16 bits.
const MAX_EMPTY_ROWS: u32 = 1 << 16;
/// Cost of a column in memory.
const COLUMN_COST: u64 = size_of::<Column>() as u64;
/// The most bytes of a text.
const MAX_TEXT: usize = 1024;

/// A table, whose data beyond `bytes` stays in the file.
#[derive(Debug)]
pub(super) struct Table {
    /// Offset of the table in the file.
    at: u64,
    /// The table from its first byte on, as far as it was read.
    bytes: Vec<u8>,
    /// Length of the whole table in bytes.
    length: u64,
    columns: Vec<Column>,
    rows: u32,
    row_bytes: u16,
    /// Offsets from the first byte of the table.
    rows_at: u64,
    strings_at: u64,
    data_at: u64,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// Offset of its name within the strings.
    name: u32,
    kind: u8,
    value: Stored,
}

/// Where a column has its values.
#[derive(Clone, Copy, Debug)]
enum Stored {
    /// Nowhere: all are zero.
    Nowhere,
    /// Once for all rows, at an offset from the first byte of the table.
    Once(u64),
    /// In each row, at an offset from its first byte.
    PerRow(u64),
}

/// A column to read values by; one that a table does not have reads as absent.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnOf(Option<Column>);

/// Kinds of values.
mod kind {
    pub(super) const U8: u8 = 0;
    pub(super) const S8: u8 = 1;
    pub(super) const U16: u8 = 2;
    pub(super) const S16: u8 = 3;
    pub(super) const U32: u8 = 4;
    pub(super) const S32: u8 = 5;
    pub(super) const U64: u8 = 6;
    pub(super) const S64: u8 = 7;
    pub(super) const F32: u8 = 8;
    pub(super) const F64: u8 = 9;
    pub(super) const TEXT: u8 = 10;
    pub(super) const DATA: u8 = 11;
}

/// Returns the bytes of a value; none of a kind that does not exist.
const fn size(kind: u8) -> Option<u64> {
    Some(match kind {
        kind::U8 | kind::S8 => 1,
        kind::U16 | kind::S16 => 2,
        kind::U32 | kind::S32 | kind::F32 | kind::TEXT => 4,
        kind::U64 | kind::S64 | kind::F64 | kind::DATA => 8,
        _ => return None,
    })
}

impl Table {
    /// Reads a table that lies in a region of a file, with all of its data.
    ///
    /// # Errors
    /// If it is none, contradicts itself, or takes more memory than allowed.
    pub(super) fn read(
        source: &dyn Source,
        region: Range<u64>,
        what: &'static str,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        Self::read_part(source, region, true, what, limits)
    }

    /// Reads a table without its data, which [`Table::data`] finds in the file.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub(super) fn read_head(
        source: &dyn Source,
        region: Range<u64>,
        what: &'static str,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        Self::read_part(source, region, false, what, limits)
    }

    fn read_part(
        source: &dyn Source,
        Range { start: at, end }: Range<u64>,
        with_data: bool,
        what: &'static str,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let room = end.saturating_sub(at);
        let head = read_region(source, at, HEAD.min(room), what, limits)?;
        let mut reader = Reader::new(&head, at, what).big_endian(true);
        if reader.bytes(MAGIC.len())? != MAGIC {
            return Err(Error::new(ErrorKind::NotThisFormat("no table of CRI"), at, what));
        }
        let length = u64::from(reader.u32()?).saturating_add(BASE);
        if length > room {
            let error =
                ErrorKind::Outside { end: at.saturating_add(length), length: at.saturating_add(room) };
            return Err(Error::new(error, at, what));
        }
        reader.skip(2)?;
        let rows_at = u64::from(reader.u16()?).saturating_add(BASE);
        let strings_at = u64::from(reader.u32()?).saturating_add(BASE);
        let data_at = u64::from(reader.u32()?).saturating_add(BASE);
        reader.skip(4)?;
        let count = reader.u16()?;
        let row_bytes = reader.u16()?;
        let rows = reader.u32()?;
        // Rows and texts come before the data; a table that has them elsewhere is read whole.
        let is_in_order = rows_at <= data_at && strings_at <= data_at;
        let kept = if with_data || !is_in_order { length } else { data_at.min(length) };
        let bytes = read_region(source, at, kept, what, limits)?;
        let mut table =
            Self { at, bytes, length, columns: Vec::new(), rows, row_bytes, rows_at, strings_at, data_at };
        table.columns = table.read_columns(count, what, limits)?;
        table.check_rows(what)?;
        Ok(table)
    }

    fn read_columns(
        &self,
        count: u16,
        what: &'static str,
        limits: &mut Limits,
    ) -> Result<Vec<Column>, Error> {
        const HAS_NAME: u8 = 0x10;
        const CONSTANT: u8 = 0x20;
        const PER_ROW: u8 = 0x40;
        let start = usize::try_from(HEAD).unwrap_or(usize::MAX);
        let at = self.at.saturating_add(HEAD);
        let rest = self.bytes.get(start..).unwrap_or_default();
        let mut reader = Reader::new(rest, at, what).big_endian(true);
        let count = reader.fitting(count.into(), 1)?;
        take(limits, COLUMN_COST.saturating_mul(count as u64), at, what)?;
        let mut columns = Vec::with_capacity(count);
        let mut in_row = 0_u64;
        for _ in 0..count {
            let flags = reader.u8()?;
            let kind = flags & 0x0F;
            let malformed = |reader: &Reader<'_>, text| reader.error(ErrorKind::Malformed(text));
            let size = size(kind).ok_or_else(|| malformed(&reader, "a column of an unknown kind"))?;
            let name = if flags & HAS_NAME == 0 { u32::MAX } else { reader.u32()? };
            let value = if flags & CONSTANT != 0 {
                let offset = reader.at().saturating_sub(self.at);
                reader.skip(usize::try_from(size).unwrap_or(usize::MAX))?;
                Stored::Once(offset)
            } else if flags & PER_ROW != 0 {
                let offset = in_row;
                in_row = in_row.saturating_add(size);
                Stored::PerRow(offset)
            } else {
                Stored::Nowhere
            };
            columns.push(Column { name, kind, value });
        }
        if in_row > self.row_bytes.into() {
            let kind = ErrorKind::Size { stated: self.row_bytes.into(), read: in_row };
            return Err(reader.error(kind));
        }
        Ok(columns)
    }

    /// Checks that all rows are there.
    fn check_rows(&self, what: &'static str) -> Result<(), Error> {
        let room = (self.bytes.len() as u64).saturating_sub(self.rows_at);
        let fit = match room.checked_div(self.row_bytes.into()) {
            Some(fit) => fit,
            None => MAX_EMPTY_ROWS.into(),
        };
        if u64::from(self.rows) > fit {
            let at = self.at.saturating_add(self.rows_at);
            return Err(Error::new(ErrorKind::TooMany { count: self.rows.into(), fit }, at, what));
        }
        Ok(())
    }

    /// Returns the number of rows.
    pub(super) const fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the offset of the table in the file.
    pub(super) const fn at(&self) -> u64 {
        self.at
    }

    /// Finds a column by its name, or by an older one.
    pub(super) fn column(&self, names: &[&str]) -> ColumnOf {
        let find = |name: &&str| self.columns.iter().find(|column| self.is_text(column.name, name));
        ColumnOf(names.iter().find_map(find).copied())
    }

    /// Returns the bytes from a value of a row on.
    fn value(&self, row: u32, column: Column) -> Option<Reader<'_>> {
        let at = match column.value {
            Stored::Nowhere => return None,
            Stored::Once(at) => at,
            Stored::PerRow(offset) => {
                let row = u64::from(row).saturating_mul(self.row_bytes.into());
                self.rows_at.saturating_add(row).saturating_add(offset)
            }
        };
        let bytes = self.bytes.get(usize::try_from(at).ok()?..)?;
        Some(Reader::new(bytes, at, "CRI table").big_endian(true))
    }

    /// Returns a number of a row, without its sign; none if the column is absent or no integer.
    pub(super) fn number(&self, row: u32, column: ColumnOf) -> Option<u64> {
        let column = column.0.filter(|_| row < self.rows)?;
        if matches!(column.value, Stored::Nowhere) {
            return (column.kind < kind::F32).then_some(0);
        }
        let mut value = self.value(row, column)?;
        match column.kind {
            kind::U8 | kind::S8 => value.u8().ok().map(u64::from),
            kind::U16 | kind::S16 => value.u16().ok().map(u64::from),
            kind::U32 | kind::S32 => value.u32().ok().map(u64::from),
            kind::U64 | kind::S64 => value.u64().ok(),
            _ => None,
        }
    }

    /// Returns a number of a row that has at most 32 bits.
    pub(super) fn word(&self, row: u32, column: ColumnOf) -> Option<u32> {
        self.number(row, column).and_then(|number| u32::try_from(number).ok())
    }

    /// Returns a text of a row; none if it is empty or absent. Bytes that are no UTF-8 are shown as such.
    pub(super) fn text(&self, row: u32, column: ColumnOf) -> Option<String> {
        let column = column.0.filter(|column| column.kind == kind::TEXT && row < self.rows)?;
        let text = self.raw_text(self.value(row, column)?.u32().ok()?)?;
        (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
    }

    /// Returns whether a text is the one given. Takes as long as that, however long the text is.
    fn is_text(&self, offset: u32, wanted: &str) -> bool {
        let at = self.strings_at.checked_add(offset.into()).and_then(|at| usize::try_from(at).ok());
        let text = at.and_then(|at| self.bytes.get(at..)?.strip_prefix(wanted.as_bytes()));
        text.is_some_and(|rest| rest.first().is_none_or(|end| *end == 0))
    }

    /// Returns the bytes of a text up to its zero byte.
    fn raw_text(&self, offset: u32) -> Option<&[u8]> {
        let at = self.strings_at.checked_add(offset.into())?;
        let text = self.bytes.get(usize::try_from(at).ok()?..)?;
        let text = text.get(..MAX_TEXT).unwrap_or(text);
        text.split(|&byte| byte == 0).next()
    }

    /// Returns the range of a row's data in the file; none if there are none, or they are not inside the table.
    pub(super) fn data(&self, row: u32, column: ColumnOf) -> Option<Range<u64>> {
        let column = column.0.filter(|column| column.kind == kind::DATA && row < self.rows)?;
        let mut value = self.value(row, column)?;
        let (offset, size) = (value.u32().ok()?, value.u32().ok()?);
        let start = self.data_at.checked_add(offset.into())?;
        let end = start.checked_add(size.into()).filter(|end| *end <= self.length)?;
        (size > 0).then_some(self.at.saturating_add(start)..self.at.saturating_add(end))
    }

    /// Returns data of a row that were read with the table.
    pub(super) fn bytes(&self, row: u32, column: ColumnOf) -> &[u8] {
        let Some(Range { start, end }) = self.data(row, column) else { return &[] };
        let local = |at: u64| usize::try_from(at.saturating_sub(self.at)).ok();
        let (Some(start), Some(end)) = (local(start), local(end)) else { return &[] };
        self.bytes.get(start..end).unwrap_or_default()
    }
}
