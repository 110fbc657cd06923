//! What the version of a pak decides.

use super::version::PakVersion;
use crate::base::writer::StringCoding;

/// The forms that a pak of some version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PakLayout {
    pub(super) version: PakVersion,
    /// How many names of methods its footer has room for.
    pub(super) method_names: usize,
    pub(super) has_key_guid: bool,
    pub(super) says_encrypted: bool,
    pub(super) says_frozen: bool,
    pub(super) has_chunk_number: bool,
    pub(super) has_ciphers: bool,
    pub(super) has_flat_directory: bool,
    /// How names in it are written.
    pub(super) names: StringCoding,
    /// Whether the hash of a path is the one that is known.
    pub(super) has_known_hashes: bool,
    pub(super) index: EntryNaming,
    /// Bytes that the first block of an entry has to save, so that it is compressed by the engine's own tool.
    pub(super) least_saved: usize,
    pub(super) entry: EntryLayout,
}

/// How the index names entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryNaming {
    /// One after another, each with its path.
    Listed,
    /// By hashes of their paths, and in folders.
    Hashed,
}

/// The form of the header of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryLayout {
    pub(super) has_time: bool,
    pub(super) method: MethodCoding,
    pub(super) blocks: BlockOffsets,
}

/// How an entry says which method it is compressed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MethodCoding {
    /// By flags: zlib, gzip, custom.
    Flags,
    /// By the number of a name in the footer, in a byte.
    ByteSlot,
    /// The same in four bytes.
    Slot,
}

/// Where places of blocks are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockOffsets {
    /// It has no blocks.
    None,
    FromFile,
    FromEntry,
}

impl EntryLayout {
    /// Returns the bytes of the header of an entry with so many blocks.
    pub(super) fn header_size(self, is_compressed: bool, blocks: u64) -> u64 {
        let time = if self.has_time { 8 } else { 0 };
        let method = if self.method == MethodCoding::ByteSlot { 1 } else { 4 };
        let rest = match self.blocks {
            BlockOffsets::None => 0,
            _ if is_compressed => 9_u64.saturating_add(blocks.saturating_mul(16)),
            _ => 5,
        };
        [24, method, time, 20, rest].into_iter().fold(0, u64::saturating_add)
    }
}
