//! Requests with `action`, as graphical programs in front of *`UassetTool`* send them.
//!
//! ```text
//! {"action":"niagara_details","file_path":"X.uasset"} ──► ActionRequest ─┬─► words ──► FrontEnd ──► rows or text
//! {"success":true,"message":"","data":{…}} ◄── ActionAnswer ◄────────────┴─► document of UAssetAPI ──► package
//! ```
//!
//! What a command can do, a command does: an action becomes the words of one. What is left reads a package as a
//! document, which it may also change.
//!
//! Source: *uassettool-internals*, on the interactive interface and on data interfaces.

mod batch;
mod command;
mod edit;
mod niagara;
mod package;
mod request;

use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::answer::{ReportRow, RequestOutcome, ServerAnswer};
use super::problem::Problem;
use super::{RequestError, Server};
pub(super) use request::ActionRequest;

/// An answer to a request with `action`.
#[derive(Debug, Serialize)]
pub(super) struct ActionAnswer<'a> {
    /// Identifier of its request, if that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a RawValue>,
    /// Whether all was done.
    success: bool,
    /// The reason if not; else what was done, and warnings.
    message: String,
    /// The result.
    data: Json,
}

impl<'a> ActionAnswer<'a> {
    /// Creates an answer to a line that is not a request.
    pub(super) fn no_request(error: &serde_json::Error) -> Self {
        Self::refused(None, format!("Invalid JSON format: {error}"))
    }

    fn refused(id: Option<&'a RawValue>, message: String) -> Self {
        Self { id, success: false, message, data: Json::Null }
    }
}

/// What an action did.
#[derive(Debug, Default)]
struct Done {
    message: String,
    data: Json,
    /// Whether a part of it was not done.
    is_partly: bool,
}

impl Done {
    fn new(message: impl Into<String>, data: impl Into<Json>) -> Self {
        Self { message: message.into(), data: data.into(), is_partly: false }
    }
}

/// What a command did that an action stands for.
struct CommandDone {
    /// The rows that it reports.
    rows: Vec<ReportRow>,
    /// The text that it prints, and its messages.
    message: String,
    is_partly: bool,
}

impl CommandDone {
    /// Returns what an action did whose result is this.
    fn with(self, data: impl Into<Json>) -> Done {
        Done { message: self.message, data: data.into(), is_partly: self.is_partly }
    }

    /// Returns the rows as JSON.
    fn rows_as_json(&self) -> Vec<Json> {
        self.rows.iter().map(|row| serde_json::to_value(row).unwrap_or_default()).collect()
    }
}

impl Server<'_> {
    /// Does what a request says.
    pub(super) fn act<'a>(&self, id: Option<&'a RawValue>, request: &ActionRequest) -> ActionAnswer<'a> {
        match self.action(request) {
            Ok(Done { message, data, is_partly }) => ActionAnswer { id, success: !is_partly, message, data },
            Err(problem) => ActionAnswer::refused(id, problem.message),
        }
    }

    fn action(&self, request: &ActionRequest) -> Result<Done, Problem> {
        match request.action() {
            "exporttojson" => self.export_to_json(request),
            "importfromjson" => self.import_from_json(request),
            "tojson" => self.json_of_packages(request),
            "fromjson" => self.packages_of_json(request),
            "getassetsummary" => self.summary(request),
            "getnamemap" => self.names(request),
            "getimports" => self.imports(request),
            "getexports" => self.exports(request),
            "getexportproperties" => self.properties(request),
            "getexportrawdata" => self.raw_data(request),
            "setpropertyvalue" => self.set_property(request),
            "addproperty" => self.add_property(request),
            "removeproperty" => self.remove_property(request),
            "saveasset" | "fixserializesize" => self.save(request),
            "patchmesh" => self.patch_mesh(request),
            "detecttype" => self.detect(request, None),
            "detecttexture" => self.detect(request, Some("Texture")),
            "detectmesh" => self.detect(request, Some("Mesh")),
            "detectskeletalmesh" => self.detect(request, Some("SkeletalMesh")),
            "detectstaticmesh" => self.detect(request, Some("StaticMesh")),
            "detectblueprint" => self.detect(request, Some("Blueprint")),
            "batchdetecttype" => self.detect_each(request, None),
            "batchdetecttexture" => self.detect_each(request, Some("Texture")),
            "batchdetectmesh" => self.detect_each(request, Some("Mesh")),
            "batchdetectskeletalmesh" => self.detect_each(request, Some("SkeletalMesh")),
            "batchdetectstaticmesh" => self.detect_each(request, Some("StaticMesh")),
            "batchdetectblueprint" => self.detect_each(request, Some("Blueprint")),
            "listniagara" | "listniagarafiles" => self.list_niagara(request),
            "niagaradetails" | "getniagaradetails" => self.niagara_details(request),
            "niagaraedit" | "editniagaracolors" => self.edit_niagara(request),
            action => self.as_command(action, request),
        }
    }

    /// Runs a command, whose words follow `usampler asset`.
    fn command(&self, words: &[String]) -> Result<CommandDone, Problem> {
        let request = self.front_end.request(words)?;
        let ServerAnswer { result, error, mut messages, .. } = self.answer(request);
        if let Some(problem) = error {
            return Err(problem);
        }
        let mut done = CommandDone { rows: Vec::new(), message: String::new(), is_partly: false };
        match result {
            // What could not be read beside the rows is in the messages.
            Some(RequestOutcome::Row { row, .. }) => done.rows.push(*row),
            Some(RequestOutcome::Rows(rows)) => done.rows = rows,
            Some(RequestOutcome::Text { text, code }) => {
                messages.insert(0, text);
                done.is_partly = code.is_some();
            }
            None => {}
        }
        messages.retain(|message| !message.is_empty());
        done.message = messages.join("\n");
        Ok(done)
    }

    /// Returns the problem of a request whose keys are wrong.
    fn wrong_key(&self, key: &str, why: &str) -> Problem {
        self.front_end.problem(RequestError::ActionKey(key.to_owned(), why.to_owned()), None)
    }

    /// Returns the problem of a file that cannot be read or written.
    fn failed(&self, file: &str, why: impl std::fmt::Display) -> Problem {
        self.front_end.problem(RequestError::Action(format!("{file}: {why}")), None)
    }
}
