//! `IoStore` containers: a table of contents, and the data of its chunks in one or more files.
//!
//! ```text
//! .utoc                                          .ucas, _s1.ucas …
//! id ──► offset, length ──► blocks ──────────────► │ stored ░│ stored │ …
//! path ──► id
//! ```
//!
//! Source: *packages-ue4-ue6*, §4: tables of versions 8 and 10, measured.

mod block_table;
mod chunk_id;
mod directory;
mod header;
mod name_batch;
mod perfect_hash;
mod script_objects;
mod toc;
mod version;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use super::blocks::{Blocks, EntrySource, StoredBlock};
use super::{EntryInfo, Hash, hash_of};
use crate::crypt::KeyRing;
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::package::Guid;
use crate::source::Source;
use block_table::BlockSums;
pub use chunk_id::{ChunkId, ChunkType};
pub use script_objects::{ScriptObject, script_objects};
use toc::Toc;
pub use version::TocVersion;

const WHAT: &str = "chunk";

/// An open `IoStore` container.
pub struct IoStore {
    toc: Toc,
    /// Its data; none where a file is not there.
    partitions: Vec<Option<Box<dyn Source>>>,
    sums: OnceLock<BlockSums>,
    overlapping: OnceLock<BTreeSet<u64>>,
}

impl IoStore {
    /// Opens a container: reads its table of contents. `partitions` are its files of data in their order; one that is
    /// not there is needed only by the chunks in it.
    ///
    /// # Errors
    /// If the table is none, contradicts itself, takes more than the limits allow, or no key opens it.
    pub fn open(
        toc: &dyn Source,
        partitions: Vec<Option<Box<dyn Source>>>,
        keys: &KeyRing,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let toc = Toc::read(toc, keys, limits)?;
        Ok(Self { toc, partitions, sums: OnceLock::new(), overlapping: OnceLock::new() })
    }

    /// Returns whether a source begins as a table of contents does.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_toc(source: &dyn Source) -> Result<bool, Error> {
        let mut magic = [0; 16];
        let is_long = source.len() >= header::SIZE;
        if is_long {
            source.read_at(0, &mut magic).map_err(|error| Error::from_io(error, 0, WHAT))?;
        }
        Ok(is_long && magic == header::MAGIC)
    }

    /// Returns whether the first bytes of a file are those of a table of contents.
    #[must_use]
    pub fn is_head(head: &[u8]) -> bool {
        head.starts_with(&header::MAGIC)
    }

    /// Returns how many files of data a table of contents asks for.
    ///
    /// # Errors
    /// If it is none, or of a version that is not known.
    pub fn partition_count(toc: &dyn Source) -> Result<u32, Error> {
        let mut reader = crate::reader::Reader::new(toc, "table of contents", 0, toc.len());
        let header = header::TocHeader::read(&mut reader)?;
        // A file for each is looked for, and each block lies in one.
        Ok(header.partitions.min(header.blocks.max(1)))
    }

    /// Returns its version.
    #[must_use]
    pub const fn version(&self) -> TocVersion {
        self.toc.header.version
    }

    /// Returns where its files are mounted, as it says; empty if it says nothing.
    #[must_use]
    pub fn mount(&self) -> &str {
        &self.toc.mount
    }

    /// Returns the number of the container: a hash of its name.
    #[must_use]
    pub const fn id(&self) -> u64 {
        self.toc.header.container
    }

    /// Returns the identifier of the key that it is encrypted with.
    #[must_use]
    pub const fn key_guid(&self) -> Guid {
        self.toc.header.key
    }

    /// Returns where its table ends as it was read.
    #[must_use]
    pub const fn table_end(&self) -> u64 {
        self.toc.end
    }

    /// Returns what a chunk is called.
    #[must_use]
    pub fn chunk_id(&self, number: usize) -> Option<ChunkId> {
        self.toc.id(number as u64)
    }

    /// Returns what a chunk is.
    #[must_use]
    pub fn chunk_type(&self, number: usize) -> Option<ChunkType> {
        self.chunk_id(number).map(|id| id.kind(self.toc.header.layout.types))
    }

    /// Returns which chunk has an identifier.
    #[must_use]
    pub fn find(&self, id: ChunkId) -> Option<usize> {
        self.toc.find(id).and_then(|number| usize::try_from(number).ok())
    }

    pub(super) fn len(&self) -> usize {
        self.toc.len()
    }

    pub(super) fn file_len(&self) -> u64 {
        let lengths = self.partitions.iter().flatten().map(|file| file.len());
        lengths.fold(0, u64::saturating_add)
    }

    pub(super) fn path(&self, number: usize) -> Option<&str> {
        self.toc.paths.get(number).and_then(Option::as_deref)
    }

    pub(super) fn info(&self, number: usize) -> Result<EntryInfo<'_>, Error> {
        let blocks = ChunkBlocks::of(&self.toc, number as u64)?;
        let sums = self.sums.get_or_init(|| BlockSums::new(&self.toc));
        Ok(EntryInfo {
            place: blocks.offset..blocks.offset.saturating_add(blocks.length),
            size: blocks.length,
            stored: sums.stored(blocks.first, blocks.end()),
            compression: sums.method(&self.toc, blocks.first, blocks.end()),
            is_encrypted: self.toc.header.is_encrypted,
            hash: self.toc.hash(number as u64).map(Hash::Blake3),
        })
    }

    pub(super) fn open_entry(&self, number: usize) -> Result<Box<dyn Source + '_>, Error> {
        let blocks = ChunkBlocks::of(&self.toc, number as u64)?;
        Ok(Box::new(EntrySource::new(&self.partitions, blocks, self.toc.key.as_ref(), WHAT)))
    }

    /// Compares what a chunk becomes with its hash, and its blocks with theirs.
    pub(super) fn verify(&self, number: usize) -> Result<(), Error> {
        let blocks = ChunkBlocks::of(&self.toc, number as u64)?;
        let at = blocks.offset;
        let overlapping = self.overlapping.get_or_init(|| block_table::overlapping(&self.toc));
        if let Some(number) = overlapping.range(blocks.first..blocks.end()).next() {
            let at = self.toc.block(*number)?.offset;
            return Err(Error::malformed(Malformed::Overlap, at, "block of a chunk"));
        }
        for place in blocks.first..blocks.end() {
            let Some(stated) = self.toc.signature(place) else { break };
            let StoredBlock { part, offset, stored, cipher, .. } = self.toc.block(place)?;
            let stored = if cipher.is_some() { super::blocks::padded(stored) } else { stored };
            let missing = || Error::malformed(Malformed::NoPartition(part), offset, WHAT);
            let file = self.partitions.get(part).and_then(Option::as_deref).ok_or_else(missing)?;
            if hash_of(file, offset, stored, WHAT, super::sha1_hasher())? != stated {
                return Err(Error::malformed(Malformed::Hash, offset, "block of a chunk"));
            }
        }
        let source = self.open_entry(number)?;
        let hash = hash_of(&*source, 0, source.len(), WHAT, blake3::Hasher::new())?;
        match self.toc.hash(number as u64) {
            Some(stated) if stated != hash => Err(Error::malformed(Malformed::Hash, at, WHAT)),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for IoStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an IoStore container of {} chunks", self.len())
    }
}

/// The blocks of a chunk.
struct ChunkBlocks<'t> {
    toc: &'t Toc,
    offset: u64,
    length: u64,
    /// The first of the container's blocks.
    first: u64,
    size: u64,
}

impl<'t> ChunkBlocks<'t> {
    fn of(toc: &'t Toc, number: u64) -> Result<Self, Error> {
        let (offset, length) = toc.range(number)?;
        let size = u64::from(toc.header.block_size).max(1);
        let first = offset.checked_div(size).unwrap_or_default();
        if !offset.is_multiple_of(size) {
            return Err(Error::malformed(Malformed::BlockPlace, offset, WHAT));
        }
        let blocks = Self { toc, offset, length, first, size };
        if blocks.end() > u64::from(toc.header.blocks) {
            let needed = blocks.end();
            let fault = Malformed::BlockCount { blocks: toc.header.blocks.into(), needed };
            return Err(Error::malformed(fault, offset, WHAT));
        }
        Ok(blocks)
    }

    /// Returns the number of the block after its last.
    fn end(&self) -> u64 {
        self.first.saturating_add(self.length.div_ceil(self.size))
    }
}

impl Blocks for ChunkBlocks<'_> {
    fn len(&self) -> u64 {
        self.length
    }

    fn block_size(&self) -> u64 {
        self.size
    }

    fn block(&self, number: u64) -> Result<StoredBlock, Error> {
        let block = self.toc.block(self.first.saturating_add(number))?;
        let needed = self.length.saturating_sub(number.saturating_mul(self.size)).min(self.size);
        if block.size < needed || block.size > self.size {
            let fault = Malformed::StoredSize { stored: block.size, size: needed };
            return Err(Error::malformed(fault, block.offset, WHAT));
        }
        Ok(block)
    }
}
