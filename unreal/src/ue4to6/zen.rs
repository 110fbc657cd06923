//! Packages of Unreal Engine 4.26 and later as they stand in `IoStore` containers: cooked, without names of what they
//! refer to.
//!
//! ```text
//! head │ names │ bulk map │ hashes │ imports │ exports │ bundles │ … │ objects
//!                                                  │                    ▲
//!                                                  └────────────────────┘
//! ```
//!
//! Source: *packages-ue4-ue6*, §6: Unreal Engine 5.8 measured, the others described.

mod bulk_map;
mod exports;
mod glance;
mod header;
mod imports;
mod script_objects;
mod stated_versions;
mod summary;
mod version;

use super::bulk::BulkEntry;
use crate::base::error::{Error, ErrorKind};
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::package_tag::TAG;
use crate::base::reader::Reader;
use crate::base::source::Source;
pub use exports::{ZenExport, ZenObject};
pub(crate) use glance::may_have_class;
pub use header::ZenHeader;
pub(crate) use header::{DependencyCounts, ZenRow};
use imports::ZenImports;
pub(crate) use imports::{import_number, name_of_number, number_of_name, parts as import_parts};
pub use script_objects::{ScriptNames, ScriptObject};
pub(crate) use stated_versions::ZenVersions;
pub use summary::ZenSummary;
pub(crate) use version::ZenFamily;
pub use version::ZenForm;

const WHAT: &str = "package of an IoStore container";

/// The tables of a package.
#[derive(Debug)]
pub struct ZenTables {
    summary: ZenSummary,
    names: Names,
    imports: ZenImports,
    exports: Vec<ZenExport>,
    bulk: Option<Vec<BulkEntry>>,
}

impl ZenTables {
    /// Reads the tables of a package.
    ///
    /// # Errors
    /// If they end early, contradict themselves, are of no known form, or take more than the limits allow.
    pub(crate) fn read(source: &dyn Source, family: ZenFamily, limits: &mut Limits) -> Result<Self, Error> {
        let mut reader = Reader::new(source, WHAT, 0, source.len());
        let reader = &mut reader;
        let (summary, names) = ZenSummary::read(reader, family, limits)?;
        let bulk = bulk_map::read(reader, &summary, limits)?;
        let imports = ZenImports::read(reader, &summary, limits)?;
        let exports = exports::read(reader, &summary, &names, limits)?;
        Ok(Self { summary, names, imports, exports, bulk })
    }

    /// Reads the tables of a package of Unreal Engine 5 that stands in a file of its own.
    ///
    /// # Errors
    /// If they end early, contradict themselves, are of no known form, or take more than the limits allow.
    pub fn parse(source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        Self::read(source, ZenFamily::Engine5, limits)
    }

    /// Reads the tables of a package that lies in a file as it lay in a container; none if it is another file. Nothing
    /// in it says what it is: its tables follow one another, and the objects fill the rest of the file.
    ///
    /// Source: *real-games*, §9: 663 of 663 files of 4.26; of 5.x those that this program writes.
    ///
    /// # Errors
    /// `Io`, and if the tables take more than the limits allow.
    pub fn recognise(source: &dyn Source, limits: &mut Limits) -> Result<Option<Self>, Error> {
        for family in [ZenFamily::Engine5, ZenFamily::Engine4] {
            let mut spent = limits.clone();
            match Self::read(source, family, &mut spent) {
                Ok(package) if package.fills(source) => {
                    *limits = spent;
                    return Ok(Some(package));
                }
                Err(error) if matches!(error.kind(), ErrorKind::OverLimit { .. } | ErrorKind::Io(_)) => {
                    return Err(error);
                }
                Ok(_) | Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Returns whether its objects fill what follows the header, and the tag after them if it has one.
    fn fills(&self, source: &dyn Source) -> bool {
        let objects = self.exports.iter().map(|export| export.size).fold(0, u64::saturating_add);
        let end = self.summary.header_size.saturating_add(objects);
        let has_tag = || {
            let mut tag = [0; 4];
            source.read_at(end, &mut tag).is_ok() && u32::from_le_bytes(tag) == TAG
        };
        !self.exports.is_empty()
            && (source.len() == end || source.len() == end.saturating_add(4) && has_tag())
    }

    /// Returns what its head says.
    #[must_use]
    pub const fn summary(&self) -> &ZenSummary {
        &self.summary
    }

    /// Returns its name: `/Game/Audio/SW_Steps`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.summary.name
    }

    /// Returns what it refers to in other packages and in the game's code.
    #[must_use]
    pub fn imports(&self) -> &[ZenObject] {
        &self.imports.objects
    }

    /// Returns the path of an object of another package that it refers to: `/Game/Audio/SW_Steps.SW_Steps`. None before
    /// 5.3, when packages have nothing but numbers for them.
    #[must_use]
    pub fn import_path(&self, number: u64) -> Option<String> {
        self.imports.path(number)
    }

    /// Returns the names of the packages that it needs; none before 5.3.
    #[must_use]
    pub fn imported_packages(&self) -> &[String] {
        self.imports.packages()
    }

    /// Returns its objects.
    #[must_use]
    pub fn exports(&self) -> &[ZenExport] {
        &self.exports
    }

    /// Returns where its data beside its objects lies; none in packages before 5.2, whose objects say that themselves.
    #[must_use]
    pub fn bulk(&self) -> Option<&[BulkEntry]> {
        self.bulk.as_deref()
    }

    /// Returns its names.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter()
    }

    pub(crate) const fn name_table(&self) -> &Names {
        &self.names
    }
}
