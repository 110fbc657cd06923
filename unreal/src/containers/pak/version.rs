//! Versions of pak files, and the only comparisons of them.
//!
//! Source: *packages-ue4-ue6*, §3: 12 and 15 measured.

use std::fmt;
use std::str::FromStr;

use crate::base::crypt::GameCipher;
use crate::base::writer::StringCoding;

/// The version that the footer of a pak states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PakVersion(u32);

/// The first version in which something is different.
pub(crate) mod rules {
    use super::PakVersion;
    use crate::base::threshold::thresholds;

    thresholds! {
        pub(crate) PakVersion = PakVersion;
        /// An entry has no time.
        ///
        /// Epic: `NoTimestamps`.
        NO_TIMES = 2;
        /// An entry states the offsets of its blocks, and whether it is encrypted.
        ///
        /// Epic: `CompressionEncryption`.
        BLOCKS = 3;
        /// The footer states whether the index is encrypted.
        ///
        /// Epic: `IndexEncryption`.
        INDEX_ENCRYPTION = 4;
        /// Offsets of blocks count from their entry.
        ///
        /// Epic: `RelativeChunkOffsets`.
        RELATIVE_BLOCKS = 5;
        /// The footer names the key.
        ///
        /// Epic: `EncryptionKeyGuid`.
        KEY_GUID = 7;
        /// The footer names the methods of compression.
        ///
        /// Epic: `FNameBasedCompressionMethod`.
        METHOD_NAMES = 8;
        /// The footer states whether the index is an image of memory; this version only.
        ///
        /// Epic: `FrozenIndex`.
        FROZEN_INDEX = 9;
        /// Entries are found by the hashes of their paths; what saves less than 1 KiB is not compressed.
        ///
        /// Epic: `PathHashIndex`.
        PATH_HASHES = 10;
        /// These hashes are FNV-1a; before, only nearly.
        ///
        /// Epic: `Fnv64BugFix`.
        KNOWN_HASHES = 11;
        /// Names that are more than ASCII are UTF-8.
        ///
        /// Epic: `Utf8PakDirectory`.
        UTF_8_NAMES = 12;
        /// The directory of an index may be sorted and flat.
        FLAT_DIRECTORY = 13;
        /// The footer has the number of the chunk.
        CHUNK_NUMBER = 14;
        /// The footer states how the pak is encrypted; no later version is known.
        CIPHERS = 15;
    }

    /// The last one that is known.
    pub(super) const LAST: PakVersion = CIPHERS;
}

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

impl PakLayout {
    /// Returns whether it is a layout of a version.
    pub(super) fn is_of(&self, version: PakVersion) -> bool {
        self.version == version
    }
}

impl PakVersion {
    /// Returns the version that a footer states, if it is known.
    pub(super) fn of(number: u32) -> Option<Self> {
        (1..=rules::LAST.0).contains(&number).then_some(Self(number))
    }

    /// Returns the number of the version.
    pub(super) const fn number(self) -> u32 {
        self.0
    }

    fn reaches(self, other: Self) -> bool {
        self.0 >= other.0
    }

    /// Returns what follows from a version, and from how many methods its footer has room for.
    pub(super) fn layout(self, method_names: usize) -> PakLayout {
        PakLayout {
            version: self,
            method_names,
            has_key_guid: self.reaches(rules::KEY_GUID),
            says_encrypted: self.reaches(rules::INDEX_ENCRYPTION),
            says_frozen: self == rules::FROZEN_INDEX,
            has_chunk_number: self.reaches(rules::CHUNK_NUMBER),
            has_ciphers: self.reaches(rules::CIPHERS),
            has_known_hashes: self.reaches(rules::KNOWN_HASHES),
            has_flat_directory: self.reaches(rules::FLAT_DIRECTORY),
            names: if self.reaches(rules::UTF_8_NAMES) { StringCoding::Utf8 } else { StringCoding::Utf16 },
            least_saved: if self.reaches(rules::PATH_HASHES) { 1024 } else { 1 },
            index: if self.reaches(rules::PATH_HASHES) { EntryNaming::Hashed } else { EntryNaming::Listed },
            entry: EntryLayout {
                has_time: !self.reaches(rules::NO_TIMES),
                // 4.22 had four methods and a byte for them.
                method: match (self.reaches(rules::METHOD_NAMES), method_names) {
                    (false, _) => MethodCoding::Flags,
                    (true, 5..) => MethodCoding::Slot,
                    (true, _) => MethodCoding::ByteSlot,
                },
                blocks: if self.reaches(rules::RELATIVE_BLOCKS) {
                    BlockOffsets::FromEntry
                } else if self.reaches(rules::BLOCKS) {
                    BlockOffsets::FromFile
                } else {
                    BlockOffsets::None
                },
            },
        }
    }

    /// Returns how many methods a footer of this version has room for, wherever its magic lies: several only where it
    /// has to be seen.
    pub(super) fn method_names(self) -> std::ops::RangeInclusive<usize> {
        match self {
            version if !version.reaches(rules::METHOD_NAMES) => 0..=0,
            version if version.reaches(rules::FROZEN_INDEX) => 5..=5,
            _ => 1..=5,
        }
    }
}

/// A version, with as many names of methods as it has room for: of version 8 there were two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PakForm {
    version: PakVersion,
    method_names: usize,
}

/// Bytes of a block, unless an entry would have more of them than can be encoded.
const BLOCK_SIZE: u64 = 64 << 10;
/// Blocks that an encoded entry can have.
const MAX_BLOCKS: u64 = 0xFFFF;

impl PakForm {
    /// Returns the form of paks with such a layout.
    pub(super) const fn of(layout: PakLayout) -> Self {
        Self { version: layout.version, method_names: layout.method_names }
    }

    /// Returns whether mods of a game have paks of this form.
    pub(super) fn is_of(self, game: GameCipher) -> bool {
        match game {
            GameCipher::Rivals => [rules::METHOD_NAMES, rules::KNOWN_HASHES]
                .into_iter()
                .any(|version| self == Self { version, method_names: *version.method_names().end() }),
        }
    }

    pub(super) fn layout(self) -> PakLayout {
        self.version.layout(self.method_names)
    }

    /// Returns the bytes of each block of an entry of so many that is compressed, but for its last: all of it is one
    /// block where a version knows no others.
    #[must_use]
    pub fn block_size(self, size: u64) -> u64 {
        if self.layout().entry.blocks == BlockOffsets::None {
            return size.max(1);
        }
        let mut block = BLOCK_SIZE;
        while size.div_ceil(block.max(1)) > MAX_BLOCKS {
            block = block.saturating_mul(2);
        }
        block
    }
}

impl Default for PakForm {
    /// Version 11: that of Unreal Engine 4.26 to 5.
    fn default() -> Self {
        let version = rules::KNOWN_HASHES;
        Self { version, method_names: *version.method_names().end() }
    }
}

impl fmt::Display for PakForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.version.fmt(f)?;
        // The first release with names of methods, 4.22, had four.
        match (self.version == rules::METHOD_NAMES, self.method_names) {
            (true, 4) => f.write_str("a"),
            (true, _) => f.write_str("b"),
            (false, _) => Ok(()),
        }
    }
}

/// `11`, or `8a` for the first form of version 8.
impl FromStr for PakForm {
    type Err = UnknownPakForm;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, form) = match text.strip_suffix(['a', 'b']) {
            Some(number) => (number, text.chars().last()),
            None => (text, None),
        };
        let version = number.parse().ok().and_then(PakVersion::of).ok_or(UnknownPakForm)?;
        match (version == rules::METHOD_NAMES, form) {
            (true, Some('a')) => Ok(Self { version, method_names: 4 }),
            (false, Some(_)) => Err(UnknownPakForm),
            _ => Ok(Self { version, method_names: *version.method_names().end() }),
        }
    }
}

/// A text is no version of a pak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPakForm;

impl fmt::Display for UnknownPakForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no version of a pak; these are 1 to {}, 8a for that of 4.22", rules::LAST)
    }
}

impl std::error::Error for UnknownPakForm {}

impl fmt::Display for PakVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Fact = (u32, fn(PakLayout) -> bool);

    const FACTS: [Fact; 14] = [
        (2, |l| !l.entry.has_time),
        (3, |l| l.entry.blocks != BlockOffsets::None),
        (4, |l| l.says_encrypted),
        (5, |l| l.entry.blocks == BlockOffsets::FromEntry),
        (7, |l| l.has_key_guid),
        (8, |l| l.entry.method != MethodCoding::Flags),
        (9, |l| l.says_frozen || l.index == EntryNaming::Hashed),
        (10, |l| l.index == EntryNaming::Hashed),
        (10, |l| l.least_saved == 1024),
        (11, |l| l.has_known_hashes),
        (12, |l| l.names == StringCoding::Utf8),
        (13, |l| l.has_flat_directory),
        (14, |l| l.has_chunk_number),
        (15, |l| l.has_ciphers),
    ];

    #[test]
    fn each_fact_holds_from_its_threshold_on() {
        let layout = |number| PakVersion(number).layout(*PakVersion(number).method_names().end());
        for (number, fact) in FACTS {
            assert!(!fact(layout(number - 1)), "before {number}");
            assert!(fact(layout(number)), "from {number} on");
        }
        for threshold in rules::THRESHOLDS {
            assert!(FACTS.iter().any(|(number, _)| *number == threshold.version.0), "{}", threshold.name);
        }
    }

    #[test]
    fn versions_from_1_to_15_are_known() {
        let known: Vec<u32> = (0..20).filter(|number| PakVersion::of(*number).is_some()).collect();
        assert_eq!(known, Vec::from_iter(1..=15));
    }
}
