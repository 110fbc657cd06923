//! Data that objects of Unreal Engine 4 to 6 have beside themselves: where it lies, in its several forms.
//!
//! ```text
//! object   … │ number of a row │ …            from 5.2 on
//! row      offset │ size │ flags ──► after the object · the end of the package · .ubulk · .uptnl · .m.ubulk
//! ```
//!
//! Source: *packages-ue4-ue6*, §6.3 and §8: rows of Unreal Engine 5.8 measured, the rest described.

use crate::error::Error;
use crate::reader::Reader;

const FLAG_AT_END: u32 = 0x1;
const FLAG_SEPARATE: u32 = 0x100;
const FLAG_OPTIONAL: u32 = 0x800;
const FLAG_MEMORY_MAPPED: u32 = 0x1000;
/// Its place counts from the beginning of its file.
const FLAG_NO_OFFSET: u32 = 0x1_0000;

/// Where data lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BulkPlace {
    /// Right after what refers to it.
    Inline,
    /// At the end of the package.
    EndOfPackage,
    /// In the file of bulk data.
    Bulk,
    /// In that which need not be there.
    Optional,
    /// In that which is mapped into memory.
    MemoryMapped,
}

/// Where some data lies, as a package says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BulkEntry {
    /// In which file.
    pub place: BulkPlace,
    /// Where it begins there; inline data counts from the first object on.
    pub offset: u64,
    /// Bytes that it has.
    pub size: u64,
    /// What else is said of it.
    pub flags: u32,
}

impl BulkEntry {
    /// Returns whether what its package adds to such places is to be added to where it begins.
    #[must_use]
    pub const fn is_relative(&self) -> bool {
        self.flags & FLAG_NO_OFFSET == 0
    }

    /// Reads a row of a bulk map.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let (offset, _duplicate, size, flags) = (reader.u64()?, reader.u64()?, reader.u64()?, reader.u32()?);
        // Which of several files, and fillers.
        reader.skip(4)?;
        Ok(Self::new(flags, offset, size))
    }

    /// Creates an entry.
    pub(crate) const fn new(flags: u32, offset: u64, size: u64) -> Self {
        Self { place: BulkPlace::of(flags), offset, size, flags }
    }

    /// Reads where data lies as objects said it themselves before 5.2.
    pub(crate) fn read_here(reader: &mut Reader<'_>) -> Result<Self, Error> {
        const FLAG_LARGE: u32 = 0x2000;
        const FLAG_DUPLICATE: u32 = 0x4000;
        const FLAG_BAD_VERSION: u32 = 0x8000;
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
}

impl BulkPlace {
    const fn of(flags: u32) -> Self {
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
