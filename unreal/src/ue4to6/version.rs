//! Versions of packages of Unreal Engine 4 to 6, what each changed, and the releases that they belong to.
//!
//! A package has one number for what Unreal Engine 4 changed and one for what Unreal Engine 5 and later did. Cooked
//! games often have neither: then the newest is taken whose tables fit what is there.
//!
//! Source: *packages-ue4-ue6*, §6.2 and §8; the releases as their public sources and *UELib* number them.

mod layout;
pub(crate) mod rules;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::base::document;
pub(crate) use layout::{AssetLayout, CustomVersions, ExportForm, HeadForm, HeaderIdentity};
use rules::{Since, engine_4, engine_5};

/// The version of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AssetVersion {
    engine_4: u32,
    /// 0 before Unreal Engine 5.
    engine_5: u32,
}

/// A version of a part of the engine, which a package states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomVersion {
    /// Which part; before 4.12 or so it may be a number in the first four bytes.
    #[serde(with = "document::hex")]
    pub guid: [u8; 16],
    /// Version of the part.
    pub version: u32,
    /// Name, where stated (Epic: `FriendlyName`).
    pub name: String,
}

/// The last version of Unreal Engine 4, which later ones keep.
const LAST_OF_4: u32 = 522;

/// Releases, and the versions that they write.
const RELEASES: [(&str, u32, u32); 38] = [
    ("4.0", 342, 0),
    ("4.1", 352, 0),
    ("4.2", 363, 0),
    ("4.3", 382, 0),
    ("4.4", 385, 0),
    ("4.5", 401, 0),
    ("4.6", 413, 0),
    ("4.7", 434, 0),
    ("4.8", 451, 0),
    ("4.9", 482, 0),
    ("4.10", 482, 0),
    ("4.11", 498, 0),
    ("4.12", 504, 0),
    ("4.13", 505, 0),
    ("4.14", 508, 0),
    ("4.15", 510, 0),
    ("4.16", 513, 0),
    ("4.17", 513, 0),
    ("4.18", 514, 0),
    ("4.19", 516, 0),
    ("4.20", 516, 0),
    ("4.21", 517, 0),
    ("4.22", 517, 0),
    ("4.23", 517, 0),
    ("4.24", 518, 0),
    ("4.25", 518, 0),
    ("4.26", LAST_OF_4, 0),
    ("4.27", LAST_OF_4, 0),
    ("5.0", LAST_OF_4, 1004),
    ("5.1", LAST_OF_4, 1008),
    ("5.2", LAST_OF_4, 1009),
    ("5.3", LAST_OF_4, 1009),
    ("5.4", LAST_OF_4, 1012),
    ("5.5", LAST_OF_4, 1013),
    ("5.6", LAST_OF_4, 1017),
    ("5.7", LAST_OF_4, 1018),
    ("5.8", LAST_OF_4, 1018),
    ("6.0", LAST_OF_4, 1018),
];

impl AssetVersion {
    const fn reaches(self, threshold: Since) -> bool {
        match threshold {
            Since::Engine4(number) => self.engine_4 >= number,
            Since::Engine5(number) => self.engine_5 >= number,
        }
    }

    /// Creates a version of its two numbers, that of Unreal Engine 4 and that of Unreal Engine 5, which is 0 before;
    /// none if both are 0: then the package states none.
    #[must_use]
    pub const fn new(engine_4: u32, engine_5: u32) -> Option<Self> {
        if engine_4 == 0 && engine_5 == 0 { None } else { Some(Self { engine_4, engine_5 }) }
    }

    /// Returns its two numbers: that of Unreal Engine 4 and that of Unreal Engine 5, which is 0 before.
    #[must_use]
    pub const fn numbers(self) -> [u32; 2] {
        [self.engine_4, self.engine_5]
    }

    /// Returns whether the material slots of skeletal meshes refer to an overlay material, given the versions of parts
    /// of the engine that the package states.
    ///
    /// Source: `CUE4Parse` (Epic: `FFortniteMainBranchObjectVersion::MeshMaterialSlotOverlayMaterialAdded`); a mesh of
    /// 5.8 measured.
    pub(crate) fn has_overlay_materials(self, parts: &[CustomVersion]) -> bool {
        const FORTNITE_MAIN: [u8; 16] = 0x86_18_1D_60_84_4F_64_AC_DE_D3_16_AA_D6_C7_EA_0D_u128.to_be_bytes();
        const OVERLAY_ADDED: u32 = 196;
        let part = parts.iter().find(|part| part.guid == FORTNITE_MAIN);
        part.map_or(self.keeps_import_packages(), |part| part.version >= OVERLAY_ADDED)
    }

    /// The version of Unreal Engine 4.26 and 4.27.
    pub(crate) const ENGINE_4_26: Self = Self { engine_4: LAST_OF_4, engine_5: 0 };
    /// The version of Unreal Engine 5.0.
    pub(crate) const ENGINE_5_0: Self = Self { engine_4: LAST_OF_4, engine_5: 1004 };
    /// The version of Unreal Engine 5.2 and 5.3.
    pub const ENGINE_5_3: Self = Self { engine_4: LAST_OF_4, engine_5: 1009 };
    /// The version of Unreal Engine 5.8.
    pub(crate) const ENGINE_5_8: Self = Self { engine_4: LAST_OF_4, engine_5: 1018 };

    /// Returns the versions that a package may have that states none, the newest first.
    pub(crate) fn candidates(head: i32) -> Vec<Self> {
        let fits = |version: &Self| match head {
            -9 => version.reaches(engine_5::SAVED_HASH),
            -8 => version.reaches(engine_5::INITIAL) && !version.reaches(engine_5::SAVED_HASH),
            -7 => version.reaches(engine_4::HEAD_7) && !version.is_engine_5(),
            _ => !version.reaches(engine_4::HEAD_7),
        };
        let all = RELEASES
            .iter()
            .rev()
            .map(|(_, engine_4, engine_5)| Self { engine_4: *engine_4, engine_5: *engine_5 });
        let mut versions: Vec<Self> = all.filter(fits).collect();
        versions.dedup();
        versions
    }

    /// Returns the releases that write it: `4.26 or 4.27`; of a version between two the earlier one.
    #[must_use]
    pub fn release(self) -> String {
        let is_it = |(_, engine_4, engine_5): &&(&str, u32, u32)| {
            (*engine_4, *engine_5) == (self.engine_4, self.engine_5)
        };
        let before = |(_, engine_4, engine_5): &&(&str, u32, u32)| {
            (*engine_5, *engine_4) <= (self.engine_5, self.engine_4)
        };
        let names: Vec<&str> = RELEASES.iter().filter(is_it).map(|(name, ..)| *name).collect();
        match &names[..] {
            [] => RELEASES.iter().rfind(before).map_or("before 4.0", |(name, ..)| *name).to_owned(),
            [one] => (*one).to_owned(),
            [first, last] => format!("{first} or {last}"),
            [first, .., last] => format!("{first} to {last}"),
        }
    }

    /// Returns the first number of a package of this version.
    pub(crate) const fn head_number(self) -> i32 {
        match self {
            _ if self.reaches(engine_5::SAVED_HASH) => -9,
            _ if self.is_engine_5() => -8,
            _ => -7,
        }
    }

    /// Returns whether cooked packages have the name of the package of each import.
    pub(crate) const fn keeps_import_packages(self) -> bool {
        self.reaches(engine_5::COOKED_IMPORT_PACKAGES)
    }

    /// Returns whether it is of Unreal Engine 5 or later.
    pub(crate) const fn is_engine_5(self) -> bool {
        self.engine_5 > 0
    }

    /// Returns whether packages may have cells, which belong to the language Verse.
    pub(crate) const fn has_cells(self) -> bool {
        self.reaches(engine_5::CELLS)
    }

    /// Returns whether one table says where all of the data of a package lies.
    #[must_use]
    pub const fn has_data_resources(self) -> bool {
        self.reaches(engine_5::DATA_RESOURCES)
    }

    /// Returns whether that table begins at a multiple of eight in containers.
    pub(crate) const fn aligns_bulk_maps(self) -> bool {
        self.reaches(engine_5::ALIGNED_BULK_MAPS)
    }

    /// Returns whether registries of assets in packages of the editor say how imported packages are used (Epic:
    /// `VER_UE4_ASSETREGISTRY_DEPENDENCYFLAGS`).
    pub(crate) const fn has_dependency_offset(self) -> bool {
        self.reaches(engine_4::DEPENDENCY_FLAGS)
    }

    /// Returns whether heads have a hash of what was saved.
    pub(crate) const fn has_saved_hash(self) -> bool {
        self.reaches(engine_5::SAVED_HASH)
    }

    /// Returns whether tags of properties are written in the form of 5.4 and later, with the whole of their types.
    #[must_use]
    pub const fn has_complete_types(self) -> bool {
        self.reaches(engine_5::COMPLETE_TYPES)
    }

    /// Returns whether tags of structs have a GUID.
    #[must_use]
    pub const fn has_struct_guids(self) -> bool {
        self.reaches(engine_4::STRUCT_GUIDS)
    }

    /// Returns whether tags say whether they have a GUID.
    #[must_use]
    pub const fn has_property_guids(self) -> bool {
        self.reaches(engine_4::PROPERTY_GUIDS)
    }

    /// Returns whether arrays of structs have a tag for these.
    #[must_use]
    pub const fn has_inner_tags(self) -> bool {
        self.reaches(engine_4::INNER_TAGS)
    }

    /// Returns whether paths of objects have their package and their name apart.
    #[must_use]
    pub const fn has_split_paths(self) -> bool {
        self.reaches(engine_5::SPLIT_PATHS)
    }

    /// Returns whether packages have a table of paths of objects that are not loaded with them.
    #[must_use]
    pub const fn has_soft_path_table(self) -> bool {
        self.reaches(engine_5::SOFT_OBJECTS)
    }

    /// Returns whether vectors and the like have numbers of double precision.
    #[must_use]
    pub const fn has_large_coordinates(self) -> bool {
        self.reaches(engine_5::LARGE_COORDINATES)
    }
}

/// `522/1018`, or `522` alone before Unreal Engine 5.
impl fmt::Display for AssetVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine_5 {
            0 => self.engine_4.fmt(f),
            engine_5 => write!(f, "{}/{engine_5}", self.engine_4),
        }
    }
}

/// A release: `4.27`.
impl FromStr for AssetVersion {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, UnknownRelease> {
        let found = RELEASES.iter().find(|(name, ..)| *name == text).ok_or(UnknownRelease)?;
        Ok(Self { engine_4: found.1, engine_5: found.2 })
    }
}

/// Returns a list of releases by first and last of each major version: `4.0 to 4.27, 5.0 to 5.8, 6.0`.
pub(in crate::ue4to6) fn ranges_of<'n>(releases: impl Iterator<Item = &'n str>) -> String {
    let mut ranges: Vec<(&str, &str)> = Vec::new();
    let major = |name: &'n str| name.split('.').next();
    for name in releases {
        match ranges.last_mut() {
            Some((first, last)) if major(first) == major(name) => *last = name,
            _ => ranges.push((name, name)),
        }
    }
    let text = |(first, last)| if first == last { String::from(first) } else { format!("{first} to {last}") };
    ranges.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A release that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRelease;

impl fmt::Display for UnknownRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = ranges_of(RELEASES.iter().map(|(name, ..)| *name));
        write!(f, "no release of the engine is called that; they are {known}")
    }
}

impl std::error::Error for UnknownRelease {}

#[cfg(test)]
mod tests;
