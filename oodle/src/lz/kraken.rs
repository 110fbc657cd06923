//! Kraken chunks.
//!
//! ```text
//! [8 plain bytes] · [excess flag] · literals · commands · offset codes · length codes · bit region · [excess part]
//! ```

use super::bit_region::{BitRegion, OffsetCodes, count_long};
use super::{FIRST_DISTANCE, Target, Work, copy, is_delta};
use crate::error::{Error, Phase};
use crate::input::Input;

/// Decodes a chunk.
///
/// # Errors
/// If it breaks a rule of the format.
pub(crate) fn decode(
    input: Input<'_>,
    mode: u32,
    mut target: Target<'_>,
    work: &mut Work,
) -> Result<(), Error> {
    let mut input = input.phase(Phase::Kraken);
    let is_delta = is_delta(&input, mode)?;
    input.require(input.len() >= 13, "is too short")?;
    let chunk = input;
    let plain = target.len();
    let pos = target.begin(&mut input)?;
    let excess = take_excess(&mut input)?;
    let Work { coder, literals, commands, offset_codes, low_offsets, length_codes, offsets, lengths, .. } =
        work;
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
    let lists = Lists { literals: literals.padded, commands, offsets, lengths };
    let used = if is_delta { lists.run::<true>(target, pos) } else { lists.run::<false>(target, pos) };
    let used = used.ok_or_else(|| chunk.refuse("copies from or to where there is nothing"))?;
    chunk.require(used == [literals.len, offsets.len(), lengths.len()], "does not use all its parts")
}

/// Takes the excess flag, if there is one, and the excess part from the end.
fn take_excess<'a>(input: &mut Input<'a>) -> Result<Option<Input<'a>>, Error> {
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
struct Lists<'a> {
    literals: &'a [u8],
    commands: &'a [u8],
    offsets: &'a [u32],
    lengths: &'a [u32],
}

impl Lists<'_> {
    /// Carries out the commands, and returns the numbers of literals, offsets and lengths used.
    ///
    /// Returns nothing if a list, the history or the chunk is too short.
    fn run<const DELTA: bool>(&self, target: Target<'_>, mut pos: usize) -> Option<[usize; 3]> {
        let Target { out, end, .. } = target;
        let (mut literal, mut offset, mut length) = (0, 0, 0);
        let mut recent = [FIRST_DISTANCE; 3];
        for &command in self.commands {
            let mut literal_len = usize::from(command & 3);
            if literal_len == 3 {
                literal_len = *self.lengths.get(length)? as usize;
                length += 1;
            }
            let mut match_len = usize::from(command >> 2 & 15) + 2;
            if match_len == 17 {
                match_len = *self.lengths.get(length)? as usize + 14;
                length += 1;
            }
            copy::literals::<DELTA>(out, pos, self.literals, literal, literal_len, recent[0] as usize)?;
            literal += literal_len;
            pos += literal_len;
            let [first, second, third] = recent;
            recent = match command >> 6 {
                0 => recent,
                1 => [second, first, third],
                2 => [third, first, second],
                _ => {
                    let new = *self.offsets.get(offset)?;
                    offset += 1;
                    [new, first, second]
                }
            };
            copy::matched(out, pos, recent[0] as usize, match_len)?;
            pos += match_len;
        }
        let rest = end.checked_sub(pos)?;
        copy::literals::<DELTA>(out, pos, self.literals, literal, rest, recent[0] as usize)?;
        Some([literal + rest, offset, length])
    }
}
