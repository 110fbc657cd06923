//! Packages as JSON, and back.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use fixtures::asset::AssetWriter;
use fixtures::corpus::corpus;
use fixtures::package::PackageWriter;
use fixtures::property::{Coding, NameList, Written, object};
use importer::open::GameMount;
use modkit::json::{JsonError, from_json, tables_to_json, to_json};
use unreal::containers::mount::Mount;
use unreal::ue4to6::convert::{GameObjects, to_legacy, to_zen};
use unreal::ue4to6::zen::{ScriptNames, ZenForm};
use unreal::{
    AssetPackage, AssetVersion, FileSource, KeyRing, Limits, Mappings, Memory, Source, Value, read_object,
};

fn game(path: &Path) -> Arc<Mount> {
    GameMount::open(path, &KeyRing::default(), NonZeroUsize::MIN).unwrap().mount
}

fn mappings(folder: &Path) -> Mappings {
    let source = FileSource::open(folder.join("Mappings/CUE4ParseFixtures-Zstandard.usmap")).unwrap();
    Mappings::read(&source, &mut limits()).unwrap()
}

fn limits() -> Limits {
    Limits::with_structures(1 << 30)
}

fn version() -> AssetVersion {
    "5.8".parse().unwrap()
}

fn bytes_of(source: &dyn Source) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

fn package_of_files(name: &str, header: &[u8], objects: &[u8]) -> AssetPackage {
    let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec()));
    let path = format!("{name}.uasset");
    AssetPackage::of_files(&path, source(header), Some(source(objects)), Some(version()), &mut limits())
        .unwrap()
}

/// A package with a recording of each kind of property, of a version.
fn fixture(coding: Coding, first: i32, engine_4: u32, engine_5: u32) -> AssetPackage {
    let mut names = NameList(
        ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"]
            .map(str::to_owned)
            .to_vec(),
    );
    let values = [
        ("bLooping", Written::Bool(true)),
        ("Volume", Written::Float(0.1)),
        ("SpokenText", Written::Text("Halt!".to_owned())),
        ("Duration", Written::Float(-0.0)),
    ];
    let first_object = [object(coding, &mut names, "SoundWave", &values), vec![1, 2, 3, 4, 5]].concat();
    let floats = [("Weights", Written::Floats(vec![0.25, f32::NAN, 1e-30])), ("LoopCount", Written::Int(-7))];
    let second = object(coding, &mut names, "SoundNodeRandom", &floats);
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        classes: vec!["SoundNodeRandom".to_owned()],
        exports: vec![("Wave".to_owned(), -2, first_object), ("Node_3".to_owned(), -3, second)],
        data: (engine_5 >= 1009).then(Vec::new),
        ..AssetWriter::new(first, engine_4, engine_5)
    };
    let (header, objects) = writer.finish();
    let source = |bytes: Vec<u8>| Box::new(Memory(bytes));
    AssetPackage::of_files(
        "Game/Content/P.uasset",
        source(header),
        Some(source(objects)),
        None,
        &mut limits(),
    )
    .unwrap()
}

/// Versions of packages with tags: the number that they begin with, and those of Unreal Engine 4 and 5.
const VERSIONS: [(Coding, i32, u32, u32); 16] = [
    (Coding::Simple, -7, 504, 0),
    (Coding::Simple, -7, 507, 0),
    (Coding::Simple, -7, 510, 0),
    (Coding::Simple, -7, 513, 0),
    (Coding::Simple, -7, 516, 0),
    (Coding::Simple, -7, 517, 0),
    (Coding::Simple, -7, 518, 0),
    (Coding::Simple, -7, 520, 0),
    (Coding::Simple, -7, 522, 0),
    (Coding::Simple, -8, 522, 1004),
    (Coding::Split, -8, 522, 1008),
    (Coding::Split, -8, 522, 1009),
    (Coding::Complete, -8, 522, 1012),
    (Coding::Complete, -8, 522, 1013),
    (Coding::Complete, -9, 522, 1017),
    (Coding::Complete, -9, 522, 1018),
];

#[test]
fn packages_of_each_version_are_the_same_after_json() {
    for (coding, first, engine_4, engine_5) in VERSIONS {
        let package = fixture(coding, first, engine_4, engine_5);
        assert_eq!(round_trip(&package, None), (2, 0), "{engine_4} {engine_5}");
    }
}

#[test]
fn a_header_that_says_it_is_longer_than_its_file_is_the_same_after_json() {
    let (header, _) = AssetWriter { data: Some(Vec::new()), ..AssetWriter::new(-8, 522, 1012) }.finish();
    let whole = |header: &[u8]| {
        let (source, limits) = (Box::new(Memory(header.to_vec())), &mut limits());
        AssetPackage::of_files("Game/Content/P.uasset", source, None, None, limits)
    };
    let size = u32::try_from(header.len()).unwrap();
    let at = header.windows(4).position(|word| word == size.to_le_bytes()).unwrap();
    let mut changed = header;
    changed[at..at + 4].copy_from_slice(&(size + 50).to_le_bytes());
    round_trip(&whole(&changed).unwrap(), None);
}

/// Returns the package that the JSON of another becomes when it is changed.
fn changed(
    package: &AssetPackage,
    change: impl FnOnce(&mut serde_json::Value),
) -> Result<AssetPackage, JsonError> {
    let text = to_json(package, None, true, &mut limits()).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    change(&mut json);
    let bytes = from_json(&serde_json::to_string_pretty(&json).unwrap(), None, &mut limits())?.bytes;
    let source = |bytes: Vec<u8>| Box::new(Memory(bytes));
    let (header, objects) = (source(bytes.header), source(bytes.objects));
    Ok(AssetPackage::of_files("Game/Content/P.uasset", header, Some(objects), None, &mut limits()).unwrap())
}

/// Returns the place of a property in the JSON of a package.
fn value<'j>(json: &'j mut serde_json::Value, export: usize, name: &str) -> &'j mut serde_json::Value {
    let part =
        json["parts"].as_array_mut().unwrap().iter_mut().find(|part| part["export"] == export).unwrap();
    let properties = part["properties"].as_array_mut().unwrap();
    &mut properties.iter_mut().find(|property| property["name"] == name).unwrap()["value"]
}

#[test]
fn what_is_changed_in_json_is_read_from_the_package() {
    for (coding, first, engine_4, engine_5) in VERSIONS {
        let before = fixture(coding, first, engine_4, engine_5);
        let after = changed(&before, |json| {
            *value(json, 0, "SpokenText") = "A much longer sentence, with ümläuts".into();
            *value(json, 0, "Volume") = 0.5.into();
            *value(json, 1, "Weights") = serde_json::json!([1.0, 2.0, 3.0, 4.0, 5.0]);
            json["header"]["legacy"]["package"]["exports"][0]["name"] = "SW_Renamed_12".into();
        })
        .unwrap();
        let case = format!("{engine_4} {engine_5}");
        assert_eq!(after.export(0).unwrap().name, "SW_Renamed_12", "{case}");
        let wave = read_object(&after, 0, None, &mut limits()).unwrap();
        let text = Value::Text("A much longer sentence, with ümläuts".to_owned());
        assert_eq!(wave.get("SpokenText"), Some(&text), "{case}");
        assert_eq!(wave.get("Volume"), Some(&Value::Float(0.5)), "{case}");
        let mut tail = [0; 5];
        after.source().read_at(wave.end, &mut tail).unwrap();
        assert_eq!((tail, after.range(0).unwrap().end), ([1, 2, 3, 4, 5], wave.end + 5), "{case}");
        let node = read_object(&after, 1, None, &mut limits()).unwrap();
        let weights = Value::Array([1.0, 2.0, 3.0, 4.0, 5.0].map(Value::Float).to_vec());
        assert_eq!(
            (node.get("Weights"), node.get("LoopCount")),
            (Some(&weights), Some(&Value::Int(-7))),
            "{case}"
        );
        assert_eq!(after.range(1).unwrap().end, after.source().len() - 4, "{case}");
        round_trip(&after, None);
        if engine_5 >= 1009 {
            let chunk = to_zen(&after, ZenForm::Dependencies, &mut limits()).unwrap();
            let bytes = bytes_of(&chunk.into_source(after.source()));
            let zen = AssetPackage::of_chunk(Box::new(Memory(bytes)), &mut limits()).unwrap();
            assert_eq!(zen.export(0).unwrap().name, "SW_Renamed_12");
        }
    }
}

#[test]
fn json_that_is_wrong_is_refused_with_its_place() {
    let package = fixture(Coding::Complete, -8, 522, 1012);
    let error = |change: &dyn Fn(&mut serde_json::Value)| match changed(&package, change) {
        Err(JsonError::Document { path, line, why }) => (path, line, why),
        other => panic!("{other:?}"),
    };
    let (path, line, why) = error(&|json| *value(json, 1, "LoopCount") = "seven".into());
    assert_eq!(path, "parts[1].properties[1].value");
    assert!(line > 20 && why.contains("whole number"), "{line} {why}");
    let (path, ..) = error(&|json| *value(json, 1, "Weights") = serde_json::json!([1.0, true]));
    assert_eq!(path, "parts[1].properties[0].value[1]");
    let (path, ..) = error(&|json| json["parts"][0]["bytes"] = "not base64".into());
    assert_eq!(path, "parts[0].bytes");
    let (path, ..) = error(&|json| json["header"]["legacy"]["package"]["names"] = 3.into());
    assert!(path.starts_with("header"), "{path}");
    let text = to_json(&package, None, true, &mut limits()).unwrap();
    for end in [0, 1, 10, text.len() / 2, text.len() - 2] {
        assert!(from_json(&text[..end], None, &mut limits()).is_err(), "{end}");
    }
    let deep = format!("{{\"schema\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(from_json(&deep, None, &mut limits()).is_err());
    assert!(matches!(
        from_json(&text.replacen("usampler.asset/1", "other/1", 1), None, &mut limits()),
        Err(JsonError::Schema(_))
    ));
    let (path, ..) = error(&|json| json["parts"][0]["export"] = (-1).into());
    assert_eq!(path, "parts[0].export");
    for (export, why) in [(99, "export 99 is not in the table"), (1, "export 1 is there twice")] {
        let wrong = changed(&package, |json| json["parts"][0]["export"] = export.into());
        assert_eq!(wrong.unwrap_err().to_string(), why);
    }
    let missing = changed(&package, |json| _ = json["parts"].as_array_mut().unwrap().remove(0));
    assert_eq!(missing.unwrap_err().to_string(), "export 0 is missing among the parts");
}

/// Turns a package into JSON and back; returns how many objects have properties, and how many have not.
fn round_trip(package: &AssetPackage, mappings: Option<&Mappings>) -> (usize, usize) {
    let text = to_json(package, mappings, true, &mut limits()).unwrap();
    let back = from_json(&text, None, &mut limits())
        .unwrap_or_else(|error| panic!("{}: {error}", package.name()))
        .bytes;
    let written = [back.header, back.objects].concat();
    assert!(written == bytes_of(package.source()), "{}", package.name());
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let parts = json["parts"].as_array().unwrap();
    let objects: Vec<_> = parts.iter().filter(|part| part.get("export").is_some()).collect();
    let known = objects.iter().filter(|part| part.get("form").is_some()).count();
    (known, objects.len() - known)
}

#[test]
fn every_package_of_a_real_game_is_the_same_after_json() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let mappings = mappings(&folder);
    for form in ["Tagged", "Unversioned"] {
        let mount = game(&folder.join("IoStore").join(form));
        let scripts = Arc::new(ScriptNames::read(&mount, &mut limits()).unwrap());
        let objects = GameObjects::new(&mount).unwrap();
        let (mut packages, mut known, mut unknown) = (0, 0, 0);
        for entry in mount.entries().filter(|entry| mount.is_package(*entry) && !mount.is_overridden(*entry))
        {
            let package = mount.open_package(entry, None, &mut limits()).unwrap().with_scripts(&scripts);
            let chunk = round_trip(&package, Some(&mappings));
            let file = to_legacy(&package, version(), &objects, &mut limits()).unwrap();
            let files =
                package_of_files(package.name(), &file.header, &bytes_of(&file.objects(package.source())));
            let legacy = round_trip(&files, Some(&mappings));
            assert_eq!(chunk, legacy, "{}", package.name());
            let back = to_zen(&files, ZenForm::Dependencies, &mut limits()).unwrap();
            assert!(bytes_of(&back.into_source(files.source())) == bytes_of(package.source()));
            packages += 1;
            known += chunk.0;
            unknown += chunk.1;
        }
        // What is left writes itself in a way of its own, or belongs to a class that only the game's maker has.
        let expected = if form == "Tagged" { (639, 3) } else { (588, 54) };
        assert_eq!((packages, known, unknown), (97, expected.0, expected.1), "{form}");
    }
}

/// Returns the value of a property in a list of them.
fn named<'j>(properties: &'j serde_json::Value, name: &str) -> &'j serde_json::Value {
    let found = properties.as_array().unwrap().iter().find(|property| property["name"] == name);
    &found.unwrap_or_else(|| panic!("no {name}"))["value"]
}

/// Returns a number that a manifest states as itself, or as text in tens or sixteens.
fn number(stated: &serde_json::Value) -> i64 {
    let Some(text) = stated.as_str() else { return stated.as_i64().unwrap() };
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

#[test]
fn the_json_of_real_data_says_what_its_maker_does() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let (asset, table) = (&manifest["expectedValues"]["dataAsset"], &manifest["expectedValues"]["dataTable"]);
    let mappings = mappings(&folder);
    for form in ["Tagged", "Unversioned"] {
        let mount = game(&folder.join("IoStore").join(form));
        let scripts = Arc::new(ScriptNames::read(&mount, &mut limits()).unwrap());
        let json = |name: &str| -> serde_json::Value {
            let is_it = |entry: &unreal::containers::mount::MountedEntry| {
                mount.is_package(*entry) && mount.label(*entry).contains(name) && !mount.is_overridden(*entry)
            };
            let entry = mount.entries().find(is_it).unwrap();
            let package = mount.open_package(entry, None, &mut limits()).unwrap().with_scripts(&scripts);
            let text = to_json(&package, Some(&mappings), false, &mut limits()).unwrap();
            serde_json::from_str(&text).unwrap()
        };
        let data = json("DA_AllProperties");
        let text = data.to_string();
        for key in ["int32", "int64", "byte", "baseMarker"] {
            assert!(text.contains(&format!("\"value\":{}", number(&asset[key]))), "{form} {key}");
        }
        for key in ["unicodeString", "baseString", "name"] {
            assert!(text.contains(&format!("\"value\":{}", asset[key])), "{form} {key}");
        }
        for key in ["float", "double", "integerArray"] {
            assert!(text.contains(&format!("\"value\":{}", asset[key])), "{form} {key}");
        }
        assert!(text.contains(&format!("\"values\":{}", asset["nameSet"])), "{form}");
        assert!(text.contains("::Beta\""), "{form}");

        let rows = &json("DT_AllProperties")["parts"][0]["table"]["rows"];
        let names: Vec<&serde_json::Value> =
            rows.as_array().unwrap().iter().map(|row| &row["name"]).collect();
        assert_eq!(names, table["rowNames"].as_array().unwrap().iter().collect::<Vec<_>>());
        for row in rows.as_array().unwrap() {
            let expected = &table[row["name"].as_str().unwrap()];
            let text = row["properties"].to_string();
            if expected["number"] != 0 {
                for key in ["number", "largeNumber"] {
                    assert!(
                        text.contains(&format!("\"value\":{}", number(&expected[key]))),
                        "{form} {key} {text}"
                    );
                }
                for key in ["message", "values"] {
                    assert!(text.contains(&format!("\"value\":{}", expected[key])), "{form} {key} {text}");
                }
            }
        }
        assert_eq!(
            number(named(&rows[0]["properties"], "Number")),
            number(&table["Alpha"]["number"]),
            "{form}"
        );
    }
}

/// Returns the package of an early engine that JSON describes.
fn tables_back(text: &str) -> Result<Vec<u8>, JsonError> {
    from_json(text, None, &mut limits()).map(|package| package.bytes.header)
}

#[test]
fn packages_of_the_first_engines_are_the_same_after_json_and_take_other_numbers() {
    for version in [61, 69, 128, 400, 868] {
        let mut writer = PackageWriter::new(version);
        writer.sound("Kick", None, "WAV", &[1, 2, 3, 4]);
        let before = writer.finish();
        let text = tables_to_json(&Memory(&before[..]), &mut limits()).unwrap();
        assert!(tables_back(&text).unwrap() == before, "{version}");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["exports"].as_array().unwrap().len() + json["imports"].as_array().unwrap().len(), {
            let package = unreal::Package::open(&Memory(&before[..]), &mut limits()).unwrap();
            package.exports().len() + package.imports().len()
        });
        let mut renamed = json.clone();
        renamed["names"][0] = "Other".into();
        let error = tables_back(&renamed.to_string()).unwrap_err();
        assert!(error.to_string().contains("names[0]: cannot be changed"), "{error}");
    }
}

#[test]
fn numbers_of_real_packages_of_the_first_engines_are_changed_through_json() {
    let Some(folder) = corpus("packages") else { return };
    let (mut packages, mut changed) = (0, 0);
    let list = |folder: &Path| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files =
        list(&folder).filter(|path| path.is_dir()).flat_map(|folder| list(&folder).collect::<Vec<_>>());
    for path in files {
        let Ok(before) = std::fs::read(&path) else { continue };
        // Compressed ones are refused, for they are not written.
        let Ok(text) = tables_to_json(&Memory(&before[..]), &mut limits()) else { continue };
        assert!(tables_back(&text).unwrap() == before, "{}", path.display());
        packages += 1;
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let exports = json["exports"].as_array_mut().unwrap();
        let number = exports.iter_mut().enumerate().find_map(|(export, row)| {
            let properties = row.get_mut("properties")?.as_array_mut()?;
            let found = properties.iter_mut().enumerate().find(|(_, row)| row.get("float").is_some());
            found.map(|(property, row)| {
                row["value"] = 0.375.into();
                (export, property)
            })
        });
        let Some((export, property)) = number else { continue };
        let after = tables_back(&json.to_string()).unwrap();
        let differing = before.iter().zip(&after).filter(|(one, other)| one != other).count();
        assert!(after.len() == before.len() && (1..=4).contains(&differing), "{}", path.display());
        let again = tables_to_json(&Memory(&after[..]), &mut limits()).unwrap();
        let again: serde_json::Value = serde_json::from_str(&again).unwrap();
        assert_eq!(again["exports"][export]["properties"][property]["value"], 0.375, "{}", path.display());
        changed += 1;
    }
    println!("{packages} packages, {changed} changed");
    assert!(packages >= 10 && changed >= 3, "{packages} {changed}");
}
