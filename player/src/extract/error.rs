use std::error::Error as StdError;
use std::fmt;

use exporter::{OutputError, SpaceError};

use crate::Error;

/// Why the sounds of a package could not be extracted.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExtractError {
    /// Something is in the way; nothing of the package was written.
    Blocked(OutputError),
    /// A file could not be written.
    Output(OutputError),
    /// The disk has no room, or the files are a flood.
    Space {
        /// What the package is called.
        label: String,
        /// The reason.
        error: SpaceError,
    },
    /// Its recordings make no song.
    Song(Error),
    /// Instrument files are asked for beside sounds as they are stored.
    Options,
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocked(error) | Self::Output(error) => error.fmt(f),
            Self::Space { label, error } => write!(f, "{label}: {error}"),
            Self::Song(error) => error.fmt(f),
            Self::Options => f.write_str("instrument files need decoded sounds"),
        }
    }
}

impl StdError for ExtractError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Blocked(error) | Self::Output(error) => Some(error),
            Self::Space { error, .. } => Some(error),
            Self::Song(error) => Some(error),
            Self::Options => None,
        }
    }
}

impl From<OutputError> for ExtractError {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl From<Error> for ExtractError {
    fn from(error: Error) -> Self {
        Self::Song(error)
    }
}
