//! Offsets and lengths of Kraken and Leviathan chunks: codes in arrays, their bits in a region that two readers share.

use crate::array::Coder;
use crate::bits::{Backward, Forward, MsbReader, ReadDirection};
use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;

/// Most long lengths of a chunk.
const MAX_LONG: usize = 512;

/// Length code that takes a long length.
const LONG: u8 = 255;

/// What is added to a length code.
const SHORTEST: u32 = 3;

/// Codes of a chunk's offsets.
pub(super) struct OffsetCodes<'a> {
    codes: &'a [u8],
    coding: Coding<'a>,
}

/// How offsets are coded.
#[derive(Clone, Copy)]
enum Coding<'a> {
    /// 4 low bits of the offset in the code, or 12 more bits after it.
    Old,
    /// 3 bits of the offset in the code.
    New,
    /// As [`Self::New`], multiplied by a scale, with low parts.
    Scaled(u32, &'a [u8]),
}

impl<'a> OffsetCodes<'a> {
    /// Reads the offset codes and what tells their coding.
    ///
    /// # Errors
    /// If they break a rule of the format.
    pub(super) fn read(
        input: &mut StoredBytes<'a>,
        most: usize,
        coder: &mut Coder,
        codes: &'a mut Vec<u8>,
        lows: &'a mut Vec<u8>,
    ) -> Result<Self, Error> {
        let first = input.peek()?;
        let scale = if first >= 0x80 { u32::from(input.u8()?) - 127 } else { 0 };
        let codes = coder.array(input, most, codes)?.exact();
        let coding = match scale {
            0 => Coding::Old,
            1 => Coding::New,
            _ => {
                let lows = coder.array(input, codes.len(), lows)?.exact();
                input.require(lows.len() == codes.len(), "does not have a low part for each offset")?;
                Coding::Scaled(scale, lows)
            }
        };
        Ok(Self { codes, coding })
    }
}

/// Two readers, from both ends of a region.
pub(super) struct BitRegion<'a> {
    region: StoredBytes<'a>,
    a: MsbReader<'a, Forward>,
    b: MsbReader<'a, Backward>,
}

impl<'a> BitRegion<'a> {
    pub(super) fn new(region: StoredBytes<'a>) -> Self {
        let region = region.part(FormatPart::BitRegion);
        Self { region, a: MsbReader::new(region.rest()), b: MsbReader::new(region.rest()) }
    }

    /// Reads how many long lengths there are.
    pub(super) fn long_count(&mut self) -> Result<usize, Error> {
        let count = self.b.zeros(18).map_or(usize::MAX, |zeros| {
            self.b.skip(zeros);
            self.b.read(zeros + 1) as usize - 1
        });
        self.region.require(count <= MAX_LONG, "have too many long lengths")?;
        Ok(count)
    }

    /// Reads all offsets, and a zero behind them; those that are too large for any buffer as the largest number.
    pub(super) fn offsets(&mut self, codes: &OffsetCodes<'_>, offsets: &mut Vec<u32>) -> Result<(), Error> {
        offsets.clear();
        offsets.resize(codes.codes.len() + 1, 0);
        if let Coding::Old = codes.coding {
            self.alternate(codes.codes, offsets, old_offset, old_offset);
        } else {
            let in_range = codes.codes.iter().all(|code| code >> 3 <= 26);
            self.region.require(in_range, "have an offset code out of range")?;
            self.alternate(codes.codes, offsets, new_offset, new_offset);
        }
        if let Coding::Scaled(scale, lows) = codes.coding {
            for (offset, low) in offsets.iter_mut().zip(lows) {
                *offset = offset.saturating_mul(scale).saturating_add(u32::from(*low));
            }
        }
        Ok(())
    }

    /// Reads a number for each code, by the two readers in turn.
    #[inline(always)]
    fn alternate(
        &mut self,
        codes: &[u8],
        numbers: &mut [u32],
        by_a: impl Fn(&mut MsbReader<'_, Forward>, u8) -> u32,
        by_b: impl Fn(&mut MsbReader<'_, Backward>, u8) -> u32,
    ) {
        let (pairs, last) = codes.as_chunks::<2>();
        let (number_pairs, last_number) = numbers.split_at_mut(2 * pairs.len());
        for (codes, numbers) in pairs.iter().zip(number_pairs.as_chunks_mut::<2>().0) {
            *numbers = [by_a(&mut self.a, codes[0]), by_b(&mut self.b, codes[1])];
        }
        for (&code, number) in last.iter().zip(last_number) {
            *number = by_a(&mut self.a, code);
        }
    }

    /// Reads all lengths, and a zero behind them.
    pub(super) fn lengths(
        &mut self,
        codes: &[u8],
        long_count: usize,
        lengths: &mut Vec<u32>,
    ) -> Result<(), Error> {
        lengths.clear();
        lengths.extend(codes.iter().map(|&code| u32::from(code) + SHORTEST));
        let mut is_odd = false;
        let mut left = long_count;
        for (length, _) in lengths.iter_mut().zip(codes).filter(|(_, code)| **code == LONG) {
            self.region.require(left > 0, "have too few long lengths")?;
            let long = if is_odd { long_length(&mut self.b) } else { long_length(&mut self.a) };
            *length += long.ok_or_else(|| self.region.refuse("have a long length out of range"))?;
            is_odd = !is_odd;
            left -= 1;
        }
        self.region.require(left == 0, "have long lengths that are not used")?;
        lengths.push(0);
        Ok(())
    }

    /// Checks that the two readers meet.
    pub(super) fn finish(&self) -> Result<(), Error> {
        let meet = self.a.bytes_begun() + self.b.bytes_begun() == self.region.len();
        self.region.require(meet, "do not fill their bits")
    }
}

/// Returns the number of length codes that take a long length.
pub(super) fn count_long(codes: &[u8]) -> usize {
    codes.iter().filter(|&&code| code == LONG).count()
}

#[inline(always)]
fn old_offset<D: ReadDirection>(bits: &mut MsbReader<'_, D>, code: u8) -> u32 {
    let code = u32::from(code);
    if code < 0xF0 {
        let width = (code >> 4) + 4;
        let high = bits.read_after(1, 1, width);
        (high << 4) + (code & 15) - 248
    } else {
        let width = code - 0xEC;
        let high = bits.read_after(1, 1, width);
        let offset = (u64::from(high) << 12) + u64::from(bits.read(12)) + 0x7E_FF00;
        u32::try_from(offset).unwrap_or(u32::MAX)
    }
}

#[inline(always)]
fn new_offset<D: ReadDirection>(bits: &mut MsbReader<'_, D>, code: u8) -> u32 {
    let width = u32::from(code >> 3);
    bits.read_after(8 + u32::from(code & 7), 4, width) - 8
}

fn long_length<D: ReadDirection>(bits: &mut MsbReader<'_, D>) -> Option<u32> {
    let zeros = bits.zeros(12)?;
    bits.skip(zeros);
    Some(bits.read(zeros + 7) - 64)
}
