use std::fmt;

use exporter::OutputError;

/// Why something could not be played or recorded.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// Who is to blame for an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An option is out of range.
    Options,
    /// The sounds do not make a song that can be played.
    Song,
    /// This sound cannot be played.
    Sound,
    /// This sound takes more memory than is allowed.
    Memory,
    /// There is nothing to record yet.
    NothingPlayed,
    /// No audio device answers.
    Device,
    /// A file could not be written.
    Output,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// Returns what is to blame: the user, the file or the system.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns what is wrong, in one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<OutputError> for Error {
    fn from(error: OutputError) -> Self {
        Self::new(ErrorKind::Output, error.to_string())
    }
}
