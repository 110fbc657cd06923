//! What chunks are called: a number, and what they are.

use std::fmt;
use std::str::FromStr;

use super::version::ChunkTypes;

/// The identifier of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChunkId([u8; 12]);

/// Type of a chunk (Epic: `EIoChunkType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChunkType {
    /// A package.
    ExportBundleData,
    /// Data beside a package.
    BulkData,
    /// Such data that need not be there.
    OptionalBulkData,
    /// Such data that is mapped into memory.
    MemoryMappedBulkData,
    /// The classes and functions of the game.
    ScriptObjects,
    /// The same in Unreal Engine 4, without their names.
    LoaderInitialLoadMeta,
    /// Their names.
    LoaderGlobalNames,
    /// Hashes of these.
    LoaderGlobalNameHashes,
    /// What packages depend on.
    ContainerHeader,
    /// Any other, with its number.
    Other(u8),
}

impl ChunkId {
    pub(super) const fn new(bytes: [u8; 12]) -> Self {
        Self(bytes)
    }

    /// Creates the identifier of a chunk as Unreal Engine 5 numbers them.
    #[must_use]
    pub const fn of(id: u64, kind: u8) -> Self {
        let [a, b, c, d, e, f, g, h] = id.to_le_bytes();
        Self([a, b, c, d, e, f, g, h, 0, 0, 0, kind])
    }

    /// Returns its bytes.
    #[must_use]
    pub const fn bytes(self) -> [u8; 12] {
        self.0
    }

    /// Returns its number: that of its package, or a hash.
    #[must_use]
    pub const fn number(self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    /// Returns which of several parts of a package it is; 0 for the one that is always there.
    #[must_use]
    pub const fn index(self) -> u16 {
        let [_, _, _, _, _, _, _, _, high, low, ..] = self.0;
        u16::from_be_bytes([high, low])
    }

    pub(super) const fn kind(self, types: ChunkTypes) -> ChunkType {
        let [.., kind] = self.0;
        match (types, kind) {
            (ChunkTypes::Engine5, 1) | (ChunkTypes::Engine4, 2) => ChunkType::ExportBundleData,
            (ChunkTypes::Engine5, 2) | (ChunkTypes::Engine4, 3) => ChunkType::BulkData,
            (ChunkTypes::Engine5, 3) | (ChunkTypes::Engine4, 4) => ChunkType::OptionalBulkData,
            (ChunkTypes::Engine5, 4) | (ChunkTypes::Engine4, 5) => ChunkType::MemoryMappedBulkData,
            (ChunkTypes::Engine5, 5) => ChunkType::ScriptObjects,
            (ChunkTypes::Engine5, 6) | (ChunkTypes::Engine4, 10) => ChunkType::ContainerHeader,
            (ChunkTypes::Engine4, 7) => ChunkType::LoaderInitialLoadMeta,
            (ChunkTypes::Engine4, 8) => ChunkType::LoaderGlobalNames,
            (ChunkTypes::Engine4, 9) => ChunkType::LoaderGlobalNameHashes,
            (_, other) => ChunkType::Other(other),
        }
    }
}

impl ChunkType {
    /// Returns its numbers in Unreal Engine 5 and in 4, of those kinds that packages have.
    pub(crate) const fn numbers(self) -> [u8; 2] {
        match self {
            Self::ExportBundleData => [1, 2],
            Self::BulkData => [2, 3],
            Self::OptionalBulkData => [3, 4],
            Self::MemoryMappedBulkData => [4, 5],
            _ => [0, 0],
        }
    }

    /// Returns the ending of a file of this kind; none if it is not one of a package.
    #[must_use]
    pub const fn extension(self) -> Option<&'static str> {
        match self {
            Self::ExportBundleData => Some("uasset"),
            Self::BulkData => Some("ubulk"),
            Self::OptionalBulkData => Some("uptnl"),
            Self::MemoryMappedBulkData => Some("m.ubulk"),
            _ => None,
        }
    }
}

/// 24 hexadecimal digits.
impl FromStr for ChunkId {
    type Err = NoChunkId;

    fn from_str(text: &str) -> Result<Self, NoChunkId> {
        let mut bytes = [0; 12];
        let digits = text.as_bytes().chunks_exact(2);
        if text.len() != 24 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(NoChunkId);
        }
        for (byte, digits) in bytes.iter_mut().zip(digits) {
            let digits = str::from_utf8(digits).map_err(|_| NoChunkId)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| NoChunkId)?;
        }
        Ok(Self(bytes))
    }
}

/// A text is no identifier of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoChunkId;

/// 24 hexadecimal digits.
impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
