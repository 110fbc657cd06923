//! The facts about packages of files that readers match on.

use super::AssetVersion;
use super::rules::{engine_4, engine_5};

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
pub(crate) enum HeaderIdentity {
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

    /// Returns the form of a head with that first number (Epic: `LegacyFileVersion`), which is below zero.
    ///
    /// Source: *packages-ue4-ue6*, §8.
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
    pub(crate) identity: HeaderIdentity,
    pub(crate) soft_objects: bool,
    pub(crate) localization: bool,
    pub(crate) gatherable_text: bool,
    pub(crate) cells: bool,
    pub(crate) metadata: bool,
    pub(crate) soft_packages: bool,
    /// Whether the table of such packages refers to names; before, it has strings.
    pub(crate) soft_package_names: bool,
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
    pub(crate) fn of(version: AssetVersion) -> Self {
        let since = |threshold| version.reaches(threshold);
        Self {
            version,
            identity: if since(engine_5::SAVED_HASH) {
                HeaderIdentity::SavedHash
            } else {
                HeaderIdentity::Guid
            },
            soft_objects: since(engine_5::SOFT_OBJECTS),
            localization: since(engine_4::LOCALIZATION),
            gatherable_text: since(engine_4::GATHERABLE_TEXT),
            cells: since(engine_5::CELLS),
            metadata: since(engine_5::METADATA),
            soft_packages: since(engine_4::SOFT_PACKAGES),
            soft_package_names: since(engine_4::SOFT_PACKAGE_NAMES),
            searchable_names: since(engine_4::SEARCHABLE_NAMES),
            type_hierarchies: since(engine_5::TYPE_HIERARCHIES),
            persistent_guid: since(engine_4::PACKAGE_OWNER),
            owner_guid: since(engine_4::PACKAGE_OWNER) && !since(engine_4::IMPORT_PACKAGE),
            engine_numbers: since(engine_4::ENGINE_NUMBERS),
            compatible_engine: since(engine_4::COMPATIBLE_ENGINE),
            world_tile: since(engine_4::WORLD_TILE),
            chunk_id: since(engine_4::CHUNK_ID),
            chunk_ids: since(engine_4::CHUNK_IDS),
            preload: since(engine_4::PRELOAD),
            names_referenced: since(engine_5::NAMES_REFERENCED),
            payloads: since(engine_5::PAYLOADS),
            data_resources: since(engine_5::DATA_RESOURCES),
            name_hashes: since(engine_4::NAME_HASHES),
            import_package: since(engine_4::IMPORT_PACKAGE),
            import_optional: since(engine_5::OPTIONAL_RESOURCES),
            export: ExportForm {
                template: since(engine_4::TEMPLATE),
                large: since(engine_4::LARGE_EXPORTS),
                guid: !since(engine_5::NO_EXPORT_GUID),
                inherited: since(engine_5::INHERITED),
                editor_game: since(engine_4::EDITOR_GAME),
                is_asset: since(engine_4::IS_ASSET),
                public_hash: since(engine_5::OPTIONAL_RESOURCES),
                preload: since(engine_4::PRELOAD),
                script: since(engine_5::SCRIPT_OFFSETS),
            },
        }
    }
}
