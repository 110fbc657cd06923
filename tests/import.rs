//! Each fact about the format of packages, on both sides of its threshold.

use std::sync::atomic::{AtomicU64, Ordering};

use fixtures::bytes::Written;
use fixtures::package::{Export, Object, PackageWriter, Part, Property, Sound, large};
use fixtures::wave::{Values, Wave};
use proptest::prelude::*;
use unreal::bulk::{Located, Payload, Proof};
use unreal::class::sound::{self, SoundClass, SoundObject};
use unreal::{Error, FileSource, Limits, Memory, ObjectRef, Package, Source, Value};

/// Both sides of every threshold, and both ends.
const VERSIONS: [u16; 10] = [60, 61, 62, 63, 64, 67, 68, 76, 77, 99];

fn open(bytes: &[u8]) -> Result<Package, Error> {
    Package::open(&Memory(bytes), &mut Limits::default())
}

fn refusal(bytes: &[u8]) -> String {
    open(bytes).unwrap_err().to_string()
}

/// The sounds of a package: path and what reading gives.
fn sounds(bytes: &[u8]) -> Vec<(String, Result<SoundObject, String>)> {
    let (package, source) = (open(bytes).unwrap(), Memory(bytes));
    let mut limits = Limits::default();
    let of_sounds = package.export_indices().filter(|&index| sound::kind_of(&package, index).is_some());
    of_sounds
        .map(|index| {
            let read = sound::read(&package, &source, index, &mut limits);
            (package.path_of(index).to_string(), read.map_err(|error| error.to_string()))
        })
        .collect()
}

/// The only sound of a package.
fn only(bytes: &[u8]) -> Result<SoundObject, String> {
    let mut found = sounds(bytes);
    assert_eq!(found.len(), 1);
    found.remove(0).1
}

fn data(bytes: &[u8], sound: &SoundObject) -> Vec<u8> {
    sound.payload.read(&Memory(bytes), u64::MAX).unwrap()
}

/// A package with one sound, some of it unusual.
fn with_sound(version: u16, sound: &Sound<'_>) -> Written {
    let mut package = PackageWriter::new(version);
    package.add(sound);
    package.written()
}

/// A package with a bit of everything.
fn full(version: u16) -> PackageWriter {
    let wave = Wave::new(8000, 1, Values::U8(vec![128; 5])).finish();
    let mut package = PackageWriter::new(version);
    let drums = package.group("Drums", None);
    let low = package.group("Low", Some(drums));
    package.sound("Kick", Some(low), "WAV", &wave);
    package.null_export();
    package.sound("Snare", Some(drums), "wav", b"12345");
    package.sound("Empty", None, "WAV", b"");
    package.music("Song", "s3m", b"IMPM");
    package
}

#[test]
fn a_package_reads_alike_on_both_sides_of_every_threshold() {
    for version in VERSIONS {
        let bytes = full(version).finish();
        let package = open(&bytes).unwrap();
        assert_eq!(package.identity().version.get(), version);
        let found = sounds(&bytes);
        let seen: Vec<_> = found
            .iter()
            .map(|(path, sound)| {
                let sound = sound.as_ref().unwrap();
                (
                    path.as_str(),
                    sound.class.name(),
                    sound.file_type.as_str(),
                    data(&bytes, sound).len(),
                    sound.tail,
                )
            })
            .collect();
        let expected = [
            ("Drums.Low.Kick", "Sound", "WAV", 50, 0),
            ("Drums.Snare", "Sound", "wav", 5, 0),
            ("Empty", "Sound", "WAV", 0, 0),
            ("Song", "Music", "s3m", 4, 0),
        ];
        assert_eq!(seen, expected, "version {version}");
    }
}

#[test]
fn the_number_of_a_version_decides_how_a_file_is_read() {
    for (before, after) in [(61, 62), (63, 64), (67, 68)] {
        let expected = sounds(&full(before).finish());
        let renumbered = full(before).written().with_u32("version", after).bytes;
        let read = open(&renumbered).map(|_| sounds(&renumbered));
        assert_ne!(read.unwrap_or_default(), expected, "version {before} read as {after}");
    }
}

#[test]
fn versions_below_60_and_above_99_are_refused_by_number() {
    for (version, name) in [
        (35, "a package of an Unreal beta (version 35), which is not supported"),
        (59, "a package of an Unreal beta (version 59), which is not supported"),
        (100, "an Unreal Engine 2 package (version 100), which is not supported"),
        (868, "an Unreal Engine 3 package (version 868), which is not supported"),
    ] {
        assert_eq!(refusal(&PackageWriter::new(version).finish()), name);
    }
    for version in [60, 99] {
        assert!(open(&PackageWriter::new(version).finish()).is_ok(), "version {version}");
    }
}

#[test]
fn other_forms_of_package_are_refused_by_name() {
    let plain = || PackageWriter::new(69).written();
    for (bytes, name) in [
        (plain().with("tag", [0xC2, 0x83, 0x2A, 0x9E]), "a Killing Floor package (version 69)"),
        (
            plain().with("tag", [0x9E, 0x2A, 0x83, 0xC1]).with("version", [0, 0, 2, 0x2D]),
            "a big-endian console package (version 557)",
        ),
        (plain().with_u32("version", 0x9E2A_83C1), "a fully compressed Unreal Engine 3 package"),
        (plain().with_u32("version", 0xFFFF_FFF9), "an Unreal Engine 4 or 5 package (version -7)"),
        (plain().with("tag", 1234_u32.to_le_bytes()), "a compressed download (.uz)"),
        (plain().with("tag", 5678_u32.to_le_bytes()), "a compressed download (.uz)"),
    ] {
        assert_eq!(refusal(&bytes.bytes), format!("{name}, which is not supported"));
    }
}

#[test]
fn what_is_no_package_is_named_as_what_it_is() {
    assert_eq!(refusal(b""), "not an Unreal package, but an empty file");
    assert_eq!(refusal(b"[Public]\r\n"), "not an Unreal package, but a text file");
    assert_eq!(refusal(b"MZ\x90\0\x03\0\0\0"), "not an Unreal package, but a Windows program or library");
    assert_eq!(refusal(&[0; 100]), "not an Unreal package, but something unknown");
}

#[test]
fn the_summary_says_what_the_package_says() {
    let mut writer = full(69);
    writer.flags = 0x0000_2001;
    writer.generations = vec![[3, 10], [4, 11]];
    let package = open(&writer.finish()).unwrap();
    let summary = package.summary();
    assert_eq!(summary.flags, 0x2001);
    assert_eq!(summary.guid.unwrap().to_string(), "00112233-4455-6677-8899-AABBCCDDEEFF");
    let generations: Vec<_> = summary.generations.iter().map(|g| (g.exports, g.names)).collect();
    assert_eq!(generations, [(3, 10), (4, 11), (7, summary.names.count)]);
    assert_eq!(summary.heritage, []);
    assert_eq!(package.exports().len(), 7);
    assert_eq!(package.imports().len(), 5);
    assert_eq!(package.names().len(), summary.names.count as usize);
}

#[test]
fn the_last_of_the_heritage_is_the_packages_guid_up_to_version_67() {
    let mut writer = full(67);
    writer.guids = vec![[1, 2, 3, 4], [5, 6, 7, 8]];
    let package = open(&writer.finish()).unwrap();
    assert_eq!(package.summary().heritage.len(), 2);
    assert_eq!(package.summary().guid.unwrap().words(), [5, 6, 7, 8]);
    assert_eq!(package.summary().generations, []);
    writer.guids.clear();
    assert_eq!(open(&writer.finish()).unwrap().summary().guid, None);
}

#[test]
fn a_licensee_is_told_and_changes_nothing() {
    let mut writer = full(69);
    writer.version |= 2 << 16;
    let bytes = writer.finish();
    assert_eq!(open(&bytes).unwrap().identity().licensee.get(), 2);
    assert_eq!(sounds(&bytes), sounds(&full(69).finish()));
}

#[test]
fn names_are_windows_1252() {
    for version in [63, 64] {
        let mut writer = PackageWriter::new(version);
        let number = writer.name_of_bytes(&[b'A', 0x80, 0xE9, 0xFF]);
        let package = open(&writer.finish()).unwrap();
        let name = package.names().get(usize::try_from(number).unwrap()).unwrap();
        assert_eq!(name.text, "A€éÿ", "version {version}");
        assert_eq!(name.flags, 0x0407_0010);
    }
}

#[test]
fn an_empty_name_is_only_its_flags() {
    for version in [63, 64] {
        let mut writer = PackageWriter::new(version);
        writer.name("");
        writer.name("Next");
        let package = open(&writer.finish()).unwrap();
        let names: Vec<_> = package.names().iter().map(|name| name.text).collect();
        assert_eq!(names, ["None", "", "Next"], "version {version}");
    }
}

#[test]
fn a_negative_length_makes_a_name_utf_16_from_version_64_on() {
    let mut writer = PackageWriter::new(64);
    writer.name("소리 🎵");
    writer.name("Next");
    let package = open(&writer.finish()).unwrap();
    let names: Vec<_> = package.names().iter().map(|name| name.text).collect();
    assert_eq!(names, ["None", "소리 🎵", "Next"]);
}

#[test]
fn a_name_has_up_to_255_characters() {
    for (version, character) in [(63, "é"), (64, "é"), (64, "리")] {
        for (length, fits) in [(255, true), (256, false)] {
            let mut writer = PackageWriter::new(version);
            writer.sound(&character.repeat(length), None, "WAV", b"1");
            let bytes = writer.finish();
            let read = open(&bytes).map_err(|error| error.to_string());
            assert_eq!(read.is_ok(), fits, "{length} characters in version {version}: {read:?}");
            match read {
                Ok(package) => {
                    assert!(only(&bytes).is_ok());
                    let index = package.export_indices().last().unwrap();
                    assert_eq!(package.path_of(index).name, character.repeat(length));
                }
                Err(error) => assert!(error.ends_with("is longer than 255 characters"), "{error}"),
            }
        }
    }
}

#[test]
fn a_path_has_up_to_1024_bytes() {
    for (longest, whole) in [(199, true), (200, false)] {
        let mut writer = PackageWriter::new(69);
        let mut group = None;
        for index in 0..4 {
            group = Some(writer.group(&index.to_string().repeat(205), group));
        }
        writer.sound(&"x".repeat(longest), group, "WAV", b"1");
        let bytes = writer.finish();
        let read = only(&bytes);
        assert_eq!(read.is_ok(), whole, "{read:?}");
        let package = open(&bytes).unwrap();
        let path = package.path_of(package.export_indices().last().unwrap());
        assert_eq!(path.name, "x".repeat(longest));
        assert_eq!(path.group.split('.').count(), if whole { 4 } else { 3 });
    }
}

#[test]
fn a_name_without_its_final_zero_is_refused() {
    let mut writer = PackageWriter::new(69);
    writer.name("Kick");
    let bytes = writer.written().with("name 1.text", b"Kick!").bytes;
    assert_eq!(refusal(&bytes), "name 1: name table at 0x4b: does not end with a zero");
}

#[test]
fn tables_may_stand_in_any_order_with_anything_between_them() {
    let mut parts = [Part::Names, Part::Bodies, Part::Imports, Part::Exports, Part::Heritage];
    for version in [61, 69] {
        let expected: Vec<_> = sounds(&full(version).finish()).into_iter().map(|(path, _)| path).collect();
        for turn in 0..5 {
            parts.rotate_left(1);
            for swap in 1..5 {
                let mut order = parts;
                order.swap(turn, swap);
                let mut writer = full(version);
                writer.order = order.into_iter().flat_map(|part| [Part::Gap(7), part]).collect();
                let found = sounds(&writer.finish());
                assert!(found.iter().all(|(_, sound)| sound.is_ok()), "version {version}, {order:?}");
                let paths: Vec<_> = found.into_iter().map(|(path, _)| path).collect();
                assert_eq!(paths, expected, "version {version}, {order:?}");
            }
        }
    }
}

#[test]
fn the_place_of_a_body_is_there_only_if_its_size_is_not_0() {
    let mut writer = PackageWriter::new(69);
    writer.null_export();
    writer.sound("Kick", None, "WAV", b"12");
    let bytes = writer.finish();
    let package = open(&bytes).unwrap();
    assert_eq!(package.exports()[0].body, None);
    assert_eq!(package.exports()[1].body.unwrap().size, 9);
    assert!(only(&bytes).is_ok());
}

#[test]
fn a_sound_states_where_its_data_ends_from_version_62_on() {
    for (version, proof) in [(61, Proof::EndsWithObject), (62, Proof::SkipOffset)] {
        let bytes = with_sound(version, &Sound::new("Kick", "WAV", b"12345")).bytes;
        let sound = only(&bytes).unwrap();
        assert_eq!(sound.located, Located { extra: 0, proof }, "version {version}");
        assert_eq!(data(&bytes, &sound), b"12345");
    }
}

#[test]
fn a_wrong_skip_offset_is_refused() {
    let written = with_sound(69, &Sound::new("Kick", "WAV", b"12345"));
    let skip = written.field("body 0.skip").at;
    let stated = u32::from_le_bytes(written.bytes[skip..skip + 4].try_into().unwrap());
    for wrong in [stated - 1, stated + 1, 0, u32::MAX] {
        let refused = only(&written.clone().with_u32("body 0.skip", wrong).bytes).unwrap_err();
        let expected =
            format!("sound Kick: body at {skip:#x}: no skip offset agrees with the end of the data");
        assert_eq!(refused, expected);
    }
}

#[test]
fn data_that_would_reach_past_its_object_is_refused_without_a_skip_offset() {
    let written = with_sound(61, &Sound::new("Kick", "WAV", b"12345"));
    for (count, fits) in [(5, true), (6, false), (63, false), (-1, false)] {
        let read = only(&written.clone().with_compact("body 0.count", count).bytes);
        assert_eq!(read.is_ok(), fits, "{count} of 5 bytes: {read:?}");
    }
}

#[test]
fn data_that_would_reach_past_its_object_is_refused_even_if_the_skip_offset_agrees() {
    let mut writer = PackageWriter::new(69);
    writer.sound("Greedy", None, "WAV", b"12345");
    writer.sound("Kick", None, "WAV", b"12345");
    let written = writer.written();
    let end = u32::try_from(written.field("body 1.none").at).unwrap();
    for (count, fits) in [(5, true), (6, false)] {
        let skip = end + count - 5;
        let bytes = written
            .clone()
            .with_u32("body 0.skip", skip)
            .with("body 0.count", [u8::try_from(count).unwrap()]);
        assert_eq!(sounds(&bytes.bytes)[0].1.is_ok(), fits, "{count} of 5 bytes");
    }
}

#[test]
fn what_follows_the_data_is_told_and_not_read() {
    for (version, proof) in [(61, Proof::FitsObject), (69, Proof::SkipOffset)] {
        let bytes =
            with_sound(version, &Sound { tail: &[9; 300], ..Sound::new("Kick", "WAV", b"12345") }).bytes;
        let sound = only(&bytes).unwrap();
        assert_eq!((sound.tail, sound.located.proof), (300, proof), "version {version}");
        assert_eq!(data(&bytes, &sound), b"12345");
    }
}

#[test]
fn up_to_eight_extra_words_are_found_by_the_skip_offset() {
    for version in [69, 79, 85] {
        for extra in 0..=9_u32 {
            // Words as games have them: floats, counts, nothing.
            let extra_words = (0..extra).map(|word| [0x3F80_0000, 3, 0][word as usize % 3]).collect();
            let bytes =
                with_sound(version, &Sound { extra_words, ..Sound::new("Kick", "WAV", b"12345") }).bytes;
            match only(&bytes) {
                Ok(sound) => {
                    assert_eq!(sound.located, Located { extra, proof: Proof::SkipOffset });
                    assert_eq!(data(&bytes, &sound), b"12345");
                }
                Err(_) => assert_eq!(extra, 9, "version {version}"),
            }
        }
    }
}

/// A sound whose skip offset fits both without extra words and with one.
fn ambiguous(version: u16) -> Vec<u8> {
    let build = |gap| {
        let mut writer = PackageWriter::new(version);
        writer.order.insert(1, Part::Gap(gap));
        writer.add(&Sound { extra_words: vec![0], ..Sound::new("Kick", "WAV", &[0; 60]) });
        writer.written()
    };
    // The first byte of the true skip offset is to read as a count of 16.
    let written =
        (0..256).map(build).find(|written| written.bytes[written.field("body 0.skip").at] == 16).unwrap();
    let false_data = written.field("body 0.skip").at + 1;
    written.with_u32("body 0.extra 0", u32::try_from(false_data + 16).unwrap()).bytes
}

#[test]
fn of_several_fitting_skip_offsets_the_expected_one_is_taken() {
    let sound = only(&ambiguous(76)).unwrap();
    assert_eq!((sound.located.extra, sound.payload.length), (0, 16));
}

#[test]
fn of_several_fitting_skip_offsets_none_is_taken_where_none_is_expected() {
    let refused = only(&ambiguous(77)).unwrap_err();
    assert!(refused.ends_with("several skip offsets agree with the end of the data"), "{refused}");
}

#[test]
fn an_empty_sound_is_a_sound_without_data() {
    for version in [61, 62, 69] {
        let sound = only(&with_sound(version, &Sound::new("Kick", "WAV", b"")).bytes).unwrap();
        assert_eq!((sound.payload.length, sound.tail), (0, 0), "version {version}");
    }
}

#[test]
fn a_body_outside_the_file_spoils_its_sound_only() {
    let mut writer = PackageWriter::new(69);
    writer.wide = true;
    writer.sound("Gone", None, "WAV", b"12345");
    writer.sound("Kick", None, "WAV", b"12345");
    let bytes = writer.written().with_compact("export 0.at", i32::MAX).bytes;
    let found = sounds(&bytes);
    let refused = found[0].1.clone().unwrap_err();
    assert!(
        refused.starts_with("sound Gone: body at 0x7fffffff: ends at 0x8000000b, the file at"),
        "{refused}"
    );
    assert!(found[1].1.is_ok());
}

#[test]
fn exports_may_share_their_bytes() {
    let mut writer = PackageWriter::new(69);
    writer.wide = true;
    writer.sound("One", None, "WAV", b"12345");
    writer.sound("Two", None, "WAV", b"67890");
    let written = writer.written();
    let at = written.bytes[written.field("export 0.at").range()].to_vec();
    let bytes = written.with("export 1.at", at).bytes;
    let found = sounds(&bytes);
    assert_eq!(found[0].1.as_ref().unwrap().payload, found[1].1.as_ref().unwrap().payload);
}

#[test]
fn a_class_is_matched_by_its_whole_name_in_any_case() {
    for (class, found) in [("Sound", 1), ("SOUND", 1), ("music", 1), ("SoundGroup", 0), ("Soun", 0), ("", 0)]
    {
        let bytes = with_sound(69, &Sound { class, ..Sound::new("Kick", "WAV", b"1") }).bytes;
        assert_eq!(sounds(&bytes).len(), found, "class {class:?}");
    }
}

#[test]
fn a_class_named_sound_is_no_sound() {
    let mut writer = PackageWriter::new(69);
    let body = fixtures::package::Body::default();
    writer.export(Export { name: "Sound".to_owned(), body, ..Export::default() });
    let bytes = writer.finish();
    assert_eq!(sounds(&bytes), []);
    let package = open(&bytes).unwrap();
    assert_eq!(package.class_name(&package.exports()[0]), Some("Class"));
}

#[test]
fn a_sound_may_be_of_a_class_of_its_own_package_that_inherits_from_sound() {
    let mut writer = PackageWriter::new(69);
    let sound_class = writer.class("Engine", "Sound");
    let base = class_of(&mut writer, "Base", sound_class);
    let derived = class_of(&mut writer, "Derived", base);
    instance_of(&mut writer, derived);
    let package = open(&writer.finish()).unwrap();
    let kinds: Vec<_> = package.export_indices().map(|index| sound::kind_of(&package, index)).collect();
    assert_eq!(kinds, [None, None, Some(SoundClass::Sound)]);
    assert_eq!(package.class_name(&package.exports()[2]), Some("Derived"));
}

#[test]
fn a_class_that_inherits_from_itself_is_no_sound() {
    let mut writer = PackageWriter::new(69);
    let circle = class_of(&mut writer, "Circle", Object(1));
    instance_of(&mut writer, circle);
    assert_eq!(sounds(&writer.finish()), []);
}

fn class_of(writer: &mut PackageWriter, name: &str, super_object: Object) -> Object {
    writer.export(Export { super_object: super_object.0, name: name.to_owned(), ..Export::default() })
}

fn instance_of(writer: &mut PackageWriter, class: Object) -> Object {
    writer.export(Export { class: class.0, name: "Instance".to_owned(), ..Export::default() })
}

#[test]
fn a_path_has_up_to_64_outers() {
    for (outers, whole) in [(1, true), (64, true), (65, false)] {
        let mut writer = PackageWriter::new(69);
        let mut group = None;
        for index in 0..outers {
            group = Some(writer.group(&format!("G{index}"), group));
        }
        writer.sound("Kick", group, "WAV", b"1");
        let bytes = writer.finish();
        assert_eq!(only(&bytes).is_ok(), whole, "{outers} outers");
        let package = open(&bytes).unwrap();
        let path = package.path_of(package.export_indices().last().unwrap());
        assert_eq!(path.group.split('.').count(), outers.min(64));
        assert_eq!(path.name, "Kick");
    }
}

#[test]
fn a_sound_that_lies_in_itself_is_refused_and_still_has_a_name() {
    let mut writer = PackageWriter::new(69);
    writer.sound("Kick", Some(Object(1)), "WAV", b"1");
    let bytes = writer.finish();
    let refused = only(&bytes).unwrap_err();
    assert!(refused.ends_with("its chain comes back to itself or is longer than 64"), "{refused}");
    let package = open(&bytes).unwrap();
    assert_eq!(package.path_of(package.export_indices().last().unwrap()).name, "Kick");
}

#[test]
fn a_reference_to_nothing_spoils_its_sound_only() {
    let mut writer = PackageWriter::new(69);
    writer.wide = true;
    writer.sound("Lost", Some(Object(99)), "WAV", b"1");
    writer.sound("Nameless", None, "WAV", b"1");
    writer.sound("Kick", None, "WAV", b"1");
    let bytes = writer.written().with_compact("export 1.name", -5).bytes;
    let found = sounds(&bytes);
    assert_eq!(found[0].0, "?.Lost");
    assert!(found[0].1.as_ref().unwrap_err().ends_with("no object is 99"));
    assert_eq!(found[1].0, "?");
    assert!(found[1].1.as_ref().unwrap_err().ends_with("no name has index -5"));
    assert!(found[2].1.is_ok());
}

#[test]
fn properties_in_front_of_a_sound_are_read() {
    let mut writer = PackageWriter::new(69);
    let name = u8::try_from(writer.name("Loud")).unwrap();
    let structure =
        Property { struct_name: Some("Colour".into()), ..Property::new("Tint", 0x2A, &[1, 2, 3, 4]) };
    let properties = vec![
        Property::new("Priority", 0x01, &[7]),
        Property::new("Count", 0x22, &(-5_i32).to_le_bytes()),
        // A Bool's value is the array bit; its size is still written.
        Property::new("Looping", 0xD3, &[0]),
        Property::new("Muted", 0x53, &[0]),
        Property::new("Volume", 0x24, &0.5_f32.to_le_bytes()),
        Property::new("Owner", 0x05, &[1]),
        Property::new("Tag", 0x06, &[name]),
        Property::new("Text", 0x5D, &[4, 3, b'A', 0xE9, 0]),
        structure,
        Property::new("Where", 0x3B, &[0; 12]),
        // The array index follows the size: one byte, two, four.
        Property::new("Step", 0x81, &[5, 8]),
        Property::new("Step", 0x81, &[0x81, 0x02, 8]),
        Property::new("Step", 0x81, &[0xC0, 1, 0, 0, 8]),
        Property::new("List", 0x69, &[3, 0, 1, 2, 3]),
        Property::new("Long", 0x79, &[1, 0, 0, 0, 9]),
    ];
    let expected_count = properties.len();
    writer.add(&Sound { properties, ..Sound::new("Kick", "WAV", b"12345") });
    let bytes = writer.finish();
    let sound = only(&bytes).unwrap();
    assert_eq!(data(&bytes, &sound), b"12345");
    assert_eq!(sound.properties.len(), expected_count);
    let seen: Vec<_> = sound.properties.iter().map(|p| (p.name.as_str(), p.index, p.value.clone())).collect();
    let opaque = |value: &Value| match value {
        Value::Opaque { kind, at, size } => (kind.clone(), bytes[*at as usize..][..*size as usize].to_vec()),
        other => panic!("{other:?}"),
    };
    assert_eq!(seen[0], ("Priority", 0, Value::Byte(7)));
    assert_eq!(seen[1], ("Count", 0, Value::Int(-5)));
    assert_eq!(seen[2], ("Looping", 0, Value::Bool(true)));
    assert_eq!(seen[3], ("Muted", 0, Value::Bool(false)));
    assert_eq!(seen[4], ("Volume", 0, Value::Float(0.5)));
    assert_eq!(seen[5], ("Owner", 0, Value::Object(ObjectRef::from_number(1))));
    assert_eq!(seen[6], ("Tag", 0, Value::Name("Loud".into())));
    assert_eq!(seen[7], ("Text", 0, Value::Text("Aé".into())));
    assert_eq!(opaque(&seen[8].2), ("Colour".to_owned(), vec![1, 2, 3, 4]));
    assert_eq!(opaque(&seen[9].2), ("Vector".to_owned(), vec![0; 12]));
    assert_eq!(seen[10], ("Step", 5, Value::Byte(8)));
    assert_eq!(seen[11], ("Step", 0x102, Value::Byte(8)));
    assert_eq!(seen[12], ("Step", 0x1_0000, Value::Byte(8)));
    assert_eq!(opaque(&seen[13].2), ("Array".to_owned(), vec![1, 2, 3]));
    assert_eq!(opaque(&seen[14].2), ("Array".to_owned(), vec![9]));
}

#[test]
fn a_property_of_a_type_or_size_that_cannot_be_is_refused() {
    for (info, rest, why) in [
        (0x00, &[0][..], "property type 0 is not in use"),
        (0x11, &[0, 0], "a Byte property of 2 bytes"),
        (0x02, &[0, 0, 0, 0], "a Int property of 1 bytes"),
        (0x79, &[0xFF, 0xFF, 0xFF, 0x7F], "ends early: 2147483647 bytes wanted"),
    ] {
        let properties = vec![Property::new("Odd", info, rest)];
        let bytes = with_sound(69, &Sound { properties, ..Sound::new("Kick", "WAV", b"12345") }).bytes;
        let refused = only(&bytes).unwrap_err();
        assert!(
            refused.starts_with("sound Kick: property Odd: body at ") && refused.contains(why),
            "{refused}"
        );
    }
}

#[test]
fn a_state_frame_in_front_of_the_properties_is_passed_over() {
    for node in [0, 1, 100] {
        let sound = Sound { state_frame: Some(node), ..Sound::new("Kick", "WAV", b"12345") };
        let bytes = with_sound(69, &sound).bytes;
        assert_eq!(data(&bytes, &only(&bytes).unwrap()), b"12345", "node {node}");
    }
}

#[test]
fn a_payload_larger_than_asked_for_is_refused() {
    let bytes = with_sound(69, &Sound::new("Kick", "WAV", b"12345")).bytes;
    let payload = only(&bytes).unwrap().payload;
    assert!(payload.read(&Memory(&bytes), 5).is_ok());
    let refused = payload.read(&Memory(&bytes), 4).unwrap_err().to_string();
    assert!(refused.ends_with("needs 5 bytes, the limit leaves 4"), "{refused}");
    // Of a longer file than this one; nothing of that length is to be allocated.
    let elsewhere = Payload { at: 16, length: 1 << 60 };
    let refused = elsewhere.read(&Memory(&bytes), u64::MAX).unwrap_err().to_string();
    assert!(refused.starts_with("payload at 0x10: ends at 0x1000000000000010, the file at"), "{refused}");
}

#[test]
fn a_file_reads_like_memory() {
    let bytes = full(69).finish();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Bank.uax");
    std::fs::write(&path, &bytes).unwrap();
    let file = FileSource::open(&path).unwrap();
    assert_eq!(Package::open(&file, &mut Limits::default()).unwrap(), open(&bytes).unwrap());
    let payload = sounds(&bytes)[0].1.as_ref().unwrap().payload;
    assert_eq!(payload.read(&file, 100).unwrap(), payload.read(&Memory(&bytes), 100).unwrap());
}

/// Remembers how many bytes were asked for.
struct Counting<'b>(&'b [u8], AtomicU64);

impl Source for Counting<'_> {
    fn len(&self) -> u64 {
        Memory(self.0).len()
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> std::io::Result<()> {
        self.1.fetch_add(into.len() as u64, Ordering::Relaxed);
        Memory(self.0).read_at(at, into)
    }
}

#[test]
fn listing_a_package_leaves_its_payloads_alone() {
    let bytes = large(1000, 20_000_000);
    let source = Counting(&bytes, AtomicU64::new(0));
    let mut limits = Limits::default();
    let package = Package::open(&source, &mut limits).unwrap();
    let for_tables = source.1.load(Ordering::Relaxed);
    assert!(for_tables < 200_000, "{for_tables} bytes read for the tables of 1000 exports");
    let found = package.export_indices().filter(|&index| sound::kind_of(&package, index).is_some());
    let found: Vec<_> =
        found.map(|index| sound::read(&package, &source, index, &mut limits).unwrap()).collect();
    assert_eq!(found.len(), 990);
    let for_sounds = source.1.load(Ordering::Relaxed) - for_tables;
    assert!(for_sounds <= 990 * 256, "{for_sounds} bytes read to look at 990 sounds");
}

/// What opening a package takes of the limit.
fn cost(bytes: &[u8]) -> u64 {
    let mut limits = Limits::with_structures(1_000_000);
    Package::open(&Memory(bytes), &mut limits).unwrap();
    1_000_000 - limits.structures_left()
}

#[test]
fn structures_beyond_the_limit_are_refused() {
    let bytes = full(69).finish();
    let needed = cost(&bytes);
    assert!(Package::open(&Memory(&bytes), &mut Limits::with_structures(needed)).is_ok());
    let refused = Package::open(&Memory(&bytes), &mut Limits::with_structures(needed - 1)).unwrap_err();
    assert!(refused.to_string().contains("the limit leaves"), "{refused}");
}

#[test]
fn the_text_of_names_is_paid_from_the_limit() {
    for version in [63, 64] {
        let [short, long] = [100, 200].map(|length| {
            let mut writer = PackageWriter::new(version);
            writer.name(&"N".repeat(length));
            cost(&writer.finish())
        });
        assert!(long >= short + 100, "version {version}: {short}, {long}");
    }
}

#[test]
fn no_path_shows_more_than_64_outers_however_deep_the_chain() {
    let mut writer = PackageWriter::new(69);
    let mut outer = None;
    for index in 0..50_000 {
        outer = Some(writer.group(&format!("G{index}"), outer));
    }
    let package = open(&writer.finish()).unwrap();
    let longest = package.export_indices().map(|index| package.path_of(index).group.len()).max().unwrap();
    assert!(longest <= 64 * "G49999.".len(), "a path of {longest} characters");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_is_written_is_read(
        version in 60_u16..=99,
        wide: bool,
        contents in prop::collection::vec(
            ("[A-Za-z0-9_é]{1,20}", prop::collection::vec(any::<u8>(), 0..200), 0..4_usize, prop::collection::vec(any::<u8>(), 0..4)),
            0..12,
        ),
    ) {
        let mut writer = PackageWriter::new(version);
        writer.wide = wide;
        let groups = ["A", "B", "C"].map(|name| writer.group(name, None));
        let mut expected = Vec::new();
        for (name, bytes, group, tail) in &contents {
            let place = groups.get(*group).copied();
            writer.add(&Sound { group: place, tail, ..Sound::new(name, "WAV", bytes) });
            let path = ["A.", "B.", "C.", ""][*group].to_owned() + name;
            expected.push((path, bytes.clone(), tail.len() as u64));
        }
        let file = writer.finish();
        let read: Vec<_> = sounds(&file)
            .into_iter()
            .map(|(path, sound)| {
                let sound = sound.unwrap();
                (path, data(&file, &sound), sound.tail)
            })
            .collect();
        prop_assert_eq!(read, expected);
    }
}
