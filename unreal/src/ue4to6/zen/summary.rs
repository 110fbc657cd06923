//! The head of a package: what it is called, and where its tables lie.

use super::WHAT;
use super::stated_versions::ZenVersions;
use super::version::{ZenFamily, ZenForm};
use crate::base::error::{Error, Malformed};
use crate::base::fields::FieldReader;
use crate::base::limits::Limits;
use crate::base::names::{HASH_ALGORITHM, Names};
use crate::base::reader::Reader;
use crate::ue4to6::version::AssetVersion;

/// A package that is a level.
const FLAG_MAP: u32 = 0x2_0000;
/// A package whose properties have no tags.
const FLAG_UNVERSIONED: u32 = 0x2000;

/// The head of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZenSummary {
    /// Package name: `/Game/Audio/SW_Steps`.
    pub name: String,
    /// The version that it states; none in most games.
    pub stated: Option<AssetVersion>,
    /// Form of the package, proven by its tables.
    pub form: ZenForm,
    /// Package flags (Epic: `EPackageFlags`).
    pub flags: u32,
    /// Offset of the first object, which is the size of the header.
    pub header_size: u64,
    /// Size in bytes of the header before cooking into a container (Epic: `CookedHeaderSize`).
    pub cooked_header_size: u32,
    /// Where names end; what is between them and the next table follows from the version.
    pub(super) names_end: u64,
    /// Where hashes of public objects of other packages begin.
    pub(super) hashes: u64,
    pub(super) imports: u64,
    pub(super) exports: u64,
    /// Where it is said in which order objects are loaded.
    pub(super) bundles: u64,
    /// Where that ends.
    pub(super) bundles_end: u64,
    /// Where the names of the packages are that it needs.
    pub(super) imported_names: Option<u64>,
    pub(super) versions: Option<ZenVersions>,
    /// Where imported and exported cells are, as from 5.6 on.
    pub(super) cells: Option<[u64; 2]>,
    /// Where it is said on what exports depend: how many, which, and the end of these.
    pub(super) dependencies: [u64; 3],
}

impl ZenSummary {
    /// Reads the head and the names.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        family: ZenFamily,
        limits: &mut Limits,
    ) -> Result<(Self, Names), Error> {
        match family {
            ZenFamily::Engine4 => Self::engine_4(reader, limits),
            ZenFamily::Engine5 => Self::engine_5(reader, limits),
        }
    }

    fn engine_4(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<(Self, Names), Error> {
        reader.seek(16);
        let (flags, cooked_header_size) = (reader.u32()?, reader.u32()?);
        let at = reader.at();
        let mut numbers = [0_u64; 10];
        for number in &mut numbers {
            *number = reader.u32()?.into();
        }
        let [names_at, _, _, hashes, imports, exports, bundles, graph, graph_size, _] = numbers;
        // A number that says which hash it is comes before them.
        let count = hashes.checked_div(8).and_then(|hashes| hashes.checked_sub(1)).unwrap_or_default();
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        reader.seek(names_at);
        let names = Names::read_buffer(reader, count, limits)?;
        reader.seek(0);
        let summary = Self {
            name: names.read_ref(reader)?,
            stated: None,
            form: ZenForm::Engine4,
            flags,
            header_size: graph.saturating_add(graph_size),
            cooked_header_size,
            names_end: imports,
            hashes: imports,
            imports,
            exports,
            bundles,
            bundles_end: graph,
            imported_names: None,
            versions: None,
            cells: None,
            dependencies: [graph; 3],
        };
        summary.check(reader, at)?;
        Ok((summary, names))
    }

    fn engine_5(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<(Self, Names), Error> {
        let FoundHead { names_at, form, versions, cells } = names_of_engine_5(reader, limits)?;
        reader.seek(names_at);
        let names = Names::read_batch(reader, limits)?;
        let names_end = reader.at();
        reader.seek(4);
        let header_size = reader.u32()?.into();
        let name = names.read_ref(reader)?;
        let (flags, cooked_header_size) = (reader.u32()?, reader.u32()?);
        let at = reader.at();
        let mut numbers = [0_u64; 5];
        for number in &mut numbers {
            *number = reader.u32()?.into();
        }
        let [hashes, imports, exports, bundles, bundles_end] = numbers;
        let [mut entries, mut imported_names] = [bundles_end, bundles_end];
        if form == ZenForm::Dependencies {
            (entries, imported_names) = (reader.u32()?.into(), reader.u32()?.into());
        }
        let summary = Self {
            name,
            stated: versions.as_ref().and_then(ZenVersions::version),
            form,
            flags,
            header_size,
            cooked_header_size,
            names_end,
            hashes,
            imports,
            exports,
            bundles,
            bundles_end,
            imported_names: (form == ZenForm::Dependencies).then_some(imported_names),
            versions,
            cells,
            dependencies: [bundles_end, entries, imported_names],
        };
        summary.check(reader, at)?;
        Ok((summary, names))
    }

    /// Checks that tables follow each other.
    fn check(&self, reader: &Reader<'_>, at: u64) -> Result<(), Error> {
        let places = [
            self.names_end,
            self.hashes,
            self.imports,
            self.exports,
            self.exports_end(),
            self.cells.map_or(self.bundles, |[_, exported]| exported),
            self.bundles,
            self.bundles_end,
            self.dependencies[1],
            self.dependencies[2],
            self.header_size,
        ];
        if places.is_sorted() && self.header_size <= reader.end() {
            return Ok(());
        }
        let outside = Malformed::OutsideFile { end: self.header_size, length: reader.end() };
        Err(reader.error(at, outside))
    }

    /// Returns how many rows of a size lie between two places.
    pub(super) fn rows(&self, from: u64, to: u64, size: u64, reader: &Reader<'_>) -> Result<usize, Error> {
        let rows = to.saturating_sub(from).checked_div(size).unwrap_or_default();
        let fit = reader.end().saturating_sub(from).checked_div(size).unwrap_or_default();
        match usize::try_from(rows) {
            Ok(count) if rows <= fit => Ok(count),
            _ => Err(reader.error(from, Malformed::TooMany { count: rows, fit })),
        }
    }

    /// Returns where exports end.
    pub(super) fn exports_end(&self) -> u64 {
        self.cells.map_or(self.bundles, |[imported, _]| imported)
    }

    /// Returns the path of the package below the root, as far as its name says it:
    /// `Game/Content/Audio/SW_Steps.uasset`. The folder of the game is `Game` then, and plugins lie in `Plugins`.
    #[must_use]
    pub fn path(&self) -> String {
        let (root, rest) = self.name.trim_start_matches('/').split_once('/').unwrap_or_default();
        let extension = if self.is_map() { "umap" } else { "uasset" };
        match root {
            "Game" | "Engine" => format!("{root}/Content/{rest}.{extension}"),
            _ => format!("Plugins/{root}/Content/{rest}.{extension}"),
        }
    }

    /// Returns whether it is a level.
    #[must_use]
    pub const fn is_map(&self) -> bool {
        self.flags & FLAG_MAP != 0
    }

    /// Returns whether its properties have no tags, so that they cannot be read without mappings.
    #[must_use]
    pub const fn is_unversioned(&self) -> bool {
        self.flags & FLAG_UNVERSIONED != 0
    }
}

/// What a head of Unreal Engine 5 is found to have.
struct FoundHead {
    names_at: u64,
    form: ZenForm,
    versions: Option<ZenVersions>,
    cells: Option<[u64; 2]>,
}

/// Finds where the names of a package of Unreal Engine 5 begin, and its form: the names prove it; and the versions that
/// it states.
fn names_of_engine_5(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<FoundHead, Error> {
    /// Heads have one number fewer for what packages depend on before 5.3.
    const HEADS: [(u64, ZenForm); 2] = [(52, ZenForm::Dependencies), (44, ZenForm::Bundles)];
    reader.seek(0);
    let has_versions = reader.u32()? != 0;
    let nothing = Names::default();
    for (head, form) in HEADS {
        reader.seek(head);
        let mut versions = None;
        if has_versions {
            let mut read = ZenVersions::default();
            let fields = &mut FieldReader { reader, limits, names: &nothing, what: WHAT };
            if read.fields(fields).is_err() {
                continue;
            }
            versions = Some(read);
        }
        let after = reader.at();
        // From 5.6 on two more numbers come after the versions.
        for has_cells in [false, true] {
            reader.seek(after);
            let cells = if has_cells { Some([reader.u32()?.into(), reader.u32()?.into()]) } else { None };
            let names_at = reader.at();
            let is_there = reader.u32().is_ok_and(|count| count > 0) && reader.u32().is_ok();
            if is_there && reader.u64().is_ok_and(|algorithm| algorithm == HASH_ALGORITHM) {
                return Ok(FoundHead { names_at, form, versions, cells });
            }
        }
    }
    Err(reader.error(0, Malformed::NoFormFits))
}
