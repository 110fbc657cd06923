//! Entropy arrays: every byte stream inside a chunk, with its own stored and plain size.
//!
//! ```text
//! header   type · stored size · plain size      short form: highest bit set
//! payload  0 raw · 1 tANS · 2 Huffman, 3 streams · 3 run lengths · 4 Huffman, 6 streams · 5 nested
//! ```

mod code_lengths;
mod huffman;
mod multi;
mod nested;
mod run_lengths;
mod streams;
mod tans;
mod used;

use self::huffman::HuffmanTable;
pub(crate) use self::streams::Streams;
use self::tans::TansTable;
use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;

/// Largest size that a header can state.
const MAX_SIZE: u32 = 0x3_FFFF;

/// Deepest nesting of arrays in arrays; encoders were seen to use 2.
const MAX_LEVEL: u32 = 16;

/// Most spaces that are kept for the next array; only hostile arrays need more.
const MAX_SPARE: usize = 4;

/// Bytes behind the plain bytes of an array that wide copies may read.
pub(crate) const SLACK: usize = 32;

/// Work space of the entropy coders.
#[derive(Default)]
pub(crate) struct Coder {
    huffman: HuffmanTable,
    tans: TansTable,
    /// Space for arrays inside arrays.
    spare: Vec<Vec<u8>>,
}

/// The plain bytes of an array.
#[derive(Clone, Copy)]
pub(crate) struct Plain<'a> {
    /// The bytes, and behind them others that mean nothing.
    pub(crate) padded: &'a [u8],
    /// Number of bytes that belong to the array.
    pub(crate) len: usize,
}

impl<'a> Plain<'a> {
    /// Returns the bytes of the array only.
    pub(crate) fn exact(&self) -> &'a [u8] {
        &self.padded[..self.len]
    }
}

/// What the header of an array states.
struct Header<'a> {
    kind: u8,
    plain: usize,
    payload: StoredBytes<'a>,
}

impl<'a> Header<'a> {
    /// Reads a header and takes the payload after it.
    ///
    /// # Errors
    /// If the input is too short for it, or the sizes contradict the format or the limit.
    fn read(input: &mut StoredBytes<'a>, limit: usize) -> Result<Self, Error> {
        let from = input.part(FormatPart::Array);
        from.require(from.len() >= 2, "has no header")?;
        let first = from.peek()?;
        let kind = first >> 4 & 7;
        let mut after = from;
        let (stored, plain) = match (kind, first >= 0x80) {
            (0, true) => {
                let size = after.u16_be()? & 0xFFF;
                (size, size)
            }
            (0, false) => {
                let size = after.u24_be()?;
                from.require(size <= MAX_SIZE, "states a reserved size")?;
                (size, size)
            }
            (_, true) => {
                let word = after.u24_be()?;
                let stored = word & 0x3FF;
                (stored, stored + (word >> 10 & 0x3FF) + 1)
            }
            (_, false) => {
                let word = after.u40_be()?;
                let stored = word as u32 & MAX_SIZE;
                let plain = (word >> 18) as u32 & MAX_SIZE;
                from.require(stored <= plain, "is not smaller than its plain bytes")?;
                (stored, plain + 1)
            }
        };
        from.require(plain as usize <= limit, "has more plain bytes than can be used")?;
        let payload = after.take(stored as usize)?;
        input.go_to(after);
        Ok(Self { kind, plain: plain as usize, payload })
    }
}

impl Coder {
    /// Reads an array of at most `limit` plain bytes; raw ones stay where they are, others go to `room`.
    ///
    /// # Errors
    /// If it breaks a rule of the format.
    pub(crate) fn array<'a>(
        &mut self,
        input: &mut StoredBytes<'a>,
        limit: usize,
        room: &'a mut Vec<u8>,
    ) -> Result<Plain<'a>, Error> {
        let before = *input;
        let header = Header::read(input, limit)?;
        let len = header.plain;
        if header.kind == 0 {
            let header_len = before.len() - input.len() - len;
            return Ok(Plain { padded: &before.rest()[header_len..], len });
        }
        let room = roomy(room, len + SLACK);
        self.fill(&header, &mut room[..len], 1)?;
        Ok(Plain { padded: room, len })
    }

    /// Reads an array whose plain bytes are exactly `plain`.
    ///
    /// # Errors
    /// If it breaks a rule of the format, or has another plain size.
    pub(crate) fn exact(&mut self, input: &mut StoredBytes<'_>, plain: &mut [u8]) -> Result<(), Error> {
        let before = input.part(FormatPart::Array);
        let len = self.into(input, plain, 1)?;
        before.require(len == plain.len(), "does not give the plain bytes of its chunk")
    }

    /// Reads an array to the start of `plain`, and returns its plain size.
    fn into(&mut self, input: &mut StoredBytes<'_>, plain: &mut [u8], level: u32) -> Result<usize, Error> {
        let header = Header::read(input, plain.len())?;
        self.fill(&header, &mut plain[..header.plain], level)?;
        Ok(header.plain)
    }

    /// Decodes the payload of an array.
    fn fill(&mut self, header: &Header<'_>, plain: &mut [u8], level: u32) -> Result<(), Error> {
        let payload = header.payload;
        payload.require(level <= MAX_LEVEL, "is nested too deep")?;
        match header.kind {
            0 => {
                plain.copy_from_slice(payload.rest());
                Ok(())
            }
            1 => tans::decode(payload.part(FormatPart::Tans), plain, &mut self.tans),
            2 => huffman::three_streams(payload, plain, &mut self.huffman),
            3 => run_lengths::decode(payload.part(FormatPart::RunLengths), plain, level, self),
            4 => huffman::six_streams(payload, plain, &mut self.huffman),
            5 => nested::decode(payload.part(FormatPart::Nested), plain, level, self),
            _ => Err(payload.refuse("has a reserved type")),
        }
    }

    /// Calls `work` with space for the arrays inside an array, which is kept for the next.
    fn with_space<T>(&mut self, work: impl FnOnce(&mut Self, &mut Vec<u8>) -> T) -> T {
        let mut space = self.spare.pop().unwrap_or_default();
        let result = work(self, &mut space);
        if self.spare.len() < MAX_SPARE {
            self.spare.push(space);
        }
        result
    }
}

/// Returns the first `len` bytes of a vector, which grows if it has fewer.
pub(crate) fn roomy(room: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if room.len() < len {
        room.resize(len, 0);
    }
    &mut room[..len]
}

#[cfg(test)]
mod tests;
