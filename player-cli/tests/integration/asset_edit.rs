//! `usampler asset json`, `from-json`, `mesh`, `niagara` and `serve`: what they print and how they end.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::asset::AssetWriter;
use fixtures::package::PackageWriter;
use fixtures::property::{Coding, NameList, Written, object};
use program::{Run, usampler};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Writes a package with colours below a folder; returns its path.
pub(crate) fn effect(folder: &Path, name: &str) -> String {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let class = "NiagaraDataInterfaceColorCurve";
    let lut = Written::Floats((0_u8..8).map(|n| f32::from(n) / 4.0).collect());
    let bytes = object(Coding::Complete, &mut names, class, &[("ShaderLUT", lut)]);
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        classes: vec![class.to_owned()],
        exports: vec![("Glow".to_owned(), -3, bytes)],
        data: Some(Vec::new()),
        ..AssetWriter::new(-8, 522, 1012)
    };
    let (header, objects) = writer.finish();
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(name).with_extension("uasset");
    fs::write(&path, header).unwrap();
    fs::write(path.with_extension("uexp"), objects).unwrap();
    path.to_str().unwrap().to_owned()
}

pub(crate) fn bytes(path: &str) -> [Vec<u8>; 2] {
    [fs::read(path).unwrap(), fs::read(Path::new(path).with_extension("uexp")).unwrap()]
}

#[test]
fn a_package_becomes_json_and_the_same_package() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let package = effect(folder.path(), "NS_A");
    usampler(&["asset", "json", &package, "-o", &path("a.json")]).ends_with(0);
    usampler(&["asset", "json", &package, "-o", &path("a.json")]).ends_with(5);
    let printed = usampler(&["asset", "json", &package, "-o", "-"]);
    printed.ends_with(0);
    assert_eq!(printed.bytes, fs::read(path("a.json")).unwrap());
    usampler(&["asset", "from-json", &path("a.json"), "-o", &path("b.uasset")]).ends_with(0);
    assert_eq!(bytes(&path("b.uasset")), bytes(&package));
    // A folder need not be there.
    usampler(&["asset", "json", &package, "-o", &path("json/")]).ends_with(0);
    assert_eq!(printed.bytes, fs::read(path("json/NS_A.uasset.json")).unwrap());
    usampler(&["asset", "from-json", &path("a.json"), "-o", &path("made/")]).ends_with(0);
    assert_eq!(bytes(&path("made/a.uasset")), bytes(&package));
    let text = printed.out.replacen("1.75", "7.5", 1);
    fs::write(path("c.json"), text).unwrap();
    usampler(&["asset", "from-json", &path("c.json"), "-o", &path("c.uasset")]).ends_with(0);
    let shown = usampler(&["asset", "niagara", &path("c.uasset")]);
    assert!(shown.out.contains("1.0000, 1.2500, 1.5000, 7.5000"), "{}", shown.out);
    fs::write(path("d.json"), printed.out.replacen("1.75", "\"much\"", 1)).unwrap();
    let refused = usampler(&["asset", "from-json", &path("d.json"), "-o", &path("d.uasset")]);
    refused.ends_with(3);
    assert!(
        refused.err.contains("line ") && refused.err.contains("parts[0].properties[0].value[7]"),
        "{}",
        refused.err
    );
    assert!(!Path::new(&path("d.uasset")).exists());
}

#[test]
fn a_folder_becomes_json_at_the_same_places_and_one_bad_package_stops_nothing() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let one = effect(&folder.path().join("in/Game"), "NS_A");
    let other = effect(&folder.path().join("in/Game/Deep"), "NS_B");
    for (extension, copy) in [("uasset", "umap"), ("uexp", "uexp")] {
        let part = Path::new(&other).with_extension(extension);
        fs::copy(part, path(&format!("in/Game/Map.{copy}"))).unwrap();
    }
    fs::write(path("in/Game/Bad.uasset"), &bytes(&one)[0][..200]).unwrap();
    let run = usampler(&["asset", "json", &path("in"), "-o", &path("json")]);
    run.ends_with(1);
    assert!(run.err.contains("Bad.uasset") && run.err.contains("3 packages written"), "{}", run.err);
    usampler(&["asset", "from-json", &path("json"), "-o", &path("out")]).ends_with(0);
    assert_eq!(bytes(&path("out/Game/NS_A.uasset")), bytes(&one));
    assert_eq!(bytes(&path("out/Game/Deep/NS_B.uasset")), bytes(&other));
    assert_eq!(bytes(&path("out/Game/Map.umap")), bytes(&other));
}

#[test]
fn colours_are_set_where_they_are_wanted() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let package = effect(folder.path(), "NS_A");
    let row = |file: &str| -> Value {
        let run = usampler(&["asset", "niagara", file, "--json"]);
        run.ends_with(0);
        serde_json::from_str(&run.out).unwrap()
    };
    let before = row(&package);
    assert_eq!((&before["color_curve_count"], &before["total_color_count"]), (&json!(1), &json!(2)));
    let set = ["--set", "10,0,0.5,1", "--export", "glow", "--index", "1", "--channels", "rgb"];
    let args = |out: &str| [&["asset", "niagara", &package, "-o", out], &set[..]].concat().join("\n");
    let run = |out: &str| usampler(&args(out).split('\n').collect::<Vec<_>>());
    run(&path("b.uasset")).ends_with(0);
    let values = json!([[0.0, 0.25, 0.5, 0.75], [10.0, 0.0, 0.5, 1.75]]);
    assert_eq!(row(&path("b.uasset"))["color_curves"][0]["values"], values);
    run(&path("b.uasset")).ends_with(5);
    for wrong in ["1,2", "red", "1,2,3,nan"] {
        usampler(&["asset", "niagara", &package, "-o", &path("c.uasset"), "--set", wrong]).ends_with(2);
    }
    let far = ["asset", "niagara", &package, "-o", &path("c.uasset"), "--set", "1,1,1,1", "--index", "2"];
    usampler(&far).ends_with(2);
    let colored = usampler(&["asset", "niagara", &package, "--color", "always"]);
    assert!(colored.out.contains("\x1b[48;2;"), "{}", colored.out);
    usampler(&["asset", "mesh", &package]).ends_with(3);
}

#[test]
fn requests_are_answered_one_by_one_and_bad_ones_end_nothing() {
    let folder = TempDir::new().unwrap();
    let package = effect(folder.path(), "NS_A");
    let out = folder.path().join("x.json");
    let requests = [
        json!({"id": 1, "args": ["show", package]}).to_string(),
        "{not json".to_owned(),
        json!({"id": "two", "args": ["niagara", package]}).to_string(),
        json!({"id": 3, "args": ["show", "/nonexistent.uasset"]}).to_string(),
        json!({"id": 4, "args": ["dance"]}).to_string(),
        String::new(),
        json!({"id": 5, "args": ["serve"]}).to_string(),
        json!({"id": 6, "args": ["cat", package, "x"]}).to_string(),
        json!({"id": 7, "args": ["json", package, "-o", "-"]}).to_string(),
        json!({"id": 8, "args": ["json", package, "-o", out.to_str().unwrap()]}).to_string(),
        json!({"id": 9}).to_string(),
        json!({"id": 10, "args": ["ls", package]}).to_string(),
        json!([1, 2, 3]).to_string(),
    ];
    let run = Run::of(&["asset", "serve"], requests.join("\n").as_bytes());
    run.ends_with(0);
    let answers: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    let null = Value::Null;
    let expected =
        [json!(1), null.clone(), json!("two"), json!(3), json!(4), json!(5), json!(6), json!(7), json!(8)];
    assert_eq!(ids[..9], expected.iter().collect::<Vec<_>>());
    assert_eq!(ids.len(), 12);
    assert_eq!(answers[0]["result"]["schema"], "usampler.package/2");
    assert_eq!(answers[2]["result"]["color_curve_count"], 1);
    let codes: Vec<u64> = answers.iter().filter_map(|answer| answer["error"]["code"].as_u64()).collect();
    assert_eq!(codes, [2, 3, 2, 2, 2, 2, 2, 2]);
    assert!(answers[8]["ok"] == true && out.exists());
    assert!(answers[10]["result"].is_array(), "{}", answers[10]);
}

#[test]
fn a_request_that_is_too_long_is_passed_over() {
    let mut input = vec![b'x'; (64 << 20) + 7];
    input.extend(b"\n{\"id\":2,\"args\":[\"dance\"]}\n");
    let run = Run::of(&["asset", "serve"], &input);
    run.ends_with(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("64 MiB") && lines[1].contains("\"id\":2"), "{}", run.out);
}

#[test]
fn a_package_of_the_first_engine_becomes_json_and_takes_other_numbers() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut package = PackageWriter::new(69);
    package.sound("Wind", None, "WAV", &[1, 2, 3, 4]);
    fs::write(path("A.uax"), package.finish()).unwrap();
    usampler(&["asset", "json", &path("A.uax"), "-o", &path("a.json")]).ends_with(0);
    usampler(&["asset", "from-json", &path("a.json"), "-o", &path("B.uax")]).ends_with(0);
    assert_eq!(fs::read(path("A.uax")).unwrap(), fs::read(path("B.uax")).unwrap());
    let text = fs::read_to_string(path("a.json")).unwrap();
    assert!(text.contains("\"Wind\""), "{text}");
    fs::write(path("a.json"), text.replace("\"Wind\"", "\"Gale\"")).unwrap();
    let refused = usampler(&["asset", "from-json", &path("a.json"), "-o", &path("C.uax")]);
    refused.ends_with(3);
    assert!(refused.err.contains("cannot be changed here, only numbers can"), "{}", refused.err);
}

#[cfg(unix)]
#[test]
fn requests_cannot_name_the_streams_that_they_come_and_are_answered_through() {
    let folder = TempDir::new().unwrap();
    let package = effect(folder.path(), "NS_A");
    let link = |name: &str, to: &str| {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink(to, &link).unwrap();
        link.to_str().unwrap().to_owned()
    };
    let (out, input) = (link("out.json", "/dev/stdout"), link("in.json", "/proc/self/fd/0"));
    let mut requests = Vec::new();
    for stream in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/stdout", &out, "/dev/stdin"] {
        requests.push(json!(["json", package, "-o", stream]));
        requests.push(json!(["niagara", package, "--set", "1,1,1,1", "--force", "-o", stream]));
    }
    for stream in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", &input] {
        requests.push(json!(["from-json", stream, "-o", folder.path().join("x.uasset")]));
        requests.push(json!(["show", stream]));
        requests.push(json!(["ls", package, "--aes", format!("@{stream}")]));
    }
    let lines: Vec<String> = requests.iter().map(|args| json!({"id": 1, "args": args}).to_string()).collect();
    let run = Run::of(&["asset", "serve"], lines.join("\n").as_bytes());
    run.ends_with(0);
    assert_eq!(run.out.lines().count(), requests.len(), "{}", run.out);
    for (answer, request) in run.out.lines().zip(&requests) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(answer["error"]["code"], 2, "{request}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.ends_with("is where requests and answers go"), "{message}");
    }
    // The file that answers are redirected to is one of them.
    let answers = folder.path().join("answers.json");
    let requests = folder.path().join("requests.json");
    fs::write(&requests, json!({"id": 1, "args": ["json", package, "--force", "-o", answers]}).to_string())
        .unwrap();
    let mut serve = program::command(&["asset", "serve"]);
    let streams = (fs::File::open(&requests).unwrap(), fs::File::create(&answers).unwrap());
    assert!(serve.stdin(streams.0).stdout(streams.1).status().unwrap().success());
    let answer: Value = serde_json::from_str(&fs::read_to_string(&answers).unwrap()).unwrap();
    assert_eq!(answer["error"]["code"], 2, "{answer}");
}
