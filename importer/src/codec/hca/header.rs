//! The header of HCA, with the checks that its decoder needs.

use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Damage, UnsupportedReason};

use super::BLOCK_FRAMES;

/// Bytes before the first chunk.
const START: u64 = 8;
/// Bands of a channel.
const MAX_BANDS: u32 = 128;
/// The most channels.
const MAX_CHANNELS: u16 = 16;
/// Fewest bytes of a block.
const MIN_BLOCK: u16 = 8;
/// The last version in which groups of high bands have their scales after the others.
const SEPARATE_SCALES: u16 = 0x0200;

/// What the header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Length in bytes.
    pub(super) length: u16,
    pub(super) channels: u16,
    pub(super) rate: u32,
    pub(super) blocks: u32,
    /// Bytes of a block.
    pub(super) block: u16,
    /// Frames before the sound.
    pub(super) delay: u16,
    /// Frames after it.
    padding: u16,
    looped: Option<Looped>,
    pub(super) cipher: Cipher,
}

/// The loop as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Looped {
    first: u32,
    last: u32,
    /// Frames of the first block before the loop.
    delay: u16,
    /// Frames of the last block after it.
    padding: u16,
}

/// How blocks are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cipher {
    /// Not, or with a table that is the same in all files.
    Known,
    /// With a key.
    Key,
}

/// A cursor over the bytes of the header.
struct Fields<'b> {
    rest: &'b [u8],
    at: u64,
}

impl<'b> Fields<'b> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let Some((bytes, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(malformed(self.at, "HCA: a header that ends early"));
        };
        self.rest = rest;
        self.at = self.at.saturating_add(N as u64);
        Ok(*bytes)
    }

    fn u8(&mut self) -> Result<u8, Damage> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn u16(&mut self) -> Result<u16, Damage> {
        self.take().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Result<u32, Damage> {
        self.take().map(u32::from_be_bytes)
    }

    /// Passes over the tag of a chunk if that is the next one.
    fn chunk(&mut self, tag: &[u8; 4]) -> bool {
        let Some((next, rest)) = self.rest.split_first_chunk::<4>() else { return false };
        let is_next = next.map(|byte| byte & 0x7F) == *tag;
        if is_next {
            self.rest = rest;
            self.at = self.at.saturating_add(4);
        }
        is_next
    }
}

/// Reads the header of a payload, or returns why it is not decoded.
///
/// # Errors
/// If it contradicts itself, or the bytes cannot be read.
pub(super) fn read(reader: &PayloadReader<'_>) -> Result<Result<Header, UnsupportedReason>, Damage> {
    let start = reader.bytes(0, START)?;
    let mut fields = Fields { rest: &start, at: 0 };
    fields.take::<4>()?;
    let (version, length) = (fields.u16()?, fields.u16()?);
    if !matches!(version, 0x0101..=0x0103 | 0x0200 | 0x0300) {
        let [major, minor] = version.to_be_bytes();
        let reason = format!("HCA of version {major:x}.{minor:x} is not decoded");
        return Ok(Err(UnsupportedReason::Stream(reason)));
    }
    let bytes = reader.bytes(0, length.into())?;
    if checksum(&bytes) != 0 {
        return Err(malformed(0, "HCA: header checksum mismatch"));
    }
    let start = usize::try_from(START).unwrap_or_default();
    let mut fields = Fields { rest: bytes.get(start..).unwrap_or_default(), at: START };
    let missing = |at| Err(malformed(at, "HCA: `fmt` or `comp` chunk missing"));
    if !fields.chunk(b"fmt\0") {
        return missing(fields.at);
    }
    let word = fields.u32()?;
    let [channels, rest @ ..] = word.to_be_bytes();
    let [a, b, c] = rest;
    let rate = u32::from_be_bytes([0, a, b, c]);
    let (blocks, delay, padding) = (fields.u32()?, fields.u16()?, fields.u16()?);
    let channels = u16::from(channels);
    if channels == 0 || channels > MAX_CHANNELS {
        return Err(malformed(START, format!("HCA: {channels} channels")));
    }
    let at = fields.at;
    let (block, bands) = if fields.chunk(b"comp") {
        comp(&mut fields)?
    } else if fields.chunk(b"dec\0") {
        dec(&mut fields)?
    } else {
        return missing(at);
    };
    if !bands.fit(version) {
        return Err(malformed(at, "HCA: more bands than a channel has"));
    }
    if fields.chunk(b"vbr\0") {
        fields.u32()?;
    }
    if block < MIN_BLOCK {
        return Ok(Err(UnsupportedReason::Stream("HCA of variable bit rate is not decoded".to_owned())));
    }
    if fields.chunk(b"ath\0") {
        fields.u16()?;
    }
    let mut looped = None;
    if fields.chunk(b"loop") {
        let (first, last) = (fields.u32()?, fields.u32()?);
        let (delay, padding) = (fields.u16()?, fields.u16()?);
        looped = Some(Looped { first, last, delay, padding });
    }
    let cipher = match fields.chunk(b"ciph").then(|| fields.u16()).transpose()? {
        Some(56) => Cipher::Key,
        _ => Cipher::Known,
    };
    Ok(Ok(Header { length, channels, rate, blocks, block, delay, padding, looped, cipher }))
}

/// Numbers of bands.
struct Bands {
    all: u32,
    base: u32,
    stereo: u32,
    /// Bands of a group whose scale is stated; 0 for no such groups.
    group: u32,
}

impl Bands {
    /// Returns whether a channel has so many bands, and scales for them.
    fn fit(&self, version: u16) -> bool {
        let coded = self.base.saturating_add(self.stereo);
        let Some(rest) = self.all.checked_sub(coded) else { return false };
        let groups = if self.group == 0 { 0 } else { rest.div_ceil(self.group) };
        // From version 3 on, scales of groups follow those of bands, and the one after them is looked at too.
        let scales = coded.saturating_add(groups);
        let has_room = groups == 0 || version <= SEPARATE_SCALES || scales < MAX_BANDS;
        self.all <= MAX_BANDS && self.group <= MAX_BANDS && has_room
    }
}

/// Reads the chunk `comp`: bytes of a block, and numbers of bands.
fn comp(fields: &mut Fields<'_>) -> Result<(u16, Bands), Damage> {
    let block = fields.u16()?;
    // Resolutions, number of tracks, layout of channels.
    fields.u32()?;
    let [all, base, stereo, group] = fields.take()?.map(u32::from);
    // Whether sides are sums and differences.
    fields.u16()?;
    Ok((block, Bands { all, base, stereo, group }))
}

/// Reads the older chunk `dec`.
fn dec(fields: &mut Fields<'_>) -> Result<(u16, Bands), Damage> {
    let block = fields.u16()?;
    fields.u16()?;
    let [all, base] = fields.take()?.map(|bands: u8| u32::from(bands).saturating_add(1));
    fields.u8()?;
    let base = if fields.u8()? == 0 { all } else { base };
    let stereo = all.checked_sub(base);
    let stereo = stereo.ok_or_else(|| malformed(fields.at, "HCA: more bands than a channel has"))?;
    Ok((block, Bands { all, base, stereo, group: 0 }))
}

impl Header {
    /// Returns the frames of the sound.
    pub(super) fn frames(&self) -> u64 {
        let silence = u64::from(self.delay).saturating_add(self.padding.into());
        u64::from(self.blocks).saturating_mul(BLOCK_FRAMES).saturating_sub(silence)
    }

    /// Returns the loop in frames, its end exclusive.
    pub(super) fn loop_range(&self) -> Option<(u64, u64)> {
        let Looped { first, last, delay, padding } = self.looped.as_ref()?;
        let before = u64::from(self.delay);
        let start = u64::from(*first).saturating_mul(BLOCK_FRAMES).saturating_add((*delay).into());
        let end = u64::from(*last).saturating_add(1).saturating_mul(BLOCK_FRAMES);
        let end = end.saturating_sub((*padding).into()).saturating_sub(before);
        Some((start.saturating_sub(before), end))
    }
}

/// Returns the CRC-16 of bytes that end with their own, which is 0 if nothing was changed.
fn checksum(bytes: &[u8]) -> u16 {
    const POLYNOMIAL: u16 = 0x8005;
    bytes.iter().fold(0, |sum, byte| {
        let sum = sum ^ (u16::from(*byte) << 8);
        (0..8).fold(sum, |sum, _| if sum & 0x8000 == 0 { sum << 1 } else { (sum << 1) ^ POLYNOMIAL })
    })
}
