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
mod chunk_blocks;
mod chunk_id;
mod container_header;
mod directory;
mod fixed_rows;
mod header;
mod paths;
mod perfect_hash;
mod toc;
pub(crate) mod version;
mod writer;
mod written_chunk;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::{EntryInfo, Hash, hash_of};
use crate::base::blocks::{EntrySource, SharedFiles, StoredBlock};
use crate::base::crypt::{AesKey, KeyRing};
use crate::base::error::{Error, Malformed};
use crate::base::guid::Guid;
use crate::base::limits::Limits;
use crate::base::path::EntryPath;
use crate::base::reader::Reader;
use crate::base::source::Source;
use block_table::BlockSums;
use chunk_blocks::ChunkBlocks;
pub use chunk_id::{ChunkId, ChunkType};
pub use container_header::{ContainerHeader, PackageEntry, PackageRedirect};
use paths::Paths;
use toc::{Directory, Toc};
pub(crate) use version::ChunkTypes;
pub use version::{ContainerHeaderVersion, TocVersion};
pub use writer::{BLOCK_SIZE, IoStoreEncryption, IoStoreOptions, IoStoreWriter};

const WHAT: &str = "chunk";

/// An open `IoStore` container.
pub struct IoStore {
    toc: Arc<Toc>,
    paths: Box<Paths>,
    key: Option<Arc<AesKey>>,
    /// Its data.
    partitions: SharedFiles,
    sums: OnceLock<BlockSums>,
    overlapping: OnceLock<BTreeSet<u64>>,
}

impl IoStore {
    /// Opens a container: reads its table of contents. `partitions` are its files of data in their order; one that is
    /// not there is needed only by the chunks in it.
    ///
    /// # Errors
    /// If the table is none, contradicts itself, no key opens it, or it takes more than the limits allow or than its
    /// file is worth ([`Limits::worth`]).
    pub fn open(
        toc: Box<dyn Source>,
        partitions: Vec<Option<Box<dyn Source>>>,
        keys: &KeyRing,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let worth = Limits::worth(toc.len());
        let (toc, Directory { paths, key, has_chosen_any }) =
            limits.within(worth, |limits| Toc::read(toc, keys, limits))?;
        let mut store = Self {
            toc: Arc::new(toc),
            paths,
            key: key.map(Arc::new),
            partitions: partitions.into(),
            sums: OnceLock::new(),
            overlapping: OnceLock::new(),
        };
        if store.toc.header.is_encrypted && has_chosen_any {
            store.choose_key(keys);
        }
        Ok(store)
    }

    /// Chooses the key of a container whose table nothing says about it: the first one with which the smallest of its
    /// chunks has the hash that is stated for it.
    fn choose_key(&mut self, keys: &KeyRing) {
        let range = |number: &usize| self.toc.range(*number as u64).ok().filter(|(_, length)| *length > 0);
        let length = |number: &usize| range(number).map_or(u64::MAX, |(_, length)| length);
        let Some(smallest) = (0..self.len()).min_by_key(length) else { return };
        let Ok(stated) = self.toc.hash(smallest as u64) else { return };
        for key in keys.for_container(self.toc.header.key) {
            self.key = Some(Arc::new(key.clone()));
            let chunk = self.open_entry(smallest);
            let hash = chunk.and_then(|chunk| hash_of(&*chunk, 0, chunk.len(), WHAT, blake3::Hasher::new()));
            if hash.is_ok_and(|hash| stated.is_none_or(|stated| stated == hash)) {
                return;
            }
        }
        // None fits; with the first one this is what reading says.
        self.key = keys.for_container(self.toc.header.key).next().cloned().map(Arc::new);
    }

    /// Returns whether a source begins as a table of contents does.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_toc(source: &dyn Source) -> Result<bool, Error> {
        let mut magic = [0; header::MAGIC.len()];
        if source.len() < magic.len() as u64 {
            return Ok(false);
        }
        source.read_at(0, &mut magic).map_err(|error| Error::from_io(error, 0, WHAT))?;
        Ok(magic == header::MAGIC)
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
        let mut reader = Reader::new(toc, "table of contents", 0, toc.len());
        let header = header::TocHeader::read(&mut reader)?;
        // A file for each is looked for, and each block lies in one.
        Ok(header.partitions.min(header.blocks.max(1)))
    }

    /// Returns its version.
    #[must_use]
    pub fn version(&self) -> TocVersion {
        self.toc.header.version
    }

    /// Returns where its files are mounted, as it says; empty if it says nothing.
    #[must_use]
    pub fn mount(&self) -> &str {
        &self.toc.mount
    }

    /// Returns the number of the container: a hash of its name.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.toc.header.container
    }

    /// Returns the identifier of the key that it is encrypted with.
    #[must_use]
    pub fn key_guid(&self) -> Guid {
        self.toc.header.key
    }

    /// Returns where its table ends as it was read.
    #[must_use]
    pub fn table_end(&self) -> u64 {
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

    /// Returns how it numbers types of chunks.
    pub(crate) fn chunk_types(&self) -> ChunkTypes {
        self.toc.header.layout.types
    }

    /// Returns which chunk has an identifier.
    #[must_use]
    pub fn find(&self, id: ChunkId) -> Option<usize> {
        self.toc.find(id).and_then(|number| usize::try_from(number).ok())
    }

    /// Returns the packages without a path, those left out that lie within other chunks.
    #[must_use]
    pub fn unnamed_packages(&self) -> Vec<usize> {
        let is_unnamed = |number: &usize| {
            self.path(*number).is_none() && self.chunk_type(*number) == Some(ChunkType::ExportBundleData)
        };
        let blocks =
            |number| ChunkBlocks::of(&*self.toc, number as u64).ok().filter(|blocks| blocks.length > 0);
        let unnamed = (0..self.len()).filter(is_unnamed);
        let mut unnamed: Vec<_> =
            unnamed.filter_map(|number| blocks(number).map(|b| (b.first, b.end(), number))).collect();
        unnamed.sort_unstable();
        let overlapping = self.overlapping();
        let mut free = 0;
        unnamed.retain(|(first, end, _)| {
            let is_apart = *first >= free && overlapping.range(*first..*end).next().is_none();
            free = free.max(*end);
            is_apart
        });
        unnamed.into_iter().map(|(.., number)| number).collect()
    }

    /// Sets paths of packages; their data, which has the same numbers, comes to lie beside them.
    ///
    /// # Errors
    /// If they take more than the limits allow.
    pub fn set_package_paths(&mut self, paths: &[(usize, String)], limits: &mut Limits) -> Result<(), Error> {
        let by_number =
            paths.iter().filter_map(|(number, path)| Some((self.chunk_id(*number)?.number(), path)));
        let by_number: HashMap<u64, &String> = by_number.collect();
        let types = self.toc.header.layout.types;
        let toc = &self.toc;
        let path = |number: usize| {
            let id = toc.id(number as u64)?;
            let path = by_number.get(&id.number())?;
            let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
            Some(match id.kind(types).extension()? {
                "uasset" if id.index() == 0 => path.to_string(),
                // What need not be there is counted.
                extension if id.index() > 0 => format!("{stem}.{}.{extension}", id.index()),
                extension => format!("{stem}.{extension}"),
            })
        };
        self.paths.set_missing(toc.len(), path, limits)
    }

    /// Returns the first chunk of a type.
    pub(crate) fn first(&self, wanted: ChunkType) -> Option<usize> {
        (0..self.len()).find(|number| self.chunk_type(*number) == Some(wanted))
    }

    /// Reads the header of the container; none if it has none, as those without packages.
    ///
    /// # Errors
    /// As [`ContainerHeader::read`], and if its chunk cannot be read.
    pub fn header(&self, limits: &mut Limits) -> Result<Option<ContainerHeader>, Error> {
        let Some(number) = self.first(ChunkType::ContainerHeader) else { return Ok(None) };
        let chunk = self.open_entry(number)?;
        let most = self.worth([number])?;
        limits.within(most, |limits| ContainerHeader::read(&*chunk, limits)).map(Some)
    }

    /// Returns the bytes that structures of chunks may take, by what is stored of them: a few bytes may be inflated to
    /// any number.
    pub(crate) fn worth<const N: usize>(&self, chunks: [usize; N]) -> Result<u64, Error> {
        let stored = chunks
            .into_iter()
            .try_fold(0_u64, |sum, number| Ok::<_, Error>(sum.saturating_add(self.info(number)?.stored)))?;
        Ok(Limits::expanded(stored, Limits::EXPANSION))
    }

    /// Compares the header of the container with the packages that are in it; returns what differs.
    pub(super) fn verify_header(&self) -> Vec<Error> {
        const WHAT: &str = "container header";
        // There is nothing else yet.
        let header = match self.header(&mut Limits::with_structures(u64::MAX)) {
            Ok(Some(header)) => header,
            Ok(None) => return Vec::new(),
            Err(error) => return vec![error],
        };
        let listed: BTreeSet<u64> =
            header.packages.iter().chain(&header.optional).map(|entry| entry.id).collect();
        let is_package = |number: &usize| self.chunk_type(*number) == Some(ChunkType::ExportBundleData);
        let numbers = (0..self.len()).filter(is_package).filter_map(|number| self.chunk_id(number));
        let there: BTreeSet<u64> = numbers.map(ChunkId::number).collect();
        let fault = |fault| Error::malformed(fault, 0, WHAT);
        let other = (header.container != self.id()).then_some(Malformed::OtherContainer(header.container));
        // Optional parts lie in a container of their own.
        let needed: BTreeSet<u64> = header.packages.iter().map(|entry| entry.id).collect();
        let missing = needed.difference(&there).map(|id| Malformed::PackageMissing(*id));
        let unlisted = there.difference(&listed).map(|id| Malformed::PackageNotListed(*id));
        other.into_iter().chain(missing).chain(unlisted).map(fault).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.toc.len()
    }

    pub(super) fn file_len(&self) -> u64 {
        let lengths = self.partitions.iter().flatten().map(Source::len);
        lengths.fold(0, u64::saturating_add)
    }

    pub(super) fn path(&self, number: usize) -> Option<EntryPath<'_>> {
        self.paths.get(number)
    }

    pub(super) fn info(&self, number: usize) -> Result<EntryInfo<'_>, Error> {
        let blocks = ChunkBlocks::of(&*self.toc, number as u64)?;
        let sums = self.sums.get_or_init(|| BlockSums::new(&self.toc));
        Ok(EntryInfo {
            extent: blocks.extent(),
            size: blocks.length,
            stored: sums.stored(&self.toc, blocks.first, blocks.end()),
            compression: sums.method(&self.toc, blocks.first, blocks.end()),
            is_encrypted: self.toc.header.is_encrypted,
            cipher: None,
        })
    }

    pub(super) fn extent(&self, number: usize) -> Result<Range<u64>, Error> {
        Ok(ChunkBlocks::of(&*self.toc, number as u64)?.extent())
    }

    pub(super) fn hash(&self, number: usize) -> Result<Option<Hash>, Error> {
        Ok(self.toc.hash(number as u64)?.map(Hash::Blake3))
    }

    pub(crate) fn open_entry(&self, number: usize) -> Result<Box<dyn Source>, Error> {
        let blocks = ChunkBlocks::of(Arc::clone(&self.toc), number as u64)?;
        if let Some(number) = self.overlapping().range(blocks.first..blocks.end()).next() {
            let at = self.toc.block(*number)?.offset;
            return Err(Error::malformed(Malformed::Overlap, at, "block of a chunk"));
        }
        Ok(Box::new(EntrySource::new(Arc::clone(&self.partitions), blocks, self.key.clone(), WHAT)))
    }

    /// Returns the blocks that lie within others.
    fn overlapping(&self) -> &BTreeSet<u64> {
        self.overlapping.get_or_init(|| block_table::overlapping(&self.toc))
    }

    /// Compares what a chunk becomes with its hash, and its blocks with theirs.
    pub(super) fn verify(&self, number: usize) -> Result<(), Error> {
        let blocks = ChunkBlocks::of(&*self.toc, number as u64)?;
        let at = blocks.offset;
        let source = self.open_entry(number)?;
        for place in blocks.first..blocks.end() {
            let Some(stated) = self.toc.signature(place)? else { break };
            let block = self.toc.block(place)?;
            let (StoredBlock { part, offset, .. }, stored) = (block, block.on_disk());
            let missing = || Error::malformed(Malformed::NoPartition(part), offset, WHAT);
            let file = self.partitions.get(part).and_then(Option::as_deref).ok_or_else(missing)?;
            if hash_of(file, offset, stored, WHAT, super::sha1_hasher())? != stated {
                return Err(Error::malformed(Malformed::Hash, offset, "block of a chunk"));
            }
        }
        let hash = hash_of(&*source, 0, source.len(), WHAT, blake3::Hasher::new())?;
        match self.toc.hash(number as u64)? {
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
