//! The bytes of an entry: blocks that lie apart, each compressed or encrypted or both, made when they are asked for.
//!
//! ```text
//! entry    │ block 0 │ block 1 │ … │ rest │         all but the last become as many bytes
//!               ▲
//! file     ··│ stored ░░│··│ stored ░│·····          ░ filled up to 16 bytes where encrypted
//! ```

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::compress::Method;
use super::crypt::{self, AesKey, Cipher};
use super::error::{Error, Malformed};
use super::guid::Guid;
use super::source::Source;

/// Where a block lies, and what has to be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredBlock {
    /// Which of the files, and where in it.
    pub(crate) part: usize,
    pub(crate) offset: u64,
    /// Bytes without those that fill it up.
    pub(crate) stored: u64,
    /// Bytes that it becomes.
    pub(crate) size: u64,
    pub(crate) method: Option<Method>,
    pub(crate) cipher: Option<Cipher>,
    /// Bytes that are encrypted, at most, from its first on; the others are plain.
    pub(crate) limit: u64,
    /// Where it begins in what is encrypted together, in blocks of 16 bytes.
    pub(crate) cipher_block: u64,
}

impl StoredBlock {
    /// Returns how many of its bytes are encrypted, with those that fill it up.
    const fn encrypted(&self) -> u64 {
        let whole = padded(self.stored);
        match self.cipher {
            None => 0,
            Some(_) if whole < self.limit => whole,
            Some(_) => self.limit,
        }
    }

    /// Returns how many bytes it takes in its file.
    pub(crate) const fn on_disk(&self) -> u64 {
        let encrypted = self.encrypted();
        if encrypted > self.stored { encrypted } else { self.stored }
    }
}

/// The blocks of an entry, in their order.
pub(crate) trait Blocks: Send + Sync {
    /// Returns how many bytes the entry has.
    fn len(&self) -> u64;

    /// Returns how many bytes each block but the last becomes; never 0.
    fn block_size(&self) -> u64;

    /// Returns a block of the entry.
    fn block(&self, number: u64) -> Result<StoredBlock, Error>;
}

/// The most bytes of blocks that an open entry keeps, or one block.
const KEPT: usize = 1 << 20;

/// Files that blocks are stored in.
pub(crate) trait BlockFiles: Send + Sync {
    /// Returns a file; none if it is missing.
    fn file(&self, part: usize) -> Option<&dyn Source>;
}

/// Files that entries share with their container; none where one is missing.
pub(crate) type SharedFiles = Arc<[Option<Box<dyn Source>>]>;

impl BlockFiles for SharedFiles {
    fn file(&self, part: usize) -> Option<&dyn Source> {
        self.get(part).and_then(Option::as_deref)
    }
}

/// The only file of blocks.
pub(crate) struct OneFile<'s>(pub(crate) Box<dyn Source + 's>);

impl BlockFiles for OneFile<'_> {
    fn file(&self, part: usize) -> Option<&dyn Source> {
        (part == 0).then_some(&*self.0)
    }
}

/// An open entry.
pub(crate) struct EntrySource<F, B> {
    files: F,
    blocks: B,
    key: Option<Arc<AesKey>>,
    /// The identifier of the key that it needs, if that is stated.
    key_id: Option<Guid>,
    what: &'static str,
    kept: Mutex<VecDeque<(u64, Arc<[u8]>)>>,
}

impl<F: BlockFiles, B: Blocks> EntrySource<F, B> {
    pub(crate) fn new(files: F, blocks: B, key: Option<Arc<AesKey>>, what: &'static str) -> Self {
        Self { files, blocks, key, key_id: None, what, kept: Mutex::default() }
    }

    /// Names the key that it needs, for the error where there is none.
    pub(crate) fn with_key_id(self, key_id: Guid) -> Self {
        Self { key_id: Some(key_id), ..self }
    }

    /// Returns the bytes of a block, which are kept for those who read on in it.
    fn bytes(&self, number: u64, block: StoredBlock) -> Result<Arc<[u8]>, Error> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = kept().iter().find(|(kept, _)| *kept == number) {
            return Ok(Arc::clone(bytes));
        }
        let bytes: Arc<[u8]> = self.made(block)?.into();
        let mut kept = kept();
        let most = KEPT.checked_div(bytes.len()).unwrap_or(1).max(1);
        while kept.len() >= most {
            kept.pop_front();
        }
        kept.push_back((number, Arc::clone(&bytes)));
        Ok(bytes)
    }

    /// Returns the file of a block, if the block lies in it and its size makes sense, and how many bytes it takes
    /// there.
    fn file(&self, block: StoredBlock) -> Result<(&dyn Source, usize), Error> {
        let StoredBlock { part, offset, stored, size, method, .. } = block;
        let on_disk = block.on_disk();
        let malformed = |fault| Error::malformed(fault, offset, self.what);
        let file = self.files.file(part).ok_or_else(|| malformed(Malformed::NoPartition(part)))?;
        let end = offset.saturating_add(on_disk);
        if end > file.len() {
            return Err(malformed(Malformed::OutsideFile { end, length: file.len() }));
        }
        if method.is_none() && stored != size {
            return Err(malformed(Malformed::StoredSize { stored, size }));
        }
        match usize::try_from(on_disk) {
            Ok(on_disk) if on_disk as u64 <= MAX_STORED => Ok((file, on_disk)),
            _ => Err(malformed(Malformed::BlockTooLarge { claimed: on_disk, most: MAX_STORED })),
        }
    }

    /// Returns the bytes of a block as they are before compression.
    fn made(&self, block: StoredBlock) -> Result<Vec<u8>, Error> {
        let bytes = self.decrypted(block)?;
        let Some(method) = block.method else { return Ok(bytes) };
        let malformed = |fault| Error::malformed(fault, block.offset, self.what);
        let too_large = |_| malformed(Malformed::BlockTooLarge { claimed: block.size, most: MAX_STORED });
        method.decompress(&bytes, usize::try_from(block.size).map_err(too_large)?).map_err(malformed)
    }

    /// Returns the bytes of a block as they are stored, without encryption.
    fn decrypted(&self, block: StoredBlock) -> Result<Vec<u8>, Error> {
        let StoredBlock { offset, stored, cipher, cipher_block, .. } = block;
        let (file, on_disk) = self.file(block)?;
        let mut bytes = vec![0; on_disk];
        file.read_at(offset, &mut bytes).map_err(|error| Error::from_io(error, offset, self.what))?;
        if let Some(cipher) = cipher {
            let key = self.key.as_ref().ok_or_else(|| Error::encrypted(self.key_id, offset, self.what))?;
            let encrypted = usize::try_from(block.encrypted()).unwrap_or(usize::MAX).min(bytes.len());
            key.decrypt(cipher, cipher_block, bytes.get_mut(..encrypted).unwrap_or_default());
        }
        bytes.truncate(usize::try_from(stored).unwrap_or(usize::MAX));
        Ok(bytes)
    }

    /// Reads bytes of a block from one of them on.
    fn read(&self, number: u64, block: StoredBlock, from: u64, into: &mut [u8]) -> Result<(), Error> {
        if (block.method, block.cipher) == (None, None) {
            let (file, _) = self.file(block)?;
            let at = block.offset.saturating_add(from);
            return file.read_at(at, into).map_err(|error| Error::from_io(error, at, self.what));
        }
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let copy = |bytes: &[u8], into: &mut [u8]| {
            let there = bytes.get(from..from.saturating_add(into.len()));
            let short = Malformed::StoredSize { stored: bytes.len() as u64, size: block.size };
            into.copy_from_slice(there.ok_or_else(|| Error::malformed(short, block.offset, self.what))?);
            Ok(())
        };
        // Nobody reads on in a block that is wanted whole.
        if into.len() as u64 != block.size {
            return copy(&self.bytes(number, block)?, into);
        }
        let bytes = self.decrypted(block)?;
        let Some(method) = block.method else { return copy(&bytes, into) };
        let malformed = |fault| Error::malformed(fault, block.offset, self.what);
        method.decompress_into(&bytes, into).map_err(malformed)
    }
}

/// The most bytes of a block as it is stored.
const MAX_STORED: u64 = 1 << 30;

/// Returns a number of bytes filled up to whole blocks of the cipher.
pub(crate) const fn padded(bytes: u64) -> u64 {
    bytes.saturating_add(crypt::BLOCK.saturating_sub(1)) & !crypt::BLOCK.saturating_sub(1)
}

impl<F: BlockFiles, B: Blocks> Source for EntrySource<F, B> {
    fn len(&self) -> u64 {
        self.blocks.len()
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let length = u64::try_from(into.len()).unwrap_or(u64::MAX);
        if at.checked_add(length).is_none_or(|end| end > self.len()) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let size = self.blocks.block_size().max(1);
        let (mut at, mut into) = (at, into);
        while !into.is_empty() {
            let number = at.checked_div(size).unwrap_or_default();
            let from = at.saturating_sub(number.saturating_mul(size));
            let block = self.blocks.block(number).map_err(io::Error::other)?;
            let there = usize::try_from(block.size.saturating_sub(from)).unwrap_or(usize::MAX);
            let taken = there.min(into.len());
            // Blocks say how long they are, so there is always something.
            let (now, later) = into.split_at_mut_checked(taken).unwrap_or_default();
            if now.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.read(number, block, from, now).map_err(io::Error::other)?;
            into = later;
            at = at.saturating_add(taken as u64);
        }
        Ok(())
    }
}
