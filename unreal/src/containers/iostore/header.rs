//! The head of a table of contents: what is in it, and how it is stored.

use super::version::{TocLayout, TocVersion};
use crate::base::error::{Error, ErrorKind, Malformed, NotPackage};
use crate::base::guid::Guid;
use crate::base::reader::Reader;
use crate::base::unsupported::Unsupported;
use crate::base::writer::ByteWriter;

pub(super) const MAGIC: [u8; 16] = *b"-==--==--==--==-";

/// Bytes of a head.
pub(super) const SIZE: u64 = 144;

// Each block says itself whether it is compressed, so the first is not looked at.
const FLAG_COMPRESSED: u8 = 1;
const FLAG_ENCRYPTED: u8 = 2;
const FLAG_SIGNED: u8 = 4;
const FLAG_INDEXED: u8 = 8;
const FLAG_ON_DEMAND: u8 = 16;

/// What the head of a table of contents says.
#[derive(Clone, Debug)]
pub(super) struct TocHeader {
    pub(super) version: TocVersion,
    pub(super) layout: TocLayout,
    pub(super) entries: u32,
    pub(super) blocks: u32,
    pub(super) methods: u32,
    pub(super) method_length: u32,
    pub(super) block_size: u32,
    pub(super) directory_size: u32,
    pub(super) partitions: u32,
    pub(super) container: u64,
    pub(super) key: Guid,
    pub(super) is_encrypted: bool,
    pub(super) is_signed: bool,
    pub(super) is_indexed: bool,
    pub(super) is_on_demand: bool,
    /// Whether each block has a vector of its own.
    pub(super) has_vectors: bool,
    pub(super) seeds: u32,
    pub(super) partition_size: u64,
    pub(super) overflow: u32,
    pub(super) vectors: u32,
}

impl TocHeader {
    /// Reads the head.
    ///
    /// # Errors
    /// If it is none, of a version that is not known, or contradicts itself.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        const WHAT: &str = "head of a table of contents";
        let at = reader.at();
        if reader.array::<16>()? != MAGIC {
            return Err(Error::new(ErrorKind::NotThisFormat(NotPackage::Unknown), at, WHAT));
        }
        let version = reader.u8()?;
        let unknown = || Error::new(ErrorKind::Unsupported(Unsupported::TocVersion(version)), at, WHAT);
        let version = TocVersion::of(version).ok_or_else(unknown)?;
        let layout = version.layout();
        reader.skip(3)?;
        let stated = reader.u32()?;
        if u64::from(stated) != SIZE {
            return Err(reader.error(at, Malformed::HeaderSize(stated)));
        }
        let (entries, blocks) = (reader.u32()?, reader.u32()?);
        let block_entry = reader.u32()?;
        if block_entry != 12 {
            return Err(reader.error(at, Malformed::HeaderSize(block_entry)));
        }
        let (methods, method_length, block_size) = (reader.u32()?, reader.u32()?, reader.u32()?);
        let (directory_size, partitions) = (reader.u32()?, reader.u32()?);
        let container = reader.u64()?;
        let key = reader.guid()?;
        let (flags, cipher) = (reader.u8()?, reader.u8()?);
        reader.skip(2)?;
        let (seeds, partition_size) = (reader.u32()?, reader.u64()?);
        let overflow = reader.u32()?;
        reader.skip(4)?;
        let vectors = reader.u32()?;
        reader.skip(36)?;
        let has = |flag| flags & flag != 0;
        let has_vectors = match cipher {
            2 if layout.has_ciphers && has(FLAG_ENCRYPTED) => true,
            3.. if layout.has_ciphers => return Err(reader.error(at, Malformed::Cipher(cipher))),
            _ => false,
        };
        if block_size == 0 && blocks > 0 {
            return Err(reader.error(at, Malformed::HeaderSize(0)));
        }
        Ok(Self {
            version,
            layout,
            entries,
            blocks,
            methods,
            method_length,
            block_size,
            directory_size,
            partitions: if layout.has_partitions { partitions.max(1) } else { 1 },
            container,
            key,
            is_encrypted: has(FLAG_ENCRYPTED),
            is_signed: has(FLAG_SIGNED),
            is_indexed: has(FLAG_INDEXED),
            is_on_demand: has(FLAG_ON_DEMAND),
            has_vectors,
            seeds: if layout.has_seeds { seeds } else { 0 },
            partition_size: if layout.has_partitions { partition_size } else { u64::MAX },
            overflow: if layout.has_overflow { overflow } else { 0 },
            vectors: if has_vectors { vectors } else { 0 },
        })
    }
    /// Writes the head, as [`read`](Self::read) reads it.
    pub(super) fn write(&self, writer: &mut ByteWriter, is_compressed: bool) {
        writer.bytes(&MAGIC);
        writer.u8(self.version.number());
        writer.bytes(&[0; 3]);
        writer.u32(u32::try_from(SIZE).unwrap_or(u32::MAX));
        for number in [self.entries, self.blocks, 12, self.methods, self.method_length, self.block_size] {
            writer.u32(number);
        }
        writer.u32(self.directory_size);
        writer.u32(if self.layout.has_partitions { self.partitions } else { 0 });
        writer.u64(self.container);
        self.key.words().into_iter().for_each(|word| writer.u32(word));
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        writer.u8(flag(is_compressed, FLAG_COMPRESSED)
            | flag(self.is_encrypted, FLAG_ENCRYPTED)
            | flag(self.is_indexed, FLAG_INDEXED));
        writer.u8(match (self.layout.has_ciphers && self.is_encrypted, self.has_vectors) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        });
        writer.u16(0);
        writer.u32(self.seeds);
        writer.u64(if self.layout.has_partitions { self.partition_size } else { 0 });
        writer.u32(self.overflow);
        writer.u32(0);
        writer.u32(self.vectors);
        writer.bytes(&[0; 36]);
    }
}
