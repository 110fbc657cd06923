//! Payloads of package trailers: compressed buffers (Epic: `FCompressedBuffer`), numbers big-endian.
//!
//! ```text
//! B7 75 63 62 │ CRC │ method │ compressor │ level │ log2 of the block size │ blocks │ raw │ stored │ hash │ data
//! data        the bytes (method 0) · stored size of each block, then the blocks (method 3, Oodle)
//! ```
//!
//! Source: *real-games*, §2: 90 of 90 payloads of 9 projects.

use std::io;
use std::sync::{Mutex, PoisonError};

use super::trailer::PayloadHash;
use crate::base::blocks::{Blocks, EntrySource, OneFile, StoredBlock};
use crate::base::byte_order::ByteOrder;
use crate::base::compress::Method;
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::hash::crc32;
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::base::unsupported::Unsupported;

const WHAT: &str = "compressed buffer";
const MAGIC: u32 = 0xB775_6362;
/// Bytes of the header.
const HEADER: u64 = 64;
/// Where the part of the header begins that its CRC covers.
const CHECKED: u64 = 8;
/// Bytes of that part without the table of blocks.
const CHECKED_HEADER: usize = 56;
const METHOD_NONE: u8 = 0;
const METHOD_OODLE: u8 = 3;
/// Bytes that are hashed at a time where a buffer has no blocks.
const PLAIN_BLOCK: u64 = 256 << 10;

/// Location of a payload in a package trailer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoredPayload {
    /// Offset of its compressed buffer in bytes.
    pub offset: u64,
    /// Stored size in bytes.
    pub stored: u64,
    /// Uncompressed size in bytes.
    pub raw: u64,
    /// The first bytes of the BLAKE3 of what it holds.
    pub hash: PayloadHash,
}

impl StoredPayload {
    /// Opens the payload in the bytes of its package: a source of its uncompressed bytes, decompressed block by block.
    /// Reading it to its end checks its hash.
    ///
    /// # Errors
    /// If the header is damaged, says something else than the package, is compressed by a method that is not known, or
    /// takes more than the limits allow.
    pub fn open<'s>(
        &self,
        source: Box<dyn Source + 's>,
        limits: &mut Limits,
    ) -> Result<Box<dyn Source + 's>, Error> {
        let blocks = BufferBlocks::read(self, &*source, limits)?;
        let entry = EntrySource::new(OneFile(source), blocks, None, WHAT);
        Ok(Box::new(CheckedPayload { entry, payload: *self, progress: Mutex::default() }))
    }
}

/// Returns the compressed buffer of bytes that are stored plain.
#[must_use]
pub(crate) fn stored_buffer(bytes: &[u8]) -> (PayloadHash, Vec<u8>) {
    let hash = *blake3::hash(bytes).as_bytes();
    let mut checked = vec![METHOD_NONE, 0, 0, 0];
    checked.extend(1_u32.to_be_bytes());
    checked.extend((bytes.len() as u64).to_be_bytes());
    checked.extend((bytes.len() as u64).saturating_add(HEADER).to_be_bytes());
    checked.extend(hash);
    let mut buffer = MAGIC.to_be_bytes().to_vec();
    buffer.extend(crc32(checked.iter().copied()).to_be_bytes());
    buffer.extend(checked);
    buffer.extend(bytes);
    (hash.first_chunk().copied().unwrap_or_default(), buffer)
}

/// The blocks of a buffer.
struct BufferBlocks {
    raw: u64,
    block_size: u64,
    method: Option<Method>,
    /// Offset of each block, and of the end of the last; of a buffer without blocks its first byte alone.
    offsets: Vec<u64>,
}

impl BufferBlocks {
    fn read(payload: &StoredPayload, source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        let at = payload.offset;
        let end = at.saturating_add(payload.stored);
        let mut reader = Reader::new(source, WHAT, at, end).with_byte_order(ByteOrder::Big);
        let reader = &mut reader;
        if reader.u32()? != MAGIC {
            return Err(reader.error(at, Malformed::NoFormFits));
        }
        let crc = reader.u32()?;
        let (method, _compressor, _level, log2) = (reader.u8()?, reader.u8()?, reader.u8()?, reader.u8()?);
        let count = reader.u32()?;
        let (raw, stored) = (reader.u64()?, reader.u64()?);
        let hash: [u8; 32] = reader.array()?;
        if (raw, stored) != (payload.raw, payload.stored) || end > source.len() {
            return Err(reader.error(at, Malformed::StoredSize { stored, size: payload.stored }));
        }
        if !hash.starts_with(&payload.hash) {
            return Err(reader.error(at, Malformed::Hash));
        }
        let data = reader.at();
        let (block_size, method, sizes) = match method {
            METHOD_NONE if stored.checked_sub(HEADER) == Some(raw) => (PLAIN_BLOCK, None, 0),
            METHOD_OODLE => {
                let block_size = 1_u64.checked_shl(log2.into()).filter(|size| *size > 0);
                let size = block_size.ok_or_else(|| reader.error(at, Malformed::BlockSizeLog2(log2)))?;
                let needed = raw.div_ceil(size);
                if needed != u64::from(count) {
                    let blocks = count.into();
                    return Err(reader.error(at, Malformed::BlockCount { blocks, needed }));
                }
                (size, Some(Method::Oodle), reader.fitting(count, 4, at)?)
            }
            METHOD_NONE => return Err(reader.error(at, Malformed::StoredSize { stored, size: raw })),
            method => {
                let unsupported = Unsupported::PayloadCompression(method);
                return Err(Error::new(ErrorKind::Unsupported(unsupported), at, WHAT));
            }
        };
        limits.take_table::<u64>(sizes, at, WHAT)?;
        let mut next = data.saturating_add((sizes as u64).saturating_mul(4));
        let mut offsets = vec![next];
        for _ in 0..sizes {
            next = next.saturating_add(reader.u32()?.into());
            offsets.push(next);
        }
        if method.is_some() && next != end {
            return Err(reader.error(data, Malformed::OutsideFile { end: next, length: end }));
        }
        // All of this was in the file, and is as large as the table.
        let mut checked = vec![0; CHECKED_HEADER.saturating_add(sizes.saturating_mul(4))];
        let from = at.saturating_add(CHECKED);
        source.read_at(from, &mut checked).map_err(|error| Error::from_io(error, from, WHAT))?;
        if crc32(checked.into_iter()) != crc {
            return Err(reader.error(at, Malformed::Hash));
        }
        Ok(Self { raw, block_size, method, offsets })
    }
}

impl Blocks for BufferBlocks {
    fn len(&self) -> u64 {
        self.raw
    }

    fn block_size(&self) -> u64 {
        self.block_size
    }

    fn block(&self, number: u64) -> Result<StoredBlock, Error> {
        let begin = number.saturating_mul(self.block_size);
        let size = self.raw.saturating_sub(begin).min(self.block_size);
        let missing = || Error::malformed(Malformed::NoSuchEntry(number), 0, WHAT);
        let (offset, stored) = match self.method {
            None => (self.offsets.first().ok_or_else(missing)?.saturating_add(begin), size),
            Some(_) => {
                let row = usize::try_from(number).unwrap_or(usize::MAX);
                let [from, to] = *self.offsets.get(row..row.saturating_add(2)).ok_or_else(missing)? else {
                    return Err(missing());
                };
                (from, to.saturating_sub(from))
            }
        };
        // A block that compression would not make smaller is stored plain.
        let method = self.method.filter(|_| stored != size);
        Ok(StoredBlock { part: 0, offset, stored, size, method, cipher: None, limit: 0, cipher_block: 0 })
    }
}

/// A payload whose hash is checked when it has been read from its first byte to its last.
struct CheckedPayload<'s> {
    entry: EntrySource<OneFile<'s>, BufferBlocks>,
    payload: StoredPayload,
    progress: Mutex<HashProgress>,
}

/// How much of a payload was read without a gap, and the hash of that.
#[derive(Default)]
struct HashProgress {
    read: u64,
    hasher: blake3::Hasher,
}

impl CheckedPayload<'_> {
    /// Hashes bytes that were read at an offset if they follow those before. What is left at the end is read along:
    /// nobody else reads the chunks that follow the audio.
    fn check(&self, at: u64, read: &[u8]) -> io::Result<()> {
        let progress = &mut *self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let known = progress.read.checked_sub(at).and_then(|known| usize::try_from(known).ok());
        let Some(new) = known.and_then(|known| read.get(known..)).filter(|new| !new.is_empty()) else {
            return Ok(());
        };
        progress.add(new);
        let left = self.payload.raw.saturating_sub(progress.read);
        if left > PLAIN_BLOCK {
            return Ok(());
        }
        let mut rest = vec![0; usize::try_from(left).unwrap_or_default()];
        self.entry.read_at(progress.read, &mut rest)?;
        progress.add(&rest);
        if progress.hasher.finalize().as_bytes().starts_with(&self.payload.hash) {
            return Ok(());
        }
        // Reading it again gives the same error.
        *progress = HashProgress::default();
        Err(io::Error::other(Error::malformed(Malformed::Hash, self.payload.offset, WHAT)))
    }
}

impl HashProgress {
    fn add(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.read = self.read.saturating_add(bytes.len() as u64);
    }
}

impl Source for CheckedPayload<'_> {
    fn len(&self) -> u64 {
        self.payload.raw
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.entry.read_at(at, into)?;
        self.check(at, into)
    }
}
