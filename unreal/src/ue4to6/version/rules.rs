//! Every threshold of packages of Unreal Engine 4 to 6.
//!
//! Source: *packages-ue4-ue6*, §6.2, §8 and §9, for what changes; the names are those of Epic's enumerations
//! `EUnrealEngineObjectUE4Version` and `EUnrealEngineObjectUE5Version`.

use std::fmt;

/// The first version that has something, by the number that counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// By the number of Unreal Engine 4.
    Engine4(u32),
    /// By the number of Unreal Engine 5 and later.
    Engine5(u32),
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine4(number) | Self::Engine5(number) => number.fmt(f),
        }
    }
}

/// Those of Unreal Engine 4.
pub(crate) mod engine_4 {
    use super::Since;
    use crate::base::threshold::thresholds;

    thresholds! {
        pub(crate) Since = Since::Engine4;
        /// The summary has the offset of a tile of a world.
        ///
        /// Epic: `VER_UE4_WORLD_LEVEL_INFO`.
        WORLD_TILE = 224;
        /// The summary states the chunk of an installation that has the package.
        ///
        /// Epic: `VER_UE4_ADDED_CHUNKID_TO_ASSETDATA_AND_UPACKAGE`.
        CHUNK_ID = 278;
        /// The summary lists several such chunks.
        ///
        /// Epic: `VER_UE4_CHANGED_CHUNKID_TO_BE_AN_ARRAY_OF_CHUNKIDS`.
        CHUNK_IDS = 326;
        /// The build of the engine has numbers and a branch; before, a changelist alone.
        ///
        /// Epic: `VER_UE4_ENGINE_VERSION_OBJECT`.
        ENGINE_NUMBERS = 336;
        /// An export states whether the editor loads it when it runs the game.
        ///
        /// Epic: `VER_UE4_LOAD_FOR_EDITOR_GAME`.
        EDITOR_GAME = 365;
        /// The summary has a table of packages that are referred to by name.
        ///
        /// Epic: `VER_UE4_ADD_STRING_ASSET_REFERENCES_MAP`.
        SOFT_PACKAGES = 384;
        /// The tag of a struct has a GUID.
        ///
        /// Epic: `VER_UE4_STRUCT_GUID_IN_PROPERTY_TAG`.
        STRUCT_GUIDS = 441;
        /// The summary states the oldest compatible build of the engine.
        ///
        /// Epic: `VER_UE4_PACKAGE_SUMMARY_HAS_COMPATIBLE_ENGINE_VERSION`.
        COMPATIBLE_ENGINE = 444;
        /// The summary has a table of texts to translate.
        ///
        /// Epic: `VER_UE4_SERIALIZE_TEXT_IN_PACKAGES`.
        GATHERABLE_TEXT = 459;
        /// An export states whether it is an asset.
        ///
        /// Epic: `VER_UE4_COOKED_ASSETS_IN_EDITOR_SUPPORT`.
        IS_ASSET = 485;
        /// An array of structs has a tag for these.
        ///
        /// Epic: `VER_UE4_INNER_ARRAY_TAG_INFO`.
        INNER_TAGS = 500;
        /// A tag states whether it has a GUID.
        ///
        /// Epic: `VER_UE4_PROPERTY_GUID_IN_PROPERTY_TAG`.
        PROPERTY_GUIDS = 503;
        /// Names are followed by their hashes.
        ///
        /// Epic: `VER_UE4_NAME_HASHES_SERIALIZED`.
        NAME_HASHES = 504;
        /// Exports list what is to be loaded before them.
        ///
        /// Epic: `VER_UE4_PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS`.
        PRELOAD = 507;
        /// An export names its template.
        ///
        /// Epic: `VER_UE4_TemplateIndex_IN_COOKED_EXPORTS`.
        TEMPLATE = 508;
        /// The first number is −7: the summary has no texture allocations.
        ///
        /// Source: *packages-ue4-ue6*, §8.
        HEAD_7 = 508;
        /// The summary has a table of searchable names.
        ///
        /// Epic: `VER_UE4_ADDED_SEARCHABLE_NAMES`.
        SEARCHABLE_NAMES = 510;
        /// Size and offset of an export have 64 bits.
        ///
        /// Epic: `VER_UE4_64BIT_EXPORTMAP_SERIALSIZES`.
        LARGE_EXPORTS = 511;
        /// Packages that are referred to by name are in the table of names.
        ///
        /// Epic: `VER_UE4_ADDED_SOFT_OBJECT_PATH`.
        SOFT_PACKAGE_NAMES = 514;
        /// The summary has an identifier for translations.
        ///
        /// Epic: `VER_UE4_ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID`.
        LOCALIZATION = 516;
        /// The summary has a persistent GUID, and that of an owner.
        ///
        /// Epic: `VER_UE4_ADDED_PACKAGE_OWNER`.
        PACKAGE_OWNER = 518;
        /// An import may name its package, and the summary has no owner.
        ///
        /// Epic: `VER_UE4_NON_OUTER_PACKAGE_IMPORT`.
        IMPORT_PACKAGE = 520;
        /// The registry of assets states how imported packages are used.
        ///
        /// Epic: `VER_UE4_ASSETREGISTRY_DEPENDENCYFLAGS`.
        DEPENDENCY_FLAGS = 521;
    }
}

/// Those of Unreal Engine 5 and later.
pub(crate) mod engine_5 {
    use super::Since;
    use crate::base::threshold::thresholds;

    thresholds! {
        pub(crate) Since = Since::Engine5;
        /// The first version, and the first number −8.
        ///
        /// Epic: `INITIAL_VERSION`.
        INITIAL = 1000;
        /// The summary states how many names the exports refer to.
        ///
        /// Epic: `NAMES_REFERENCED_FROM_EXPORT_DATA`.
        NAMES_REFERENCED = 1001;
        /// The summary has the offset of a trailer of payloads.
        ///
        /// Epic: `PAYLOAD_TOC`.
        PAYLOADS = 1002;
        /// An import states whether it is optional, an export whether it has a public hash.
        ///
        /// Epic: `OPTIONAL_RESOURCES`.
        OPTIONAL_RESOURCES = 1003;
        /// Vectors and the like have numbers of double precision.
        ///
        /// Epic: `LARGE_WORLD_COORDINATES`.
        LARGE_COORDINATES = 1004;
        /// An export has no GUID.
        ///
        /// Epic: `REMOVE_OBJECT_EXPORT_PACKAGE_GUID`.
        NO_EXPORT_GUID = 1005;
        /// An export states whether it is inherited.
        ///
        /// Epic: `TRACK_OBJECT_EXPORT_IS_INHERITED`.
        INHERITED = 1006;
        /// The path of an object has its package and its name apart.
        ///
        /// Epic: `FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES`.
        SPLIT_PATHS = 1007;
        /// The summary has a table of paths of objects.
        ///
        /// Epic: `ADD_SOFTOBJECTPATH_LIST`.
        SOFT_OBJECTS = 1008;
        /// One table states where all bulk data is.
        ///
        /// Epic: `DATA_RESOURCES`.
        DATA_RESOURCES = 1009;
        /// An export states where its tagged properties begin and end.
        ///
        /// Epic: `SCRIPT_SERIALIZATION_OFFSET`.
        SCRIPT_OFFSETS = 1010;
        /// In containers, the table of bulk data begins at a multiple of eight.
        ///
        /// Source: *packages-ue4-ue6*, §6.2.
        ALIGNED_BULK_MAPS = 1010;
        /// A tag has the whole type of its property.
        ///
        /// Epic: `PROPERTY_TAG_COMPLETE_TYPE_NAME`.
        COMPLETE_TYPES = 1012;
        /// The summary has the offset of metadata.
        ///
        /// Epic: `METADATA_SERIALIZATION_OFFSET`.
        METADATA = 1014;
        /// The summary has tables of cells, which belong to Verse.
        ///
        /// Epic: `VERSE_CELLS`.
        CELLS = 1015;
        /// The summary has a hash of what was saved in place of a GUID, and the first number is −9.
        ///
        /// Epic: `PACKAGE_SAVED_HASH`.
        SAVED_HASH = 1016;
        /// The summary has the types of imports with what they inherit from.
        ///
        /// Epic: `IMPORT_TYPE_HIERARCHIES`.
        TYPE_HIERARCHIES = 1018;
        /// A cooked package names the package of each import.
        ///
        /// Source: *packages-ue4-ue6*, §6 to §8; 5.8 measured.
        COOKED_IMPORT_PACKAGES = 1018;
    }
}
