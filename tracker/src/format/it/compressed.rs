//! Samples as versions 2.14 and 2.15 pack them: differences in as few bits as they need.
//!
//! ```text
//! channel:  block │ block │ …            left, then right
//! block:    bytes that follow │ codes, low bits first, from a running value of 0 and the full width
//! ```
//!
//! A code of the width at hand is a difference, or announces another width: narrow ones by their lowest value and
//! bits that follow, middle ones by a run of values at the border, the widest by its top bit. From 2.15 on the
//! differences are of differences.
//!
//! Source: the description in *ITTECH.TXT* and public notes on it; held against libopenmpt and libxmp by what they
//! decode.

use std::fmt;

use crate::Error;
use crate::format::StoredFrames;
use crate::format::file::ModuleReader;

/// How a sample is packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompressedParams {
    pub(super) wide: bool,
    pub(super) stereo: bool,
    /// Differences of differences.
    pub(super) twice: bool,
}

impl CompressedParams {
    const fn channels(self) -> usize {
        if self.stereo { 2 } else { 1 }
    }
}

/// Bytes that a block becomes.
const BLOCK: usize = 0x8000;
/// Most frames that a byte can hold.
const FRAMES_PER_BYTE: usize = 8;

/// A value of 8 or 16 bits, and what codes depend on.
trait CompressedValue: Copy + Default {
    const BITS: u32;
    /// Bits of a width that follows a narrow code.
    const WIDTH_BITS: u32;
    /// Widths that the border of a middle code can announce.
    const BORDER: u32;

    /// Of the low bits of a number.
    fn of(number: u32) -> Self;
}

impl CompressedValue for i8 {
    const BITS: u32 = 8;
    const WIDTH_BITS: u32 = 3;
    const BORDER: u32 = 8;

    fn of(number: u32) -> Self {
        let [low, ..] = number.to_le_bytes();
        Self::from_le_bytes([low])
    }
}

impl CompressedValue for i16 {
    const BITS: u32 = 16;
    const WIDTH_BITS: u32 = 4;
    const BORDER: u32 = 16;

    fn of(number: u32) -> Self {
        let [low, high, ..] = number.to_le_bytes();
        Self::from_le_bytes([low, high])
    }
}

/// Returns the number of bytes that so many frames take, by what their blocks say of themselves, up to the first that
/// is too short for its frames.
pub(super) fn stored(bytes: &[u8], frames: usize, layout: CompressedParams) -> usize {
    let in_block = if layout.wide { BLOCK / 2 } else { BLOCK };
    let mut rest = bytes;
    for _ in 0..layout.channels() {
        let mut left = frames;
        while left > 0 {
            let here = left.min(in_block);
            left = left.saturating_sub(here);
            // Each is looked at once for every sample that points at it, so a file must pay for it in bytes.
            let whole = split_block(rest).filter(|(block, _)| block.len() >= here / FRAMES_PER_BYTE);
            let Some((_, after)) = whole else { return bytes.len().saturating_sub(rest.len()) };
            rest = after;
        }
    }
    bytes.len().saturating_sub(rest.len())
}

/// Parts a block from what follows it; the last one may be shorter than it says.
fn split_block(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, after) = bytes.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_le_bytes(*length));
    Some(after.split_at_checked(length).unwrap_or((after, &[])))
}

/// Decodes so many frames from an offset on; if they end early or make no sense, those before, and says so.
pub(super) fn decode(
    file: &mut ModuleReader<'_>,
    at: usize,
    frames: usize,
    layout: CompressedParams,
    who: fmt::Arguments<'_>,
) -> Result<Option<StoredFrames>, Error> {
    if !file.has_frames() {
        return Ok(None);
    }
    if layout.wide {
        Ok(StoredFrames::of_i16(planes(file, at, frames, layout, who)?))
    } else {
        Ok(StoredFrames::of_i8(planes(file, at, frames, layout, who)?))
    }
}

fn planes<V: CompressedValue>(
    file: &mut ModuleReader<'_>,
    mut at: usize,
    frames: usize,
    layout: CompressedParams,
    who: fmt::Arguments<'_>,
) -> Result<Vec<Vec<V>>, Error> {
    let channels = layout.channels();
    let most = frames.min(file.from(at).len().saturating_mul(FRAMES_PER_BYTE));
    let most_bytes = most.saturating_mul(size_of::<V>()).saturating_mul(channels);
    file.pay_frames(most_bytes)?;
    let mut planes = Vec::new();
    for channel in 0..channels {
        let mut plane = Vec::with_capacity(most);
        let mut rest = file.from(at);
        while plane.len() < frames && decode_block(&mut rest, frames, layout.twice, &mut plane).is_some() {}
        if plane.len() < frames {
            let text = format_args!("is damaged in channel {channel}: {} of {frames} frames", plane.len());
            file.repair(at, who, text);
            plane.shrink_to_fit();
        }
        at = at.saturating_add(file.from(at).len().saturating_sub(rest.len()));
        planes.push(plane);
    }
    let longest = planes.iter().map(Vec::len).max().unwrap_or(0);
    let took = longest.saturating_mul(size_of::<V>()).saturating_mul(channels);
    file.give_back(most_bytes.saturating_sub(took));
    Ok(planes)
}

/// Decodes the next block; none if its bytes end before it does, or its codes make no sense.
fn decode_block<V: CompressedValue>(
    rest: &mut &[u8],
    frames: usize,
    twice: bool,
    plane: &mut Vec<V>,
) -> Option<()> {
    let (block, after) = split_block(rest)?;
    *rest = after;
    let end = frames.min(plane.len().saturating_add(BLOCK.checked_div(size_of::<V>())?));
    let mut bits = BlockBits { remaining: block, held: 0, count: 0 };
    let mut width = CodeWidth::of::<V>(V::BITS.saturating_add(1))?;
    let (mut first, mut second) = (0_u32, 0_u32);
    while plane.len() < end {
        let code = bits.take(width.bits)?;
        let announcing = code.wrapping_sub(width.lowest);
        if announcing < width.count {
            width = width.announced::<V>(announcing, &mut bits)?;
            continue;
        }
        let difference = code.wrapping_shl(width.above).cast_signed().wrapping_shr(width.above);
        first = first.wrapping_add(difference.cast_unsigned());
        second = second.wrapping_add(first);
        plane.push(V::of(if twice { second } else { first }));
    }
    Some(())
}

/// A width of codes, and which of them announce another.
#[derive(Clone, Copy)]
struct CodeWidth {
    bits: u32,
    /// The lowest code that announces.
    lowest: u32,
    /// How many codes from there on do.
    count: u32,
    /// Bits of a number above the sign: the top bit of the width; of the widest, whose top bit announces, the one
    /// below.
    above: u32,
}

impl CodeWidth {
    /// None if there is no such width.
    fn of<V: CompressedValue>(bits: u32) -> Option<Self> {
        let above = u32::BITS.saturating_sub(bits.min(V::BITS));
        let middle = 1_u32.checked_shl(bits.checked_sub(1)?)?;
        let (lowest, count) = match bits {
            ..7 => (middle, 1),
            _ if bits <= V::BITS => (middle.saturating_sub(V::BORDER / 2), V::BORDER),
            _ if bits == V::BITS.saturating_add(1) => (middle, middle),
            _ => return None,
        };
        Some(Self { bits, lowest, count, above })
    }

    /// Returns the width that an announcing code of an index stands for.
    fn announced<V: CompressedValue>(self, index: u32, bits: &mut BlockBits<'_>) -> Option<Self> {
        if self.bits > V::BITS {
            return Self::of::<V>((index & 0xFF).saturating_add(1));
        }
        let index = if self.bits < 7 { bits.take(V::WIDTH_BITS)? } else { index };
        // The width at hand is never announced, so those above it are one less.
        let new = index.saturating_add(1);
        Self::of::<V>(if new < self.bits { new } else { new.saturating_add(1) })
    }
}

/// Bits of a block, low ones first.
struct BlockBits<'b> {
    remaining: &'b [u8],
    held: u64,
    count: u32,
}

impl BlockBits<'_> {
    /// Returns the next bits, at most 17; none if fewer are left.
    #[inline]
    fn take(&mut self, width: u32) -> Option<u32> {
        if self.count < width {
            self.refill();
        }
        self.count = self.count.checked_sub(width)?;
        let taken = self.held & (1_u64 << width).saturating_sub(1);
        self.held >>= width;
        u32::try_from(taken).ok()
    }

    /// Takes four bytes if they are there, else the last ones.
    fn refill(&mut self) {
        if let Some((word, rest)) = self.remaining.split_first_chunk::<4>() {
            self.held |= u64::from(u32::from_le_bytes(*word)) << self.count;
            self.count = self.count.saturating_add(32);
            self.remaining = rest;
        } else {
            for byte in std::mem::take(&mut self.remaining) {
                self.held |= u64::from(*byte) << self.count;
                self.count = self.count.saturating_add(8);
            }
        }
    }
}
