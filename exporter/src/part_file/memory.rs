//! A file where there is no disk: it is whole in memory, and whoever runs the program takes it from there.

use std::collections::VecDeque;
use std::fs::{File, Permissions};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files that are whole, in the order in which they became it.
static PLACED: Mutex<VecDeque<(PathBuf, Vec<u8>)>> = Mutex::new(VecDeque::new());

/// A file that is being written.
pub(crate) struct PartFile(Cursor<Vec<u8>>);

impl PartFile {
    /// Begins a file.
    ///
    /// # Errors
    /// None.
    pub(crate) fn beside(_path: &Path, _replaced: Option<Permissions>) -> io::Result<Self> {
        Ok(Self(Cursor::default()))
    }

    /// There is no file.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn file(&self) -> io::Result<&File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns what writes to it.
    ///
    /// # Errors
    /// None.
    pub(crate) fn writer(&mut self) -> io::Result<&mut Cursor<Vec<u8>>> {
        Ok(&mut self.0)
    }

    /// Does nothing.
    ///
    /// # Errors
    /// None.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Lets it be taken.
    ///
    /// # Errors
    /// None.
    pub(crate) fn place(&mut self, path: &Path, _force: bool) -> io::Result<()> {
        placed().push_back((path.to_owned(), std::mem::take(&mut self.0).into_inner()));
        Ok(())
    }
}

fn placed() -> MutexGuard<'static, VecDeque<(PathBuf, Vec<u8>)>> {
    PLACED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the first file that is whole, by its path.
pub fn take_placed() -> Option<(PathBuf, Vec<u8>)> {
    placed().pop_front()
}

/// Does nothing: what is not whole is gone with the program.
pub const fn remove_unfinished() {}
