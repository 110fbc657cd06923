//! Properties of every type that Unreal Engine 4 to 6 has: read with tags of both forms and without, and the same after
//! JSON. Bytes are written here by the descriptions of the format, not by the crate under test.

use fixtures::asset::AssetWriter;
use fixtures::property::{Coding, NameList};
use modkit::json::{from_json, to_json};
use unreal::{AssetPackage, Limits, Mappings, Memory, ObjectRef, Property, Value, read_object};

/// A type: its name in tags, its number in mappings, the name of its struct or enumeration, its parts.
#[derive(Clone)]
struct Kind(&'static str, u8, Option<&'static str>, Vec<Kind>);

fn plain(name: &'static str, number: u8) -> Kind {
    Kind(name, number, None, Vec::new())
}

fn of(name: &'static str, number: u8, parts: &[Kind]) -> Kind {
    Kind(name, number, None, parts.to_vec())
}

/// A property of an object: its name, type, bytes, and value; and its value where all bits are zero.
struct Stated {
    name: &'static str,
    kind: Kind,
    bytes: Vec<u8>,
    value: Value,
    zero: Value,
}

fn stated(name: &'static str, kind: Kind, bytes: Vec<u8>, value: Value, zero: Value) -> Stated {
    Stated { name, kind, bytes, value, zero }
}

fn text(text: &str) -> Vec<u8> {
    if text.is_empty() {
        return vec![0; 4];
    }
    [&(text.len() as u32 + 1).to_le_bytes()[..], text.as_bytes(), &[0]].concat()
}

/// A text of the same words in every language, without its flags.
fn invariant(words: &str) -> Vec<u8> {
    [&[0xFF, 1, 0, 0, 0][..], &text(words)].concat()
}

fn name(names: &mut NameList, name: &str) -> Vec<u8> {
    [names.number(name).to_le_bytes(), [0; 4]].concat()
}

fn field(name: &str, value: Value) -> Property {
    Property { name: name.to_owned(), index: 0, value, form: None }
}

/// A property of each type, apart from texts.
fn every(coding: Coding, names: &mut NameList) -> Vec<Stated> {
    let is_tagged = coding != Coding::Unversioned;
    let has_doubles = coding != Coding::Simple;
    let int = || plain("IntProperty", 2);
    let ints = |numbers: &[i32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
    let array = || Value::Array(Vec::new());
    let object = |number| Value::Object(ObjectRef::from_number(number));
    let named = |name: &str| Value::Name(name.to_owned());
    let guid =
        [("A", 1), ("B", -2), ("C", 3), ("D", 4)].map(|(name, number)| field(name, Value::Int(number)));
    let (x, y, z) = (1.5_f64, -0.0_f64, 1e9_f64);
    let vector: Vec<u8> = match has_doubles {
        true => [x, y, z].iter().flat_map(|number| number.to_le_bytes()).collect(),
        false => [x, y, z].iter().flat_map(|number| (*number as f32).to_le_bytes()).collect(),
    };
    let real = |number: f64| if has_doubles { Value::Double(number) } else { Value::Float(number as f32) };
    let vector_value = Value::Struct(vec![field("X", real(x)), field("Y", real(y)), field("Z", real(z))]);
    let enumerated = if is_tagged { name(names, "EFixture::Second") } else { vec![1] };
    let delegate = [&ints(&[-1])[..], &name(names, "Ring")].concat();
    let delegate_value = Value::Array(vec![object(-1), named("Ring")]);
    let silent = Value::Array(vec![object(0), named("None")]);
    let enumeration = Kind("EnumProperty", 26, Some("EFixture"), Vec::new());
    let map = [ints(&[0, 2]), name(names, "One"), ints(&[1]), name(names, "Two"), ints(&[-2])].concat();
    let pairs = vec![(named("One"), Value::Int(1)), (named("Two"), Value::Int(-2))];
    let mut all = vec![
        stated("Tiny", plain("Int8Property", 23), vec![0xFE], Value::Int(-2), Value::Int(0)),
        stated("Short", plain("Int16Property", 22), vec![0xD4, 0xFE], Value::Int(-300), Value::Int(0)),
        stated("Word", plain("UInt16Property", 20), vec![0x60, 0xEA], Value::Int(60_000), Value::Int(0)),
        stated("Number", int(), ints(&[-7]), Value::Int(-7), Value::Int(0)),
        stated(
            "Count",
            plain("UInt32Property", 19),
            vec![0xFF; 4],
            Value::Int64(4_294_967_295),
            Value::Int64(0),
        ),
        stated(
            "Long",
            plain("Int64Property", 21),
            i64::MIN.to_le_bytes().to_vec(),
            Value::Int64(i64::MIN),
            Value::Int64(0),
        ),
        stated("Wide", plain("UInt64Property", 18), vec![0xFF; 8], Value::UInt64(u64::MAX), Value::UInt64(0)),
        stated("Byte", plain("ByteProperty", 0), vec![200], Value::Byte(200), Value::Byte(0)),
        stated(
            "Single",
            plain("FloatProperty", 3),
            vec![0, 0, 0x80, 0x3E],
            Value::Float(0.25),
            Value::Float(0.0),
        ),
        stated(
            "Exact",
            plain("DoubleProperty", 7),
            0.1_f64.to_le_bytes().to_vec(),
            Value::Double(0.1),
            Value::Double(0.0),
        ),
        stated("Named", plain("NameProperty", 5), name(names, "Wood"), named("Wood"), named("None")),
        stated(
            "Words",
            plain("StrProperty", 10),
            text("Halt!"),
            Value::Text("Halt!".to_owned()),
            Value::Text(String::new()),
        ),
        stated(
            "Narrow",
            plain("Utf8StrProperty", 30),
            [&[3, 0, 0, 0][..], "öl".as_bytes()].concat(),
            Value::Text("öl".to_owned()),
            Value::Text(String::new()),
        ),
        stated("Owner", plain("ObjectProperty", 4), ints(&[-1]), object(-1), object(0)),
        stated(
            "Path",
            plain("SoftObjectProperty", 17),
            match coding {
                Coding::Simple => [name(names, "/Game/P.O"), text("Sub")].concat(),
                _ => [name(names, "/Game/P"), name(names, "O"), text("Sub")].concat(),
            },
            Value::SoftPath("/Game/P.O:Sub".to_owned()),
            Value::SoftPath(String::new()),
        ),
        stated(
            "Lazy",
            plain("LazyObjectProperty", 15),
            ints(&[1, -2, 3, 4]),
            Value::Struct(guid.to_vec()),
            Value::Struct(Vec::new()),
        ),
        stated("Bell", plain("DelegateProperty", 6), delegate.clone(), delegate_value.clone(), silent),
        stated(
            "Bells",
            plain("MulticastDelegateProperty", 13),
            [&ints(&[1])[..], &delegate].concat(),
            Value::Array(vec![delegate_value]),
            array(),
        ),
        stated(
            "Field",
            plain("FieldPathProperty", 27),
            [ints(&[2]), name(names, "One"), name(names, "Two"), ints(&[-2])].concat(),
            Value::Array(vec![Value::Array(vec![named("One"), named("Two")]), object(-2)]),
            Value::Array(vec![array(), object(0)]),
        ),
        stated("Choice", enumeration, enumerated, named("EFixture::Second"), named("EFixture::First")),
        stated(
            "Numbers",
            of("ArrayProperty", 8, &[int()]),
            ints(&[2, 5, -6]),
            Value::Array(vec![Value::Int(5), Value::Int(-6)]),
            array(),
        ),
        stated(
            "Once",
            of("SetProperty", 25, &[int()]),
            ints(&[1, 8, 2, 9, 10]),
            Value::Set { removed: vec![Value::Int(8)], values: vec![Value::Int(9), Value::Int(10)] },
            Value::Set { removed: Vec::new(), values: Vec::new() },
        ),
        stated(
            "Pairs",
            of("MapProperty", 24, &[plain("NameProperty", 5), int()]),
            map,
            Value::Map { removed: Vec::new(), pairs },
            Value::Map { removed: Vec::new(), pairs: Vec::new() },
        ),
        stated(
            "Perhaps",
            of("OptionalProperty", 28, &[int()]),
            ints(&[1, 77]),
            Value::Array(vec![Value::Int(77)]),
            array(),
        ),
        stated(
            "Where",
            Kind("StructProperty", 9, Some("Vector"), Vec::new()),
            vector,
            vector_value,
            Value::Struct(Vec::new()),
        ),
    ];
    if is_tagged {
        let kind = Kind("ByteProperty", 0, Some("EFixture"), Vec::new());
        all.push(stated(
            "Small",
            kind,
            name(names, "EFixture::First"),
            named("EFixture::First"),
            Value::Byte(0),
        ));
    }
    all
}

/// The tag of a type with its parts, of the form from 5.4 on.
fn complete(names: &mut NameList, Kind(kind, _, called, parts): &Kind, bytes: &mut Vec<u8>) {
    bytes.extend(name(names, kind));
    bytes.extend((parts.len() as u32 + u32::from(called.is_some())).to_le_bytes());
    if let Some(called) = called {
        bytes.extend(name(names, called));
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(name(names, "/Script/Engine"));
        bytes.extend([0; 4]);
    }
    parts.iter().for_each(|part| complete(names, part, bytes));
}

/// An object with these properties, and what comes before and after them. Elements of an array have an index.
fn tagged(coding: Coding, names: &mut NameList, values: &[Stated], index: u32) -> Vec<u8> {
    let mut bytes = if coding == Coding::Complete { vec![0] } else { Vec::new() };
    for Stated { name: called, kind, bytes: data, .. } in values {
        bytes.extend(name(names, called));
        if coding == Coding::Complete {
            complete(names, kind, &mut bytes);
            bytes.extend((data.len() as u32).to_le_bytes());
            bytes.push(2 | u8::from(index != 0) | if kind.0 == "StructProperty" { 8 } else { 0 });
            if index != 0 {
                bytes.extend(index.to_le_bytes());
            }
            bytes.extend([0xD0; 16]);
        } else {
            bytes.extend(name(names, kind.0));
            bytes.extend((data.len() as u32).to_le_bytes());
            bytes.extend(index.to_le_bytes());
            if kind.0 == "ByteProperty" && kind.2.is_none() {
                bytes.extend(name(names, "None"));
            }
            if let Some(called) = kind.2 {
                bytes.extend(name(names, called));
            }
            if kind.0 == "StructProperty" {
                bytes.extend([0xAA; 16]);
            }
            kind.3.iter().for_each(|part| bytes.extend(name(names, part.0)));
            bytes.push(1);
            bytes.extend([0xD0; 16]);
        }
        bytes.extend(data);
    }
    bytes.extend(name(names, "None"));
    bytes.extend([0; 4]);
    bytes
}

/// An object without tags: all of its properties follow each other; those that are zero are in a mask.
fn untagged(values: &[Stated], is_zero: bool) -> Vec<u8> {
    let zeros = if is_zero { 0x80 } else { 0 };
    let mut bytes = (0x100 | zeros | (values.len() as u16) << 9).to_le_bytes().to_vec();
    if is_zero {
        // Of more than 16 values, in words.
        let mask = (1_u64 << values.len()) - 1;
        bytes.extend(&mask.to_le_bytes()[..values.len().div_ceil(32) * 4]);
    } else {
        values.iter().for_each(|value| bytes.extend(&value.bytes));
    }
    bytes.extend([0; 4]);
    bytes
}

fn mapped_type(names: &mut NameList, Kind(_, number, called, parts): &Kind, bytes: &mut Vec<u8>) {
    bytes.push(*number);
    if *number == 26 {
        bytes.push(0);
    }
    if let Some(called) = called {
        bytes.extend(names.number(called).to_le_bytes());
    }
    parts.iter().for_each(|part| mapped_type(names, part, bytes));
}

/// Mappings with an enumeration of two values, and a class with these properties.
fn schema(values: &[Stated]) -> Mappings {
    let mut names = NameList(Vec::new());
    let mut body = 1_u32.to_le_bytes().to_vec();
    body.extend(names.number("EFixture").to_le_bytes());
    body.push(2);
    body.extend(names.number("First").to_le_bytes());
    body.extend(names.number("Second").to_le_bytes());
    body.extend(1_u32.to_le_bytes());
    body.extend(names.number("Every").to_le_bytes());
    body.extend(u32::MAX.to_le_bytes());
    body.extend((values.len() as u16).to_le_bytes().repeat(2));
    for (number, value) in values.iter().enumerate() {
        body.extend((number as u16).to_le_bytes());
        body.push(1);
        body.extend(names.number(value.name).to_le_bytes());
        mapped_type(&mut names, &value.kind, &mut body);
    }
    let mut all = (names.0.len() as u32).to_le_bytes().to_vec();
    for name in &names.0 {
        all.push(name.len() as u8);
        all.extend(name.bytes());
    }
    all.extend(body);
    let size = (all.len() as u32).to_le_bytes();
    let file = [&[0xC4, 0x30, 0, 0][..], &size, &size, &all].concat();
    Mappings::read(&Memory(file), &mut Limits::default()).unwrap()
}

/// A package with these objects of a class `Every`.
fn package(coding: Coding, names: &NameList, objects: &[Vec<u8>]) -> AssetPackage {
    let (first, engine_5) = if coding == Coding::Simple { (-7, 0) } else { (-8, 1012) };
    let exports = objects.iter().enumerate().map(|(number, bytes)| (format!("O{number}"), -3, bytes.clone()));
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        classes: vec!["Every".to_owned()],
        exports: exports.collect(),
        data: (engine_5 >= 1009).then(Vec::new),
        is_unversioned: coding == Coding::Unversioned,
        ..AssetWriter::new(first, 522, engine_5)
    };
    let (header, objects) = writer.finish();
    let source = |bytes: Vec<u8>| Box::new(Memory(bytes));
    let (limits, path) = (&mut Limits::default(), "Game/Content/P.uasset");
    AssetPackage::of_files(path, source(header), Some(source(objects)), None, limits).unwrap()
}

fn names() -> NameList {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    NameList(fixed.map(str::to_owned).to_vec())
}

/// Returns the properties of an object, and holds that the package is the same after JSON.
fn read_back(package: &AssetPackage, export: usize, mappings: Option<&Mappings>) -> Vec<Property> {
    let limits = &mut Limits::default();
    let json = to_json(package, mappings, true, limits).unwrap();
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    for part in document["parts"].as_array().unwrap() {
        assert!(part.get("export").is_none() || part.get("properties").is_some(), "{part}");
        // A value whose bytes are all that can be said of it is no value.
        for property in part["properties"].as_array().into_iter().flatten() {
            let is_bytes = property["value"].as_object().is_some_and(|value| value.contains_key("bytes"));
            assert!(!is_bytes || property["name"] == "Unknown", "{property}");
        }
    }
    let written = from_json(&json, None, limits).unwrap().bytes;
    let mut bytes = vec![0; package.source().len() as usize];
    package.source().read_at(0, &mut bytes).unwrap();
    assert!([written.header, written.objects].concat() == bytes);
    read_object(package, export, mappings, limits).unwrap().properties
}

#[test]
fn every_type_is_read_with_tags_of_both_forms() {
    for coding in [Coding::Simple, Coding::Complete] {
        for index in [0, 3] {
            let mut names = names();
            let values = every(coding, &mut names);
            let object = tagged(coding, &mut names, &values, index);
            let read = read_back(&package(coding, &names, &[object]), 0, None);
            assert_eq!(read.len(), values.len());
            for (read, stated) in read.iter().zip(&values) {
                let case = format!("{coding:?} {}", stated.name);
                assert_eq!((read.name.as_str(), read.index), (stated.name, index), "{case}");
                assert_eq!(read.value, stated.value, "{case}");
                assert_eq!(read.form.as_ref().unwrap().guid, Some([0xD0; 16]), "{case}");
            }
        }
    }
}

#[test]
fn every_type_is_read_without_tags_and_has_a_zero() {
    let mut names = names();
    let values = every(Coding::Unversioned, &mut names);
    let mappings = schema(&values);
    let objects = [untagged(&values, false), untagged(&values, true)];
    let package = package(Coding::Unversioned, &names, &objects);
    let read = [read_back(&package, 0, Some(&mappings)), read_back(&package, 1, Some(&mappings))];
    assert_eq!((read[0].len(), read[1].len()), (values.len(), values.len()));
    for (number, stated) in values.iter().enumerate() {
        let (there, zero) = (&read[0][number], &read[1][number]);
        assert_eq!((&there.name, &zero.name), (&stated.name.to_owned(), &stated.name.to_owned()));
        assert_eq!((&there.value, &zero.value), (&stated.value, &stated.zero), "{}", stated.name);
        let is_zero = |property: &Property| property.form.as_ref().unwrap().is_zero;
        assert_eq!((is_zero(there), is_zero(zero)), (false, true), "{}", stated.name);
        // Of several names for a type the one is taken that classes mostly have.
        let kind = &there.form.as_ref().unwrap().kind.name;
        assert_eq!(kind, stated.kind.0, "{}", stated.name);
    }
}

/// Texts: what is after their flags, and what they show.
fn texts(names: &mut NameList) -> Vec<(Vec<u8>, &'static str)> {
    let whole = |history: &[u8]| [&[8, 0, 0, 0], history].concat();
    let number = |kind: u8, bytes: &[u8]| [&[kind][..], bytes].concat();
    let format = |history: u8, arguments: &[Vec<u8>]| {
        let count = (arguments.len() as u32).to_le_bytes();
        [&[history][..], &whole(&invariant("{n} Shots")), &count, &arguments.concat()].concat()
    };
    let named = |argument: Vec<u8>| [text("n"), argument].concat();
    let date = |history: u8, styles: &[u8]| {
        [&[history][..], &638_000_u64.to_le_bytes(), styles, &text("UTC"), &text("en")].concat()
    };
    vec![
        (vec![0xFF, 0, 0, 0, 0], ""),
        (invariant("Hi"), "Hi"),
        ([&[0][..], &text("Space"), &text("Key"), &text("Source")].concat(), "Source"),
        ([&[11][..], &name(names, "/Game/Table"), &text("Row")].concat(), "/Game/Table: Row"),
        (format(1, &[named(number(0, &(-5_i64).to_le_bytes())), named(number(5, &[1]))]), "{n} Shots"),
        (format(2, &[number(1, &7_u64.to_le_bytes())]), "{n} Shots"),
        (format(3, &[named(number(4, &whole(&invariant("Many"))))]), "{n} Shots"),
        ([&[4][..], &number(0, &(-5_i64).to_le_bytes()), &[0; 4], &text("en")].concat(), "-5"),
        (
            [&[4][..], &number(1, &[0xFF; 8]), &[1, 0, 0, 0], &[9; 25], &text("")].concat(),
            "18446744073709551615",
        ),
        ([&[5][..], &number(2, &0.5_f32.to_le_bytes()), &[0; 4], &text("de")].concat(), "0.5"),
        (
            [&[6][..], &text("EUR"), &number(3, &0.25_f64.to_le_bytes()), &[0; 4], &text("")].concat(),
            "0.25 EUR",
        ),
        (date(7, &[1]), "638000"),
        (date(8, &[2]), "638000"),
        (date(9, &[1, 2]), "638000"),
        ([&[10][..], &whole(&invariant("Loud")), &[0]].concat(), "loud"),
        ([&[10][..], &whole(&invariant("Loud")), &[1]].concat(), "LOUD"),
    ]
}

#[test]
fn texts_of_every_history_show_their_words() {
    const NAMES: [&str; 16] =
        ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P"];
    for coding in [Coding::Complete, Coding::Unversioned] {
        let mut names = names();
        let texts = texts(&mut names);
        let properties: Vec<_> = texts
            .iter()
            .zip(NAMES)
            .map(|((bytes, _), name)| {
                let bytes = [&[8, 0, 0, 0][..], bytes].concat();
                stated(name, plain("TextProperty", 11), bytes, Value::Bool(true), Value::Bool(false))
            })
            .collect();
        assert_eq!(properties.len(), texts.len());
        let (object, mappings) = match coding {
            Coding::Unversioned => (untagged(&properties, false), Some(schema(&properties))),
            _ => (tagged(coding, &mut names, &properties, 0), None),
        };
        let read = read_back(&package(coding, &names, &[object]), 0, mappings.as_ref());
        for (property, (_, shown)) in read.iter().zip(&texts) {
            let Value::Localized(text) = &property.value else { panic!("{property:?}") };
            assert_eq!((text.flags, text.shown().as_str()), (8, *shown), "{} {coding:?}", property.name);
        }
    }
}

#[test]
fn a_path_whose_last_part_has_no_zero_at_its_end_survives_json() {
    for coding in [Coding::Complete, Coding::Unversioned] {
        let mut names = names();
        let within = [&[3, 0, 0, 0][..], b"Sub"].concat();
        let bytes = [name(&mut names, "/Game/P"), name(&mut names, "O"), within].concat();
        let path = Value::SoftPath("/Game/P.O:Sub".to_owned());
        let kind = plain("SoftObjectProperty", 17);
        let values = [stated("Path", kind, bytes, path.clone(), Value::SoftPath(String::new()))];
        let (object, mappings) = match coding {
            Coding::Unversioned => (untagged(&values, false), Some(schema(&values))),
            _ => (tagged(coding, &mut names, &values, 0), None),
        };
        let read = read_back(&package(coding, &names, &[object]), 0, mappings.as_ref());
        assert_eq!(read[0].value, path, "{coding:?}");
    }
}

#[test]
fn a_struct_as_it_lies_in_memory_that_is_not_known_is_passed_over() {
    let mut names = names();
    // What could be read as properties, of which there are none.
    let bytes = name(&mut names, "None");
    let kind = Kind("StructProperty", 9, Some("Unheard"), Vec::new());
    let values = [stated("Unknown", kind, bytes, Value::Bool(true), Value::Bool(false))];
    let object = tagged(Coding::Complete, &mut names, &values, 0);
    let read = read_back(&package(Coding::Complete, &names, &[object]), 0, None);
    let Value::Opaque { kind, size, .. } = &read[0].value else { panic!("{read:?}") };
    assert_eq!((kind.as_str(), *size), ("Unheard", 8));
}

#[test]
fn mappings_say_how_many_classes_they_have_and_which_name_is_missing() {
    assert!(Mappings::default().is_empty());
    let mappings = schema(&[]);
    assert_eq!((mappings.is_empty(), mappings.len()), (false, 1));
    // No names, and one enumeration that has none either.
    let body = [&[0, 0, 0, 0, 1, 0, 0, 0][..], &[0xFF; 4], &[0; 6]].concat();
    let size = (body.len() as u32).to_le_bytes();
    let file = [&[0xC4, 0x30, 0, 0][..], &size, &size, &body].concat();
    let error = Mappings::read(&Memory(file), &mut Limits::default()).unwrap_err().to_string();
    assert!(error.contains("-1"), "{error}");
}

#[test]
fn a_path_in_two_parts_is_read_where_the_version_would_have_three() {
    let mut names = names();
    let bytes = [name(&mut names, "/Game/P.O"), text("Sub")].concat();
    let path = Value::SoftPath("/Game/P.O:Sub".to_owned());
    let kind = plain("SoftObjectProperty", 17);
    let values = [stated("Path", kind, bytes, path.clone(), Value::SoftPath(String::new()))];
    let package = package(Coding::Unversioned, &names, &[untagged(&values, false)]);
    assert_eq!(read_back(&package, 0, Some(&schema(&values)))[0].value, path);
}

#[test]
fn a_value_that_is_written_in_another_way_is_bytes_and_its_neighbours_are_not() {
    let mut names = names();
    // Letters that need one byte, in two.
    let wide = [&(-3_i32).to_le_bytes()[..], b"H\0i\0\0\0"].concat();
    let number = || Value::Int(7);
    let words = Value::Text("Hi".to_owned());
    let values = [
        stated("First", plain("IntProperty", 2), vec![7, 0, 0, 0], number(), number()),
        stated("Unknown", plain("StrProperty", 10), wide, words.clone(), words.clone()),
        stated("Last", plain("IntProperty", 2), vec![7, 0, 0, 0], number(), number()),
    ];
    let object = tagged(Coding::Complete, &mut names, &values, 0);
    let read = read_back(&package(Coding::Complete, &names, &[object]), 0, None);
    assert_eq!([&read[0].value, &read[1].value, &read[2].value], [&number(), &words, &number()]);
}

#[test]
fn a_text_in_utf_8_has_up_to_16_mib() {
    const MOST: usize = 16 << 20;
    for (length, is_read) in [(MOST, true), (MOST + 1, false), (MOST + 9, false)] {
        let mut names = names();
        let bytes = [&(length as u32).to_le_bytes()[..], &vec![b'x'; length]].concat();
        let value = Value::Text("x".repeat(length));
        let values = [stated("Narrow", plain("Utf8StrProperty", 30), bytes, value.clone(), value.clone())];
        let object = tagged(Coding::Complete, &mut names, &values, 0);
        let package = package(Coding::Complete, &names, &[object]);
        let read = read_object(&package, 0, None, &mut Limits::with_structures(1 << 30));
        let is_text = read.is_ok_and(|read| read.properties[0].value == value);
        assert_eq!(is_text, is_read, "{length}");
    }
}

#[test]
fn enumerations_within_maps_come_with_json_or_with_mappings() {
    let names = names();
    let choice = Kind("EnumProperty", 26, Some("EFixture"), Vec::new());
    let kind = of("MapProperty", 24, &[choice.clone(), choice]);
    let named = |name: &str| Value::Name(format!("EFixture::{name}"));
    // One is removed, and one is added.
    let bytes = vec![1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1];
    let pairs = vec![(named("First"), named("Second"))];
    let value = Value::Map { removed: vec![named("Second")], pairs };
    let values = [stated("Pairs", kind, bytes, value.clone(), value.clone())];
    let (mappings, limits) = (schema(&values), &mut Limits::default());
    let package = package(Coding::Unversioned, &names, &[untagged(&values, false)]);
    assert_eq!(read_back(&package, 0, Some(&mappings))[0].value, value);
    let json = to_json(&package, Some(&mappings), true, limits).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&json).unwrap();
    document["enums"].as_object_mut().unwrap().remove("EFixture").unwrap();
    let without = document.to_string();
    assert!(from_json(&without, None, limits).is_err());
    let (one, other) = (from_json(&json, None, limits), from_json(&without, Some(&mappings), limits));
    assert_eq!(one.unwrap().bytes.objects, other.unwrap().bytes.objects);
}
