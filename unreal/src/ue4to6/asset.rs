//! Packages of Unreal Engine 4 to 6 as files: a header with tables, and objects, as a rule in a file of their own.
//!
//! ```text
//! .uasset   head │ names │ imports │ exports │ …  │ data resources
//! .uexp                                  └──► object │ object │ … │ data
//! .ubulk    data                                  └──► data
//! ```
//!
//! Places of objects count through both files as if they were one.
//!
//! Source: *packages-ue4-ue6*, §8: packages of 5.8 measured, the others described.

mod data_resources;
mod exports;
mod header;
mod header_parts;
mod header_tables;
mod imports;
mod names;
mod payload;
mod relocation;
mod summary;
mod trailer;

use serde::{Deserialize, Serialize};

use super::bulk::BulkEntry;
use super::version::{AssetLayout, AssetVersion};
use crate::base::error::{Error, Malformed};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::names::{Names, read_soft_path};
use crate::base::object_ref::ObjectRef;
use crate::base::reader::Reader;
use crate::base::source::Source;
pub(crate) use data_resources::DataResources;
pub use exports::{AssetExport, PreloadCounts};
pub use header::{AssetHeader, ImportedObject};
pub(crate) use header::{HeaderSection, SectionContent};
pub use header_parts::{ExportDependencies, HeaderParts};
pub(crate) use header_tables::{HeaderTable, TableKind};
pub use imports::AssetImport;
pub use payload::StoredPayload;
pub(crate) use payload::stored_buffer;
pub(crate) use summary::VersionNumbers;
pub use summary::{AssetSummary, EngineBuild};
pub use trailer::{PackageTrailer, PayloadHash, TrailerRow};

const WHAT: &str = "package";

/// The tables of a package.
#[derive(Debug, Serialize, Deserialize)]
pub struct AssetTables {
    pub(crate) summary: AssetSummary,
    pub(crate) version: AssetVersion,
    pub(crate) names: Names,
    pub(crate) imports: Vec<AssetImport>,
    pub(crate) exports: Vec<AssetExport>,
    pub(crate) bulk: Option<DataResources>,
    pub(crate) soft_paths: Vec<String>,
    /// Whether every table ends where the next one begins.
    #[serde(skip)]
    is_exact: bool,
}

impl AssetTables {
    /// Reads the tables of a package from its header. `version` is what the user knows of one that states none.
    ///
    /// # Errors
    /// If they end early, contradict themselves, are of no known form, or take more than the limits allow.
    pub fn read(
        source: &dyn Source,
        version: Option<AssetVersion>,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let mut reader = Reader::new(source, WHAT, 0, source.len());
        let reader = &mut reader;
        let head = VersionNumbers::read(reader)?;
        if let Some(version) = head.stated().or(version) {
            let read = Self::read_as(reader, head, version, limits, &mut 0);
            return read.map_err(|error| error.within(read_as(head, version)));
        }
        // Of those that fit as much, the one whose error comes last.
        let mut nearest: Option<((u32, u64), Error)> = None;
        for version in AssetVersion::candidates(head.number) {
            // What was spent on a form that does not fit is there for the next.
            let (mut spent, mut fitting) = (limits.clone(), 0);
            let error = match Self::read_as(reader, head, version, &mut spent, &mut fitting) {
                Ok(package) if package.is_exact => {
                    *limits = spent;
                    return Ok(package);
                }
                Ok(_) => Error::malformed(Malformed::NoFormFits, 0, WHAT),
                Err(error) => error,
            };
            let fitting = (fitting, error.at());
            if nearest.as_ref().is_none_or(|(other, _)| fitting > *other) {
                nearest = Some((fitting, error.within(read_as(head, version))));
            }
        }
        Err(nearest.map_or_else(|| Error::malformed(Malformed::NoFormFits, 0, WHAT), |(_, error)| error))
    }

    /// Reads the tables as a version has them; `fitting` counts those that end where the next one begins.
    fn read_as(
        reader: &mut Reader<'_>,
        head: VersionNumbers,
        version: AssetVersion,
        limits: &mut Limits,
        fitting: &mut u32,
    ) -> Result<Self, Error> {
        let layout = AssetLayout::of(version);
        let summary = AssetSummary::read(reader, head, &layout, limits)?;
        let mut is_exact = true;
        let mut fits = |is_so: bool| {
            is_exact &= is_so;
            *fitting = fitting.saturating_add(u32::from(is_exact));
        };
        fits(summary.names().at == summary.end);
        let names = names::read(reader, &summary, &layout, limits)?;
        fits(reader.at() <= summary.next_table(summary.names().at));
        let imports = imports::read(reader, &summary, &layout, &names, limits)?;
        fits(imports.is_empty() || summary.ends_table(TableKind::Imports, reader.at()));
        let exports = exports::read(reader, &summary, &layout, &names, limits)?;
        fits(exports.is_empty() || summary.ends_table(TableKind::Exports, reader.at()));
        let bulk = data_resources::read(reader, &summary, &names, limits)?;
        let soft_paths = soft_paths(reader, &summary, &names, version, limits)?;
        Ok(Self { summary, version, names, imports, exports, bulk, soft_paths, is_exact })
    }

    /// Returns a package of such tables.
    pub(crate) const fn assembled(
        summary: AssetSummary,
        version: AssetVersion,
        names: Names,
        imports: Vec<AssetImport>,
        exports: Vec<AssetExport>,
        bulk: Option<DataResources>,
    ) -> Self {
        Self { summary, version, names, imports, exports, bulk, soft_paths: Vec::new(), is_exact: true }
    }

    /// Returns what its head says.
    #[must_use]
    pub const fn summary(&self) -> &AssetSummary {
        &self.summary
    }

    /// Returns the version that it was read as: the one it states, the one that was given, or the newest whose tables
    /// fit what is there.
    #[must_use]
    pub const fn version(&self) -> AssetVersion {
        self.version
    }

    /// Returns what it refers to in other packages and in the game's code.
    #[must_use]
    pub fn imports(&self) -> &[AssetImport] {
        &self.imports
    }

    /// Returns its objects.
    #[must_use]
    pub fn exports(&self) -> &[AssetExport] {
        &self.exports
    }

    /// Returns where its data beside its objects lies; none in packages before 5.2, whose objects say that themselves.
    #[must_use]
    pub fn bulk(&self) -> Option<&[BulkEntry]> {
        self.bulk.as_ref().map(|table| &table.entries[..])
    }

    /// Returns where its trailer begins (Epic: `PayloadTocOffset`); none if it has none.
    #[must_use]
    pub fn trailer_offset(&self) -> Option<u64> {
        let at = self.summary.tables.get(TableKind::Payloads).at;
        (at != 0 && at != u64::MAX).then_some(at)
    }

    /// Returns whether its registry of assets says where the dependencies of these lie.
    pub(crate) fn has_dependency_offset(&self) -> bool {
        !self.summary.is_filtered() && self.version.has_dependency_offset()
    }

    /// Returns its names.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter()
    }

    pub(crate) fn soft_paths(&self) -> &[String] {
        &self.soft_paths
    }

    pub(crate) const fn name_table(&self) -> &Names {
        &self.names
    }

    /// Returns the path of an object: of an import with the package that it lies in (`/Script/Engine.SoundWave`), of an
    /// export below the package (`Outer.Inner`). None if there is no such object, outers lead in a circle, or it is
    /// longer than paths are.
    #[must_use]
    pub fn path(&self, object: ObjectRef) -> Option<String> {
        let names = self.names_of(object)?;
        (!names.is_empty()).then(|| names.join("."))
    }

    /// Returns the names of an object and of what it lies in, the outermost first; none as [`AssetTables::path`] does.
    pub(crate) fn names_of(&self, object: ObjectRef) -> Option<Vec<&str>> {
        let (mut parts, mut length) = (Vec::new(), 0_usize);
        let mut next = object;
        while next != ObjectRef::None {
            if parts.len() == MAX_OUTERS || length > MAX_PATH {
                return None;
            }
            let (name, outer) = match next {
                ObjectRef::Import(index) => {
                    let import = self.imports.get(index.get())?;
                    (&import.name, import.outer)
                }
                ObjectRef::Export(index) => {
                    let export = self.exports.get(index.get())?;
                    (&export.name, export.outer)
                }
                ObjectRef::None => break,
            };
            parts.push(name.as_str());
            length = length.saturating_add(name.len());
            next = outer;
        }
        parts.reverse();
        Some(parts)
    }
}

/// Says which version a package was read as, and what it states.
fn read_as(head: VersionNumbers, version: AssetVersion) -> String {
    let stated = if head.stated().is_some() { "stated" } else { "assumed; the package states none" };
    format!(
        "read as a package of Unreal Engine {} (file version {version}, {stated}; legacy version {})",
        version.release(),
        head.number
    )
}

/// Reads the paths of objects that are not loaded with the package.
fn soft_paths(
    reader: &mut Reader<'_>,
    summary: &AssetSummary,
    names: &Names,
    version: AssetVersion,
    limits: &mut Limits,
) -> Result<Vec<String>, Error> {
    let table = summary.tables.get(TableKind::SoftPaths);
    reader.seek(table.at);
    let count = if table.count == 0 { 0 } else { reader.fitting(table.count, 12, table.at)? };
    limits.take_table::<String>(count, table.at, WHAT)?;
    (0..count).map(|_| read_soft_path(reader, names, version.has_split_paths(), limits)).collect()
}

/// Objects that may lie in one another.
const MAX_OUTERS: usize = 64;
