//! Files of audio, and sound banks, as one file of all their sounds.

use std::path::Path;
use std::sync::Arc;

use unreal::{Limits, Source};

use super::SoundFile;
use crate::budget::WorkBudget;
use crate::collection::audio_files::AudioFiles;
use crate::collection::sound_bank::{self, BankSet, ListedBefore};
use crate::open::{AudioFolder, BankFolder, Files};
use crate::{BankOptions, Budget, Error};

impl SoundFile {
    /// Opens a file of audio and describes it.
    ///
    /// # Errors
    /// [`Error::Package`] if its description takes more than `budget` allows.
    pub(super) fn open_audio(source: Box<dyn Source>, name: &str, budget: Budget) -> Result<Self, Error> {
        let stored = source.len();
        let (work, mut limits) = spent(stored, &budget);
        let sounds = AudioFiles::of_file(source, name, &work, &mut limits)?;
        Ok(Self::with_work(Box::new(sounds), name, stored, budget, work))
    }

    /// Opens the files of audio of a folder and describes them.
    ///
    /// # Errors
    /// [`Error::Package`] if the list of them takes more than `budget` allows.
    pub(crate) fn open_audio_folder(
        files: &Arc<dyn Files>,
        folder: &AudioFolder,
        name: &str,
        budget: Budget,
    ) -> Result<Self, Error> {
        let (joined, named) = folder.joined(files);
        let stored = joined.len();
        let (work, mut limits) = spent(stored, &budget);
        let sounds = AudioFiles::of_files(Box::new(joined), named, name, &work, &mut limits)?;
        Ok(Self::with_work(Box::new(sounds), name, stored, budget, work))
    }

    /// Opens sound banks and describes their media and events; their paths are shown below `path`.
    ///
    /// # Errors
    /// If the list takes more than the budget, or a bank that was named cannot be read.
    pub(crate) fn open_banks(
        files: &Arc<dyn Files>,
        folder: &BankFolder,
        path: &Path,
        name: &str,
        options: &BankOptions,
        budget: Budget,
    ) -> Result<Self, Error> {
        let stored = folder.stored_len();
        let (work, mut limits) = spent(stored, &budget);
        let banks = BankSet { files, folder, shown: path, before: ListedBefore::default() };
        let sounds = sound_bank::open(&banks, options, &work, &mut limits)?;
        Ok(Self::with_work(Box::new(sounds), name, stored, budget, work))
    }
}

/// Returns the budgets that describing files spends.
fn spent(stored: u64, budget: &Budget) -> (WorkBudget, Limits) {
    (WorkBudget::of_file(stored, budget.shared.as_ref()), Limits::with_structures(budget.structures))
}
