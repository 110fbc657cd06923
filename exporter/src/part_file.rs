//! A file beside the wanted one, which takes its place once it is whole.
//!
//! Its name cannot be guessed, and it is made by whoever uses it or not at all: no link that somebody put there is
//! followed. While it is written it is locked, so what a killed run has left is known by its missing lock.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

use crate::durable;
use crate::folder::folder_of;

const PREFIX: &str = ".usampler-";
const SUFFIX: &str = ".part";

/// For so long an empty file may be one that is just being made, and not locked yet.
const BEING_MADE: Duration = Duration::from_secs(10);

/// The files that are being written.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Whether the program ends: then no file is begun any more.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// A file that is being written.
pub(crate) struct PartFile {
    /// None once it is published.
    writer: Option<BufWriter<NamedTempFile>>,
    name: PathBuf,
}

impl PartFile {
    /// Begins a file in the folder of another, with the permissions of what it will replace.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn beside(path: &Path, replaced: Option<fs::Permissions>) -> io::Result<Self> {
        let folder = folder_of(path);
        remove_orphans(folder);
        // Its name is known before it is there: a disk may take its time between the two.
        let make = |path: &Path| {
            unfinished().insert(path.to_owned());
            if IS_ENDING.load(Ordering::SeqCst) {
                return Err(io::Error::other("the program ends"));
            }
            let made = OpenOptions::new().read(true).write(true).create_new(true).open(path);
            if made.is_err() {
                unfinished().remove(path);
            }
            made
        };
        let file = Builder::new().prefix(PREFIX).suffix(SUFFIX).make_in(folder, make)?;
        let name = file.path().to_owned();
        let part = Self { writer: Some(BufWriter::new(file)), name };
        // Some file systems have no locks: there, what is left stays.
        let _ = part.file()?.try_lock();
        if let Some(permissions) = replaced {
            part.file()?.set_permissions(permissions)?;
        }
        Ok(part)
    }

    /// Returns the file itself; what is still to be written is not in it.
    ///
    /// # Errors
    /// After it was published.
    pub(crate) fn file(&self) -> io::Result<&File> {
        self.writer.as_ref().map(|writer| writer.get_ref().as_file()).ok_or_else(published)
    }

    /// Returns what writes to it.
    ///
    /// # Errors
    /// After it was published.
    pub(crate) fn writer(&mut self) -> io::Result<&mut BufWriter<NamedTempFile>> {
        self.writer.as_mut().ok_or_else(published)
    }

    /// Waits until its bytes are on the disk.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.writer()?.flush()?;
        durable::sync_file(self.file()?)
    }

    /// Puts it in its place, instead of a file that is there only by `force`.
    ///
    /// # Errors
    /// The system's; then nothing has changed.
    pub(crate) fn place(&mut self, path: &Path, force: bool) -> io::Result<()> {
        self.writer()?.flush()?;
        let file = self.writer.take().ok_or_else(published)?.into_inner()?;
        // It stays locked until it has its name: without the lock, another run might clear it up.
        let persisted = match file.persist_noclobber(path) {
            // Some file systems cannot rename so that nothing is replaced.
            Err(refused) if force || path.symlink_metadata().is_err() => refused.file.persist(path),
            persisted => persisted,
        };
        persisted.map(drop).map_err(|error| error.error)
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // Its file removes itself.
        drop(self.writer.take());
        unfinished().remove(&self.name);
    }
}

fn published() -> io::Error {
    io::Error::other("the file is published")
}

fn unfinished() -> std::sync::MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files that are not whole yet, of any thread, and lets none be begun: for a program that has to end at
/// once.
pub fn remove_unfinished() {
    IS_ENDING.store(true, Ordering::SeqCst);
    // Whoever holds the lock may hold it for ever now.
    let files = UNFINISHED.try_lock().map(|files| files.clone()).unwrap_or_default();
    for file in files {
        let _ = fs::remove_file(file);
    }
}

/// Removes what runs that were killed have left in a folder; looks once for each name of it.
fn remove_orphans(folder: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    {
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.contains(folder) {
            return;
        }
        seen.insert(folder.to_owned());
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_part = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if is_part && is_orphan(&entry).unwrap_or(false) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns whether nobody writes to a file any more.
fn is_orphan(entry: &fs::DirEntry) -> io::Result<bool> {
    if !entry.file_type()?.is_file() {
        return Ok(false);
    }
    let metadata = entry.metadata()?;
    let is_young = metadata.modified()?.elapsed().is_ok_and(|age| age < BEING_MADE);
    if metadata.len() == 0 && is_young {
        return Ok(false);
    }
    Ok(OpenOptions::new().read(true).write(true).open(entry.path())?.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_part_is_locked_while_it_is_written_and_gone_when_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let mut part = PartFile::beside(&folder.path().join("x.wav"), None).unwrap();
        part.writer().unwrap().write_all(b"half").unwrap();
        part.writer().unwrap().flush().unwrap();
        let [name] = <[String; 1]>::try_from(names(folder.path())).unwrap();
        assert!(name.starts_with(PREFIX) && name.ends_with(SUFFIX), "{name}");
        let another = File::open(folder.path().join(&name)).unwrap();
        assert!(another.try_lock().is_err(), "another run sees that it is written");
        drop(part);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn what_killed_runs_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path(".usampler-1-0.part"), "half a file").unwrap();
        fs::write(path(".usampler-new.part"), "").unwrap();
        fs::write(path("mine.part"), "mine").unwrap();
        fs::create_dir(path(".usampler-folder.part")).unwrap();
        let written = File::create(path(".usampler-written.part")).unwrap();
        (&written).write_all(b"by another").unwrap();
        written.lock().unwrap();
        let mut part = PartFile::beside(&path("x.wav"), None).unwrap();
        part.place(&path("x.wav"), false).unwrap();
        let left =
            [".usampler-folder.part", ".usampler-new.part", ".usampler-written.part", "mine.part", "x.wav"];
        assert_eq!(names(folder.path()), left);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_somebody_put_there_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let precious = folder.path().join("precious");
        fs::write(&precious, "data").unwrap();
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        for number in 0..100 {
            let name = format!(".usampler-{}-{number}.part", std::process::id());
            std::os::unix::fs::symlink(&precious, out.join(name)).unwrap();
        }
        let mut part = PartFile::beside(&out.join("x.wav"), None).unwrap();
        part.writer().unwrap().write_all(b"mine").unwrap();
        part.place(&out.join("x.wav"), false).unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"data");
        assert!(fs::symlink_metadata(out.join("x.wav")).unwrap().is_file());
        assert_eq!(fs::read(out.join("x.wav")).unwrap(), b"mine");
    }

    #[test]
    fn what_has_come_meanwhile_stays_without_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.wav");
        let mut part = PartFile::beside(&path, None).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert_eq!(part.place(&path, false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(part);
        assert_eq!(
            (fs::read(&path).unwrap(), names(folder.path())),
            (b"theirs".to_vec(), vec!["x.wav".to_owned()])
        );
        let mut part = PartFile::beside(&path, None).unwrap();
        part.writer().unwrap().write_all(b"mine").unwrap();
        part.place(&path, true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"mine");
    }
}
