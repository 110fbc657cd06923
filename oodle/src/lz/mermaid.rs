//! Mermaid and Selkie chunks.
//!
//! ```text
//! [8 plain bytes] · literals · commands · [commands of the first half] · near offsets · far offsets · length bytes
//! ```
//!
//! Plain bytes come in two halves. Literals, near offsets and length bytes run on from one to the other.

use super::{FIRST_DISTANCE, Target, Work, copy, is_delta};
use crate::array::Coder;
use crate::error::{Error, Phase};
use crate::input::Input;

/// Plain bytes of the first half.
const HALF: usize = 0x1_0000;

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
    let mut input = input.phase(Phase::Mermaid);
    let is_delta = is_delta(&input, mode)?;
    input.require(input.len() >= 10, "is too short")?;
    let chunk = input;
    let plain = target.len();
    let pos = target.begin(&mut input)?;
    let Work { coder, literals, commands, near, offsets, offset_codes, low_offsets, .. } = work;
    let literals = coder.array(&mut input, plain, literals)?;
    let commands = coder.array(&mut input, plain, commands)?.exact();
    let first_half = if plain > HALF { input.u16_le()? } else { commands.len() };
    input.require(first_half <= commands.len(), "has too few commands for its first half")?;
    read_near(&mut input, plain / 2, coder, offset_codes, low_offsets, near)?;
    let far_counts = far_counts(&mut input)?;
    offsets.clear();
    for (half, count) in far_counts.into_iter().enumerate() {
        read_far(&mut input, count, target.start + half * HALF, offsets)?;
    }
    let (first_far, second_far) = offsets.split_at(far_counts[0]);
    let (first_commands, second_commands) = commands.split_at(first_half);
    let end = target.end;
    let first_end = end.min(target.start + HALF);
    let halves = [
        Half { commands: first_commands, far: first_far, start: target.start, end: first_end },
        Half { commands: second_commands, far: second_far, start: first_end, end },
    ];
    let mut lists = Lists {
        literals: literals.padded,
        near,
        lengths: input.rest(),
        literal: 0,
        near_used: 0,
        distance: FIRST_DISTANCE as usize,
        pos,
    };
    for half in &halves {
        let run =
            if is_delta { lists.run::<true>(half, target.out) } else { lists.run::<false>(half, target.out) };
        chunk.require(run.is_some(), "copies from or to where there is nothing")?;
    }
    let is_used = lists.literal == literals.len && lists.near_used == near.len() && lists.lengths.is_empty();
    chunk.require(is_used, "does not use all its parts")
}

/// Reads the near offsets: as they are, or high and low bytes in two arrays.
fn read_near<'a>(
    input: &mut Input<'a>,
    most: usize,
    coder: &mut Coder,
    highs: &'a mut Vec<u8>,
    lows: &'a mut Vec<u8>,
    near: &mut Vec<u16>,
) -> Result<(), Error> {
    near.clear();
    let count = input.u16_le()?;
    if count == 0xFFFF {
        let highs = coder.array(input, most, highs)?.exact();
        let lows = coder.array(input, most, lows)?.exact();
        input.require(highs.len() == lows.len(), "has near offsets without a low byte")?;
        near.extend(highs.iter().zip(lows).map(|(&high, &low)| u16::from_be_bytes([high, low])));
    } else {
        let raw = input.take(2 * count)?;
        near.extend(raw.rest().as_chunks().0.iter().map(|&both| u16::from_le_bytes(both)));
    }
    Ok(())
}

/// Reads the numbers of far offsets of both halves.
fn far_counts(input: &mut Input<'_>) -> Result<[usize; 2], Error> {
    const ESCAPE: usize = 4095;
    let both = input.u24_le()? as usize;
    let mut counts = [both >> 12, both & 0xFFF];
    for count in &mut counts {
        if *count == ESCAPE {
            *count = input.u16_le()?;
        }
    }
    Ok(counts)
}

/// Reads far offsets of a half; none reaches before the start of the history.
fn read_far(input: &mut Input<'_>, count: usize, half: usize, offsets: &mut Vec<u32>) -> Result<(), Error> {
    /// History from which on an offset can have a fourth byte.
    const FOUR_BYTES: usize = 0xBF_FFFF;
    /// Offsets from here on have one.
    const ESCAPE: u32 = 0xC0_0000;
    for _ in 0..count {
        let mut offset = input.u24_le()?;
        if half >= FOUR_BYTES && offset >= ESCAPE {
            offset += u32::from(input.u8()?) << 22;
        }
        input.require(offset as usize <= half, "has a far offset before the first byte")?;
        offsets.push(offset);
    }
    Ok(())
}

/// A half of a chunk.
struct Half<'a> {
    commands: &'a [u8],
    far: &'a [u32],
    start: usize,
    end: usize,
}

/// What runs on from the first half to the second.
struct Lists<'a> {
    literals: &'a [u8],
    near: &'a [u16],
    lengths: &'a [u8],
    literal: usize,
    near_used: usize,
    distance: usize,
    pos: usize,
}

impl Lists<'_> {
    /// Carries out the commands of a half; returns nothing if a list, the history or the half is too short.
    fn run<const DELTA: bool>(&mut self, half: &Half<'_>, out: &mut [u8]) -> Option<()> {
        let mut far = half.far.iter();
        let Self { mut literal, mut near_used, mut distance, mut pos, .. } = *self;
        for &command in half.commands {
            let len;
            if command >= 24 {
                let literal_len = usize::from(command & 7);
                copy::literals::<DELTA>(out, pos, self.literals, literal, literal_len, distance)?;
                literal += literal_len;
                pos += literal_len;
                if command < 0x80 {
                    distance = usize::from(*self.near.get(near_used)?);
                    near_used += 1;
                }
                len = usize::from(command >> 3 & 15);
                if len == 0 {
                    continue;
                }
            } else if command == 0 {
                let literal_len = next_length(&mut self.lengths)? + 64;
                copy::literals::<DELTA>(out, pos, self.literals, literal, literal_len, distance)?;
                literal += literal_len;
                pos += literal_len;
                continue;
            } else if command == 1 {
                len = next_length(&mut self.lengths)? + 91;
                distance = usize::from(*self.near.get(near_used)?);
                near_used += 1;
            } else {
                len = if command == 2 {
                    next_length(&mut self.lengths)? + 29
                } else {
                    usize::from(command) + 5
                };
                distance = pos - (half.start - *far.next()? as usize);
            }
            copy::matched(out, pos, distance, len)?;
            pos += len;
        }
        let rest = half.end.checked_sub(pos)?;
        copy::literals::<DELTA>(out, pos, self.literals, literal, rest, distance)?;
        (self.literal, self.near_used, self.distance, self.pos) =
            (literal + rest, near_used, distance, half.end);
        far.as_slice().is_empty().then_some(())
    }
}

/// Reads a length of one or three bytes.
fn next_length(lengths: &mut &[u8]) -> Option<usize> {
    let mut len = usize::from(*lengths.split_off_first()?);
    if len > 251 {
        let (more, rest) = lengths.split_first_chunk()?;
        len += 4 * usize::from(u16::from_le_bytes(*more));
        *lengths = rest;
    }
    Some(len)
}
