//! An entry of a pak: its header, which stands in front of its bytes and in old indexes, and its encoded form.

use super::footer::Footer;
use super::version::{BlockOffsets, MethodCoding};
use crate::base::blocks::padded;
use crate::base::crypt::Vector;
use crate::base::error::{Error, Malformed};
use crate::base::reader::Reader;
use crate::base::writer::{ByteWriter, WriteError};

/// What an index says of an entry.
///
/// Read and written by hand, not by one walk: its header translates methods and offsets of blocks, and its encoded form
/// is packed into bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where its header lies.
    pub(super) offset: u64,
    /// Bytes of its data as they are stored, without those that fill it up.
    pub(super) compressed: u64,
    pub(super) size: u64,
    /// Number of the method, from 1; 0 for none.
    pub(super) slot: u32,
    pub(super) is_encrypted: bool,
    pub(super) is_deleted: bool,
    pub(super) block_size: u32,
    /// Where blocks begin and end, from the entry on.
    pub(super) blocks: EntryBlocks,
    pub(super) vector: Option<Vector>,
    /// None in an encoded entry; its header has one.
    pub(super) sha1: Option<[u8; 20]>,
}

/// Where the blocks of an entry lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EntryBlocks {
    /// It is not compressed: its bytes follow the header.
    Plain,
    /// Begin and end, counted from the entry.
    Places(Vec<(u64, u64)>),
}

/// In an encoded entry: the size of its blocks follows.
const STATED: u32 = 0x3F;

const FLAG_ENCRYPTED: u8 = 1;
const FLAG_DELETED: u8 = 2;

/// Reads the slot of a compression method, 0 for none.
fn read_slot(reader: &mut Reader<'_>, coding: MethodCoding, entry_at: u64) -> Result<u32, Error> {
    match coding {
        MethodCoding::ByteSlot => Ok(reader.u8()?.into()),
        MethodCoding::Slot => reader.u32(),
        MethodCoding::Flags => match reader.u32()? {
            0 => Ok(0),
            1 => Ok(1),
            2 => Ok(2),
            4 => Ok(3),
            other => Err(reader.error(entry_at, Malformed::Method(other))),
        },
    }
}

/// Reads the first byte of each block and the first after it, counted from a base.
fn read_blocks(reader: &mut Reader<'_>, base: u64) -> Result<Vec<(u64, u64)>, Error> {
    let count = reader.count(16)?;
    let mut blocks = Vec::with_capacity(count);
    for _ in 0..count {
        let at = reader.at();
        let (start, end) = (reader.u64()?, reader.u64()?);
        match (start.checked_sub(base), end.checked_sub(base)) {
            (Some(start), Some(end)) if start <= end => blocks.push((start, end)),
            _ => return Err(reader.error(at, Malformed::BlockPlace)),
        }
    }
    Ok(blocks)
}

impl Entry {
    /// Reads the header of an entry; `offset` is that of the entry if it is not the header that says it.
    ///
    /// # Errors
    /// If it ends early or contradicts itself.
    pub(super) fn read(reader: &mut Reader<'_>, footer: &Footer, offset: Option<u64>) -> Result<Self, Error> {
        let at = reader.at();
        let layout = footer.layout.entry;
        let stated = reader.u64()?;
        let offset = offset.unwrap_or(stated);
        let (compressed, size) = (reader.u64()?, reader.u64()?);
        let slot = read_slot(reader, layout.method, at)?;
        if layout.has_time {
            reader.skip(8)?;
        }
        let sha1 = Some(reader.array()?);
        let mut entry = Self {
            offset,
            compressed,
            size,
            slot,
            is_encrypted: false,
            is_deleted: false,
            block_size: 0,
            blocks: EntryBlocks::Plain,
            vector: None,
            sha1,
        };
        if layout.blocks == BlockOffsets::None {
            if slot != 0 {
                // One block, as no more are known.
                entry.block_size = u32::try_from(size).unwrap_or(u32::MAX);
                let start = layout.header_size(true, 0);
                entry.blocks = EntryBlocks::Places(vec![(start, start.saturating_add(compressed))]);
            }
            return Ok(entry);
        }
        if slot != 0 {
            let base = if layout.blocks == BlockOffsets::FromFile { offset } else { 0 };
            entry.blocks = EntryBlocks::Places(read_blocks(reader, base)?);
        }
        let flags = reader.u8()?;
        entry.is_encrypted = flags & FLAG_ENCRYPTED != 0;
        entry.is_deleted = flags & FLAG_DELETED != 0;
        entry.block_size = reader.u32()?;
        Ok(entry)
    }

    /// Writes the header of an entry, as [`read`](Self::read) reads it. In front of the data, `offset` is 0.
    ///
    /// # Errors
    /// If it has more blocks than can be stated.
    pub(super) fn write(
        &self,
        writer: &mut ByteWriter,
        footer: &Footer,
        offset: u64,
    ) -> Result<(), WriteError> {
        let layout = footer.layout.entry;
        writer.u64(offset);
        writer.u64(self.compressed);
        writer.u64(self.size);
        match layout.method {
            MethodCoding::ByteSlot => writer.u8(u8::try_from(self.slot).unwrap_or(u8::MAX)),
            MethodCoding::Slot => writer.u32(self.slot),
            MethodCoding::Flags => writer.u32(match self.slot {
                3 => 4,
                other => other,
            }),
        }
        if layout.has_time {
            writer.u64(0);
        }
        writer.bytes(&self.sha1.unwrap_or_default());
        if layout.blocks == BlockOffsets::None {
            return Ok(());
        }
        if let EntryBlocks::Places(places) = &self.blocks {
            writer.count("blocks of an entry", places.len())?;
            let base = if layout.blocks == BlockOffsets::FromFile { self.offset } else { 0 };
            for (start, end) in places {
                writer.u64(start.saturating_add(base));
                writer.u64(end.saturating_add(base));
            }
        }
        let encrypted = if self.is_encrypted { FLAG_ENCRYPTED } else { 0 };
        let deleted = if self.is_deleted { FLAG_DELETED } else { 0 };
        writer.u8(encrypted | deleted);
        writer.u32(self.block_size);
        Ok(())
    }

    /// Writes the encoded form of an entry, as [`decode`](Self::decode) reads it; false if it has none.
    pub(super) fn encode(&self, writer: &mut ByteWriter) -> bool {
        let (Ok(count), true) = (u16::try_from(self.block_count()), self.slot < 1 << 6) else { return false };
        let places = match &self.blocks {
            EntryBlocks::Plain => &[][..],
            EntryBlocks::Places(places) => places,
        };
        let sizes = places.iter().map(|(start, end)| u32::try_from(end.saturating_sub(*start)));
        let Ok(sizes) = sizes.collect::<Result<Vec<u32>, _>>() else { return false };
        let whole = self.block_size >> 11;
        let is_stated = whole << 11 != self.block_size || whole >= STATED;
        let narrow = |value: u64, bit: u32| if u32::try_from(value).is_ok() { 1 << bit } else { 0 };
        writer.u32(
            if is_stated { STATED } else { whole }
                | u32::from(count) << 6
                | u32::from(self.is_encrypted) << 22
                | self.slot << 23
                | narrow(self.compressed, 29)
                | narrow(self.size, 30)
                | narrow(self.offset, 31),
        );
        if is_stated {
            writer.u32(self.block_size);
        }
        let mut number = |value: u64| match u32::try_from(value) {
            Ok(value) => writer.u32(value),
            Err(_) => writer.u64(value),
        };
        number(self.offset);
        number(self.size);
        if let Some(vector) = &self.vector {
            writer.bytes(vector);
        }
        if self.slot != 0 {
            match u32::try_from(self.compressed) {
                Ok(compressed) => writer.u32(compressed),
                Err(_) => writer.u64(self.compressed),
            }
            if count != 1 || self.is_encrypted {
                sizes.into_iter().for_each(|size| writer.u32(size));
            }
        }
        true
    }

    /// Reads an encoded entry, but not where its blocks lie; and how many there are. Many entries of a hostile index
    /// may share the places of their blocks, which take far longer.
    ///
    /// # Errors
    /// If it ends early or contradicts itself.
    pub(super) fn decode_head(reader: &mut Reader<'_>, footer: &Footer) -> Result<(Self, u32), Error> {
        let flags = reader.u32()?;
        let is_narrow = |bit: u32| flags >> bit & 1 == 1;
        let number = |reader: &mut Reader<'_>, is_narrow: bool| -> Result<u64, Error> {
            if is_narrow { reader.u32().map(u64::from) } else { reader.u64() }
        };
        let block_size = match flags & STATED {
            STATED => reader.u32()?,
            shifted => shifted << 11,
        };
        let count = flags >> 6 & 0xFFFF;
        let (is_encrypted, slot) = (flags >> 22 & 1 == 1, flags >> 23 & 0x3F);
        let offset = number(reader, is_narrow(31))?;
        let size = number(reader, is_narrow(30))?;
        let vector = (footer.has_vectors && is_encrypted).then(|| reader.array()).transpose()?;
        let compressed = if slot == 0 { size } else { number(reader, is_narrow(29))? };
        let entry = Self {
            offset,
            compressed,
            size,
            slot,
            is_encrypted,
            is_deleted: false,
            block_size,
            blocks: EntryBlocks::Plain,
            vector,
            sha1: None,
        };
        Ok((entry, count))
    }

    /// Reads an encoded entry.
    ///
    /// # Errors
    /// If it ends early or contradicts itself.
    pub(super) fn decode(reader: &mut Reader<'_>, footer: &Footer) -> Result<Self, Error> {
        let (mut entry, count) = Self::decode_head(reader, footer)?;
        if entry.slot == 0 {
            return Ok(entry);
        }
        let mut start = footer.layout.entry.header_size(true, count.into());
        let places = if count == 1 && !entry.is_encrypted {
            vec![(start, start.saturating_add(entry.compressed))]
        } else {
            let at = reader.at();
            let mut places = Vec::with_capacity(reader.fitting(count, 4, at)?);
            for _ in 0..count {
                let stored = u64::from(reader.u32()?);
                places.push((start, start.saturating_add(stored)));
                start = start.saturating_add(if entry.is_encrypted { padded(stored) } else { stored });
            }
            places
        };
        entry.blocks = EntryBlocks::Places(places);
        Ok(entry)
    }

    /// Returns where its data ends, from the entry on.
    pub(super) fn end(&self, footer: &Footer, blocks: u64) -> u64 {
        // The end of an entry of which the first bytes alone are encrypted is not filled up.
        let is_padded = self.is_encrypted && footer.rules.limit.is_none();
        let stored = if is_padded { padded(self.compressed) } else { self.compressed };
        self.header_size(footer, blocks).saturating_add(stored)
    }

    /// Returns how many blocks it has.
    pub(super) fn block_count(&self) -> u64 {
        match &self.blocks {
            EntryBlocks::Plain => 0,
            EntryBlocks::Places(places) => places.len() as u64,
        }
    }

    /// Returns the bytes of its header with so many blocks.
    pub(super) fn header_size(&self, footer: &Footer, blocks: u64) -> u64 {
        footer.layout.entry.header_size(self.slot != 0, blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoded_entry_states_sizes_of_blocks_that_its_flags_cannot() {
        let encoded = |block_size: u32| {
            let entry = Entry {
                offset: 5,
                compressed: 20,
                size: 100,
                slot: 1,
                is_encrypted: false,
                is_deleted: false,
                block_size,
                blocks: EntryBlocks::Places(vec![(0, 12), (12, 20)]),
                vector: None,
                sha1: None,
            };
            let mut writer = ByteWriter::default();
            assert!(entry.encode(&mut writer));
            let bytes = writer.into_bytes();
            bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect::<Vec<_>>()
        };
        // Two blocks, the first method, and three narrow numbers.
        let flags = 2 << 6 | 1 << 23 | 7 << 29;
        assert_eq!(encoded(65_536), [flags | 32, 5, 100, 20, 12, 8]);
        assert_eq!(encoded(62 << 11), [flags | 62, 5, 100, 20, 12, 8]);
        for stated in [63 << 11, 131_072, 1000, 65_537] {
            assert_eq!(encoded(stated), [flags | 63, stated, 5, 100, 20, 12, 8], "{stated}");
        }
    }
}
