//! Containers of Unreal Engine 4 to 6: many files in one, or in a few.
//!
//! ```text
//! Container ─┬─ Pak      .pak                    entries with paths
//!            └─ IoStore  .utoc + .ucas …         chunks with ids, most of them with paths
//!
//! entry ──► blocks ──► decrypt ──► decompress ──► Source
//! ```
//!
//! Tables are read when a container is opened; the bytes of entries when they are asked for, block by block.

mod folder;
pub mod iostore;
pub mod mount;
pub mod pak;
mod shares;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::base::crypt::{GameCipher, KeyRing};
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::path::EntryPath;
use crate::base::source::Source;
pub use folder::{Folder, FolderFile, OpenFile};
pub use iostore::{
    ChunkId, ChunkType, ContainerHeader, ContainerHeaderVersion, IoStore, PackageEntry, PackageRedirect,
};
pub use pak::Pak;
pub use shares::{Shares, shares};

/// An open container.
#[derive(Debug)]
#[non_exhaustive]
pub enum Container {
    /// A pak file.
    Pak(Box<Pak>),
    /// A table of contents and its data.
    IoStore(IoStore),
    /// Files that are in none.
    Folder(Folder),
}

/// Extent, sizes and coding of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryInfo<'c> {
    /// Offsets of its bytes in the pak, or in the uncompressed blocks of an `IoStore` container. Entries with the same
    /// bytes may share an extent; extents that overlap in part are malformed.
    pub extent: Range<u64>,
    /// Uncompressed size in bytes.
    pub size: u64,
    /// Stored size in bytes.
    pub stored: u64,
    /// Name of the compression method; none if the entry is not compressed.
    pub compression: Option<&'c str>,
    /// True if the entry is encrypted.
    pub is_encrypted: bool,
    /// The game whose own cipher the entry is encrypted with; none if that is the engine's.
    pub cipher: Option<GameCipher>,
}

/// The hash of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hash {
    /// SHA-1 of its stored bytes.
    Sha1([u8; 20]),
    /// The first bytes of the BLAKE3 of what it becomes.
    Blake3([u8; 20]),
}

/// Bytes of an entry that its hash is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HashedBytes {
    /// No hash is stated.
    None,
    /// Its bytes as they are stored: cipher text if it is encrypted.
    Stored,
    /// Its stored bytes as they are before encryption.
    Decrypted,
    /// Its bytes before compression and encryption.
    Uncompressed,
}

/// A name and its digits, as `sha1:da39…`.
impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, bytes) = match self {
            Self::Sha1(bytes) => ("sha1", bytes),
            Self::Blake3(bytes) => ("blake3", bytes),
        };
        write!(f, "{name}:")?;
        bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Container {
    /// Returns whether a source ends as a pak does.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_pak(source: &dyn Source) -> Result<bool, Error> {
        pak::is_pak(source)
    }

    /// Opens a pak.
    ///
    /// # Errors
    /// As [`Pak::open`].
    pub fn open_pak(source: Box<dyn Source>, keys: &KeyRing, limits: &mut Limits) -> Result<Self, Error> {
        Pak::open(source, keys, limits).map(|pak| Self::Pak(Box::new(pak)))
    }

    /// Returns the game whose own cipher it is encrypted with; none if that is the engine's, or it is not encrypted.
    #[must_use]
    pub const fn cipher(&self) -> Option<GameCipher> {
        match self {
            Self::Pak(pak) => pak.cipher(),
            Self::IoStore(_) | Self::Folder(_) => None,
        }
    }

    /// Returns how many entries it has.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Pak(pak) => pak.len(),
            Self::IoStore(store) => store.len(),
            Self::Folder(folder) => folder.len(),
        }
    }

    /// Returns whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes of its data, on disk.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        match self {
            Self::Pak(pak) => pak.file_len(),
            Self::IoStore(store) => store.file_len(),
            Self::Folder(folder) => folder.file_len(),
        }
    }

    /// Returns what it says of an entry.
    ///
    /// # Errors
    /// If that contradicts itself, or there is no such entry.
    pub fn info(&self, number: usize) -> Result<EntryInfo<'_>, Error> {
        match self {
            Self::Pak(pak) => pak.info(number),
            Self::IoStore(store) => store.info(number),
            Self::Folder(folder) => folder.info(number),
        }
    }

    /// Returns the extent of an entry, as [`EntryInfo::extent`] does.
    fn extent(&self, number: usize) -> Result<Range<u64>, Error> {
        match self {
            Self::IoStore(store) => store.extent(number),
            Self::Pak(_) | Self::Folder(_) => self.info(number).map(|info| info.extent),
        }
    }

    /// Returns the hash that is stated for an entry in the index of its container; some state one only beside the
    /// bytes.
    ///
    /// # Errors
    /// If it cannot be read, or there is no such entry.
    pub fn hash(&self, number: usize) -> Result<Option<Hash>, Error> {
        match self {
            Self::Pak(pak) => pak.hash(number),
            Self::IoStore(store) => store.hash(number),
            Self::Folder(_) => Ok(None),
        }
    }

    /// Returns the path of an entry below the root; none if nothing says so, or there is no such entry.
    #[must_use]
    pub fn path(&self, number: usize) -> Option<Cow<'_, str>> {
        match self {
            Self::Pak(pak) => pak.path(number).map(Cow::Borrowed),
            Self::IoStore(store) => store.path(number).map(EntryPath::joined),
            Self::Folder(folder) => folder.path(number).map(Cow::Borrowed),
        }
    }

    /// Returns the path of an entry in its parts.
    fn entry_path(&self, number: usize) -> Option<EntryPath<'_>> {
        match self {
            Self::Pak(pak) => pak.path(number).map(EntryPath::of),
            Self::IoStore(store) => store.path(number),
            Self::Folder(folder) => folder.path(number).map(EntryPath::of),
        }
    }

    /// Returns what an entry is listed under: its path, or its identifier if nothing says where it lies.
    #[must_use]
    pub fn label(&self, number: usize) -> String {
        let identifier = || self.chunk_id(number).map_or_else(String::new, |id| id.to_string());
        self.path(number).map_or_else(identifier, Cow::into_owned)
    }

    /// Returns what an entry is called where entries have identifiers.
    #[must_use]
    pub fn chunk_id(&self, number: usize) -> Option<ChunkId> {
        match self {
            Self::Pak(_) | Self::Folder(_) => None,
            Self::IoStore(store) => store.chunk_id(number),
        }
    }

    /// Returns what an entry is, where entries have identifiers.
    #[must_use]
    pub fn chunk_type(&self, number: usize) -> Option<ChunkType> {
        match self {
            Self::Pak(_) | Self::Folder(_) => None,
            Self::IoStore(store) => store.chunk_type(number),
        }
    }

    /// Opens an entry: its bytes, decrypted and decompressed as they are read.
    ///
    /// # Errors
    /// If there is no such entry, or what is said of it contradicts itself. Reading from it may fail for the same
    /// reasons, and where no key fits.
    pub fn open(&self, number: usize) -> Result<Box<dyn Source>, Error> {
        match self {
            Self::Pak(pak) => pak.open_entry(number),
            Self::IoStore(store) => store.open_entry(number),
            Self::Folder(folder) => folder.open_entry(number),
        }
    }

    /// Compares an entry with every size and hash that is stated for it, and reads all of it. Returns of which bytes
    /// the hash is.
    ///
    /// # Errors
    /// What does not agree first.
    pub fn verify(&self, number: usize) -> Result<HashedBytes, Error> {
        let hashed = match self {
            Self::Pak(pak) => pak.verify(number)?,
            // Its hash is of all that it becomes.
            Self::IoStore(store) => return store.verify(number).map(|()| HashedBytes::Uncompressed),
            Self::Folder(_) => HashedBytes::None,
        };
        let source = self.open(number)?;
        hash_of(&*source, 0, source.len(), "entry", Ignored).map(|_| hashed)
    }

    /// Compares its own tables with the hashes that are stated for them, and with what is there; returns what differs.
    #[must_use]
    pub fn verify_tables(&self) -> Vec<Error> {
        match self {
            Self::Pak(pak) => pak.verify_index(),
            Self::IoStore(store) => store.verify_header(),
            Self::Folder(_) => Vec::new(),
        }
    }
}

/// Computes a hash.
trait Hasher {
    fn update(&mut self, bytes: &[u8]);
    /// The hash, or its first bytes.
    fn finish(self) -> [u8; 20];
}

impl Hasher for sha1::Sha1 {
    fn update(&mut self, bytes: &[u8]) {
        sha1::Digest::update(self, bytes);
    }

    fn finish(self) -> [u8; 20] {
        sha1::Digest::finalize(self).into()
    }
}

impl Hasher for blake3::Hasher {
    fn update(&mut self, bytes: &[u8]) {
        Self::update(self, bytes);
    }

    fn finish(self) -> [u8; 20] {
        self.finalize().as_bytes().first_chunk().copied().unwrap_or_default()
    }
}

/// Returns the SHA-1 of bytes.
fn sha1_of(bytes: &[u8]) -> [u8; 20] {
    let mut hasher = sha1_hasher();
    hasher.update(bytes);
    hasher.finish()
}

/// Returns what computes a SHA-1.
fn sha1_hasher() -> sha1::Sha1 {
    sha1::Digest::new()
}

/// For what has to be read, but has no hash.
struct Ignored;

impl Hasher for Ignored {
    fn update(&mut self, _bytes: &[u8]) {}

    fn finish(self) -> [u8; 20] {
        [0; 20]
    }
}

/// Returns the hash of a part of a source, read piece by piece.
fn hash_of(
    source: &dyn Source,
    from: u64,
    length: u64,
    what: &'static str,
    mut hasher: impl Hasher,
) -> Result<[u8; 20], Error> {
    const PIECE: u64 = 256 << 10;
    let mut piece = vec![0; usize::try_from(PIECE.min(length)).unwrap_or(usize::MAX)];
    let mut done = 0_u64;
    while done < length {
        let now = usize::try_from(length.saturating_sub(done)).unwrap_or(usize::MAX).min(piece.len());
        let at = from.saturating_add(done);
        let bytes = piece.get_mut(..now).unwrap_or_default();
        source.read_at(at, bytes).map_err(|error| Error::from_io(error, at, what))?;
        hasher.update(bytes);
        done = done.saturating_add(now as u64);
    }
    Ok(hasher.finish())
}
