//! Answers: the rows of a report, or the reason why there are none.

use std::mem;

use importer::open::{GameMount, OpenError, OpenOptions, OpenedFile};
use serde::Serialize;

use super::Server;
use super::problem::Problem;
use super::request::{
    EntryFilter, PackageChoice, ReportKind, ReportMessage, ReportRequest, RequestError, ServerRequest,
    WorkDone,
};
use super::rows::{self, ReportHandler};
use crate::packages::GamePackages;
use crate::report::{ConflictRow, EntryRow, MeshRow, NiagaraRow, PackageRow, ScriptRow, TextureRow};

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
    /// Exit code, if a list lacks rows of what could not be read or has wrong ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u8>,
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
    /// A texture.
    Texture(TextureRow),
}

impl ServerAnswer {
    /// Creates an answer without a result.
    #[must_use]
    pub const fn refused(problem: Problem) -> Self {
        Self { ok: false, result: None, error: Some(problem), code: None, messages: Vec::new() }
    }
}

impl Server<'_> {
    /// Answers a request.
    pub(super) fn answer(&self, request: ServerRequest<'_>) -> ServerAnswer {
        let (mut code, mut messages) = (None, Vec::new());
        let result = match request {
            ServerRequest::Report(report) => {
                let mut reporter = Reporter::new(self, &report, &mut messages);
                let outcome = reporter.outcome();
                // One row has the code itself.
                let is_list = matches!(outcome, Ok(RequestOutcome::Rows(_)));
                code = reporter.code().filter(|_| is_list);
                outcome.map_err(|error| self.front_end.problem(error, Some(&report)))
            }
            ServerRequest::Work(work) => {
                work(&mut messages).map(|WorkDone { text, code }| RequestOutcome::Text { text, code })
            }
        };
        match result {
            Ok(result) => ServerAnswer { ok: true, result: Some(result), error: None, code, messages },
            Err(problem) => ServerAnswer { messages, ..ServerAnswer::refused(problem) },
        }
    }
}

/// A report while it is made.
pub(super) struct Reporter<'r> {
    server: &'r Server<'r>,
    report: &'r ReportRequest<'r>,
    messages: &'r mut Vec<String>,
    rows: Vec<ReportRow>,
    /// Whether everything could be read so far.
    is_whole: bool,
}

impl ReportHandler for Reporter<'_> {
    type Failure = RequestError;

    fn remark(&mut self, remark: &ReportMessage<'_>) {
        self.is_whole &= !remark.is_incomplete();
        self.server.front_end.remark(remark, self.report, self.messages);
    }

    fn is_interrupted(&self) -> bool {
        self.server.front_end.is_interrupted()
    }

    fn failure(&self, error: RequestError) -> RequestError {
        error
    }
}

impl<'r> Reporter<'r> {
    /// Begins a report.
    pub(super) const fn new(
        server: &'r Server<'r>,
        report: &'r ReportRequest<'r>,
        messages: &'r mut Vec<String>,
    ) -> Self {
        Self { server, report, messages, rows: Vec::new(), is_whole: true }
    }

    fn outcome(&mut self) -> Result<RequestOutcome, RequestError> {
        match &self.report.kind {
            ReportKind::Entries(filter) => self.entries(filter),
            ReportKind::Conflicts(filter) => self.conflicts(filter),
            ReportKind::Scripts { filter, is_check } => self.scripts(filter, *is_check),
            ReportKind::Tables(choice) => {
                let Server { files, .. } = self.server;
                if rows::is_classic(&**files, &self.report.file, choice.path.as_deref())? {
                    return self.classic();
                }
                rows::tables(&self.packages(choice)?, self, |reporter, _, row| {
                    reporter.add(ReportRow::Package(row))
                })?;
                Ok(self.rows_of_packages())
            }
            ReportKind::Niagara(choice) => {
                let packages = self.packages(choice)?;
                rows::data_interfaces(&packages, self, |reporter, entry, details| {
                    let container = packages.mount.container_name(entry);
                    reporter.add(ReportRow::Niagara(NiagaraRow::new(container, &details)))
                })?;
                Ok(self.rows_of_packages())
            }
            ReportKind::Meshes(choice) => {
                rows::meshes(&self.packages(choice)?, self, |reporter, _, row| {
                    reporter.add(ReportRow::Mesh(row))
                })?;
                Ok(self.rows_of_packages())
            }
            ReportKind::Textures(choice) => {
                rows::textures(&self.packages(choice)?, self, |reporter, _, row| {
                    reporter.add(ReportRow::Texture(row))
                })?;
                Ok(self.rows_of_packages())
            }
        }
    }

    fn add(&mut self, row: ReportRow) -> Result<(), RequestError> {
        self.rows.push(row);
        Ok(())
    }

    /// Returns the exit code of a report that lacks rows, none if it is complete.
    fn code(&self) -> Option<u8> {
        (!self.is_whole).then(|| self.server.front_end.partly())
    }

    fn open(&mut self) -> Result<GameMount, RequestError> {
        let Server { files, threads, budget, .. } = self.server;
        let ReportRequest { file, keys, .. } = self.report;
        let game = GameMount::open_within(files, file, keys, *threads, budget.memory_left());
        let game = game.map_err(RequestError::Game)?;
        if game.mount.containers().is_empty() {
            return Err(RequestError::NothingOpened(Box::new(game)));
        }
        self.remark(&ReportMessage::Mounted(&game));
        Ok(game)
    }

    /// Opens the packages that a request is about.
    pub(super) fn packages(&mut self, choice: &PackageChoice) -> Result<GamePackages, RequestError> {
        let mount = self.open()?.mount;
        let mut unnamed = |error| self.remark(&ReportMessage::Unnamed(&error));
        let packages =
            GamePackages::find(mount, choice.path.as_deref(), choice.options.clone(), &mut unnamed);
        packages.map_err(RequestError::Resolve)
    }

    fn entries(&mut self, filter: &EntryFilter<'_>) -> Result<RequestOutcome, RequestError> {
        let mount = &*self.open()?.mount;
        let read = |entry| EntryRow::read(mount, entry);
        rows::entries(mount, &mount.entries_by_path(), filter, self, read, |reporter, _, _, row| {
            reporter.add(ReportRow::Entry(row))
        })?;
        Ok(self.list())
    }

    fn conflicts(&mut self, filter: &EntryFilter<'_>) -> Result<RequestOutcome, RequestError> {
        let mount = &*self.open()?.mount;
        let found = rows::matching_conflicts(mount, filter)?;
        self.rows.extend(found.iter().map(|conflict| ReportRow::Conflict(ConflictRow::new(mount, conflict))));
        Ok(self.list())
    }

    fn scripts(&mut self, filter: &EntryFilter<'_>, is_check: bool) -> Result<RequestOutcome, RequestError> {
        let mount = self.open()?.mount;
        rows::scripts(&mount, filter, is_check, self, |reporter, object| {
            reporter.add(ReportRow::Script(ScriptRow::from(object)))
        })?;
        Ok(self.list())
    }

    fn list(&mut self) -> RequestOutcome {
        RequestOutcome::Rows(mem::take(&mut self.rows))
    }

    /// Returns the rows of packages: one is itself the result.
    fn rows_of_packages(&mut self) -> RequestOutcome {
        if self.rows.len() == 1
            && let Some(row) = self.rows.pop()
        {
            return RequestOutcome::Row { row: Box::new(row), code: self.code() };
        }
        self.list()
    }

    /// Reports the tables of a package of Unreal Engine 1 to 3.
    fn classic(&self) -> Result<RequestOutcome, RequestError> {
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
