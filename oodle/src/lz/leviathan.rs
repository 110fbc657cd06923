//! Leviathan chunks.
//!
//! ```text
//! [8 plain bytes] · offset codes · length codes · literals, 1 to 16 streams · commands, 1 or 8 streams · bit region
//! ```

use std::hint::select_unpredictable;

use super::bit_region::{BitRegion, OffsetCodes};
use super::copy;
use super::literals::mode;
use super::{ChunkOutput, ChunkWorkspace, FIRST_DISTANCE};
use crate::array::Streams;
use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;

/// First byte of commands in 8 streams.
const SPLIT: u8 = 0x83;

/// Number of streams of split commands.
const COMMAND_STREAMS: usize = 8;

/// Recent distances, and a slot for a new one.
const SLOTS: usize = 8;

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
    let mut input = input.part(FormatPart::Leviathan);
    input.require(mode <= mode::SUB_AND_F, "has a reserved mode")?;
    input.require(input.len() >= 13, "is too short")?;
    let chunk = input;
    let plain = target.len();
    let pos = target.begin(&mut input)?;
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
    let streams = LeviathanStreams { literals, commands, offsets, lengths };
    let run = streams.run_as(mode, command_streams > 1, target, pos);
    chunk.require(run.is_some(), "copies from or to where there is nothing, or does not use all its parts")
}

/// The parts of a chunk, decoded.
struct LeviathanStreams<'a> {
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

impl LeviathanStreams<'_> {
    /// Carries out the commands in the mode of the chunk; returns nothing if a stream, the history or the chunk is too
    /// short.
    fn run_as(self, mode: u32, is_split: bool, target: ChunkOutput<'_>, pos: usize) -> Option<()> {
        match (mode, is_split) {
            (mode::SUB, false) => self.run::<{ mode::SUB }, false>(target, pos),
            (mode::SUB, true) => self.run::<{ mode::SUB }, true>(target, pos),
            (mode::RAW, false) => self.run::<{ mode::RAW }, false>(target, pos),
            (mode::RAW, true) => self.run::<{ mode::RAW }, true>(target, pos),
            (mode::LAMSUB, false) => self.run::<{ mode::LAMSUB }, false>(target, pos),
            (mode::LAMSUB, true) => self.run::<{ mode::LAMSUB }, true>(target, pos),
            (mode::SUB_AND_3, false) => self.run::<{ mode::SUB_AND_3 }, false>(target, pos),
            (mode::SUB_AND_3, true) => self.run::<{ mode::SUB_AND_3 }, true>(target, pos),
            (mode::O1, false) => self.run::<{ mode::O1 }, false>(target, pos),
            (mode::O1, true) => self.run::<{ mode::O1 }, true>(target, pos),
            (_, false) => self.run::<{ mode::SUB_AND_F }, false>(target, pos),
            (_, true) => self.run::<{ mode::SUB_AND_F }, true>(target, pos),
        }
    }

    /// Carries out the commands.
    ///
    /// Returns nothing if a list, the history or the chunk is too short, or a list is not used up.
    fn run<const MODE: u32, const IS_SPLIT: bool>(self, target: ChunkOutput<'_>, pos: usize) -> Option<()> {
        let ChunkOutput { out, start, end } = target;
        let Self { mut literals, mut commands, offsets, lengths } = self;
        let (start, mut pos) = (start as u32, pos as u32);
        let mut offset = 0;
        // Lengths of literals are taken from the front, lengths of matches from the back. A zero is behind them.
        let (mut front, mut back) = (0, lengths.len() - 1);
        let mut recent = Recent::new();
        let mut distance = FIRST_DISTANCE;
        for done in 0..commands.len() {
            let command = if IS_SPLIT {
                commands.take((pos - start) as usize % COMMAND_STREAMS)?
            } else {
                *commands.padded.get(done)?
            };
            // No branch on the codes: they cannot be predicted.
            let is_long = command & 0x18 == 0x18;
            let long = *lengths.get(front)?;
            let literal_len = select_unpredictable(is_long, long, u32::from(command >> 3 & 3));
            front += usize::from(is_long);
            let is_long = command & 7 == 7;
            let long = *lengths.get(back.saturating_sub(1))? + 6;
            let match_len = select_unpredictable(is_long, long, u32::from(command & 7) + 2);
            back = back.wrapping_sub(usize::from(is_long));
            let new = *offsets.get(offset)?;
            offset += usize::from(command >= 0xE0);
            literals.put::<MODE>(out, start, pos, literal_len, distance)?;
            distance = recent.choose(u32::from(command >> 5), new);
            pos += literal_len;
            copy::matched::<32>(out, pos, match_len, distance)?;
            pos += match_len;
        }
        let rest = (end as u32).checked_sub(pos)?;
        literals.put::<MODE>(out, start, pos, rest, distance)?;
        let is_used = literals.is_used() && (!IS_SPLIT || commands.is_used());
        (is_used && offset == offsets.len() - 1 && front == back).then_some(())
    }
}
