//! Mermaid and Selkie chunks.
//!
//! ```text
//! [8 plain bytes] · literals · commands · [commands of the first half] · near offsets · far offsets · length bytes
//! ```
//!
//! Plain bytes come in two halves. Literals, near offsets and length bytes run on from one to the other.

use std::hint::select_unpredictable;

use super::copy::{Copier, CopyStep};
use super::{ChunkOutput, ChunkWorkspace, FIRST_DISTANCE, is_delta};
use crate::array::Coder;
use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;

/// Plain bytes of the first half.
const HALF: usize = 0x1_0000;

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
    let mut input = input.part(FormatPart::Mermaid);
    let is_delta = is_delta(&input, mode)?;
    input.require(input.len() >= 10, "is too short")?;
    let chunk = input;
    let plain = target.len();
    let pos = target.begin(&mut input)?;
    let ChunkWorkspace { coder, literals, commands, near, offsets, offset_codes, low_offsets, .. } = work;
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
    let copier = Copier {
        out: target.out,
        pos: pos as u32,
        literals: literals.padded,
        literal: 0,
        distance: FIRST_DISTANCE,
    };
    let mut streams = MermaidStreams { near, near_used: 0, lengths: input.rest(), copier };
    for half in &halves {
        let run = if is_delta { streams.run::<true>(half) } else { streams.run::<false>(half) };
        chunk.require(run.is_some(), "copies from or to where there is nothing")?;
    }
    // The near offsets end with one that is none.
    let is_used = streams.copier.literal as usize == literals.len
        && streams.near_used == streams.near.len() - 1
        && streams.lengths.is_empty();
    chunk.require(is_used, "does not use all its parts")
}

/// Reads the near offsets, and a zero behind them: as they are, or high and low bytes in two arrays.
fn read_near<'a>(
    input: &mut StoredBytes<'a>,
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
    near.push(0);
    Ok(())
}

/// Reads the numbers of far offsets of both halves.
fn far_counts(input: &mut StoredBytes<'_>) -> Result<[usize; 2], Error> {
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
fn read_far(
    input: &mut StoredBytes<'_>,
    count: usize,
    half: usize,
    offsets: &mut Vec<u32>,
) -> Result<(), Error> {
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
struct MermaidStreams<'a> {
    near: &'a [u16],
    near_used: usize,
    lengths: &'a [u8],
    copier: Copier<'a>,
}

impl MermaidStreams<'_> {
    /// Carries out the commands of a half; returns nothing if a list, the history or the half is too short.
    fn run<const DELTA: bool>(&mut self, half: &Half<'_>) -> Option<()> {
        let mut far = half.far.iter();
        let mut near_used = self.near_used;
        for &command in half.commands {
            let step = if command >= 24 {
                // No branch on the bit: it cannot be predicted.
                let near = u32::from(*self.near.get(near_used)?);
                let is_near = command < 0x80;
                near_used += usize::from(is_near);
                CopyStep {
                    literal_len: u32::from(command & 7),
                    match_len: u32::from(command >> 3 & 15),
                    distance: select_unpredictable(is_near, near, self.copier.distance),
                }
            } else {
                match command {
                    0 => {
                        let len = next_length(&mut self.lengths)? + 64;
                        self.copier.literals::<DELTA>(len)?;
                        continue;
                    }
                    1 => {
                        let match_len = next_length(&mut self.lengths)? + 91;
                        let distance = u32::from(*self.near.get(near_used)?);
                        near_used += 1;
                        CopyStep { literal_len: 0, match_len, distance }
                    }
                    _ => {
                        let match_len = match command {
                            2 => next_length(&mut self.lengths)? + 29,
                            _ => u32::from(command) + 5,
                        };
                        let source = half.start - *far.next()? as usize;
                        CopyStep { literal_len: 0, match_len, distance: self.copier.pos - source as u32 }
                    }
                }
            };
            self.copier.step::<DELTA, 16>(step)?;
        }
        self.near_used = near_used;
        self.copier.finish::<DELTA>(half.end)?;
        far.as_slice().is_empty().then_some(())
    }
}

/// Reads a length of one or three bytes.
fn next_length(lengths: &mut &[u8]) -> Option<u32> {
    let mut len = u32::from(*lengths.split_off_first()?);
    if len > 251 {
        let (more, rest) = lengths.split_first_chunk()?;
        len += 4 * u32::from(u16::from_le_bytes(*more));
        *lengths = rest;
    }
    Some(len)
}
