//! Waiting for the disk, so that what is reported as written survives a power cut.
//!
//! A file is on the disk before it gets its name, and its folder after that. To wait for each of thousands takes tens
//! of times as long as to write them: a [`Batch`] waits once, in the end.

use std::collections::{BTreeSet, HashSet};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::folder::{folder_of, make_folder};
use crate::output_error::OutputError;

/// Files of a batch that are waited for one by one; of more, the whole file system is.
const FEW: usize = 32;

/// Files of one command that are put to their places as they come, and waited for together.
///
/// Up to 32 files are synced one by one. For more, Linux syncs the file systems that they are on; other systems have no
/// such call for a program without privileges, and write the files within seconds on their own.
#[derive(Debug, Default)]
pub struct Batch(Mutex<Placed>);

#[derive(Debug, Default)]
struct Placed {
    /// The first ones.
    files: Vec<PathBuf>,
    is_large: bool,
    folders: BTreeSet<PathBuf>,
    /// Folders that were made, or were there, below the folder of the outputs.
    made: HashSet<PathBuf>,
}

impl Batch {
    /// Makes a folder as [`make_folder`] does, and looks at each only once.
    ///
    /// # Errors
    /// As [`make_folder`].
    pub fn make_folder(&self, below: &Path, folder: &Path, force: bool) -> Result<(), OutputError> {
        if self.placed().made.contains(folder) {
            return Ok(());
        }
        make_folder(below, folder, force)?;
        self.placed().made.insert(folder.to_owned());
        Ok(())
    }

    /// A file has got its name.
    pub(crate) fn add(&self, path: &Path) {
        let mut placed = self.placed();
        if placed.files.len() < FEW {
            placed.files.push(path.to_owned());
        } else {
            placed.is_large = true;
        }
        let folder = folder_of(path);
        if !placed.folders.contains(folder) {
            placed.folders.insert(folder.to_owned());
        }
    }

    /// Waits until all files that have come so far, and their names, are on the disk.
    ///
    /// # Errors
    /// [`OutputError::Io`] if the disk cannot be written.
    pub fn finish(&self) -> Result<(), OutputError> {
        let Placed { files, is_large, folders, .. } = std::mem::take(&mut *self.placed());
        if is_large && cfg!(target_os = "linux") {
            return sync_file_systems(&folders);
        }
        if !is_large {
            for path in &files {
                let synced = OpenOptions::new().read(true).write(cfg!(windows)).open(path);
                let synced = synced.and_then(|file| sync_file(&file));
                synced.map_err(|error| OutputError::io(&path.display().to_string(), error))?;
            }
        }
        // A name that cannot be looked up is looked at with its folder.
        folders.iter().try_for_each(|folder| sync_folder(&folder.join(".")))
    }

    fn placed(&self) -> MutexGuard<'_, Placed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the bytes of a file are on the disk. A file system that cannot wait has nothing to wait for.
pub(crate) fn sync_file(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Waits until the names in the folder of a file are on the disk, on systems where a folder can be waited for.
pub(crate) fn sync_folder(path: &Path) -> Result<(), OutputError> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = folder_of(path);
    match File::open(folder) {
        Ok(opened) => {
            sync_file(&opened).map_err(|error| OutputError::io(&folder.display().to_string(), error))
        }
        // One that may be written to, but not listed.
        Err(_) => Ok(()),
    }
}

/// Waits for the file systems of some folders.
#[cfg(target_os = "linux")]
fn sync_file_systems(folders: &BTreeSet<PathBuf>) -> Result<(), OutputError> {
    use std::os::unix::fs::MetadataExt as _;
    let mut devices = BTreeSet::new();
    for folder in folders {
        let Ok(opened) = File::open(folder) else { continue };
        if !opened.metadata().is_ok_and(|metadata| devices.insert(metadata.dev())) {
            continue;
        }
        let synced = rustix::fs::syncfs(&opened).map_err(io::Error::from);
        synced.map_err(|error| OutputError::io(&folder.display().to_string(), error))?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn sync_file_systems(_: &BTreeSet<PathBuf>) -> Result<(), OutputError> {
    Ok(())
}
