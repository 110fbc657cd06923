//! LZ chunks: the parts of each method, and what they share.
//!
//! A chunk is decoded in two phases: first all its arrays, offsets and lengths go to work space, then its commands copy
//! literals and matches to the plain bytes.

mod bit_region;
mod copy;
pub(crate) mod kraken;
pub(crate) mod leviathan;
mod literals;
pub(crate) mod mermaid;

use crate::array::Coder;
use crate::error::Error;
use crate::input::StoredBytes;

/// Bytes behind a chunk's plain bytes that wide copies may overwrite, as long as they belong to later chunks.
pub(crate) const SLACK: usize = 64;

/// Plain bytes at the start of the history, stored as they are.
const RAW_START: usize = 8;

/// Distance of all recent matches at the start of a chunk.
const FIRST_DISTANCE: u32 = 8;

/// Work space for the parts of a chunk.
#[derive(Default)]
pub(crate) struct ChunkWorkspace {
    pub(crate) coder: Coder,
    literals: Vec<u8>,
    commands: Vec<u8>,
    offset_codes: Vec<u8>,
    low_offsets: Vec<u8>,
    length_codes: Vec<u8>,
    offsets: Vec<u32>,
    lengths: Vec<u32>,
    near: Vec<u16>,
}

/// Where the plain bytes of a chunk go.
pub(crate) struct ChunkOutput<'a> {
    /// History, the chunk's bytes, and up to [`SLACK`] bytes of later chunks.
    pub(crate) out: &'a mut [u8],
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl ChunkOutput<'_> {
    fn len(&self) -> usize {
        self.end - self.start
    }

    /// Copies the raw bytes at the start of the history, and returns where commands begin.
    fn begin(&mut self, input: &mut StoredBytes<'_>) -> Result<usize, Error> {
        if self.start > 0 {
            return Ok(self.start);
        }
        input.require(self.end >= RAW_START, "is too short")?;
        let raw = input.take(RAW_START)?;
        self.out[..RAW_START].copy_from_slice(raw.rest());
        Ok(RAW_START)
    }
}

/// Returns whether the literals of a chunk of Kraken or Mermaid are differences.
fn is_delta(input: &StoredBytes<'_>, mode: u32) -> Result<bool, Error> {
    input.require(mode <= 1, "has a reserved mode")?;
    Ok(mode == 0)
}
