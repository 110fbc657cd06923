//! Numbers of packages of Unreal Engine 3 that are changed through JSON.

use fixtures::package::{PackageWriter, Tag};
use modkit::json::{JsonError, from_json, tables_to_json};
use serde_json::{Value, json};
use unreal::{Limits, Memory};

/// A package with an object that states a number of each kind, one of an array, a name, and a struct.
fn package() -> Vec<u8> {
    let mut writer = PackageWriter::new(868);
    writer.node("SoundNodeWave", "Other", &[Tag::new("Count", "IntProperty", &5_i32.to_le_bytes())]);
    let name = writer.name("Wood");
    let name = [name.to_le_bytes(), [0; 4]].concat();
    let tags = [
        Tag::new("Count", "IntProperty", &7_i32.to_le_bytes()),
        Tag { index: 2, ..Tag::new("Volume", "FloatProperty", &0.25_f32.to_le_bytes()) },
        Tag { of: Some("None".to_owned()), ..Tag::new("Group", "ByteProperty", &[200]) },
        Tag::new("Kind", "NameProperty", &name),
        Tag { of: Some("Vector".to_owned()), ..Tag::new("Place", "StructProperty", &[9; 12]) },
    ];
    writer.node("SoundNodeMixer", "Mix", &tags);
    writer.finish()
}

fn document(package: &[u8]) -> Value {
    let text = tables_to_json(&Memory(package), &mut Limits::default()).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The properties of the second object.
fn properties(document: &mut Value) -> &mut Vec<Value> {
    let exports = document["exports"].as_array_mut().unwrap();
    let mix = exports.iter_mut().find(|row| row["path"].as_str().unwrap().ends_with("Mix")).unwrap();
    assert!(mix.get("problem").is_none(), "{mix}");
    mix["properties"].as_array_mut().unwrap()
}

fn back(document: &Value) -> Result<Vec<u8>, JsonError> {
    let package = from_json(&document.to_string(), None, &mut Limits::default());
    package.map(|package| package.bytes.header)
}

#[test]
fn each_property_says_what_it_is_and_where_its_number_ends() {
    let package = package();
    let mut document = document(&package);
    assert_eq!(back(&document).unwrap(), package);
    let rows = properties(&mut document);
    let without = |row: &Value, key: &str| {
        let mut row = row.as_object().unwrap().clone();
        row.remove(key).unwrap();
        Value::Object(row)
    };
    assert_eq!(without(&rows[0], "int"), json!({ "name": "Count", "value": 7 }));
    assert_eq!(without(&rows[1], "float"), json!({ "name": "Volume", "index": 2, "value": 0.25 }));
    assert_eq!(without(&rows[2], "byte"), json!({ "name": "Group", "value": 200 }));
    assert_eq!(rows[3], json!({ "name": "Kind", "value": "Wood" }));
    assert_eq!((&rows[4]["opaque"]["kind"], &rows[4]["opaque"]["size"]), (&json!("Vector"), &json!(12)));
    let end = |row: &Value, kind: &str| row[kind].as_u64().unwrap() as usize;
    assert_eq!(package[..end(&rows[0], "int")][end(&rows[0], "int") - 4..], 7_i32.to_le_bytes());
    assert_eq!(package[..end(&rows[1], "float")][end(&rows[1], "float") - 4..], 0.25_f32.to_le_bytes());
    assert_eq!(package[end(&rows[2], "byte") - 1], 200);
}

#[test]
fn a_number_is_put_where_it_stands_and_nothing_else_changes() {
    let before = package();
    for (row, kind, number, bytes) in [
        (0, "int", json!(-8), (-8_i32).to_le_bytes().to_vec()),
        (1, "float", json!(1.5), 1.5_f32.to_le_bytes().to_vec()),
        (2, "byte", json!(3), vec![3]),
    ] {
        let mut document = document(&before);
        let row = &mut properties(&mut document)[row];
        let end = row[kind].as_u64().unwrap() as usize;
        row["value"] = number;
        let mut expected = before.clone();
        expected[end - bytes.len()..end].copy_from_slice(&bytes);
        assert_eq!(back(&document).unwrap(), expected, "{kind}");
    }
}

#[test]
fn what_is_no_such_number_is_refused_with_its_place() {
    let before = package();
    let refused = |row: usize, key: &str, value: Value| {
        let mut document = document(&before);
        properties(&mut document)[row][key] = value;
        back(&document).unwrap_err().to_string()
    };
    for (row, value) in
        [(0, json!(1_u64 << 31)), (0, json!(0.5)), (1, json!(1e39)), (2, json!(256)), (2, json!(-1))]
    {
        let error = refused(row, "value", value.clone());
        assert!(error.contains("].value: no such number fits"), "{value}: {error}");
    }
    for (row, key) in [(0, "name"), (0, "int"), (3, "value"), (4, "opaque")] {
        let error = refused(row, key, json!("other"));
        assert!(error.contains("cannot be changed here, only numbers can"), "{key}: {error}");
    }
}
