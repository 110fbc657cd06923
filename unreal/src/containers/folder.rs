//! Files of a folder as if they were the entries of a container: packages as the engine or a tool wrote them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::EntryInfo;
use crate::base::error::{Error, Malformed};
use crate::base::source::Source;

const WHAT: &str = "file";

/// Opens files by their paths.
pub trait OpenFile: Send + Sync {
    /// Opens a regular file.
    ///
    /// # Errors
    /// Those of the system, and if it is something else.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>>;
}

/// Files that lie below a folder.
pub struct Folder {
    files: Vec<FolderFile>,
    opener: Arc<dyn OpenFile>,
}

impl fmt::Debug for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folder").field("files", &self.files).finish_non_exhaustive()
    }
}

/// A file below a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderFile {
    /// Path below the folder, with `/` between the parts.
    pub path: String,
    /// Path on disk.
    pub file: PathBuf,
    /// Bytes that it has.
    pub size: u64,
}

impl Folder {
    /// Creates a container of files, which `opener` opens when they are read.
    #[must_use]
    pub fn new(files: Vec<FolderFile>, opener: Arc<dyn OpenFile>) -> Self {
        Self { files, opener }
    }

    fn file(&self, number: usize) -> Result<&FolderFile, Error> {
        let missing = || Error::malformed(Malformed::NoSuchEntry(number as u64), 0, WHAT);
        self.files.get(number).ok_or_else(missing)
    }

    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    pub(super) fn file_len(&self) -> u64 {
        self.files.iter().map(|file| file.size).fold(0, u64::saturating_add)
    }

    pub(super) fn path(&self, number: usize) -> Option<&str> {
        self.files.get(number).map(|file| file.path.as_str())
    }

    /// Returns where an entry lies.
    #[must_use]
    pub fn file_path(&self, number: usize) -> Option<&Path> {
        self.files.get(number).map(|file| file.file.as_path())
    }

    pub(super) fn info(&self, number: usize) -> Result<EntryInfo<'_>, Error> {
        let size = self.file(number)?.size;
        // Each is a file of its own, and shares nothing.
        Ok(EntryInfo {
            extent: 0..0,
            size,
            stored: size,
            compression: None,
            is_encrypted: false,
            cipher: None,
        })
    }

    pub(super) fn open_entry(&self, number: usize) -> Result<Box<dyn Source>, Error> {
        Ok(self.opener.open(&self.file(number)?.file)?)
    }
}
