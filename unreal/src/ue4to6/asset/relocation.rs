//! Tables of a header in which numbers say where something lies, counted from the beginning of the file: they follow
//! when what lies before them takes more bytes or fewer.
//!
//! ```text
//! thumbnails      count │ class, path, offset (32 bits) │ …    each image lies before the table
//! asset registry  offset (64 bits) │ count │ objects │ …       what depends on what lies after the objects
//! ```
//!
//! Source: own measurement: 147 packages of the editor of 4.0 to 5.6, 70 of them with that offset.

use serde::{Deserialize, Serialize};

use super::AssetTables;
use super::header_tables::TableKind;
use crate::base::document;
use crate::base::error::Error;
use crate::base::fields::{FieldReader, Fields};

/// The bytes of a table with offsets.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Relocatable {
    /// The table; its offsets count from where it begins.
    #[serde(with = "document::base64")]
    bytes: Vec<u8>,
    /// Where the offsets are in it.
    offsets: Vec<usize>,
    /// How many bytes each takes.
    width: OffsetWidth,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OffsetWidth {
    Four,
    Eight,
}

impl Relocatable {
    /// Reads the offsets of a table of a package; `fields` are those of its bytes. Returns none if the package has none
    /// in tables of that kind, or one leads out of the header.
    ///
    /// # Errors
    /// If the table ends early.
    pub(super) fn read(
        package: &AssetTables,
        kind: TableKind,
        raw: &[u8],
        fields: &mut FieldReader<'_, '_>,
    ) -> Result<Option<Self>, Error> {
        let table = package.summary.tables.get(kind);
        let (offsets, width) = match kind {
            TableKind::Thumbnails => (thumbnails(fields)?, OffsetWidth::Four),
            TableKind::AssetRegistry if package.has_dependency_offset() => (vec![0], OffsetWidth::Eight),
            _ => return Ok(None),
        };
        let mut read = Self { bytes: raw.to_vec(), offsets, width };
        let mut is_inside = true;
        read.move_offsets(|at| {
            is_inside &= (package.summary.end..=package.summary.header_size).contains(&at);
            at.wrapping_sub(table.at)
        });
        Ok(is_inside.then_some(read))
    }

    /// Returns the bytes of the table if it begins at `at`.
    pub(super) fn at(&self, at: u64) -> Vec<u8> {
        let mut moved = Self { bytes: self.bytes.clone(), offsets: self.offsets.clone(), width: self.width };
        moved.move_offsets(|offset| offset.wrapping_add(at));
        moved.bytes
    }

    fn move_offsets(&mut self, mut moved: impl FnMut(u64) -> u64) {
        for place in &self.offsets {
            let Some(rest) = self.bytes.get_mut(*place..) else { continue };
            match self.width {
                OffsetWidth::Four => {
                    let Some(number) = rest.first_chunk_mut() else { continue };
                    // Offsets before the table are below zero.
                    let new = moved(i64::from(i32::from_le_bytes(*number)).cast_unsigned());
                    if let Some(low) = new.to_le_bytes().first_chunk() {
                        *number = *low;
                    }
                }
                OffsetWidth::Eight => {
                    let Some(number) = rest.first_chunk_mut() else { continue };
                    *number = moved(u64::from_le_bytes(*number)).to_le_bytes();
                }
            }
        }
    }
}

/// Reads a table of thumbnails; returns where its offsets are.
fn thumbnails(fields: &mut FieldReader<'_, '_>) -> Result<Vec<usize>, Error> {
    let mut offsets: Vec<usize> = Vec::new();
    fields.list(12, &mut offsets, |fields, place| {
        let mut text = String::new();
        fields.string(&mut text)?;
        fields.string(&mut text)?;
        *place = usize::try_from(fields.reader.at()).unwrap_or(usize::MAX);
        fields.u32(&mut 0)
    })?;
    Ok(offsets)
}
