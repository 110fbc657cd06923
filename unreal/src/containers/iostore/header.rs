//! The head of a table of contents: what is in it, and how it is stored.

use super::version::{TocLayout, TocVersion};
use crate::base::error::{Error, ErrorKind, Malformed, NotPackage};
use crate::base::fields::{Fields, read_plain, write_plain};
use crate::base::guid::Guid;
use crate::base::reader::Reader;
use crate::base::unsupported::Unsupported;
use crate::base::writer::{ByteWriter, WriteError};

pub(super) const MAGIC: [u8; 16] = *b"-==--==--==--==-";

/// Bytes of a head.
pub(super) const SIZE: u64 = 144;

/// Bytes of an entry of the table of blocks.
const BLOCK_ENTRY: u32 = 12;

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

/// What follows magic and version, as it is stored.
#[derive(Debug, Default)]
struct StoredHeader {
    size: u32,
    entries: u32,
    blocks: u32,
    /// Bytes of an entry of the table of blocks.
    block_entry: u32,
    methods: u32,
    method_length: u32,
    block_size: u32,
    directory_size: u32,
    partitions: u32,
    container: u64,
    key: [u8; 16],
    flags: u8,
    cipher: u8,
    seeds: u32,
    partition_size: u64,
    overflow: u32,
    vectors: u32,
}

impl StoredHeader {
    fn fields<F: Fields>(&mut self, fields: &mut F) -> Result<(), F::Error> {
        fields.bytes(&mut [0; 3])?;
        fields.u32(&mut self.size)?;
        fields.u32(&mut self.entries)?;
        fields.u32(&mut self.blocks)?;
        fields.u32(&mut self.block_entry)?;
        fields.u32(&mut self.methods)?;
        fields.u32(&mut self.method_length)?;
        fields.u32(&mut self.block_size)?;
        fields.u32(&mut self.directory_size)?;
        fields.u32(&mut self.partitions)?;
        fields.u64(&mut self.container)?;
        fields.bytes(&mut self.key)?;
        fields.u8(&mut self.flags)?;
        fields.u8(&mut self.cipher)?;
        fields.u16(&mut 0)?;
        fields.u32(&mut self.seeds)?;
        fields.u64(&mut self.partition_size)?;
        fields.u32(&mut self.overflow)?;
        fields.u32(&mut 0)?;
        fields.u32(&mut self.vectors)?;
        fields.bytes(&mut [0; 36])
    }
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
        let stored = read_plain(reader, WHAT, |stored: &mut StoredHeader, fields| stored.fields(fields))?;
        if u64::from(stored.size) != SIZE {
            return Err(reader.error(at, Malformed::HeaderSize(stored.size)));
        }
        if stored.block_entry != BLOCK_ENTRY {
            return Err(reader.error(at, Malformed::HeaderSize(stored.block_entry)));
        }
        let has = |flag| stored.flags & flag != 0;
        let has_vectors = match stored.cipher {
            2 if layout.has_ciphers && has(FLAG_ENCRYPTED) => true,
            3.. if layout.has_ciphers => return Err(reader.error(at, Malformed::Cipher(stored.cipher))),
            _ => false,
        };
        if stored.block_size == 0 && stored.blocks > 0 {
            return Err(reader.error(at, Malformed::HeaderSize(0)));
        }
        Ok(Self {
            version,
            layout,
            entries: stored.entries,
            blocks: stored.blocks,
            methods: stored.methods,
            method_length: stored.method_length,
            block_size: stored.block_size,
            directory_size: stored.directory_size,
            partitions: if layout.has_partitions { stored.partitions.max(1) } else { 1 },
            container: stored.container,
            key: Guid::of_bytes(stored.key),
            is_encrypted: has(FLAG_ENCRYPTED),
            is_signed: has(FLAG_SIGNED),
            is_indexed: has(FLAG_INDEXED),
            is_on_demand: has(FLAG_ON_DEMAND),
            has_vectors,
            seeds: if layout.has_seeds { stored.seeds } else { 0 },
            partition_size: if layout.has_partitions { stored.partition_size } else { u64::MAX },
            overflow: if layout.has_overflow { stored.overflow } else { 0 },
            vectors: if has_vectors { stored.vectors } else { 0 },
        })
    }

    /// Writes the head, as [`read`](Self::read) reads it.
    ///
    /// # Errors
    /// As the writer of its fields, all of which have fixed sizes.
    pub(super) fn write(&self, writer: &mut ByteWriter, is_compressed: bool) -> Result<(), WriteError> {
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let mut stored = StoredHeader {
            size: u32::try_from(SIZE).unwrap_or(u32::MAX),
            entries: self.entries,
            blocks: self.blocks,
            block_entry: BLOCK_ENTRY,
            methods: self.methods,
            method_length: self.method_length,
            block_size: self.block_size,
            directory_size: self.directory_size,
            partitions: if self.layout.has_partitions { self.partitions } else { 0 },
            container: self.container,
            key: self.key.bytes(),
            flags: flag(is_compressed, FLAG_COMPRESSED)
                | flag(self.is_encrypted, FLAG_ENCRYPTED)
                | flag(self.is_indexed, FLAG_INDEXED),
            cipher: match (self.layout.has_ciphers && self.is_encrypted, self.has_vectors) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => 2,
            },
            seeds: self.seeds,
            partition_size: if self.layout.has_partitions { self.partition_size } else { 0 },
            overflow: self.overflow,
            vectors: self.vectors,
        };
        writer.bytes(&MAGIC);
        writer.u8(self.version.number());
        write_plain(writer, |fields| stored.fields(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_has_144_bytes() {
        let mut writer = ByteWriter::default();
        writer.bytes(&MAGIC);
        writer.u8(8);
        write_plain(&mut writer, |fields| StoredHeader::default().fields(fields)).unwrap();
        assert_eq!(writer.len(), 144);
    }
}
