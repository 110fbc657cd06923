//! The sections of a table of contents. Those that say where chunks lie stay as they are in the file, and are read
//! where they are asked for: there may be millions of rows. Hashes are left in the file until then.
//!
//! ```text
//! head │ ids │ offsets │ seeds │ overflow │ blocks │ vectors │ methods │ signatures │ directory │ metas │ on demand
//!        ╰── kept ─────────────────────────────────────────╯          in the file   paths      in the file
//! ```

use super::chunk_id::ChunkId;
use super::directory;
use super::fixed_rows::{FixedRows, Places, WHAT};
use super::header::TocHeader;
use super::paths::Paths;
use super::perfect_hash::{self, ChunkSlot, HashTable};
use super::version::OnDemand;
use super::written_chunk::WrittenChunk;
use crate::base::blocks::StoredBlock;
use crate::base::compress::Method;
use crate::base::crypt::{AesKey, Cipher, KeyRing, Vector};
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::source::{Memory, Source};
use crate::base::writer::{ByteWriter, WriteError};

/// A table of contents.
pub(super) struct Toc {
    source: Box<dyn Source>,
    pub(super) header: TocHeader,
    ids: FixedRows<12>,
    ranges: FixedRows<10>,
    seeds: FixedRows<4>,
    overflow: FixedRows<4>,
    blocks: FixedRows<12>,
    vectors: FixedRows<12>,
    /// Names of methods, and which they are if they are known.
    pub(super) methods: Vec<(String, Option<Method>)>,
    /// Hashes and flags of chunks.
    metas: Places,
    /// SHA-1 of each block as it is stored, where the container is signed.
    signatures: Places,
    pub(super) mount: String,
    /// Where the table ends as it was read; whatever follows is not known.
    pub(super) end: u64,
}

/// The directory of a table of contents, and the key that opened it.
#[derive(Default)]
pub(super) struct Directory {
    pub(super) paths: Box<Paths>,
    pub(super) key: Option<AesKey>,
    /// Whether nothing in the table says that the key is right.
    pub(super) has_chosen_any: bool,
}

/// What a table says of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockRow {
    /// Where it begins, over all files of data.
    pub(super) offset: u64,
    /// Bytes that it takes, without those that fill it up.
    pub(super) stored: u32,
    /// Bytes that it becomes.
    pub(super) size: u32,
    /// Number of its method, from 1; 0 for none.
    pub(super) slot: u8,
}

/// Bytes of the name of a method.
pub(super) const METHOD_NAME: u32 = 32;

/// What is written of a container that was put together.
pub(super) struct TocRows<'r> {
    /// In the order of the table.
    pub(super) chunks: &'r [WrittenChunk],
    pub(super) table: &'r HashTable,
    pub(super) blocks: &'r [BlockRow],
    pub(super) vectors: &'r [Vector],
}

impl TocRows<'_> {
    /// Writes what follows the head, as [`Toc::read`] reads it.
    ///
    /// # Errors
    /// If a number is larger than its row can state.
    pub(super) fn write(
        &self,
        writer: &mut ByteWriter,
        header: &TocHeader,
        method: Option<Method>,
        directory: &[u8],
    ) -> Result<(), WriteError> {
        const FIVE: u64 = 0xFF_FFFF_FFFF;
        const THREE: u64 = 0xFF_FFFF;
        let within = |what, value: u64, most: u64| {
            if value <= most { Ok(value) } else { Err(WriteError::TooLarge { what, value, most }) }
        };
        self.chunks.iter().for_each(|chunk| writer.bytes(&chunk.id.bytes()));
        for chunk in self.chunks {
            for value in [chunk.range.0, chunk.range.1] {
                let [_, _, _, bytes @ ..] = within("bytes of a container", value, FIVE)?.to_be_bytes();
                writer.bytes(&bytes);
            }
        }
        self.table.seeds.iter().for_each(|seed| writer.i32(*seed));
        self.table.overflow.iter().for_each(|place| writer.u32(*place));
        for block in self.blocks {
            let [offset @ .., _, _, _] = within("bytes of a container", block.offset, FIVE)?.to_le_bytes();
            writer.bytes(&offset);
            for value in [block.stored, block.size] {
                within("bytes of a block", value.into(), THREE)?;
                let [bytes @ .., _] = value.to_le_bytes();
                writer.bytes(&bytes);
            }
            writer.u8(block.slot);
        }
        self.vectors.iter().for_each(|vector| writer.bytes(vector));
        if let Some(method) = method {
            let mut name = [0; METHOD_NAME as usize];
            name.iter_mut().zip(method.container_name().bytes()).for_each(|(place, byte)| *place = byte);
            writer.bytes(&name);
        }
        writer.bytes(directory);
        let meta = usize::try_from(header.layout.meta_size).unwrap_or_default();
        for chunk in self.chunks {
            let flags = u8::from(chunk.is_compressed);
            let mut row = vec![0; meta];
            row.iter_mut().zip(chunk.hash).for_each(|(place, byte)| *place = byte);
            // After a hash of 20 bytes, or of 32 of which the rest is zero.
            let place = if header.layout.has_short_hashes { 20 } else { 32 };
            if let Some(place) = row.get_mut(place) {
                *place = flags;
            }
            writer.bytes(&row);
        }
        Ok(())
    }
}

impl TocHeader {
    /// Reads the names of compression methods, each as long as the header says.
    fn read_methods(
        &self,
        reader: &mut Reader<'_>,
        limits: &mut Limits,
    ) -> Result<Vec<(String, Option<Method>)>, Error> {
        let at = reader.at();
        let count = reader.fitting(self.methods, u64::from(self.method_length).max(1), at)?;
        let length = usize::try_from(self.method_length).unwrap_or(usize::MAX);
        limits.take((count as u64).saturating_mul(64), at, WHAT)?;
        let mut methods = Vec::new();
        for _ in 0..count {
            let name = reader.bytes(length)?.split(|byte| *byte == 0).next().unwrap_or_default();
            let name = String::from_utf8_lossy(name).into_owned();
            let method = Method::of_container(&name);
            methods.push((name, method));
        }
        Ok(methods)
    }
}

impl Toc {
    /// Reads a table of contents, and decrypts what is encrypted in it. The paths come first: reading them takes memory
    /// for a while, and the other rows are not there yet.
    ///
    /// # Errors
    /// If it is none, contradicts itself, or takes more than the limits allow.
    pub(super) fn read(
        source: Box<dyn Source>,
        keys: &KeyRing,
        limits: &mut Limits,
    ) -> Result<(Self, Directory), Error> {
        let mut reader = Reader::new(&*source, WHAT, 0, source.len());
        let reader = &mut reader;
        let header = TocHeader::read(reader)?;
        let ids = Places::skip(reader, header.entries, 12)?;
        let ranges = Places::skip(reader, header.entries, 10)?;
        let seeds = Places::skip(reader, header.seeds, 4)?;
        let overflow = Places::skip(reader, header.overflow, 4)?;
        let blocks = Places::skip(reader, header.blocks, 12)?;
        let vectors = FixedRows::read(reader, header.vectors, limits)?;
        let methods = header.read_methods(reader, limits)?;
        let mut signatures = Places::default();
        if header.is_signed {
            let at = reader.at();
            let length = reader.u32()?;
            let length = reader.fitting(length, 2, at)? as u64;
            reader.skip(length.saturating_mul(2))?;
            signatures = Places::skip(reader, header.blocks, 20)?;
        }
        let directory = if header.is_indexed { header.directory_size } else { 0 };
        let directory = Places::skip(reader, directory, 1)?;
        let metas = u64::from(header.entries).saturating_mul(header.layout.meta_size);
        // Tables without them are known.
        let has_metas = metas <= reader.left();
        let metas =
            Places::skip(reader, if has_metas { header.entries } else { 0 }, header.layout.meta_size)?;
        if header.is_on_demand && header.layout.on_demand == OnDemand::Hashes {
            let hashes = u64::from(header.entries).saturating_add(header.blocks.into()).saturating_mul(20);
            reader.skip(hashes.min(reader.left()))?;
        }
        let end = reader.at();
        let mut toc = Self {
            source,
            header,
            ids: FixedRows::default(),
            ranges: FixedRows::default(),
            seeds: FixedRows::default(),
            overflow: FixedRows::default(),
            blocks: FixedRows::default(),
            vectors,
            methods,
            metas,
            signatures,
            mount: String::new(),
            end,
        };
        let directory = toc.open(directory, keys, limits)?;
        toc.ids = ids.rows(&*toc.source, limits)?;
        toc.ranges = ranges.rows(&*toc.source, limits)?;
        toc.seeds = seeds.rows(&*toc.source, limits)?;
        toc.overflow = overflow.rows(&*toc.source, limits)?;
        toc.blocks = blocks.rows(&*toc.source, limits)?;
        // What is found out about all of them later: which lie within others.
        limits.take(u64::from(toc.header.blocks).saturating_mul(8), blocks.at, WHAT)?;
        Ok((toc, directory))
    }

    /// Reads the directory with the key that opens it. Where there is none, any key that is for the container is right.
    fn open(&mut self, directory: Places, keys: &KeyRing, limits: &mut Limits) -> Result<Directory, Error> {
        let chunks = usize::try_from(self.header.entries).unwrap_or(usize::MAX);
        let (at, size) = (directory.at, directory.count);
        let mut found = Directory::default();
        if !self.header.is_encrypted {
            if size > 0 {
                let end = at.saturating_add(size.into());
                let mut reader = Reader::new(&*self.source, WHAT, at, end);
                (self.mount, *found.paths) = directory::read(&mut reader, chunks, limits)?;
            }
            return Ok(found);
        }
        if size == 0 {
            found.key = keys.for_container(self.header.key).next().cloned();
            found.has_chosen_any = true;
            return match found.key {
                Some(_) => Ok(found),
                None => Err(Error::encrypted(Some(self.header.key), at, WHAT)),
            };
        }
        // The last vector is that of the directory.
        let vector = self.vectors.get((self.vectors.len() as u64).saturating_sub(1));
        let cipher = match (self.header.has_vectors, vector) {
            (true, Some(vector)) => Cipher::Ctr(vector),
            (true, None) => return Err(Error::malformed(Malformed::NoSuchEntry(0), at, WHAT)),
            (false, _) => Cipher::Ecb,
        };
        limits.take(size.into(), at, WHAT)?;
        for key in keys.for_container(self.header.key) {
            let mut decrypted = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
            let read = self.source.read_at(at, &mut decrypted);
            read.map_err(|error| Error::from_io(error, at, WHAT))?;
            key.decrypt(cipher, 0, &mut decrypted);
            let mut spent = limits.clone();
            let decrypted = Memory(decrypted);
            let mut reader = Reader::new(&decrypted, WHAT, 0, decrypted.len());
            // With a wrong key nothing of it makes sense.
            if let Ok((mount, paths)) = directory::read(&mut reader, chunks, &mut spent) {
                (self.mount, *found.paths, found.key) = (mount, paths, Some(key.clone()));
                *limits = spent;
                return Ok(found);
            }
        }
        Err(Error::encrypted(Some(self.header.key), at, WHAT))
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns the identifier of a chunk.
    pub(super) fn id(&self, number: u64) -> Option<ChunkId> {
        self.ids.get(number).map(ChunkId::new)
    }

    /// Returns which chunk has an identifier.
    pub(super) fn find(&self, id: ChunkId) -> Option<u64> {
        let is_it = |number: &u64| self.id(*number) == Some(id);
        let entries = self.ids.len() as u64;
        if self.seeds.len() == 0 {
            return (0..entries).find(is_it);
        }
        let seed = |number| self.seeds.get(number).map(i32::from_le_bytes);
        match perfect_hash::slot(id, entries, self.seeds.len() as u64, seed) {
            ChunkSlot::Absent => None,
            ChunkSlot::Entry(number) => Some(number).filter(is_it),
            ChunkSlot::Overflow => {
                let (rows, _) = self.overflow.0.as_chunks::<4>();
                rows.iter().map(|row| u32::from_le_bytes(*row).into()).find(is_it)
            }
        }
    }

    /// Returns where a chunk lies in the address space of the container, and how many bytes it has.
    pub(super) fn range(&self, number: u64) -> Result<(u64, u64), Error> {
        let missing = || Error::malformed(Malformed::NoSuchEntry(number), 0, WHAT);
        let [a, b, c, d, e, f, g, h, i, j] = self.ranges.get(number).ok_or_else(missing)?;
        let five = |bytes: [u8; 5]| bytes.into_iter().fold(0_u64, |value, byte| value << 8 | u64::from(byte));
        Ok((five([a, b, c, d, e]), five([f, g, h, i, j])))
    }

    /// Returns what the table says of a block of the container; none if there is no such block.
    pub(super) fn block_row(&self, number: u64) -> Option<BlockRow> {
        let [a, b, c, d, e, f, g, h, i, j, k, slot] = self.blocks.get(number)?;
        Some(BlockRow {
            offset: u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]),
            stored: u32::from_le_bytes([f, g, h, 0]),
            size: u32::from_le_bytes([i, j, k, 0]),
            slot,
        })
    }

    /// Returns a block of the container.
    pub(super) fn block(&self, number: u64) -> Result<StoredBlock, Error> {
        let missing = || Error::malformed(Malformed::NoSuchEntry(number), 0, "block of a table of contents");
        let BlockRow { offset, stored, size, slot } = self.block_row(number).ok_or_else(missing)?;
        let partition_size = self.header.partition_size.max(1);
        let part = offset.checked_div(partition_size).unwrap_or_default();
        let method = match usize::from(slot).checked_sub(1).map(|slot| self.methods.get(slot)) {
            None => None,
            Some(Some((_, Some(method)))) => Some(*method),
            Some(Some((name, None))) => return Err(Error::unknown_method(name, offset, WHAT)),
            Some(None) => return Err(Error::malformed(Malformed::Method(slot.into()), offset, WHAT)),
        };
        let cipher = match (self.header.is_encrypted, self.header.has_vectors) {
            (false, _) => None,
            (true, false) => Some(Cipher::Ecb),
            (true, true) => Some(Cipher::Ctr(self.vectors.get(number).ok_or_else(missing)?)),
        };
        Ok(StoredBlock {
            part: usize::try_from(part).unwrap_or(usize::MAX),
            offset: offset.checked_rem(partition_size).unwrap_or_default(),
            stored: stored.into(),
            size: size.into(),
            method,
            cipher,
            limit: u64::MAX,
            cipher_block: 0,
        })
    }

    /// Reads the first bytes of the BLAKE3 of a chunk, if it is stated.
    pub(super) fn hash(&self, number: u64) -> Result<Option<[u8; 20]>, Error> {
        self.metas.get(&*self.source, number)
    }

    /// Reads the SHA-1 of a block as it is stored, if the container is signed.
    pub(super) fn signature(&self, number: u64) -> Result<Option<[u8; 20]>, Error> {
        self.signatures.get(&*self.source, number)
    }
}
