//! A buffer: blocks, quanta and chunks.
//!
//! ```text
//! buffer    blocks of 0x40000 plain bytes, the last one shorter
//! block     2-byte header, then the plain bytes, or a quantum
//! quantum   3-byte header, then the plain bytes, one byte that fills them, or chunks
//! chunk     of 0x20000 plain bytes, the last one shorter: one entropy array, or a 3-byte header and LZ or plain bytes
//! ```

use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;
use crate::lz::{self, ChunkOutput, ChunkWorkspace};

const BLOCK: usize = 0x4_0000;
const CHUNK: usize = 0x2_0000;

/// A method that is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LzMethod {
    Kraken,
    /// And Selkie, which has the same format.
    Mermaid,
    Leviathan,
}

/// Header of a block.
#[derive(Debug, PartialEq, Eq)]
struct BlockHeader {
    method: LzMethod,
    is_stored: bool,
    /// Nothing before the block is referred to.
    restarts: bool,
    has_checksums: bool,
}

impl BlockHeader {
    fn read(input: &mut StoredBytes<'_>) -> Result<Self, Error> {
        let start = *input;
        let (first, second) = (input.u8()?, input.u8()?);
        start.require(first & 0x3F == 0x0C, "does not begin with a block header")?;
        let method = match second & 0x7F {
            6 => LzMethod::Kraken,
            10 => LzMethod::Mermaid,
            12 => LzMethod::Leviathan,
            id => return Err(Error::Method { id, at: start.at() }),
        };
        Ok(Self {
            method,
            is_stored: first & 0x40 != 0,
            restarts: first & 0x80 != 0,
            has_checksums: second & 0x80 != 0,
        })
    }
}

/// Decodes a buffer.
///
/// # Errors
/// If it breaks a rule of the format, or has another plain size.
pub(crate) fn decode(stored: &[u8], plain: &mut [u8], work: &mut ChunkWorkspace) -> Result<(), Error> {
    let mut input = StoredBytes::new(stored);
    // Start of the last block that restarts: distances count from there.
    let mut base = 0;
    let mut start = 0;
    while start < plain.len() {
        let header = BlockHeader::read(&mut input)?;
        if header.restarts {
            base = start;
        }
        let end = plain.len().min(start + BLOCK);
        if header.is_stored {
            plain[start..end].copy_from_slice(input.take(end - start)?.rest());
        } else {
            quantum(&mut input, &header, &mut plain[base..], start - base..end - base, work)?;
        }
        start = end;
    }
    input.require(input.is_empty(), "has bytes after its end")
}

/// Decodes a quantum to `plain[range]`.
fn quantum(
    input: &mut StoredBytes<'_>,
    header: &BlockHeader,
    plain: &mut [u8],
    range: std::ops::Range<usize>,
    work: &mut ChunkWorkspace,
) -> Result<(), Error> {
    /// Size that means a quantum of one value.
    const FILL: u32 = 0x3_FFFF;
    let start = input.part(FormatPart::Quantum);
    let mut at = start;
    let word = at.u24_be()?;
    let size = word & 0x3_FFFF;
    if size == FILL {
        start.require(word >> 18 == 1, "has a reserved header")?;
        plain[range].fill(at.u8()?);
        input.go_to(at);
        return Ok(());
    }
    if header.has_checksums {
        at.take(3)?;
    }
    let mut quantum = at.take(size as usize + 1)?;
    input.go_to(at);
    start.require(quantum.len() <= range.len(), "is larger than its plain bytes")?;
    if quantum.len() == range.len() {
        plain[range].copy_from_slice(quantum.rest());
        return Ok(());
    }
    for from in range.clone().step_by(CHUNK) {
        let to = range.end.min(from + CHUNK);
        let limit = plain.len().min(to + lz::SLACK);
        let target = ChunkOutput { out: &mut plain[..limit], start: from, end: to };
        chunk(&mut quantum, header.method, target, work)?;
    }
    quantum.require(quantum.is_empty(), "has bytes after its end")
}

/// Decodes a chunk.
fn chunk(
    input: &mut StoredBytes<'_>,
    method: LzMethod,
    target: ChunkOutput<'_>,
    work: &mut ChunkWorkspace,
) -> Result<(), Error> {
    let start = input.part(FormatPart::Chunk);
    start.require(start.len() >= 4, "has no header")?;
    let mut at = start;
    let word = at.u24_be()?;
    let ChunkOutput { out, start: from, end: to } = target;
    if word & 0x80_0000 == 0 {
        return work.coder.exact(input, &mut out[from..to]);
    }
    let body = at.take((word & 0x7_FFFF) as usize)?;
    input.go_to(at);
    let mode = word >> 19 & 15;
    if body.len() < to - from {
        let target = ChunkOutput { out, start: from, end: to };
        match method {
            LzMethod::Kraken => lz::kraken::decode(body, mode, target, work),
            LzMethod::Mermaid => lz::mermaid::decode(body, mode, target, work),
            LzMethod::Leviathan => lz::leviathan::decode(body, mode, target, work),
        }
    } else {
        start.require(body.len() == to - from && mode == 0, "has a reserved header")?;
        out[from..to].copy_from_slice(body.rest());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(stored: &[u8], size: usize) -> Result<Vec<u8>, Error> {
        let mut plain = vec![0; size];
        decode(stored, &mut plain, &mut ChunkWorkspace::default()).map(|()| plain)
    }

    fn reason(stored: &[u8], size: usize) -> String {
        decoded(stored, size).unwrap_err().to_string()
    }

    #[test]
    fn a_stored_block_is_its_plain_bytes() {
        assert_eq!(decoded(b"\xCC\x06abc", 3), Ok(b"abc".to_vec()));
        assert_eq!(reason(b"\xCC\x06abc", 4), "block at byte 2 of the Oodle buffer: ends too early");
        assert_eq!(reason(b"\xCC\x06abc", 2), "block at byte 4 of the Oodle buffer: has bytes after its end");
    }

    #[test]
    fn nothing_becomes_nothing_only() {
        assert_eq!(decoded(b"", 0), Ok(vec![]));
        assert!(decoded(b"\x8C", 0).is_err() && decoded(b"", 1).is_err());
    }

    #[test]
    fn one_value_fills_a_quantum() {
        assert_eq!(decoded(b"\x8C\x0A\x07\xFF\xFFx", 4), Ok(b"xxxx".to_vec()));
        assert!(reason(b"\x8C\x0A\x0B\xFF\xFFx", 4).ends_with("has a reserved header"));
    }

    #[test]
    fn a_quantum_as_large_as_its_plain_bytes_is_raw() {
        assert_eq!(decoded(b"\x8C\x0C\0\0\x02abc", 3), Ok(b"abc".to_vec()));
        // With checksums, three bytes are skipped.
        assert_eq!(decoded(b"\x8C\x8C\0\0\x02???abc", 3), Ok(b"abc".to_vec()));
        assert!(reason(b"\x8C\x0C\0\0\x02abc", 2).ends_with("is larger than its plain bytes"));
    }

    #[test]
    fn a_chunk_may_be_one_array() {
        // Five bytes of x, in four.
        assert_eq!(
            decoded(b"\x8C\x06\0\0\x05\x30\0\x10\0\x01x", 7).map(|_| ()),
            Err(Error::Malformed {
                part: FormatPart::Array,
                at: 5,
                why: "does not give the plain bytes of its chunk",
            })
        );
        assert_eq!(decoded(b"\x8C\x06\0\0\x05\x30\0\x18\0\x01x", 7), Ok(vec![b'x'; 7]));
    }

    #[test]
    fn headers_are_checked() {
        assert!(reason(b"\x9C\x06abc", 3).ends_with("does not begin with a block header"));
        assert_eq!(decoded(b"\xCC\x07abc", 3), Err(Error::Method { id: 7, at: 0 }));
        assert_eq!(
            reason(b"\x8C\x06\0\0\x02\x80\0\x04", 9),
            "chunk at byte 5 of the Oodle buffer: has no header"
        );
    }
}
