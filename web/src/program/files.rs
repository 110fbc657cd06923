//! Files that the user gave to the page: read in parts, when they are needed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use importer::open::files::{FileInfo, FolderEntry, OpenFile};
use importer::open::{FileType, Files};
use unreal::{Memory, Source};

use super::block_cache::BlockCache;
use super::message::FileEntry;

/// Reads bytes of a file, by its number, from an offset on.
pub type ReadFile = fn(file: u32, at: u64, out: &mut [u8]) -> io::Result<()>;

/// The files of the page, by their paths: below folders that were dropped, else their names alone.
#[derive(Clone)]
pub struct PageFiles {
    files: BTreeMap<PathBuf, PageFile>,
    read: ReadFile,
    cache: Arc<Mutex<BlockCache>>,
}

#[derive(Clone, Debug)]
enum PageFile {
    /// Its number, and its size in bytes.
    Handed(u32, u64),
    /// A file that is part of the program.
    Own(&'static [u8]),
}

impl PageFiles {
    /// Returns the files that the page has announced.
    #[must_use]
    pub fn new(entries: &[FileEntry], read: ReadFile) -> Self {
        let mut files = BTreeMap::new();
        for entry in entries {
            let parts = entry.path.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
            let path = free_path(&files, parts.collect());
            files.insert(path, PageFile::Handed(entry.id, entry.size));
        }
        Self { files, read, cache: Arc::default() }
    }

    /// Returns one file that is part of the program.
    #[must_use]
    pub fn own(path: &str, bytes: &'static [u8], read: ReadFile) -> Self {
        let files = BTreeMap::from([(PathBuf::from(path), PageFile::Own(bytes))]);
        Self { files, read, cache: Arc::default() }
    }

    /// Takes out the files whose paths are wanted.
    pub(crate) fn take(&mut self, is_wanted: impl Fn(&Path) -> bool) -> Vec<(PathBuf, Box<dyn Source>)> {
        let wanted: Vec<_> = self.files.keys().filter(|path| is_wanted(path)).cloned().collect();
        let opened = wanted.iter().filter_map(|path| Some((path.clone(), self.open(path).ok()?))).collect();
        self.files.retain(|path, _| !wanted.contains(path));
        opened
    }

    /// Returns whether the file of a number is one of them.
    pub(crate) fn has(&self, number: u32) -> bool {
        self.files.values().any(|file| matches!(file, PageFile::Handed(own, _) if *own == number))
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns what was dropped: files and folders that are in no other.
    #[must_use]
    pub fn top(&self) -> Vec<PathBuf> {
        let tops = self.files.keys().filter_map(|path| path.components().next());
        let mut tops: Vec<PathBuf> = tops.map(|first| PathBuf::from(first.as_os_str())).collect();
        tops.dedup();
        tops
    }
}

/// Returns a path, with a number if another file has it: those that are chosen from several folders can have one name.
fn free_path(files: &BTreeMap<PathBuf, PageFile>, path: PathBuf) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    let extension = extension.unwrap_or_default();
    let others = (2_u64..).map(|number| path.with_file_name(format!("{stem} {number}{extension}")));
    let free = std::iter::once(path.clone()).chain(others).find(|path| !files.contains_key(path));
    free.unwrap_or(path)
}

struct FileSource {
    file: u32,
    size: u64,
    read: ReadFile,
    cache: Arc<Mutex<BlockCache>>,
}

impl Source for FileSource {
    fn len(&self) -> u64 {
        self.size
    }

    fn read_at(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        if at.checked_add(out.len() as u64).is_none_or(|end| end > self.size) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.read_at((self.file, self.size), at, out, |at, out| (self.read)(self.file, at, out))
    }
}

impl OpenFile for PageFiles {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        let file = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(match *file {
            PageFile::Handed(file, size) => {
                Box::new(FileSource { file, size, read: self.read, cache: Arc::clone(&self.cache) })
            }
            PageFile::Own(bytes) => Box::new(Memory(bytes)),
        })
    }
}

impl Files for PageFiles {
    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let mut entries: BTreeMap<OsString, FileType> = BTreeMap::new();
        // Paths in a folder follow one another.
        for path in self.files.range(folder.to_owned()..).map(|(path, _)| path) {
            let Ok(below) = path.strip_prefix(folder) else { break };
            let mut parts = below.components();
            let Some(name) = parts.next() else { continue };
            let file_type = if parts.next().is_none() { FileType::File } else { FileType::Folder };
            entries.insert(name.as_os_str().to_owned(), file_type);
        }
        if entries.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(entries.into_iter().map(|(name, file_type)| FolderEntry { name, file_type }).collect())
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        match self.files.get(path) {
            Some(PageFile::Handed(_, size)) => Ok(FileInfo { file_type: FileType::File, size: *size }),
            Some(PageFile::Own(bytes)) => {
                Ok(FileInfo { file_type: FileType::File, size: bytes.len() as u64 })
            }
            None => {
                let mut below = self.files.range(path.to_owned()..).map(|(path, _)| path);
                let is_folder = below.next().is_some_and(|first| first.starts_with(path));
                let folder = FileInfo { file_type: FileType::Folder, size: 0 };
                if is_folder { Ok(folder) } else { Err(io::ErrorKind::NotFound.into()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> PageFiles {
        let entry = |id, path: &str| FileEntry { id, path: path.to_owned(), size: 10 };
        let entries = [entry(0, "Game/Paks/a.pak"), entry(1, "Game/b.uasset"), entry(2, "../c.wav")];
        PageFiles::new(&entries, |file, at, out| {
            out.iter_mut().zip(at..).for_each(|(byte, at)| *byte = (file * 16 + at as u32) as u8);
            Ok(())
        })
    }

    #[test]
    fn what_was_dropped_are_the_files_and_folders_that_are_in_no_other() {
        assert_eq!(files().top(), [PathBuf::from("Game"), PathBuf::from("c.wav")]);
        let names = |folder: &str| -> Vec<_> {
            let entries = files().list(Path::new(folder)).unwrap();
            entries.into_iter().map(|entry| entry.name.into_string().unwrap()).collect()
        };
        assert_eq!(
            (names("Game"), names("Game/Paks")),
            (vec!["Paks".into(), "b.uasset".into()], vec!["a.pak".into()])
        );
        assert!(files().is_folder(Path::new("Game/Paks")) && files().is_file(Path::new("c.wav")));
        assert!(files().list(Path::new("Gam")).is_err() && files().info(Path::new("Gam")).is_err());
    }

    #[test]
    fn files_of_one_name_are_all_kept() {
        let entry = |id, path: &str| FileEntry { id, path: path.to_owned(), size: 10 };
        let files = PageFiles::new(
            &[entry(0, "a.uax"), entry(1, "a.uax"), entry(2, "/a.uax"), entry(3, "b")],
            |_, _, _| Ok(()),
        );
        let names = ["a 2.uax", "a 3.uax", "a.uax", "b"].map(PathBuf::from);
        assert_eq!(files.top(), names);
    }

    #[test]
    fn bytes_are_read_at_their_offset_and_none_past_the_end() {
        let source = files().open(Path::new("Game/b.uasset")).unwrap();
        let mut out = [0; 4];
        source.read_at(6, &mut out).unwrap();
        assert_eq!((source.len(), out), (10, [22, 23, 24, 25]));
        assert_eq!(source.read_at(7, &mut out).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
