//! Bits one by one.

pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    is_backward: bool,
    lowest_first: bool,
    used: usize,
}

impl<'a> Bits<'a> {
    /// Reads the highest bit of a byte first.
    pub(super) fn high(bytes: &'a [u8], is_backward: bool) -> Self {
        Self { bytes, is_backward, lowest_first: false, used: 0 }
    }

    /// Reads the lowest bit of a byte first.
    pub(super) fn low(bytes: &'a [u8], is_backward: bool) -> Self {
        Self { bytes, is_backward, lowest_first: true, used: 0 }
    }

    pub(super) fn bit(&mut self) -> u64 {
        let (index, bit) = (self.used / 8, self.used % 8);
        self.used += 1;
        if index >= self.bytes.len() {
            return 0;
        }
        let byte = self.bytes[if self.is_backward { self.bytes.len() - 1 - index } else { index }];
        let shift = if self.lowest_first { bit } else { 7 - bit };
        u64::from(byte >> shift & 1)
    }

    pub(super) fn number(&mut self, bits: u32) -> u64 {
        let mut number = 0;
        for bit in 0..bits {
            if self.lowest_first {
                number += self.bit() << bit;
            } else {
                number = 2 * number + self.bit();
            }
        }
        number
    }

    /// Counts the zero bits before a one bit, and skips both.
    pub(super) fn zeros(&mut self) -> Option<u32> {
        for zeros in 0.. {
            if self.used >= 8 * self.bytes.len() {
                return None;
            }
            if self.bit() == 1 {
                return Some(zeros);
            }
        }
        None
    }

    /// Counts zero bits as [`Self::zeros`], then reads the one bit and `more` bits after it as a number.
    pub(super) fn number_after_zeros(&mut self, most: u32, more: impl Fn(u32) -> u32) -> Option<u64> {
        let zeros = self.zeros()?;
        if zeros > most {
            return None;
        }
        let more = more(zeros);
        Some((1 << more) + self.number(more))
    }

    pub(super) fn bytes_used(&self) -> usize {
        self.used.div_ceil(8)
    }
}

/// Whether two readers from both ends of `len` bytes meet.
pub(super) fn meet(forward: &Bits<'_>, backward: &Bits<'_>, len: usize) -> bool {
    forward.bytes_used() + backward.bytes_used() == len
}

pub(super) fn signed(number: u64) -> i64 {
    let number = number as i64;
    if number % 2 == 0 { number / 2 } else { -(number + 1) / 2 }
}
