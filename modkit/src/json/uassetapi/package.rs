//! The package itself in documents: its header, and what is around its exports.

use serde_json::{Value as Json, json};
use unreal::ue4to6::asset::{AssetImport, EngineBuild, HeaderParts};
use unreal::ue4to6::bulk::BulkEntry;
use unreal::{AssetVersion, CustomVersion, ObjectRef};

use super::form::UassetApi;
use super::names::{
    CUSTOM_VERSIONS, PACKAGE_FLAGS, RESOURCE_FLAGS, RESOURCE_VERSIONS, engine_4, engine_4_number, engine_5,
    engine_5_number, release,
};
use super::object::{NewObject, field, list, optional};
use super::paths;
use super::scalar::{
    bytes, enumerator, flags, guid, hexadecimal, read_bool, read_bytes, read_flags, read_guid, read_name,
    read_number, read_text,
};
use crate::json::fault::Fault;

/// A package without what only the editor needs.
const FILTERED: u32 = 0x8000_0000;
/// A package whose properties have no tags.
pub(super) const UNVERSIONED_PROPERTIES: u32 = 0x2000;

/// The tag that ends the file of the objects.
const TAG: u32 = 0x9E2A_83C1;

/// What a document has of a package besides its exports.
#[derive(Debug)]
pub(super) struct PackageParts {
    pub(super) header: HeaderParts,
    /// Versions of parts of the engine, stated or not.
    pub(super) versions: Vec<CustomVersion>,
    /// Whether the objects are in a file of their own.
    pub(super) is_split: bool,
    /// Bytes after the objects.
    pub(super) bulk_data: Vec<u8>,
}

fn optional_text(text: &str) -> Json {
    if text.is_empty() { Json::Null } else { json!(text) }
}

/// Returns the object of a package without its exports, which are given.
pub(super) fn to_json(parts: &PackageParts, api: UassetApi, exports: Vec<Json>) -> NewObject {
    let PackageParts { header, is_split, bulk_data, .. } = parts;
    let [number_4, number_5] = header.version.numbers();
    let mut object = NewObject::new("UAsset");
    let of = match api {
        UassetApi::V1_0 => "1.0.2.0",
        UassetApi::V1_1 => "1.1.0.0",
    };
    object.put("Info", format!("Serialized with UAssetAPI {of} (usampler {})", env!("CARGO_PKG_VERSION")));
    object.put("NameMap", header.names.clone()).put("CustomSerializationFlags", "None");
    object.put("UseSeparateBulkDataFiles", *is_split).put("IsUnversioned", !header.is_versioned);
    object.put("FileVersionLicenseeUE", header.licensee);
    object.put("ObjectVersion", engine_4(number_4).map_or(json!(number_4), |name| json!(name)));
    let name_5 = if number_5 == 0 { Some("UNKNOWN") } else { engine_5(number_5) };
    object.put("ObjectVersionUE5", name_5.map_or(json!(number_5), |name| json!(name)));
    object.put("CustomVersionContainer", header.custom_versions.iter().map(custom_version).collect::<Json>());
    let soft_paths = header.soft_paths.as_ref().map(|paths| -> Json {
        // In the table a path is never a reference to the table.
        let is_split = header.version.has_split_paths();
        paths.iter().map(|path| paths::to_json(path, is_split)).collect()
    });
    object.put("SoftObjectPathList", soft_paths.unwrap_or(Json::Null)).put("GatherableTextData", Json::Null);
    object.put("Exports", exports);
    object.put("SearchableNames", searchable_names(header)).put("Thumbnails", Json::Null);
    object.put("WorldTileInfo", Json::Null).put("AppendedNullBytes", header.zeros);
    object.put("OtherAssetsFailedToAccess", json!([])).put("LegacyFileVersion", header.head);
    let (form, rows) = match &header.data_resources {
        Some((form, rows)) => (*form, rows.iter().map(|row| data_resource(row, api)).collect::<Json>()),
        None => (0, Json::Null),
    };
    object.put("DataResourceVersion", enumerator(form.into(), RESOURCE_VERSIONS)).put("DataResources", rows);
    object.put("UsesEventDrivenLoader", header.preload.is_some());
    object.put("WillSerializeNameHashes", number_4 >= 504);
    object.put("Imports", header.imports.iter().map(import).collect::<Json>());
    let depends = header.depends.as_ref().map(|lists| -> Json {
        let signed = |list: &Vec<u32>| -> Json { list.iter().map(|number| number.cast_signed()).collect() };
        lists.iter().map(signed).collect()
    });
    object
        .put("DependsMap", depends.unwrap_or(Json::Null))
        .put("SoftPackageReferenceList", json!(header.soft_packages));
    object.put("AssetRegistryData", bytes(header.registry.as_deref().unwrap_or_default()));
    object.put("BulkData", bytes(bulk_data));
    object.put("ValorantGarbageData", Json::Null).put("SeaOfThievesGarbageData", Json::Null);
    let generation = |[exports, names]: &[u32; 2]| {
        let mut generation = NewObject::new("FGenerationInfo");
        generation.put("ExportCount", *exports).put("NameCount", *names);
        generation.into_json()
    };
    object.put("Generations", header.generations.iter().map(generation).collect::<Json>());
    object.put("PackageGuid", guid(&header.guid)).put("PersistentGuid", guid(&header.persistent_guid));
    for (key, build) in ENGINES.iter().zip(&header.engines) {
        object.put(key, engine(build));
    }
    object.put("ChunkIDs", header.chunk_ids.clone()).put("PackageSource", header.package_source);
    object.put("FolderName", optional_text(&header.folder));
    object.put("LocalizationId", optional_text(&header.localization));
    if header.saved_hash != [0; 20] {
        object.put("SavedHash", data_encoding::HEXUPPER.encode(&header.saved_hash));
    }
    let paths = header.soft_paths.as_ref().map_or(0, Vec::len);
    object.put("SoftObjectPathsCount", paths).put("SoftObjectPathsOffset", 0);
    object.put("SearchableNamesOffset", 0).put("ThumbnailTableOffset", 0);
    if api == UassetApi::V1_1 {
        object.put("ImportTypeHierarchiesCount", 0).put("ImportTypeHierarchiesOffset", 0);
    }
    object.put("CompressionFlags", header.compression);
    object.put("AdditionalPackagesToCook", header.additional_packages.clone());
    object.put("NamesReferencedFromExportDataCount", header.names_referenced);
    object.put("PayloadTocOffset", header.trailer_at.cast_signed()).put("DataResourceOffset", -1);
    object.put("doWeHaveAssetRegistryData", header.registry.is_some()).put("doWeHaveWorldTileInfo", false);
    object.put("PackageFlags", flags(header.flags.into(), PACKAGE_FLAGS));
    object.put("HasUnversionedProperties", header.flags & UNVERSIONED_PROPERTIES != 0);
    object.put("IsFilterEditorOnly", header.flags & FILTERED != 0);
    object
}

const ENGINES: [&str; 2] = ["RecordedEngineVersion", "RecordedCompatibleWithEngineVersion"];

fn custom_version(version: &CustomVersion) -> Json {
    let key = guid(&version.guid);
    let known = CUSTOM_VERSIONS.iter().find(|(known, _)| key == *known).map(|(_, name)| *name);
    let mut object = NewObject::new("CustomVersion");
    object.put("Name", optional_text(&version.name)).put("Key", key).put("FriendlyName", json!(known));
    object.put("Version", version.version.cast_signed()).put("IsSerialized", true);
    object.into_json()
}

fn searchable_names(header: &HeaderParts) -> Json {
    let Some(collections) = &header.searchable_names else { return Json::Null };
    let mut object = serde_json::Map::new();
    let class = "System.Collections.Generic.SortedDictionary`2[[UAssetAPI.UnrealTypes.FPackageIndex, UAssetAPI],\
                 [System.Collections.Generic.List`1[[UAssetAPI.UnrealTypes.FName, UAssetAPI]], mscorlib]], System";
    object.insert("$type".to_owned(), json!(class));
    for (of, names) in collections {
        object.insert(of.to_string(), json!(names));
    }
    Json::Object(object)
}

fn data_resource(row: &BulkEntry, api: UassetApi) -> Json {
    let details = &row.details;
    let mut object = NewObject::new("UnrealTypes.FObjectDataResource");
    object.put("Flags", flags(details.loading.into(), RESOURCE_FLAGS));
    if api == UassetApi::V1_1 {
        object.put("CookedIndex", details.file);
    }
    object.put("SerialOffset", row.offset.cast_signed());
    object.put("DuplicateSerialOffset", details.duplicate.cast_signed());
    object.put("SerialSize", row.size.cast_signed()).put("RawSize", details.uncompressed.cast_signed());
    object.put("OuterIndex", details.owner.number()).put("LegacyBulkDataFlags", row.flags);
    object.into_json()
}

fn import(import: &AssetImport) -> Json {
    let mut object = NewObject::new("Import");
    object.put("ObjectName", &*import.name).put("OuterIndex", import.outer.number());
    object.put("ClassPackage", &*import.class_package).put("ClassName", &*import.class);
    object.put("PackageName", json!(import.package)).put("bImportOptional", import.optional != 0);
    object.into_json()
}

fn engine(build: &EngineBuild) -> Json {
    let [major, minor, patch] = build.numbers;
    let mut object = NewObject::new("FEngineVersion");
    object.put("Major", major).put("Minor", minor).put("Patch", patch).put("Changelist", build.changelist);
    object.put("Branch", optional_text(&build.branch));
    object.into_json()
}

/// Reads the version of the package that a document describes.
fn read_version(document: &Json) -> Result<AssetVersion, Fault> {
    if let Some(name) = document.get("EngineVersion").and_then(Json::as_str) {
        let unknown = || Fault::new(format!("no release is called {name:?}")).within(".EngineVersion");
        return release(name).ok_or_else(unknown);
    }
    let number = |key: &str, named: fn(&str) -> Option<u32>| -> Result<u32, Fault> {
        match document.get(key) {
            None | Some(Json::Null) => Ok(0),
            Some(Json::String(name)) if name == "UNKNOWN" => Ok(0),
            Some(Json::String(name)) => {
                let number = named(name).or_else(|| name.parse().ok());
                number.ok_or_else(|| {
                    Fault::new(format!("no version is called {name:?}")).within(format!(".{key}"))
                })
            }
            Some(number) => read_number(number).map_err(|fault| fault.within(format!(".{key}"))),
        }
    };
    let (engine_4, engine_5) =
        (number("ObjectVersion", engine_4_number)?, number("ObjectVersionUE5", engine_5_number)?);
    AssetVersion::new(engine_4, engine_5)
        .ok_or_else(|| Fault::new("the version of the package is needed").within(".ObjectVersion"))
}

/// Reads what a document has of a package besides its exports.
///
/// # Errors
/// [`Fault`] if a value is missing or not of its type, or something is not read.
pub(super) fn from_json(document: &Json) -> Result<PackageParts, Fault> {
    for key in ["GatherableTextData", "Thumbnails", "WorldTileInfo"] {
        let is_there = match document.get(key) {
            None | Some(Json::Null) => false,
            Some(Json::Array(elements)) => !elements.is_empty(),
            Some(Json::Object(keys)) => keys.keys().any(|key| key != "$type"),
            Some(_) => true,
        };
        if is_there {
            return Err(Fault::new("is not read").within(format!(".{key}")));
        }
    }
    for key in ["ValorantGarbageData", "SeaOfThievesGarbageData"] {
        if !optional(document, key, read_bytes)?.is_empty() {
            return Err(Fault::new("is not read").within(format!(".{key}")));
        }
    }
    let version = read_version(document)?;
    let text = |key| optional(document, key, read_text).map(Option::unwrap_or_default);
    let flag = |key| optional(document, key, read_bool);
    let flags = optional(document, "PackageFlags", |value| read_flags(value, PACKAGE_FLAGS))?;
    let flags = u32::try_from(flags).map_err(|_| Fault::new("flags have 32 bits").within(".PackageFlags"))?;
    let container = document.get("CustomVersionContainer").filter(|container| container.is_array());
    let versions = container.map_or(Ok(Vec::new()), |container| {
        list(container, read_custom_version).map_err(|fault| fault.within(".CustomVersionContainer"))
    })?;
    let is_split = flag("UseSeparateBulkDataFiles")?;
    let is_filtered = flags & FILTERED != 0;
    let table = |key: &str, flag: &str, is_default: bool| {
        // Early documents say with a flag whether there is a table; later ones have null for none.
        match document.get(flag).and_then(Json::as_bool) {
            Some(is_there) => is_there,
            None => is_default && document.get(key).is_some_and(|table| !table.is_null()),
        }
    };
    let strings = |json: &Json| list(json, read_name);
    let soft_paths = match document.get("SoftObjectPathList") {
        Some(paths) if paths.is_array() => {
            Some(list(paths, paths::from_json).map_err(|fault| fault.within(".SoftObjectPathList"))?)
        }
        // Documents before 1.0.2 do not have the key, but packages have the table.
        None if version.has_soft_path_table() => Some(Vec::new()),
        _ => None,
    };
    let depends = match table("DependsMap", "doWeHaveDependsMap", true) {
        true => Some(field(document, "DependsMap", |lists| {
            list(lists, |numbers| list(numbers, |number| read_number::<i32>(number).map(i32::cast_unsigned)))
        })?),
        false => None,
    };
    let soft_packages = match table("SoftPackageReferenceList", "doWeHaveSoftPackageReferences", true) {
        true => Some(field(document, "SoftPackageReferenceList", strings)?),
        false => None,
    };
    let registry = match document.get("doWeHaveAssetRegistryData").and_then(Json::as_bool) {
        Some(false) => None,
        _ => Some(optional(document, "AssetRegistryData", read_bytes)?),
    };
    let searchable = match document.get("SearchableNames").and_then(Json::as_object) {
        Some(collections) if !is_filtered => Some(read_searchable_names(collections)?),
        _ => None,
    };
    let resources = match document.get("DataResources").and_then(Json::as_array) {
        Some(_) if document.get("doWeHaveDataResources") == Some(&Json::Bool(false)) => None,
        Some(_) if version.has_data_resources() => {
            let form =
                optional(document, "DataResourceVersion", |value| read_flags(value, RESOURCE_VERSIONS))?;
            let rows = field(document, "DataResources", |rows| list(rows, read_data_resource))?;
            Some((u32::try_from(form).unwrap_or_default(), rows))
        }
        _ => None,
    };
    let has_preload = is_split || flag("UsesEventDrivenLoader")?;
    let generations = optional(document, "Generations", |rows| {
        list(rows, |row| {
            Ok([optional(row, "ExportCount", read_number)?, optional(row, "NameCount", read_number)?])
        })
    })?;
    let imports = field(document, "Imports", |imports| list(imports, read_import))?;
    let keeps_packages = imports.iter().any(|import| import.package.is_some());
    let header = HeaderParts {
        head: optional(document, "LegacyFileVersion", read_number)?,
        version,
        is_versioned: !flag("IsUnversioned")?,
        licensee: optional(document, licensee_key(document), read_number::<i32>)?.cast_unsigned(),
        custom_versions: stated_versions(container, &versions),
        folder: text("FolderName")?,
        flags,
        localization: text("LocalizationId")?,
        saved_hash: read_hash(document)?,
        guid: optional(document, "PackageGuid", read_guid)?,
        persistent_guid: optional(document, "PersistentGuid", read_guid)?,
        generations,
        engines: [read_engine(document, ENGINES[0])?, read_engine(document, ENGINES[1])?],
        compression: optional(document, "CompressionFlags", read_number)?,
        package_source: optional(document, "PackageSource", read_number)?,
        additional_packages: optional(document, "AdditionalPackagesToCook", strings)?,
        chunk_ids: optional(document, "ChunkIDs", |ids| {
            list(ids, |id| read_number::<i32>(id).map(i32::cast_unsigned))
        })?,
        names_referenced: optional(document, "NamesReferencedFromExportDataCount", read_number)?,
        trailer_at: match document.get("PayloadTocOffset") {
            Some(offset) => {
                read_number::<i64>(offset).map_err(|fault| fault.within(".PayloadTocOffset"))?.cast_unsigned()
            }
            None => u64::MAX,
        },
        names: field(document, "NameMap", |names| {
            list(names, |name| Ok(read_text(name)?.unwrap_or_default()))
        })?,
        has_zero_hashes: false,
        soft_paths,
        imports: with_packages(imports, keeps_packages || version.numbers()[0] >= 520 && !is_filtered),
        exports: Vec::new(),
        depends,
        soft_packages,
        searchable_names: searchable,
        registry,
        preload: has_preload.then(Vec::new),
        data_resources: resources,
        zeros: optional(document, "AppendedNullBytes", read_number)?,
    };
    let bulk_data = match document.get("BulkData") {
        Some(data) => read_bytes(data).map_err(|fault| fault.within(".BulkData"))?,
        // Before 1.0.2 it was the tag, always.
        None => TAG.to_le_bytes().to_vec(),
    };
    Ok(PackageParts { header, versions, is_split, bulk_data })
}

fn licensee_key(document: &Json) -> &'static str {
    if document.get("FileVersionLicenseeUE4").is_some() {
        "FileVersionLicenseeUE4"
    } else {
        "FileVersionLicenseeUE"
    }
}

/// Gives all imports the name of a package, or none.
fn with_packages(mut imports: Vec<AssetImport>, is_written: bool) -> Vec<AssetImport> {
    for import in &mut imports {
        import.package = is_written.then(|| import.package.take().unwrap_or_else(|| "None".to_owned()));
    }
    imports
}

/// Returns the versions that the package states: others are defaults of its release.
fn stated_versions(container: Option<&Json>, versions: &[CustomVersion]) -> Vec<CustomVersion> {
    let rows = container.and_then(Json::as_array).into_iter().flatten();
    let is_stated = |row: &Json| row.get("IsSerialized") != Some(&Json::Bool(false));
    rows.zip(versions).filter(|(row, _)| is_stated(row)).map(|(_, version)| version.clone()).collect()
}

fn read_custom_version(row: &Json) -> Result<CustomVersion, Fault> {
    Ok(CustomVersion {
        guid: field(row, "Key", read_guid)?,
        version: field(row, "Version", read_number::<i32>)?.cast_unsigned(),
        name: optional(row, "Name", read_text)?.unwrap_or_default(),
    })
}

fn read_searchable_names(
    collections: &serde_json::Map<String, Json>,
) -> Result<Vec<(i32, Vec<String>)>, Fault> {
    let collections = collections.iter().filter(|(key, _)| *key != "$type");
    collections
        .map(|(key, names)| {
            let object = key.parse().map_err(|_| Fault::new("a reference to an object is needed"));
            Ok((object?, list(names, read_name)?))
        })
        .collect::<Result<_, Fault>>()
        .map_err(|fault| fault.within(".SearchableNames"))
}

fn read_data_resource(row: &Json) -> Result<BulkEntry, Fault> {
    let offset = |key| optional(row, key, read_number::<i64>).map(i64::cast_unsigned);
    let flags = optional(row, "LegacyBulkDataFlags", read_number)?;
    let mut entry = BulkEntry::new(flags, offset("SerialOffset")?, offset("SerialSize")?);
    let loading = optional(row, "Flags", |value| read_flags(value, RESOURCE_FLAGS))?;
    entry.details.loading = u32::try_from(loading).unwrap_or_default();
    entry.details.duplicate = offset("DuplicateSerialOffset")?;
    entry.details.uncompressed = offset("RawSize")?;
    entry.details.owner = ObjectRef::from_number(optional(row, "OuterIndex", read_number)?);
    entry.details.file = optional(row, "CookedIndex", read_number)?;
    Ok(entry)
}

fn read_import(row: &Json) -> Result<AssetImport, Fault> {
    Ok(AssetImport {
        class_package: field(row, "ClassPackage", read_name)?,
        class: field(row, "ClassName", read_name)?,
        outer: ObjectRef::from_number(field(row, "OuterIndex", read_number)?),
        name: field(row, "ObjectName", read_name)?,
        package: optional(row, "PackageName", read_text)?,
        optional: optional(row, "bImportOptional", read_bool)?.into(),
    })
}

fn read_engine(document: &Json, key: &str) -> Result<EngineBuild, Fault> {
    optional(document, key, |build| {
        let number = |key| optional(build, key, read_number);
        Ok(EngineBuild {
            numbers: [number("Major")?, number("Minor")?, number("Patch")?],
            changelist: optional(build, "Changelist", read_number)?,
            branch: optional(build, "Branch", read_text)?.unwrap_or_default(),
        })
    })
}

/// Reads the hash of the package as it was saved: hexadecimal digits.
fn read_hash(document: &Json) -> Result<[u8; 20], Fault> {
    let Some(text) = document.get("SavedHash").and_then(Json::as_str) else { return Ok([0; 20]) };
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    hexadecimal(&digits).ok_or_else(|| Fault::new("40 hexadecimal digits are needed").within(".SavedHash"))
}
