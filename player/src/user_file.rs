//! A small TOML file of the user's in the data folder, beside the adjustments.

use std::fmt::Display;
use std::io::Write as _;
use std::path::PathBuf;

use directories::ProjectDirs;
use exporter::{OutputFile, Overwrite};
use importer::read_regular_text;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::adjustments::is_absence;
use crate::{Error, ErrorKind};

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
        let folders = ProjectDirs::from("", "", "usampler")?;
        Some(Self { path: folders.data_dir().join(name), subject })
    }

    /// Reads the file; none if it is not there.
    ///
    /// # Errors
    /// [`ErrorKind::Options`] if it cannot be read or parsed.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<Option<T>, Error> {
        let text = match read_regular_text(&self.path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if is_absence(&error) => return Ok(None),
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
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        }
        let text = toml::to_string(contents).map_err(|error| failed(&error))?;
        let mut output = OutputFile::create(&self.path, &Overwrite::forced(true))?;
        output.write_all(text.as_bytes()).map_err(|error| failed(&error))?;
        Ok(output.publish(&mut std::io::sink())?)
    }

    fn failed(&self, kind: ErrorKind, verb: &str, reason: &dyn Display) -> Error {
        let Self { path, subject } = self;
        Error::new(kind, format!("{subject} cannot be {verb}: {}: {reason}", path.display()))
    }
}
