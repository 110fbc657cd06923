//! Stored bytes with their offset in the buffer, so that errors can state it.

use crate::error::{Error, FormatPart};

/// Unread stored bytes of one part of the format.
#[derive(Clone, Copy)]
pub(crate) struct StoredBytes<'a> {
    rest: &'a [u8],
    at: usize,
    part: FormatPart,
}

impl<'a> StoredBytes<'a> {
    pub(crate) fn new(stored: &'a [u8]) -> Self {
        Self { rest: stored, at: 0, part: FormatPart::Block }
    }

    /// Returns the same bytes, read as another part of the format.
    pub(crate) fn part(self, part: FormatPart) -> Self {
        Self { part, ..self }
    }

    /// Returns the offset of the next byte in the buffer.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the error that the bytes from here on break a rule.
    #[cold]
    pub(crate) fn refuse(&self, why: &'static str) -> Error {
        Error::Malformed { part: self.part, at: self.at, why }
    }

    /// Checks a condition.
    ///
    /// # Errors
    /// If it does not hold.
    #[inline]
    pub(crate) fn require(&self, holds: bool, why: &'static str) -> Result<(), Error> {
        if holds { Ok(()) } else { Err(self.refuse(why)) }
    }

    /// Takes the next `len` bytes as an input of their own.
    ///
    /// # Errors
    /// If fewer are left.
    pub(crate) fn take(&mut self, len: usize) -> Result<Self, Error> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.refuse("ends too early"));
        };
        let taken = Self { rest: taken, ..*self };
        *self = Self { rest, at: self.at + len, ..*self };
        Ok(taken)
    }

    /// Skips what `later`, a copy of this input, has read.
    pub(crate) fn go_to(&mut self, later: Self) {
        *self = Self { part: self.part, ..later };
    }

    /// Takes the next `N` bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let taken = self.take(N)?;
        taken.rest.first_chunk().copied().ok_or_else(|| taken.refuse("ends too early"))
    }

    pub(crate) fn peek(&self) -> Result<u8, Error> {
        self.rest.first().copied().ok_or_else(|| self.refuse("ends too early"))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16_le(&mut self) -> Result<usize, Error> {
        Ok(usize::from(u16::from_le_bytes(self.array()?)))
    }

    pub(crate) fn u24_le(&mut self) -> Result<u32, Error> {
        let [low, middle, high] = self.array()?;
        Ok(u32::from_le_bytes([low, middle, high, 0]))
    }

    pub(crate) fn u16_be(&mut self) -> Result<u32, Error> {
        Ok(u32::from(u16::from_be_bytes(self.array()?)))
    }

    pub(crate) fn u24_be(&mut self) -> Result<u32, Error> {
        let [high, middle, low] = self.array()?;
        Ok(u32::from_be_bytes([0, high, middle, low]))
    }

    pub(crate) fn u40_be(&mut self) -> Result<u64, Error> {
        let [a, b, c, d, e] = self.array()?;
        Ok(u64::from_be_bytes([0, 0, 0, a, b, c, d, e]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_their_byte_order_and_offsets_count_on() {
        let mut input = StoredBytes::new(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(input.u16_be().unwrap(), 0x0102);
        assert_eq!(input.u24_le().unwrap(), 0x05_0403);
        assert_eq!(input.u40_be().unwrap(), 0x06_0708_090A);
        let Err(Error::Malformed { at, .. }) = input.u8() else { panic!("there is no byte left") };
        assert_eq!(at, 10);
    }

    #[test]
    fn taking_more_than_is_left_takes_nothing() {
        let mut input = StoredBytes::new(&[1, 2]);
        assert!(input.take(3).is_err());
        assert_eq!(input.rest(), [1, 2]);
    }
}
