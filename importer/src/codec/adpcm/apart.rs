//! Microsoft ADPCM of several channels as the engine writes it: each channel coded alone, in blocks of one channel.
//!
//! Nothing in the file says so for certain, so it is identified by what contradicts the ordinary order: a number of
//! frames in a block that only one channel can have, or predictors that do not exist.
//!
//! Source: *vgmstream* (the two orders; headers of 50 bytes and, with the number of frames at their end, of 54).

use std::ops::Range;

use super::ms;
use super::{AdpcmHeader, AdpcmMethod, Interleaving, MAX_PLANAR};
use crate::Damage;
use crate::payload_reader::PayloadReader;

/// Blocks that are looked at.
const LOOKED_AT: u64 = 16;
/// So many times smoother must the unusual order be; noise is as rough in both.
const CLEAR: u64 = 2;

/// In which order the blocks lie.
pub(super) fn order(
    reader: &PayloadReader<'_>,
    header: &AdpcmHeader,
    bytes: Range<u64>,
) -> Result<Interleaving, Damage> {
    let AdpcmMethod::Ms(pairs) = &header.method else { return Ok(Interleaving::Together) };
    let (at, length) = (bytes.start, bytes.end.saturating_sub(bytes.start));
    let (channels, block) = (header.channels, u64::from(header.block));
    let blocks = length.checked_div(block).unwrap_or_default();
    if !(2..=MAX_PLANAR).contains(&channels) || blocks < channels.into() || block <= ms::HEADER {
        return Ok(Interleaving::Together);
    }
    let order = BlockOrder { reader, pairs, at, length, block, channels: channels.into() };
    let (alone, together) = (header.method.frames_in(block, 1), header.method.frames_in(block, channels));
    let says_alone = u64::from(header.block_frames) == alone && alone != together;
    if !order.can_be_apart(says_alone)? {
        return Ok(Interleaving::Together);
    }
    // The longer header came with the newer order, but not at once.
    let (usual, other) = match header.frames {
        Some(_) => (Interleaving::InTurn, Interleaving::OneAfterAnother),
        None => (Interleaving::OneAfterAnother, Interleaving::InTurn),
    };
    let is_clear = order.leap(other)?.saturating_mul(CLEAR) < order.leap(usual)?;
    Ok(if is_clear { other } else { usual })
}

struct BlockOrder<'w> {
    reader: &'w PayloadReader<'w>,
    pairs: &'w [(i16, i16)],
    at: u64,
    length: u64,
    block: u64,
    channels: u64,
}

impl BlockOrder<'_> {
    /// Returns how many whole blocks so many bytes hold.
    fn blocks(&self, length: u64) -> u64 {
        length.checked_div(self.block).unwrap_or_default()
    }

    /// Returns whether every block that is looked at can be of one channel, and most cannot be of all; one that cannot
    /// is enough if the header says the same.
    fn can_be_apart(&self, is_said: bool) -> Result<bool, Damage> {
        let exists = |predictor: &u8| usize::from(*predictor) < self.pairs.len();
        let looked_at = self.blocks(self.length).min(LOOKED_AT);
        let mut impossible: u64 = 0;
        for number in 0..looked_at {
            let at = self.at.saturating_add(number.saturating_mul(self.block));
            let head = self.reader.bytes(at, self.channels.min(self.block))?;
            if !head.first().is_some_and(exists) {
                return Ok(false);
            }
            if !head.iter().all(exists) {
                impossible = impossible.saturating_add(1);
            }
        }
        Ok(impossible > if is_said { 0 } else { looked_at / 2 })
    }

    /// Returns how far values leap from block to block of each channel in this order, all leaps together.
    fn leap(&self, order: Interleaving) -> Result<u64, Damage> {
        let part = self.length.checked_div(self.channels).unwrap_or_default();
        let mut leaps: u64 = 0;
        for channel in 0..self.channels {
            let mut last: Option<i16> = None;
            for number in 0..self.blocks(part).min(LOOKED_AT) {
                let start = match order {
                    Interleaving::OneAfterAnother => {
                        channel.saturating_mul(part).saturating_add(number.saturating_mul(self.block))
                    }
                    _ => number
                        .saturating_mul(self.channels)
                        .saturating_add(channel)
                        .saturating_mul(self.block),
                };
                let block = self.reader.bytes(self.at.saturating_add(start), self.block)?;
                let mut values = Vec::new();
                if ms::mono(&block, self.pairs, &mut values).is_none() {
                    return Ok(u64::MAX);
                }
                if let (Some(last), Some(first)) = (last, values.first()) {
                    leaps = leaps.saturating_add(last.abs_diff(*first).into());
                }
                last = values.last().copied();
            }
        }
        Ok(leaps)
    }
}
