//! Header of a package of Unreal Engine 1 to 3 in detail.

use serde::Serialize;
use unreal::{CookingLists, Error, Generation, Limits, Package, Source, TableLocation, TextureAllocation};

/// Details of a header. A key is missing where the version of the package has no such field.
#[derive(Debug, Default, Serialize)]
pub(super) struct PackageHeaderRow {
    generation_list: Vec<GenerationRow>,
    heritage_list: Vec<String>,
    none_names: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    header_size: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<TableRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid_tables: Option<GuidTablesRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnails: Option<TableRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cooker_version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    package_source: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_packages: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    texture_allocations: Option<Vec<TextureAllocationRow>>,
    /// Fields that cannot be read, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    header_errors: Vec<String>,
}

/// Table sizes of a generation.
#[derive(Debug, Serialize)]
struct GenerationRow {
    exports: u32,
    names: u32,
    net_objects: Option<u32>,
}

/// Offset and number of entries of a table.
#[derive(Debug, Serialize)]
struct TableRow {
    offset: u32,
    count: u32,
}

/// Offset and numbers of entries of the tables of GUIDs.
#[derive(Debug, Serialize)]
struct GuidTablesRow {
    offset: u32,
    imports: u32,
    exports: u32,
}

/// Textures of one size and format.
#[derive(Debug, Serialize)]
struct TextureAllocationRow {
    width: u32,
    height: u32,
    mips: u32,
    format: u32,
    flags: u32,
    exports: usize,
}

impl PackageHeaderRow {
    /// Describes the header of a package, which is read from its decompressed bytes.
    #[must_use]
    pub(super) fn new(package: &Package, source: &dyn Source) -> Self {
        let summary = package.summary();
        let mut errors = Vec::new();
        let dependencies = read(package.dependencies(source), &mut errors).map(TableRow::from);
        let guid_tables = read(package.guid_tables(source), &mut errors);
        let thumbnails = read(package.thumbnails(source), &mut errors).map(TableRow::from);
        let lists = read(package.cooking_lists(source, &mut Limits::default()).map(Some), &mut errors);
        let CookingLists { additional_packages, texture_allocations, .. } = lists.unwrap_or_default();
        let rows = |textures: Vec<TextureAllocation>| textures.into_iter().map(TextureAllocationRow::from);
        Self {
            generation_list: summary.generations.iter().map(GenerationRow::from).collect(),
            heritage_list: summary.heritage.iter().map(ToString::to_string).collect(),
            none_names: package.none_names().collect(),
            header_size: summary.header_size,
            dependencies,
            guid_tables: guid_tables.map(|tables| GuidTablesRow {
                offset: tables.at,
                imports: tables.imports,
                exports: tables.exports,
            }),
            thumbnails,
            engine_version: summary.engine_version,
            cooker_version: summary.cooker_version,
            package_source: summary.package_source,
            additional_packages,
            texture_allocations: texture_allocations.map(|textures| rows(textures).collect()),
            header_errors: errors,
        }
    }
}

/// Returns a field, or adds the reason why it cannot be read.
fn read<T>(field: Result<Option<T>, Error>, errors: &mut Vec<String>) -> Option<T> {
    field.unwrap_or_else(|error| {
        errors.push(error.to_string());
        None
    })
}

impl From<&Generation> for GenerationRow {
    fn from(generation: &Generation) -> Self {
        let Generation { exports, names, net_objects } = *generation;
        Self { exports, names, net_objects }
    }
}

impl From<TableLocation> for TableRow {
    fn from(table: TableLocation) -> Self {
        Self { offset: table.at, count: table.count }
    }
}

impl From<TextureAllocation> for TextureAllocationRow {
    fn from(textures: TextureAllocation) -> Self {
        let TextureAllocation { width, height, mips, format, flags, exports } = textures;
        Self { width, height, mips, format, flags, exports }
    }
}
