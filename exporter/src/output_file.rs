//! A file that is written whole or not at all.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::part_file::PartFile;

/// Why a file could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum OutputError {
    /// Something is at its path.
    Exists {
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
            Self::IsFolder { path } => write!(f, "{} is a folder", path.display()),
            Self::Io { label, error } => write!(f, "cannot write {label}: {error}"),
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
    fn io(label: &str, error: io::Error) -> Self {
        Self::Io { label: label.to_owned(), error }
    }
}

/// Where a rendered file goes. Nothing is seen at its place before [`OutputFile::publish`].
pub struct OutputFile {
    /// What to call it.
    label: String,
    kind: OutputTarget,
}

enum OutputTarget {
    /// A file beside the wanted one, which takes its place in the end.
    File { part: PartFile, path: PathBuf, force: bool },
    /// Memory, for what cannot be gone back in: standard output, pipes, devices.
    Stream { bytes: Cursor<Vec<u8>>, path: Option<PathBuf> },
}

impl OutputFile {
    /// Begins a file, or standard output for `-`.
    ///
    /// # Errors
    /// [`OutputError`] if a file is in the way and `force` is not set, or none can be made there.
    pub fn create(path: &Path, force: bool) -> Result<Self, OutputError> {
        let label = path.display().to_string();
        if path.as_os_str() == "-" {
            let kind = OutputTarget::Stream { bytes: Cursor::default(), path: None };
            return Ok(Self { label: "standard output".to_owned(), kind });
        }
        let kind = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(OutputError::IsFolder { path: path.to_owned() });
            }
            Ok(metadata) if !metadata.is_file() => {
                OutputTarget::Stream { bytes: Cursor::default(), path: Some(path.to_owned()) }
            }
            _ => {
                if !force {
                    check_free(path)?;
                }
                let part = PartFile::beside(path).map_err(|error| OutputError::io(&label, error))?;
                OutputTarget::File { part, path: path.to_owned(), force }
            }
        };
        Ok(Self { label, kind })
    }

    /// Returns what to call it.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Puts what was written to its place.
    ///
    /// # Errors
    /// [`OutputError`] if that cannot be done.
    pub fn publish(mut self, out: &mut dyn Write) -> Result<(), OutputError> {
        let published = match &mut self.kind {
            OutputTarget::File { part, path, force } => part.publish(path, *force),
            OutputTarget::Stream { bytes, path: None } => {
                out.write_all(bytes.get_ref()).and_then(|()| out.flush())
            }
            OutputTarget::Stream { bytes, path: Some(path) } => {
                OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes.get_ref()))
            }
        };
        published.map_err(|error| OutputError::io(&self.label, error))
    }
}

/// # Errors
/// [`OutputError`] if something is at a path, be it a link that leads nowhere.
pub fn check_free(path: &Path) -> Result<(), OutputError> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(OutputError::Exists { path: path.to_owned() })
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            OutputTarget::File { part, .. } => part.writer()?.write(bytes),
            OutputTarget::Stream { bytes: memory, .. } => memory.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            OutputTarget::File { part, .. } => part.writer()?.flush(),
            OutputTarget::Stream { .. } => Ok(()),
        }
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.kind {
            OutputTarget::File { part, .. } => part.writer()?.seek(to),
            OutputTarget::Stream { bytes, .. } => bytes.seek(to),
        }
    }
}
