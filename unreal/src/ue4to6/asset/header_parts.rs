//! The parts of a header without offsets, in the order in which the engine and the tools of modders write them.
//!
//! ```text
//! head │ names │ soft paths │ texts │ imports │ exports │ depends │ soft packages │ searchable names
//!      │ asset registry │ world tile │ preload │ data resources │ zeros
//! ```

use super::header::{HeaderSection, SectionContent};
use super::header_tables::{HeaderTable, TableKind};
use super::summary::{AssetSummary, EngineBuild, VersionNumbers};
use super::{AssetExport, AssetHeader, AssetImport, AssetTables, DataResources, PreloadCounts};
use crate::base::error::Error;
use crate::base::fields::{FieldReader, FieldWriter, Fields, NameIndices};
use crate::base::limits::Limits;
use crate::base::names::{EditableNames, Names, split_soft_path};
use crate::base::reader::Reader;
use crate::base::source::Memory;
use crate::base::writer::{ByteWriter, WriteError, narrow};
use crate::ue4to6::bulk::BulkEntry;
use crate::ue4to6::version::{AssetLayout, AssetVersion, CustomVersion};

const WHAT: &str = "header of a package";

/// The parts of a header; offsets and counts follow from them.
#[derive(Clone, Debug)]
pub struct HeaderParts {
    /// First number of the package (Epic: `LegacyFileVersion`), from −9 to −2.
    pub head: i32,
    /// Version of the package, which an unversioned package does not state.
    pub version: AssetVersion,
    /// Whether the package states its version and those of parts of the engine.
    pub is_versioned: bool,
    /// Version of a licensee.
    pub licensee: u32,
    /// Versions of parts of the engine.
    pub custom_versions: Vec<CustomVersion>,
    /// Folder, or path of the package.
    pub folder: String,
    /// Package flags (Epic: `EPackageFlags`).
    pub flags: u32,
    /// Identifier of translations; only in packages of the editor.
    pub localization: String,
    /// Hash of the package as it was saved; from 5.6 on.
    pub saved_hash: [u8; 20],
    /// GUID; before 5.6.
    pub guid: [u8; 16],
    /// Persistent GUID; only in packages of the editor.
    pub persistent_guid: [u8; 16],
    /// Exports and names that earlier versions of the package had.
    pub generations: Vec<[u32; 2]>,
    /// The build that saved the package, and the first that can read it.
    pub engines: [EngineBuild; 2],
    /// Compression flags.
    pub compression: u32,
    /// Checksum that tells packages of Epic, licensees and modders apart (Epic: `PackageSource`).
    pub package_source: u32,
    /// Packages to be cooked with it.
    pub additional_packages: Vec<String>,
    /// Chunks of an installation that have the package.
    pub chunk_ids: Vec<u32>,
    /// Number of names that objects refer to.
    pub names_referenced: u32,
    /// Offset of the package trailer; all ones if there is none (Epic: `PayloadTocOffset`).
    pub trailer_at: u64,
    /// Names, in their order.
    pub names: Vec<String>,
    /// Whether the hashes of names are zero, as some tools write them.
    pub has_zero_hashes: bool,
    /// Paths of objects that are not loaded with the package; none without a table of them.
    pub soft_paths: Option<Vec<String>>,
    /// Imported objects.
    pub imports: Vec<AssetImport>,
    /// Objects; their offsets, sizes and preload dependencies are computed.
    pub exports: Vec<AssetExport>,
    /// Dependencies of each export; none without a table of them.
    pub depends: Option<Vec<Vec<u32>>>,
    /// Packages that are referred to by name; none without a table of them.
    pub soft_packages: Option<Vec<String>>,
    /// Names that the editor finds objects by; none without a table of them.
    pub searchable_names: Option<Vec<(i32, Vec<String>)>>,
    /// Bytes of the asset registry's table; none if there is none.
    pub registry: Option<Vec<u8>>,
    /// Preload dependencies of each export; none without a table of them.
    pub preload: Option<Vec<ExportDependencies>>,
    /// Version and rows of the table of data resources; from 5.2 on.
    pub data_resources: Option<(u32, Vec<BulkEntry>)>,
    /// Number of zero bytes at the end of the header.
    pub zeros: usize,
}

/// What the engine loads before an export, as references to objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportDependencies {
    /// Objects to be serialized before it is serialized, created before it is serialized, serialized before it is
    /// created, and created before it is created.
    pub lists: [Vec<i32>; 4],
}

impl AssetHeader {
    /// Returns the parts of a header. Thumbnails, tiles of worlds and texts to be translated are left out.
    ///
    /// # Errors
    /// If a table ends early, or takes more than the limits allow.
    pub fn parts(&self, limits: &mut Limits) -> Result<HeaderParts, Error> {
        let AssetTables { summary, version, names, imports, exports, bulk, soft_paths, .. } = &self.package;
        let layout = AssetLayout::of(*version);
        let has = |kind| (1..=u64::from(u32::MAX)).contains(&summary.tables.get(kind).at);
        let content = |kind| {
            let mut sections = self.sections.iter();
            sections.find(|section| section.tables.contains(&kind)).map(|section| &section.content)
        };
        let mut fields_of =
            |kind: TableKind, read: &mut dyn FnMut(&mut FieldReader<'_, '_>, u32) -> Result<(), Error>| {
                let Some(SectionContent::Bytes(raw)) = content(kind) else { return Ok(()) };
                let source = Memory(&raw[..]);
                let mut reader = Reader::new(&source, WHAT, 0, raw.len() as u64);
                read(
                    &mut FieldReader { reader: &mut reader, limits, names, what: WHAT },
                    summary.tables.get(kind).count,
                )
            };
        let mut soft_packages = has(TableKind::SoftPackages).then(Vec::new);
        if let Some(packages) = &mut soft_packages {
            fields_of(TableKind::SoftPackages, &mut |fields, count| {
                let by_name = layout.soft_package_names;
                fields.rows(count, 4, packages, |fields, package: &mut String| match by_name {
                    true => fields.name(package),
                    false => fields.string(package),
                })
            })?;
        }
        let mut searchable_names = has(TableKind::SearchableNames).then(Vec::new);
        if let Some(collections) = &mut searchable_names {
            fields_of(TableKind::SearchableNames, &mut |fields, _| {
                fields.list(8, collections, |fields, (object, names): &mut (i32, Vec<String>)| {
                    fields.i32(object)?;
                    fields.list(8, names, FieldReader::name)
                })
            })?;
        }
        let stated = self.sections.iter().find_map(|section| match &section.content {
            SectionContent::Depends(lists) => Some(lists.clone()),
            _ => None,
        });
        let depends = stated.or_else(|| self.unstated_depends());
        let registry = match content(TableKind::AssetRegistry).filter(|_| has(TableKind::AssetRegistry)) {
            Some(SectionContent::Bytes(raw)) => Some(raw.clone()),
            Some(SectionContent::Relocatable(table)) => {
                Some(table.at(summary.tables.get(TableKind::AssetRegistry).at))
            }
            _ => None,
        };
        let list = self.preload();
        let preload = exports.iter().map(|export| {
            let mut at = usize::try_from(export.preload.first).unwrap_or(usize::MAX);
            let lists = export.preload.counts.map(|count| {
                let end = at.saturating_add(count as usize);
                let numbers = list.get(at..end).unwrap_or_default().to_vec();
                at = end;
                numbers
            });
            ExportDependencies { lists }
        });
        let has_preload = layout.preload && summary.tables.get(TableKind::Preload).count != u32::MAX;
        let zeros = self.sections.last().map_or(0, |section| match &section.content {
            SectionContent::Bytes(raw) if section.tables.is_empty() && raw.iter().all(|byte| *byte == 0) => {
                raw.len()
            }
            _ => 0,
        });
        Ok(HeaderParts {
            head: summary.head.number,
            version: *version,
            is_versioned: summary.stated.is_some(),
            licensee: summary.head.licensee,
            custom_versions: summary.custom_versions.clone(),
            folder: summary.folder.clone(),
            flags: summary.flags,
            localization: summary.localization.clone(),
            saved_hash: summary.saved_hash,
            guid: summary.guid,
            persistent_guid: summary.persistent_guid,
            generations: summary.generations.clone(),
            engines: summary.engines.clone(),
            compression: summary.compression,
            package_source: summary.package_source,
            additional_packages: summary.additional_packages.clone(),
            chunk_ids: summary.chunk_ids.clone(),
            names_referenced: match layout.names_referenced {
                true => summary.names_referenced,
                false => u32::try_from(names.iter().len()).unwrap_or(u32::MAX),
            },
            trailer_at: if layout.payloads { summary.tables.get(TableKind::Payloads).at } else { u64::MAX },
            names: names.iter().map(str::to_owned).collect(),
            has_zero_hashes: matches!(content(TableKind::Names), Some(SectionContent::UnhashedNames)),
            soft_paths: has(TableKind::SoftPaths).then(|| soft_paths.clone()),
            imports: imports.clone(),
            exports: exports.clone(),
            depends,
            soft_packages,
            searchable_names,
            registry,
            preload: has_preload.then(|| preload.collect()),
            data_resources: bulk.as_ref().map(|table| (table.form, table.entries.clone())),
            zeros,
        })
    }
}

impl AssetHeader {
    /// Returns the dependencies of packages of 4.14 and 4.15, which do not state where these are: after the exports.
    fn unstated_depends(&self) -> Option<Vec<Vec<u32>>> {
        let layout = AssetLayout::of(self.package.version);
        let mut after =
            self.sections.iter().skip_while(|part| !part.tables.contains(&TableKind::Exports)).skip(1);
        let Some(HeaderSection { tables, content: SectionContent::Bytes(raw) }) = after.next() else {
            return None;
        };
        let count = self.package.exports.len();
        let is_empty = raw.len() == count.saturating_mul(4) && raw.iter().all(|byte| *byte == 0);
        let is_unstated = layout.preload && !layout.export.large && tables.is_empty();
        (is_unstated && is_empty).then(|| vec![Vec::new(); count])
    }
}

impl HeaderParts {
    /// Returns the names with those that tables refer to.
    fn all_names(&self) -> Names {
        let mut names =
            EditableNames::new(&Names::new(self.names.iter().map(|name| name.as_str().into()).collect()), 0);
        let soft_packages =
            if AssetLayout::of(self.version).soft_package_names { &self.soft_packages } else { &None };
        let searchable = self.searchable_names.iter().flatten().flat_map(|(_, names)| names);
        soft_packages.iter().flatten().chain(searchable).for_each(|name| names.need(name));
        for path in self.soft_paths.iter().flatten() {
            let (package, object, _) = split_soft_path(path, self.version.has_split_paths());
            [package, object].into_iter().for_each(|name| names.need(name));
        }
        names.finish().0
    }

    /// Assembles a header. Offsets of exports count from the first one, which is at 0.
    ///
    /// # Errors
    /// [`WriteError`] if a name is not among the names, or something is more than the version can state.
    pub fn assemble(self) -> Result<AssetHeader, WriteError> {
        let layout = AssetLayout::of(self.version);
        let names = self.all_names();
        let mut summary = AssetSummary::new(VersionNumbers::of(
            self.version,
            if self.is_versioned { self.version.numbers() } else { [0, 0] },
            self.licensee,
        ));
        summary.head.number = self.head;
        summary.custom_versions = if self.is_versioned { self.custom_versions } else { Vec::new() };
        summary.folder = self.folder;
        summary.flags = self.flags;
        summary.localization = self.localization;
        summary.saved_hash = self.saved_hash;
        summary.guid = self.guid;
        summary.persistent_guid = self.persistent_guid;
        summary.generations = self.generations;
        summary.engines = self.engines;
        summary.compression = self.compression;
        summary.package_source = self.package_source;
        summary.additional_packages = self.additional_packages;
        summary.chunk_ids = self.chunk_ids;
        summary.names_referenced = self.names_referenced;
        summary.tables.set(TableKind::Payloads, HeaderTable { count: 0, at: self.trailer_at });

        let mut sections = Vec::new();
        let mut section = |tables: &[TableKind], content| {
            sections.push(HeaderSection { tables: tables.to_vec(), content });
        };
        let hashes = if self.has_zero_hashes { SectionContent::UnhashedNames } else { SectionContent::Names };
        section(&[TableKind::Names], hashes);
        if let Some(paths) = &self.soft_paths {
            summary.tables.set(
                TableKind::SoftPaths,
                HeaderTable { count: narrow("paths", paths.len() as u64)?, at: 0 },
            );
            section(&[TableKind::SoftPaths], SectionContent::SoftPaths);
        }
        if !self.imports.is_empty() {
            section(&[TableKind::Imports], SectionContent::Imports);
        }
        if !self.exports.is_empty() {
            section(&[TableKind::Exports], SectionContent::Exports);
        }
        let mut exports = self.exports;
        let depends = self.depends.map(|mut lists| {
            lists.resize(exports.len(), Vec::new());
            lists
        });
        match depends {
            // Packages of 4.14 and 4.15 have the table, but not its offset.
            Some(lists) if layout.preload && !layout.export.large => {
                section(&[], SectionContent::Depends(lists));
            }
            Some(lists) if layout.cells => {
                let tables = [TableKind::CellExports, TableKind::CellImports, TableKind::Depends];
                section(&tables, SectionContent::Depends(lists));
            }
            Some(lists) => section(&[TableKind::Depends], SectionContent::Depends(lists)),
            None => {}
        }
        let bytes = |write: &mut dyn FnMut(&mut FieldWriter<'_>) -> Result<(), WriteError>| {
            let names = NameIndices::new(names.iter());
            let mut fields = FieldWriter { writer: ByteWriter::default(), names };
            write(&mut fields)?;
            Ok::<_, WriteError>(SectionContent::Bytes(fields.writer.into_bytes()))
        };
        if let Some(mut packages) = self.soft_packages {
            let count = narrow("packages", packages.len() as u64)?;
            summary.tables.set(TableKind::SoftPackages, HeaderTable { count, at: 0 });
            section(
                &[TableKind::SoftPackages],
                bytes(&mut |fields| {
                    packages.iter_mut().try_for_each(|package| match layout.soft_package_names {
                        true => fields.name(package),
                        false => fields.string(package),
                    })
                })?,
            );
        }
        if let Some(mut collections) = self.searchable_names {
            section(
                &[TableKind::SearchableNames],
                bytes(&mut |fields| {
                    fields.list(8, &mut collections, |fields, (object, names)| {
                        fields.i32(object)?;
                        fields.list(8, names, FieldWriter::name)
                    })
                })?,
            );
        }
        if let Some(registry) = self.registry {
            section(&[TableKind::AssetRegistry], SectionContent::Bytes(registry));
        }
        match self.preload {
            Some(lists) => {
                section(&[TableKind::Preload], SectionContent::Preload(preload_list(&mut exports, lists)?));
            }
            None => {
                let none = PreloadCounts { first: -1, counts: [0; 4] };
                exports.iter_mut().for_each(|export| export.preload = none);
                // Its count is −1.
                summary.tables.set(TableKind::Preload, HeaderTable { count: u32::MAX, at: 0 });
                section(&[TableKind::Preload], SectionContent::Bytes(Vec::new()));
            }
        }
        let bulk = self.data_resources.map(|(form, entries)| DataResources { form, entries });
        if bulk.is_some() {
            section(&[TableKind::DataResources], SectionContent::DataResources);
        } else {
            let none = HeaderTable { count: 0, at: u32::MAX.into() };
            summary.tables.set(TableKind::DataResources, none);
        }
        if self.zeros > 0 {
            section(&[], SectionContent::Bytes(vec![0; self.zeros]));
        }
        let mut package = AssetTables::assembled(summary, self.version, names, self.imports, exports, bulk);
        package.soft_paths = self.soft_paths.unwrap_or_default();
        Ok(AssetHeader { package, sections })
    }
}

/// Returns the table of preload dependencies, and states in each export where its own begin.
fn preload_list(exports: &mut [AssetExport], lists: Vec<ExportDependencies>) -> Result<Vec<i32>, WriteError> {
    let mut table = Vec::new();
    let mut lists = lists.into_iter();
    for export in exports {
        let lists = lists.next().unwrap_or_default().lists;
        let first = narrow("preload dependencies", table.len() as u64)?.cast_signed();
        let mut counts = [0; 4];
        for (count, list) in counts.iter_mut().zip(lists) {
            *count = narrow("preload dependencies", list.len() as u64)?;
            table.extend(list);
        }
        let first = if counts == [0; 4] { -1 } else { first };
        export.preload = PreloadCounts { first, counts };
    }
    Ok(table)
}
