//! Errors for the user.

use std::{fmt, io};

use exporter::filename::shortened;
use exporter::{OutputError, SpaceError};
use player::render_file::RenderError;

use crate::exit::Exit;
use crate::memory;
use crate::view::{printable, text};

/// Why a command could not do what was asked, and what the user might do about it.
#[derive(Debug)]
pub struct Failure {
    /// The code the program ends with.
    pub exit: Exit,
    /// One line, without "error:".
    pub message: String,
    /// Further lines that help.
    pub hints: Vec<String>,
    /// The reason alone, if it is the same for all files of a kind.
    pub kind: Option<String>,
}

impl Failure {
    /// Creates a failure without hints.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), hints: Vec::new(), kind: None }
    }

    /// With a further line that helps.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// With the larger thing it was met in, in front.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        self.message = format!("{outer}: {}", self.message);
        self
    }

    /// With a reason that is the same for all files of a kind.
    #[must_use]
    pub fn of_kind(mut self, reason: String) -> Self {
        self.kind = Some(reason);
        self
    }

    /// Returns what became of writing to an output. A reader that went away is no failure: the program ends as if done.
    pub fn of_output(name: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::new(Exit::Done, String::new());
        }
        Self::new(Exit::NotWritable, format!("cannot write {}: {}", shortened(name), reason(error)))
    }

    /// Returns the failure of an output that takes too much of a disk.
    pub fn of_space(name: &str, error: &SpaceError) -> Self {
        match error {
            SpaceError::Flood { stored, wanted } => {
                let (stored, wanted) = (text::size(*stored), text::size(*wanted));
                let failure = Self::new(Exit::NotWritable, format!("{name}: {stored} would become {wanted}"));
                failure.hint("--large writes them all the same")
            }
            SpaceError::Full { free, wanted } => {
                let (free, wanted) = (text::size(*free), text::size(*wanted));
                Self::new(Exit::NotWritable, format!("{name}: {wanted} do not fit; the disk has {free} left"))
            }
            error => Self::new(Exit::NotWritable, format!("{name}: {error}")),
        }
    }

    /// Returns whether there is something to print.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.message.is_empty()
    }
}

/// Returns a plain reason for the common errors; the system's words are long and carry numbers.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is no folder".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::InvalidFilename => "its name or path is too long".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        _ => error.to_string(),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names in it come from files, and must not make a line that the program did not say.
        write!(f, "error: {}", printable(&self.message))?;
        self.hints.iter().try_for_each(|hint| write!(f, "\n  {}", printable(hint)))
    }
}

impl std::error::Error for Failure {}

impl From<player::Error> for Failure {
    fn from(error: player::Error) -> Self {
        let exit = match error.kind() {
            player::ErrorKind::Options => Exit::Usage,
            player::ErrorKind::Song => Exit::Unreadable,
            player::ErrorKind::Device => Exit::NoDevice,
            player::ErrorKind::Output => Exit::NotWritable,
            _ => Exit::Partly,
        };
        let failure = Self::new(exit, error.message());
        if error.kind() == player::ErrorKind::Memory { failure.hint(memory::HINT) } else { failure }
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::Io { label, error } => Self::of_output(&label, &error),
            OutputError::Exists { .. } => Self::new(Exit::NotWritable, format!("{error}; use --force")),
            OutputError::IsLink { .. } => {
                Self::new(Exit::NotWritable, error.to_string()).hint("--force writes there all the same")
            }
            _ => Self::new(Exit::NotWritable, error.to_string()),
        }
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Play(error) => error.into(),
            RenderError::Output(error) => error.into(),
            RenderError::Space { label, error } => Self::of_space(&label, &error),
            RenderError::TooLong { .. } => {
                Self::new(Exit::NotWritable, error.to_string()).hint("a FLAC file can: -o OUT.flac")
            }
            error => Self::new(Exit::NotWritable, error.to_string()),
        }
    }
}

/// Errors of the data output: everything a command prints on standard output goes through here.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::of_output("standard output", &error)
    }
}
