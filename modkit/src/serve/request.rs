//! Requests as typed values, and the front end that reads and words them.

use std::fmt;
use std::path::PathBuf;

use importer::GameOptions;
use importer::open::{GameError, GameMount, OpenError};
use unreal::{Error, KeyRing};

use super::problem::Problem;
use crate::report::Unread;
use crate::resolve::ResolveError;

/// A request.
pub enum ServerRequest<'r> {
    /// A report about a game.
    Report(ReportRequest<'r>),
    /// Work that the front end does itself.
    Work(Work<'r>),
}

/// Work of a front end, whose result is text. It is given a list for its messages.
pub type Work<'w> = Box<dyn FnOnce(&mut Vec<String>) -> Result<WorkDone, Problem> + 'w>;

/// The result of work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkDone {
    /// Text that describes it.
    pub text: String,
    /// Exit code, if it was not done completely.
    pub code: Option<u8>,
}

/// A report about a game, and what is known of that.
pub struct ReportRequest<'r> {
    /// A container or package, or a folder of them.
    pub file: PathBuf,
    /// Keys of encrypted containers.
    pub keys: KeyRing,
    /// The rows that are wanted.
    pub kind: ReportKind<'r>,
    /// Whether the user wants no remarks about packages that are left out on purpose.
    pub is_quiet: bool,
}

/// Kinds of reports.
pub enum ReportKind<'r> {
    /// The entries of containers.
    Entries(EntryFilter<'r>),
    /// The entries that several containers hold.
    Conflicts(EntryFilter<'r>),
    /// The objects of a game's code.
    Scripts {
        /// The objects that are wanted, by path.
        filter: EntryFilter<'r>,
        /// Whether only objects are wanted whose number is not the hash of their path.
        is_check: bool,
    },
    /// The tables of packages, and the sounds in them.
    Tables(PackageChoice),
    /// The data interfaces of Niagara systems.
    Niagara(PackageChoice),
    /// Meshes.
    Meshes(PackageChoice),
    /// Textures.
    Textures(PackageChoice),
}

/// Entries or objects chosen by their path.
pub struct EntryFilter<'r> {
    text: Option<String>,
    matches: Box<dyn Fn(&str) -> bool + 'r>,
}

impl<'r> EntryFilter<'r> {
    /// Creates a filter out of the search as the user typed it, none if all are wanted, and its meaning.
    pub fn new(search: Option<&str>, matches: impl Fn(&str) -> bool + 'r) -> Self {
        Self { text: search.map(str::to_owned), matches: Box::new(matches) }
    }

    /// Returns whether a path is wanted.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        (self.matches)(path)
    }

    /// Checks that a search has found something.
    ///
    /// # Errors
    /// [`RequestError::NoMatch`].
    pub fn check(&self, found: usize) -> Result<(), RequestError> {
        match &self.text {
            Some(text) if found == 0 => Err(RequestError::NoMatch(text.clone())),
            _ => Ok(()),
        }
    }
}

/// Packages chosen from a game.
#[derive(Clone, Debug, Default)]
pub struct PackageChoice {
    /// Name of the only one; none for all.
    pub path: Option<String>,
    /// Facts about the game that its packages do not state.
    pub options: GameOptions,
}

/// Reasons for a request to have no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum RequestError {
    /// The line is not a request.
    NoRequest(serde_json::Error),
    /// The line is longer than 64 MiB.
    TooLong,
    /// No action has that name.
    UnknownAction(String),
    /// A key of an action: its name, and what is wrong with it.
    ActionKey(String, String),
    /// An action cannot be done, for this reason.
    Action(String),
    /// The user interrupts it.
    Interrupted,
    /// The game cannot be opened.
    Game(GameError),
    /// No container of it can be opened.
    NothingOpened(Box<GameMount>),
    /// A package of Unreal Engine 1 to 3 cannot be opened.
    Classic(OpenError),
    /// A package is named inside a package of Unreal Engine 1 to 3.
    InsideClassic(String),
    /// The file is a tracker module.
    Module,
    /// No package, or several, have that name.
    Resolve(ResolveError),
    /// No entry matches the search.
    NoMatch(String),
    /// The game states no objects of its code.
    NoScripts,
    /// The objects of the game's code cannot be read from a container.
    Scripts(String, Error),
    /// No package can be read.
    NoPackages,
    /// No package has data interfaces.
    NoInterfaces,
    /// No package has a mesh that can be read.
    NoMeshes,
    /// No package has a texture that can be read.
    NoTextures,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRequest(error) => write!(f, "not a request: {error}"),
            Self::TooLong => f.write_str("the request is longer than 64 MiB"),
            Self::UnknownAction(action) => write!(f, "unknown action: {action}"),
            Self::ActionKey(key, why) => write!(f, "{key} {why}"),
            Self::Action(error) => f.write_str(error),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Game(error) => error.fmt(f),
            Self::NothingOpened(_) => f.write_str("no container could be opened"),
            Self::Classic(error) => error.fmt(f),
            Self::InsideClassic(path) => write!(f, "it is one package, so that {path} names nothing in it"),
            Self::Module => f.write_str("not a package but a tracker module"),
            Self::Resolve(error) => error.fmt(f),
            Self::NoMatch(search) => write!(f, "no entry matches {search:?}"),
            Self::NoScripts => f.write_str("no script objects"),
            Self::Scripts(container, error) => write!(f, "{container}: {error}"),
            Self::NoPackages => f.write_str("no package could be read"),
            Self::NoInterfaces => f.write_str("no data interfaces of Niagara"),
            Self::NoMeshes => f.write_str("no mesh that can be read"),
            Self::NoTextures => f.write_str("no texture that can be read"),
        }
    }
}

impl std::error::Error for RequestError {}

/// A message about a report, apart from its rows.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReportMessage<'r> {
    /// Containers of a game that could not be opened, and packages that were left out.
    Mounted(&'r GameMount),
    /// The names of the game's code cannot be read.
    Unnamed(&'r Error),
    /// A package or object cannot be read.
    Unread(&'r Unread),
    /// An entry is damaged.
    Damaged {
        /// Name of its container.
        container: &'r str,
        /// Its path.
        path: &'r str,
        /// The reason.
        error: &'r Error,
    },
    /// The numbers of the game's code were compared with their paths.
    ScriptsChecked {
        /// Number of objects.
        count: usize,
        /// Number of those that differ.
        wrong: usize,
    },
}

impl ReportMessage<'_> {
    /// Returns whether a report with this message is incomplete: something could not be read, or is wrong.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        match self {
            Self::Mounted(game) => !game.is_whole(),
            Self::Unnamed(_) => false,
            Self::Unread(_) | Self::Damaged { .. } => true,
            Self::ScriptsChecked { wrong, .. } => *wrong > 0,
        }
    }
}

/// The program in front of a server, whose command line requests follow.
pub trait FrontEnd {
    /// Reads the arguments of a request.
    ///
    /// # Errors
    /// A [`Problem`] that says which argument is wrong.
    fn request(&self, args: &[String]) -> Result<ServerRequest<'_>, Problem>;

    /// Words an error; `report` is the request if it could be read.
    fn problem(&self, error: RequestError, report: Option<&ReportRequest<'_>>) -> Problem;

    /// Words a remark, and adds it to the messages.
    fn remark(&self, remark: &ReportMessage<'_>, report: &ReportRequest<'_>, messages: &mut Vec<String>);

    /// Returns the exit code of an answer that lacks rows of what could not be read.
    fn partly(&self) -> u8;

    /// Returns whether the user wants the server to end.
    fn is_interrupted(&self) -> bool {
        false
    }
}
