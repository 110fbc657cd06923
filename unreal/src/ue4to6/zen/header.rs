//! The whole header of a package of Unreal Engine 5, so that it can be written again.
//!
//! ```text
//! head │ versions │ names │ bulk map │ hashes │ imports │ exports │ cells │ order │ dependencies │ packages
//! ```
//!
//! Source: *packages-ue4-ue6*, §6: 194 packages of 5.8 measured, the forms before 5.3 described.

use serde::{Deserialize, Serialize};

use super::exports::ROW as EXPORT;
use super::stated_versions::ZenVersions;
use super::{WHAT, ZenForm, ZenTables, bulk_map};
use crate::base::document;
use crate::base::error::{Error, Malformed};
use crate::base::fields::{FieldReader, FieldWriter, Fields, NameIndices};
use crate::base::limits::Limits;
use crate::base::names::{without_number, write_batch};
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::base::writer::{ByteWriter, WriteError, narrow};
use crate::ue4to6::bulk::BulkEntry;
use crate::ue4to6::zen::ZenSummary;

/// The header of a package, with all of its tables.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ZenHeader {
    pub(crate) form: ZenForm,
    pub(crate) name: String,
    pub(crate) flags: u32,
    /// How long the header of the package was before it came into a container.
    pub(crate) cooked_header_size: u32,
    pub(crate) versions: Option<ZenVersions>,
    pub(crate) names: Vec<Box<str>>,
    /// None in packages before 5.2.
    pub(crate) bulk: Option<Vec<BulkEntry>>,
    /// Whether fillers come before the bulk map, as from 5.4 on.
    pub(crate) has_filler: bool,
    /// Whether it says where cells are, as from 5.6 on.
    pub(crate) has_cells: bool,
    /// What objects of other packages are known by there.
    #[serde(with = "document::hex64s")]
    pub(crate) hashes: Vec<u64>,
    #[serde(with = "document::hex64s")]
    pub(crate) imports: Vec<u64>,
    pub(crate) exports: Vec<ZenRow>,
    /// Imported cells, and after so many bytes of these the exported ones.
    #[serde(with = "document::base64")]
    pub(crate) cells: Vec<u8>,
    pub(crate) imported_cells: usize,
    /// Which objects are made (0) and read (1), in this order.
    pub(crate) order: Vec<[u32; 2]>,
    /// Of each export; from 5.3 on.
    pub(crate) dependencies: Vec<DependencyCounts>,
    /// Objects as references of a package.
    pub(crate) dependency_entries: Vec<i32>,
    /// Names of the packages that it needs; from 5.3 on.
    pub(crate) packages: Vec<String>,
    /// What bundles depend on, and what the first one has; before 5.3.
    #[serde(with = "document::base64")]
    pub(crate) graph: Vec<u8>,
}

/// An export, as its row has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ZenRow {
    /// Where it begins, counted from the first object on; before 5.3 as in the package that it was.
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) name: String,
    #[serde(with = "document::hex64")]
    pub(crate) outer: u64,
    #[serde(with = "document::hex64")]
    pub(crate) class: u64,
    #[serde(with = "document::hex64")]
    pub(crate) super_object: u64,
    #[serde(with = "document::hex64")]
    pub(crate) template: u64,
    #[serde(with = "document::hex64")]
    pub(crate) public_hash: u64,
    pub(crate) flags: u32,
    /// 1 not for clients, 2 not for servers.
    pub(crate) filter: u8,
}

/// Which dependencies are an export's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DependencyCounts {
    /// The first one; −1 if it had none in the package that it was either.
    pub(crate) first: i32,
    /// Made before it is made, read before it is made, made before it is read, read before it is read.
    pub(crate) counts: [u32; 4],
}

impl ZenRow {
    fn fields<F: Fields>(&mut self, fields: &mut F) -> Result<(), F::Error> {
        fields.u64(&mut self.offset)?;
        fields.u64(&mut self.size)?;
        fields.name(&mut self.name)?;
        for object in [&mut self.outer, &mut self.class, &mut self.super_object, &mut self.template] {
            fields.u64(object)?;
        }
        fields.u64(&mut self.public_hash)?;
        fields.u32(&mut self.flags)?;
        fields.u8(&mut self.filter)?;
        fields.bytes(&mut [0; 3])
    }
}

impl DependencyCounts {
    fn fields<F: Fields>(&mut self, fields: &mut F) -> Result<(), F::Error> {
        fields.i32(&mut self.first)?;
        self.counts.iter_mut().try_for_each(|count| fields.u32(count))
    }
}

/// Bytes of a row of what an export depends on.
const DEPENDENCY: u64 = 20;

impl ZenHeader {
    /// Reads what a package that was read has besides.
    ///
    /// # Errors
    /// If a table ends early, or takes more than the limits allow, or the package is of Unreal Engine 4.
    pub fn read(package: &ZenTables, source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        let summary = &package.summary;
        let names = &package.names;
        let reader = &mut Reader::new(source, WHAT, 0, summary.header_size);
        let rows = |from, to, size, reader: &Reader<'_>| {
            let rows = summary.rows(from, to, size, reader)?;
            u32::try_from(rows).map_err(|_| reader.error(from, Malformed::NoFormFits))
        };
        let mut header = Self::without_tables(package, bulk_map::has_filler(reader, summary));
        let exports = u64::try_from(package.exports.len()).unwrap_or(u64::MAX);
        let exports_end = summary.exports.saturating_add(exports.saturating_mul(EXPORT));
        let [_, entries_at, names_at] = summary.dependencies;
        let count = rows(summary.hashes, summary.imports, 8, reader)?;
        let imports = rows(summary.imports, summary.exports, 8, reader)?;
        let order = rows(summary.bundles, summary.bundles_end, 8, reader)?;
        let entries = rows(entries_at, names_at, 4, reader)?;
        let export_count = narrow("exports", exports).unwrap_or(u32::MAX);
        let fields = &mut FieldReader { reader, limits, names, what: WHAT };
        fields.reader.seek(summary.hashes);
        fields.rows(count, 8, &mut header.hashes, FieldReader::u64)?;
        fields.reader.seek(summary.imports);
        fields.rows(imports, 8, &mut header.imports, FieldReader::u64)?;
        fields.reader.seek(summary.exports);
        fields
            .rows(export_count, EXPORT, &mut header.exports, |fields, row: &mut ZenRow| row.fields(fields))?;
        if let Some([imported, exported]) = summary.cells {
            let bytes = usize::try_from(exported.saturating_sub(imported)).unwrap_or(usize::MAX);
            (header.cells, header.imported_cells) = (fields.plain(exports_end, summary.bundles)?, bytes);
        }
        fields.reader.seek(summary.bundles);
        fields.rows(order, 8, &mut header.order, |fields, [export, command]: &mut [u32; 2]| {
            fields.u32(export)?;
            fields.u32(command)
        })?;
        match summary.form {
            ZenForm::Dependencies => header.read_dependencies(fields, summary, [export_count, entries])?,
            ZenForm::Bundles | ZenForm::Engine4 => {
                header.graph = fields.plain(summary.bundles_end, summary.header_size)?;
            }
        }
        Ok(header)
    }

    /// Creates the header of a package, without the tables that only a header has.
    fn without_tables(package: &ZenTables, has_filler: bool) -> Self {
        let summary = &package.summary;
        Self {
            form: summary.form,
            name: summary.name.clone(),
            flags: summary.flags,
            cooked_header_size: summary.cooked_header_size,
            versions: summary.versions.clone(),
            names: package.names.iter().map(Box::from).collect(),
            bulk: package.bulk.clone(),
            has_filler,
            has_cells: summary.cells.is_some(),
            hashes: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            cells: Vec::new(),
            imported_cells: 0,
            order: Vec::new(),
            dependencies: Vec::new(),
            dependency_entries: Vec::new(),
            packages: package.imports.packages().to_vec(),
            graph: Vec::new(),
        }
    }

    /// Reads what each export depends on: a number of counts, and a number of entries.
    fn read_dependencies(
        &mut self,
        fields: &mut FieldReader<'_, '_>,
        summary: &ZenSummary,
        [counts, entries]: [u32; 2],
    ) -> Result<(), Error> {
        let [counts_at, entries_at, _] = summary.dependencies;
        fields.reader.seek(counts_at);
        let read = |fields: &mut FieldReader<'_, '_>, counts: &mut DependencyCounts| counts.fields(fields);
        fields.rows(counts, DEPENDENCY, &mut self.dependencies, read)?;
        fields.reader.seek(entries_at);
        fields.rows(entries, 4, &mut self.dependency_entries, FieldReader::i32)
    }

    /// Writes the header.
    ///
    /// # Errors
    /// [`WriteError`] if a name is not in the table of names, or the header is longer than it can state.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let mut places = [0; 10];
        // How long the head is does not depend on what it says.
        let head = self.head(&places)?.len();
        let body = self.body(head as u64, &mut places)?;
        let mut header = self.head(&places)?;
        header.extend(body);
        Ok(header)
    }

    /// Returns the bytes of the head: the length of the header first, then where its tables lie.
    fn head(&self, places: &[u64; 10]) -> Result<Vec<u8>, WriteError> {
        let mut fields = self.fields();
        let mut places = places.map(|place| narrow("a place in a header", place));
        let [size, hashes, imports, exports, order, dependencies, entries, packages, cells, cell_exports] =
            &mut places;
        fields.writer.u32(self.versions.is_some().into());
        let put = |fields: &mut FieldWriter<'_>, place: &mut Result<u32, WriteError>| {
            let place = std::mem::replace(place, Ok(0))?;
            fields.writer.u32(place);
            Ok::<(), WriteError>(())
        };
        put(&mut fields, size)?;
        fields.name(&mut self.name.clone())?;
        fields.writer.u32(self.flags);
        fields.writer.u32(self.cooked_header_size);
        for place in [hashes, imports, exports, order, dependencies] {
            put(&mut fields, place)?;
        }
        if self.form == ZenForm::Dependencies {
            put(&mut fields, entries)?;
            put(&mut fields, packages)?;
        }
        if let Some(versions) = &self.versions {
            versions.clone().fields(&mut fields)?;
        }
        if self.has_cells {
            put(&mut fields, cells)?;
            put(&mut fields, cell_exports)?;
        }
        Ok(fields.writer.into_bytes())
    }

    /// Returns what follows the head, which has so many bytes, and where the tables of it lie.
    fn body(&self, head: u64, places: &mut [u64; 10]) -> Result<Vec<u8>, WriteError> {
        let mut fields = self.fields();
        write_batch(&self.names, &mut fields.writer)?;
        if let Some(bulk) = &self.bulk {
            if self.has_filler {
                // So that the rows lie on multiples of eight.
                let rows = head.saturating_add(fields.writer.len()).saturating_add(16);
                let filler = rows.next_multiple_of(8).saturating_sub(rows);
                fields.writer.u64(filler);
                (0..filler).for_each(|_| fields.writer.u8(0));
            }
            fields.writer.u64((bulk.len() as u64).saturating_mul(32));
            bulk.clone().iter_mut().try_for_each(|entry| entry.fields(&mut fields))?;
        }
        let here = |fields: &FieldWriter<'_>| head.saturating_add(fields.writer.len());
        let hashes = here(&fields);
        self.hashes.iter().for_each(|hash| fields.writer.u64(*hash));
        let imports = here(&fields);
        self.imports.iter().for_each(|import| fields.writer.u64(*import));
        let exports = here(&fields);
        self.exports.clone().iter_mut().try_for_each(|row| row.fields(&mut fields))?;
        let cells = here(&fields);
        let cell_exports = cells.saturating_add(self.imported_cells as u64);
        fields.writer.bytes(&self.cells);
        let order = here(&fields);
        self.order.iter().flatten().for_each(|number| fields.writer.u32(*number));
        let dependencies = here(&fields);
        self.dependencies.clone().iter_mut().try_for_each(|counts| counts.fields(&mut fields))?;
        let entries = here(&fields);
        self.dependency_entries.iter().for_each(|entry| fields.writer.i32(*entry));
        let packages = here(&fields);
        if self.form == ZenForm::Dependencies {
            let split: Vec<(&str, u32)> = self.packages.iter().map(|name| without_number(name)).collect();
            let texts: Vec<Box<str>> = split.iter().map(|(text, _)| Box::from(*text)).collect();
            write_batch(&texts, &mut fields.writer)?;
            split.iter().for_each(|(_, number)| fields.writer.u32(*number));
        }
        fields.writer.bytes(&self.graph);
        let size = here(&fields);
        *places =
            [size, hashes, imports, exports, order, dependencies, entries, packages, cells, cell_exports];
        Ok(fields.writer.into_bytes())
    }

    fn fields(&self) -> FieldWriter<'_> {
        let names = self.names.iter().map(|name| &**name);
        FieldWriter { writer: ByteWriter::default(), names: NameIndices::new(names) }
    }
}
