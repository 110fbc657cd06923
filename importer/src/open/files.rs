//! Where files are: on a disk, or in memory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use unreal::containers::OpenFile;
use unreal::{Memory, Source};

/// What something in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link to either of them.
    Link,
    /// A pipe, a device or the like.
    Other,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name, without the folder.
    pub name: OsString,
    /// What it is itself.
    pub file_type: FileType,
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// What it is; of a link, what it leads to.
    pub file_type: FileType,
    /// Size in bytes.
    pub size: u64,
}

/// A file system, as far as sounds are found in it.
pub trait Files: OpenFile {
    /// Lists a folder in any order.
    ///
    /// # Errors
    /// Those of the system.
    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>>;

    /// Returns what is at a path, links followed.
    ///
    /// # Errors
    /// Those of the system; `NotFound` if nothing is there.
    fn info(&self, path: &Path) -> io::Result<FileInfo>;

    /// Opens what a user has named: also a pipe, whose bytes are held in memory.
    ///
    /// # Errors
    /// As [`OpenFile::open`], and if a pipe gives too much.
    fn open_input(&self, path: &Path) -> io::Result<Arc<dyn Source>> {
        Ok(self.open(path)?.into())
    }

    /// Returns the path from the root on without links, or the path itself if there is no such path.
    fn resolve(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// Returns whether a regular file is at a path, links followed.
    fn is_file(&self, path: &Path) -> bool {
        self.info(path).is_ok_and(|info| info.file_type == FileType::File)
    }

    /// Returns whether a folder is at a path, links followed.
    fn is_folder(&self, path: &Path) -> bool {
        self.info(path).is_ok_and(|info| info.file_type == FileType::Folder)
    }
}

/// Files in memory by their paths, with `/` or the system's separator between the parts.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles(BTreeMap<PathBuf, Arc<[u8]>>);

impl<P: Into<PathBuf>, B: Into<Arc<[u8]>>> FromIterator<(P, B)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Self {
        Self(files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect())
    }
}

impl OpenFile for MemoryFiles {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Memory(Arc::clone(bytes))))
    }
}

impl Files for MemoryFiles {
    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let mut entries: BTreeMap<OsString, FileType> = BTreeMap::new();
        for path in self.0.keys() {
            let Ok(below) = path.strip_prefix(folder) else { continue };
            let mut parts = below.components();
            let Some(name) = parts.next() else { continue };
            let is_file = parts.next().is_none();
            entries
                .insert(name.as_os_str().to_owned(), if is_file { FileType::File } else { FileType::Folder });
        }
        if entries.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(entries.into_iter().map(|(name, file_type)| FolderEntry { name, file_type }).collect())
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        if let Some(bytes) = self.0.get(path) {
            let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            return Ok(FileInfo { file_type: FileType::File, size });
        }
        self.list(path).map(|_| FileInfo { file_type: FileType::Folder, size: 0 })
    }
}

#[cfg(any(unix, windows))]
pub use disk::Disk;

#[cfg(any(unix, windows))]
mod disk {
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use unreal::{FileSource, Source};

    use super::{FileInfo, FileType, Files, FolderEntry, OpenFile};
    use crate::open::read_stream;

    /// The files of the system.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Disk;

    impl From<fs::FileType> for FileType {
        fn from(file_type: fs::FileType) -> Self {
            match () {
                () if file_type.is_file() => Self::File,
                () if file_type.is_dir() => Self::Folder,
                () if file_type.is_symlink() => Self::Link,
                () => Self::Other,
            }
        }
    }

    impl OpenFile for Disk {
        fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
            Ok(Box::new(FileSource::open(path)?))
        }
    }

    impl Files for Disk {
        fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
            let entry = |entry: io::Result<fs::DirEntry>| {
                let entry = entry?;
                Ok(FolderEntry { name: entry.file_name(), file_type: entry.file_type()?.into() })
            };
            fs::read_dir(folder)?.map(entry).collect()
        }

        fn info(&self, path: &Path) -> io::Result<FileInfo> {
            let metadata = fs::metadata(path)?;
            Ok(FileInfo { file_type: metadata.file_type().into(), size: metadata.len() })
        }

        fn open_input(&self, path: &Path) -> io::Result<Arc<dyn Source>> {
            let file = File::open(path)?;
            let kind = file.metadata()?.file_type();
            if kind.is_file() || kind.is_dir() {
                Ok(Arc::new(FileSource::new(file)?))
            } else {
                read_stream(file)
            }
        }

        fn resolve(&self, path: &Path) -> PathBuf {
            path.canonicalize().unwrap_or_else(|_| path.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_are_listed_as_folders() {
        let files: MemoryFiles =
            [("Game/Paks/A.pak", &b"a"[..]), ("Game/B.uasset", b"bc")].into_iter().collect();
        let list = |folder: &str| -> Vec<_> {
            let entries = files.list(Path::new(folder)).unwrap();
            entries.into_iter().map(|entry| (entry.name.into_string().unwrap(), entry.file_type)).collect()
        };
        assert_eq!(
            list("Game"),
            [("B.uasset".to_owned(), FileType::File), ("Paks".to_owned(), FileType::Folder)]
        );
        assert_eq!(list("Game/Paks").len(), 1);
        assert!(files.is_folder(Path::new("Game/Paks")) && files.is_file(Path::new("Game/B.uasset")));
        assert_eq!(files.info(Path::new("Game/B.uasset")).unwrap().size, 2);
        for missing in ["Game/C.uasset", "Gam", "Game/B.uasset/x"] {
            assert_eq!(
                files.info(Path::new(missing)).unwrap_err().kind(),
                io::ErrorKind::NotFound,
                "{missing}"
            );
        }
        assert_eq!(files.open(Path::new("Game/B.uasset")).unwrap().len(), 2);
        assert!(files.open(Path::new("Game")).is_err());
    }
}
