//! Packages of Unreal Engine 1 to 3: a summary that points to three tables, anywhere in the file and in any order.
//!
//! ```text
//! summary ─┬─ names     text and flags; everything refers to it
//!          ├─ imports   objects of other packages
//!          └─ exports   objects of this one ──► bodies: properties, then what the class has
//! ```

mod exports;
mod header;
mod imports;
pub(crate) mod lineage2;
pub(crate) mod name;
mod names;
pub(crate) mod options;
pub(crate) mod probe;
mod summary;
pub(crate) mod unpack;
pub(crate) mod write;

use std::borrow::Cow;

use super::version::infer::{self, Inference};
use super::version::{Identity, Layout};
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::object_ref::{ExportIndex, ObjectPath, ObjectRef};
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::base::unsupported::Unsupported;
pub use exports::{Export, ExportBody, ObjectFlags};
pub use header::{CookingLists, GuidTables, TextureAllocation};
pub use imports::Import;
use name::{NameIndex, NameRef};
pub(crate) use names::read_string;
pub use names::{MAX_NAME, Name, NameTable};
use options::PackageOptions;
pub(crate) use summary::read as read_summary;
pub use summary::{Generation, Summary, TableLocation};

/// Longest chain of outers or supers; also the guard against chains that come back to themselves.
pub const MAX_CHAIN: usize = 64;

/// The tables of a package. Payloads stay in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    identity: Identity,
    layout: Layout,
    summary: Summary,
    names: NameTable,
    imports: Vec<Import>,
    exports: Vec<Export>,
    inferred: Option<Inference>,
}

impl Package {
    /// Reads summary and tables, which takes no more than about twice their bytes from the source.
    ///
    /// References inside the tables are not followed: an object that refers to nothing is damaged, not the
    /// package.
    ///
    /// # Errors
    /// `NotThisFormat` and `Unsupported` say what the source is instead; `Malformed`, `OverLimit`, `Io`.
    pub fn open(source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        Self::open_with(source, PackageOptions::default(), limits)
    }

    /// Opens a package with what the caller knows better than the file.
    ///
    /// # Errors
    /// As [`Package::open`].
    pub fn open_with(
        source: &dyn Source,
        options: PackageOptions,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let identity = options.identify(source)?;
        let layout = options.layout(&identity)?;
        let summary = summary::read(source.compressed().unwrap_or(source), &layout, limits)?;
        if !summary.chunks.is_empty() && !source.is_unpacked() {
            return Err(Error::new(ErrorKind::Unsupported(Unsupported::Chunked), 0, "summary"));
        }
        let mut first_error = None;
        for candidate in infer::candidates(&layout, &identity) {
            let mut spent = limits.clone();
            let read = Self::read_tables(source, identity, candidate.layout, &summary, &mut spent);
            match read {
                Ok(package) if candidate.inferred.is_none() || package.is_consistent(source) => {
                    *limits = spent;
                    return Ok(Self { inferred: candidate.inferred, ..package });
                }
                Ok(_) => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        let nothing_fits = || Error::malformed(Malformed::NoFormFits, summary.exports.at.into(), "tables");
        Err(first_error.unwrap_or_else(nothing_fits))
    }

    fn read_tables(
        source: &dyn Source,
        identity: Identity,
        layout: Layout,
        summary: &Summary,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let names = names::read(source, &layout, summary.names, limits)?;
        let imports = imports::read(source, &layout, summary.imports, limits)?;
        let exports = exports::read(source, &layout, summary.exports, limits)?;
        let summary = summary.clone();
        Ok(Self { identity, layout, summary, names, imports, exports, inferred: None })
    }

    /// Returns whether every entry refers to what exists, and lies inside the file.
    fn is_consistent(&self, source: &dyn Source) -> bool {
        let named = |name: NameRef| self.name(name.index).is_some();
        let exists = |object| object == ObjectRef::None || self.entry(object).is_some();
        let has_none = self.names.iter().any(|name| name.text.eq_ignore_ascii_case("None"));
        let imports = self.imports.iter().all(|import| {
            let names = [import.class_package, import.class_name, import.name];
            names.into_iter().all(named) && import.outer_name.is_none_or(named) && exists(import.outer)
        });
        let exports = self.exports.iter().all(|export| {
            let objects = [export.class, export.super_object, export.outer];
            let inside = export.body.is_none_or(|body| body.check(source.len(), "export").is_ok());
            named(export.name) && objects.into_iter().all(exists) && inside
        });
        has_none && imports && exports
    }

    /// Returns what the file does not say of its tables and was inferred from them.
    #[must_use]
    pub const fn inferred(&self) -> Option<&Inference> {
        self.inferred.as_ref()
    }

    /// Returns what it claims to be.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the facts about its format.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns what stands at its start.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Returns the name table.
    #[must_use]
    pub const fn names(&self) -> &NameTable {
        &self.names
    }

    /// Returns the import table.
    #[must_use]
    pub fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// Returns the export table.
    #[must_use]
    pub fn exports(&self) -> &[Export] {
        &self.exports
    }

    /// Returns the index of every entry of the export table, in their order.
    pub fn export_indices(&self) -> impl ExactSizeIterator<Item = ExportIndex> + use<> {
        (0..self.exports.len()).map(ExportIndex::new)
    }

    /// Returns one entry of the export table.
    #[must_use]
    pub fn export(&self, index: ExportIndex) -> Option<&Export> {
        self.exports.get(index.get())
    }

    /// Returns the text of a name, if the table has it.
    #[must_use]
    pub fn name(&self, index: NameIndex) -> Option<&str> {
        self.names.get(index.get()?).map(|name| name.text)
    }

    /// Returns the text of a name with its number, if the table has it.
    #[must_use]
    pub fn text(&self, name: NameRef) -> Option<Cow<'_, str>> {
        self.name(name.index).map(|text| name.text(text, &self.layout))
    }

    /// Returns the name of an object, if there are such an object and name.
    #[must_use]
    pub fn object_name(&self, object: ObjectRef) -> Option<Cow<'_, str>> {
        self.text(self.entry(object)?.0)
    }

    /// Returns the name of an export's class, if it refers to one; `Class` for a class.
    #[must_use]
    pub fn class_name(&self, export: &Export) -> Option<Cow<'_, str>> {
        match export.class {
            ObjectRef::None => Some(Cow::Borrowed("Class")),
            class => self.object_name(class),
        }
    }

    /// Returns where an object lies; empty for none. Always something to show: what is missing in a damaged package is
    /// shown as `?`, and outers are left out beyond [`MAX_CHAIN`] and [`MAX_PATH`].
    /// [`Package::check_path`] says whether that was so.
    #[must_use]
    pub fn path(&self, object: ObjectRef) -> ObjectPath {
        self.walk(object).0
    }

    /// Returns where an export lies, as [`Package::path`] says.
    #[must_use]
    pub fn path_of(&self, index: ExportIndex) -> ObjectPath {
        self.path(ObjectRef::Export(index))
    }

    /// Checks that an object, its outers and all their names exist, so that [`Package::path`] is whole.
    ///
    /// # Errors
    /// `Malformed` if not, placed at the table that the culprit lies in.
    pub fn check_path(&self, object: ObjectRef) -> Result<(), Error> {
        match self.walk(object).1 {
            None => Ok(()),
            Some((object, fault)) => {
                let at = match object {
                    ObjectRef::Import(_) => self.summary.imports.at,
                    ObjectRef::None | ObjectRef::Export(_) => self.summary.exports.at,
                };
                Err(Error::malformed(fault, at.into(), "object path"))
            }
        }
    }

    /// Returns the path, and the first thing that is wrong with it.
    fn walk(&self, object: ObjectRef) -> (ObjectPath, Option<(ObjectRef, Malformed)>) {
        let mut chain: Vec<Cow<'_, str>> = Vec::new();
        let mut length = 0_usize;
        let mut fault = None;
        let mut next = object;
        while next != ObjectRef::None {
            if chain.len() > MAX_CHAIN {
                fault = fault.or(Some((next, Malformed::ChainTooLong(MAX_CHAIN))));
                break;
            }
            let Some((name, outer)) = self.entry(next) else {
                fault = fault.or(Some((next, Malformed::NoSuchObject(next.number()))));
                chain.push(Cow::Borrowed("?"));
                break;
            };
            let text = self.text(name);
            if text.is_none() {
                fault = fault.or(Some((next, Malformed::NoSuchName(name.index.number()))));
            }
            let text = text.unwrap_or(Cow::Borrowed("?"));
            length = length.saturating_add(text.len()).saturating_add(1);
            if length > MAX_PATH {
                fault = fault.or(Some((next, Malformed::PathTooLong(MAX_PATH))));
                break;
            }
            chain.push(text);
            next = outer;
        }
        chain.reverse();
        let name = chain.pop().unwrap_or_default().into_owned();
        (ObjectPath { group: chain.join("."), name }, fault)
    }

    /// Returns the name and outer of an object.
    fn entry(&self, object: ObjectRef) -> Option<(NameRef, ObjectRef)> {
        match object {
            ObjectRef::None => None,
            ObjectRef::Export(index) => self.export(index).map(|export| (export.name, export.outer)),
            ObjectRef::Import(index) => {
                self.imports.get(index.get()).map(|import| (import.name, import.outer))
            }
        }
    }
}

/// The names of a table and of its rows, and the size of the shortest possible row in bytes.
struct TableRows {
    what: &'static str,
    row: &'static str,
    min_size: u64,
}

impl TableRows {
    /// Reads the entries of a table. It states no length: it may go on to the end of the file.
    fn read_table<T>(
        &self,
        source: &dyn Source,
        layout: &Layout,
        table: TableLocation,
        limits: &mut Limits,
        read: impl FnMut(&mut Reader<'_>, &mut Limits) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let at = table.at.into();
        let mut reader = Reader::new(source, self.what, at, source.len()).with_layout(layout);
        let count = reader.fitting(table.count, self.min_size, at)?;
        self.read(&mut reader, count, limits, read)
    }

    /// Reads that many entries from where a reader stands.
    fn read<T>(
        &self,
        reader: &mut Reader<'_>,
        count: usize,
        limits: &mut Limits,
        mut read: impl FnMut(&mut Reader<'_>, &mut Limits) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        limits.take_table::<T>(count, reader.at(), self.what)?;
        let mut entries = Vec::with_capacity(count);
        for index in 0..count {
            let entry =
                read(reader, limits).map_err(|error| error.within(format!("{} {index}", self.row)))?;
            entries.push(entry);
        }
        Ok(entries)
    }
}
