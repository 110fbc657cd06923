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

use crate::compress::Method;
use crate::crypt::{self, AesKey, Cipher};
use crate::error::{Error, Malformed};
use crate::source::Source;

/// Where a block lies, and what has to be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredBlock {
    /// Which of the files, and where in it.
    pub(super) part: usize,
    pub(super) offset: u64,
    /// Bytes without those that fill it up.
    pub(super) stored: u64,
    /// Bytes that it becomes.
    pub(super) size: u64,
    pub(super) method: Option<Method>,
    pub(super) cipher: Option<Cipher>,
    /// Where it begins in what is encrypted together, in blocks of 16 bytes.
    pub(super) cipher_block: u64,
}

/// The blocks of an entry, in their order.
pub(super) trait Blocks: Send + Sync {
    /// Returns how many bytes the entry has.
    fn len(&self) -> u64;

    /// Returns how many bytes each block but the last becomes; never 0.
    fn block_size(&self) -> u64;

    /// Returns a block of the entry.
    fn block(&self, number: u64) -> Result<StoredBlock, Error>;
}

/// The most bytes of blocks that an open entry keeps, or one block.
const KEPT: usize = 1 << 20;

/// An open entry.
pub(super) struct EntrySource<'c, B> {
    files: &'c [Option<Box<dyn Source>>],
    blocks: B,
    key: Option<&'c AesKey>,
    what: &'static str,
    kept: Mutex<VecDeque<(u64, Arc<[u8]>)>>,
}

impl<'c, B: Blocks> EntrySource<'c, B> {
    pub(super) fn new(
        files: &'c [Option<Box<dyn Source>>],
        blocks: B,
        key: Option<&'c AesKey>,
        what: &'static str,
    ) -> Self {
        Self { files, blocks, key, what, kept: Mutex::default() }
    }

    /// Returns the bytes of a block.
    fn bytes(&self, number: u64) -> Result<Arc<[u8]>, Error> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = kept().iter().find(|(kept, _)| *kept == number) {
            return Ok(Arc::clone(bytes));
        }
        let bytes: Arc<[u8]> = self.read(self.blocks.block(number)?)?.into();
        let mut kept = kept();
        let most = KEPT.checked_div(bytes.len()).unwrap_or(1).max(1);
        while kept.len() >= most {
            kept.pop_front();
        }
        kept.push_back((number, Arc::clone(&bytes)));
        Ok(bytes)
    }

    fn read(&self, block: StoredBlock) -> Result<Vec<u8>, Error> {
        let StoredBlock { part, offset, stored, size, method, cipher, cipher_block } = block;
        let on_disk = if cipher.is_some() { padded(stored) } else { stored };
        let malformed = |fault| Error::malformed(fault, offset, self.what);
        let file = self
            .files
            .get(part)
            .and_then(Option::as_ref)
            .ok_or_else(|| malformed(Malformed::NoPartition(part)))?;
        let end = offset.saturating_add(on_disk);
        if end > file.len() {
            return Err(malformed(Malformed::OutsideFile { end, length: file.len() }));
        }
        let too_large = |_| malformed(Malformed::BlockTooLarge { claimed: on_disk, most: MAX_STORED });
        if on_disk.max(if method.is_none() { size } else { 0 }) > MAX_STORED {
            return Err(too_large(()));
        }
        let mut bytes = vec![0; usize::try_from(on_disk).map_err(|_| too_large(()))?];
        file.read_at(offset, &mut bytes).map_err(|error| Error::from_io(error, offset, self.what))?;
        if let Some(cipher) = cipher {
            let key = self.key.ok_or_else(|| Error::encrypted(None, offset, self.what))?;
            key.decrypt(cipher, cipher_block, &mut bytes);
        }
        bytes.truncate(usize::try_from(stored).unwrap_or(usize::MAX));
        let size = usize::try_from(size).map_err(|_| too_large(()))?;
        match method {
            Some(method) => method.decompress(&bytes, size).map_err(malformed),
            None if bytes.len() == size => Ok(bytes),
            None => Err(malformed(Malformed::StoredSize { stored, size: size as u64 })),
        }
    }
}

/// The most bytes of a block as it is stored.
const MAX_STORED: u64 = 1 << 30;

/// Returns a number of bytes filled up to whole blocks of the cipher.
pub(super) const fn padded(bytes: u64) -> u64 {
    bytes.saturating_add(crypt::BLOCK.saturating_sub(1)) & !crypt::BLOCK.saturating_sub(1)
}

impl<B: Blocks> Source for EntrySource<'_, B> {
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
            let bytes = self.bytes(number).map_err(io::Error::other)?;
            let from = usize::try_from(at.saturating_sub(number.saturating_mul(size))).unwrap_or(usize::MAX);
            let there = bytes.get(from..).unwrap_or_default();
            let taken = there.len().min(into.len());
            // Blocks say how long they are, so there is always something.
            let (Some(there), Some((now, later))) = (there.get(..taken), into.split_at_mut_checked(taken))
            else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            if taken == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            now.copy_from_slice(there);
            into = later;
            at = at.saturating_add(u64::try_from(taken).unwrap_or(u64::MAX));
        }
        Ok(())
    }
}
