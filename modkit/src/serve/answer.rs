//! Answers: the rows of a report, or the reason why there are none.

use importer::open::{GameMount, OpenError, OpenOptions, OpenedFile};
use serde::Serialize;
use unreal::containers::mount::MountedEntry;
use unreal::hash;

use super::Server;
use super::request::{
    EntryFilter, PackageChoice, ReportKind, ReportMessage, ReportRequest, RequestError, ServerRequest,
    WorkDone,
};
use crate::conflicts::conflicts;
use crate::packages::{GamePackages, is_classic};
use crate::report::{
    ConflictRow, EntryRow, MeshRow, NiagaraRow, PackageRow, ScriptRow, Unread, script_objects,
};

/// An answer.
#[derive(Debug, Serialize)]
pub struct ServerAnswer {
    /// Whether there is a result.
    pub ok: bool,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<RequestOutcome>,
    /// The reason why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Problem>,
    /// Remarks and warnings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

/// The result of a request.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum RequestOutcome {
    /// The only row of a report about packages.
    Row {
        /// The row.
        #[serde(flatten)]
        row: Box<ReportRow>,
        /// Exit code, if something could not be read.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<u8>,
    },
    /// Rows.
    Rows(Vec<ReportRow>),
    /// Text of a front end.
    Text {
        /// The text.
        text: String,
        /// Exit code, if the work was not done completely.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<u8>,
    },
}

/// A row of a report.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ReportRow {
    /// An entry.
    Entry(EntryRow),
    /// A conflict.
    Conflict(ConflictRow),
    /// An object of a game's code.
    Script(ScriptRow),
    /// A package.
    Package(PackageRow),
    /// Data interfaces of a package.
    Niagara(NiagaraRow),
    /// A mesh.
    Mesh(MeshRow),
}

/// An error in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// One line.
    pub message: String,
    /// Further lines that help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Exit code.
    pub code: u8,
}

impl ServerAnswer {
    /// Creates an answer without a result.
    #[must_use]
    pub const fn refused(problem: Problem) -> Self {
        Self { ok: false, result: None, error: Some(problem), messages: Vec::new() }
    }
}

impl Server<'_> {
    /// Answers a request.
    #[must_use]
    pub fn answer(&self, request: ServerRequest<'_>) -> ServerAnswer {
        let mut messages = Vec::new();
        let result = match request {
            ServerRequest::Report(report) => {
                let mut reporter =
                    Reporter { server: self, report: &report, messages: &mut messages, is_whole: true };
                reporter.outcome().map_err(|error| self.front_end.problem(error, Some(&report)))
            }
            ServerRequest::Work(work) => {
                work(&mut messages).map(|WorkDone { text, code }| RequestOutcome::Text { text, code })
            }
        };
        match result {
            Ok(result) => ServerAnswer { ok: true, result: Some(result), error: None, messages },
            Err(problem) => ServerAnswer { messages, ..ServerAnswer::refused(problem) },
        }
    }
}

/// A report while it is made.
struct Reporter<'r> {
    server: &'r Server<'r>,
    report: &'r ReportRequest<'r>,
    messages: &'r mut Vec<String>,
    /// Whether everything could be read so far.
    is_whole: bool,
}

impl Reporter<'_> {
    fn outcome(&mut self) -> Result<RequestOutcome, RequestError> {
        match &self.report.kind {
            ReportKind::Entries(filter) => self.entries(filter).map(RequestOutcome::Rows),
            ReportKind::Conflicts(filter) => self.conflicts(filter).map(RequestOutcome::Rows),
            ReportKind::Scripts { filter, is_check } => {
                self.scripts(filter, *is_check).map(RequestOutcome::Rows)
            }
            ReportKind::Tables(choice) => {
                if is_classic(&*self.server.files, &self.report.file) {
                    return self.classic(choice);
                }
                self.of_packages(choice, RequestError::NoPackages, |packages, entry| {
                    packages.tables(entry).map(|row| vec![Ok(ReportRow::Package(row))])
                })
            }
            ReportKind::Niagara(choice) => {
                self.of_packages(choice, RequestError::NoInterfaces, |packages, entry| {
                    let found = packages.data_interfaces(entry)?;
                    let container = packages.mount.container_name(entry);
                    let row =
                        found.map(|details| Ok(ReportRow::Niagara(NiagaraRow::new(container, &details))));
                    Ok(row.into_iter().collect())
                })
            }
            ReportKind::Meshes(choice) => {
                self.of_packages(choice, RequestError::NoMeshes, |packages, entry| {
                    let rows = packages.meshes(entry)?;
                    Ok(rows.into_iter().map(|row| row.map(ReportRow::Mesh)).collect())
                })
            }
        }
    }

    fn remark(&mut self, remark: &ReportMessage<'_>) {
        self.server.front_end.remark(remark, self.report, self.messages);
    }

    fn check(&self) -> Result<(), RequestError> {
        if self.server.front_end.is_interrupted() { Err(RequestError::Interrupted) } else { Ok(()) }
    }

    fn open(&mut self) -> Result<GameMount, RequestError> {
        let Server { files, threads, budget, .. } = self.server;
        let ReportRequest { file, keys, .. } = self.report;
        let game = GameMount::open_within(files, file, keys, *threads, budget.memory_left());
        let game = game.map_err(RequestError::Game)?;
        if game.mount.containers().is_empty() {
            return Err(RequestError::NothingOpened(Box::new(game)));
        }
        self.is_whole &= game.is_whole();
        self.remark(&ReportMessage::Mounted(&game));
        Ok(game)
    }

    fn entries(&mut self, filter: &EntryFilter<'_>) -> Result<Vec<ReportRow>, RequestError> {
        let mount = self.open()?.mount;
        let (mut rows, mut found) = (Vec::new(), 0);
        for entry in mount.entries_by_path().iter() {
            self.check()?;
            let path = mount.label(entry);
            if !filter.matches(&path) {
                continue;
            }
            found += 1;
            match EntryRow::read(&mount, entry) {
                Ok(row) => rows.extend(row.map(ReportRow::Entry)),
                Err(error) => {
                    self.is_whole = false;
                    let container = mount.container_name(entry);
                    self.remark(&ReportMessage::Damaged { container, path: &path, error: &error });
                }
            }
        }
        filter.check(found).map(|()| rows)
    }

    fn conflicts(&mut self, filter: &EntryFilter<'_>) -> Result<Vec<ReportRow>, RequestError> {
        let mount = self.open()?.mount;
        let mut found = conflicts(&mount);
        found.retain(|conflict| filter.matches(&conflict.label));
        filter.check(found.len())?;
        Ok(found.iter().map(|conflict| ReportRow::Conflict(ConflictRow::new(&mount, conflict))).collect())
    }

    fn scripts(&mut self, filter: &EntryFilter<'_>, is_check: bool) -> Result<Vec<ReportRow>, RequestError> {
        let mount = self.open()?.mount;
        let objects = script_objects(&mount).map_err(|(name, error)| RequestError::Scripts(name, error))?;
        let mut objects = objects.ok_or(RequestError::NoScripts)?;
        objects.retain(|object| filter.matches(&object.path));
        let count = objects.len();
        filter.check(count)?;
        if is_check {
            objects.retain(|object| hash::script_object(&object.path) != object.id);
            self.remark(&ReportMessage::ScriptsChecked { count, wrong: objects.len() });
        }
        Ok(objects.iter().map(|object| ReportRow::Script(ScriptRow::from(object))).collect())
    }

    /// Reports rows of packages: one is itself the result. `none` is the error if there are no rows.
    fn of_packages(
        &mut self,
        choice: &PackageChoice,
        none: RequestError,
        rows_of: impl Fn(&GamePackages, MountedEntry) -> Result<Vec<Result<ReportRow, Unread>>, Unread>,
    ) -> Result<RequestOutcome, RequestError> {
        let mount = self.open()?.mount;
        let mut unnamed = |error| self.remark(&ReportMessage::Unnamed(&error));
        let packages =
            GamePackages::find(mount, choice.path.as_deref(), choice.options.clone(), &mut unnamed);
        let packages = packages.map_err(RequestError::Resolve)?;
        let mut rows = Vec::new();
        for entry in &packages.entries {
            self.check()?;
            let found = rows_of(&packages, *entry).unwrap_or_else(|unread| vec![Err(unread)]);
            for row in found {
                match row {
                    Ok(row) => rows.push(row),
                    Err(unread) => {
                        self.is_whole = false;
                        self.remark(&ReportMessage::Unread(&unread));
                    }
                }
            }
        }
        let code = (!self.is_whole).then(|| self.server.front_end.partly());
        match (rows.pop(), &rows[..]) {
            (None, _) => Err(none),
            (Some(row), []) => Ok(RequestOutcome::Row { row: Box::new(row), code }),
            (Some(row), _) => {
                rows.push(row);
                Ok(RequestOutcome::Rows(rows))
            }
        }
    }

    /// Reports the tables of a package of Unreal Engine 1 to 3.
    fn classic(&self, choice: &PackageChoice) -> Result<RequestOutcome, RequestError> {
        if let Some(path) = &choice.path {
            return Err(RequestError::InsideClassic(path.clone()));
        }
        let Server { files, budget, .. } = self.server;
        let options = OpenOptions { budget: budget.clone(), ..OpenOptions::default() };
        let opened = OpenedFile::open(files, &self.report.file, &options).map_err(RequestError::Classic)?;
        let sounds =
            opened.sounds(&options).map_err(|error| RequestError::Classic(OpenError::Sounds(error)))?;
        let package = sounds.package().ok_or(RequestError::Module)?;
        let row = PackageRow::of_classic(package, opened.name(), &self.report.file.to_string_lossy());
        Ok(RequestOutcome::Row { row: Box::new(ReportRow::Package(row)), code: None })
    }
}
