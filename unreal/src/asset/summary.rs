//! The head of a package: what it is called, and where its tables lie.

use super::version::{AssetLayout, AssetVersion, CustomVersions, HeadForm, Identity};
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::package::probe::TAG;
use crate::reader::Reader;

/// A package without what only the editor needs.
const FLAG_FILTERED: u32 = 0x8000_0000;
/// A package whose properties have no tags.
const FLAG_UNVERSIONED: u32 = 0x2000;

/// A table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) count: u32,
    pub(super) at: u64,
}

/// The head of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetSummary {
    /// The version that it states; none in most games, whose version follows from the tables.
    pub stated: Option<AssetVersion>,
    /// The folder that it states, or its own path; `None` in many.
    pub folder: String,
    /// Its flags.
    pub flags: u32,
    /// How long the header is; what follows it may lie in a file of its own.
    pub header_size: u64,
    /// Where the data begins that lies after the objects.
    pub bulk_at: u64,
    /// Where the head ends.
    pub(super) end: u64,
    pub(super) names: Table,
    pub(super) imports: Table,
    pub(super) exports: Table,
    pub(super) soft_paths: Table,
    pub(super) data_resources: Option<u64>,
    /// Where other tables begin.
    others: Vec<u64>,
}

/// The numbers that a package begins with.
pub(super) struct Head {
    /// The first, which is below zero.
    pub(super) number: i32,
    pub(super) form: HeadForm,
    pub(super) stated: Option<AssetVersion>,
    end: u64,
}

impl Head {
    /// Reads them.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        if reader.u32()? != TAG {
            return Err(reader.error(0, Malformed::NoFormFits));
        }
        let number = reader.i32()?;
        let form = HeadForm::of(number).ok_or_else(|| reader.error(4, Malformed::NoFormFits))?;
        if form.has_engine_3 {
            reader.skip(4)?;
        }
        let engine_4 = reader.u32()?;
        let engine_5 = if form.has_engine_5 { reader.u32()? } else { 0 };
        // The licensee's own.
        reader.skip(4)?;
        Ok(Self { number, form, stated: AssetVersion::new(engine_4, engine_5), end: reader.at() })
    }
}

impl AssetSummary {
    /// Reads what follows the head, as a layout has it.
    ///
    /// # Errors
    /// If it ends early or contradicts itself, or takes more than the limits allow.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        head: &Head,
        layout: &AssetLayout,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        reader.seek(head.end);
        let mut header_size = 0;
        if layout.identity == Identity::SavedHash {
            reader.skip(20)?;
            header_size = reader.u32()?;
        }
        skip_custom_versions(reader, head.form.custom_versions, limits)?;
        if layout.identity == Identity::Guid {
            header_size = reader.u32()?;
        }
        let folder = reader.string(limits)?;
        let flags = reader.u32()?;
        let is_filtered = flags & FLAG_FILTERED != 0;
        let mut others = Vec::new();
        let names = table(reader)?;
        let soft_paths = if layout.soft_objects { table(reader)? } else { Table::default() };
        others.push(soft_paths.at);
        if layout.localization && !is_filtered {
            reader.string(limits)?;
        }
        if layout.gatherable_text {
            others.push(table(reader)?.at);
        }
        let (exports, imports) = (table(reader)?, table(reader)?);
        if layout.cells {
            others.extend([table(reader)?.at, table(reader)?.at]);
        }
        if layout.metadata {
            others.push(reader.u32()?.into());
        }
        // What exports depend on.
        others.push(reader.u32()?.into());
        if layout.soft_packages {
            others.push(table(reader)?.at);
        }
        if layout.searchable_names {
            others.push(reader.u32()?.into());
        }
        let thumbnails = reader.u32()?.into();
        others.push(thumbnails);
        if layout.type_hierarchies {
            others.push(table(reader)?.at);
        }
        if layout.identity == Identity::Guid {
            reader.skip(16)?;
        }
        if !is_filtered {
            let guids = [layout.persistent_guid, layout.owner_guid];
            reader.skip(guids.into_iter().filter(|is_there| *is_there).map(|_| 16).sum())?;
        }
        // Generations: how many exports and names each had.
        let generations = reader.count(8)?;
        reader.skip((generations as u64).saturating_mul(8))?;
        for _ in 0..1_usize.saturating_add(layout.compatible_engine.into()) {
            // Which build of the engine saved it, and from which on it can be read.
            reader.skip(10)?;
            reader.string(limits)?;
        }
        let _compression = reader.u32()?;
        let chunks = reader.count(16)?;
        reader.skip((chunks as u64).saturating_mul(16))?;
        let _source = reader.u32()?;
        for _ in 0..reader.count(4)? {
            reader.string(limits)?;
        }
        if head.form.has_texture_allocations && reader.u32()? != 0 {
            return Err(reader.error(reader.at(), Malformed::NoFormFits));
        }
        others.push(reader.u32()?.into());
        let bulk_at = reader.u64()?;
        others.push(reader.u32()?.into());
        if layout.chunk_ids {
            let chunks = reader.count(4)?;
            reader.skip((chunks as u64).saturating_mul(4))?;
        } else {
            reader.skip(4)?;
        }
        if layout.preload {
            others.push(table(reader)?.at);
        }
        if layout.names_referenced {
            reader.skip(4)?;
        }
        if layout.payloads {
            others.push(reader.u64()?);
        }
        let data_resources = if layout.data_resources { u64::try_from(reader.i32()?).ok() } else { None };
        others.extend(data_resources);
        let header_size = header_size.into();
        others.push(header_size);
        let summary = Self {
            stated: head.stated,
            folder,
            flags,
            header_size,
            bulk_at,
            end: reader.at(),
            names,
            imports,
            exports,
            soft_paths,
            data_resources,
            others,
        };
        if summary.names.at < summary.end || summary.names.at > reader.end() {
            return Err(reader.error(summary.end, Malformed::NoFormFits));
        }
        Ok(summary)
    }

    /// Returns where the table begins that follows one.
    pub(super) fn next_table(&self, at: u64) -> u64 {
        let tables = [self.names.at, self.imports.at, self.exports.at];
        self.others.iter().copied().chain(tables).filter(|other| *other > at).min().unwrap_or(at)
    }

    /// Returns how many bytes a table has room for.
    pub(super) fn room_of(&self, at: u64) -> u64 {
        self.next_table(at).saturating_sub(at)
    }

    /// Returns whether what only the editor needs was left out.
    pub(super) const fn is_filtered(&self) -> bool {
        self.flags & FLAG_FILTERED != 0
    }

    /// Returns whether its properties have no tags, so that they cannot be read without mappings.
    #[must_use]
    pub const fn is_unversioned(&self) -> bool {
        self.flags & FLAG_UNVERSIONED != 0
    }
}

/// Reads how many rows a table has, and where it begins.
fn table(reader: &mut Reader<'_>) -> Result<Table, Error> {
    Ok(Table { count: reader.u32()?, at: reader.u32()?.into() })
}

fn skip_custom_versions(
    reader: &mut Reader<'_>,
    form: CustomVersions,
    limits: &mut Limits,
) -> Result<(), Error> {
    let row = match form {
        CustomVersions::Numbers => 8,
        CustomVersions::Named => 24,
        CustomVersions::Guids => 20,
    };
    let count = reader.count(row)?;
    if form != CustomVersions::Named {
        return reader.skip((count as u64).saturating_mul(row));
    }
    for _ in 0..count {
        reader.skip(20)?;
        reader.string(limits)?;
    }
    Ok(())
}
