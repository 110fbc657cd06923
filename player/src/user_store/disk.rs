use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use directories::ProjectDirs;
use exporter::{OutputFile, Overwrite};
use importer::read_regular_text;

use crate::clock::Instant;
use crate::{Error, ErrorKind};

/// How long another instance may take to write, and how often it is asked for; one that is stopped meanwhile must not
/// stop this one.
const PATIENCE: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(5);

/// A lock that is held until it is dropped; none on file systems without locks.
pub(crate) type Lock = Option<File>;

/// Returns the folder; none where the user has no home.
pub(crate) fn folder() -> Option<PathBuf> {
    ProjectDirs::from("", "", "usampler").map(|folders| folders.data_dir().to_owned())
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// Those of the system; `NotFound` if it is not there.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<String> {
    read_regular_text(path, most).map_err(|error| match error.kind() {
        // The folder that it could be in may be none.
        io::ErrorKind::NotADirectory => io::ErrorKind::NotFound.into(),
        _ => error,
    })
}

/// Makes the folder of a file.
///
/// # Errors
/// Those of the system.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// [`ErrorKind::Output`] if it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    let mut output = OutputFile::create(path, &Overwrite::forced(true))?;
    let written = output.write_all(text.as_bytes());
    written.map_err(|error| Error::new(ErrorKind::Output, format!("{}: {error}", path.display())))?;
    Ok(output.publish(&mut io::sink())?)
}

/// Removes a file, if it is there.
///
/// # Errors
/// Those of the system.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Keeps other instances from writing between a reading and the writing that follows.
///
/// # Errors
/// Those of the system; `WouldBlock` if another instance does not stop writing.
pub(crate) fn lock(path: &Path) -> io::Result<Lock> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => std::thread::sleep(PERIOD),
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another usampler is writing them"));
            }
        }
    }
}
