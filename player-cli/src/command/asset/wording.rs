//! Errors and remarks of reports in words.

use std::path::Path;

use importer::open::OpenError;
use modkit::report::Unread;
use modkit::resolve::{ResolveError, Wanted};
use modkit::serve::rows::ReportHandler;
use modkit::serve::{ReportMessage, RequestError};
use unreal::KeyRing;

use crate::command::counted;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game::{self, GameState};
use crate::interrupt;
use crate::view::typed;

/// A report that is printed.
pub(super) struct PrintedReport<'r, 'c> {
    pub(super) file: &'r Path,
    pub(super) keys: &'r KeyRing,
    pub(super) exit: Exit,
    pub(super) console: &'r mut Console<'c>,
}

impl ReportHandler for PrintedReport<'_, '_> {
    type Failure = Failure;

    fn remark(&mut self, remark: &ReportMessage<'_>) {
        if remark.is_incomplete() {
            self.exit = Exit::Partly;
        }
        say(remark, self.keys, self.console);
    }

    fn is_interrupted(&self) -> bool {
        interrupt::is_wanted()
    }

    fn failure(&self, error: RequestError) -> Failure {
        failure(error, self.file, self.keys)
    }
}

/// Returns the failure of a report about a file.
pub(super) fn failure(error: RequestError, file: &Path, keys: &KeyRing) -> Failure {
    let label = file.display();
    let unreadable = |message: String| Failure::new(Exit::Unreadable, message);
    match error {
        RequestError::NoRequest(_)
        | RequestError::TooLong
        | RequestError::UnknownAction(_)
        | RequestError::ActionKey(..) => Failure::new(Exit::Usage, error.to_string()),
        RequestError::Action(error) => unreadable(error),
        RequestError::Interrupted => Failure::new(Exit::Interrupted, error.to_string()),
        RequestError::Game(error) => game::failure(error),
        RequestError::NothingOpened(game) => game::nothing_opened(&game, file, keys, None),
        RequestError::Classic(OpenError::Io { path, error }) => game::cannot_read(&path, &error),
        RequestError::InsideClassic(path) => {
            let message = format!("{label} is one package, so that {path} names nothing in it");
            Failure::new(Exit::Usage, message).hint("leave PATH out")
        }
        RequestError::Resolve(error) => unresolved(&error, file),
        RequestError::NoMatch(search) => {
            Failure::new(Exit::Partly, format!("no entry matches --filter {search:?}"))
        }
        RequestError::NoScripts => unreadable(format!("{error} in {label}"))
            .hint("global.utoc of a game of Unreal Engine 4.26 or later has them"),
        RequestError::Scripts(..) => unreadable(error.to_string()),
        RequestError::NoPackages
        | RequestError::NoInterfaces
        | RequestError::NoMeshes
        | RequestError::NoTextures => unreadable(format!("{error} in {label}")),
        error => unreadable(format!("{label}: {error}")),
    }
}

/// Says what a user should know of a report; `keys` are those that were given.
pub(super) fn say(remark: &ReportMessage<'_>, keys: &KeyRing, console: &mut Console<'_>) {
    match remark {
        ReportMessage::Mounted(game) => {
            let GameState { warnings, notes, .. } = game::state(game, keys, None);
            warnings.into_iter().for_each(|warning| console.warn(warning));
            notes.into_iter().for_each(|line| console.say(line));
        }
        ReportMessage::Unnamed(error) => {
            console.warn(format_args!("the names of the game's code cannot be read: {error}"));
        }
        ReportMessage::Unread(Unread { label, object, error }) => {
            let object = object.as_ref().map_or_else(String::new, |object| format!("{object}: "));
            console.warn(format_args!("{label}: {object}{}", game::why(error, keys)));
        }
        ReportMessage::Damaged { container, path, error } => {
            console.warn(format_args!("{container}: {path}: {error}"));
        }
        ReportMessage::ScriptsChecked { count, wrong } => {
            let objects = counted(*count, "object");
            let outcome = match wrong {
                0 => "every number is that of its path".to_owned(),
                wrong => format!("{wrong} with another number than that of its path"),
            };
            console.say(format_args!("{objects}: {outcome}"));
        }
        _ => {}
    }
}

/// Returns the failure of a name that stands for nothing in a game, or for several things.
pub(super) fn unresolved(error: &ResolveError, file: &Path) -> Failure {
    let label = file.display();
    match error {
        ResolveError::Ambiguous { candidates, .. } => {
            let failure = Failure::new(Exit::Usage, format!("{error} in {label}"));
            some(failure.hint("give more of the path:"), candidates)
        }
        ResolveError::Unknown { wanted, near, .. } => {
            let failure = Failure::new(Exit::Unreadable, format!("{error} in {label}"));
            let failure = match &near[..] {
                [] => failure,
                [one] => failure.hint(format!("did you mean {one}?")),
                several => some(failure.hint("did you mean one of these?"), several),
            };
            let filter = if *wanted == Wanted::Package { " --filter .uasset" } else { "" };
            failure.hint(format!("`usampler asset ls {}{filter}` lists all", typed(&label.to_string())))
        }
        error => Failure::new(Exit::Unreadable, error.to_string()),
    }
}

/// With the first of several paths.
fn some(failure: Failure, paths: &[String]) -> Failure {
    const SHOWN: usize = 10;
    let failure = paths.iter().take(SHOWN).fold(failure, |failure, path| failure.hint(format!("  {path}")));
    match paths.len().saturating_sub(SHOWN) {
        0 => failure,
        more => failure.hint(format!("  and {more} more")),
    }
}
