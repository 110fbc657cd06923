//! The whole header of a package, so that it can be written again: its tables in their order, and the bytes of those
//! that nothing here looks into.
//!
//! ```text
//! head │ names │ imports │ exports │ depends │ … bytes … │ preload │ data resources
//! ```
//!
//! Source: *packages-ue4-ue6*, §8: 10 packages of 5.8 measured.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::header_tables::{HeaderTable, TableKind};
use super::names::NameHashes;
use super::relocation::Relocatable;
use super::summary::AssetSummary;
use super::{AssetImport, AssetTables, exports, imports, names};
use crate::base::document;
use crate::base::error::{Error, Malformed};
use crate::base::fields::{FieldReader, FieldWriter, Fields, NameIndices};
use crate::base::limits::Limits;
use crate::base::names::{EditableNames, Names, split_soft_path};
use crate::base::object_ref::{ImportIndex, ObjectRef};
use crate::base::reader::Reader;
use crate::base::source::{Memory, Source};
use crate::base::writer::{ByteWriter, WriteError, narrow};
use crate::ue4to6::version::{AssetLayout, AssetVersion};

const WHAT: &str = "header of a package";

/// An object of another package.
#[derive(Clone, Copy, Debug)]
pub struct ImportedObject<'o> {
    /// The package: `/Game/Materials/M_Steel`.
    pub package: &'o str,
    /// Name of the object.
    pub name: &'o str,
    /// The package of its class, and that: `/Script/Engine`, `Material`.
    pub class: (&'o str, &'o str),
}

/// The header of a package, with all of its tables.
#[derive(Debug, Serialize, Deserialize)]
pub struct AssetHeader {
    pub(crate) package: AssetTables,
    pub(crate) sections: Vec<HeaderSection>,
}

/// A part of a header after its head.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct HeaderSection {
    /// The tables that begin with it; those without rows may begin where another does.
    pub(crate) tables: Vec<TableKind>,
    pub(crate) content: SectionContent,
}

/// What a part of a header has.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SectionContent {
    /// What the package has of that kind.
    Names,
    /// The names, with hashes of zero.
    UnhashedNames,
    Imports,
    Exports,
    DataResources,
    SoftPaths,
    /// For each export what it depends on, which cooked packages do not have.
    Depends(Vec<Vec<u32>>),
    /// What has to be there before exports, by their own counts.
    Preload(Vec<i32>),
    /// A table that says where something lies in the header.
    Relocatable(Relocatable),
    /// Anything else.
    #[serde(with = "document::base64")]
    Bytes(Vec<u8>),
}

impl AssetHeader {
    /// Reads a header. `version` is what the user knows of a package that states none.
    ///
    /// # Errors
    /// As [`AssetTables::read`], and if tables lie in one another.
    pub fn read(
        source: &dyn Source,
        version: Option<AssetVersion>,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let package = AssetTables::read(source, version, limits)?;
        let end = package.summary.header_size.min(source.len());
        let tables = package
            .summary
            .tables
            .iter()
            .filter(|(_, table)| (package.summary.end..=end).contains(&table.at));
        // A table without rows begins where another does, or keeps the offset that it has.
        let has_rows = |(kind, table): &(TableKind, HeaderTable)| !kind.is_counted() || table.count > 0;
        let bounds: BTreeSet<u64> =
            tables.clone().filter(has_rows).map(|(_, table)| table.at).chain([end]).collect();
        let mut starts: Vec<(u64, TableKind)> = tables
            .filter(|(_, table)| bounds.contains(&table.at))
            .map(|(kind, table)| (table.at, kind))
            .collect();
        starts.sort_by_key(|(at, _)| *at);
        let names = Names::default();
        let mut reader = Reader::new(source, WHAT, 0, end);
        let mut bytes = |limits: &mut Limits, from, to| {
            FieldReader { reader: &mut reader, limits, names: &names, what: WHAT }.plain(from, to)
        };
        let mut sections = Vec::new();
        let first = starts.first().map_or(end, |(at, _)| *at);
        if first > package.summary.end {
            let content = SectionContent::Bytes(bytes(limits, package.summary.end, first)?);
            sections.push(HeaderSection { tables: Vec::new(), content });
        }
        let groups: Vec<&[(u64, TableKind)]> = starts.chunk_by(|(one, _), (other, _)| one == other).collect();
        let ends = groups.iter().skip(1).filter_map(|group| group.first()).map(|(at, _)| *at).chain([end]);
        for (group, end) in groups.iter().zip(ends) {
            let tables: Vec<TableKind> = group.iter().map(|(_, kind)| *kind).collect();
            let at = group.first().map_or(end, |(at, _)| *at);
            let raw = bytes(limits, at, end)?;
            sections.extend(package.sections(tables, raw, limits)?);
        }
        Ok(Self { package, sections })
    }

    /// Returns the tables that a package is about.
    #[must_use]
    pub const fn package(&self) -> &AssetTables {
        &self.package
    }

    /// Returns what has to be there before exports, by their own counts.
    pub(crate) fn preload(&self) -> &[i32] {
        let mut lists = self.sections.iter().filter_map(|section| match &section.content {
            SectionContent::Preload(list) => Some(&list[..]),
            _ => None,
        });
        lists.next_back().unwrap_or_default()
    }

    /// Writes the header; where its tables lie follows from them.
    ///
    /// # Errors
    /// [`WriteError`] if a name is not in the table of names, or a place is more than the version can state.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let mut summary = self.package.summary.clone();
        let head = self.package.write_summary(&mut summary)?;
        let mut body = ByteWriter::default();
        for section in &self.sections {
            let at = (head.len() as u64).saturating_add(body.len());
            for kind in &section.tables {
                let count = match kind {
                    TableKind::Names => self.package.names.iter().len(),
                    TableKind::Imports => self.package.imports.len(),
                    TableKind::Exports => self.package.exports.len(),
                    TableKind::Preload => match &section.content {
                        SectionContent::Preload(list) => list.len(),
                        _ => summary.tables.get(*kind).count as usize,
                    },
                    _ => summary.tables.get(*kind).count as usize,
                };
                summary.tables.set(*kind, HeaderTable { count: narrow("rows", count as u64)?, at });
            }
            body.bytes(&self.package.content(&section.content, at)?);
        }
        summary.header_size = (head.len() as u64).saturating_add(body.len());
        let mut header = self.package.write_summary(&mut summary)?;
        header.extend(body.into_bytes());
        Ok(header)
    }
}

impl AssetHeader {
    /// Makes the tables that change ones that are written from what they say. Tools have written other hashes of names
    /// than the engine does, so that these were kept as bytes.
    ///
    /// # Errors
    /// If a table has other parts than those that are known.
    pub(crate) fn open(&mut self) -> Result<(), Error> {
        for section in &mut self.sections {
            let SectionContent::Bytes(raw) = &section.content else { continue };
            let known = section.tables.iter().find_map(|kind| match kind {
                TableKind::Names => Some(SectionContent::Names),
                TableKind::Imports => Some(SectionContent::Imports),
                TableKind::Exports => Some(SectionContent::Exports),
                TableKind::DataResources if self.package.bulk.is_some() => {
                    Some(SectionContent::DataResources)
                }
                _ => None,
            });
            let Some(known) = known else { continue };
            let at = section.tables.first().map_or(0, |kind| self.package.summary.tables.get(*kind).at);
            let written = self.package.content(&known, at).unwrap_or_default();
            if written.len() != raw.len() && !raw.is_empty() {
                return Err(Error::malformed(Malformed::NoFormFits, at, WHAT));
            }
            section.content = known;
        }
        Ok(())
    }

    /// Says where objects lie that counted from the first one on: after the header, and data after so many bytes of
    /// them.
    ///
    /// # Errors
    /// As [`AssetHeader::write`].
    pub(crate) fn settle(&mut self, objects: u64) -> Result<(), WriteError> {
        let length = self.write()?.len() as u64;
        for export in &mut self.package.exports {
            export.offset = export.offset.saturating_add(length);
        }
        self.package.summary.header_size = length;
        self.package.summary.bulk_at = length.saturating_add(objects);
        Ok(())
    }

    /// Returns the hash of the header, without a hash in it, and of the objects, which `objects` adds. Packages of 5.6
    /// and later have it.
    ///
    /// # Errors
    /// As [`AssetHeader::write`], and those of `objects`.
    pub(crate) fn saved_hash<E: From<WriteError>>(
        &mut self,
        objects: impl FnOnce(&mut blake3::Hasher) -> Result<(), E>,
    ) -> Result<[u8; 20], E> {
        self.package.summary.saved_hash = [0; 20];
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.write()?);
        objects(&mut hasher)?;
        let hash = *hasher.finalize().as_bytes();
        Ok(hash.first_chunk().copied().unwrap_or_default())
    }
}

impl AssetHeader {
    /// Refers to an object of another package, which an export needs when it is read; returns the reference.
    pub(crate) fn import(&mut self, export: usize, object: &ImportedObject<'_>) -> ObjectRef {
        let (path, name) = (object.package, object.name);
        let package = self.add_import(("/Script/CoreUObject", "Package"), ObjectRef::None, path);
        let import = self.add_import(object.class, package, name);
        let preload = self.sections.iter_mut().find_map(|section| match &mut section.content {
            SectionContent::Preload(list) => Some(list),
            _ => None,
        });
        if let (Some(list), Some(row)) = (preload, self.package.exports.get_mut(export))
            && let Ok(first) = usize::try_from(row.preload.first)
        {
            // What has to be made before it is read stands after what has to be read.
            let [read, made, ..] = &mut row.preload.counts;
            let at = first.saturating_add(*read as usize).min(list.len());
            let end = at.saturating_add(*made as usize).min(list.len());
            if !list.get(at..end).unwrap_or_default().contains(&import.number()) {
                *made = made.saturating_add(1);
                list.insert(at, import.number());
                for (number, other) in self.package.exports.iter_mut().enumerate() {
                    let moves = usize::try_from(other.preload.first).is_ok_and(|first| first >= at);
                    if number != export && moves {
                        other.preload.first = other.preload.first.saturating_add(1);
                    }
                }
            }
        }
        import
    }

    /// Returns the import of an object, which is added unless it is there.
    fn add_import(
        &mut self,
        (class_package, class): (&str, &str),
        outer: ObjectRef,
        name: &str,
    ) -> ObjectRef {
        let imports = &mut self.package.imports;
        let is_it = |import: &AssetImport| import.outer == outer && import.name.eq_ignore_ascii_case(name);
        let place = imports.iter().position(is_it).unwrap_or_else(|| {
            // Where others have a name once more, this has.
            let has_package = imports.iter().any(|import| import.package.is_some());
            imports.push(AssetImport {
                class_package: class_package.to_owned(),
                class: class.to_owned(),
                outer,
                name: name.to_owned(),
                package: has_package.then(|| name.to_owned()),
                optional: 0,
            });
            imports.len().saturating_sub(1)
        });
        ObjectRef::Import(ImportIndex::new(place))
    }

    /// Returns the names, those that objects refer to first.
    pub(crate) fn name_table(&self) -> EditableNames {
        let referenced = match self.package.summary.names_referenced {
            0 => usize::MAX,
            count => usize::try_from(count).unwrap_or(usize::MAX),
        };
        EditableNames::new(&self.package.names, referenced)
    }
}

impl AssetTables {
    /// Returns the names that imports and exports have.
    pub(crate) fn needed_names(&self) -> impl Iterator<Item = &str> {
        let imports = self.imports.iter().flat_map(|import| {
            let names = [&import.class_package, &import.class, &import.name];
            names.into_iter().chain(&import.package)
        });
        imports.chain(self.exports.iter().map(|export| &export.name)).map(String::as_str)
    }

    fn write_summary(&self, summary: &mut AssetSummary) -> Result<Vec<u8>, WriteError> {
        let mut fields = FieldWriter::default();
        summary.fields(&mut fields, &AssetLayout::of(self.version))?;
        Ok(fields.writer.into_bytes())
    }

    /// Returns the parts that some bytes are: what is known, if it says the same when it is written, and what is left.
    fn sections(
        &self,
        tables: Vec<TableKind>,
        raw: Vec<u8>,
        limits: &mut Limits,
    ) -> Result<Vec<HeaderSection>, Error> {
        let known = tables.iter().find_map(|kind| self.known(*kind, &raw, limits).transpose()).transpose()?;
        let at = tables.first().map_or(0, |kind| self.summary.tables.get(*kind).at);
        let Some(content) = known else {
            return Ok(vec![HeaderSection { tables, content: SectionContent::Bytes(raw) }]);
        };
        let written = self.content(&content, at).unwrap_or_default();
        Ok(match raw.strip_prefix(&written[..]) {
            Some([]) => vec![HeaderSection { tables, content }],
            Some(rest) => {
                let rest =
                    HeaderSection { tables: Vec::new(), content: SectionContent::Bytes(rest.to_vec()) };
                vec![HeaderSection { tables, content }, rest]
            }
            None => vec![HeaderSection { tables, content: SectionContent::Bytes(raw) }],
        })
    }

    /// Returns what a table is that is known, and has rows.
    fn known(
        &self,
        kind: TableKind,
        raw: &[u8],
        limits: &mut Limits,
    ) -> Result<Option<SectionContent>, Error> {
        let source = Memory(raw);
        let mut reader = Reader::new(&source, WHAT, 0, source.len());
        let names = Names::default();
        let mut fields = FieldReader { reader: &mut reader, limits, names: &names, what: WHAT };
        let table = self.summary.tables.get(kind);
        Ok(match kind {
            TableKind::Names if table.count > 0 => {
                let layout = AssetLayout::of(self.version);
                let mut unhashed = ByteWriter::default();
                let written = names::write(&self.names, NameHashes::Zero, &layout, &mut unhashed);
                let is_unhashed = layout.name_hashes && written.is_ok() && raw == unhashed.into_bytes();
                Some(if is_unhashed { SectionContent::UnhashedNames } else { SectionContent::Names })
            }
            TableKind::Imports if table.count > 0 => Some(SectionContent::Imports),
            TableKind::Exports if table.count > 0 => Some(SectionContent::Exports),
            TableKind::DataResources if self.bulk.is_some() => Some(SectionContent::DataResources),
            TableKind::SoftPaths if table.count > 0 => Some(SectionContent::SoftPaths),
            TableKind::Depends if !self.exports.is_empty() => {
                let mut lists: Vec<Vec<u32>> = vec![Vec::new(); self.exports.len()];
                let read = lists.iter_mut().try_for_each(|list| fields.list(4, list, FieldReader::u32));
                read.is_ok().then_some(SectionContent::Depends(lists))
            }
            TableKind::Preload if table.count > 0 => {
                let mut list = Vec::new();
                let read = fields.rows(table.count, 4, &mut list, FieldReader::i32);
                read.is_ok().then_some(SectionContent::Preload(list))
            }
            TableKind::Thumbnails | TableKind::AssetRegistry => {
                let read = Relocatable::read(self, kind, raw, &mut fields);
                read.ok().flatten().map(SectionContent::Relocatable)
            }
            _ => None,
        })
    }

    /// Returns the bytes of a part that begins at `at`.
    fn content(&self, content: &SectionContent, at: u64) -> Result<Vec<u8>, WriteError> {
        let layout = AssetLayout::of(self.version);
        let mut fields =
            FieldWriter { writer: ByteWriter::default(), names: NameIndices::new(self.names.iter()) };
        match content {
            SectionContent::Names => {
                names::write(&self.names, NameHashes::Engine, &layout, &mut fields.writer)?;
            }
            SectionContent::UnhashedNames => {
                names::write(&self.names, NameHashes::Zero, &layout, &mut fields.writer)?;
            }
            SectionContent::Imports => imports::write(&self.imports, &layout, &mut fields)?,
            SectionContent::Exports => {
                exports::write(&self.exports, &layout, self.summary.is_unversioned(), &mut fields)?;
            }
            SectionContent::DataResources => {
                self.bulk.iter().try_for_each(|table| table.write(&mut fields))?;
            }
            SectionContent::SoftPaths => {
                let is_split = self.version.has_split_paths();
                for path in &self.soft_paths {
                    let (package, object, within) = split_soft_path(path, is_split);
                    fields.name(&mut package.to_owned())?;
                    if is_split {
                        fields.name(&mut object.to_owned())?;
                    }
                    fields.string(&mut within.to_owned())?;
                }
            }
            SectionContent::Depends(lists) => {
                lists.clone().iter_mut().try_for_each(|list| fields.list(4, list, FieldWriter::u32))?;
            }
            SectionContent::Preload(list) => list.iter().for_each(|number| fields.writer.i32(*number)),
            SectionContent::Relocatable(table) => fields.writer.bytes(&table.at(at)),
            SectionContent::Bytes(bytes) => fields.writer.bytes(bytes),
        }
        Ok(fields.writer.into_bytes())
    }
}
