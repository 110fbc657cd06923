//! Huffman arrays: code lengths, then three or six interleaved streams.
//!
//! ```text
//! 3 streams   middle (2 bytes) · A → · C → ← B
//! 6 streams   size of the left part (3 bytes) · left part · right part, each as above
//! ```
//!
//! Symbols come from A, B and C in turn. A ends at the middle, and C and B meet, which proves the array.

use super::code_lengths::{CodeLengths, MAX_CODE_LENGTH};
use crate::bits::{Backward, Forward, LsbReader};
use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;

const ENTRIES: usize = 1 << MAX_CODE_LENGTH;

/// Symbols that one look at a stream is enough for.
const AT_ONCE: usize = 5;

/// Maps the next 11 bits of a stream to a symbol (high byte) and the length of its code (low byte).
pub(super) struct HuffmanTable(Box<[u16; ENTRIES]>);

impl Default for HuffmanTable {
    fn default() -> Self {
        Self(Box::new([0; ENTRIES]))
    }
}

impl HuffmanTable {
    /// Fills the table, and returns whether the code is complete.
    fn build(&mut self, lengths: &CodeLengths) -> bool {
        let mut counts = [0_usize; MAX_CODE_LENGTH as usize + 1];
        for (_, length) in lengths.pairs() {
            counts[usize::from(length)] += 1;
        }
        let slots: usize = counts.iter().enumerate().map(|(length, count)| count << (11 - length)).sum();
        if slots != ENTRIES {
            return false;
        }
        let mut starts = [0; MAX_CODE_LENGTH as usize + 1];
        for length in 1..MAX_CODE_LENGTH as usize {
            starts[length + 1] = starts[length] + counts[length];
        }
        let mut sorted = [0_u8; 256];
        for (symbol, length) in lengths.pairs() {
            let next = &mut starts[usize::from(length)];
            sorted[*next] = symbol;
            *next += 1;
        }
        // The first 2^length entries tell all codes up to that length; doubled, they are right for the next length but
        // for the codes that are as long.
        let (mut code, mut from) = (0_u16, 0);
        for length in 1..=MAX_CODE_LENGTH {
            let filled = 1 << (length - 1);
            self.0.copy_within(..filled, filled);
            code <<= 1;
            let count = counts[length as usize];
            for &symbol in &sorted[from..from + count] {
                let slot = code.reverse_bits() >> (16 - length);
                self.0[usize::from(slot)] = u16::from(symbol) << 8 | length as u16;
                code += 1;
            }
            from += count;
        }
        true
    }
}

/// Three streams over one region.
struct Triple<'a> {
    region: StoredBytes<'a>,
    middle: usize,
    a: LsbReader<'a, Forward>,
    b: LsbReader<'a, Backward>,
    c: LsbReader<'a, Forward>,
}

impl<'a> Triple<'a> {
    /// Reads the middle, and begins the streams over the rest.
    fn new(mut part: StoredBytes<'a>) -> Result<Self, Error> {
        part.require(part.len() >= 3, "is too short for three streams")?;
        let middle = part.u16_le()?;
        let region = part;
        let mut after = region;
        after.take(middle)?;
        let (whole, right) = (region.rest(), after.rest());
        let (a, b, c) = (LsbReader::new(whole), LsbReader::new(whole), LsbReader::new(right));
        Ok(Self { region, middle, a, b, c })
    }

    /// Returns whether [`Self::fifteen`] is possible.
    #[inline(always)]
    fn has_fifteen(&self) -> bool {
        self.a.peek_inside().is_some() && self.b.peek_inside().is_some() && self.c.peek_inside().is_some()
    }

    /// Decodes 5 symbols of each stream, unless one is near its end.
    #[inline(always)]
    fn fifteen(&mut self, table: &[u16; ENTRIES], out: &mut [u8; 3 * AT_ONCE]) -> Option<()> {
        let (mut a, mut b, mut c) = (self.a.peek_inside()?, self.b.peek_inside()?, self.c.peek_inside()?);
        // Only the lowest 8 bits of these sums mean something.
        let (mut a_bits, mut b_bits, mut c_bits) = (0_u16, 0_u16, 0_u16);
        for three in out.as_chunks_mut::<3>().0 {
            three[0] = next(table, &mut a, &mut a_bits);
            three[1] = next(table, &mut b, &mut b_bits);
            three[2] = next(table, &mut c, &mut c_bits);
        }
        self.a.skip((a_bits & 0xFF).into());
        self.b.skip((b_bits & 0xFF).into());
        self.c.skip((c_bits & 0xFF).into());
        Some(())
    }

    /// Decodes the last symbols, and checks that the streams end where they must.
    fn finish(&mut self, table: &[u16; ENTRIES], out: &mut [u8]) -> Result<(), Error> {
        for three in out.chunks_mut(3) {
            for (stream, symbol) in three.iter_mut().enumerate() {
                let mut window = match stream {
                    0 => self.a.peek(),
                    1 => self.b.peek(),
                    _ => self.c.peek(),
                };
                let mut bits = 0;
                *symbol = next(table, &mut window, &mut bits);
                let bits = u32::from(bits & 0xFF);
                match stream {
                    0 => self.a.skip(bits),
                    1 => self.b.skip(bits),
                    _ => self.c.skip(bits),
                }
            }
        }
        let whole = self.a.bytes_begun() == self.middle
            && self.b.bytes_begun() + self.c.bytes_begun() == self.region.len() - self.middle;
        self.region.require(whole, "streams do not end where they must")
    }
}

/// Decodes one symbol and adds the length of its code to the low byte of `bits`.
#[inline(always)]
fn next(table: &[u16; ENTRIES], window: &mut u64, bits: &mut u16) -> u8 {
    let entry = table[*window as usize % ENTRIES];
    *window >>= entry & 63;
    *bits = bits.wrapping_add(entry);
    (entry >> 8) as u8
}

/// Reads the code, and returns the rest of the payload; nothing if all plain bytes are one symbol.
fn begin<'a>(
    mut payload: StoredBytes<'a>,
    plain: &mut [u8],
    table: &mut HuffmanTable,
) -> Result<Option<StoredBytes<'a>>, Error> {
    payload = payload.part(FormatPart::CodeLengths);
    let lengths = CodeLengths::read(&mut payload)?;
    if let Some(symbol) = lengths.single() {
        plain.fill(symbol);
        return Ok(None);
    }
    payload.require(table.build(&lengths), "do not make a complete code")?;
    Ok(Some(payload.part(FormatPart::Huffman)))
}

/// Decodes an array of type 2.
pub(super) fn three_streams(
    payload: StoredBytes<'_>,
    plain: &mut [u8],
    table: &mut HuffmanTable,
) -> Result<(), Error> {
    let Some(part) = begin(payload, plain, table)? else { return Ok(()) };
    let mut triple = Triple::new(part)?;
    let mut made = 0;
    while let Some(out) = plain[made..].first_chunk_mut() {
        if triple.fifteen(&table.0, out).is_none() {
            break;
        }
        made += out.len();
    }
    triple.finish(&table.0, &mut plain[made..])
}

/// Decodes an array of type 4.
pub(super) fn six_streams(
    payload: StoredBytes<'_>,
    plain: &mut [u8],
    table: &mut HuffmanTable,
) -> Result<(), Error> {
    let Some(mut part) = begin(payload, plain, table)? else { return Ok(()) };
    part.require(part.len() >= 6, "is too short for six streams")?;
    let size = part.u24_le()? as usize;
    let mut left = Triple::new(part.take(size)?)?;
    let mut right = Triple::new(part)?;
    let (left_plain, right_plain) = plain.split_at_mut(plain.len().div_ceil(2));
    let table = &table.0;
    let mut made = 0;
    while let (Some(l), Some(r)) =
        (left_plain[made..].first_chunk_mut(), right_plain[made..].first_chunk_mut())
    {
        // One after the other: if one is near its end, the other goes on where it was.
        if !left.has_fifteen() || !right.has_fifteen() {
            break;
        }
        left.fifteen(table, l);
        right.fifteen(table, r);
        made += l.len();
    }
    left.finish(table, &mut left_plain[made..])?;
    right.finish(table, &mut right_plain[made..])
}
