//! `StringTable`: a namespace, pairs of a key and a text, and what is known of keys.
//!
//! ```text
//! properties │ namespace │ count │ key │ text │ [4 zero bytes] │ … │ count │ key │ count │ name │ text │ …   end
//! ```
//!
//! Source: *seeds-to-the-letter*, §2; a table of 5.8, measured.

use crate::base::error::{Error, ErrorKind};
use crate::base::limits::Limits;
use crate::ue4to6::package::AssetPackage;
use crate::ue4to6::property::read_object;

/// Entries of a string table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableEntries {
    /// True if 4 zero bytes follow each.
    pub(crate) has_zeros: bool,
    /// Ends of the texts, counted from the object.
    pub(crate) ends: Vec<u64>,
}

/// Finds the entries of a string table in the form that fills the object; none if neither form does, or both.
///
/// # Errors
/// If the package cannot be read, or takes more than the limits allow.
pub(crate) fn table_entries(
    package: &AssetPackage,
    export: usize,
    object: &[u8],
    limits: &mut Limits,
) -> Result<Option<TableEntries>, Error> {
    let begin = package.range(export)?.start;
    let at = match read_object(package, export, None, limits) {
        Ok(stated) => usize::try_from(stated.end.saturating_sub(begin)).ok(),
        Err(error) if matches!(error.kind(), ErrorKind::Io(_) | ErrorKind::OverLimit { .. }) => {
            return Err(error);
        }
        Err(_) if package.is_unversioned() => without_properties(object),
        Err(_) => None,
    };
    let Some(rest) = at.and_then(|at| object.get(at..)) else { return Ok(None) };
    // Each entry has at least ten bytes, and its end takes eight.
    limits.take(rest.len() as u64, begin, "string table")?;
    let read = |has_zeros| Table { rest, length: object.len(), package }.read(has_zeros);
    Ok(match (read(false), read(true)) {
        (Some(entries), None) | (None, Some(entries)) => Some(entries),
        // A table without entries has both forms.
        (Some(entries), Some(_)) => entries.ends.is_empty().then_some(entries),
        (None, None) => None,
    })
}

/// Returns where the class goes on in an object whose header states no property without tags: the class has none.
fn without_properties(object: &[u8]) -> Option<usize> {
    /// Packages of some games of 5.4 begin objects with zeros.
    const ZEROS: [u8; 4] = [0; 4];
    /// The last part of a header, which leaves out nothing and has nothing.
    const NOTHING: [u8; 2] = 0x100_u16.to_le_bytes();
    let header = object.strip_prefix(&ZEROS).unwrap_or(object);
    let rest = header.strip_prefix(&NOTHING)?;
    let (has_guid, rest) = rest.split_first_chunk::<4>()?;
    let rest = match u32::from_le_bytes(*has_guid) {
        0 => rest,
        1 => rest.get(16..)?,
        _ => return None,
    };
    object.len().checked_sub(rest.len())
}

/// The part of a table that is not read yet.
struct Table<'t> {
    rest: &'t [u8],
    length: usize,
    package: &'t AssetPackage,
}

impl Table<'_> {
    fn read(mut self, has_zeros: bool) -> Option<TableEntries> {
        self.text()?;
        let count = self.count(8)?;
        let mut ends = Vec::new();
        for _ in 0..count {
            self.text()?;
            self.text()?;
            ends.push(self.length.checked_sub(self.rest.len())? as u64);
            if has_zeros && self.number()? != 0 {
                return None;
            }
        }
        for _ in 0..self.count(8)? {
            self.text()?;
            for _ in 0..self.count(12)? {
                self.package.names().get(self.number()?)?;
                self.number()?;
                self.text()?;
            }
        }
        self.rest.is_empty().then_some(TableEntries { has_zeros, ends })
    }

    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*number))
    }

    /// Reads a number of entries that the rest can hold.
    fn count(&mut self, smallest: usize) -> Option<u32> {
        let count = self.number()?;
        let bytes = usize::try_from(count).ok()?.checked_mul(smallest)?;
        (bytes <= self.rest.len()).then_some(count)
    }

    /// Passes over a text, which ends with a zero if it has any bytes; below zero its length is in units of 16 bits.
    fn text(&mut self) -> Option<()> {
        let length = self.number()?.cast_signed();
        let units = usize::try_from(length.unsigned_abs()).ok()?;
        let unit = if length < 0 { 2 } else { 1 };
        let (text, rest) = self.rest.split_at_checked(units.checked_mul(unit)?)?;
        self.rest = rest;
        text.rchunks(unit).next().is_none_or(|last| last.iter().all(|byte| *byte == 0)).then_some(())
    }
}
