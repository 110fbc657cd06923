use std::io;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::base::byte_order::ByteOrder;
use crate::base::compress::{self, Method};
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::limits::Limits;
use crate::base::package_tag::TAG;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::base::unsupported::Unsupported;

/// A compressed part of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompressedChunk {
    /// Offset in the uncompressed package (Epic: `UncompressedOffset`).
    pub at: u32,
    /// How many bytes it has there.
    pub size: u32,
    /// Offset in the file (Epic: `CompressedOffset`).
    pub stored_at: u32,
    /// How many bytes it has there.
    pub stored: u32,
}

/// A source that gives what another one holds compressed. Each block is inflated when it is first asked for, and
/// kept; all together may not be more than a limit.
pub struct Inflated<'s> {
    under: Box<dyn Source + 's>,
    /// Bytes at the start that are not compressed.
    plain: u64,
    blocks: Vec<Block>,
    length: u64,
    left: Mutex<u64>,
    /// True if the source under it is a package with compressed chunks.
    of_package: bool,
}

/// A piece that is inflated at once.
struct Block {
    /// Where it begins without compression.
    at: u64,
    size: u32,
    stored_at: u64,
    stored: u32,
    method: Method,
    bytes: OnceLock<Box<[u8]>>,
}

const WHAT: &str = "compressed data";

/// The most bytes that a block is believed to have. The engine writes 128 KiB.
const MAX_BLOCK: u32 = 16 << 20;

impl<'s> Inflated<'s> {
    fn new(under: Box<dyn Source + 's>, plain: u64, blocks: Vec<Block>, most: u64) -> Self {
        let length = blocks.last().map_or(plain, Block::end);
        Self { under, plain, blocks, length, left: Mutex::new(most), of_package: false }
    }

    /// Returns the bytes of one compressed chunk at `stored`, which become `size` bytes.
    pub(crate) fn of_chunk(
        source: &'s dyn Source,
        stored: Range<u64>,
        method: Method,
        size: u64,
        most: u64,
    ) -> Result<Self, Error> {
        let mut limits = Limits::default();
        let mut blocks = Vec::new();
        let at = stored.start;
        let claimed = read_chunk(source, stored, 0, Some(method), &mut blocks, &mut limits)?;
        if claimed != size {
            return Err(Error::malformed(Malformed::BlockTooLarge { claimed, most: size }, at, WHAT));
        }
        Ok(Self::new(Box::new(source), 0, blocks, most))
    }

    /// Creates a package of which all but the start is in compressed chunks.
    pub(crate) fn of_chunks(
        source: Box<dyn Source + 's>,
        compression: u32,
        chunks: &[CompressedChunk],
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let method = Method::of_package(compression).ok_or_else(|| {
            Error::new(ErrorKind::Unsupported(Unsupported::Compression(compression)), 0, WHAT)
        })?;
        let mut chunks = chunks.to_vec();
        chunks.sort_unstable_by_key(|chunk| chunk.at);
        let plain = chunks.first().map_or(0, |chunk| chunk.at).into();
        let mut end = plain;
        let mut blocks = Vec::new();
        for chunk in &chunks {
            if u64::from(chunk.at) < end {
                return Err(Error::malformed(
                    Malformed::Compressed("has chunks that overlap"),
                    chunk.stored_at.into(),
                    WHAT,
                ));
            }
            let region = chunk.stored_at.into()..source.len();
            let size = read_chunk(&*source, region, chunk.at.into(), Some(method), &mut blocks, limits)?;
            end = u64::from(chunk.at).saturating_add(size);
        }
        Ok(Self { of_package: true, ..Self::new(source, plain, blocks, limits.inflated()) })
    }

    /// Creates a file that is one compressed chunk.
    pub(crate) fn of_whole(source: Box<dyn Source + 's>, limits: &mut Limits) -> Result<Self, Error> {
        let mut blocks = Vec::new();
        read_chunk(&*source, 0..source.len(), 0, None, &mut blocks, limits)?;
        Ok(Self::new(source, 0, blocks, limits.inflated()))
    }

    /// Creates a file of zlib blocks, each with its two sizes in front.
    ///
    /// Source: *UELib*; no such file was seen.
    pub(crate) fn of_download(source: Box<dyn Source + 's>, limits: &mut Limits) -> Result<Self, Error> {
        let mut blocks = Vec::new();
        let mut at = 0_u64;
        let mut reader = Reader::new(&*source, WHAT, 0, source.len());
        while reader.left() > 0 {
            let (stored, size) = (reader.u32()?, reader.u32()?);
            let stored_at = reader.at();
            reader.skip(stored.into())?;
            let block = Block { at, size, stored_at, stored, method: Method::Zlib, bytes: OnceLock::new() };
            push(&mut blocks, block, limits)?;
            at = at.saturating_add(size.into());
        }
        Ok(Self::new(source, 0, blocks, limits.inflated()))
    }

    /// Returns how many bytes were inflated so far.
    #[must_use]
    pub fn inflated(&self) -> u64 {
        let sizes = self.blocks.iter().filter(|block| block.bytes.get().is_some());
        sizes.map(|block| u64::from(block.size)).fold(0, u64::saturating_add)
    }

    /// Returns the bytes of a block.
    fn block<'b>(&self, block: &'b Block) -> Result<&'b [u8], Error> {
        if let Some(bytes) = block.bytes.get() {
            return Ok(bytes);
        }
        let error = |kind| Error::new(kind, block.stored_at, WHAT);
        // One block at a time, so that no more is inflated than is paid for.
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = u64::from(block.size);
        let over = || error(ErrorKind::OverLimit { asked, left: *left });
        let rest = left.checked_sub(asked).ok_or_else(over)?;
        let mut stored = vec![0; usize::try_from(block.stored).map_err(|_| over())?];
        self.under
            .read_at(block.stored_at, &mut stored)
            .map_err(|io| Error::from_io(io, block.stored_at, WHAT))?;
        let size = usize::try_from(block.size).map_err(|_| over())?;
        let bytes = block.method.inflate(&stored, size);
        let bytes = bytes.map_err(|fault| error(ErrorKind::Malformed(fault)))?;
        if block.bytes.get().is_none() {
            *left = rest;
        }
        Ok(block.bytes.get_or_init(|| bytes.into_boxed_slice()))
    }

    /// Returns the block that has a byte.
    fn find(&self, at: u64) -> Option<&Block> {
        let next = self.blocks.partition_point(|block| block.at <= at);
        let block = self.blocks.get(next.checked_sub(1)?)?;
        (at < block.end()).then_some(block)
    }

    fn read(&self, at: u64, into: &mut [u8]) -> Result<(), Error> {
        let ends = || {
            let fault =
                Malformed::EndsEarly { wanted: into.len() as u64, left: self.length.saturating_sub(at) };
            Error::malformed(fault, at, WHAT)
        };
        let mut at = at;
        let end = at.checked_add(into.len() as u64).filter(|&end| end <= self.length).ok_or_else(ends)?;
        let mut rest = into;
        while at < end {
            let here;
            if at < self.plain {
                let there = self.plain.min(end).saturating_sub(at);
                (here, rest) = split(rest, there);
                self.under.read_at(at, here).map_err(|io| Error::from_io(io, at, WHAT))?;
            } else {
                let gap = || Error::malformed(Malformed::Compressed("has no such offset"), at, WHAT);
                let block = self.find(at).ok_or_else(gap)?;
                let bytes = self.block(block)?;
                let from = usize::try_from(at.saturating_sub(block.at)).unwrap_or(usize::MAX);
                let bytes = bytes.get(from..).unwrap_or_default();
                (here, rest) = split(rest, bytes.len() as u64);
                here.copy_from_slice(bytes.get(..here.len()).ok_or_else(gap)?);
            }
            at = at.saturating_add(here.len() as u64);
        }
        Ok(())
    }
}

/// Returns the first bytes of a slice, at most so many, and the others.
fn split(slice: &mut [u8], most: u64) -> (&mut [u8], &mut [u8]) {
    let at = usize::try_from(most).unwrap_or(usize::MAX).min(slice.len());
    slice.split_at_mut_checked(at).unwrap_or_default()
}

impl Block {
    fn end(&self) -> u64 {
        self.at.saturating_add(self.size.into())
    }
}

fn push(blocks: &mut Vec<Block>, block: Block, limits: &mut Limits) -> Result<(), Error> {
    let most = MAX_BLOCK;
    let Block { size, stored_at, stored, .. } = block;
    if size == 0 || size > most || stored > most {
        let fault = Malformed::BlockTooLarge { claimed: size.max(stored).into(), most: most.into() };
        return Err(Error::malformed(fault, stored_at, WHAT));
    }
    limits.take_growing(size_of::<Block>(), stored_at, WHAT)?;
    blocks.push(block);
    Ok(())
}

/// Reads where the blocks of a chunk are, and gives the size of all of them. What it says of its stored size is not
/// believed; without a method, its first bytes say that.
///
/// Source: *UEViewer*; 22 packages measured, all LZO.
fn read_chunk(
    source: &dyn Source,
    region: Range<u64>,
    at: u64,
    method: Option<Method>,
    blocks: &mut Vec<Block>,
    limits: &mut Limits,
) -> Result<u64, Error> {
    let mut reader = Reader::new(source, WHAT, region.start, region.end);
    let tag = reader.u32()?;
    let order = match (tag, tag.swap_bytes()) {
        (TAG, _) => ByteOrder::Little,
        (_, TAG) => ByteOrder::Big,
        _ => return Err(reader.error(region.start, Malformed::Compressed("has no head"))),
    };
    reader = reader.with_byte_order(order);
    let (_block_size, _stored) = (reader.u32()?, reader.u32()?);
    let size = u64::from(reader.u32()?);
    let table_at = reader.at();
    // The table ends where the sizes make up the whole; only then it is known where the first block begins.
    let mut count = 0_u64;
    let mut sum = 0_u64;
    while sum < size {
        let _stored = reader.u32()?;
        let block = reader.u32()?;
        sum = sum.saturating_add(block.into());
        count = count.saturating_add(1);
        if block == 0 || sum > size {
            return Err(reader.error(table_at, Malformed::BlockTooLarge { claimed: sum, most: size }));
        }
    }
    let mut stored_at = reader.at();
    let method = match method {
        Some(method) => method,
        None => guess(&mut reader, order)?,
    };
    reader.seek(table_at);
    let mut at = at;
    for _ in 0..count {
        let (stored, size) = (reader.u32()?, reader.u32()?);
        push(blocks, Block { at, size, stored_at, stored, method, bytes: OnceLock::new() }, limits)?;
        at = at.saturating_add(size.into());
        stored_at = stored_at.saturating_add(stored.into());
    }
    if stored_at > reader.end() {
        let fault = Malformed::OutsideFile { end: stored_at, length: reader.end() };
        return Err(reader.error(table_at, fault));
    }
    Ok(size)
}

/// Consoles that start numbers with their high end use LZX; zlib identifies itself.
fn guess(reader: &mut Reader<'_>, order: ByteOrder) -> Result<Method, Error> {
    let head = [reader.u8()?, reader.u8()?];
    Ok(match order {
        _ if compress::is_zlib(&head) => Method::Zlib,
        ByteOrder::Little => Method::Lzo,
        ByteOrder::Big => Method::Lzx,
    })
}

impl Source for Inflated<'_> {
    fn len(&self) -> u64 {
        self.length
    }

    fn is_unpacked(&self) -> bool {
        true
    }

    fn compressed(&self) -> Option<&dyn Source> {
        self.of_package.then_some(&*self.under)
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.read(at, into).map_err(io::Error::other)
    }
}
