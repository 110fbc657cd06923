//! Answers: the rows of a report, or the reason why there are none.

use importer::open::{Game, OpenError, OpenOptions, OpenedFile};
use serde::Serialize;
use unreal::containers::mount::MountedEntry;
use unreal::hash;

use super::Server;
use super::request::{
    EntryFilter, PackageChoice, Remark, Report, ReportKind, Request, RequestError, WorkDone,
};
use crate::conflicts::conflicts;
use crate::packages::{Packages, is_classic};
use crate::report::{
    ConflictRow, EntryRow, MeshRow, NiagaraRow, PackageRow, ScriptRow, Unread, script_objects,
};

/// An answer.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// Whether there is a result.
    pub ok: bool,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Outcome>,
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
pub enum Outcome {
    /// The only row of a report about packages.
    Row {
        /// The row.
        #[serde(flatten)]
        row: Box<Row>,
        /// Exit code, if something could not be read.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<u8>,
    },
    /// Rows.
    Rows(Vec<Row>),
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
pub enum Row {
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

impl Answer {
    /// Creates an answer without a result.
    #[must_use]
    pub const fn refused(problem: Problem) -> Self {
        Self { ok: false, result: None, error: Some(problem), messages: Vec::new() }
    }
}

impl Server<'_> {
    /// Answers a request.
    #[must_use]
    pub fn answer(&self, request: Request<'_>) -> Answer {
        let mut messages = Vec::new();
        let result = match request {
            Request::Report(report) => {
                let mut reporter =
                    Reporter { server: self, report: &report, messages: &mut messages, is_whole: true };
                reporter.outcome().map_err(|error| self.front_end.problem(error, Some(&report)))
            }
            Request::Work(work) => {
                work(&mut messages).map(|WorkDone { text, code }| Outcome::Text { text, code })
            }
        };
        match result {
            Ok(result) => Answer { ok: true, result: Some(result), error: None, messages },
            Err(problem) => Answer { messages, ..Answer::refused(problem) },
        }
    }
}

/// A report while it is made.
struct Reporter<'r> {
    server: &'r Server<'r>,
    report: &'r Report<'r>,
    messages: &'r mut Vec<String>,
    /// Whether everything could be read so far.
    is_whole: bool,
}

impl Reporter<'_> {
    fn outcome(&mut self) -> Result<Outcome, RequestError> {
        match &self.report.kind {
            ReportKind::Entries(filter) => self.entries(filter).map(Outcome::Rows),
            ReportKind::Conflicts(filter) => self.conflicts(filter).map(Outcome::Rows),
            ReportKind::Scripts { filter, is_check } => self.scripts(filter, *is_check).map(Outcome::Rows),
            ReportKind::Tables(choice) => {
                if is_classic(&*self.server.files, &self.report.file) {
                    return self.classic(choice);
                }
                self.of_packages(choice, RequestError::NoPackages, |packages, entry| {
                    packages.tables(entry).map(|row| vec![Ok(Row::Package(row))])
                })
            }
            ReportKind::Niagara(choice) => {
                self.of_packages(choice, RequestError::NoInterfaces, |packages, entry| {
                    let found = packages.data_interfaces(entry)?;
                    let container = packages.mount.container_name(entry);
                    let row = found.map(|details| Ok(Row::Niagara(NiagaraRow::new(container, &details))));
                    Ok(row.into_iter().collect())
                })
            }
            ReportKind::Meshes(choice) => {
                self.of_packages(choice, RequestError::NoMeshes, |packages, entry| {
                    let rows = packages.meshes(entry)?;
                    Ok(rows.into_iter().map(|row| row.map(Row::Mesh)).collect())
                })
            }
        }
    }

    fn remark(&mut self, remark: &Remark<'_>) {
        self.server.front_end.remark(remark, self.report, self.messages);
    }

    fn check(&self) -> Result<(), RequestError> {
        if self.server.front_end.is_interrupted() { Err(RequestError::Interrupted) } else { Ok(()) }
    }

    fn open(&mut self) -> Result<Game, RequestError> {
        let Server { files, threads, budget, .. } = self.server;
        let Report { file, keys, .. } = self.report;
        let game = Game::open_within(files, file, keys, *threads, budget.memory_left());
        let game = game.map_err(RequestError::Game)?;
        if game.mount.containers().is_empty() {
            return Err(RequestError::NothingOpened(Box::new(game)));
        }
        self.is_whole &= game.is_whole();
        self.remark(&Remark::Mounted(&game));
        Ok(game)
    }

    fn entries(&mut self, filter: &EntryFilter<'_>) -> Result<Vec<Row>, RequestError> {
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
                Ok(row) => rows.extend(row.map(Row::Entry)),
                Err(error) => {
                    self.is_whole = false;
                    let container = mount.container_name(entry);
                    self.remark(&Remark::Damaged { container, path: &path, error: &error });
                }
            }
        }
        filter.check(found).map(|()| rows)
    }

    fn conflicts(&mut self, filter: &EntryFilter<'_>) -> Result<Vec<Row>, RequestError> {
        let mount = self.open()?.mount;
        let mut found = conflicts(&mount);
        found.retain(|conflict| filter.matches(&conflict.label));
        filter.check(found.len())?;
        Ok(found.iter().map(|conflict| Row::Conflict(ConflictRow::new(&mount, conflict))).collect())
    }

    fn scripts(&mut self, filter: &EntryFilter<'_>, is_check: bool) -> Result<Vec<Row>, RequestError> {
        let mount = self.open()?.mount;
        let objects = script_objects(&mount).map_err(|(name, error)| RequestError::Scripts(name, error))?;
        let mut objects = objects.ok_or(RequestError::NoScripts)?;
        objects.retain(|object| filter.matches(&object.path));
        let count = objects.len();
        filter.check(count)?;
        if is_check {
            objects.retain(|object| hash::script_object(&object.path) != object.id);
            self.remark(&Remark::ScriptsChecked { count, wrong: objects.len() });
        }
        Ok(objects.iter().map(|object| Row::Script(ScriptRow::from(object))).collect())
    }

    /// Reports rows of packages: one is itself the result. `none` is the error if there are no rows.
    fn of_packages(
        &mut self,
        choice: &PackageChoice,
        none: RequestError,
        rows_of: impl Fn(&Packages, MountedEntry) -> Result<Vec<Result<Row, Unread>>, Unread>,
    ) -> Result<Outcome, RequestError> {
        let mount = self.open()?.mount;
        let mut unnamed = |error| self.remark(&Remark::Unnamed(&error));
        let packages = Packages::find(mount, choice.path.as_deref(), choice.options.clone(), &mut unnamed);
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
                        self.remark(&Remark::Unread(&unread));
                    }
                }
            }
        }
        let code = (!self.is_whole).then(|| self.server.front_end.partly());
        match (rows.pop(), &rows[..]) {
            (None, _) => Err(none),
            (Some(row), []) => Ok(Outcome::Row { row: Box::new(row), code }),
            (Some(row), _) => {
                rows.push(row);
                Ok(Outcome::Rows(rows))
            }
        }
    }

    /// Reports the tables of a package of Unreal Engine 1 to 3.
    fn classic(&self, choice: &PackageChoice) -> Result<Outcome, RequestError> {
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
        Ok(Outcome::Row { row: Box::new(Row::Package(row)), code: None })
    }
}
