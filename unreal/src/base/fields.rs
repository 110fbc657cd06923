//! Structures that are read and written alike: what goes through their fields once does both.
//!
//! ```text
//! fn row(fields: &mut impl Fields, row: &mut Row) { fields.u32(&mut row.size)?; fields.name(&mut row.name) }
//! FieldReader ──► fills the row      FieldWriter ──► bytes of the row
//! ```

use std::collections::HashMap;

use super::error::Error;
use super::limits::{Limits, MAX_PATH};
use super::names::{Names, without_number};
use super::object_ref::ObjectRef;
use super::reader::Reader;
use super::writer::{ByteWriter, StringCoding, WriteError};

/// The fields of a structure, one after the other.
pub(crate) trait Fields {
    /// Why it goes no further.
    type Error;

    fn u8(&mut self, value: &mut u8) -> Result<(), Self::Error>;
    fn u16(&mut self, value: &mut u16) -> Result<(), Self::Error>;
    fn u32(&mut self, value: &mut u32) -> Result<(), Self::Error>;
    fn u64(&mut self, value: &mut u64) -> Result<(), Self::Error>;
    fn bytes<const N: usize>(&mut self, value: &mut [u8; N]) -> Result<(), Self::Error>;
    /// A string (Epic: `FString`).
    fn string(&mut self, value: &mut String) -> Result<(), Self::Error>;
    /// A reference to a name (Epic: `FName`).
    fn name(&mut self, value: &mut String) -> Result<(), Self::Error>;
    /// So many rows, each of so many bytes at least.
    fn rows<T: Default>(
        &mut self,
        count: u32,
        min_size: u64,
        rows: &mut Vec<T>,
        each: impl FnMut(&mut Self, &mut T) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;

    /// How many rows there are, and these.
    fn list<T: Default>(
        &mut self,
        min_size: u64,
        rows: &mut Vec<T>,
        each: impl FnMut(&mut Self, &mut T) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error> {
        // No more than that many can be written, and reading fills in the number.
        let mut count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        self.u32(&mut count)?;
        self.rows(count, min_size, rows, each)
    }

    fn i32(&mut self, value: &mut i32) -> Result<(), Self::Error> {
        let mut bits = value.cast_unsigned();
        self.u32(&mut bits)?;
        *value = bits.cast_signed();
        Ok(())
    }

    /// A reference to an object (Epic: `FPackageIndex`).
    fn object(&mut self, value: &mut ObjectRef) -> Result<(), Self::Error> {
        let mut number = value.number();
        self.i32(&mut number)?;
        *value = ObjectRef::from_number(number);
        Ok(())
    }

    /// Reads or writes a `u32` if the format has it.
    fn u32_if(&mut self, is_there: bool, value: &mut u32) -> Result<(), Self::Error> {
        if is_there { self.u32(value) } else { Ok(()) }
    }

    /// A number of 64 bits, or of 32 where the format has those.
    fn long(&mut self, is_large: bool, value: &mut u64) -> Result<(), Self::Error>;
}

/// Fields that are read.
pub(crate) struct FieldReader<'f, 's> {
    pub(crate) reader: &'f mut Reader<'s>,
    pub(crate) limits: &'f mut Limits,
    /// What references to names refer to.
    pub(crate) names: &'f Names,
    pub(crate) what: &'static str,
}

impl FieldReader<'_, '_> {
    /// Reads bytes that are kept as they are.
    ///
    /// # Errors
    /// If they end early, or are more than the limits allow.
    pub(crate) fn plain(&mut self, from: u64, to: u64) -> Result<Vec<u8>, Error> {
        self.reader.seek(from);
        let length = to.saturating_sub(from);
        if length > self.reader.left() {
            self.reader.skip(length)?;
        }
        self.limits.take(length, from, self.what)?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.reader.bytes(length).map(<[u8]>::to_vec)
    }
}

impl Fields for FieldReader<'_, '_> {
    type Error = Error;

    fn u8(&mut self, value: &mut u8) -> Result<(), Error> {
        *value = self.reader.u8()?;
        Ok(())
    }

    fn u16(&mut self, value: &mut u16) -> Result<(), Error> {
        *value = self.reader.u16()?;
        Ok(())
    }

    fn u32(&mut self, value: &mut u32) -> Result<(), Error> {
        *value = self.reader.u32()?;
        Ok(())
    }

    fn u64(&mut self, value: &mut u64) -> Result<(), Error> {
        *value = self.reader.u64()?;
        Ok(())
    }

    fn bytes<const N: usize>(&mut self, value: &mut [u8; N]) -> Result<(), Error> {
        *value = self.reader.array()?;
        Ok(())
    }

    fn string(&mut self, value: &mut String) -> Result<(), Error> {
        *value = self.reader.string(MAX_PATH, self.limits)?;
        Ok(())
    }

    fn name(&mut self, value: &mut String) -> Result<(), Error> {
        let at = self.reader.at();
        *value = self.names.read_ref(self.reader)?;
        self.limits.take(value.len() as u64, at, self.what)
    }

    fn list<T: Default>(
        &mut self,
        min_size: u64,
        rows: &mut Vec<T>,
        each: impl FnMut(&mut Self, &mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // A number that lies is named by its own place.
        let at = self.reader.at();
        let count = self.reader.u32()?;
        self.reader.fitting(count, min_size, at)?;
        self.rows(count, min_size, rows, each)
    }

    fn rows<T: Default>(
        &mut self,
        count: u32,
        min_size: u64,
        rows: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let at = self.reader.at();
        let count = self.reader.fitting(count, min_size, at)?;
        self.limits.take_table::<T>(count, at, self.what)?;
        rows.clear();
        rows.reserve_exact(count);
        for _ in 0..count {
            let mut row = T::default();
            each(self, &mut row)?;
            rows.push(row);
        }
        Ok(())
    }

    fn long(&mut self, is_large: bool, value: &mut u64) -> Result<(), Error> {
        *value = if is_large { self.reader.u64()? } else { self.reader.u32()?.into() };
        Ok(())
    }
}

/// Reads a structure without names and lists by a walk through its fields.
///
/// # Errors
/// As the walk.
pub(crate) fn read_plain<T: Default>(
    reader: &mut Reader<'_>,
    what: &'static str,
    walk: impl FnOnce(&mut T, &mut FieldReader<'_, '_>) -> Result<(), Error>,
) -> Result<T, Error> {
    let (mut limits, names, mut value) = (Limits::default(), Names::default(), T::default());
    walk(&mut value, &mut FieldReader { reader, limits: &mut limits, names: &names, what })?;
    Ok(value)
}

/// Writes a structure without names by a walk through its fields.
///
/// # Errors
/// As the walk.
pub(crate) fn write_plain(
    writer: &mut ByteWriter,
    walk: impl FnOnce(&mut FieldWriter<'_>) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut fields = FieldWriter { writer: std::mem::take(writer), ..FieldWriter::default() };
    let walked = walk(&mut fields);
    *writer = fields.writer;
    walked
}

/// Names, and the index of each in its table.
#[derive(Debug, Default)]
pub(crate) struct NameIndices<'n>(HashMap<&'n str, u32>);

impl<'n> NameIndices<'n> {
    pub(crate) fn new(names: impl Iterator<Item = &'n str>) -> Self {
        let mut indices = HashMap::new();
        for (index, name) in (0_u32..).zip(names) {
            indices.entry(name).or_insert(index);
        }
        Self(indices)
    }

    /// Returns the index of a name, and its number.
    ///
    /// # Errors
    /// [`WriteError::Name`] if it is not in the table.
    pub(crate) fn reference(&self, name: &str) -> Result<[u32; 2], WriteError> {
        let (text, number) = without_number(name);
        let whole = || self.0.get(name).map(|index| [*index, 0]);
        let split = self.0.get(text).map(|index| [*index, number]);
        split.or_else(whole).ok_or_else(|| WriteError::Name(name.to_owned()))
    }
}

/// Fields that are written.
#[derive(Debug, Default)]
pub(crate) struct FieldWriter<'f> {
    pub(crate) writer: ByteWriter,
    /// What references to names refer to.
    pub(crate) names: NameIndices<'f>,
}

impl Fields for FieldWriter<'_> {
    type Error = WriteError;

    fn u8(&mut self, value: &mut u8) -> Result<(), WriteError> {
        self.writer.u8(*value);
        Ok(())
    }

    fn u16(&mut self, value: &mut u16) -> Result<(), WriteError> {
        self.writer.u16(*value);
        Ok(())
    }

    fn u32(&mut self, value: &mut u32) -> Result<(), WriteError> {
        self.writer.u32(*value);
        Ok(())
    }

    fn u64(&mut self, value: &mut u64) -> Result<(), WriteError> {
        self.writer.u64(*value);
        Ok(())
    }

    fn bytes<const N: usize>(&mut self, value: &mut [u8; N]) -> Result<(), WriteError> {
        self.writer.bytes(&value[..]);
        Ok(())
    }

    fn string(&mut self, value: &mut String) -> Result<(), WriteError> {
        if value.is_empty() {
            // Without the zero at its end, as the engine writes them.
            self.writer.u32(0);
            return Ok(());
        }
        self.writer.string(value, StringCoding::Utf16)
    }

    fn name(&mut self, value: &mut String) -> Result<(), WriteError> {
        let [index, number] = self.names.reference(value)?;
        self.writer.u32(index);
        self.writer.u32(number);
        Ok(())
    }

    fn rows<T: Default>(
        &mut self,
        _count: u32,
        _min_size: u64,
        rows: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        rows.iter_mut().try_for_each(|row| each(self, row))
    }

    fn long(&mut self, is_large: bool, value: &mut u64) -> Result<(), WriteError> {
        if is_large {
            self.writer.u64(*value);
            Ok(())
        } else {
            self.writer.u32(super::writer::narrow("a place or size", *value)?);
            Ok(())
        }
    }
}
