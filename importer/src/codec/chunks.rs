//! The chunks of a form: RIFF has little-endian sizes, AIFF big-endian ones.
//!
//! Sizes are believed only as far as bytes are there: the size of the form is ignored, a chunk that reaches past the
//! payload ends with it, and where the pad byte after an odd chunk is missing the next chunk is found all the same.

use super::pcm::ByteOrder;
use crate::Damage;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;

/// A chunk: offset of its body, and how much of it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) id: [u8; 4],
    pub(super) at: u64,
    pub(super) length: u64,
}

/// More than any real file has; a payload of nothing but chunk headers must not take for ever.
const MAX_CHUNKS: usize = 1024;
/// `RIFF` or `FORM`, its size, its type.
pub(super) const FORM_HEADER: u64 = 12;
pub(super) const CHUNK_HEADER: u64 = 8;

/// Returns the chunks of a form.
///
/// # Errors
/// If there are more than any file has, or they cannot be read.
pub(super) fn chunks(
    reader: &PayloadReader<'_>,
    order: ByteOrder,
    repairs: &mut Vec<String>,
) -> Result<Vec<Chunk>, Damage> {
    let mut chunks = Vec::new();
    let mut at = FORM_HEADER;
    while let Some((id, claimed)) = header(reader, order, at)? {
        if !is_plausible(id) {
            let rest = reader.length().saturating_sub(at);
            repairs.push(format!("{rest} bytes after the last chunk ignored"));
            break;
        }
        if chunks.len() == MAX_CHUNKS {
            return Err(malformed(at, format!("more than {MAX_CHUNKS} chunks")));
        }
        let body = at.saturating_add(CHUNK_HEADER);
        let there = reader.length().saturating_sub(body);
        if claimed > there {
            let name = String::from_utf8_lossy(&id).into_owned();
            repairs.push(format!("chunk \"{name}\" claims {claimed} bytes, {there} are there"));
        }
        let length = claimed.min(there);
        chunks.push(Chunk { id, at: body, length });
        let end = body.saturating_add(length);
        at = after(reader, order, end, length % 2 == 1, repairs)?;
    }
    Ok(chunks)
}

/// Returns where the next chunk starts: after the pad byte of an odd chunk, unless that was left out. A pad byte is 0,
/// so what can be read as an id without skipping one is an id, unless skipping one gives an id that is known.
fn after(
    reader: &PayloadReader<'_>,
    order: ByteOrder,
    end: u64,
    is_odd: bool,
    repairs: &mut Vec<String>,
) -> Result<u64, Damage> {
    if !is_odd {
        return Ok(end);
    }
    let padded = end.saturating_add(1);
    let is_padded = header(reader, order, padded)?.is_some_and(|(id, _)| KNOWN.contains(&&id));
    if !is_padded && header(reader, order, end)?.is_some_and(|(id, _)| is_plausible(id)) {
        repairs.push(format!("no pad byte after the odd chunk that ends at {end:#x}"));
        return Ok(end);
    }
    Ok(padded)
}

/// Returns the id and size of the chunk at a place; none if fewer bytes than a header are left.
fn header(reader: &PayloadReader<'_>, order: ByteOrder, at: u64) -> Result<Option<([u8; 4], u64)>, Damage> {
    if reader.length().saturating_sub(at) < CHUNK_HEADER {
        return Ok(None);
    }
    let bytes = reader.bytes(at, CHUNK_HEADER)?;
    match bytes.as_slice() {
        [a, b, c, d, e, f, g, h] => {
            let size = match order {
                ByteOrder::Little => u32::from_le_bytes([*e, *f, *g, *h]),
                ByteOrder::Big => u32::from_be_bytes([*e, *f, *g, *h]),
            };
            Ok(Some(([*a, *b, *c, *d], u64::from(size))))
        }
        _ => Ok(None),
    }
}

/// Ids that follow the data in real files.
const KNOWN: [&[u8; 4]; 19] = [
    b"fmt ", b"data", b"smpl", b"LIST", b"cue ", b"fact", b"inst", b"bext", b"acid", b"DISP", b"plst",
    b"COMM", b"SSND", b"MARK", b"INST", b"NAME", b"ANNO", b"APPL", b"COMT",
];

/// Returns whether it is a chunk id: four printable characters.
fn is_plausible(id: [u8; 4]) -> bool {
    id.iter().all(|byte| matches!(byte, b' '..=b'~'))
}
