//! Where a chunk is in a table of contents, by its identifier alone.
//!
//! ```text
//! seed = seeds[hash(id, 0) mod seeds]      0: not there · below 0: at −seed − 1 · else at hash(id, seed) mod entries
//! ```

use super::chunk_id::ChunkId;

/// Where a chunk may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Nowhere.
    Absent,
    /// At this entry, if it is there.
    Entry(u64),
    /// Among those outside of the hash.
    Overflow,
}

/// Returns the hash of an identifier.
pub(super) fn hash(id: ChunkId, seed: i32) -> u64 {
    const START: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    let from = if seed == 0 { START } else { u64::from(seed.cast_unsigned()) };
    id.bytes().into_iter().fold(from, |hash, byte| hash.wrapping_mul(PRIME) ^ u64::from(byte))
}

/// Returns where a chunk may be among so many entries.
pub(super) fn slot(id: ChunkId, entries: u64, seed_count: u64, seed: impl Fn(u64) -> Option<i32>) -> Slot {
    let Some(seed) = hash(id, 0).checked_rem(seed_count).and_then(seed) else { return Slot::Absent };
    match seed {
        0 => Slot::Absent,
        ..0 => match u64::from(seed.unsigned_abs()).saturating_sub(1) {
            place if place < entries => Slot::Entry(place),
            _ => Slot::Overflow,
        },
        _ => hash(id, seed).checked_rem(entries).map_or(Slot::Absent, Slot::Entry),
    }
}
