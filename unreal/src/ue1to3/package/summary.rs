use super::{TableRows, read_string};
use crate::base::error::Error;
use crate::base::guid::Guid;
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::ue1to3::inflated::CompressedChunk;
use crate::ue1to3::version::{Layout, Lineage};

/// Summary at the start of a package (Epic: `FPackageFileSummary`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Package flags; bit 0 lets clients download it.
    pub flags: u32,
    /// The name table.
    pub names: TableLocation,
    /// The export table.
    pub exports: TableLocation,
    /// The import table.
    pub imports: TableLocation,
    /// What tells this package from others of the same name: stated, or the last of the heritage. None if the
    /// heritage is empty.
    pub guid: Option<Guid>,
    /// Table sizes of this package and its predecessors, oldest first; empty where there is a heritage instead.
    pub generations: Vec<Generation>,
    /// GUIDs of this package and its predecessors, oldest first; empty where there are generations instead.
    pub heritage: Vec<Guid>,
    /// Bytes of summary and tables.
    pub header_size: Option<u32>,
    /// A folder, `None` as a rule; empty before there were any.
    pub folder: String,
    /// Place of the dependencies.
    pub depends_at: Option<u32>,
    /// Place of the GUID tables and sizes of those of imports and exports.
    pub guid_tables: Option<[u32; 3]>,
    /// Place of the thumbnails.
    pub thumbnails_at: Option<u32>,
    /// Version of the engine that wrote it.
    pub engine_version: Option<u32>,
    /// Version of the cooker that wrote it; 0 if none did.
    pub cooker_version: Option<u32>,
    /// Compression flags of the chunks (Epic: `CompressionFlags`).
    pub compression: u32,
    /// Compressed chunks; none if the package is not compressed.
    pub chunks: Vec<CompressedChunk>,
    /// Source of the package, as a hash (Epic: `PackageSource`).
    pub package_source: Option<u32>,
    /// Offset of the first byte after these fields; 0 where there is a heritage.
    pub end: u64,
}

/// Offset and number of entries of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableLocation {
    /// Number of entries.
    pub count: u32,
    /// Place of the first entry in the file.
    pub at: u32,
}

/// Sizes of the tables of a package's generation (Epic: `FGenerationInfo`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Entries of the export table.
    pub exports: u32,
    /// Entries of the name table.
    pub names: u32,
    /// Objects that a network knows; none where that is not stated.
    pub net_objects: Option<u32>,
}

/// Reads the summary.
///
/// Source: Unreal Wiki, *Unreal package*, "Package header"; versions 35 to 868 measured.
pub(crate) fn read(source: &dyn Source, layout: &Layout, limits: &mut Limits) -> Result<Summary, Error> {
    let mut reader = Reader::new(source, "summary", 0, source.len()).with_layout(layout);
    let fields = &layout.summary;
    let mut summary = Summary::default();
    let word = |reader: &mut Reader<'_>, there: bool| there.then(|| reader.u32()).transpose();
    // Tag and version were read to know the layout.
    reader.skip(8)?;
    summary.header_size = word(&mut reader, fields.header_size)?;
    if fields.folder {
        read_string(&mut reader, &mut summary.folder, MAX_PATH, limits)?;
    }
    summary.flags = reader.u32()?;
    summary.names = read_table(&mut reader)?;
    summary.exports = read_table(&mut reader)?;
    summary.imports = read_table(&mut reader)?;
    if layout.lineage == Lineage::Heritage {
        let table = read_table(&mut reader)?;
        summary.heritage = read_heritage(source, layout, table, limits)?;
        summary.guid = summary.heritage.last().copied();
        return Ok(summary);
    }
    summary.depends_at = word(&mut reader, fields.depends)?;
    if fields.guid_tables {
        summary.guid_tables = Some([reader.u32()?, reader.u32()?, reader.u32()?]);
    }
    summary.thumbnails_at = word(&mut reader, fields.thumbnails)?;
    summary.guid = Some(reader.guid()?);
    summary.generations = read_generations(&mut reader, layout, limits)?;
    summary.engine_version = word(&mut reader, fields.engine_version)?;
    summary.cooker_version = word(&mut reader, fields.cooker_version)?;
    if fields.compression {
        summary.compression = reader.u32()?;
        summary.chunks = read_chunks(&mut reader, limits)?;
    }
    summary.package_source = word(&mut reader, fields.package_source)?;
    summary.end = reader.at();
    Ok(summary)
}

/// Returns where the summary says where the exports are.
///
/// # Errors
/// If it ends early.
pub(crate) fn exports_at(source: &dyn Source, layout: &Layout, limits: &mut Limits) -> Result<u64, Error> {
    let mut reader = Reader::new(source, "summary", 0, source.len()).with_layout(layout);
    let fields = &layout.summary;
    // As `read` goes through it.
    reader.skip(8)?;
    if fields.header_size {
        reader.skip(4)?;
    }
    if fields.folder {
        read_string(&mut reader, &mut String::new(), MAX_PATH, limits)?;
    }
    // Flags, the names, and how many exports there are.
    reader.skip(4 + 8 + 4)?;
    Ok(reader.at())
}

fn read_table(reader: &mut Reader<'_>) -> Result<TableLocation, Error> {
    Ok(TableLocation { count: reader.u32()?, at: reader.u32()? })
}

fn read_heritage(
    source: &dyn Source,
    layout: &Layout,
    table: TableLocation,
    limits: &mut Limits,
) -> Result<Vec<Guid>, Error> {
    const ROWS: TableRows = TableRows { what: "heritage table", row: "heritage", min_size: 16 };
    ROWS.read_table(source, layout, table, limits, |reader, _| reader.guid())
}

fn read_generations(
    reader: &mut Reader<'_>,
    layout: &Layout,
    limits: &mut Limits,
) -> Result<Vec<Generation>, Error> {
    let net_objects = layout.summary.net_objects;
    let smallest = if net_objects { 12 } else { 8 };
    let rows = TableRows { what: "summary", row: "generation", min_size: smallest };
    let count = reader.count(smallest)?;
    rows.read(reader, count, limits, |reader, _| {
        let (exports, names) = (reader.u32()?, reader.u32()?);
        Ok(Generation { exports, names, net_objects: net_objects.then(|| reader.u32()).transpose()? })
    })
}

fn read_chunks(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<Vec<CompressedChunk>, Error> {
    const ROWS: TableRows = TableRows { what: "summary", row: "chunk", min_size: 16 };
    let count = reader.count(ROWS.min_size)?;
    ROWS.read(reader, count, limits, |reader, _| {
        Ok(CompressedChunk {
            at: reader.u32()?,
            size: reader.u32()?,
            stored_at: reader.u32()?,
            stored: reader.u32()?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guid_is_shown_as_32_digits_in_the_order_of_its_numbers() {
        let guid = Guid::new([0x0011_2233, 0x4455_6677, 0x8899_AABB, 0xCCDD_EEFF]);
        assert_eq!(guid.to_string(), "00112233-4455-6677-8899-AABBCCDDEEFF");
    }
}
