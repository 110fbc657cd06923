//! Numbers of any width in packets, low bit first.
//!
//! ```text
//! byte   0                 1
//! bits   7 6 5 4 3 2 1 0   7 6 5 4 3 2 1 0
//!        │     │ └first┘   │
//!        …     └─second─┘  …
//! ```
//!
//! Source: Xiph.Org, *Vorbis I specification*, §2.

/// Reads numbers from a packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct LsbBitReader<'b> {
    /// Bytes that are not counted in `held`; the first of them may be in the window already.
    rest: &'b [u8],
    /// The next bits, the first one lowest. Bits past the end are 0.
    window: u64,
    /// Bits of the window that count, at most 63.
    held: u32,
}

/// Bits that a reader holds after [`LsbBitReader::refill`], unless the packet ends before.
const REFILLED: u32 = 32;

impl<'b> LsbBitReader<'b> {
    pub(super) const fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes, window: 0, held: 0 }
    }

    /// Returns the number of bits that are left.
    pub(super) fn left(&self) -> u64 {
        (self.rest.len() as u64).saturating_mul(8).saturating_add(self.held.into())
    }

    /// Reads a number of at most 32 bits; none if the packet ends before.
    #[inline]
    pub(super) fn read(&mut self, width: u32) -> Option<u64> {
        self.refill();
        let mask = 1_u64.wrapping_shl(width).wrapping_sub(1);
        let number = self.window & mask;
        self.consume(width)?;
        Some(number)
    }

    /// Reads one bit.
    pub(super) fn flag(&mut self) -> Option<bool> {
        self.read(1).map(|bit| bit == 1)
    }

    /// Reads a number of at most 32 bits.
    pub(super) fn size(&mut self, width: u32) -> Option<usize> {
        self.read(width).and_then(|number| usize::try_from(number).ok())
    }

    /// Returns the next 32 bits, those after the end of the packet as 0.
    #[inline]
    pub(super) fn peek(&mut self) -> u32 {
        self.refill();
        let [a, b, c, d, ..] = self.window.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// Goes past at most 32 bits; none if the packet has fewer, and from then on.
    #[inline]
    pub(super) fn consume(&mut self, width: u32) -> Option<()> {
        let Some(held) = self.held.checked_sub(width) else {
            *self = Self::new(&[]);
            return None;
        };
        self.held = held;
        self.window = self.window.wrapping_shr(width);
        Some(())
    }

    /// Fills the window up. Eight bytes at once may put bits above those that count; they are the same again when
    /// their bytes are counted.
    #[inline]
    fn refill(&mut self) {
        if self.held >= REFILLED {
            return;
        }
        if let Some(next) = self.rest.first_chunk() {
            self.window |= u64::from_le_bytes(*next).wrapping_shl(self.held);
            let bytes = 63_u32.wrapping_sub(self.held) / 8;
            self.rest = self.rest.get(bytes as usize..).unwrap_or_default();
            self.held |= 56;
        } else {
            *self = self.refilled_from_last();
        }
    }

    /// Returns the reader with the last bytes of the packet in its window. By value, so that readers can live in
    /// registers.
    #[cold]
    #[inline(never)]
    fn refilled_from_last(mut self) -> Self {
        while let (true, Some((byte, rest))) = (self.held <= 48, self.rest.split_first()) {
            self.window |= u64::from(*byte).wrapping_shl(self.held);
            self.held = self.held.wrapping_add(8);
            self.rest = rest;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_widths_are_those_read_bit_by_bit() {
        let bytes: Vec<u8> = (0..200_u32).map(|n| (n * 151 + n * n) as u8).collect();
        let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
        let (mut reader, mut at) = (LsbBitReader::new(&bytes), 0);
        for width in (0..=32).cycle() {
            if at + width > bytes.len() * 8 {
                assert_eq!(reader.read(width as u32), None);
                break;
            }
            let expected = (0..width).fold(0, |number, n| number | bit(at + n) << n);
            let ahead = (0..32).filter(|n| at + n < bytes.len() * 8);
            assert_eq!(u64::from(reader.peek()), ahead.fold(0, |number, n| number | bit(at + n) << n));
            assert_eq!(reader.read(width as u32), Some(expected), "{width} bits at {at}");
            at += width;
            assert_eq!(reader.left(), (bytes.len() * 8 - at) as u64);
        }
    }
}
