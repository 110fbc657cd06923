use super::name::smallest_index;
use super::{TableLocation, TableRows};
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::base::text::{push_utf_16, push_windows_1252};
use crate::ue1to3::version::{FlagWidth, Layout, NameCoding};

/// The name table (Epic: `FNameEntry` rows). All text lies in one string, entry after entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameTable {
    text: String,
    entries: Vec<NameEntry>,
}

/// The most characters that a name can have. The engine itself keeps no more than 63; without a bound, the paths
/// of many objects could repeat one long name without end.
pub const MAX_NAME: usize = 255;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NameEntry {
    /// Where its text ends; it starts where the one before ends.
    end: usize,
    flags: u64,
}

/// An entry of the name table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name<'n> {
    /// Text of the name.
    pub text: &'n str,
    /// Flags of the name; the same bits as those of objects.
    pub flags: u64,
}

impl NameTable {
    /// Returns how many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entry with that index, counted from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Name<'_>> {
        let entry = self.entries.get(index)?;
        let before = index.checked_sub(1).and_then(|before| self.entries.get(before));
        let text = self.text.get(before.map_or(0, |before| before.end)..entry.end)?;
        Some(Name { text, flags: entry.flags })
    }

    /// Returns all entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Name<'_>> {
        (0..self.len()).map(|index| self.get(index).unwrap_or(Name { text: "", flags: 0 }))
    }
}

/// Reads the name table.
///
/// Source: Unreal Wiki, *Package File Format/Data Details*, "Name values", and *Unreal package*, "Name table".
pub(super) fn read(
    source: &dyn Source,
    layout: &Layout,
    table: TableLocation,
    limits: &mut Limits,
) -> Result<NameTable, Error> {
    // A length or a zero, and the flags.
    let length = match layout.name {
        NameCoding::UntilZero | NameCoding::ByteLength => 1,
        NameCoding::LengthFirst | NameCoding::WideLengthFirst => smallest_index(layout),
        NameCoding::ShortLength => 2,
    };
    let flags: u64 = match layout.name_flags {
        FlagWidth::None => 0,
        FlagWidth::U32 => 4,
        FlagWidth::U64 => 8,
    };
    let rows = TableRows { what: "name table", row: "name", min_size: flags.saturating_add(length) };
    let mut text = String::new();
    let entries = rows.read_table(source, layout, table, limits, |reader, limits| {
        read_text(reader, layout, &mut text, limits)?;
        let flags = match layout.name_flags {
            FlagWidth::None => 0,
            FlagWidth::U32 => reader.u32()?.into(),
            FlagWidth::U64 => reader.u64()?,
        };
        Ok(NameEntry { end: text.len(), flags })
    })?;
    Ok(NameTable { text, entries })
}

fn read_text(
    reader: &mut Reader<'_>,
    layout: &Layout,
    text: &mut String,
    limits: &mut Limits,
) -> Result<(), Error> {
    let at = reader.at();
    match layout.name {
        NameCoding::UntilZero => {
            let mut bytes = Vec::new();
            loop {
                match reader.u8()? {
                    0 => break,
                    _ if bytes.len() == MAX_NAME => return Err(reader.error(at, TOO_LONG)),
                    byte => bytes.push(byte),
                }
            }
            limits.take_growing(MAX_IN_UTF_8.saturating_mul(bytes.len()), at, "name table")?;
            push_windows_1252(text, &bytes);
            Ok(())
        }
        NameCoding::LengthFirst => {
            let length = reader.index()?;
            read_name(reader, at, length, text, limits)
        }
        NameCoding::WideLengthFirst => {
            let length = reader.index()?;
            read_name(reader, at, length.saturating_abs().saturating_neg(), text, limits)
        }
        NameCoding::ShortLength => {
            let length = i32::from(reader.u16()?);
            read_name(reader, at, length.saturating_add(1), text, limits)
        }
        NameCoding::ByteLength => {
            let length = i32::from(reader.u8()?);
            read_name(reader, at, length.saturating_add(1), text, limits)
        }
    }
}

/// Appends a name whose length, with the zero at the end, was read.
fn read_name(
    reader: &mut Reader<'_>,
    at: u64,
    length: i32,
    text: &mut String,
    limits: &mut Limits,
) -> Result<(), Error> {
    if usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX) > MAX_NAME.saturating_add(1) {
        return Err(reader.error(at, TOO_LONG));
    }
    read_characters(reader, length, text, limits)
}

const TOO_LONG: Malformed = Malformed::TooLong { characters: MAX_NAME };

/// Bytes that one character of Windows-1252, or one unit of UTF-16, takes in memory.
const MAX_IN_UTF_8: usize = 3;

/// Appends a string that states its length (Epic: `FString`): 0 for an empty one, else with the zero it ends with;
/// positive for Windows-1252, negative for UTF-16. It has at most `most` characters before that zero.
pub(crate) fn read_string(
    reader: &mut Reader<'_>,
    text: &mut String,
    most: usize,
    limits: &mut Limits,
) -> Result<(), Error> {
    let at = reader.at();
    let length = reader.index()?;
    if usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX) > most.saturating_add(1) {
        return Err(reader.error(at, Malformed::TooLong { characters: most }));
    }
    read_characters(reader, length, text, limits)
}

/// Appends the text of a string whose length was read.
fn read_characters(
    reader: &mut Reader<'_>,
    length: i32,
    text: &mut String,
    limits: &mut Limits,
) -> Result<(), Error> {
    if length == 0 {
        return Ok(());
    }
    let at = reader.at();
    let width: u64 = if length < 0 { 2 } else { 1 };
    let characters = reader.fitting(length.unsigned_abs(), width, at)?;
    limits.take_growing(MAX_IN_UTF_8.saturating_mul(characters), at, "string")?;
    let order = reader.order();
    if length < 0 {
        let bytes = reader.bytes(characters.saturating_mul(2))?;
        if let Some(bytes) = bytes.strip_suffix(&[0, 0]) {
            push_utf_16(text, bytes, order);
            return Ok(());
        }
    } else if let Some(bytes) = reader.bytes(characters)?.strip_suffix(&[0]) {
        push_windows_1252(text, bytes);
        return Ok(());
    }
    Err(reader.error(at, Malformed::Unterminated))
}
