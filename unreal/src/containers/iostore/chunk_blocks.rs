//! The blocks of a chunk.

use std::ops::{Deref, Range};
use std::sync::Arc;

use super::WHAT;
use super::toc::Toc;
use crate::base::blocks::{Blocks, StoredBlock};
use crate::base::error::{Error, Malformed};

/// The blocks of a chunk, in a table that is borrowed or shared.
pub(super) struct ChunkBlocks<T> {
    toc: T,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// The first of the container's blocks.
    pub(super) first: u64,
    size: u64,
}

impl<T: Deref<Target = Toc>> ChunkBlocks<T> {
    pub(super) fn of(toc: T, number: u64) -> Result<Self, Error> {
        let (offset, length) = toc.range(number)?;
        let size = u64::from(toc.header.block_size).max(1);
        let first = offset.checked_div(size).unwrap_or_default();
        if !offset.is_multiple_of(size) {
            return Err(Error::malformed(Malformed::BlockPlace, offset, WHAT));
        }
        let blocks = Self { toc, offset, length, first, size };
        let (there, needed) = (u64::from(blocks.toc.header.blocks), blocks.end());
        if needed > there {
            return Err(Error::malformed(Malformed::BlockCount { blocks: there, needed }, offset, WHAT));
        }
        Ok(blocks)
    }

    pub(super) fn extent(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.length)
    }

    /// Returns the number of the block after its last.
    pub(super) fn end(&self) -> u64 {
        self.first.saturating_add(self.length.div_ceil(self.size))
    }
}

impl Blocks for ChunkBlocks<Arc<Toc>> {
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
