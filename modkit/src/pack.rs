//! Files of a folder written into a container.
//!
//! ```text
//! files ──► pipeline: read and compressed side by side ──► pak, or io_store with a pak beside it ──► write_behind
//! ```
//!
//! Memory does not grow with the files, and the same files give the same bytes, on however many threads.

mod container_files;
mod convert;
mod io_store;
mod layout;
mod packed_files;
mod pak;
mod pipeline;
mod write_behind;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;
use std::{fmt, fs, io};

use unreal::ue4to6::convert::{ConvertError, ConvertedObjects};
use unreal::ue4to6::zen::ZenForm;
use unreal::{AssetVersion, FileSource, Memory, Source, WriteError};

pub use container_files::{ContainerFiles, DataFile, DataFiles};
pub(crate) use io_store::known_packages;
pub use io_store::{IoStorePlan, data_file, pack_io_store, plan_io_store, release_of};
pub use layout::{LayoutReport, to_game_layout};
pub use packed_files::{FolderFiles, LinkRemark, files};
pub use pak::pack_pak;

/// A file that becomes an entry.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedFile {
    /// Path on disk; for an entry in memory, its name in messages.
    pub file: PathBuf,
    /// Bytes of an entry in memory.
    pub(crate) bytes: Option<Arc<[u8]>>,
    /// Path of the entry below the mount point, with `/` between folders.
    pub entry: String,
    /// Size of the entry in bytes.
    pub size: u64,
    /// Target of the conversion, if it is a package of files and its entry the chunk of a container; and its version.
    pub(crate) becomes: Option<(ZenForm, AssetVersion)>,
    /// Its objects in the layout of a game, and which part of the package the file is.
    pub(crate) converted: Option<(Arc<ConvertedObjects>, PackagePart)>,
    /// What the file was like when it was found: what is written is to be that.
    pub(crate) found: Option<FileState>,
}

/// Part of a package that a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackagePart {
    Header,
    Objects,
    Whole,
}

/// What tells that a file has changed: its length, and when it was written.
type FileState = (u64, Option<SystemTime>);

/// Without its bytes.
impl fmt::Debug for PackedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, entry, size, becomes, .. } = self;
        let mut debug = f.debug_struct("PackedFile");
        debug.field("file", file).field("entry", entry).field("size", size).field("becomes", becomes).finish()
    }
}

impl PackedFile {
    /// Creates an entry of bytes in memory.
    #[must_use]
    pub fn of_bytes(entry: String, bytes: Vec<u8>) -> Self {
        let (file, size) = (PathBuf::from(&entry), bytes.len() as u64);
        Self { file, bytes: Some(bytes.into()), entry, size, becomes: None, converted: None, found: None }
    }

    /// Returns its bytes, if they are in memory.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// Checks that the file is still as it was when it was found.
    fn check_unchanged(&self) -> Result<(), PackError> {
        let Some(found) = self.found else { return Ok(()) };
        let failed = |error| PackError::Read(self.file.clone(), error);
        let now = packed_files::state(&fs::metadata(&self.file).map_err(failed)?);
        if now == found { Ok(()) } else { Err(PackError::Changed(self.file.clone())) }
    }

    /// Opens the file.
    fn open(&self) -> io::Result<Box<dyn Source>> {
        let stored: Box<dyn Source> = match &self.bytes {
            Some(bytes) => Box::new(Memory(Arc::clone(bytes))),
            None => Box::new(FileSource::open(&self.file)?),
        };
        Ok(match &self.converted {
            None => stored,
            Some((converted, PackagePart::Header)) => Box::new(Memory(converted.header.clone())),
            Some((converted, PackagePart::Objects)) => Box::new(converted.objects(stored)),
            Some((converted, PackagePart::Whole)) => Box::new(converted.whole(stored)),
        })
    }
}

/// Errors of packing files.
#[derive(Debug)]
#[non_exhaustive]
pub enum PackError {
    /// A file or folder cannot be read.
    Read(PathBuf, io::Error),
    /// A file was written to while it was packed.
    Changed(PathBuf),
    /// The name of a file is no Unicode, so it cannot be stored.
    Name(PathBuf),
    /// A package cannot be read.
    Package(PathBuf, unreal::Error),
    /// A package of files does not become one of a container.
    Convert(PathBuf, ConvertError),
    /// A package is of other releases than the container.
    Release(PathBuf, String),
    /// Data has no package beside it.
    NoPackage(PathBuf),
    /// Only the game says what a package needs.
    NeedsGame(PathBuf),
    /// Two packages have one name.
    SamePackage(String),
    /// The container cannot hold it, or not be written.
    Write(WriteError),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::Changed(path) => write!(f, "{} has changed while it was packed", path.display()),
            Self::Name(path) => write!(f, "{} has a name that cannot be stored", path.display()),
            Self::Package(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Convert(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Release(path, releases) => {
                let path = path.display();
                write!(f, "{path} is of Unreal Engine {releases}, its container of another release")
            }
            Self::NoPackage(path) => write!(f, "{} has no package beside it", path.display()),
            Self::NeedsGame(path) => {
                write!(f, "{} does not say which packages it needs; its game does", path.display())
            }
            Self::SamePackage(name) => write!(f, "two packages are called {name}"),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PackError {}

impl From<WriteError> for PackError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}
