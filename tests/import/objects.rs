//! Objects: their classes, paths and properties.

use fixtures::package::{Export, Object, PackageWriter, Property, Sound};
use unreal::ue1to3::class::sound;
use unreal::{Class, ObjectRef, Value};

use super::{data, only, open, sounds, with_sound};

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
    assert_eq!(package.class_name(&package.exports()[0]).as_deref(), Some("Class"));
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
    assert_eq!(kinds, [None, None, Some(Class::Sound)]);
    assert_eq!(package.class_name(&package.exports()[2]).as_deref(), Some("Derived"));
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
fn what_is_not_taken_apart_is_passed_over_by_its_size() {
    let kinds = [(7, "String"), (8, "Class"), (9, "Array"), (11, "Vector"), (12, "Rotator"), (14, "Map")];
    let sizes: [(&[u8], u8); 8] =
        [(&[], 1), (&[], 2), (&[], 4), (&[], 12), (&[], 16), (&[9], 9), (&[9, 0], 9), (&[9, 0, 0, 0], 9)];
    for (code, kind) in kinds.into_iter().chain([(15, "FixedArray")]) {
        for (size_code, (stated, size)) in (0..).zip(sizes) {
            let rest = [stated, &vec![7; size.into()]].concat();
            let properties = vec![Property::new("Odd", size_code << 4 | code, &rest)];
            let bytes = with_sound(69, &Sound { properties, ..Sound::new("Kick", "WAV", b"12345") }).bytes;
            let sound = only(&bytes).unwrap();
            assert_eq!(data(&bytes, &sound), b"12345");
            let Value::Opaque { kind: seen, size: stated, at } = &sound.properties[0].value else { panic!() };
            assert_eq!((seen.as_str(), *stated), (kind, size.into()));
            assert_eq!(bytes[*at as usize..][..size.into()], vec![7; size.into()]);
        }
    }
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
