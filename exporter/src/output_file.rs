//! A file that is written whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::durable::{Batch, sync_folder};
use crate::folder::make_folder;
use crate::output_error::OutputError;
use crate::overwrite::Overwrite;
use crate::part_file::PartFile;

/// Returns whether a path is that of a folder: one that is there, or ends with a separator.
#[must_use]
pub fn names_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last().copied();
    path.is_dir() || last.is_some_and(|last| std::path::is_separator(last.into()))
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
    /// What cannot be gone back in: standard output, pipes, devices. It is held in memory until it is whole, or so much
    /// that it is let go.
    Stream { held: Cursor<Vec<u8>>, path: Option<PathBuf>, sink: Option<Box<dyn Write + Send>> },
}

/// The bytes of a stream that are held, so that its beginning can still be changed.
const HELD: usize = 16 << 20;

impl OutputFile {
    /// Begins a file, or standard output for `-`.
    ///
    /// # Errors
    /// [`OutputError`] if a file is in the way that may not be replaced, or none can be made there.
    pub fn create(path: &Path, overwrite: &Overwrite) -> Result<Self, OutputError> {
        let label = path.display().to_string();
        if path.as_os_str() == "-" {
            let kind = OutputTarget::Stream { held: Cursor::default(), path: None, sink: None };
            return Ok(Self { label: "standard output".to_owned(), kind });
        }
        // Most are not there yet.
        let is_there = path.symlink_metadata().is_ok();
        let kind = match is_there.then(|| fs::metadata(path)) {
            Some(Ok(metadata)) if metadata.is_dir() => {
                return Err(OutputError::IsFolder { path: path.to_owned() });
            }
            Some(Ok(metadata)) if !metadata.is_file() => {
                OutputTarget::Stream { held: Cursor::default(), path: Some(path.to_owned()), sink: None }
            }
            replaced => {
                if is_there {
                    overwrite.check(path)?;
                }
                let replaced = replaced.and_then(Result::ok).map(|metadata| metadata.permissions());
                let part =
                    PartFile::beside(path, replaced).map_err(|error| OutputError::io(&label, error))?;
                OutputTarget::File { part, path: path.to_owned(), force: overwrite.is_forced() }
            }
        };
        Ok(Self { label, kind })
    }

    /// Begins a file as [`OutputFile::create`] does, and makes the folders on the way to it that are missing.
    ///
    /// # Errors
    /// As [`OutputFile::create`], and if a folder cannot be made.
    pub fn create_with_folders(path: &Path, overwrite: &Overwrite) -> Result<Self, OutputError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            // Those that are there may be reached through links: it is the user who named them.
            make_folder(folder, folder, overwrite.is_forced())?;
        }
        Self::create(path, overwrite)
    }

    /// Returns what to call it.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Puts what was written to its place, once it is on the disk; returns when that is as well.
    ///
    /// # Errors
    /// [`OutputError`] if that cannot be done.
    pub fn publish(mut self, out: &mut dyn Write) -> Result<(), OutputError> {
        self.sync()?;
        self.place(out)?;
        self.target().map_or(Ok(()), sync_folder)
    }

    /// Puts what was written to its place, and leaves it to a batch to wait for the disk.
    ///
    /// # Errors
    /// As [`OutputFile::publish`].
    pub fn publish_in(mut self, batch: &Batch) -> Result<(), OutputError> {
        self.place(&mut io::sink())?;
        if let Some(path) = self.target() {
            batch.add(path);
        }
        Ok(())
    }

    /// Returns the path of a file, unless it is standard output, a pipe or a device.
    #[must_use]
    pub fn target(&self) -> Option<&Path> {
        match &self.kind {
            OutputTarget::File { path, .. } => Some(path),
            OutputTarget::Stream { .. } => None,
        }
    }

    /// Returns whether it may take the place of a file.
    pub(crate) const fn is_forced(&self) -> bool {
        matches!(self.kind, OutputTarget::File { force: true, .. })
    }

    /// Returns what reads the bytes of a file until it is in its place. Another handle could not where locks bind.
    pub(crate) fn reader(&self) -> Result<fs::File, OutputError> {
        let opened = match &self.kind {
            OutputTarget::File { part, .. } => part.file().and_then(fs::File::try_clone),
            OutputTarget::Stream { .. } => Err(io::ErrorKind::Unsupported.into()),
        };
        opened.map_err(|error| OutputError::io(&self.label, error))
    }

    /// Waits until the bytes of a file are on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), OutputError> {
        let synced = match &mut self.kind {
            OutputTarget::File { part, .. } => part.sync(),
            OutputTarget::Stream { .. } => Ok(()),
        };
        synced.map_err(|error| OutputError::io(&self.label, error))
    }

    /// Puts what was written to its place.
    pub(crate) fn place(&mut self, out: &mut dyn Write) -> Result<(), OutputError> {
        let placed = match &mut self.kind {
            OutputTarget::File { part, path, force } => part.place(path, *force),
            OutputTarget::Stream { sink: Some(sink), .. } => sink.flush(),
            OutputTarget::Stream { held, path: None, .. } => {
                out.write_all(held.get_ref()).and_then(|()| out.flush())
            }
            OutputTarget::Stream { held, path: Some(path), .. } => {
                open(path).and_then(|mut file| file.write_all(held.get_ref()))
            }
        };
        placed.map_err(|error| OutputError::io(&self.label, error))
    }
}

/// Opens something that is there and no file.
fn open(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new().write(true).open(path)
}

/// Opens where a stream goes.
fn open_sink(path: Option<&Path>) -> io::Result<Box<dyn Write + Send>> {
    Ok(match path {
        None => Box::new(io::stdout()),
        Some(path) => Box::new(open(path)?),
    })
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            OutputTarget::File { part, .. } => part.writer()?.write(bytes),
            OutputTarget::Stream { sink: Some(sink), .. } => sink.write(bytes),
            OutputTarget::Stream { held, path, sink } => {
                let written = held.write(bytes)?;
                if held.get_ref().len() > HELD {
                    let mut opened = open_sink(path.as_deref())?;
                    opened.write_all(held.get_ref())?;
                    (*held, *sink) = (Cursor::default(), Some(opened));
                }
                Ok(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            OutputTarget::File { part, .. } => part.writer()?.flush(),
            OutputTarget::Stream { sink: Some(sink), .. } => sink.flush(),
            OutputTarget::Stream { .. } => Ok(()),
        }
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.kind {
            OutputTarget::File { part, .. } => part.writer()?.seek(to),
            OutputTarget::Stream { sink: None, held, .. } => held.seek(to),
            OutputTarget::Stream { .. } => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}
