//! The head of a package: what it is called, and where its tables lie.

use serde::{Deserialize, Serialize};

use super::header_tables::{HeaderTable, HeaderTables, TableKind};
use crate::base::document;
use crate::base::error::{Error, Malformed};
use crate::base::fields::{FieldReader, Fields};
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::package_tag::TAG;
use crate::base::reader::Reader;
use crate::ue4to6::version::{
    AssetLayout, AssetVersion, CustomVersion, CustomVersions, HeadForm, HeaderIdentity,
};

const WHAT: &str = "head of a package";

/// A package without what only the editor needs.
const FLAG_FILTERED: u32 = 0x8000_0000;
/// A package whose properties have no tags.
const FLAG_UNVERSIONED: u32 = 0x2000;

/// A build of the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineBuild {
    /// Major, minor, patch.
    pub numbers: [u16; 3],
    /// Changelist; the highest bit says that a licensee built it.
    pub changelist: u32,
    /// Name of the branch.
    pub branch: String,
}

/// The numbers that a package begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct VersionNumbers {
    /// The first, which is below zero.
    pub(crate) number: i32,
    pub(crate) engine_3: u32,
    pub(crate) engine_4: u32,
    pub(crate) engine_5: u32,
    pub(crate) licensee: u32,
}

/// The head of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetSummary {
    /// The version that it states; none in most games, whose version follows from the tables.
    pub stated: Option<AssetVersion>,
    /// The folder that it states, or its own path; `None` in many.
    pub folder: String,
    /// Package flags (Epic: `EPackageFlags`).
    pub flags: u32,
    /// Size of the header in bytes; the objects may follow in another file (Epic: `TotalHeaderSize`).
    pub header_size: u64,
    /// Offset of bulk data after the objects (Epic: `BulkDataStartOffset`).
    pub bulk_at: u64,
    /// Versions of parts of the engine.
    pub custom_versions: Vec<CustomVersion>,
    pub(crate) head: VersionNumbers,
    /// A hash of the package as it was saved; from 5.6 on.
    #[serde(with = "document::hex")]
    pub(crate) saved_hash: [u8; 20],
    /// Before 5.6.
    #[serde(with = "document::hex")]
    pub(crate) guid: [u8; 16],
    pub(crate) localization: String,
    #[serde(with = "document::hex")]
    pub(crate) persistent_guid: [u8; 16],
    #[serde(with = "document::hex")]
    pub(crate) owner_guid: [u8; 16],
    /// How many exports and names each had.
    pub(crate) generations: Vec<[u32; 2]>,
    /// The one that saved it, and the first that can read it.
    pub(crate) engines: [EngineBuild; 2],
    pub(crate) compression: u32,
    pub(crate) compressed_chunks: Vec<[u8; 16]>,
    pub(crate) package_source: u32,
    pub(crate) additional_packages: Vec<String>,
    pub(crate) chunk_ids: Vec<u32>,
    pub(crate) names_referenced: u32,
    pub(crate) tables: HeaderTables,
    /// Where the head ends.
    #[serde(skip)]
    pub(super) end: u64,
}

impl VersionNumbers {
    /// Reads them.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        if reader.u32()? != TAG {
            return Err(reader.error(0, Malformed::NoFormFits));
        }
        let mut head = Self { number: reader.i32()?, engine_3: 0, engine_4: 0, engine_5: 0, licensee: 0 };
        let form = HeadForm::of(head.number).ok_or_else(|| reader.error(4, Malformed::NoFormFits))?;
        let mut nothing = Limits::default();
        let names = Names::default();
        head.fields(&mut FieldReader { reader, limits: &mut nothing, names: &names, what: WHAT }, form)?;
        Ok(head)
    }

    /// Returns the head of a package of a version which states those versions and that of a licensee: zeros where it
    /// states none.
    pub(crate) const fn of(version: AssetVersion, stated: [u32; 2], licensee: u32) -> Self {
        let [engine_4, engine_5] = stated;
        let engine_3 = if matches!(stated, [0, 0]) { 0 } else { 864 };
        Self { number: version.head_number(), engine_3, engine_4, engine_5, licensee }
    }

    /// Goes through what follows the first two.
    fn fields<F: Fields>(&mut self, fields: &mut F, form: HeadForm) -> Result<(), F::Error> {
        fields.u32_if(form.has_engine_3, &mut self.engine_3)?;
        fields.u32(&mut self.engine_4)?;
        fields.u32_if(form.has_engine_5, &mut self.engine_5)?;
        fields.u32(&mut self.licensee)
    }

    /// Returns the version that it states, if it states one.
    pub(crate) const fn stated(&self) -> Option<AssetVersion> {
        AssetVersion::new(self.engine_4, self.engine_5)
    }
}

impl AssetSummary {
    /// Returns the head of a package that has nothing yet.
    pub(crate) fn new(head: VersionNumbers) -> Self {
        Self {
            stated: head.stated(),
            head,
            folder: String::new(),
            flags: 0,
            header_size: 0,
            bulk_at: 0,
            custom_versions: Vec::new(),
            saved_hash: [0; 20],
            guid: [0; 16],
            localization: String::new(),
            persistent_guid: [0; 16],
            owner_guid: [0; 16],
            generations: Vec::new(),
            engines: Default::default(),
            compression: 0,
            compressed_chunks: Vec::new(),
            package_source: 0,
            additional_packages: Vec::new(),
            chunk_ids: Vec::new(),
            names_referenced: 0,
            tables: HeaderTables::default(),
            end: 0,
        }
    }

    /// Reads it, from the first byte of the file on, as a layout has it.
    ///
    /// # Errors
    /// If it ends early or contradicts itself, or takes more than the limits allow.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        head: VersionNumbers,
        layout: &AssetLayout,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        reader.seek(0);
        let mut summary = Self::new(head);
        let names = Names::default();
        let mut fields = FieldReader { reader, limits, names: &names, what: WHAT };
        let allocations = summary.fields(&mut fields, layout)?;
        summary.end = reader.at();
        if allocations != 0 {
            return Err(reader.error(reader.at(), Malformed::NoFormFits));
        }
        let names_at = summary.names().at;
        if names_at < summary.end || names_at > reader.end() {
            return Err(reader.error(summary.end, Malformed::NoFormFits));
        }
        Ok(summary)
    }

    /// Goes through its fields, from the first byte of the file on; returns how much it says of textures, which should
    /// be nothing.
    pub(super) fn fields<F: Fields>(
        &mut self,
        fields: &mut F,
        layout: &AssetLayout,
    ) -> Result<u32, F::Error> {
        let form = HeadForm::of(self.head.number).unwrap_or(HeadForm::NEWEST);
        fields.u32(&mut TAG.clone())?;
        fields.i32(&mut self.head.number)?;
        self.head.fields(fields, form)?;
        if layout.identity == HeaderIdentity::SavedHash {
            fields.bytes(&mut self.saved_hash)?;
            fields.long(false, &mut self.header_size)?;
        }
        custom_versions(fields, form.custom_versions, &mut self.custom_versions)?;
        if layout.identity == HeaderIdentity::Guid {
            fields.long(false, &mut self.header_size)?;
        }
        fields.string(&mut self.folder)?;
        fields.u32(&mut self.flags)?;
        self.tables_of_objects(fields, layout)?;
        let is_filtered = self.is_filtered();
        if layout.identity == HeaderIdentity::Guid {
            fields.bytes(&mut self.guid)?;
        }
        if !is_filtered && layout.persistent_guid {
            fields.bytes(&mut self.persistent_guid)?;
        }
        if !is_filtered && layout.owner_guid {
            fields.bytes(&mut self.owner_guid)?;
        }
        fields.list(8, &mut self.generations, |fields, [exports, names]| {
            fields.u32(exports)?;
            fields.u32(names)
        })?;
        self.engines(fields, layout)?;
        fields.u32(&mut self.compression)?;
        fields.list(16, &mut self.compressed_chunks, F::bytes)?;
        fields.u32(&mut self.package_source)?;
        fields.list(4, &mut self.additional_packages, F::string)?;
        let mut allocations = 0;
        fields.u32_if(form.has_texture_allocations, &mut allocations)?;
        self.place(fields, true, TableKind::AssetRegistry)?;
        self.tables_of_cooking(fields, layout)?;
        Ok(allocations)
    }

    /// Goes through the tables of names, imports and exports, and what is known of these.
    fn tables_of_objects<F: Fields>(&mut self, fields: &mut F, layout: &AssetLayout) -> Result<(), F::Error> {
        use TableKind as Kind;
        self.rows(fields, true, Kind::Names)?;
        self.rows(fields, layout.soft_objects, Kind::SoftPaths)?;
        if layout.localization && !self.is_filtered() {
            fields.string(&mut self.localization)?;
        }
        self.rows(fields, layout.gatherable_text, Kind::GatherableText)?;
        self.rows(fields, true, Kind::Exports)?;
        self.rows(fields, true, Kind::Imports)?;
        self.rows(fields, layout.cells, Kind::CellExports)?;
        self.rows(fields, layout.cells, Kind::CellImports)?;
        self.place(fields, layout.metadata, Kind::Metadata)?;
        self.place(fields, true, Kind::Depends)?;
        self.rows(fields, layout.soft_packages, Kind::SoftPackages)?;
        self.place(fields, layout.searchable_names, Kind::SearchableNames)?;
        self.place(fields, true, Kind::Thumbnails)?;
        self.rows(fields, layout.type_hierarchies, Kind::TypeHierarchies)
    }

    /// Goes through the builds that saved the package, and that can read it.
    fn engines<F: Fields>(&mut self, fields: &mut F, layout: &AssetLayout) -> Result<(), F::Error> {
        for engine in self.engines.iter_mut().take(1_usize.saturating_add(layout.compatible_engine.into())) {
            if layout.engine_numbers {
                engine.numbers.iter_mut().try_for_each(|number| fields.u16(number))?;
            }
            fields.u32(&mut engine.changelist)?;
            if layout.engine_numbers {
                fields.string(&mut engine.branch)?;
            }
        }
        Ok(())
    }

    /// Goes through the offset of bulk data, and the tables that cooking and loading need.
    fn tables_of_cooking<F: Fields>(&mut self, fields: &mut F, layout: &AssetLayout) -> Result<(), F::Error> {
        use TableKind as Kind;
        fields.u64(&mut self.bulk_at)?;
        self.place(fields, layout.world_tile, Kind::WorldTile)?;
        if layout.chunk_ids {
            fields.list(4, &mut self.chunk_ids, F::u32)?;
        } else if layout.chunk_id {
            fields.rows(1, 4, &mut self.chunk_ids, F::u32)?;
        }
        self.rows(fields, layout.preload, Kind::Preload)?;
        fields.u32_if(layout.names_referenced, &mut self.names_referenced)?;
        if layout.payloads {
            let mut table = self.tables.get(Kind::Payloads);
            fields.u64(&mut table.at)?;
            self.tables.set(Kind::Payloads, table);
        }
        self.place(fields, layout.data_resources, Kind::DataResources)
    }

    /// Goes through how many rows a table has, and where it begins.
    fn rows<F: Fields>(&mut self, fields: &mut F, is_there: bool, kind: TableKind) -> Result<(), F::Error> {
        if is_there {
            let mut table = self.tables.get(kind);
            fields.u32(&mut table.count)?;
            fields.long(false, &mut table.at)?;
            self.tables.set(kind, table);
        }
        Ok(())
    }

    /// Goes through where a table begins that says itself how many rows it has.
    fn place<F: Fields>(&mut self, fields: &mut F, is_there: bool, kind: TableKind) -> Result<(), F::Error> {
        if is_there {
            let mut table = self.tables.get(kind);
            fields.long(false, &mut table.at)?;
            self.tables.set(kind, table);
        }
        Ok(())
    }

    pub(super) fn names(&self) -> HeaderTable {
        self.tables.get(TableKind::Names)
    }

    pub(super) fn imports(&self) -> HeaderTable {
        self.tables.get(TableKind::Imports)
    }

    pub(super) fn exports(&self) -> HeaderTable {
        self.tables.get(TableKind::Exports)
    }

    /// Returns where the table begins that follows one. Tables without rows bound nothing: tools leave the offset that
    /// they had before.
    ///
    /// Source: *real-games*, §8: packages edited by `UAssetGUI`.
    pub(super) fn next_table(&self, at: u64) -> u64 {
        let tables = self.tables.iter().filter(|(kind, table)| !kind.is_counted() || table.count > 0);
        let offsets = tables.map(|(_, table)| table.at).chain([self.header_size]);
        offsets.filter(|other| *other > at).min().unwrap_or(at)
    }

    /// Returns whether a table that ends at an offset ends where the next one begins. Cooked packages of 4.14 and 4.15
    /// do not say where the table of dependencies is, which follows the exports: no dependency of each.
    ///
    /// Source: *real-games*, §5: 112 of 112 packages.
    pub(super) fn ends_table(&self, kind: TableKind, end: u64) -> bool {
        let table = self.tables.get(kind);
        let next = self.next_table(table.at);
        let has_unstated_depends = kind == TableKind::Exports && self.tables.get(TableKind::Depends).at == 0;
        let depends = u64::from(table.count).saturating_mul(4);
        next == end || has_unstated_depends && next == end.saturating_add(depends)
    }

    /// Returns how many bytes a table has room for.
    pub(super) fn room_of(&self, at: u64) -> u64 {
        self.next_table(at).saturating_sub(at)
    }

    /// Returns whether what only the editor needs was left out.
    pub(crate) const fn is_filtered(&self) -> bool {
        self.flags & FLAG_FILTERED != 0
    }

    /// Returns whether its properties have no tags, so that they cannot be read without mappings.
    #[must_use]
    pub const fn is_unversioned(&self) -> bool {
        self.flags & FLAG_UNVERSIONED != 0
    }
}

fn custom_versions<F: Fields>(
    fields: &mut F,
    form: CustomVersions,
    versions: &mut Vec<CustomVersion>,
) -> Result<(), F::Error> {
    let min_size = match form {
        CustomVersions::Numbers => 8,
        CustomVersions::Named => 24,
        CustomVersions::Guids => 20,
    };
    fields.list(min_size, versions, |fields, CustomVersion { guid, version, name }| {
        if form == CustomVersions::Numbers {
            let mut number = [0; 4];
            number.copy_from_slice(guid.first_chunk::<4>().unwrap_or(&[0; 4]));
            fields.bytes(&mut number)?;
            *guid = [0; 16];
            guid.iter_mut().zip(number).for_each(|(byte, number)| *byte = number);
        } else {
            fields.bytes(guid)?;
        }
        fields.u32(version)?;
        if form == CustomVersions::Named { fields.string(name) } else { Ok(()) }
    })
}
