//! What an object says of bulk data: itself, or by a row of a table from 5.2 on.

use crate::base::error::{Error, Malformed};
use crate::base::reader::Reader;
use crate::ue4to6::bulk::{BulkEntry, BulkFile};
use crate::ue4to6::package::AssetPackage;

/// A reference to bulk data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BulkRef {
    pub(crate) place: BulkFile,
    /// Offset in that file; of inline data in the package.
    pub(crate) offset: u64,
    /// Bytes of data.
    pub(crate) size: u64,
    pub(crate) flags: u32,
    /// The offset as it is stated.
    pub(crate) stated: u64,
    /// The row of the table, if there is one.
    pub(crate) row: Option<u32>,
}

impl BulkRef {
    /// Reads a reference, and skips the data if it is inline.
    ///
    /// # Errors
    /// If it ends early, the table has no such row, or places inline data elsewhere.
    pub(crate) fn read(package: &AssetPackage, reader: &mut Reader<'_>) -> Result<Self, Error> {
        let at = reader.at();
        let (row, entry) = match package.bulk() {
            Some(bulk) => {
                let number = reader.u32()?;
                let entry = usize::try_from(number).ok().and_then(|number| bulk.get(number));
                (Some(number), *entry.ok_or_else(|| reader.error(at, Malformed::NoSuchEntry(number.into())))?)
            }
            None => (None, BulkEntry::read_here(reader)?),
        };
        let mut offset = entry.offset;
        if entry.place == BulkFile::Inline {
            offset = reader.at();
            // A table says where that is as well.
            let stated = package.objects_at().saturating_add(entry.offset);
            if package.bulk().is_some() && stated != offset {
                return Err(reader.error(at, Malformed::BlockPlace));
            }
            reader.skip(entry.size)?;
        } else if entry.is_relative() {
            // What is in a file of its own was given a place before the beginning, so that this makes up for it.
            offset = offset.wrapping_add(package.bulk_at());
        }
        let BulkEntry { place, size, flags, offset: stated, .. } = entry;
        Ok(Self { place, offset, size, flags, stated, row })
    }
}
