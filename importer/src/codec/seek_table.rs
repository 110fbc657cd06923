//! Tables by which Unreal Engine finds a place in a stream; they may stand before any packet.
//!
//! Source: *packages-ue4-ue6*, §11.3, measured.

use crate::Damage;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;

/// Returns how long a seek table is that begins there; 0 if there is none.
pub(super) fn length(reader: &PayloadReader<'_>, at: u64) -> Result<u64, Damage> {
    let head = reader.bytes(at, 15.min(reader.length().saturating_sub(at)))?;
    if !head.starts_with(b"SEEK") {
        return Ok(0);
    }
    let count = |at: usize| {
        let bytes = head.get(at..).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)))
    };
    match head.get(4) {
        Some(0) => Ok(count(11).saturating_mul(2).saturating_add(15)),
        Some(1) => Ok(count(5).saturating_mul(4).saturating_add(17)),
        _ => Err(malformed(at, "a seek table of an unknown kind")),
    }
}
