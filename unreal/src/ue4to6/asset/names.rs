//! Names of a package, each with two hashes from 4.12 on, which nothing needs.
//!
//! Source: the hashes: *packages-ue4-ue6*, §8, and 180 names of 5.8, measured.

use super::summary::AssetSummary;
use crate::base::error::Error;
use crate::base::hash::{crc_of_units, crc_of_upper_case};
use crate::base::limits::Limits;
use crate::base::names::{MAX_NAME, Names};
use crate::base::reader::Reader;
use crate::base::writer::{ByteWriter, StringCoding, WriteError};
use crate::ue4to6::version::AssetLayout;

/// Reads the names.
///
/// # Errors
/// If they end early, or take more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &AssetSummary,
    layout: &AssetLayout,
    limits: &mut Limits,
) -> Result<Names, Error> {
    let table = summary.names();
    reader.seek(table.at);
    let count = reader.fitting(table.count, 5, table.at)?;
    limits.take_table::<Box<str>>(count, table.at, "names")?;
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        names.push(reader.string(MAX_NAME, limits)?.into_boxed_str());
        if layout.name_hashes {
            reader.skip(4)?;
        }
    }
    Ok(Names::new(names))
}

/// Hashes of names in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameHashes {
    /// As the engine computes them.
    Engine,
    /// Zero, as some tools write them.
    Zero,
}

/// Writes the names, with their hashes.
///
/// # Errors
/// If one is longer than its length can state.
pub(super) fn write(
    names: &Names,
    hashes: NameHashes,
    layout: &AssetLayout,
    writer: &mut ByteWriter,
) -> Result<(), WriteError> {
    for name in names.iter() {
        writer.string(name, StringCoding::Utf16)?;
        if layout.name_hashes && hashes == NameHashes::Zero {
            writer.u32(0);
        } else if layout.name_hashes {
            // The lower halves of both.
            for hash in [crc_of_upper_case(name), crc_of_units(name)] {
                let [low, high, ..] = hash.to_le_bytes();
                writer.bytes(&[low, high]);
            }
        }
    }
    Ok(())
}
