//! A small TOML file of the user's in the data folder, beside the adjustments.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, ErrorKind, user_store};

/// Size limit of a file in bytes.
const MAX_BYTES: u64 = 1 << 16;

/// A file, and what it holds, for messages.
#[derive(Clone, Debug)]
pub(crate) struct UserFile {
    pub(crate) path: PathBuf,
    /// As the subject of a sentence: `the room`.
    pub(crate) subject: &'static str,
}

impl UserFile {
    /// Returns the file of that name in the user's data folder; none where the user has no home.
    pub(crate) fn named(name: &str, subject: &'static str) -> Option<Self> {
        Some(Self { path: user_store::folder()?.join(name), subject })
    }

    /// Reads the file; none if it is not there.
    ///
    /// # Errors
    /// [`ErrorKind::Options`] if it cannot be read or parsed.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<Option<T>, Error> {
        let text = match user_store::read(&self.path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.unreadable(&error)),
        };
        toml::from_str(&text).map(Some).map_err(|error| self.unreadable(&error.message()))
    }

    /// Returns the error of a file that cannot be read.
    pub(crate) fn unreadable(&self, reason: &dyn Display) -> Error {
        self.failed(ErrorKind::Options, "read", reason)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// [`ErrorKind::Output`] if it cannot be written.
    pub(crate) fn write(&self, contents: &impl Serialize) -> Result<(), Error> {
        let failed = |reason: &dyn Display| self.failed(ErrorKind::Output, "written", reason);
        user_store::make_folder(&self.path).map_err(|error| failed(&error))?;
        let text = toml::to_string(contents).map_err(|error| failed(&error))?;
        user_store::write(&self.path, &text)
    }

    fn failed(&self, kind: ErrorKind, verb: &str, reason: &dyn Display) -> Error {
        let Self { path, subject } = self;
        Error::new(kind, format!("{subject} cannot be {verb}: {}: {reason}", path.display()))
    }
}
