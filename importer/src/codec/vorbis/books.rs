//! What the codebooks of a Vorbis stream would take in memory, before anything is made of them: a few bytes can ask
//! for gigabytes.
//!
//! Source: Xiph.Org, *Vorbis I specification*, §3.2.1 and §9.2.

/// Entries, and values in vectors, of all codebooks together; encoders use a tenth of it.
const MAX_ENTRIES: u64 = 1 << 20;
const MAX_VALUES: u64 = 1 << 22;

/// Bits of the longest code.
const MAX_CODE_LENGTH: u64 = 32;

pub(super) const HEADER_BYTES: usize = 7;

/// # Errors
/// If the books are larger than any encoder makes them, or the header ends among them.
pub(super) fn check(setup: &[u8]) -> Result<(), &'static str> {
    check_in(&mut LsbBitReader::of(setup)).map(|_| ())
}

/// Checks codebooks from the first on, and leaves the bits after the last. Returns their dimensions.
pub(super) fn check_in(bits: &mut LsbBitReader<'_>) -> Result<Vec<u64>, &'static str> {
    let mut dimensions = Vec::new();
    let (mut entries, mut values) = (0_u64, 0_u64);
    let count = bits.read(8).ok_or(CUT)?;
    for _ in 0..=count {
        let book = book(bits).ok_or(CUT)?;
        dimensions.push(book.dimensions);
        entries = entries.saturating_add(book.entries);
        values = values.saturating_add(book.values);
        if entries > MAX_ENTRIES || values > MAX_VALUES {
            return Err("Vorbis codebooks larger than any encoder makes");
        }
    }
    Ok(dimensions)
}

const CUT: &str = "a Vorbis setup header with invalid codebooks";

struct Book {
    dimensions: u64,
    entries: u64,
    values: u64,
}

fn book(bits: &mut LsbBitReader<'_>) -> Option<Book> {
    let _sync = bits.read(24)?;
    let (dimensions, entries) = (bits.read(16)?, bits.read(24)?);
    if bits.read(1)? == 1 {
        let mut length = bits.read(5)?.saturating_add(1);
        let mut done = 0;
        while done < entries {
            let left = entries.saturating_sub(done);
            let count = bits.read(u64::BITS.saturating_sub(left.leading_zeros()))?;
            if count > 0 && length > MAX_CODE_LENGTH {
                return None;
            }
            done = done.saturating_add(count);
            length = length.saturating_add(1);
        }
    } else if bits.read(1)? == 1 {
        for _ in 0..entries {
            if bits.read(1)? == 1 {
                bits.skip(5)?;
            }
        }
    } else {
        bits.skip(entries.saturating_mul(5))?;
    }
    let kind = bits.read(4)?;
    let mut values = 0;
    if kind != 0 {
        bits.skip(64)?;
        let width = bits.read(4)?.saturating_add(1);
        bits.skip(1)?;
        values = entries.saturating_mul(dimensions);
        let stored = if kind == 1 { root(entries, dimensions) } else { values };
        bits.skip(stored.saturating_mul(width))?;
    }
    Some(Book { dimensions, entries, values })
}

/// Returns the largest number whose power is at most so many entries.
fn root(entries: u64, dimensions: u64) -> u64 {
    let power = u32::try_from(dimensions).unwrap_or(u32::MAX);
    let fits = |number: &u64| number.checked_pow(power).is_some_and(|all| all <= entries);
    match dimensions {
        0 => 0,
        1 => entries,
        // Two dimensions of 24 bits of entries have 4096 at most.
        _ => (1..=4096).take_while(fits).last().unwrap_or_default(),
    }
}

/// Numbers of any width, their low bit first.
pub(super) struct LsbBitReader<'b> {
    bytes: &'b [u8],
    pub(super) at: u64,
}

impl<'b> LsbBitReader<'b> {
    pub(super) const fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns what follows the mark of a header.
    pub(super) fn of(setup: &'b [u8]) -> Self {
        Self::new(setup.get(HEADER_BYTES..).unwrap_or_default())
    }

    pub(super) fn read(&mut self, width: u32) -> Option<u64> {
        let mut number = 0;
        for bit in 0..width {
            let byte = self.bytes.get(usize::try_from(self.at / 8).ok()?)?;
            let set = u64::from(byte >> (self.at % 8)) & 1;
            number |= set.checked_shl(bit)?;
            self.at = self.at.saturating_add(1);
        }
        Some(number)
    }

    pub(super) fn skip(&mut self, bits: u64) -> Option<()> {
        self.at = self.at.saturating_add(bits);
        let there = u64::try_from(self.bytes.len()).unwrap_or(u64::MAX).saturating_mul(8);
        (self.at <= there).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a header of one ordered book, whose length is the only one of its entries.
    fn setup(dimensions: u64, entries: u64) -> Vec<u8> {
        let fields = [
            (0, 8),
            (0x56_4342, 24),
            (dimensions, 16),
            (entries, 24),
            (1, 1),
            (0, 5),
            (entries, 64 - entries.leading_zeros()),
            (2 * u64::from(entries == 0), 4),
        ];
        let mut bytes = vec![5, b'v', b'o', b'r', b'b', b'i', b's'];
        let mut at = 56;
        for (number, width) in fields {
            for bit in 0..width {
                if at % 8 == 0 {
                    bytes.push(0);
                }
                *bytes.last_mut().unwrap() |= u8::from(number >> bit & 1 == 1) << (at % 8);
                at += 1;
            }
        }
        bytes
    }

    #[test]
    fn books_of_a_sane_size_pass_and_others_do_not() {
        assert_eq!(check(&setup(8, 1000)), Ok(()));
        assert!(check(&setup(8, 2_000_000)).is_err());
    }

    #[test]
    fn a_header_that_ends_early_is_refused() {
        let whole = setup(8, 1000);
        for length in 0..whole.len() - 1 {
            assert_eq!(check(&whole[..length]), Err(CUT));
        }
    }

    #[test]
    fn roots_are_those_of_the_specification() {
        assert_eq!([root(81, 4), root(80, 4), root(625, 4), root(7, 1), root(5, 0)], [3, 2, 5, 7, 0]);
    }
}
