//! Documents of `UAssetAPI`: those of other programs become the packages that they describe, and ours say what theirs
//! say about the same package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fixtures::asset::AssetWriter;
use fixtures::corpus::corpus;
use modkit::json::from_json;
use modkit::json::uassetapi::{UassetApi, to_json};
use serde_json::{Map, Value, json};
use unreal::{AssetPackage, FileSource, Limits, Mappings, Memory, Source};

fn limits() -> Limits {
    Limits::with_structures(1 << 30)
}

/// A package of the corpus.
struct Asset {
    name: String,
    header: Vec<u8>,
    objects: Option<Vec<u8>>,
    /// Release of the engine, for what states none.
    engine: String,
    mappings: Option<Mappings>,
    /// The document that `UAssetAPI` wrote of it.
    document: Option<PathBuf>,
}

impl Asset {
    fn package(&self) -> Option<AssetPackage> {
        let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec()));
        let objects = self.objects.as_deref().map(|bytes| source(bytes) as Box<dyn Source>);
        let engine = self.engine.parse().ok();
        AssetPackage::of_files(&self.name, source(&self.header), objects, engine, &mut limits()).ok()
    }

    fn to_json(&self, package: &AssetPackage, api: UassetApi) -> String {
        let is_split = self.objects.is_some();
        to_json(package, self.mappings.as_ref(), is_split, api, &mut limits()).unwrap().text
    }

    /// Returns the header and the objects of the package that a document describes.
    fn read(&self, text: &str) -> [Vec<u8>; 2] {
        let package = from_json(text, self.mappings.as_ref(), &mut limits());
        let package = package.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        assert_eq!(package.split, self.objects.is_some(), "{}", self.name);
        [package.bytes.header, package.bytes.objects]
    }

    /// Returns whether header and objects are those of the package.
    fn is(&self, [header, objects]: &[Vec<u8>; 2]) -> bool {
        match &self.objects {
            Some(own) => *header == self.header && objects == own,
            None => [&header[..], objects].concat() == self.header,
        }
    }
}

/// Goes through the packages of the corpus that the manifest lists.
fn each_asset(mut check: impl FnMut(&Asset)) {
    let Some(folder) = corpus("uassetapi") else { return };
    let manifest = fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut lines = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let columns = lines.next().unwrap();
    for row in lines {
        let get = |name: &str| {
            let at = columns.iter().position(|column| *column == name).unwrap();
            row.get(at).copied().filter(|text| !text.is_empty())
        };
        let path = folder.join(get("path").unwrap());
        let is_package = path.extension().is_some_and(|end| end == "uasset" || end == "umap");
        if get("kind") != Some("asset") || !is_package {
            continue;
        }
        let mappings = get("usmap").map(|usmap| {
            Mappings::read(&FileSource::open(folder.join(usmap)).unwrap(), &mut limits()).unwrap()
        });
        check(&Asset {
            name: get("path").unwrap().to_owned(),
            header: fs::read(&path).unwrap(),
            objects: fs::read(path.with_extension("uexp")).ok(),
            engine: get("engine").unwrap_or_default().to_owned(),
            mappings,
            document: get("doc").filter(|doc| doc.starts_with("docs/")).map(|doc| folder.join(doc)),
        });
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap()
}

/// Finds the table of names in a header by the names themselves; returns the offsets of their hashes.
fn hashes(header: &[u8], names: &[&str]) -> Vec<usize> {
    let stored = |name: &str| {
        if name.is_ascii() {
            let length = i32::try_from(name.len() + 1).unwrap();
            [&length.to_le_bytes()[..], name.as_bytes(), b"\0"].concat()
        } else {
            let units: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
            let length = -i32::try_from(units.len() / 2).unwrap();
            [&length.to_le_bytes()[..], &units].concat()
        }
    };
    let at = |start: usize| -> Option<Vec<usize>> {
        let mut next = start;
        names
            .iter()
            .map(|name| {
                let name = stored(name);
                header.get(next..)?.starts_with(&name).then_some(())?;
                next += name.len() + 4;
                (next <= header.len()).then_some(next - 4)
            })
            .collect()
    };
    (0..header.len()).find_map(at).expect("a table of names")
}

#[test]
fn documents_of_uassetapi_become_the_packages_that_they_describe() {
    let (mut equal, mut without_hashes) = (0, 0);
    let is_known = |asset: &Asset| asset.name.contains("TestImproperNameMapHashes");
    each_asset(|asset| {
        let Some(document) = &asset.document else { return };
        let text = fs::read_to_string(document).unwrap();
        let mut written = asset.read(&text);
        if asset.is(&written) {
            equal += 1;
            return;
        }
        // A document does not say that the hashes of names are zero, or wrong as in one package: they are computed.
        let document = parse(&text);
        let names: Vec<&str> =
            document["NameMap"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let offsets = hashes(&asset.header, &names);
        let is_zero = offsets.iter().all(|at| asset.header[*at..*at + 4] == [0; 4]);
        assert!(is_zero || is_known(asset), "{}", asset.name);
        assert_eq!(offsets, hashes(&written[0], &names), "{}", asset.name);
        for at in offsets {
            written[0][at..at + 4].copy_from_slice(&asset.header[at..at + 4]);
        }
        assert!(asset.is(&written), "{}", asset.name);
        without_hashes += 1;
    });
    if corpus("uassetapi").is_some() {
        assert_eq!((equal, without_hashes), (6, 62));
    }
}

#[test]
fn packages_become_documents_of_both_versions_and_the_same_packages() {
    let mut unread = Vec::new();
    let mut count = 0;
    each_asset(|asset| {
        let Some(package) = asset.package() else {
            unread.push(asset.name.clone());
            return;
        };
        for api in [UassetApi::V1_1, UassetApi::V1_0] {
            let text = asset.to_json(&package, api);
            assert!(asset.is(&asset.read(&text)), "{} {api:?}", asset.name);
        }
        count += 1;
    });
    if corpus("uassetapi").is_some() {
        assert_eq!(count, 113);
        // Encrypted by its game.
        assert!(unread.iter().all(|name| name.contains("TestACE7")), "{unread:?}");
    }
}

#[test]
fn what_uassetapi_would_write_of_our_package_is_that_of_its_own_document() {
    each_asset(|asset| {
        let (Some(document), Some(package)) = (&asset.document, asset.package()) else { return };
        // Without the key that others do not know: what is left is what they would read.
        let mut own = parse(&asset.to_json(&package, UassetApi::V1_1));
        own.as_object_mut().unwrap().remove("usampler");
        let [ours, theirs] = [own.to_string(), fs::read_to_string(document).unwrap()];
        assert!(asset.read(&ours) == asset.read(&theirs), "{}", asset.name);
    });
}

#[test]
fn a_struct_of_a_game_keeps_its_values_without_what_only_this_program_writes() {
    each_asset(|asset| {
        let Some(package) = asset.package().filter(|_| asset.name.ends_with("/SStructTestColor.uasset"))
        else {
            return;
        };
        let mut document = parse(&asset.to_json(&package, UassetApi::V1_1));
        document.as_object_mut().unwrap().remove("usampler");
        let export = &document["Exports"][0];
        assert_eq!(export["$type"], "UAssetAPI.ExportTypes.UserDefinedStructExport, UAssetAPI");
        assert_eq!(export["StructData"][0]["StructType"], "Color");
        let [_, objects] = asset.read(&document.to_string());
        assert_eq!(Some(objects), asset.objects);
    });
}

/// Keys that only some versions of `UAssetAPI` have, whose values say nothing new.
const DIALECT: [&str; 22] = [
    "PropertyTagFlags",
    "PropertyTagExtensions",
    "PropertyGuid",
    "PropertyTypeName",
    "SerializationControl",
    "Operation",
    "DuplicationIndex",
    "ArrayIndex",
    "SourceFmt",
    "Arguments",
    "ArgumentsData",
    "TransformType",
    "SourceValue",
    "FormatOptions",
    "TargetCulture",
    "UsmapPropertyTypeOverrides",
    "PublicExportHash",
    "Padding",
    "HasLeadingFourNullBytes",
    "ObjectGuid",
    "Extras",
    "DummyStruct",
];

/// Returns a value without what only its dialect makes of it.
fn said(value: &Value) -> Value {
    match value {
        Value::Object(fields) if fields.get("$type").is_some_and(is_bytes) => fields["$value"].clone(),
        Value::Object(fields) => {
            let known = fields.iter().filter(|(key, _)| !DIALECT.contains(&&key[..]));
            let mut known: Map<String, Value> =
                known.map(|(key, value)| (key.clone(), said(value))).collect();
            if let Some(Value::String(kind)) = known.get_mut("$type") {
                *kind = kind.replace("PropertyTypes.Structs.LinearColor,", "UnrealTypes.FLinearColor,");
            }
            Value::Object(known)
        }
        Value::Array(values) => values.iter().map(said).collect(),
        value => value.clone(),
    }
}

fn is_bytes(kind: &Value) -> bool {
    kind.as_str().is_some_and(|kind| kind.starts_with("System.Byte[]"))
}

#[test]
fn our_documents_say_what_those_of_uassetapi_say() {
    let (mut exports, mut others) = (0, BTreeSet::new());
    each_asset(|asset| {
        let (Some(document), Some(package)) = (&asset.document, asset.package()) else { return };
        let theirs = parse(&fs::read_to_string(document).unwrap());
        let ours = parse(&asset.to_json(&package, UassetApi::V1_1));
        for key in ["NameMap", "Imports"] {
            assert_eq!(said(&ours[key]), said(&theirs[key]), "{} {key}", asset.name);
        }
        let [ours, theirs] = [&ours, &theirs].map(|document| document["Exports"].as_array().unwrap());
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert_eq!(ours["$type"], theirs["$type"], "{}", asset.name);
            exports += 1;
            if said(ours) != said(theirs) {
                others.insert(asset.name.rsplit('/').next().unwrap().to_owned());
            }
        }
    });
    if corpus("uassetapi").is_some() {
        assert_eq!(exports, 77);
        // A vector of four and the keys of a curve have their values in an object since 1.0.2.
        assert_eq!(others.len(), 2, "{others:?}");
    }
}

#[test]
fn documents_that_people_published_are_read() {
    let Some(folder) = corpus("uassetapi") else { return };
    let mut count = 0;
    for file in fs::read_dir(folder.join("published")).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let read = from_json(&text, None, &mut limits()).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let [header, objects] = [read.bytes.header, read.bytes.objects].map(|bytes| Box::new(Memory(bytes)));
        let package =
            AssetPackage::of_files("A.uasset", header, Some(objects), "4.27".parse().ok(), &mut limits());
        let package = package.unwrap();
        let document = parse(&text);
        let sizes =
            document["Exports"].as_array().unwrap().iter().map(|export| export["SerialSize"].as_u64());
        let sizes: Vec<Option<u64>> = sizes.collect();
        let own: Vec<Option<u64>> =
            (0..package.len()).map(|at| package.export(at).map(|export| export.size)).collect();
        // One was shortened by hand.
        if !is_edited(&path) {
            assert_eq!(own, sizes, "{path:?}");
        }
        count += 1;
    }
    assert_eq!(count, 6);
}

fn is_edited(path: &Path) -> bool {
    path.to_string_lossy().contains("_minimal")
}

#[test]
fn numbers_beyond_those_with_a_sign_keep_their_bits() {
    let (mut header, objects) =
        AssetWriter { data: Some(Vec::new()), ..AssetWriter::new(-8, 522, 1012) }.finish();
    // The version of a part of the engine: after its GUID, sixteen ones.
    let at = header.windows(16).position(|bytes| bytes == [1; 16]).unwrap() + 16;
    header[at..at + 4].copy_from_slice(&[0xFE, 0xFF, 0xFF, 0xFF]);
    let (name, engine) = ("A.uasset".to_owned(), String::new());
    let asset = Asset { name, header, objects: Some(objects), engine, mappings: None, document: None };
    let text = asset.to_json(&asset.package().unwrap(), UassetApi::V1_1);
    assert!(text.contains("\"Version\": -2,"), "{text}");
    assert!(asset.is(&asset.read(&text)));
}

/// A document of a table of texts that another program wrote, and a changed copy of it.
fn changed(change: impl FnOnce(&mut Value)) -> Option<String> {
    let folder = corpus("uassetapi")?;
    let text = fs::read_to_string(folder.join("docs/TestJson__Items.uasset.json")).unwrap();
    let mut document = parse(&text);
    change(&mut document);
    Some(serde_json::to_string_pretty(&document).unwrap())
}

/// Returns the error of a document.
fn refusal(text: &str) -> String {
    from_json(text, None, &mut limits()).expect_err("a refusal").to_string()
}

#[test]
fn wrong_documents_are_refused_with_line_and_path() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 9] = [
        (|document| document["NameMap"] = json!(7), "NameMap"),
        (|document| document["NameMap"][1] = json!({"a": 1}), "NameMap[1]"),
        (|document| document["Exports"][0]["$type"] = json!("UAssetAPI.ExportTypes.OddExport"), "Exports[0]"),
        (|document| document["Exports"][0]["ObjectFlags"] = json!("RF_Nothing"), "Exports[0].ObjectFlags"),
        (|document| document["Exports"][0]["ClassIndex"] = json!("one"), "Exports[0].ClassIndex"),
        (|document| document["Exports"][0]["Table"]["Value"][2] = json!([1]), "Exports[0].Table"),
        (|document| document["Imports"][0]["OuterIndex"] = json!(1e30), "Imports[0].OuterIndex"),
        (|document| document["ObjectVersion"] = json!("VER_UE4_NEVER"), "ObjectVersion"),
        (|document| document["PackageGuid"] = json!("{123}"), "PackageGuid"),
    ];
    for (change, place) in cases {
        let Some(text) = changed(change) else { return };
        let error = refusal(&text);
        assert!(error.starts_with("line ") && error.contains(place), "{place}: {error}");
    }
}

#[test]
fn a_document_that_ends_early_is_refused_wherever_it_ends() {
    let Some(text) = changed(|_| ()) else { return };
    for length in (0..text.len()).step_by(text.len() / 97) {
        let Some(part) = text.get(..length) else { continue };
        assert!(from_json(part, None, &mut limits()).is_err(), "{length}");
    }
}

#[test]
fn a_document_that_asks_for_more_memory_than_there_is_ends_with_an_error() {
    let Some(text) = changed(|_| ()) else { return };
    let error = from_json(&text, None, &mut Limits::with_structures(1000)).unwrap_err().to_string();
    assert!(error.contains("memory") || error.contains("limit") || error.contains("bytes"), "{error}");
    let deep = format!("{{\"$type\":\"UAssetAPI.UAsset, UAssetAPI\",\"Exports\":{}", "[".repeat(100_000));
    refusal(&deep);
}
