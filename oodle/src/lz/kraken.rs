//! Kraken chunks.
//!
//! ```text
//! [8 plain bytes] · [excess flag] · literals · commands · offset codes · length codes · bit region · [excess part]
//! ```

use std::hint::select_unpredictable;

use super::bit_region::{BitRegion, OffsetCodes, count_long};
use super::copy::{Copier, CopyStep};
use super::{ChunkOutput, ChunkWorkspace, FIRST_DISTANCE, is_delta};
use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;

/// Decodes a chunk.
///
/// # Errors
/// If it breaks a rule of the format.
pub(crate) fn decode(
    input: StoredBytes<'_>,
    mode: u32,
    mut target: ChunkOutput<'_>,
    work: &mut ChunkWorkspace,
) -> Result<(), Error> {
    let mut input = input.part(FormatPart::Kraken);
    let is_delta = is_delta(&input, mode)?;
    input.require(input.len() >= 13, "is too short")?;
    let chunk = input;
    let plain = target.len();
    let pos = target.begin(&mut input)?;
    let excess = take_excess(&mut input)?;
    let ChunkWorkspace {
        coder,
        literals,
        commands,
        offset_codes,
        low_offsets,
        length_codes,
        offsets,
        lengths,
        ..
    } = work;
    let literals = coder.array(&mut input, plain, literals)?;
    let commands = coder.array(&mut input, plain, commands)?.exact();
    let codes = OffsetCodes::read(&mut input, commands.len(), coder, offset_codes, low_offsets)?;
    let length_codes = coder.array(&mut input, plain / 4, length_codes)?.exact();
    let mut region = BitRegion::new(input);
    if let Some(excess) = excess {
        region.offsets(&codes, offsets)?;
        let mut long = BitRegion::new(excess);
        long.lengths(length_codes, count_long(length_codes), lengths)?;
        long.finish()?;
    } else {
        let long_count = region.long_count()?;
        region.offsets(&codes, offsets)?;
        region.lengths(length_codes, long_count, lengths)?;
    }
    region.finish()?;
    let streams = KrakenStreams { literals: literals.padded, commands, offsets, lengths };
    let used = if is_delta { streams.run::<true>(target, pos) } else { streams.run::<false>(target, pos) };
    let used = used.ok_or_else(|| chunk.refuse("copies from or to where there is nothing"))?;
    // The streams end with a number that is none of theirs.
    chunk.require(used == [literals.len, offsets.len() - 1, lengths.len() - 1], "does not use all its parts")
}

/// Takes the excess flag, if there is one, and the excess part from the end.
fn take_excess<'a>(input: &mut StoredBytes<'a>) -> Result<Option<StoredBytes<'a>>, Error> {
    let first = input.peek()?;
    if first < 0x80 {
        return Ok(None);
    }
    input.require(first & 0x40 == 0, "has a reserved excess flag")?;
    input.u8()?;
    let mut len = usize::from(first & 63);
    if len > 31 {
        len += 32 * usize::from(input.u8()?);
    }
    let Some(before) = input.len().checked_sub(len) else {
        return Err(input.refuse("has a larger excess part than bytes"));
    };
    let mut excess = *input;
    *input = excess.take(before)?;
    Ok(Some(excess))
}

/// The parts of a chunk, decoded.
struct KrakenStreams<'a> {
    literals: &'a [u8],
    commands: &'a [u8],
    offsets: &'a [u32],
    lengths: &'a [u32],
}

impl KrakenStreams<'_> {
    /// Carries out the commands, and returns the numbers of literals, offsets and lengths used.
    ///
    /// Returns nothing if a list, the history or the chunk is too short.
    fn run<const DELTA: bool>(&self, target: ChunkOutput<'_>, pos: usize) -> Option<[usize; 3]> {
        let ChunkOutput { out, end, .. } = target;
        let pos = pos as u32;
        let mut copier = Copier { out, pos, literals: self.literals, literal: 0, distance: FIRST_DISTANCE };
        let (mut offset, mut length) = (0, 0);
        let (mut first, mut second, mut third) = (FIRST_DISTANCE, FIRST_DISTANCE, FIRST_DISTANCE);
        for &command in self.commands {
            // No branch on the codes: they cannot be predicted.
            let is_long = command & 3 == 3;
            let long = *self.lengths.get(length)?;
            let literal_len = select_unpredictable(is_long, long, u32::from(command & 3));
            length += usize::from(is_long);
            let is_long = command & 0x3C == 0x3C;
            let long = *self.lengths.get(length)? + 14;
            let match_len = select_unpredictable(is_long, long, u32::from(command >> 2 & 15) + 2);
            length += usize::from(is_long);
            let new = *self.offsets.get(offset)?;
            offset += usize::from(command >= 0xC0);
            let recent = select_unpredictable(command >= 0x40, second, first);
            let rare = select_unpredictable(command >= 0xC0, new, third);
            third = select_unpredictable(command >= 0x80, second, third);
            second = select_unpredictable(command >= 0x40, first, second);
            first = select_unpredictable(command >= 0x80, rare, recent);
            copier.step::<DELTA, 32>(CopyStep { literal_len, match_len, distance: first })?;
        }
        copier.finish::<DELTA>(end)?;
        Some([copier.literal as usize, offset, length])
    }
}
