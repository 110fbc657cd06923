use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::filename::shortened;

/// Why a file could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum OutputError {
    /// Something is at its path.
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// It would take the place of an input.
    IsInput {
        /// The path.
        path: PathBuf,
        /// The input, as it was given.
        input: PathBuf,
    },
    /// A rule keeps what is at its path.
    Kept {
        /// The path.
        path: PathBuf,
        /// What comes after it in a sentence.
        reason: String,
    },
    /// A link is at the path of a folder.
    IsLink {
        /// The path.
        path: PathBuf,
    },
    /// A folder is at its path.
    IsFolder {
        /// The path.
        path: PathBuf,
    },
    /// The system refused it.
    Io {
        /// What the output is called.
        label: String,
        /// The system's reason.
        error: io::Error,
    },
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists { path } => write!(f, "{} already exists", path.display()),
            Self::IsInput { path, input } if path == input => {
                write!(f, "{} is the input itself", path.display())
            }
            Self::IsInput { path, input } => {
                write!(f, "{} is an input: {}", path.display(), input.display())
            }
            Self::Kept { path, reason } => write!(f, "{} {reason}", path.display()),
            Self::IsLink { path } => write!(f, "{} is a link to another folder", path.display()),
            Self::IsFolder { path } => write!(f, "{} is a folder", path.display()),
            Self::Io { label, error } => write!(f, "cannot write {}: {error}", shortened(label)),
        }
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl OutputError {
    pub(crate) fn io(label: &str, error: io::Error) -> Self {
        Self::Io { label: label.to_owned(), error }
    }
}
