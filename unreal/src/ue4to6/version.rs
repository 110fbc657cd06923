//! Versions of packages of Unreal Engine 4 to 6, what each changed, and the releases that they belong to.
//!
//! A package has one number for what Unreal Engine 4 changed and one for what Unreal Engine 5 and later did. Cooked
//! games often have neither: then the newest is taken whose tables fit what is there.
//!
//! Source: *packages-ue4-ue6*, §6.2 and §8; the releases as their public sources and *UELib* number them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::base::document;

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
    /// Its version.
    pub version: u32,
    /// What it is called, where that is stated.
    pub name: String,
}

/// The last version of Unreal Engine 4, which later ones keep.
const LAST_OF_4: u32 = 522;

/// Releases, and the versions that they write.
const RELEASES: [(&str, u32, u32); 37] = [
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
];

/// How the versions of parts of the engine are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CustomVersions {
    /// A number each.
    Numbers,
    /// A GUID and a name each.
    Named,
    /// A GUID each.
    Guids,
}

/// Where a package says how long its header is, and what it is a copy of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// Its length after the versions, a GUID after the tables.
    Guid,
    /// A hash and its length before the versions of parts.
    SavedHash,
}

/// What depends on the first number of a package, which is there even without a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeadForm {
    pub(crate) has_engine_3: bool,
    pub(crate) has_engine_5: bool,
    pub(crate) custom_versions: CustomVersions,
    pub(crate) has_texture_allocations: bool,
}

impl HeadForm {
    /// The form of the newest packages.
    pub(crate) const NEWEST: Self = Self {
        has_engine_3: true,
        has_engine_5: true,
        custom_versions: CustomVersions::Guids,
        has_texture_allocations: false,
    };

    /// Returns the form of a head with that first number, which is below zero.
    pub(crate) const fn of(number: i32) -> Option<Self> {
        Some(Self {
            has_engine_3: number != -4,
            has_engine_5: number <= -8,
            custom_versions: match number {
                -2 => CustomVersions::Numbers,
                -5..=-3 => CustomVersions::Named,
                -9..=-6 => CustomVersions::Guids,
                _ => return None,
            },
            has_texture_allocations: number > -7,
        })
    }
}

/// What depends on the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AssetLayout {
    pub(crate) version: AssetVersion,
    pub(crate) identity: Identity,
    pub(crate) soft_objects: bool,
    pub(crate) localization: bool,
    pub(crate) gatherable_text: bool,
    pub(crate) cells: bool,
    pub(crate) metadata: bool,
    pub(crate) soft_packages: bool,
    pub(crate) searchable_names: bool,
    pub(crate) type_hierarchies: bool,
    pub(crate) persistent_guid: bool,
    pub(crate) owner_guid: bool,
    /// Whether a build of the engine has its numbers and its branch, not its changelist alone.
    pub(crate) engine_numbers: bool,
    pub(crate) compatible_engine: bool,
    pub(crate) world_tile: bool,
    /// Whether it says of which chunk of an installation it is part; from `chunk_ids` on, of which ones.
    pub(crate) chunk_id: bool,
    pub(crate) chunk_ids: bool,
    pub(crate) preload: bool,
    pub(crate) names_referenced: bool,
    pub(crate) payloads: bool,
    pub(crate) data_resources: bool,
    pub(crate) name_hashes: bool,
    pub(crate) import_package: bool,
    pub(crate) import_optional: bool,
    pub(crate) export: ExportForm,
}

/// Which fields a row of exports has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExportForm {
    pub(crate) template: bool,
    pub(crate) large: bool,
    pub(crate) guid: bool,
    pub(crate) inherited: bool,
    pub(crate) editor_game: bool,
    pub(crate) is_asset: bool,
    pub(crate) public_hash: bool,
    pub(crate) preload: bool,
    /// Where properties with tags begin and end.
    pub(crate) script: bool,
}

impl AssetLayout {
    pub(crate) const fn of(version: AssetVersion) -> Self {
        let AssetVersion { engine_4, engine_5 } = version;
        Self {
            version,
            identity: if engine_5 >= 1016 { Identity::SavedHash } else { Identity::Guid },
            soft_objects: engine_5 >= 1008,
            localization: engine_4 >= 516,
            gatherable_text: engine_4 >= 459,
            cells: engine_5 >= 1015,
            metadata: engine_5 >= 1014,
            soft_packages: engine_4 >= 384,
            searchable_names: engine_4 >= 510,
            type_hierarchies: engine_5 >= 1018,
            persistent_guid: engine_4 >= 518,
            owner_guid: engine_4 >= 518 && engine_4 < 520,
            engine_numbers: engine_4 >= 336,
            compatible_engine: engine_4 >= 444,
            world_tile: engine_4 >= 224,
            chunk_id: engine_4 >= 278,
            chunk_ids: engine_4 >= 326,
            preload: engine_4 >= 507,
            names_referenced: engine_5 >= 1001,
            payloads: engine_5 >= 1002,
            data_resources: engine_5 >= 1009,
            name_hashes: engine_4 >= 504,
            import_package: engine_4 >= 520,
            import_optional: engine_5 >= 1003,
            export: ExportForm {
                template: engine_4 >= 508,
                large: engine_4 >= 511,
                guid: engine_5 < 1005,
                inherited: engine_5 >= 1006,
                editor_game: engine_4 >= 365,
                is_asset: engine_4 >= 485,
                public_hash: engine_5 >= 1003,
                preload: engine_4 >= 507,
                script: engine_5 >= 1010,
            },
        }
    }
}

impl AssetVersion {
    /// Creates a version; none if both numbers are zero: then the package states none.
    pub(crate) const fn new(engine_4: u32, engine_5: u32) -> Option<Self> {
        if engine_4 == 0 && engine_5 == 0 { None } else { Some(Self { engine_4, engine_5 }) }
    }

    /// The version of Unreal Engine 4.26 and 4.27.
    pub(crate) const ENGINE_4_26: Self = Self { engine_4: LAST_OF_4, engine_5: 0 };
    /// The version of Unreal Engine 5.0.
    pub(crate) const ENGINE_5_0: Self = Self { engine_4: LAST_OF_4, engine_5: 1004 };
    /// The version of Unreal Engine 5.8.
    pub(crate) const ENGINE_5_8: Self = Self { engine_4: LAST_OF_4, engine_5: 1018 };

    /// Returns the versions that a package may have that states none, the newest first.
    pub(crate) fn candidates(head: i32) -> Vec<Self> {
        let fits = |(_, engine_4, engine_5): &(&str, u32, u32)| match head {
            -9 => *engine_5 >= 1016,
            -8 => (1000..1016).contains(engine_5),
            -7 => *engine_4 >= 508 && *engine_5 == 0,
            _ => *engine_4 < 508,
        };
        let fitting = RELEASES.iter().rev().filter(|release| fits(release));
        let mut versions: Vec<Self> = fitting
            .map(|(_, engine_4, engine_5)| Self { engine_4: *engine_4, engine_5: *engine_5 })
            .collect();
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
            [first, .., last] => format!("{first} or {last}"),
        }
    }

    /// Returns the first number of a package of this version.
    pub(crate) const fn head_number(self) -> i32 {
        match self.engine_5 {
            1016.. => -9,
            1.. => -8,
            0 => -7,
        }
    }

    /// Returns whether cooked packages have the name of the package of each import.
    pub(crate) const fn keeps_import_packages(self) -> bool {
        self.engine_5 >= 1018
    }

    /// Returns whether it is of Unreal Engine 5 or later.
    pub(crate) const fn is_engine_5(self) -> bool {
        self.engine_5 > 0
    }

    /// Returns whether packages may have cells, which belong to the language Verse.
    pub(crate) const fn has_cells(self) -> bool {
        AssetLayout::of(self).cells
    }

    /// Returns whether one table says where all of the data of a package lies.
    #[must_use]
    pub const fn has_data_resources(self) -> bool {
        AssetLayout::of(self).data_resources
    }

    /// Returns whether that table begins at a multiple of eight in containers.
    pub(crate) const fn aligns_bulk_maps(self) -> bool {
        self.engine_5 >= 1010
    }

    /// Returns whether registries of assets in packages of the editor say how imported packages are used (Epic:
    /// `VER_UE4_ASSETREGISTRY_DEPENDENCYFLAGS`).
    pub(crate) const fn has_dependency_offset(self) -> bool {
        self.engine_4 >= 521
    }

    /// Returns whether heads have a hash of what was saved.
    pub(crate) const fn has_saved_hash(self) -> bool {
        self.engine_5 >= 1016
    }

    /// Returns whether tags of properties are written in the form of 5.4 and later, with the whole of their types.
    #[must_use]
    pub const fn has_complete_types(self) -> bool {
        self.engine_5 >= 1012
    }

    /// Returns whether tags of structs have a GUID.
    #[must_use]
    pub const fn has_struct_guids(self) -> bool {
        self.engine_4 >= 441
    }

    /// Returns whether tags say whether they have a GUID.
    #[must_use]
    pub const fn has_property_guids(self) -> bool {
        self.engine_4 >= 503
    }

    /// Returns whether arrays of structs have a tag for these.
    #[must_use]
    pub const fn has_inner_tags(self) -> bool {
        self.engine_4 >= 500
    }

    /// Returns whether paths of objects have their package and their name apart.
    #[must_use]
    pub const fn has_split_paths(self) -> bool {
        self.engine_5 >= 1007
    }

    /// Returns whether vectors and the like have numbers of double precision.
    #[must_use]
    pub const fn has_large_coordinates(self) -> bool {
        self.engine_5 >= 1004
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
        // The format of 6.0 is that of 5.8.
        let text = if text == "6.0" { "5.8" } else { text };
        let found = RELEASES.iter().find(|(name, ..)| *name == text).ok_or(UnknownRelease)?;
        Ok(Self { engine_4: found.1, engine_5: found.2 })
    }
}

/// A release that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRelease;

impl fmt::Display for UnknownRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no release of the engine is called that; they are 4.0 to 4.27, 5.0 to 5.8 and 6.0")
    }
}

impl std::error::Error for UnknownRelease {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_named_by_their_versions() {
        for (text, shown) in
            [("4.0", "4.0"), ("4.27", "4.26 or 4.27"), ("5.8", "5.7 or 5.8"), ("6.0", "5.7 or 5.8")]
        {
            assert_eq!(text.parse::<AssetVersion>().unwrap().release(), shown);
        }
        assert_eq!("4.28".parse::<AssetVersion>(), Err(UnknownRelease));
        // One that no release has: something between them wrote it.
        assert_eq!(AssetVersion { engine_4: 500, engine_5: 0 }.release(), "4.11");
        assert_eq!(AssetVersion { engine_4: 522, engine_5: 1016 }.release(), "5.5");
        assert_eq!(AssetVersion { engine_4: 335, engine_5: 0 }.release(), "before 4.0");
    }

    #[test]
    fn candidates_come_newest_first_and_once() {
        let versions =
            |head| AssetVersion::candidates(head).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(versions(-9), ["522/1018", "522/1017"]);
        assert_eq!(versions(-8), ["522/1013", "522/1012", "522/1009", "522/1008", "522/1004"]);
        assert_eq!(versions(-7), ["522", "518", "517", "516", "514", "513", "510", "508"]);
        assert_eq!(versions(-6)[..2], ["505", "504"]);
    }
}
