//! The files of a container that is being written, and how they get to their places.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use exporter::{OutputError, OutputFile, Overwrite, Publication};

use super::data_file;
use crate::written::WrittenMods;

/// The files of the data of a table of contents, opened one after another as they get full.
#[derive(Clone)]
pub struct DataFiles {
    table: PathBuf,
    overwrite: Overwrite,
    files: Arc<Mutex<Vec<DataFile>>>,
}

impl DataFiles {
    /// Writes the data for a table of contents.
    #[must_use]
    pub fn new(table: PathBuf, overwrite: Overwrite) -> Self {
        Self { table, overwrite, files: Arc::default() }
    }

    /// Begins the file of a number.
    ///
    /// # Errors
    /// If it cannot be, or something is there that may not be replaced.
    pub fn open(&self, number: u64) -> io::Result<DataFile> {
        let file = OutputFile::create(&data_file(&self.table, number), &self.overwrite);
        let file = DataFile(Arc::new(Mutex::new(Some(file.map_err(io::Error::other)?))));
        self.files.lock().unwrap_or_else(PoisonError::into_inner).push(file.clone());
        Ok(file)
    }

    /// Returns all files, which are written to no more.
    #[must_use]
    pub fn into_files(self) -> Vec<OutputFile> {
        let files = std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner));
        let take = |file: DataFile| file.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        files.into_iter().filter_map(take).collect()
    }
}

/// A file of data, which is put to its place when all of them are written.
#[derive(Clone)]
pub struct DataFile(Arc<Mutex<Option<OutputFile>>>);

impl Write for DataFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(file) => file.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(file) => file.flush(),
            None => Ok(()),
        }
    }
}

/// The files of a container that is written.
pub enum ContainerFiles {
    /// One file.
    Pak(Box<OutputFile>),
    /// A table of contents, its data, and the pak of the same name.
    IoStore {
        /// The table.
        table: Box<OutputFile>,
        /// Data files.
        data: DataFiles,
        /// The pak: the engine looks for it, and for the table only where it has found one.
        pak: Box<OutputFile>,
    },
}

impl ContainerFiles {
    /// Puts them to their places; a game that looks meanwhile, or after the process was killed, finds the old
    /// container, the new one, or none. Returns why they are not remembered, if they are not.
    ///
    /// # Errors
    /// [`OutputError`] if that cannot be done.
    pub fn publish(self, mods: &WrittenMods, out: &mut dyn Write) -> Result<Option<io::Error>, OutputError> {
        let (files, keys) = match self {
            Self::Pak(pak) => (vec![*pak], 1),
            Self::IoStore { table, data, pak } => {
                let mut files = data.into_files();
                files.extend([*table, *pak]);
                (files, 2)
            }
        };
        let mut publication = Publication::new(files, keys);
        let written = publication.sync()?;
        let remembered = match mods.remember(&written) {
            Ok(remembered) => remembered,
            Err(error) => return publication.finish(out).map(|()| Some(error)),
        };
        publication.removing(remembered.left_over().to_vec()).finish(out)?;
        Ok(remembered.settle().err())
    }
}
