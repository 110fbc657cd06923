//! Data that objects of Unreal Engine 4 to 6 have beside themselves: where it lies, in its several forms.
//!
//! ```text
//! object   … │ number of a row │ …            from 5.2 on
//! row      offset │ size │ flags ──► after the object · the end of the package · .ubulk · .uptnl · .m.ubulk
//! ```
//!
//! Source: *packages-ue4-ue6*, §6.3 and §8: rows of Unreal Engine 5.8 measured, the rest described.

use serde::{Deserialize, Serialize};

use crate::base::document;
use crate::base::error::Error;
use crate::base::fields::Fields;
use crate::base::object_ref::ObjectRef;
use crate::base::reader::Reader;
use crate::base::writer::{ByteWriter, WriteError, narrow};

const FLAG_AT_END: u32 = 0x1;
pub(crate) const FLAG_ZLIB: u32 = 0x2;
const FLAG_SEPARATE: u32 = 0x100;
const FLAG_OPTIONAL: u32 = 0x800;
const FLAG_MEMORY_MAPPED: u32 = 0x1000;
/// Numbers of bytes have eight bytes.
pub(crate) const FLAG_LARGE: u32 = 0x2000;
/// A copy of it lies elsewhere.
const FLAG_DUPLICATE: u32 = 0x4000;
/// Two bytes follow that mean nothing.
const FLAG_BAD_VERSION: u32 = 0x8000;
/// Its place counts from the beginning of its file.
const FLAG_NO_OFFSET: u32 = 0x1_0000;

/// File that holds bulk data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BulkFile {
    /// The package, right after the object's reference to the data.
    Inline,
    /// The package, after all objects.
    EndOfPackage,
    /// `.ubulk`.
    Bulk,
    /// `.uptnl`, which need not be installed.
    Optional,
    /// `.m.ubulk`, which the engine maps into memory.
    MemoryMapped,
}

/// Location of bulk data, as a package states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BulkEntry {
    /// In which file.
    pub place: BulkFile,
    /// Offset in that file; of inline data from the first object on.
    pub offset: u64,
    /// Bytes that it has.
    pub size: u64,
    /// Flags (Epic: `EBulkDataFlags`).
    pub flags: u32,
    /// Details that readers of data do not need.
    pub details: BulkDetails,
}

/// Details of bulk data that readers of it do not need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BulkDetails {
    /// Offset of a copy; all ones if there is none (Epic: `DuplicateSerialOffset`).
    #[serde(with = "document::hex64")]
    pub duplicate: u64,
    /// Index of the file among those of its kind (Epic: `CookedIndex`).
    pub file: u8,
    /// Flags of loading (Epic: `EObjectDataResourceFlags`); only in files.
    pub loading: u32,
    /// Uncompressed size in bytes; only in files.
    pub uncompressed: u64,
    /// Object that owns the data; only in files.
    pub owner: ObjectRef,
}

impl BulkDetails {
    /// Nothing.
    const NONE: Self =
        Self { duplicate: u64::MAX, file: 0, loading: 0, uncompressed: 0, owner: ObjectRef::None };
}

impl BulkEntry {
    /// Returns whether what its package adds to such places is to be added to where it begins.
    #[must_use]
    pub const fn is_relative(&self) -> bool {
        self.flags & FLAG_NO_OFFSET == 0
    }

    /// Goes through a row of a bulk map.
    pub(crate) fn fields<F: Fields>(&mut self, fields: &mut F) -> Result<(), F::Error> {
        fields.u64(&mut self.offset)?;
        fields.u64(&mut self.details.duplicate)?;
        fields.u64(&mut self.size)?;
        fields.u32(&mut self.flags)?;
        fields.u8(&mut self.details.file)?;
        fields.bytes(&mut [0; 3])?;
        self.place = BulkFile::of(self.flags);
        Ok(())
    }

    /// Creates an entry; its flags decide the file.
    #[must_use]
    pub const fn new(flags: u32, offset: u64, size: u64) -> Self {
        Self { place: BulkFile::of(flags), offset, size, flags, details: BulkDetails::NONE }
    }

    /// Reads where data lies as objects said it themselves before 5.2.
    pub(crate) fn read_here(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let flags = reader.u32()?;
        let is_large = flags & FLAG_LARGE != 0;
        let number = |reader: &mut Reader<'_>| -> Result<u64, Error> {
            if is_large { reader.u64() } else { reader.u32().map(u64::from) }
        };
        let (_elements, size) = (number(reader)?, number(reader)?);
        let offset = reader.u64()?;
        if flags & FLAG_BAD_VERSION != 0 {
            reader.skip(2)?;
        }
        if flags & FLAG_DUPLICATE != 0 {
            reader.skip(4)?;
            number(reader)?;
            reader.skip(8)?;
        }
        Ok(Self::new(flags, offset, size))
    }

    /// Writes where data lies, as [`BulkEntry::read_here`] reads it: without a copy.
    ///
    /// # Errors
    /// If there is more data than its flags let it state.
    pub(crate) fn write_here(&self, to: &mut ByteWriter) -> Result<(), WriteError> {
        to.u32(self.flags & !(FLAG_DUPLICATE | FLAG_BAD_VERSION));
        // Elements of one byte, and bytes.
        for number in [self.size, self.size] {
            if self.flags & FLAG_LARGE != 0 {
                to.u64(number);
            } else {
                to.u32(narrow("bytes of data", number)?);
            }
        }
        to.u64(self.offset);
        Ok(())
    }

    /// Returns how many bytes [`BulkEntry::write_here`] writes.
    pub(crate) const fn written_len(&self) -> u64 {
        if self.flags & FLAG_LARGE != 0 { 28 } else { 20 }
    }

    /// Returns the entry of data that is not compressed.
    pub(crate) const fn plain(self) -> Self {
        Self { flags: self.flags & !FLAG_ZLIB, ..self }
    }

    /// Returns the entry with a place that counts from the beginning of its file.
    pub(crate) const fn absolute(self) -> Self {
        Self { flags: self.flags | FLAG_NO_OFFSET, ..self }
    }
}

impl Default for BulkEntry {
    fn default() -> Self {
        Self::new(0, 0, 0)
    }
}

impl BulkFile {
    pub(crate) const fn of(flags: u32) -> Self {
        match flags {
            flags if flags & FLAG_OPTIONAL != 0 => Self::Optional,
            flags if flags & FLAG_MEMORY_MAPPED != 0 => Self::MemoryMapped,
            flags if flags & FLAG_SEPARATE != 0 => Self::Bulk,
            flags if flags & FLAG_AT_END != 0 => Self::EndOfPackage,
            _ => Self::Inline,
        }
    }

    /// Returns the extension of the file in which data lies.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Inline | Self::EndOfPackage => "uexp",
            Self::Bulk => "ubulk",
            Self::Optional => "uptnl",
            Self::MemoryMapped => "m.ubulk",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::source::{Memory, Source as _};

    #[test]
    fn what_objects_say_of_data_is_read_as_it_was_written() {
        for flags in [0x48, 0x2040, 0x10501, 0xE501] {
            let entry = BulkEntry::new(flags, 0x1234_5678_9ABC, 77);
            let mut writer = ByteWriter::default();
            entry.write_here(&mut writer).unwrap();
            let bytes = Memory(writer.into_bytes());
            assert_eq!(bytes.len(), entry.written_len(), "{flags:x}");
            let mut reader = Reader::new(&bytes, "data", 0, bytes.len());
            let read = BulkEntry::read_here(&mut reader).unwrap();
            assert_eq!((read.offset, read.size, reader.left()), (0x1234_5678_9ABC, 77, 0), "{flags:x}");
            assert_eq!(read.flags, flags & !0xC000, "{flags:x}");
        }
        let large = BulkEntry::new(0x40, 0, 1 << 40);
        assert!(large.write_here(&mut ByteWriter::default()).is_err());
        assert!(BulkEntry::new(0x2040, 0, 1 << 40).write_here(&mut ByteWriter::default()).is_ok());
    }
}
