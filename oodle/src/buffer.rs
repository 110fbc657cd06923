//! A buffer: blocks, quanta and chunks.
//!
//! ```text
//! buffer    blocks of 0x40000 plain bytes, the last one shorter
//! block     2-byte header, then the plain bytes, or a quantum
//! quantum   3-byte header, then the plain bytes, one byte that fills them, or chunks
//! chunk     of 0x20000 plain bytes, the last one shorter: one entropy array, or a 3-byte header and LZ or plain bytes
//! ```

use crate::error::{Error, Phase};
use crate::input::Input;
use crate::lz::{self, Target, Work};

const BLOCK: usize = 0x4_0000;
const CHUNK: usize = 0x2_0000;

/// A method that is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Kraken,
    /// And Selkie, which has the same format.
    Mermaid,
    Leviathan,
}

/// Header of a block.
#[derive(Debug, PartialEq, Eq)]
struct BlockHeader {
    method: Method,
    is_stored: bool,
    /// Nothing before the block is referred to.
    restarts: bool,
    has_checksums: bool,
}

impl BlockHeader {
    fn read(input: &mut Input<'_>) -> Result<Self, Error> {
        let start = *input;
        let (first, second) = (input.u8()?, input.u8()?);
        start.require(first & 0x3F == 0x0C, "does not begin with a block header")?;
        let method = match second & 0x7F {
            6 => Method::Kraken,
            10 => Method::Mermaid,
            12 => Method::Leviathan,
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
pub(crate) fn decode(stored: &[u8], plain: &mut [u8], work: &mut Work) -> Result<(), Error> {
    let mut input = Input::new(stored);
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
    input.require(input.is_empty(), "has bytes behind its end")
}

/// Decodes a quantum to `plain[range]`.
fn quantum(
    input: &mut Input<'_>,
    header: &BlockHeader,
    plain: &mut [u8],
    range: std::ops::Range<usize>,
    work: &mut Work,
) -> Result<(), Error> {
    /// Size that means a quantum of one value.
    const FILL: u32 = 0x3_FFFF;
    let start = input.phase(Phase::Quantum);
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
        let target = Target { out: &mut plain[..limit], start: from, end: to };
        chunk(&mut quantum, header.method, target, work)?;
    }
    quantum.require(quantum.is_empty(), "has bytes behind its end")
}

/// Decodes a chunk.
fn chunk(input: &mut Input<'_>, method: Method, target: Target<'_>, work: &mut Work) -> Result<(), Error> {
    let start = input.phase(Phase::Chunk);
    start.require(start.len() >= 4, "has no header")?;
    let mut at = start;
    let word = at.u24_be()?;
    let Target { out, start: from, end: to } = target;
    if word & 0x80_0000 == 0 {
        return work.coder.exact(input, &mut out[from..to]);
    }
    let body = at.take((word & 0x7_FFFF) as usize)?;
    input.go_to(at);
    let mode = word >> 19 & 15;
    if body.len() < to - from {
        let target = Target { out, start: from, end: to };
        match method {
            Method::Kraken => lz::kraken::decode(body, mode, target, work),
            Method::Mermaid => lz::mermaid::decode(body, mode, target, work),
            Method::Leviathan => lz::leviathan::decode(body, mode, target, work),
        }
    } else {
        start.require(body.len() == to - from && mode == 0, "has a reserved header")?;
        out[from..to].copy_from_slice(body.rest());
        Ok(())
    }
}
