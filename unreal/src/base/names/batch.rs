//! Names that packages and containers refer to by their numbers.
//!
//! ```text
//! Unreal Engine 5   count │ bytes of text │ hash algorithm │ hashes │ heads │ text          a batch
//! 4.25 to 4.27      head │ text │ head │ filler │ UTF-16 │ …      and hashes elsewhere      a buffer
//! ```
//!
//! A head has two bytes, the high one first: whether the name is UTF-16, and how many units it has.
//!
//! Source: *packages-ue4-ue6*, §7: batches measured, buffers described.

use std::collections::HashMap;

use super::{MAX_NAME, Names, without_number};
use crate::base::error::{Error, Malformed};
use crate::base::hash;
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::text::push_utf_16;
use crate::base::writer::{ByteWriter, WriteError, narrow};

/// What stands before the hashes of names in Unreal Engine 5: `CityHash64`.
pub(crate) const HASH_ALGORITHM: u64 = 0xC164_0000;

/// The head of a name: it is UTF-16.
const WIDE: u16 = 0x8000;

impl Names {
    /// Reads a batch of Unreal Engine 5.
    ///
    /// # Errors
    /// If it ends early, contradicts itself, or takes more than the limits allow.
    pub(crate) fn read_batch(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<Self, Error> {
        let at = reader.at();
        // A hash and a head for each.
        let count = reader.count(10)?;
        if count == 0 {
            return Ok(Self::default());
        }
        let bytes = u64::from(reader.u32()?);
        reader.skip(8)?;
        reader.skip((count as u64).saturating_mul(8))?;
        limits.take_table::<(u16, Box<str>)>(count, at, "names")?;
        let mut heads = Vec::with_capacity(count);
        for _ in 0..count {
            heads.push(u16::from_be_bytes(reader.array()?));
        }
        let text_at = reader.at();
        let mut names = Vec::with_capacity(count);
        for head in heads {
            names.push(text(reader, head, limits)?);
        }
        let left = reader.at().saturating_sub(text_at);
        if left != bytes {
            return Err(reader.error(text_at, Malformed::EndsEarly { wanted: bytes, left }));
        }
        Ok(Self::new(names))
    }

    /// Reads so many names of a buffer.
    ///
    /// # Errors
    /// As [`Names::read_batch`].
    pub(crate) fn read_buffer(
        reader: &mut Reader<'_>,
        count: u32,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let begin = reader.at();
        let count = reader.fitting(count, 2, begin)?;
        limits.take_table::<Box<str>>(count, begin, "names")?;
        let mut names = Vec::with_capacity(count);
        for _ in 0..count {
            let head = u16::from_be_bytes(reader.array()?);
            if head & WIDE != 0 {
                reader.skip(reader.at().saturating_sub(begin) & 1)?;
            }
            names.push(text(reader, head, limits)?);
        }
        Ok(Self::new(names))
    }
}

/// Names of a batch that is put together.
#[derive(Debug, Default)]
pub(crate) struct NameBatch {
    names: Vec<Box<str>>,
    places: HashMap<String, u32>,
}

impl NameBatch {
    /// Returns the reference to a name: its place, and its number. It is added unless it is there.
    pub(crate) fn reference(&mut self, name: &str) -> Result<[u32; 2], WriteError> {
        let (text, number) = without_number(name);
        let place = match self.places.get(text) {
            Some(place) => *place,
            None => {
                let place = narrow("names", self.names.len() as u64)?;
                self.names.push(text.into());
                self.places.insert(text.to_owned(), place);
                place
            }
        };
        Ok([place, number])
    }

    /// Writes the batch, as [`Names::read_batch`] reads it.
    ///
    /// # Errors
    /// As [`write_batch`].
    pub(crate) fn write(&self, writer: &mut ByteWriter) -> Result<(), WriteError> {
        write_batch(&self.names, writer)
    }
}

/// Writes names as a batch, as [`Names::read_batch`] reads it.
///
/// # Errors
/// If a name is longer than its head can state.
pub(crate) fn write_batch(names: &[Box<str>], writer: &mut ByteWriter) -> Result<(), WriteError> {
    const UNITS: &str = "characters of a name";
    writer.count("names", names.len())?;
    if names.is_empty() {
        return Ok(());
    }
    let mut texts = Vec::with_capacity(names.len());
    for name in names {
        let is_wide = !name.is_ascii();
        let bytes: Vec<u8> = match is_wide {
            true => name.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            false => name.as_bytes().to_vec(),
        };
        let units = if is_wide { bytes.len().div_euclid(2) } else { bytes.len() };
        let most = !WIDE;
        let too_large = WriteError::TooLarge { what: UNITS, value: units as u64, most: most.into() };
        let units = u16::try_from(units).ok().filter(|units| *units <= most).ok_or(too_large)?;
        texts.push((if is_wide { units | WIDE } else { units }, bytes));
    }
    let total = texts.iter().map(|(_, bytes)| bytes.len() as u64).fold(0, u64::saturating_add);
    writer.u32(narrow("bytes of names", total)?);
    writer.u64(HASH_ALGORITHM);
    names.iter().for_each(|name| writer.u64(hash::name(name)));
    texts.iter().for_each(|(head, _)| writer.bytes(&head.to_be_bytes()));
    texts.iter().for_each(|(_, bytes)| writer.bytes(bytes));
    Ok(())
}

/// Reads the text of a name.
fn text(reader: &mut Reader<'_>, head: u16, limits: &mut Limits) -> Result<Box<str>, Error> {
    let units = usize::from(head & !WIDE);
    if units > MAX_NAME {
        return Err(reader.error(reader.at(), Malformed::TooLong { characters: MAX_NAME }));
    }
    let length = if head & WIDE == 0 { units } else { units.saturating_mul(2) };
    limits.take((length as u64).saturating_mul(3), reader.at(), "names")?;
    let order = reader.order();
    let bytes = reader.bytes(length)?;
    if head & WIDE == 0 {
        return Ok(String::from_utf8_lossy(bytes).into());
    }
    let mut name = String::new();
    push_utf_16(&mut name, bytes, order);
    Ok(name.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::source::{Memory, Source as _};

    #[test]
    fn a_name_has_up_to_1023_units() {
        for wide in [0, WIDE] {
            let read = |units: u16| {
                let mut bytes = (units | wide).to_be_bytes().to_vec();
                bytes.extend(b"a\0".repeat(units.into()));
                let source = Memory(bytes);
                let mut reader = Reader::new(&source, "names", 0, source.len());
                Names::read_buffer(&mut reader, 1, &mut Limits::default()).map(|_| reader.at())
            };
            assert_eq!(read(1023).unwrap(), if wide == 0 { 1025 } else { 2048 });
            for units in [1024, 1025, 0x7FFF] {
                let error = read(units).unwrap_err().to_string();
                assert!(error.contains("longer than 1023 characters"), "{units}: {error}");
            }
        }
    }
}
