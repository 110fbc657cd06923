//! Requests answered without a process, about files in memory.

use std::cell::Cell;

use fixtures::asset::AssetWriter;
use fixtures::property::{Coding, NameList, Written, object};
use importer::GameOptions;
use importer::open::MemoryFiles;
use serde_json::{Value, json};
use unreal::KeyRing;

use super::*;

/// A front end whose arguments are the name of a report and a path.
#[derive(Default)]
struct Words {
    /// Number of times that it may be asked before the user interrupts it.
    patience: Option<Cell<usize>>,
}

impl FrontEnd for Words {
    fn request(&self, args: &[String]) -> Result<ServerRequest<'_>, Problem> {
        let [name, file] = args else { return Err(problem("two words", 2)) };
        let choice = PackageChoice { path: None, options: GameOptions::default() };
        let filter = |text: &str| {
            let wanted = text.to_owned();
            EntryFilter::new(Some(text), move |path| path.contains(&wanted))
        };
        let kind = match &name[..] {
            "entries" => ReportKind::Entries(filter("")),
            "nothing" => ReportKind::Entries(filter("no such entry")),
            "tables" => ReportKind::Tables(choice),
            "niagara" => ReportKind::Niagara(choice),
            "meshes" => ReportKind::Meshes(choice),
            text => {
                let text = text.to_owned();
                return Ok(ServerRequest::Work(Box::new(move |messages| {
                    messages.push("worked".to_owned());
                    Ok(WorkDone { text, code: Some(1) })
                })));
            }
        };
        Ok(ServerRequest::Report(ReportRequest {
            file: file.into(),
            keys: KeyRing::default(),
            kind,
            is_quiet: false,
        }))
    }

    fn problem(&self, error: RequestError, _: Option<&ReportRequest<'_>>) -> Problem {
        match error {
            RequestError::TooLong => problem("too long", 2),
            RequestError::NoRequest(_) => problem("no request", 2),
            RequestError::NoMatch(search) => problem(&search, 1),
            RequestError::NoMeshes => problem("no meshes", 3),
            RequestError::Interrupted => problem("interrupted", 130),
            error => problem(&format!("{error:?}"), 3),
        }
    }

    fn remark(&self, remark: &ReportMessage<'_>, _: &ReportRequest<'_>, messages: &mut Vec<String>) {
        if let ReportMessage::Unread(unread) = remark {
            messages.push(unread.label.clone());
        }
    }

    fn partly(&self) -> u8 {
        1
    }

    fn is_interrupted(&self) -> bool {
        self.patience.as_ref().is_some_and(|left| left.replace(left.get().saturating_sub(1)) == 0)
    }
}

fn problem(message: &str, code: u8) -> Problem {
    Problem { message: message.to_owned(), hints: Vec::new(), code }
}

/// The files of a package with a curve of two colours.
fn package() -> (Vec<u8>, Vec<u8>) {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let class = "NiagaraDataInterfaceColorCurve";
    let numbers = Written::Floats((0_u8..8).map(f32::from).collect());
    let bytes = object(Coding::Complete, &mut names, class, &[("ShaderLUT", numbers)]);
    let writer = AssetWriter {
        names: names.0[fixed.len()..].to_vec(),
        classes: vec![class.to_owned()],
        exports: vec![("Glow".to_owned(), -3, bytes)],
        data: Some(Vec::new()),
        ..AssetWriter::new(-8, 522, 1012)
    };
    writer.finish()
}

/// Folders with good packages; in some of them is a cut one, too.
fn files() -> MemoryFiles {
    let (header, objects) = package();
    let cut = || header[..header.len() / 2].to_vec();
    let files = [
        ("One/A.uasset", header.clone()),
        ("One/A.uexp", objects.clone()),
        ("Two/A.uasset", header.clone()),
        ("Two/A.uexp", objects.clone()),
        ("Two/B.uasset", cut()),
        ("Three/A.uasset", header.clone()),
        ("Three/A.uexp", objects.clone()),
        ("Three/B.uasset", header.clone()),
        ("Three/B.uexp", objects.clone()),
        ("Five/A.uasset", header.clone()),
        ("Five/A.uexp", objects.clone()),
        ("Five/B.uasset", header.clone()),
        ("Five/B.uexp", objects),
        ("Five/C.uasset", cut()),
    ];
    files.into_iter().collect()
}

/// Serves some lines; returns the answers.
fn served(words: &Words, lines: &[u8]) -> (Result<(), ServeError>, Vec<Value>) {
    let (files, threads) = (Arc::new(files()), NonZeroUsize::MIN);
    let server = Server { files, threads, budget: Budget::default(), front_end: words };
    let mut output = Vec::new();
    let end = server.serve(&mut &lines[..], &mut output);
    let text = String::from_utf8(output).unwrap();
    (end, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn answer(args: [&str; 2]) -> Value {
    let (end, mut answers) =
        served(&Words::default(), json!({ "id": 7, "args": args }).to_string().as_bytes());
    assert!(end.is_ok() && answers.len() == 1, "{answers:?}");
    assert_eq!(answers[0]["id"], 7);
    answers.remove(0)
}

#[test]
fn one_row_is_an_object_and_several_are_a_list() {
    let one = answer(["niagara", "One"]);
    assert_eq!(one["result"]["schema"], "usampler.niagara/1");
    assert_eq!(
        one["result"]["color_curves"][0]["values"],
        json!([[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]])
    );
    let keys: Vec<&str> = one.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["id", "ok", "result"]);
    let several = answer(["tables", "Three"]);
    let schemas: Vec<&Value> =
        several["result"].as_array().unwrap().iter().map(|row| &row["schema"]).collect();
    assert_eq!(schemas, ["usampler.package/2"; 2]);
    assert!(answer(["entries", "One"])["result"].is_array());
}

#[test]
fn a_row_beside_a_package_that_cannot_be_read_has_a_code_and_a_message() {
    let partly = answer(["tables", "Two"]);
    assert_eq!(partly["ok"], true);
    assert_eq!(partly["result"]["exports"][0]["name"], "Glow");
    assert_eq!(partly["result"]["code"], 1);
    assert!(partly["messages"][0].as_str().unwrap().ends_with("B.uasset"), "{partly}");
    assert_eq!(partly["code"], Value::Null);
}

#[test]
fn a_list_that_lacks_rows_has_a_code_beside_its_messages() {
    let partly = answer(["tables", "Five"]);
    assert_eq!(partly["ok"], true);
    assert_eq!(partly["result"].as_array().unwrap().len(), 2);
    assert_eq!(partly["code"], 1);
    assert!(partly["messages"][0].as_str().unwrap().ends_with("C.uasset"), "{partly}");
    let whole = answer(["tables", "Three"]);
    assert_eq!(whole["code"], Value::Null);
}

#[test]
fn a_report_without_rows_is_an_error() {
    let none = answer(["meshes", "One"]);
    assert_eq!(none, json!({ "id": 7, "ok": false, "error": { "message": "no meshes", "code": 3 } }));
    assert_eq!(answer(["nothing", "One"])["error"], json!({ "message": "no such entry", "code": 1 }));
    assert_eq!(answer(["tables", "Four"])["error"]["code"], 3);
}

#[test]
fn work_of_the_front_end_returns_its_text() {
    let expected =
        json!({ "id": 7, "ok": true, "result": { "text": "dig", "code": 1 }, "messages": ["worked"] });
    assert_eq!(answer(["dig", "here"]), expected);
}

#[test]
fn lines_that_are_no_requests_are_answered_and_do_not_end_the_server() {
    let lines = b"\n[1]\n{\"id\":\"x\",\"args\":[\"one\"]}\n{\"id\":[1, 2],\"args\":[\"dig\",\"x\"]}";
    let (end, answers) = served(&Words::default(), lines);
    assert!(end.is_ok());
    let messages: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["message"]).collect();
    assert_eq!(messages, [&json!("no request"), &json!("two words"), &Value::Null]);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&Value::Null, &json!("x"), &json!([1, 2])]);
}

#[test]
fn an_interrupted_report_is_answered_before_the_server_ends() {
    let line = json!({ "id": 1, "args": ["tables", "Three"] }).to_string() + "\n";
    // The server asks once before the request, the report before each package.
    let words = Words { patience: Some(Cell::new(2)) };
    let (end, answers) = served(&words, line.repeat(3).as_bytes());
    assert!(matches!(end, Err(ServeError::Interrupted)));
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["error"]["code"], 130);
}
