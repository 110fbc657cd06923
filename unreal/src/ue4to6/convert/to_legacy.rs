//! A package of a container turned into one of files.
//!
//! ```text
//! number of an import ──► object of the code, of another package ──► its name, its class, what it lies in
//! ```
//!
//! What containers leave out follows from what is there, as far as it does: names that only headers refer to, classes
//! of imports, and what of the game's code has to be there before an object. How long the header was, containers say.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::game_objects::GameObjects;
use super::import_rows::LegacyImports;
use super::preload::{self, Preload};
use super::spliced_package::{SplicedPackage, is_marked};
use super::{CELLS, ConvertError, END_OF_OBJECTS, name_order};
use crate::base::error::Error;
use crate::base::hash;
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::object_ref::{ExportIndex, ImportIndex, ObjectRef};
use crate::base::source::Source;
use crate::ue4to6::asset::{
    AssetExport, AssetHeader, AssetImport, AssetSummary, AssetTables, DataResources, HeaderSection,
    SectionContent, TableKind, VersionNumbers,
};
use crate::ue4to6::bulk::{BulkEntry, BulkFile};
use crate::ue4to6::package::{AssetPackage, PackageTables};
use crate::ue4to6::property::read_object;
use crate::ue4to6::version::AssetVersion;
use crate::ue4to6::zen::{ZenForm, ZenHeader, ZenObject, ZenRow, ZenVersions};

const WHAT: &str = "package of a container";

/// A package as files.
#[derive(Debug)]
pub struct LegacyFile {
    /// The header: a `.uasset` or `.umap`.
    pub header: Vec<u8>,
    objects: Vec<Range<u64>>,
    /// Objects of other packages, and of the code, that nobody here knows: they have numbers for names.
    pub unknown: usize,
}

impl LegacyFile {
    /// Returns the objects, and the mark of their end, as a `.uexp`; given the package that it was.
    #[must_use]
    pub fn objects<'p>(&self, package: impl Source + 'p) -> SplicedPackage<'p> {
        SplicedPackage::new(package, Vec::new(), self.objects.clone(), END_OF_OBJECTS.to_vec())
    }
}

/// Turns a package of a container into one of files, as the cooker of a version would have written it; one that states
/// its version keeps that. Objects of other packages, and of the code, get their names from the game.
///
/// # Errors
/// [`ConvertError`] if the package is one of files, its tables contradict themselves, or its header cannot be written.
pub fn to_legacy(
    package: &AssetPackage,
    version: AssetVersion,
    game: &GameObjects<'_>,
    limits: &mut Limits,
) -> Result<LegacyFile, ConvertError> {
    let PackageTables::Zen(tables) = package.tables() else { return Err(ConvertError::Already) };
    let header = ZenHeader::read(tables, package.source(), limits)?;
    if !header.cells.is_empty() {
        return Err(ConvertError::Unsupported(CELLS));
    }
    check_exports(&header)?;
    let version = header.versions.as_ref().and_then(ZenVersions::version).unwrap_or(version);
    let mut imports = LegacyImports::new(&header, tables, game);
    let mut exports: Vec<AssetExport> = header.exports.iter().map(|row| imports.export(row)).collect();
    let rows = imports.finish();
    let objects = lay_out(package, &header, &mut exports)?;
    let has_script = !package.is_unversioned();
    for (number, export) in exports.iter_mut().enumerate() {
        if has_script {
            // What cannot be read says nothing of itself.
            let properties = read_object(package, number, None, &mut Limits::default());
            let end =
                properties.map_or(0, |object| object.values_end.saturating_sub(object_at(package, number)));
            export.script = [0, end];
        }
    }
    let is_left_out = |object: ObjectRef| match object {
        ObjectRef::Import(index) => {
            let id = header.imports.get(index.get()).copied();
            !matches!(id.map(ZenObject::of), Some(ZenObject::Package(_)))
        }
        _ => false,
    };
    let mut preloads = match header.form {
        ZenForm::Dependencies => preload::of_chunk(&header.dependencies, &header.dependency_entries),
        ZenForm::Bundles | ZenForm::Engine4 => vec![Preload::default(); exports.len()],
    };
    for (preload, export) in preloads.iter_mut().zip(&exports) {
        if header.form != ZenForm::Dependencies {
            preload::from_export(preload, export);
        }
        preload::complete(preload, export, is_left_out);
    }
    let unknown = imports.unknown;
    let mut file =
        HeaderBuilder { header: &header, version, imports: rows, exports, preloads, package, filler: 0 };
    let expected = u64::from(header.cooked_header_size).saturating_add(file.cooker_adds());
    let missing = expected.saturating_sub(file.write()?.package.summary.header_size);
    // No object needs more than all of what is imported; a size that wants more is none.
    let most = (file.exports.len() as u64).saturating_mul(file.imports.len() as u64).saturating_mul(4);
    if missing > 0 && missing <= most {
        let (candidates, references) = (file.candidates(), file.references());
        let left = preload::fill(&mut file.preloads, &candidates, &references, missing >> 2);
        file.filler = usize::try_from(left.saturating_mul(4).saturating_add(missing & 3)).unwrap_or_default();
    }
    Ok(LegacyFile { header: file.write()?.write()?, objects, unknown })
}

/// Checks that all exports that rows refer to exist.
fn check_exports(header: &ZenHeader) -> Result<(), ConvertError> {
    let is_missing = |row: &ZenRow| {
        let objects = [row.outer, row.class, row.super_object, row.template].map(ZenObject::of);
        let is_missing =
            |object| matches!(object, ZenObject::Export(number) if number as usize >= header.exports.len());
        objects.into_iter().any(is_missing)
    };
    header.exports.iter().position(is_missing).map_or(Ok(()), |number| Err(ConvertError::Export(number)))
}

/// Returns where an object begins.
fn object_at(package: &AssetPackage, number: usize) -> u64 {
    package.export(number).map_or(0, |export| export.offset)
}

/// Returns where the objects lie in the container, in the order in which the file has them; says of each where it
/// begins there, counted from the first.
fn lay_out(
    package: &AssetPackage,
    header: &ZenHeader,
    exports: &mut [AssetExport],
) -> Result<Vec<Range<u64>>, Error> {
    let (begin, mut ranges) = (package.objects_at(), Vec::new());
    if header.form == ZenForm::Dependencies {
        for (export, row) in exports.iter_mut().zip(&header.exports) {
            export.offset = row.offset;
        }
        let end = package.source().len();
        let mark = if is_marked(package.source(), begin)? { END_OF_OBJECTS.len() as u64 } else { 0 };
        ranges.push(begin..end.saturating_sub(mark));
        return Ok(ranges);
    }
    // Before 5.3 a row says where it lay in the file, and the container has objects in the order of loading.
    let mut order: Vec<usize> = (0..exports.len()).collect();
    order.sort_by_key(|number| header.exports.get(*number).map(|row| row.offset));
    let mut at = 0_u64;
    for number in order {
        let Ok(range) = package.range(number) else { continue };
        if let Some(export) = exports.get_mut(number) {
            export.offset = at;
        }
        at = at.saturating_add(range.end.saturating_sub(range.start));
        ranges.push(range);
    }
    Ok(ranges)
}

/// The header of a file, before it is written.
struct HeaderBuilder<'p> {
    header: &'p ZenHeader,
    version: AssetVersion,
    imports: Vec<AssetImport>,
    exports: Vec<AssetExport>,
    preloads: Vec<Preload>,
    package: &'p AssetPackage,
    /// Zeros after all tables, where the header was longer for what nobody knows any more.
    filler: usize,
}

impl HeaderBuilder<'_> {
    /// Returns how much longer the header is that the cooker of 5.7 and later writes than it says in containers: the
    /// name of its package for each import, and where the types of imports are.
    fn cooker_adds(&self) -> u64 {
        if !self.version.keeps_import_packages() {
            return 0;
        }
        (self.imports.len() as u64).saturating_add(1).saturating_mul(8)
    }

    /// Returns the objects of the code that are imported, by their references; those left out that others lie in, which
    /// packages are.
    fn candidates(&self) -> HashMap<i32, preload::PreloadCandidate> {
        let used =
            self.exports.iter().flat_map(|export| [export.class, export.template, export.super_object]);
        let used: HashSet<ObjectRef> = used.chain(self.imports.iter().map(|import| import.outer)).collect();
        let mut candidates = HashMap::new();
        for (place, (import, number)) in self.imports.iter().zip(&self.header.imports).enumerate() {
            let object = ObjectRef::Import(ImportIndex::new(place));
            if matches!(ZenObject::of(*number), ZenObject::Script(_)) && import.outer != ObjectRef::None {
                let is_struct = import.class == "ScriptStruct";
                let number = object.number();
                candidates.insert(
                    number,
                    preload::PreloadCandidate { number, is_struct, is_used: used.contains(&object) },
                );
            }
        }
        candidates
    }

    /// Returns the imports that objects seem to refer to, for each object in the order of its bytes.
    fn references(&self) -> Vec<Vec<i32>> {
        let least = i32::try_from(self.imports.len()).unwrap_or(i32::MAX).saturating_neg();
        let of_one = |number: usize| {
            let mut met = HashSet::new();
            let bytes = self.bytes_of(number).unwrap_or_default();
            let numbers =
                bytes.windows(4).filter_map(|part| part.first_chunk().copied().map(i32::from_le_bytes));
            numbers.filter(|number| (least..0).contains(number) && met.insert(*number)).collect()
        };
        (0..self.exports.len()).map(of_one).collect()
    }

    /// Returns the bytes of an object, as far as they are looked into.
    fn bytes_of(&self, export: usize) -> Option<Vec<u8>> {
        const MOST: u64 = 64 << 20;
        let range = self.package.range(export).ok()?;
        let length = range.end.saturating_sub(range.start).min(MOST);
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        self.package.source().read_at(range.start, &mut bytes).ok()?;
        Some(bytes)
    }

    /// Returns the header.
    /// Returns the summary without what the tables decide.
    fn summary(&self) -> AssetSummary {
        let Self { header, version, .. } = self;
        let head = match &header.versions {
            Some(versions) => {
                VersionNumbers::of(*version, [versions.engine_4, versions.engine_5], versions.licensee)
            }
            None => VersionNumbers::of(*version, [0, 0], 0),
        };
        let mut summary = AssetSummary::new(head);
        summary.folder.clone_from(&header.name);
        summary.flags = header.flags;
        summary.custom_versions =
            header.versions.as_ref().map(|versions| versions.custom.clone()).unwrap_or_default();
        let file_name = header.name.rsplit('/').next().unwrap_or_default();
        summary.package_source = hash::package_source(file_name);
        summary
    }

    fn write(&self) -> Result<AssetHeader, ConvertError> {
        let Self { header, version, .. } = self;
        let (mut imports, mut exports) = (self.imports.clone(), self.exports.clone());
        if version.keeps_import_packages() {
            imports.iter_mut().for_each(|import| import.package = Some(import.name.clone()));
        }
        let preload = preload::into_file(&self.preloads, &mut exports);
        let referenced =
            name_order::referenced(&header.names, header.exports.iter().map(|row| &*row.name), &header.name);
        let of_imports =
            imports.iter().flat_map(|import| [&*import.class_package, &import.class, &import.name]);
        let of_exports = exports.iter().map(|export| &*export.name);
        let needed = of_imports.chain(of_exports).chain([&*header.name]);
        let names = name_order::of_file(header.names.get(..referenced).unwrap_or_default(), needed);

        let mut summary = self.summary();
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        summary.generations = vec![[count(exports.len()), count(names.len())]];
        summary.names_referenced = count(referenced);
        let bulk = self.data_resources();
        let none = |at| crate::ue4to6::asset::HeaderTable { count: 0, at };
        summary.tables.set(TableKind::Payloads, none(u64::MAX));
        if bulk.is_none() {
            summary.tables.set(TableKind::DataResources, none(u32::MAX.into()));
        }

        let section = |tables: &[TableKind], content| HeaderSection { tables: tables.to_vec(), content };
        let depends = vec![Vec::new(); exports.len()];
        let mut sections = vec![
            section(&[TableKind::Names], SectionContent::Names),
            section(&[TableKind::SoftPaths, TableKind::Imports], SectionContent::Imports),
            section(&[TableKind::Exports], SectionContent::Exports),
            section(
                &[TableKind::CellExports, TableKind::CellImports, TableKind::Depends],
                SectionContent::Depends(depends),
            ),
            // It says that nothing of it is there.
            section(&[TableKind::AssetRegistry], SectionContent::Bytes(vec![0; 4])),
            section(&[TableKind::Preload], SectionContent::Preload(preload)),
        ];
        if bulk.is_some() {
            sections.push(section(&[TableKind::DataResources], SectionContent::DataResources));
        }
        if self.filler > 0 {
            sections.push(section(&[], SectionContent::Bytes(vec![0; self.filler])));
        }
        let package_tables =
            AssetTables::assembled(summary, *version, Names::new(names), imports, exports, bulk);
        let mut written = AssetHeader { package: package_tables, sections };
        let objects = written.package.exports.iter().map(|export| export.size).fold(0, u64::saturating_add);
        written.settle(objects)?;
        if version.has_saved_hash() {
            let hash = written.saved_hash(|hasher| self.hash_objects(hasher, objects))?;
            written.package.summary.saved_hash = hash;
        }
        Ok(written)
    }

    /// Adds so many bytes of objects to a hash.
    fn hash_objects(&self, hasher: &mut blake3::Hasher, objects: u64) -> Result<(), ConvertError> {
        let mut at = self.package.objects_at();
        let end = at.saturating_add(objects).min(self.package.source().len());
        let mut bytes = vec![0; 64 << 10];
        while at < end {
            let length = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX).min(bytes.len());
            let part = bytes.get_mut(..length).unwrap_or_default();
            self.package.source().read_at(at, part).map_err(|error| Error::from_io(error, at, WHAT))?;
            hasher.update(part);
            at = at.saturating_add(length as u64);
        }
        Ok(())
    }

    /// Returns where data lies, with whose it is.
    fn data_resources(&self) -> Option<DataResources> {
        let entries = self.header.bulk.as_ref().filter(|entries| !entries.is_empty())?;
        let mut owner = 0;
        let owned = entries.iter().enumerate().map(|(number, entry)| {
            owner = self.owner(number, entry, owner);
            let mut entry = *entry;
            entry.details.owner = ObjectRef::Export(ExportIndex::new(owner));
            entry.details.uncompressed = entry.size;
            entry
        });
        let entries = owned.collect();
        Some(DataResources { form: DataResources::NEWEST, entries })
    }

    /// Returns the object whose some data is: the one that it lies in, or the next one that refers to it. Objects write
    /// their data one after the other.
    fn owner(&self, number: usize, entry: &BulkEntry, before: usize) -> usize {
        if entry.place == BulkFile::Inline {
            let holds = |export: &AssetExport| {
                entry.offset.checked_sub(export.offset).is_some_and(|at| at < export.size)
            };
            return self.exports.iter().position(holds).unwrap_or(before);
        }
        let Ok(number) = u32::try_from(number) else { return before };
        let wanted = number.to_le_bytes();
        let refers = |place: &usize| {
            self.bytes_of(*place).is_some_and(|bytes| bytes.windows(4).any(|part| part == wanted))
        };
        (before..self.exports.len()).find(refers).unwrap_or(before)
    }
}
