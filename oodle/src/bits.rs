//! Bit readers: forward from the start of a region or backward from its end, highest or lowest bit of a byte first.
//!
//! A reader keeps the number of bits it has read, and looks at the 8 bytes they end in. Bits past the other end of the
//! region are zero; whoever reads them finds by the count that they were not there.

use std::marker::PhantomData;

/// The order in which the bytes of a region are read.
pub(crate) trait ReadDirection {
    /// Returns the 8 bytes after the first `at`, the first read in the lowest byte; nothing if fewer are there.
    fn eight(region: &[u8], at: usize) -> Option<u64>;

    /// Returns the byte after the first `at`.
    fn one(region: &[u8], at: usize) -> Option<u8>;

    /// Returns the 8 bytes after the first `at`, with zeros for those that are not there.
    #[inline(always)]
    fn window(region: &[u8], at: usize) -> u64 {
        Self::eight(region, at).unwrap_or_else(|| Self::last(region, at))
    }

    /// Returns the fewer than 8 bytes after the first `at`, then zeros.
    #[cold]
    fn last(region: &[u8], at: usize) -> u64 {
        (0..8).filter_map(|i| Some(u64::from(Self::one(region, at.checked_add(i)?)?) << (8 * i))).sum()
    }
}

/// From the first byte to the last.
pub(crate) struct Forward;

/// From the last byte to the first.
pub(crate) struct Backward;

impl ReadDirection for Forward {
    #[inline(always)]
    fn eight(region: &[u8], at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(*region.get(at..)?.first_chunk()?))
    }

    fn one(region: &[u8], at: usize) -> Option<u8> {
        region.get(at).copied()
    }
}

impl ReadDirection for Backward {
    #[inline(always)]
    fn eight(region: &[u8], at: usize) -> Option<u64> {
        Some(u64::from_be_bytes(*region.get(..region.len().wrapping_sub(at))?.last_chunk()?))
    }

    fn one(region: &[u8], at: usize) -> Option<u8> {
        region.get(region.len().checked_sub(at)?.checked_sub(1)?).copied()
    }
}

/// Reads the highest bit of each byte first.
pub(crate) struct MsbReader<'a, D> {
    region: &'a [u8],
    bits: usize,
    direction: PhantomData<D>,
}

impl<'a, D: ReadDirection> MsbReader<'a, D> {
    pub(crate) fn new(region: &'a [u8]) -> Self {
        Self { region, bits: 0, direction: PhantomData }
    }

    /// Returns the next 57 bits at the top of a number.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u64 {
        D::window(self.region, self.bits >> 3).swap_bytes() << (self.bits & 7)
    }

    #[inline(always)]
    pub(crate) fn skip(&mut self, bits: u32) {
        self.bits += bits as usize;
    }

    /// Reads a number of up to 32 bits.
    #[inline(always)]
    pub(crate) fn read(&mut self, bits: u32) -> u32 {
        debug_assert!(bits <= 32);
        let value = self.peek() >> 1 >> (63 - bits);
        self.skip(bits);
        value as u32
    }

    /// Reads a number of up to 28 bits, behind a prefix of `prefix_bits` bits that is not in the region.
    #[inline(always)]
    pub(crate) fn read_after(&mut self, prefix: u32, prefix_bits: u32, bits: u32) -> u32 {
        debug_assert!(bits <= 28 && prefix_bits <= 4);
        let number = u64::from(prefix) << (64 - prefix_bits) | self.peek() >> prefix_bits;
        self.skip(bits);
        (number >> (64 - prefix_bits - bits)) as u32
    }

    /// Returns the number of zero bits before the next one bit, if at most `limit`, which is below 57.
    #[inline]
    pub(crate) fn zeros(&self, limit: u32) -> Option<u32> {
        Some(self.peek().leading_zeros()).filter(|&zeros| zeros <= limit)
    }

    /// Reads zero bits up to and with a one bit, and returns their number, at most `limit`.
    #[inline]
    pub(crate) fn unary(&mut self, limit: u32) -> Option<u32> {
        let zeros = self.zeros(limit)?;
        self.skip(zeros + 1);
        Some(zeros)
    }

    /// Returns the bytes that were begun, more than the region has if bits past its end were read.
    pub(crate) fn bytes_begun(&self) -> usize {
        self.bits.div_ceil(8)
    }
}

/// Reads the lowest bit of each byte first.
pub(crate) struct LsbReader<'a, D> {
    region: &'a [u8],
    bits: usize,
    direction: PhantomData<D>,
}

impl<'a, D: ReadDirection> LsbReader<'a, D> {
    pub(crate) fn new(region: &'a [u8]) -> Self {
        Self { region, bits: 0, direction: PhantomData }
    }

    /// Returns the next 57 bits at the bottom of a number.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u64 {
        D::window(self.region, self.bits >> 3) >> (self.bits & 7)
    }

    /// Returns what [`Self::peek`] does, unless the region has fewer than 8 bytes from there on.
    #[inline(always)]
    pub(crate) fn peek_inside(&self) -> Option<u64> {
        Some(D::eight(self.region, self.bits >> 3)? >> (self.bits & 7))
    }

    #[inline(always)]
    pub(crate) fn skip(&mut self, bits: u32) {
        self.bits += bits as usize;
    }

    /// Reads a number of up to 32 bits.
    pub(crate) fn read(&mut self, bits: u32) -> u32 {
        debug_assert!(bits <= 32);
        let value = self.peek() & ((1 << bits) - 1);
        self.skip(bits);
        value as u32
    }

    /// Returns the bytes that were begun, more than the region has if bits past its end were read.
    pub(crate) fn bytes_begun(&self) -> usize {
        self.bits.div_ceil(8)
    }
}

/// Maps 0, 1, 2, 3, 4 … to 0, −1, 1, −2, 2 …
#[inline]
pub(crate) fn signed(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: [u8; 3] = [0b1010_0000, 0b0000_1111, 0b1100_0001];

    #[test]
    fn a_forward_reader_takes_the_highest_bit_first() {
        let mut reader = MsbReader::<Forward>::new(&REGION);
        assert_eq!((reader.read(3), reader.read(10), reader.read(0)), (0b101, 0b1, 0));
        assert_eq!(reader.bytes_begun(), 2);
        assert_eq!(reader.read(11), 0b111_1100_0001);
    }

    #[test]
    fn a_backward_reader_takes_the_last_byte_first() {
        let mut reader = MsbReader::<Backward>::new(&REGION);
        assert_eq!((reader.read(2), reader.unary(8)), (0b11, Some(5)));
        assert_eq!((reader.read(8), reader.read(8)), (0b0000_1111, 0b1010_0000));
    }

    #[test]
    fn the_lowest_bit_may_come_first() {
        let mut forward = LsbReader::<Forward>::new(&REGION);
        assert_eq!((forward.read(6), forward.read(6)), (0b10_0000, 0b11_1110));
        let mut backward = LsbReader::<Backward>::new(&REGION);
        assert_eq!((backward.read(1), backward.read(9)), (1, 0b1_1110_0000));
    }

    #[test]
    fn bits_past_the_region_are_zero_and_counted() {
        let mut reader = MsbReader::<Forward>::new(&REGION);
        reader.skip(16);
        assert_eq!(reader.read(16), 0b1100_0001_0000_0000);
        assert_eq!((reader.bytes_begun(), reader.unary(32)), (4, None));
        let mut reader = LsbReader::<Backward>::new(&REGION);
        reader.skip(24);
        assert_eq!((reader.read(32), reader.bytes_begun()), (0, 7));
    }

    #[test]
    fn whole_and_partial_windows_agree() {
        let region: Vec<u8> = (1..=16).collect();
        for at in 0..=8 {
            assert_eq!(Forward::eight(&region, at), Some(Forward::last(&region, at)));
            assert_eq!(Backward::eight(&region, at), Some(Backward::last(&region, at)));
        }
        assert_eq!((Forward::eight(&region, 9), Backward::eight(&region, 9)), (None, None));
        assert_eq!((Forward::eight(&region, 99), Backward::eight(&region, 99)), (None, None));
    }

    #[test]
    fn even_numbers_are_positive_and_odd_ones_negative() {
        assert_eq!([0, 1, 2, 3, 4].map(signed), [0, -1, 1, -2, 2]);
    }
}
