//! Codebooks: prefix codes of numbers, and vectors that such numbers stand for.
//!
//! ```text
//! next bits ─► table by the low ten ─┬─► entry ─► vector
//!                                    └─► longer codes, searched
//! ```
//!
//! Codes are given by their lengths alone: each entry in turn takes the lowest code of its length that is free.
//!
//! Source: Xiph.Org, *Vorbis I specification*, §3 and §9.2.

use super::super::bits::LsbBitReader;

/// Entries, and values in vectors, of all codebooks together; encoders use a tenth of it. A few bytes can ask for
/// gigabytes.
const MAX_ENTRIES: usize = 1 << 20;
const MAX_VALUES: usize = 1 << 22;

/// Bits of the longest code that the table knows.
const TABLE_BITS: u32 = 10;

/// Bits of the longest code.
const MAX_LENGTH: u8 = 32;

pub(super) const INVALID: &str = "a Vorbis setup header with invalid codebooks";
const TOO_LARGE: &str = "Vorbis codebooks larger than any encoder makes";

/// A codebook.
#[derive(Debug)]
pub(super) struct Codebook {
    /// Values of a vector; entries per codeword where a book classifies.
    pub(super) dimensions: usize,
    /// By the next bits: an entry and the length of its code, or 0 where it is longer.
    table: Vec<u32>,
    /// Codes longer than the table knows, ascending.
    long: Vec<LongCode>,
    /// Vectors of all entries; none if the book only gives numbers.
    values: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
struct LongCode {
    /// The code, its first bit highest.
    code: u32,
    length: u8,
    entry: u32,
}

/// What the books of a header take so far.
#[derive(Default)]
pub(super) struct Taken {
    entries: usize,
    values: usize,
}

impl Codebook {
    /// Reads a codebook.
    ///
    /// # Errors
    /// If the header ends in it, it makes no sense, or all books together are larger than any encoder makes them.
    pub(super) fn read(bits: &mut LsbBitReader<'_>, taken: &mut Taken) -> Result<Self, &'static str> {
        let _sync = bits.read(24).ok_or(INVALID)?;
        let dimensions = bits.size(16).filter(|count| *count > 0).ok_or(INVALID)?;
        let entries = bits.size(24).ok_or(INVALID)?;
        taken.entries = taken.entries.saturating_add(entries);
        if taken.entries > MAX_ENTRIES {
            return Err(TOO_LARGE);
        }
        let lengths = lengths(bits, entries).ok_or(INVALID)?;
        let (table, long) = codes(&lengths).ok_or(INVALID)?;
        let kind = bits.read(4).ok_or(INVALID)?;
        let mut values = Vec::new();
        if kind != 0 {
            taken.values = taken.values.saturating_add(entries.saturating_mul(dimensions));
            if taken.values > MAX_VALUES {
                return Err(TOO_LARGE);
            }
            values = vectors(bits, kind, entries, dimensions).ok_or(INVALID)?;
        }
        Ok(Self { dimensions, table, long, values })
    }

    /// Returns whether entries stand for vectors.
    pub(super) const fn has_vectors(&self) -> bool {
        !self.values.is_empty()
    }

    /// Reads an entry; none if the packet ends before.
    #[inline]
    pub(super) fn entry(&self, bits: &mut LsbBitReader<'_>) -> Option<usize> {
        let ahead = bits.peek();
        let mask = self.table.len().wrapping_sub(1);
        let mut slot = *self.table.get(ahead as usize & mask)?;
        if slot == 0 {
            slot = self.long_code(ahead)?;
        }
        bits.consume(slot & 63)?;
        Some((slot >> 6) as usize)
    }

    /// Returns an entry and the length of its code as the table has them; none if there is no such code.
    #[cold]
    #[inline(never)]
    fn long_code(&self, ahead: u32) -> Option<u32> {
        let ahead = ahead.reverse_bits();
        let after = self.long.partition_point(|long| long.code <= ahead);
        let long = self.long.get(after.checked_sub(1)?)?;
        let differing = (long.code ^ ahead).checked_shr(u32::BITS.wrapping_sub(long.length.into()))?;
        (differing == 0).then_some(long.entry << 6 | u32::from(long.length))
    }

    /// Reads a vector; none if the packet ends before, or the book has no vectors.
    #[inline]
    pub(super) fn vector(&self, bits: &mut LsbBitReader<'_>) -> Option<&[f32]> {
        let start = self.entry(bits)?.wrapping_mul(self.dimensions);
        self.values.get(start..)?.get(..self.dimensions)
    }

    /// Reads a vector of a book of `N` dimensions.
    #[inline]
    pub(super) fn array<const N: usize>(&self, bits: &mut LsbBitReader<'_>) -> Option<&[f32; N]> {
        self.values.get(self.entry(bits)?.wrapping_mul(N)..)?.first_chunk()
    }
}

/// Reads the length of each entry's code, 0 where it has none.
fn lengths(bits: &mut LsbBitReader<'_>, entries: usize) -> Option<Vec<u8>> {
    let is_ordered = bits.flag()?;
    let read = |bits: &mut LsbBitReader<'_>| u8::try_from(bits.read(5)?.wrapping_add(1)).ok();
    if !is_ordered {
        let is_sparse = bits.flag()?;
        return (0..entries).map(|_| if is_sparse && !bits.flag()? { Some(0) } else { read(bits) }).collect();
    }
    let (mut lengths, mut length) = (Vec::new(), read(bits)?);
    while lengths.len() < entries {
        let left = entries.wrapping_sub(lengths.len());
        let count = bits.size(usize::BITS.wrapping_sub(left.leading_zeros()))?;
        if count > left || (count > 0 && length > MAX_LENGTH) {
            return None;
        }
        lengths.resize(lengths.len().wrapping_add(count), length);
        length = length.saturating_add(1);
    }
    Some(lengths)
}

/// Gives each entry its code; none if the codes do not fill a tree.
///
/// What is free of the tree are subtrees of different depths, the deeper ones to the left: taking the leftmost code
/// of a length from one leaves one of each depth down to it.
fn codes(lengths: &[u8]) -> Option<(Vec<u32>, Vec<LongCode>)> {
    let used = lengths.iter().filter(|length| **length > 0).count();
    let longest = lengths.iter().copied().max().unwrap_or_default();
    let table_bits = u32::from(longest).min(TABLE_BITS);
    let mut table = vec![0_u32; 1_usize.checked_shl(table_bits)?];
    let mut long = Vec::new();
    // By depth, the first bit of a code highest.
    let mut free = [None; 33];
    free[0] = Some(0_u32);
    for (entry, &length) in (0_u32..).zip(lengths).filter(|(_, length)| **length > 0) {
        let depth =
            (0..=length).rev().find(|depth| free.get(usize::from(*depth)).is_some_and(Option::is_some))?;
        let code = free.get_mut(usize::from(depth))?.take()?;
        for deeper in depth.wrapping_add(1)..=length {
            *free.get_mut(usize::from(deeper))? =
                Some(code | 1_u32.checked_shl(32_u32.checked_sub(deeper.into())?)?);
        }
        let length = u32::from(length);
        if length > table_bits {
            long.push(LongCode { code, length: u8::try_from(length).ok()?, entry });
        } else {
            let slots = table.iter_mut().skip(usize::try_from(code.reverse_bits()).ok()?);
            slots.step_by(1_usize.checked_shl(length)?).for_each(|slot| *slot = entry << 6 | length);
        }
    }
    // The one code of a book with one entry may be any bit.
    if used == 1 && longest == 1 {
        let only = *table.first()?;
        table.fill(only);
        return Some((table, long));
    }
    long.sort_unstable_by_key(|long| long.code);
    (used == 0 || free.iter().all(Option::is_none)).then_some((table, long))
}

/// Reads the vectors of all entries.
fn vectors(bits: &mut LsbBitReader<'_>, kind: u64, entries: usize, dimensions: usize) -> Option<Vec<f32>> {
    let (least, step) = (float(bits)?, float(bits)?);
    let width = u32::try_from(bits.read(4)?).ok()?.wrapping_add(1);
    let is_sequence = bits.flag()?;
    let all = entries.checked_mul(dimensions)?;
    let stored = match kind {
        1 => root(entries, dimensions),
        2 => all,
        _ => return None,
    };
    if (stored as u64).checked_mul(width.into())? > bits.left() {
        return None;
    }
    let scalars: Vec<u16> =
        (0..stored).map(|_| u16::try_from(bits.read(width)?).ok()).collect::<Option<_>>()?;
    let mut values = Vec::with_capacity(all);
    for entry in 0..entries {
        let (mut last, mut rest) = (0.0, entry);
        for _ in 0..dimensions {
            let at = if kind == 1 { rest.checked_rem(stored)? } else { values.len() };
            rest = rest.checked_div(stored)?;
            let value = f32::from(*scalars.get(at)?) * step + least + last;
            values.push(value);
            if is_sequence {
                last = value;
            }
        }
    }
    Some(values)
}

/// Reads a number of 21 bits of mantissa, 10 of exponent and a sign.
///
/// Source: *Vorbis I specification*, §9.2.2.
fn float(bits: &mut LsbBitReader<'_>) -> Option<f32> {
    let mantissa = f64::from(u32::try_from(bits.read(21)?).ok()?);
    let exponent = i32::try_from(bits.read(10)?).ok()?.wrapping_sub(788);
    let sign = if bits.flag()? { -1.0 } else { 1.0 };
    Some(narrow(sign * mantissa * 2.0_f64.powi(exponent)))
}

/// Returns the nearest value of 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(super) const fn narrow(value: f64) -> f32 {
    value as f32
}

/// Returns the largest number whose power of `dimensions` is at most `entries`.
fn root(entries: usize, dimensions: usize) -> usize {
    let power = u32::try_from(dimensions).unwrap_or(u32::MAX);
    let fits = |number: &usize| number.checked_pow(power).is_some_and(|all| all <= entries);
    match dimensions {
        1 => entries,
        // Two dimensions of 24 bits of entries have 4096 at most.
        _ => (1..=4096).take_while(fits).last().unwrap_or_default(),
    }
}
