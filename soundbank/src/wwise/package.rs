use std::mem::size_of;

use unreal::{Limits, Source};

use crate::reader::{Reader, read_region};
use crate::{Error, ErrorKind};

/// A file package (`.pck`): banks and streams, one after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FilePackage {
    /// Byte order of its tables.
    pub(super) is_big_endian: bool,
    /// Names of languages by their ids.
    pub(super) languages: Vec<(u32, String)>,
    /// Banks.
    pub(super) banks: Vec<PackedFile>,
    /// Media, and media that the game names itself.
    pub(super) streams: Vec<PackedFile>,
}

/// A file in a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedFile {
    /// Its id. Of a file that the game names itself the low half: only that fits an id of a media.
    pub(super) id: u32,
    /// Offset in the package, in bytes.
    pub(super) at: u64,
    /// Bytes.
    pub(super) length: u64,
    /// Id of its language; 0 = none.
    pub(super) language: u32,
    /// Bytes of a block, at a multiple of which it begins; 0 = anywhere.
    pub(super) block: u32,
    /// Offset of the size in its row of the table; the start follows.
    pub(super) size_at: u64,
}

/// How often the bytes of a package may be listed as banks.
const MAX_LISTED: u64 = 4;

/// Bytes before the tables: tag, header size, version, four sizes.
const HEAD: u64 = 28;

impl FilePackage {
    /// Reads the tables of a package.
    ///
    /// # Errors
    /// If it is none, or its tables do not fit.
    pub(super) fn read(source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        let what = "Wwise package";
        let head = read_region(source, 0, source.len().min(HEAD), what, limits)?;
        let mut reader = Reader::new(&head, 0, what);
        if reader.bytes(4)? != b"AKPK" {
            return Err(Error::new(ErrorKind::NotThisFormat("no Wwise package"), 0, what));
        }
        let mut version = reader.clone();
        version.skip(4)?;
        // The version is 1: its bytes say in which order they are.
        let is_big_endian = version.clone().big_endian(true).u32()? < version.u32()?;
        let mut reader = reader.big_endian(is_big_endian);
        let header = u64::from(reader.u32()?);
        reader.skip(4)?;
        let [map, banks, streams] = [reader.u32()?, reader.u32()?, reader.u32()?].map(u64::from);
        let tables = map.saturating_add(banks).saturating_add(streams);
        let has_externals = tables.saturating_add(16) < header;
        let externals = if has_externals { u64::from(reader.u32()?) } else { 0 };
        let mut at = if has_externals { HEAD } else { HEAD.saturating_sub(4) };
        let mut table = |length: u64, limits: &mut Limits| -> Result<(Vec<u8>, u64), Error> {
            let start = at;
            let bytes = read_region(source, start, length, "Wwise package table", limits)?;
            at = at.saturating_add(length);
            Ok((bytes, start))
        };
        let mut package = Self { is_big_endian, ..Self::default() };
        let (bytes, start) = table(map, limits)?;
        package.languages =
            read_languages(&Reader::new(&bytes, start, "Wwise languages").big_endian(is_big_endian))?;
        let mut rows = |length, limits: &mut Limits| -> Result<Vec<PackedFile>, Error> {
            let (bytes, start) = table(length, limits)?;
            read_rows(
                &mut Reader::new(&bytes, start, "Wwise package table").big_endian(is_big_endian),
                limits,
            )
        };
        package.banks = rows(banks, limits)?;
        let banks_end = package.banks.iter().fold(0_u64, |sum, bank| sum.saturating_add(bank.length));
        // Banks may be listed once for each of a few languages; more would be read over and over.
        if banks_end > source.len().saturating_mul(MAX_LISTED) {
            return Err(Error::new(ErrorKind::Malformed("lists more banks than it holds"), HEAD, what));
        }
        package.streams = rows(streams, limits)?;
        package.streams.extend(rows(externals, limits)?);
        Ok(package)
    }

    /// Returns the name of a language; none of sound effects.
    pub(super) fn language(&self, id: u32) -> Option<&str> {
        let (_, name) = self.languages.iter().find(|(of, _)| *of == id)?;
        (!name.eq_ignore_ascii_case("sfx")).then_some(name)
    }
}

/// More languages than any game has; the rest of a map is not looked at.
const MAX_LANGUAGES: usize = 256;

fn read_languages(map: &Reader<'_>) -> Result<Vec<(u32, String)>, Error> {
    if map.rest().is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = map.clone();
    let count = reader.count(8)?.min(MAX_LANGUAGES);
    let mut languages = Vec::with_capacity(count);
    for _ in 0..count {
        let offset = usize::try_from(reader.u32()?).unwrap_or(usize::MAX);
        let id = reader.u32()?;
        let mut text = map.clone();
        let name = text.skip(offset).map(|()| read_text(&text)).unwrap_or_default();
        languages.push((id, name));
    }
    Ok(languages)
}

/// Reads a name in UTF-16 or with 8 bits a character, up to its zero.
fn read_text(reader: &Reader<'_>) -> String {
    const LONGEST: usize = 64;
    let mut units = reader.clone();
    // The second byte of UTF-16 in Latin letters is zero.
    let is_wide = matches!(reader.rest(), [first, second, ..] if (*first == 0) != (*second == 0));
    let mut name = String::new();
    for _ in 0..LONGEST {
        let unit = if is_wide { units.u16() } else { units.u8().map(u16::from) };
        match unit {
            Ok(unit) if unit != 0 => {
                name.push(char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => break,
        }
    }
    name
}

fn read_rows(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<Vec<PackedFile>, Error> {
    if reader.rest().is_empty() {
        return Ok(Vec::new());
    }
    let count = reader.count(20)?;
    // Ids of externals take eight bytes: the size of the table tells.
    let is_wide = reader.rest().len().checked_div(24).is_some_and(|rows| rows >= count)
        && reader.rest().len() != count.saturating_mul(20);
    limits
        .take(count.saturating_mul(size_of::<PackedFile>()) as u64, reader.at(), "Wwise package table")
        .map_err(|error| reader.error(ErrorKind::OverLimit(error)))?;
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        let id = if is_wide {
            u32::try_from(reader.u64()? & u64::from(u32::MAX)).unwrap_or_default()
        } else {
            reader.u32()?
        };
        let block = reader.u32()?;
        let size_at = reader.at();
        let length = u64::from(reader.u32()?);
        let start = u64::from(reader.u32()?);
        let language = reader.u32()?;
        // Starts count bytes where there are no blocks.
        let at = start.saturating_mul(block.max(1).into());
        rows.push(PackedFile { id, at, length, language, block, size_at });
    }
    Ok(rows)
}
