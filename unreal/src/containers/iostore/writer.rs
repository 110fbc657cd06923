//! `IoStore` containers that are written: chunks as they come, the table of contents after them.

use std::collections::HashSet;
use std::io::{self, Write};

use super::chunk_id::ChunkId;
use super::directory;
use super::header::TocHeader;
use super::perfect_hash::{self, HashTable};
use super::toc::{BlockRow, METHOD_NAME, TocRows};
use super::version::TocVersion;
use super::written_chunk::WrittenChunk;
use crate::base::blocks::padded;
use crate::base::compress::Method;
use crate::base::crypt::{AesKey, BLOCK, Cipher, Vector};
use crate::base::guid::Guid;
use crate::base::hash;
use crate::base::writer::{ByteWriter, WriteError, narrow};

/// Options of an `IoStore` writer.
#[derive(Clone, Debug)]
pub struct IoStoreOptions {
    /// The version of its table of contents.
    pub version: TocVersion,
    /// Name without folder and extension; the container id is its hash.
    pub name: String,
    /// Mount point: `../../../` is the root.
    pub mount: String,
    /// The method that blocks are compressed with which become smaller by it.
    pub method: Option<Method>,
    /// Encryption of data and directory; none if they are plain.
    pub encryption: Option<IoStoreEncryption>,
    /// The most bytes of a file of data, of which whole blocks of 16 are used; none for one file.
    pub partition_size: Option<u64>,
}

/// Encryption of an `IoStore` container.
#[derive(Clone, Debug)]
pub struct IoStoreEncryption {
    /// The key.
    pub key: AesKey,
    /// The identifier of the key; zeros for the one that a game has.
    pub guid: Guid,
    /// True for CTR with a vector per block, false for ECB.
    pub counts: bool,
}

/// Bytes of each block before it is compressed, but for the last of a chunk.
pub const BLOCK_SIZE: u32 = 64 << 10;

/// A container that is being written. `open` begins the file of data of a number: 0 for `.ucas`, 1 for `_s1.ucas` and
/// so on.
pub struct IoStoreWriter<W, F> {
    open: F,
    out: Option<(u64, W)>,
    options: IoStoreOptions,
    /// Where the next block goes, over all files.
    at: u64,
    chunks: Vec<WrittenChunk>,
    ids: HashSet<ChunkId>,
    blocks: Vec<BlockRow>,
    vectors: Vec<Vector>,
    current: Option<OpenChunk>,
}

/// A chunk whose blocks are being written.
struct OpenChunk {
    id: ChunkId,
    path: Option<String>,
    first: u64,
    size: u64,
    hasher: blake3::Hasher,
    is_compressed: bool,
}

impl<W: Write, F: FnMut(u64) -> io::Result<W>> IoStoreWriter<W, F> {
    /// Begins a container.
    ///
    /// # Errors
    /// If its version cannot hold what is asked for, or there is no encoder.
    pub fn new(mut options: IoStoreOptions, open: F) -> Result<Self, WriteError> {
        // So that blocks begin at multiples of 16, counted over all files.
        options.partition_size = options.partition_size.map(|size| size & !BLOCK.saturating_sub(1));
        let layout = options.version.layout();
        let cannot = |what| WriteError::Version { version: options.version.to_string(), what };
        if let Some(method) = options.method.filter(|method| !method.is_written()) {
            return Err(WriteError::Method(method.name()));
        }
        if options.partition_size.is_some() && !layout.has_partitions {
            return Err(cannot("several files of data"));
        }
        let least = padded(BLOCK_SIZE.into());
        if let Some(size) = options.partition_size.filter(|size| *size < least) {
            return Err(WriteError::TooSmall { what: "bytes of a file of data", value: size, least });
        }
        if options.encryption.as_ref().is_some_and(|encryption| encryption.counts) && !layout.has_ciphers {
            return Err(cannot("encryption by a stream (CTR)"));
        }
        Ok(Self {
            open,
            out: None,
            options,
            at: 0,
            chunks: Vec::new(),
            ids: HashSet::new(),
            blocks: Vec::new(),
            vectors: Vec::new(),
            current: None,
        })
    }

    /// Begins a chunk, with its path below the mount point if it has one. Its blocks follow, then [`end`](Self::end).
    ///
    /// # Errors
    /// If there is a chunk of that identifier.
    pub fn begin(&mut self, id: ChunkId, path: Option<&str>) -> Result<(), WriteError> {
        if !self.ids.insert(id) {
            return Err(WriteError::Twice(path.map_or_else(|| id.to_string(), str::to_owned)));
        }
        self.current = Some(OpenChunk {
            id,
            path: path.map(str::to_owned),
            first: self.blocks.len() as u64,
            size: 0,
            hasher: blake3::Hasher::new(),
            is_compressed: false,
        });
        Ok(())
    }

    /// Writes the next block of the chunk that was begun: its bytes, and what they became if they were compressed. The
    /// shorter of both is stored, and filled up and encrypted where it lies.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn block(&mut self, plain: &mut Vec<u8>, compressed: Option<&mut Vec<u8>>) -> Result<(), WriteError> {
        let Some(mut chunk) = self.current.take() else { return Ok(()) };
        chunk.hasher.update(plain);
        let length = plain.len() as u64;
        let size = narrow("bytes of a block", length)?;
        chunk.size = chunk.size.saturating_add(length);
        let compressed = compressed.filter(|compressed| compressed.len() < plain.len());
        chunk.is_compressed |= compressed.is_some();
        let slot = u8::from(compressed.is_some());
        self.current = Some(chunk);
        let stored = compressed.unwrap_or(plain);
        let taken = narrow("bytes of a block", stored.len() as u64)?;
        // Each begins at a multiple of 16.
        stored.resize(usize::try_from(padded(taken.into())).unwrap_or(usize::MAX), 0);
        if let Some(encryption) = &self.options.encryption {
            let cipher = if encryption.counts {
                let number = (self.blocks.len() as u64).to_le_bytes();
                let vector = vector(&[stored, &number]);
                self.vectors.push(vector);
                Cipher::Ctr(vector)
            } else {
                Cipher::Ecb
            };
            encryption.key.encrypt(cipher, 0, stored);
        }
        let offset = self.next_offset(stored.len() as u64)?;
        if let Some((_, out)) = &mut self.out {
            out.write_all(stored)?;
        }
        self.blocks.push(BlockRow { offset, stored: taken, size, slot });
        self.at = offset.saturating_add(stored.len() as u64);
        Ok(())
    }

    /// Returns the offset of the next block, in a file that has room for it.
    fn next_offset(&mut self, length: u64) -> Result<u64, WriteError> {
        let size = self.options.partition_size.unwrap_or(u64::MAX);
        let mut part = self.at.checked_div(size).unwrap_or_default();
        let mut at = self.at;
        if at.saturating_add(length) > part.saturating_add(1).saturating_mul(size) {
            part = part.saturating_add(1);
            at = part.saturating_mul(size);
        }
        if self.out.as_ref().is_none_or(|(open, _)| *open != part) {
            self.flush()?;
            self.out = Some((part, (self.open)(part)?));
        }
        Ok(at)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        match &mut self.out {
            Some((_, out)) => Ok(out.flush()?),
            None => Ok(()),
        }
    }

    /// Ends the chunk that was begun.
    pub fn end(&mut self) {
        let Some(OpenChunk { id, path, first, size, hasher, is_compressed }) = self.current.take() else {
            return;
        };
        let range = (first.saturating_mul(BLOCK_SIZE.into()), size);
        let hash = *hasher.finalize().as_bytes().first_chunk().unwrap_or(&[0; 20]);
        self.chunks.push(WrittenChunk { id, path, range, hash, is_compressed });
    }

    /// Returns the table of contents, all data being written.
    ///
    /// # Errors
    /// If something cannot be stated, or the data not be written.
    pub fn finish(mut self) -> Result<Vec<u8>, WriteError> {
        // A container without data has a file all the same.
        if self.out.is_none() {
            self.out = Some((0, (self.open)(0)?));
        }
        self.flush()?;
        let Self { options, chunks, blocks, mut vectors, out, .. } = self;
        let layout = options.version.layout();
        let ids: Vec<ChunkId> = chunks.iter().map(|chunk| chunk.id).collect();
        let table = if layout.has_seeds { perfect_hash::build(&ids) } else { HashTable::in_order(ids.len()) };
        let ordered = table.order.iter().filter_map(|place| chunks.get(*place));
        let chunks: Vec<WrittenChunk> = ordered.cloned().collect();
        let mut directory = directory::write(&options.mount, &chunks)?;
        if let Some(encryption) = &options.encryption {
            directory.resize(usize::try_from(padded(directory.len() as u64)).unwrap_or(usize::MAX), 0);
            let mut cipher = Cipher::Ecb;
            if encryption.counts {
                let own = vector(&[&directory, b"directory"]);
                vectors.push(own);
                cipher = Cipher::Ctr(own);
            }
            encryption.key.encrypt(cipher, 0, &mut directory);
        }
        let encryption = options.encryption.as_ref();
        let partitions = out.map_or(1, |(part, _)| part.saturating_add(1));
        let header = TocHeader {
            version: options.version,
            layout,
            entries: narrow("chunks", chunks.len() as u64)?,
            blocks: narrow("blocks", blocks.len() as u64)?,
            methods: options.method.is_some().into(),
            method_length: METHOD_NAME,
            block_size: BLOCK_SIZE,
            directory_size: narrow("bytes of a directory", directory.len() as u64)?,
            partitions: narrow("files of data", partitions)?,
            container: hash::package_id(&options.name),
            key: encryption.map_or_else(Guid::default, |encryption| encryption.guid),
            is_encrypted: encryption.is_some(),
            is_signed: false,
            is_indexed: true,
            is_on_demand: false,
            has_vectors: encryption.is_some_and(|encryption| encryption.counts),
            seeds: narrow("seeds", table.seeds.len() as u64)?,
            partition_size: options.partition_size.unwrap_or(u64::MAX),
            overflow: narrow("chunks outside the hash", table.overflow.len() as u64)?,
            vectors: narrow("vectors", vectors.len() as u64)?,
        };
        let mut writer = ByteWriter::default();
        header.write(&mut writer, blocks.iter().any(|block| block.slot != 0))?;
        let rows = TocRows { chunks: &chunks, table: &table, blocks: &blocks, vectors: &vectors };
        rows.write(&mut writer, &header, options.method, &directory)?;
        Ok(writer.into_bytes())
    }
}

/// Returns what a stream begins with that hides something: the same only for the same.
fn vector(parts: &[&[u8]]) -> Vector {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes().first_chunk().unwrap_or(&Vector::default())
}
