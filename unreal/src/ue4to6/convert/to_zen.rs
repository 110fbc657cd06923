//! A package of files turned into one of a container.
//!
//! ```text
//! name of an import ──► number │ place of its package, place of its hash
//! what has to be there before objects ──► the order in which they are made and read
//! ```

use crate::base::error::Malformed;
use std::collections::HashMap;
use std::ops::Range;

use super::game_objects::ANY_CLASS;
use super::load_order::{self, load_order};
use super::preload::{self, Preload};
use super::spliced_package::{SplicedPackage, is_marked};
use super::{CELLS, ConvertError, END_OF_OBJECTS, NOT_FOR_CLIENT, NOT_FOR_SERVER, PUBLIC, name_order};
use crate::base::error::Error;
use crate::base::hash;
use crate::base::limits::Limits;
use crate::base::object_ref::{ExportIndex, ImportIndex, ObjectRef};
use crate::base::source::Source;
use crate::base::writer::{ByteWriter, WriteError, narrow};
use crate::ue4to6::asset::{AssetExport, AssetHeader, AssetImport, AssetTables, TableKind};
use crate::ue4to6::bulk::BulkFile;
use crate::ue4to6::package::{AssetPackage, PackageTables};
use crate::ue4to6::zen::{
    ZenForm, ZenHeader, ZenObject, ZenRow, ZenVersions, import_number, import_parts, number_of_name,
};

const WHAT: &str = "package";

/// A package as the chunk of a container.
#[derive(Debug)]
pub struct ZenChunk {
    header: Vec<u8>,
    /// Its objects: these bytes of the package that it was, in this order.
    objects: Vec<Range<u64>>,
    /// Whether [`END_OF_OBJECTS`] comes after them.
    is_marked: bool,
    /// Number of exports.
    pub exports: u32,
    /// The numbers of the packages that it needs, sorted.
    pub imports: Vec<u64>,
}

impl ZenChunk {
    /// Returns all of its bytes, given the package that it was.
    #[must_use]
    pub fn into_source<'p>(self, package: impl Source + 'p) -> SplicedPackage<'p> {
        let mark = if self.is_marked { END_OF_OBJECTS.to_vec() } else { Vec::new() };
        SplicedPackage::new(package, self.header, self.objects, mark)
    }
}

/// Turns a package of files into one of a container.
///
/// # Errors
/// [`ConvertError`] if the package is one of a container or not cooked, has what containers of that form cannot hold,
/// its tables contradict themselves, or its header cannot be written.
pub fn to_zen(package: &AssetPackage, form: ZenForm, limits: &mut Limits) -> Result<ZenChunk, ConvertError> {
    let PackageTables::Asset(tables) = package.tables() else { return Err(ConvertError::Already) };
    let read = AssetHeader::read(package.source(), Some(tables.version()), limits)?;
    let tables = read.package();
    check(tables, form)?;
    let imports = ImportNumbers::new(tables)?;
    let mut rows = Vec::with_capacity(tables.exports().len());
    for (number, export) in tables.exports().iter().enumerate() {
        rows.push(imports.row(tables, number, export)?);
    }
    let mut preloads = preload::of_file(&read, limits)?;
    for preload in &mut preloads {
        preload.retain(|number| imports.is_kept(number));
    }
    let is_public: Vec<bool> = rows.iter().map(|row| row.public_hash != 0).collect();
    let order = load_order(&is_public, &preloads).ok_or(ConvertError::Circle)?;

    let begin = tables.summary().header_size;
    let is_marked = form == ZenForm::Dependencies && is_marked(package.source(), begin)?;
    let objects = if form == ZenForm::Dependencies {
        objects_in_place(package, begin, is_marked, &mut rows)?
    } else {
        objects_in_order(package, &order)
    };
    let mut header = ZenHeader {
        form,
        name: package.name().to_owned(),
        flags: tables.summary().flags,
        cooked_header_size: cooked_header_size(tables)?,
        versions: versions(tables, form),
        names: names(tables, package.name()),
        bulk: None,
        has_filler: tables.version().aligns_bulk_maps(),
        has_cells: tables.version().has_cells(),
        hashes: imports.hashes,
        imports: imports.numbers,
        exports: rows,
        cells: Vec::new(),
        imported_cells: 0,
        order,
        dependencies: Vec::new(),
        dependency_entries: Vec::new(),
        packages: Vec::new(),
        graph: Vec::new(),
    };
    if tables.version().has_data_resources() {
        header.bulk = Some(tables.bulk().unwrap_or_default().to_vec());
    }
    let ids = imports.packages.iter().map(|package| package.id).collect();
    match form {
        ZenForm::Dependencies => {
            (header.dependencies, header.dependency_entries) = preload::into_chunk(&preloads);
            header.packages = imports.packages.into_iter().map(|package| package.name).collect();
        }
        ZenForm::Bundles | ZenForm::Engine4 => header.graph = graph(&header, &imports.packages, &preloads)?,
    }
    let exports = narrow("exports", header.exports.len() as u64)?;
    Ok(ZenChunk { header: header.write()?, objects, is_marked, exports, imports: ids })
}

/// Returns the range of all objects in the file, which keep their order, and makes the offsets of rows count from it.
fn objects_in_place(
    package: &AssetPackage,
    begin: u64,
    is_marked: bool,
    rows: &mut [ZenRow],
) -> Result<Vec<Range<u64>>, Error> {
    for row in rows {
        let outside = || Error::malformed(Malformed::NoFormFits, row.offset, WHAT);
        row.offset = row.offset.checked_sub(begin).ok_or_else(outside)?;
    }
    let mark = if is_marked { END_OF_OBJECTS.len() as u64 } else { 0 };
    Ok(std::iter::once(begin..package.source().len().saturating_sub(mark)).collect())
}

/// Returns the ranges of objects in the file, in the order in which they are loaded.
fn objects_in_order(package: &AssetPackage, order: &[[u32; 2]]) -> Vec<Range<u64>> {
    let read = order.iter().filter(|[_, command]| *command == load_order::READ);
    let numbers = read.filter_map(|[export, _]| usize::try_from(*export).ok());
    numbers.filter_map(|number| package.range(number).ok()).collect()
}

/// Checks that a package has nothing that would be lost.
fn check(tables: &AssetTables, form: ZenForm) -> Result<(), ConvertError> {
    let summary = tables.summary();
    let has = |kind| summary.tables.get(kind).count > 0;
    if form == ZenForm::Engine4 {
        return Err(ConvertError::Unsupported("containers of Unreal Engine 4 are not written"));
    }
    if !summary.is_filtered() {
        return Err(ConvertError::Unsupported("the package is not cooked"));
    }
    if has(TableKind::CellExports) || has(TableKind::CellImports) {
        return Err(ConvertError::Unsupported(CELLS));
    }
    let is_at_end = |place| place == BulkFile::EndOfPackage;
    if tables.bulk().unwrap_or_default().iter().any(|entry| is_at_end(entry.place)) {
        return Err(ConvertError::Unsupported("the package has data after its objects"));
    }
    Ok(())
}

/// Returns how long the header is, as containers say: without what the cooker of 5.7 and later adds.
fn cooked_header_size(tables: &AssetTables) -> Result<u32, WriteError> {
    let size = tables.summary().header_size;
    let has_package = |import: &AssetImport| import.package.is_some();
    let adds = tables.version().keeps_import_packages() && tables.imports().iter().all(has_package);
    let added = if adds { (tables.imports().len() as u64).saturating_add(1).saturating_mul(8) } else { 0 };
    narrow("bytes of a header", size.saturating_sub(added))
}

/// Returns the versions that a package states, if it states any.
fn versions(tables: &AssetTables, form: ZenForm) -> Option<ZenVersions> {
    let summary = tables.summary();
    summary.stated?;
    let zen = match form {
        ZenForm::Dependencies => ZenVersions::NEWEST,
        ZenForm::Bundles | ZenForm::Engine4 => tables.version().has_data_resources().into(),
    };
    let head = summary.head;
    Some(ZenVersions {
        zen,
        engine_4: head.engine_4,
        engine_5: head.engine_5,
        licensee: head.licensee,
        custom: summary.custom_versions.clone(),
    })
}

/// Returns the names that are left: those that objects refer to, of exports, and of the package.
fn names(tables: &AssetTables, package: &str) -> Vec<Box<str>> {
    let count = usize::try_from(tables.summary().names_referenced).unwrap_or(usize::MAX);
    let mut names: Vec<Box<str>> = tables.names().take(count).map(Box::from).collect();
    let exports = tables.exports().iter().map(|export| &*export.name);
    let further = name_order::appended(&names, exports, package);
    names.extend(further);
    names
}

/// A package that another needs.
#[derive(Debug)]
struct ImportedPackage {
    id: u64,
    name: String,
}

/// What a package imports, as numbers.
#[derive(Debug)]
struct ImportNumbers {
    /// Of each row.
    numbers: Vec<u64>,
    /// What objects of other packages are known by there.
    hashes: Vec<u64>,
    /// Sorted by their numbers.
    packages: Vec<ImportedPackage>,
}

impl ImportNumbers {
    fn new(tables: &AssetTables) -> Result<Self, ConvertError> {
        let rows = tables.imports();
        let mut packages = Vec::new();
        for import in rows.iter().filter(|import| is_package(import)) {
            packages.push(ImportedPackage { id: package_id(&import.name), name: import.name.clone() });
        }
        packages.sort_by_key(|package| package.id);
        packages.dedup_by_key(|package| package.id);
        let places: HashMap<u64, u64> = packages.iter().map(|package| package.id).zip(0..).collect();
        let mut imports = Self { numbers: Vec::with_capacity(rows.len()), hashes: Vec::new(), packages };
        let mut hashes: HashMap<u64, u64> = HashMap::new();
        for (place, import) in rows.iter().enumerate() {
            let number = if is_package(import) {
                u64::MAX
            } else if let Some(id) = unknown(import).filter(|_| import.outer == ObjectRef::None) {
                id
            } else {
                let names = tables.names_of(ObjectRef::Import(ImportIndex::new(place)));
                let names = names.ok_or(ConvertError::Import(place))?;
                let (package, names) = names.split_first().ok_or(ConvertError::Import(place))?;
                match places.get(&package_id(package)) {
                    Some(package) => {
                        let hash = unknown(import).unwrap_or_else(|| hash::public_export(&names.join("/")));
                        let next = imports.hashes.len() as u64;
                        let hash_place = *hashes.entry(hash).or_insert(next);
                        if hash_place == next {
                            imports.hashes.push(hash);
                        }
                        import_number([*package, hash_place])
                    }
                    None if package.starts_with(SCRIPT) => {
                        let path = [package].into_iter().chain(names).copied().collect::<Vec<_>>().join("/");
                        hash::script_object(&path)
                    }
                    None => return Err(ConvertError::Import(place)),
                }
            };
            imports.numbers.push(number);
        }
        Ok(imports)
    }

    /// Returns the number of an object.
    fn number(&self, object: ObjectRef) -> Result<u64, ConvertError> {
        match object {
            ObjectRef::None => Ok(u64::MAX),
            ObjectRef::Export(index) => Ok(index.get() as u64),
            ObjectRef::Import(index) => {
                self.numbers.get(index.get()).copied().ok_or(ConvertError::Import(index.get()))
            }
        }
    }

    /// Returns whether containers say anything of an object: of the code they do not.
    fn is_kept(&self, number: i32) -> bool {
        match ObjectRef::from_number(number) {
            ObjectRef::None => false,
            ObjectRef::Export(_) => true,
            object @ ObjectRef::Import(_) => {
                self.number(object).is_ok_and(|number| matches!(ZenObject::of(number), ZenObject::Package(_)))
            }
        }
    }

    /// Returns the row of an object.
    fn row(&self, tables: &AssetTables, number: usize, export: &AssetExport) -> Result<ZenRow, ConvertError> {
        let is_public = export.flags & PUBLIC != 0 || export.public_hash != 0;
        let object = ObjectRef::Export(ExportIndex::new(number));
        let path =
            || tables.names_of(object).map(|names| names.join("/")).ok_or(ConvertError::Export(number));
        Ok(ZenRow {
            offset: export.offset,
            size: export.size,
            name: export.name.clone(),
            outer: self.number(export.outer)?,
            class: self.number(export.class)?,
            super_object: self.number(export.super_object)?,
            template: self.number(export.template)?,
            public_hash: if is_public { hash::public_export(&path()?) } else { 0 },
            flags: export.flags,
            filter: match (export.not_for_client, export.not_for_server) {
                (0, 0) => 0,
                (0, _) => NOT_FOR_SERVER,
                _ => NOT_FOR_CLIENT,
            },
        })
    }
}

/// Packages of the game's code begin so.
const SCRIPT: &str = "/Script/";

/// Returns whether a row is a package that has to be loaded.
fn is_package(import: &AssetImport) -> bool {
    import.class == "Package" && import.outer == ObjectRef::None && !import.name.starts_with(SCRIPT)
}

/// Returns the number of a package; that which it is called after if nobody knew its name.
fn package_id(name: &str) -> u64 {
    name.strip_prefix('/').and_then(number_of_name).unwrap_or_else(|| hash::package_id(name))
}

/// Returns the number that a row is called after, if nobody knew what it was.
fn unknown(import: &AssetImport) -> Option<u64> {
    let is_any = [&*import.class_package, &*import.class] == ANY_CLASS;
    number_of_name(&import.name).filter(|_| is_any)
}

/// Returns the bundle of all objects, and on what it waits.
fn graph(
    header: &ZenHeader,
    packages: &[ImportedPackage],
    preloads: &[Preload],
) -> Result<Vec<u8>, WriteError> {
    let mut graph = ByteWriter::default();
    // Where it begins, its first step, and how many it has.
    graph.u64(0);
    graph.u32(0);
    graph.u32(narrow("steps of a bundle", header.order.len() as u64)?);
    // Nothing within the package waits for another bundle.
    graph.u32(0);
    let waits_for = |package: usize| {
        let mut arcs = Vec::new();
        for preload in preloads {
            let [read_read, made_read, read_made, made_made] = preload.lists.each_ref();
            let read = read_read.iter().chain(read_made).map(|object| (object, load_order::READ));
            let made = made_read.iter().chain(made_made).map(|object| (object, load_order::MADE));
            for (object, command) in read.chain(made) {
                let ObjectRef::Import(index) = ObjectRef::from_number(*object) else { continue };
                let number = header.imports.get(index.get()).copied().unwrap_or(u64::MAX);
                let [of, _] = import_parts(number);
                let arc = (index.get(), command);
                if of == package as u64 && !arcs.contains(&arc) {
                    arcs.push(arc);
                }
            }
        }
        arcs
    };
    for package in 0..packages.len() {
        let arcs = waits_for(package);
        graph.count("dependencies", arcs.len())?;
        for (import, command) in arcs {
            graph.u32(narrow("imports", import as u64)?);
            graph.u8(u8::try_from(command).unwrap_or_default());
            graph.u32(0);
        }
    }
    Ok(graph.into_bytes())
}
