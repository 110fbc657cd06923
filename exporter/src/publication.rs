//! Files that belong together, put to their places in such an order that whoever looks at any moment, or after a power
//! cut, finds all old ones, all new ones, or not the file that the others are found by.
//!
//! ```text
//! new bytes on the disk ─► old keys removed, first the last ─► folder ─► the others renamed ─► folder
//!                       ─► keys renamed, the last one last, the folder after each ─► what is left over removed
//! ```
//!
//! A key is a file that others are found by: a package for its objects, a table of contents for its data.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::durable::{Batch, sync_folder};
use crate::output_error::OutputError;
use crate::output_file::OutputFile;

/// One thing done to the disk: before it and after it the process may be killed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum DiskStep {
    /// Waits for the bytes of a file, by its index.
    Sync(usize),
    /// Removes an old file.
    Remove(PathBuf),
    /// Renames a file to its place, by its index.
    Place(usize),
    /// Waits for the names in the folder of a file.
    SyncFolder(PathBuf),
}

/// Files that are written and not in their places yet.
pub struct Publication {
    files: Vec<OutputFile>,
    steps: VecDeque<DiskStep>,
}

impl Publication {
    /// Plans the steps for files of one folder, the last `keys` of which the others are found by: the last one first of
    /// all.
    #[must_use]
    pub fn new(files: Vec<OutputFile>, keys: usize) -> Self {
        let mut steps: VecDeque<DiskStep> = (0..files.len()).map(DiskStep::Sync).collect();
        let first_key = files.len().saturating_sub(keys);
        let target = |index: usize| files.get(index).and_then(OutputFile::target).map(Path::to_owned);
        let folder = files.iter().find_map(OutputFile::target).map(Path::to_owned);
        let sync = |steps: &mut VecDeque<DiskStep>| steps.extend(folder.clone().map(DiskStep::SyncFolder));
        // A file alone is replaced by its renaming.
        if files.len() > 1 && files.iter().any(OutputFile::is_forced) {
            steps.extend((first_key..files.len()).rev().filter_map(target).map(DiskStep::Remove));
            sync(&mut steps);
        }
        steps.extend((0..first_key).map(DiskStep::Place));
        if first_key > 0 {
            sync(&mut steps);
        }
        for key in first_key..files.len() {
            steps.push_back(DiskStep::Place(key));
            sync(&mut steps);
        }
        Self { files, steps }
    }

    /// Removes files in the end that belonged to old ones.
    #[must_use]
    pub fn removing(mut self, left_over: Vec<PathBuf>) -> Self {
        self.steps.extend(left_over.into_iter().map(DiskStep::Remove));
        self
    }

    /// Waits until all bytes are on the disk; returns the files to read, and the paths that they will have.
    ///
    /// # Errors
    /// [`OutputError::Io`].
    pub fn sync(&mut self) -> Result<Vec<(File, PathBuf)>, OutputError> {
        while let Some(DiskStep::Sync(_)) = self.steps.front() {
            self.step(&mut io::sink()).unwrap_or(Ok(()))?;
        }
        let files = self.files.iter().filter_map(|file| Some((file, file.target()?)));
        files.map(|(file, path)| Ok((file.reader()?, path.to_owned()))).collect()
    }

    /// Takes the next step; none are left if this returns nothing. Dropped before the end, it leaves what is in its
    /// place there, and no other bytes.
    ///
    /// # Errors
    /// [`OutputError`] if the step cannot be taken.
    pub fn step(&mut self, out: &mut dyn Write) -> Option<Result<(), OutputError>> {
        let step = self.steps.pop_front()?;
        Some(match step {
            DiskStep::Sync(index) => self.files.get_mut(index).map_or(Ok(()), OutputFile::sync),
            DiskStep::Place(index) => self.files.get_mut(index).map_or(Ok(()), |file| file.place(out)),
            DiskStep::SyncFolder(path) => sync_folder(&path),
            DiskStep::Remove(path) => match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(OutputError::io(&path.display().to_string(), error))
                }
                _ => Ok(()),
            },
        })
    }

    /// Takes all steps but the waiting, which is left to a batch.
    ///
    /// # Errors
    /// [`OutputError`] of the first that cannot be taken.
    pub fn finish_in(mut self, batch: &Batch) -> Result<(), OutputError> {
        self.steps.retain(|step| matches!(step, DiskStep::Remove(_) | DiskStep::Place(_)));
        while let Some(done) = self.step(&mut io::sink()) {
            done?;
        }
        self.files.iter().filter_map(OutputFile::target).for_each(|path| batch.add(path));
        Ok(())
    }

    /// Takes all steps.
    ///
    /// # Errors
    /// [`OutputError`] of the first that cannot be taken.
    pub fn finish(mut self, out: &mut dyn Write) -> Result<(), OutputError> {
        while let Some(done) = self.step(out) {
            done?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overwrite::Overwrite;

    const FILES: [&str; 4] = ["M_P.ucas", "M_P_s1.ucas", "M_P.utoc", "M_P.pak"];

    /// New files over old ones, if there are any; the first is the name of the one that was left over.
    fn publication(folder: &Path, has_old: bool) -> Publication {
        if has_old {
            for name in FILES.into_iter().chain(["M_P_s2.ucas"]) {
                fs::write(folder.join(name), "old").unwrap();
            }
        }
        let files = FILES.map(|name| {
            let mut file = OutputFile::create(&folder.join(name), &Overwrite::forced(has_old)).unwrap();
            file.write_all(b"new").unwrap();
            file
        });
        Publication::new(files.into(), 2).removing(vec![folder.join("M_P_s2.ucas")])
    }

    /// What a game finds that looks for paks, and whoever looks for tables of contents.
    fn found(folder: &Path, key: &str) -> Option<Vec<String>> {
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        folder
            .join(key)
            .exists()
            .then(|| FILES.into_iter().filter(|name| *name != "M_P.pak" || key == *name).map(read).collect())
    }

    #[test]
    fn killed_at_any_step_a_mod_is_old_or_new_or_not_found() {
        for has_old in [false, true] {
            let mut seen = Vec::new();
            let steps = publication(tempfile::tempdir().unwrap().path(), has_old).steps.len();
            for taken in 0..=steps {
                let folder = tempfile::tempdir().unwrap();
                let mut publication = publication(folder.path(), has_old);
                for _ in 0..taken {
                    publication.step(&mut io::sink()).unwrap().unwrap();
                }
                // Killed: nothing is cleared up.
                std::mem::forget(publication);
                for key in ["M_P.pak", "M_P.utoc"] {
                    let Some(files) = found(folder.path(), key) else { continue };
                    assert!(
                        files.iter().all(|file| *file == files[0]),
                        "{key} after {taken} steps: {files:?}"
                    );
                    seen.push(files[0].clone());
                }
            }
            seen.dedup();
            assert_eq!(seen, if has_old { vec!["old", "new"] } else { vec!["new"] });
        }
    }

    #[test]
    fn bytes_are_on_the_disk_before_they_get_names_and_names_before_they_are_relied_on() {
        let folder = tempfile::tempdir().unwrap();
        let steps = Vec::from(publication(folder.path(), true).steps);
        let at = |wanted: &DiskStep| steps.iter().position(|step| step == wanted).unwrap();
        let path = |name: &str| folder.path().join(name);
        let last_sync = (0..4).map(|index| at(&DiskStep::Sync(index))).max().unwrap();
        let is_synced_between = |one: usize, other: usize| {
            steps[one..other].iter().any(|step| matches!(step, DiskStep::SyncFolder(_)))
        };
        let removed = [at(&DiskStep::Remove(path("M_P.pak"))), at(&DiskStep::Remove(path("M_P.utoc")))];
        assert!(last_sync < removed[0] && removed[0] < removed[1]);
        let [data, more, table, pak] = [0, 1, 2, 3].map(|index| at(&DiskStep::Place(index)));
        assert!(is_synced_between(removed[1], data) && is_synced_between(more, table));
        assert!(is_synced_between(table, pak) && is_synced_between(pak, steps.len()));
        assert_eq!(steps.last(), Some(&DiskStep::Remove(path("M_P_s2.ucas"))));
    }

    #[test]
    fn a_file_alone_is_replaced_and_never_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("M_P.pak");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path, &Overwrite::forced(true)).unwrap();
        file.write_all(b"new").unwrap();
        let mut publication = Publication::new(vec![file], 1);
        while let Some(done) = publication.step(&mut io::sink()) {
            done.unwrap();
            assert!(path.exists());
        }
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
