//! Numbers at the edges of their types, and documents of many parts, as JSON and back.

use fixtures::asset::AssetWriter;
use fixtures::property::{Coding, NameList, Written, mappings, object};
use modkit::json::{JsonError, from_json, to_json};
use unreal::{AssetPackage, Limits, Mappings, Memory};

fn limits() -> Limits {
    Limits::with_structures(1 << 30)
}

/// A package with one object of a class of numbers.
fn package(coding: Coding, values: &[(&str, Written)]) -> AssetPackage {
    let mut names = NameList(
        ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"]
            .map(str::to_owned)
            .to_vec(),
    );
    let body = object(coding, &mut names, "Numbers", values);
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        classes: vec!["Numbers".to_owned()],
        exports: vec![("Edge".to_owned(), -3, body)],
        data: Some(Vec::new()),
        is_unversioned: coding == Coding::Unversioned,
        ..AssetWriter::new(-8, 522, 1012)
    };
    let (header, objects) = writer.finish();
    let source = |bytes: Vec<u8>| Box::new(Memory(bytes));
    let version = Some("5.4".parse().unwrap());
    let (header, objects) = (source(header), source(objects));
    AssetPackage::of_files("Game/Content/P.uasset", header, Some(objects), version, &mut limits()).unwrap()
}

/// Bits of single precision: zeros, infinities, quiet and signalling numbers that are none, the least and the greatest.
const SINGLES: [u32; 16] = [
    0,
    0x8000_0000,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    0xFFC0_0000,
    0x7FC1_2345,
    0xFFFF_FFFF,
    0x7F80_0001,
    0xFF9A_BCDE,
    1,
    0x8000_0001,
    0x007F_FFFF,
    0x0080_0000,
    0x7F7F_FFFF,
    0x3DCC_CCCD,
];

/// The same of double precision, and the numbers about 2^53.
const DOUBLES: [u64; 19] = [
    0,
    0x8000_0000_0000_0000,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_0000,
    0x7FF8_1234_5678_9ABC,
    u64::MAX,
    0x7FF0_0000_0000_0001,
    0xFFF4_5678_9ABC_DEF0,
    1,
    0x8000_0000_0000_0001,
    0x000F_FFFF_FFFF_FFFF,
    0x0010_0000_0000_0000,
    0x7FEF_FFFF_FFFF_FFFF,
    0x3FB9_9999_9999_999A,
    0x4340_0000_0000_0000,
    0x4340_0000_0000_0001,
    0x433F_FFFF_FFFF_FFFF,
];

#[test]
fn numbers_at_the_edges_of_their_types_are_the_same_bits_after_json() {
    const EXACT: i64 = 1 << 53;
    for coding in [Coding::Complete, Coding::Unversioned] {
        for single in SINGLES {
            let values = [
                ("Single", Written::Float(f32::from_bits(single))),
                ("Singles", Written::Floats(SINGLES.map(f32::from_bits).to_vec())),
                ("Doubles", Written::Doubles(DOUBLES.map(f64::from_bits).to_vec())),
                (
                    "Signed",
                    Written::Int64s(vec![i64::MIN, i64::MAX, EXACT + 1, -EXACT - 1, i64::MIN + 1, 0, -1]),
                ),
                ("Unsigned", Written::UInt64s(vec![u64::MAX, 1 << 63, (1 << 53) + 1, u64::MAX - 1, 0])),
            ];
            let package = package(coding, &values);
            let known = Mappings::read(&Memory(mappings(4)), &mut limits()).unwrap();
            let known = (coding == Coding::Unversioned).then_some(&known);
            let text = to_json(&package, known, true, &mut limits()).unwrap();
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            let object = json["parts"].as_array().unwrap().iter().find(|part| part.get("export").is_some());
            let rows = object.unwrap()["properties"].as_array();
            let rows = rows.unwrap_or_else(|| panic!("{coding:?}, raw bytes: {text}"));
            assert_eq!(rows.len(), values.len(), "they are properties, not raw bytes: {text}");
            let back = from_json(&text, known, &mut limits()).unwrap().bytes;
            let mut before = vec![0; usize::try_from(package.source().len()).unwrap()];
            package.source().read_at(0, &mut before).unwrap();
            assert!([back.header, back.objects].concat() == before, "{coding:?} {single:08x}");
        }
    }
}

#[test]
fn a_document_of_60_000_parts_says_in_which_line_one_of_them_is_wrong() {
    // Were lines counted for each part, this would take minutes.
    const PARTS: usize = 60_000;
    let package = package(Coding::Complete, &[("Single", Written::Float(1.0))]);
    let text = to_json(&package, None, true, &mut limits()).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let part = |bytes: &str| serde_json::json!({ "bytes": bytes });
    let parts = json["parts"].as_array_mut().unwrap();
    let number = parts.len() + PARTS;
    parts.extend((0..PARTS).map(|_| part("")));
    parts.push(part("?"));
    let text = serde_json::to_string_pretty(&json).unwrap();
    let wrong = text[..text.find("\"?\"").unwrap()].lines().count();
    match from_json(&text, None, &mut limits()) {
        // The line that the part begins in, one above that of its bytes.
        Err(JsonError::Document { path, line, .. }) => {
            assert_eq!((path, line), (format!("parts[{number}].bytes"), wrong - 1));
        }
        other => panic!("{other:?}"),
    }
    let text = text.replacen("\"?\"", "\"\"", 1);
    assert!(from_json(&text, None, &mut limits()).is_ok());
}
