//! Requests with `action` on `usampler asset serve`, as graphical programs of other tools send them.

use crate::program;
use std::fs;
use std::path::{Path, PathBuf};

use fixtures::class_layout::{LayoutAge, LayoutPackage};
use fixtures::corpus::corpus;
use program::Run;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::asset_edit::{bytes, effect};

/// Answers requests, a line each.
fn answers(requests: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let run = Run::of(&["asset", "serve"], lines.join("\n").as_bytes());
    run.ends_with(0);
    let answers: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), requests.len());
    answers
}

/// Answers a request that succeeds; returns its data.
fn data(request: Value) -> Value {
    let mut answer = answers(&[request]).remove(0);
    assert_eq!(answer["success"], true, "{answer}");
    answer["data"].take()
}

/// Answers a request that fails; returns the message.
fn refusal(request: Value) -> String {
    let answer = answers(&[request]).remove(0);
    assert_eq!((&answer["success"], &answer["data"]), (&json!(false), &Value::Null), "{answer}");
    answer["message"].as_str().unwrap().to_owned()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn both_forms_of_requests_are_answered_line_by_line() {
    let folder = TempDir::new().unwrap();
    let package = effect(folder.path(), "NS_A");
    let lines = [
        json!({"id": 1, "args": ["show", package]}).to_string(),
        json!({"id": "two", "action": "detect_type", "file_path": package}).to_string(),
        json!({"action": "DetectType", "FilePath": package}).to_string(),
        r#"{"action":"detect_type""#.to_owned(),
        r#"{"args":["action""#.to_owned(),
        json!({"action": 7}).to_string(),
        json!({"action": null, "args": ["action"]}).to_string(),
    ];
    let run = Run::of(&["asset", "serve"], lines.join("\n").as_bytes());
    run.ends_with(0);
    let answers: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kind = json!({"file_path": package, "type": "NiagaraDataInterfaceColorCurve"});
    assert_eq!(answers[0]["ok"], true);
    assert_eq!(answers[1], json!({"id": "two", "success": true, "message": "", "data": kind}));
    assert_eq!(answers[2], json!({"success": true, "message": "", "data": kind}));
    assert!(answers[3]["message"].as_str().unwrap().starts_with("Invalid JSON format: "), "{}", answers[3]);
    assert!(answers[4]["error"]["message"].is_string(), "{}", answers[4]);
    assert_eq!(answers[5]["success"], false);
    assert_eq!(answers[6]["ok"], false);
}

#[test]
fn a_package_becomes_the_document_of_other_tools_and_the_same_package() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let package = effect(folder.path(), "NS_A");
    let exported = data(json!({"action": "export_to_json", "file_path": package}));
    assert_eq!(exported, json!({"path": text(&path("NS_A.json"))}));
    let document = fs::read_to_string(path("NS_A.json")).unwrap();
    assert!(document.starts_with("{\n  \"$type\": \"UAssetAPI.UAsset, UAssetAPI\""), "{document}");
    let again = refusal(json!({"action": "export_to_json", "file_path": package}));
    assert!(again.contains("already exists"), "{again}");
    let copy = path("new/folder/Copy.uasset");
    let import =
        |json: Value| json!({"action": "import_from_json", "file_path": text(&copy), "json_data": json});
    assert_eq!(data(import(document.clone().into())), Value::Null);
    assert_eq!(bytes(text(&copy)), bytes(&package));
    // It is there to overwrite the package.
    assert_eq!(data(import(document.into())), Value::Null);
    let wrong = refusal(import(json!("{\"$type\": \"UAssetAPI.UAsset, UAssetAPI\"}")));
    assert!(wrong.contains("line 1"), "{wrong}");
    assert_eq!(bytes(text(&copy)), bytes(&package));
}

#[test]
fn several_packages_become_documents_and_one_bad_one_stops_nothing() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let one = effect(&path("in/Game"), "NS_A");
    let other = effect(&path("in/Game/Deep"), "NS_B");
    fs::write(path("in/Game/Bad.uasset"), &bytes(&one)[0][..200]).unwrap();
    let request = |action: &str, from: &str, to: &str| json!({"action": action, "input_dir": text(&path(from)), "output_path": text(&path(to))});
    let answer = answers(&[request("to_json", "in", "json")]).remove(0);
    assert_eq!(answer["success"], false);
    let done = &answer["data"];
    assert_eq!((&done["converted"], &done["failed"]), (&json!(2), &json!(1)));
    assert_eq!(done["files"].as_array().unwrap().len(), 3);
    let back = data(request("from_json", "json", "out"));
    assert_eq!((&back["converted"], &back["failed"]), (&json!(2), &json!(0)));
    assert_eq!(bytes(text(&path("out/Game/NS_A.uasset"))), bytes(&one));
    assert_eq!(bytes(text(&path("out/Game/Deep/NS_B.uasset"))), bytes(&other));
    let listed = data(json!({
        "action": "to_json",
        "file_paths": [one, other],
        "base_path": text(&path("in")),
        "output_path": text(&path("listed")),
    }));
    assert_eq!(listed["converted"], 2);
    assert!(path("listed/Game/Deep/NS_B.json").is_file());
}

#[test]
fn colours_are_described_and_edited_with_the_keys_of_the_document() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("edited.uasset");
    let package = effect(folder.path(), "NS_A");
    let details = data(json!({"action": "niagara_details", "file_path": package}));
    let expected = [
        "success",
        "totalExports",
        "colorCurveCount",
        "totalColorCount",
        "colorCurves",
        "floatCurveCount",
        "totalFloatCount",
        "floatCurves",
        "vector2DCurveCount",
        "totalVector2DCount",
        "vector2DCurves",
        "vector3CurveCount",
        "totalVector3Count",
        "vector3Curves",
        "arrayColorCount",
        "totalArrayColorValues",
        "arrayColors",
        "arrayFloatCount",
        "totalArrayFloatValues",
        "arrayFloats",
        "arrayFloat3Count",
        "totalArrayFloat3Values",
        "arrayFloat3s",
    ];
    assert!(expected.iter().all(|key| details.get(key).is_some()), "{details}");
    assert_eq!((&details["colorCurveCount"], &details["totalColorCount"]), (&json!(1), &json!(2)));
    let curve = json!({
        "exportIndex": 0,
        "exportName": "Glow",
        "className": "NiagaraDataInterfaceColorCurve",
        "colorCount": 2,
        "sampleColors": [
            {"index": 0, "r": 0.0, "g": 0.25, "b": 0.5, "a": 0.75},
            {"index": 1, "r": 1.0, "g": 1.25, "b": 1.5, "a": 1.75},
        ],
    });
    assert_eq!(details["colorCurves"], json!([curve]));
    let edit = json!({
        "action": "niagara_edit",
        "AssetPath": package,
        "R": 0,
        "G": 10,
        "B": 0.5,
        "ExportIndex": 0,
        "ExportNameFilter": "glow",
        "ColorIndexStart": 1,
        "ColorIndexEnd": 1,
        "ModifyA": false,
        "output_path": text(&output),
    });
    let edited = data(edit.clone());
    assert_eq!(edited, json!({"success": true, "path": text(&output), "modifiedCount": 1}));
    let colors = |file: &str| {
        let details = data(json!({"action": "GetNiagaraDetails", "asset_path": file}));
        details["colorCurves"][0]["sampleColors"].clone()
    };
    assert_eq!(colors(text(&output))[0], colors(&package)[0]);
    assert_eq!(colors(text(&output))[1], json!({"index": 1, "r": 0.0, "g": 10.0, "b": 0.5, "a": 1.75}));
    let changed = |key: &str, value: Value| {
        let mut edit = edit.clone();
        edit[key] = value;
        refusal(edit)
    };
    assert!(changed("ColorIndexEnd", json!(0)).contains("ColorIndexEnd"));
    assert!(changed("ColorIndexEnd", json!(2)).contains("Glow has 2 colours"));
    assert!(changed("ExportIndex", json!(1)).contains("no data interface"));
    assert!(changed("ExportNameFilter", json!("Fade")).contains("no data interface"));
    assert_eq!(changed("G", json!("ten")), "G is not a number");
    let listed = data(json!({"action": "list_niagara", "file_path": text(folder.path())}));
    assert_eq!(listed["totalFiles"], 2);
    assert_eq!(
        (&listed["files"][0]["colorCurveCount"], &listed["files"][0]["totalColorCount"]),
        (&json!(1), &json!(2))
    );
}

#[test]
fn tables_are_read_with_the_keys_of_other_tools() {
    let folder = TempDir::new().unwrap();
    let package = effect(folder.path(), "NS_A");
    let of = |action: &str| data(json!({"action": action, "file_path": package, "export_index": 0}));
    let summary = of("get_asset_summary");
    assert_eq!(
        keys(&summary),
        [
            "file_path",
            "file_name",
            "detected_type",
            "name_count",
            "import_count",
            "export_count",
            "has_unversioned_properties",
            "package_flags",
            "file_version_ue4",
            "file_version_ue5",
            "uses_event_driven_loader",
            "package_guid"
        ]
    );
    assert_eq!((&summary["file_version_ue4"], &summary["file_version_ue5"]), (&json!(522), &json!(1012)));
    assert_eq!(of("get_name_map")[0], json!({"index": 0, "value": "None"}));
    let import = ["index", "class_package", "class_name", "object_name", "outer_index", "is_optional"];
    assert_eq!(keys(&of("get_imports")[0]), import);
    let export = of("get_exports")[0].clone();
    assert_eq!(export["object_name"], "Glow");
    assert_eq!((&export["export_type"], &export["property_count"]), (&json!("NormalExport"), &json!(1)));
    let property = of("get_export_properties")[0].clone();
    assert_eq!(keys(&property), ["name", "type", "value", "array_index"]);
    assert_eq!((&property["name"], &property["type"]), (&json!("ShaderLUT"), &json!("ArrayProperty")));
    assert_eq!(of("get_export_raw_data")["size"], export["serial_size"]);
    let far = refusal(json!({"action": "get_export_properties", "file_path": package, "export_index": 1}));
    assert_eq!(far, "export_index is 1, of 1 exports");
}

#[test]
fn properties_are_set_added_and_removed_in_the_file_that_is_named() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("Edited.uasset");
    let package = effect(folder.path(), "NS_A");
    let before = bytes(&package);
    let edit = |action: &str, file: &str, more: Value| {
        let mut request = json!({
            "action": action, "file_path": file, "export_index": 0, "output_path": text(&output),
        });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let set = json!({"property_path": "ShaderLUT.2", "property_value": "0.75"});
    assert_eq!(data(edit("set_property_value", &package, set)), Value::Null);
    assert_eq!(bytes(&package), before);
    let [header, objects] = bytes(text(&output));
    // The hashes of the names of this package are wrong, and become right when something changes.
    assert_eq!(header.len(), before[0].len());
    // One number of four bytes is another one.
    let differ: Vec<usize> = (0..objects.len()).filter(|at| objects[*at] != before[1][*at]).collect();
    assert!(!differ.is_empty() && differ.last().unwrap() - differ[0] < 4, "{differ:?}");
    let added = json!({"property_name": "Brand", "property_type": "IntProperty", "property_value": 5});
    data(edit("add_property", &package, added.clone()));
    let rows = data(edit("get_export_properties", text(&output), json!({})));
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert_eq!(rows[1], json!({"name": "Brand", "type": "IntProperty", "value": 5, "array_index": 0}));
    assert!(refusal(edit("add_property", text(&output), added)).contains("there is a property Brand"));
    data(edit("remove_property", text(&output), json!({"property_path": "Brand"})));
    assert_eq!(bytes(text(&output))[1], before[1]);
    for (action, more, expected) in [
        (
            "set_property_value",
            json!({"property_path": "Nothing", "property_value": 1}),
            "no property Nothing",
        ),
        (
            "set_property_value",
            json!({"property_path": "ShaderLUT.2.x.y", "property_value": 1}),
            "no property",
        ),
        ("set_property_value", json!({"property_path": "ShaderLUT.2", "property_value": "much"}), "\"much\""),
        ("set_property_value", json!({"property_path": "ShaderLUT"}), "property_value is missing"),
        ("remove_property", json!({"property_path": "ShaderLUT.9"}), "no property ShaderLUT.9"),
        (
            "add_property",
            json!({"property_name": "A", "property_type": "MapProperty", "property_value": 1}),
            "property_type is MapProperty",
        ),
    ] {
        let message = refusal(edit(action, &package, more));
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(bytes(&package), before);
    data(edit("save_asset", &package, json!({})));
    assert_eq!(bytes(text(&output)), before);
}

#[test]
fn actions_that_are_commands_do_what_these_do() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| text(&folder.path().join(name)).to_owned();
    fs::create_dir_all(path("files/Game")).unwrap();
    fs::write(path("files/Game/a.txt"), b"some text").unwrap();
    fs::write(path("files/Game/b.bin"), vec![7; 5000]).unwrap();
    let pak = path("X_P.pak");
    let packed = data(json!({
        "action": "create_pak", "input_dir": path("files"), "output_path": pak, "compress": true,
    }));
    assert_eq!(packed, json!({"path": pak}));
    let listed = data(json!({"action": "list_pak_files", "file_path": pak}));
    assert_eq!(listed["count"], 2);
    assert_eq!((&listed["files"][0]["path"], &listed["files"][0]["size"]), (&json!("Game/a.txt"), &json!(9)));
    assert_eq!(data(json!({"action": "is_iostore_compressed", "file_path": pak})), true);
    assert_eq!(data(json!({"action": "is_iostore_encrypted", "file_path": pak})), false);
    data(json!({
        "action": "extract_pak_file", "file_path": pak, "internal_path": "Game/a.txt", "output_path": path("one.txt"),
    }));
    assert_eq!(fs::read(path("one.txt")).unwrap(), b"some text");
    data(json!({
        "action": "extract_pak_all", "file_path": pak, "output_path": path("out"), "filter_patterns": ["b.bin", "c."],
    }));
    assert!(Path::new(&path("out/Game/b.bin")).is_file() && !Path::new(&path("out/Game/a.txt")).exists());
    let hash = data(json!({"action": "cityhash", "file_path": "/Game/Fixtures/Sounds/SW_Missing"}));
    assert!(hash["hash"].as_str().unwrap().starts_with("0x"), "{hash}");
    assert_eq!(refusal(json!({"action": "dance_wildly"})), "unknown action: dance_wildly");
    assert_eq!(refusal(json!({"action": "list_pak_files"})), "file_path is missing");
    assert_eq!(refusal(json!({"action": "list_pak_files", "file_path": [1]})), "file_path is not a text");
    assert!(refusal(json!({"action": "detect_type", "file_path": path("no.uasset")})).contains("no.uasset"));
    let stream = refusal(json!({"action": "save_asset", "file_path": pak, "output_path": "/dev/stdout"}));
    assert!(!stream.is_empty());
}

#[test]
fn a_mesh_gets_the_layout_of_the_game_once() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("SK_1014.uasset");
    let write = |is_game| LayoutPackage::new(LayoutAge::Five4, is_game).finish();
    let (header, objects) = write(false);
    fs::write(&file, header).unwrap();
    fs::write(file.with_extension("uexp"), objects).unwrap();
    let request = json!({"action": "patch_mesh", "file_path": text(&file)});
    let changed = data(request.clone());
    let slots = json!({"name": "SK_1014", "part": "slots", "count": 2, "bytes": 8});
    assert_eq!((&changed["changed"][0], changed["changed"].as_array().unwrap().len()), (&slots, 3));
    assert_eq!(bytes(text(&file))[1], write(true).1);
    assert_eq!(data(request), json!({"changed": []}));
    assert_eq!(bytes(text(&file))[1], write(true).1);
}

/// A package of the corpus: tagged, with structs that lie as in memory.
fn environment() -> Option<PathBuf> {
    Some(corpus("uassetapi")?.join("assets/TestJson/TurboAcres_Environment.uasset"))
}

#[test]
fn a_field_of_a_struct_of_a_real_package_is_set() {
    let Some(package) = environment() else { return };
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("Other.uasset");
    let set = json!({
        "action": "set_property_value",
        "file_path": text(&package),
        "export_index": 0,
        "property_path": "Values.SunAngle.Pitch",
        "property_value": -12.5,
        "output_path": text(&output),
    });
    data(set);
    let [before, after] = [&package, &output].map(|file| bytes(text(file)));
    assert_eq!(before[0], after[0]);
    let at = before[1].windows(4).position(|four| four == (-43.351_093_f32).to_le_bytes()).unwrap();
    let mut expected = before[1].clone();
    expected[at..at + 4].copy_from_slice(&(-12.5_f32).to_le_bytes());
    assert_eq!(after[1], expected);
}
