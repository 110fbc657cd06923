//! Lists after the summary, and sizes of the tables that only the summary refers to. They are read on request: damage
//! to them does not keep a package from being opened.

use super::{Package, TableLocation, TableRows, read_string};
use crate::base::error::Error;
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::reader::Reader;
use crate::base::source::Source;

/// Lists at the end of a summary; none where the version has no such list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CookingLists {
    /// Names of packages to cook with this one (Epic: `AdditionalPackagesToCook`).
    pub additional_packages: Option<Vec<String>>,
    /// Textures of a cooked package by size and format (Epic: `TextureAllocations`).
    pub texture_allocations: Option<Vec<TextureAllocation>>,
    /// Offset of the first byte after the lists.
    pub end: u64,
}

/// Textures of one size and format (Epic: `FTextureType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureAllocation {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of mips.
    pub mips: u32,
    /// Pixel format (Epic: `EPixelFormat`).
    pub format: u32,
    /// Creation flags (Epic: `TexCreateFlags`).
    pub flags: u32,
    /// Number of exports that are such textures.
    pub exports: usize,
}

/// Tables of GUIDs of imports and exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuidTables {
    /// Offset of the first entry; 0 if there are no tables.
    pub at: u32,
    /// Number of entries for imports.
    pub imports: u32,
    /// Number of entries for exports.
    pub exports: u32,
}

/// A list of the objects that an export depends on: its count.
const MIN_DEPENDENCY: u64 = 4;
/// A thumbnail: lengths of two strings, and an offset.
const MIN_THUMBNAIL: u64 = 12;
/// GUIDs of a level's imports: the name of the level, and their number.
const MIN_IMPORT_GUIDS: u64 = 12;
/// The GUID of an export: 16 bytes, and the object.
const MIN_EXPORT_GUID: u64 = 20;

impl Package {
    /// Reads the lists after the summary.
    ///
    /// Source: *UELib*; 737 to 868 measured, all without entries.
    ///
    /// # Errors
    /// `Malformed` if a count is larger than the file can hold, or a list ends early; `OverLimit`, `Io`.
    pub fn cooking_lists(&self, source: &dyn Source, limits: &mut Limits) -> Result<CookingLists, Error> {
        let source = source.compressed().unwrap_or(source);
        let fields = &self.layout.summary;
        let mut lists = CookingLists { end: self.summary.end, ..CookingLists::default() };
        if fields.additional_packages {
            const ROWS: TableRows =
                TableRows { what: "additional packages", row: "additional package", min_size: 4 };
            let mut reader = self.reader(source, ROWS.what, lists.end);
            let count = reader.count(ROWS.min_size)?;
            let packages = ROWS.read(&mut reader, count, limits, |reader, limits| {
                let mut name = String::new();
                read_string(reader, &mut name, MAX_PATH, limits)?;
                Ok(name)
            })?;
            lists.additional_packages = Some(packages);
            lists.end = reader.at();
        }
        if fields.texture_allocations {
            const ROWS: TableRows =
                TableRows { what: "texture allocations", row: "texture allocation", min_size: 24 };
            let mut reader = self.reader(source, ROWS.what, lists.end);
            let count = reader.count(ROWS.min_size)?;
            let textures = ROWS.read(&mut reader, count, limits, |reader, _| read_allocation(reader))?;
            lists.texture_allocations = Some(textures);
            lists.end = reader.at();
        }
        Ok(lists)
    }

    /// Returns the table of dependencies, which has an entry for each export; none where the version has no such table.
    ///
    /// # Errors
    /// `Malformed` if the file ends before that many entries.
    pub fn dependencies(&self, source: &dyn Source) -> Result<Option<TableLocation>, Error> {
        let table = |at| {
            let count = if at == 0 { 0 } else { self.summary.exports.count };
            self.check(source, "dependencies", TableLocation { count, at }, MIN_DEPENDENCY)
        };
        self.summary.depends_at.map(table).transpose()
    }

    /// Returns the table of thumbnails; none where the version has no such table.
    ///
    /// # Errors
    /// `Malformed` if the file ends before its count, or before that many entries; `Io`.
    pub fn thumbnails(&self, source: &dyn Source) -> Result<Option<TableLocation>, Error> {
        let table = |at: u32| {
            if at == 0 {
                return Ok(TableLocation::default());
            }
            let mut reader = self.reader(source, "thumbnails", at.into());
            let count = reader.u32()?;
            reader.fitting(count, MIN_THUMBNAIL, at.into())?;
            Ok(TableLocation { count, at })
        };
        self.summary.thumbnails_at.map(table).transpose()
    }

    /// Returns the tables of GUIDs; none where the version has no such tables.
    ///
    /// # Errors
    /// `Malformed` if the file ends before that many entries.
    pub fn guid_tables(&self, source: &dyn Source) -> Result<Option<GuidTables>, Error> {
        let tables = |[at, imports, exports]: [u32; 3]| {
            let table = |count| TableLocation { count, at };
            self.check(source, "import GUIDs", table(imports), MIN_IMPORT_GUIDS)?;
            self.check(source, "export GUIDs", table(exports), MIN_EXPORT_GUID)?;
            Ok(GuidTables { at, imports, exports })
        };
        self.summary.guid_tables.map(tables).transpose()
    }

    /// Returns the indices of the names `None`. The names of each later generation of the package begin with one, at
    /// the index that is the number of names of the generation before; that of the first can be anywhere among its
    /// names.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Name table"; packages of one generation measured.
    pub fn none_names(&self) -> impl Iterator<Item = usize> {
        let names = self.names.iter().enumerate();
        names.filter(|(_, name)| name.text.eq_ignore_ascii_case("None")).map(|(index, _)| index)
    }

    /// Returns a table if the file can hold its entries.
    fn check(
        &self,
        source: &dyn Source,
        what: &'static str,
        table: TableLocation,
        min_size: u64,
    ) -> Result<TableLocation, Error> {
        let at = table.at.into();
        self.reader(source, what, at).fitting(table.count, min_size, at)?;
        Ok(table)
    }

    fn reader<'s>(&self, source: &'s dyn Source, what: &'static str, at: u64) -> Reader<'s> {
        Reader::new(source, what, at, source.len()).with_layout(&self.layout)
    }
}

fn read_allocation(reader: &mut Reader<'_>) -> Result<TextureAllocation, Error> {
    let (width, height, mips) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let (format, flags) = (reader.u32()?, reader.u32()?);
    let exports = reader.count(4)?;
    reader.skip((exports as u64).saturating_mul(4))?;
    Ok(TextureAllocation { width, height, mips, format, flags, exports })
}
