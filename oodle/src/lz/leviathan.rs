//! Leviathan chunks.
//!
//! ```text
//! [8 plain bytes] · offset codes · length codes · literals: 1, 2, 4 or 16 streams · commands: 1 or 8 streams · bit region
//! ```

use super::bit_region::{BitRegion, OffsetCodes};
use super::{FIRST_DISTANCE, Target, Work, copy};
use crate::array::Streams;
use crate::error::{Error, Phase};
use crate::input::Input;

/// First byte of commands in 8 streams.
const SPLIT: u8 = 0x83;

/// Number of streams of split commands.
const COMMAND_STREAMS: usize = 8;

/// Recent distances, and a slot for a new one.
const SLOTS: usize = 8;

/// How literals are stored: what a mode of the chunk says.
mod mode {
    pub(super) const SUB: u32 = 0;
    pub(super) const RAW: u32 = 1;
    pub(super) const LAMSUB: u32 = 2;
    pub(super) const SUB_AND_3: u32 = 3;
    pub(super) const O1: u32 = 4;
    pub(super) const SUB_AND_F: u32 = 5;
}

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
    let mut input = input.phase(Phase::Leviathan);
    input.require(mode <= mode::SUB_AND_F, "has a reserved mode")?;
    input.require(input.len() >= 13, "is too short")?;
    let chunk = input;
    let plain = target.len();
    let pos = target.begin(&mut input)?;
    let Work { coder, literals, commands, offset_codes, low_offsets, length_codes, offsets, lengths, .. } =
        work;
    let codes = OffsetCodes::read(&mut input, plain / 3, coder, offset_codes, low_offsets)?;
    let length_codes = coder.array(&mut input, plain / 5, length_codes)?.exact();
    let literal_streams = match mode {
        mode::SUB | mode::RAW => 1,
        mode::LAMSUB => 2,
        mode::SUB_AND_3 => 4,
        _ => 16,
    };
    let literals = coder.streams(&mut input, plain, literal_streams, literals)?;
    let command_streams = if input.peek()? < 0x80 {
        1
    } else {
        input.require(input.peek()? == SPLIT, "has a reserved form of commands")?;
        input.u8()?;
        COMMAND_STREAMS
    };
    let commands = coder.streams(&mut input, plain, command_streams, commands)?;
    let mut region = BitRegion::new(input);
    let long_count = region.long_count()?;
    region.offsets(&codes, offsets)?;
    region.lengths(length_codes, long_count, lengths)?;
    region.finish()?;
    // The lists end with a number that is none of theirs.
    let (offsets, lengths) = (&offsets[..offsets.len() - 1], &lengths[..lengths.len() - 1]);
    let lists = Lists { literals, commands, offsets, lengths };
    let run = match mode {
        mode::SUB => lists.run::<{ mode::SUB }>(target, pos),
        mode::RAW => lists.run::<{ mode::RAW }>(target, pos),
        mode::LAMSUB => lists.run::<{ mode::LAMSUB }>(target, pos),
        mode::SUB_AND_3 => lists.run::<{ mode::SUB_AND_3 }>(target, pos),
        mode::O1 => lists.run::<{ mode::O1 }>(target, pos),
        _ => lists.run::<{ mode::SUB_AND_F }>(target, pos),
    };
    chunk.require(run.is_some(), "copies from or to where there is nothing, or does not use all its parts")
}

/// The parts of a chunk, decoded.
struct Lists<'a> {
    literals: Streams<'a>,
    commands: Streams<'a>,
    offsets: &'a [u32],
    lengths: &'a [u32],
}

/// Recent distances in the order of their last use, without moving them.
struct Recent {
    distances: [u32; SLOTS],
    /// Slots in that order, 4 bits each; the last has no distance.
    order: u32,
}

impl Recent {
    fn new() -> Self {
        Self { distances: [FIRST_DISTANCE; SLOTS], order: 0x7654_3210 }
    }

    /// Puts the distance at a place to the front, and returns it; at the last place that is `new`.
    #[inline(always)]
    fn choose(&mut self, place: u32, new: u32) -> u32 {
        self.distances[(self.order >> 28) as usize % SLOTS] = new;
        let shift = 4 * place;
        let slot = self.order >> shift & 15;
        let before = (1 << shift) - 1;
        let after = !(before << 4 | 15);
        self.order = self.order & after | (self.order & before) << 4 | slot;
        self.distances[slot as usize % SLOTS]
    }
}

impl Lists<'_> {
    /// Carries out the commands.
    ///
    /// Returns nothing if a list, the history or the chunk is too short, or a list is not used up.
    fn run<const MODE: u32>(self, target: Target<'_>, mut pos: usize) -> Option<()> {
        let Target { out, start, end } = target;
        let Self { mut literals, mut commands, offsets, mut lengths } = self;
        let mut offsets = offsets.iter();
        let mut recent = Recent::new();
        let mut distance = FIRST_DISTANCE as usize;
        for _ in 0..commands.len() {
            let stream = if commands.count == 1 { 0 } else { (pos - start) % COMMAND_STREAMS };
            let command = commands.next(stream)?;
            let mut literal_len = usize::from(command >> 3 & 3);
            if literal_len == 3 {
                literal_len = *lengths.split_off_first()? as usize;
            }
            let mut match_len = usize::from(command & 7) + 2;
            if match_len == 9 {
                match_len = *lengths.split_off_last()? as usize + 6;
            }
            put::<MODE>(&mut literals, out, start, pos, literal_len, distance)?;
            pos += literal_len;
            let choice = u32::from(command >> 5);
            let new = if choice == 7 { *offsets.next()? } else { 0 };
            distance = recent.choose(choice, new) as usize;
            copy::matched(out, pos, distance, match_len)?;
            pos += match_len;
        }
        let rest = end.checked_sub(pos)?;
        put::<MODE>(&mut literals, out, start, pos, rest, distance)?;
        let is_used = literals.is_used() && offsets.len() == 0 && lengths.is_empty();
        is_used.then_some(())
    }
}

/// Puts out a run of literals.
#[inline(always)]
fn put<const MODE: u32>(
    streams: &mut Streams<'_>,
    out: &mut [u8],
    start: usize,
    pos: usize,
    len: usize,
    distance: usize,
) -> Option<()> {
    match MODE {
        mode::SUB | mode::RAW => {
            let next = streams.next[0];
            if MODE == mode::RAW {
                copy::literals(out, pos, streams.padded, next, len, None)?;
            } else {
                copy::literals(out, pos, streams.padded, next, len, Some(distance))?;
            }
            streams.next[0] += len;
        }
        mode::LAMSUB => {
            if len == 0 {
                return Some(());
            }
            let first = streams.next(1)?;
            *out.get_mut(pos)? = first.wrapping_add(*out.get(pos.wrapping_sub(distance))?);
            let next = streams.next[0];
            copy::literals(out, pos + 1, streams.padded, next, len - 1, Some(distance))?;
            streams.next[0] += len - 1;
        }
        _ => {
            for pos in pos..pos + len {
                let value = match MODE {
                    mode::O1 => {
                        let before = *out.get(pos.wrapping_sub(1))?;
                        streams.next(usize::from(before >> 4))?
                    }
                    _ => {
                        let count = if MODE == mode::SUB_AND_3 { 4 } else { 16 };
                        let literal = streams.next((pos - start) % count)?;
                        literal.wrapping_add(*out.get(pos.wrapping_sub(distance))?)
                    }
                };
                *out.get_mut(pos)? = value;
            }
        }
    }
    Some(())
}
