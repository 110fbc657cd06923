//! Properties, cues, loops and notes of a real game: as their maker states them, and the same with tags and
//! without.

use std::fs;
use std::sync::Arc;

use fixtures::corpus::corpus;
use importer::{Budget, GameOptions, SoundFile};
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::{FileSource, KeyRing, Limits, Mappings, ObjectRef, Property, Source, Value, read_object};

fn store(file: &std::path::Path) -> Mount {
    let open = |extension| FileSource::open(file.with_extension(extension)).unwrap();
    let partitions = vec![Some(Box::new(open("ucas")) as Box<dyn Source>)];
    let store =
        IoStore::open(Box::new(open("utoc")), partitions, &KeyRing::default(), &mut Limits::default())
            .unwrap();
    Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store))])
}

#[test]
fn values_of_a_real_asset_are_what_its_maker_says() {
    let Some(folder) = corpus("containers") else { return };
    let folder = folder.join("UE5_8");
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let expected = &manifest["expectedValues"]["dataAsset"];
    let mount = store(&folder.join("IoStore/Tagged/Zlib/CUE4ParseFixtures-Minimal-Zlib-Windows"));
    let is_it = |entry: &_| mount.label(*entry).ends_with("DA_AllProperties.uasset");
    let entry = mount.entries().find(is_it).unwrap();
    let package = mount.open_package(entry, None, &mut Limits::default()).unwrap();
    let is_it = |number: &usize| package.export(*number).unwrap().name == "DA_AllProperties";
    let number = (0..package.len()).find(is_it).unwrap();
    let object = read_object(&package, number, None, &mut Limits::default()).unwrap();
    let number = |text: &str| i64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap();
    let integer = number(expected["int32"].as_str().unwrap());
    assert!(object.properties.iter().any(|p| p.value == Value::Int(integer as i32)), "{integer}");
    let long = number(expected["int64"].as_str().unwrap());
    assert!(object.properties.iter().any(|p| p.value == Value::Int64(long)));
    let double = expected["double"].as_f64().unwrap();
    assert!(object.properties.iter().any(|p| p.value == Value::Double(double)));
    let float = expected["float"].as_f64().unwrap() as f32;
    assert!(object.properties.iter().any(|p| p.value == Value::Float(float)));
    for text in ["unicodeString", "baseString"] {
        let text = expected[text].as_str().unwrap().to_owned();
        assert!(object.properties.iter().any(|p| p.value == Value::Text(text.clone())), "{text}");
    }
    let integers = expected["integerArray"].as_array().unwrap().iter();
    let integers = Value::Array(integers.map(|value| Value::Int(value.as_i64().unwrap() as i32)).collect());
    assert!(object.properties.iter().any(|p| p.value == integers));
}

/// Leaves out values that are not taken apart, and names' case.
fn without_places(value: &Value) -> Value {
    let all = |values: &[Value]| values.iter().map(without_places).collect::<Vec<_>>();
    match value {
        Value::Opaque { .. } => Value::Bool(true),
        // Mappings do not say whether values of an enumeration have its name before them.
        Value::Name(name) => Value::Name(name.rsplit("::").next().unwrap().to_owned()),
        Value::Array(values) => Value::Array(all(values)),
        Value::Set { removed, values } => Value::Set { removed: all(removed), values: all(values) },
        Value::Map { removed, pairs } => Value::Map {
            removed: all(removed),
            pairs: pairs.iter().map(|(key, value)| (without_places(key), without_places(value))).collect(),
        },
        Value::Struct(fields) => {
            let mut fields = fields.clone();
            fields.iter_mut().for_each(|field| field.name.make_ascii_lowercase());
            fields.sort_by(|one, other| (&one.name, one.index).cmp(&(&other.name, other.index)));
            for field in &mut fields {
                (field.value, field.form) = (without_places(&field.value), None);
            }
            Value::Struct(fields)
        }
        other => other.clone(),
    }
}

#[test]
fn properties_of_a_real_asset_are_the_same_with_tags_and_without() {
    let Some(folder) = corpus("containers") else { return };
    let folder = folder.join("UE5_8");
    let source = FileSource::open(folder.join("Mappings/CUE4ParseFixtures-Zstandard.usmap")).unwrap();
    let mappings = Mappings::read(&source, &mut Limits::with_structures(1 << 30)).unwrap();
    let objects = |form: &str| {
        let pak = format!("LegacyPak/{form}/Zlib/CUE4ParseFixtures-Legacy-{form}-Zlib.pak");
        let source = Box::new(FileSource::open(folder.join(pak)).unwrap());
        let pak = Container::open_pak(source, &KeyRing::default(), &mut Limits::default()).unwrap();
        let mount = Mount::new(vec![("Game.pak".to_owned(), pak)]);
        let mut found = Vec::new();
        for entry in mount.entries().filter(|entry| mount.is_package(*entry)) {
            let package = mount.open_package(entry, None, &mut Limits::default()).unwrap();
            for number in 0..package.len() {
                let name = format!("{}.{}", package.name(), package.export(number).unwrap().name);
                let read = read_object(&package, number, Some(&mappings), &mut Limits::default());
                let properties = read.unwrap_or_else(|error| panic!("{name}: {error}")).properties;
                found.push((name, without_places(&Value::Struct(properties))));
            }
        }
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        found
    };
    let (tagged, unversioned) = (objects("Tagged"), objects("Unversioned"));
    assert_eq!((tagged.len(), unversioned.len()), (10, 10));
    for ((name, tagged), (other, unversioned)) in tagged.iter().zip(&unversioned) {
        assert_eq!(name, other);
        let (Value::Struct(tagged), Value::Struct(unversioned)) = (tagged, unversioned) else {
            panic!("{name}")
        };
        let names = |fields: &[Property]| fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(tagged), names(unversioned), "{name}");
        for (tagged, unversioned) in tagged.iter().zip(unversioned) {
            assert_eq!(tagged.value, unversioned.value, "{name} {}", tagged.name);
        }
    }
}

#[test]
fn cues_loops_and_notes_of_a_real_game_are_the_same_with_tags_and_with_each_mappings() {
    let Some(folder) = corpus("containers") else { return };
    let folder = folder.join("UE5_8");
    let mappings = |name: &str| {
        let source =
            FileSource::open(folder.join(format!("Mappings/CUE4ParseFixtures-{name}.usmap"))).unwrap();
        let mappings = Mappings::read(&source, &mut Limits::with_structures(1 << 30)).unwrap();
        assert_eq!(mappings.len(), 8991, "{name}");
        Some(Arc::new(mappings))
    };
    for (form, mappings) in [
        ("Tagged", None),
        ("Unversioned", mappings("Uncompressed")),
        ("Unversioned", mappings("Oodle")),
        ("Unversioned", mappings("Brotli")),
        ("Unversioned", mappings("Zstandard")),
    ] {
        let path = folder.join(format!("IoStore/{form}/Zlib/CUE4ParseFixtures-Minimal-Zlib-Windows"));
        let mount = Arc::new(store(&path));
        let options = GameOptions { mappings, ..GameOptions::default() };
        let file = SoundFile::open_game(Arc::clone(&mount), "Game", &options, Budget::default());
        let named = |name: &str| file.sounds().iter().find(|sound| sound.path().ends_with(name)).unwrap();
        let cue = named("SC_Fixture");
        let played: Vec<String> = cue.plays().iter().map(|number| file.sounds()[number - 1].path()).collect();
        assert_eq!(played, ["/Game/Fixtures/Audio/SW_Inline", "/Game/Fixtures/Audio/SW_Streaming"], "{form}");
        let loops = &named("SW_Streaming").audio().unwrap().loops;
        assert_eq!((loops[0].start().get(), loops[0].end().get()), (0, 132_300), "{form}");
        // What cues load is known by hashes of names, and packages say which they need.
        let entry = mount.entries().find(|entry| mount.label(*entry).ends_with("SC_Fixture.uasset")).unwrap();
        let package = mount.open_package(entry, None, &mut Limits::default()).unwrap();
        let paths: Vec<_> = (1..12).filter_map(|n| package.path(ObjectRef::from_number(-n))).collect();
        let waves: Vec<_> = paths.iter().filter(|path| path.contains("SW_")).collect();
        let audio = "/Game/Fixtures/Audio";
        assert_eq!(
            waves,
            [&format!("{audio}/SW_Inline.SW_Inline"), &format!("{audio}/SW_Streaming.SW_Streaming")]
        );
        // Written by hand: 960 ticks, 120 beats a minute, middle C for a beat.
        let midi = file.payload(named("MIDI_Fixture").number).unwrap();
        let expected = [
            &b"MThd\0\0\0\x06\0\x01\0\x02\x03\xC0MTrk\0\0\0\x18\0\xFF\x03\x09Conductor\0\xFF\x51\x03\x07\xA1\x20"[..],
            &b"\0\xFF\x2F\0MTrk\0\0\0\x18\0\xFF\x03\x07Track-0\0\x90\x3C\x64\x87\x40\x80\x3C\x40\0\xFF\x2F\0"[..],
        ]
        .concat();
        assert!(midi == expected, "{form}");
    }
}
