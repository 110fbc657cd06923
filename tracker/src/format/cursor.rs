use crate::error::{Error, ErrorKind};

/// Goes through a part of a file that lies in memory; knows where in the file it is, and in which structure.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'f> {
    remaining: &'f [u8],
    at: usize,
    what: &'static str,
}

impl<'f> Cursor<'f> {
    /// Returns a cursor over the bytes of a structure, of which the first is at an offset of the file.
    pub(super) const fn new(rest: &'f [u8], at: usize, what: &'static str) -> Self {
        Self { remaining: rest, at, what }
    }

    /// Returns the offset of the next byte in the file.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Returns the number of bytes that are left.
    pub(super) const fn left(&self) -> usize {
        self.remaining.len()
    }

    /// Returns the next bytes.
    ///
    /// # Errors
    /// If fewer are left.
    pub(super) fn bytes(&mut self, length: usize) -> Result<&'f [u8], Error> {
        if length > self.left() {
            return Err(self.fail(ErrorKind::EndsEarly { wanted: length, left: self.left() }));
        }
        Ok(self.most(length))
    }

    /// Returns the next bytes, or as many of them as are left.
    pub(super) fn most(&mut self, length: usize) -> &'f [u8] {
        let (bytes, rest) = self.remaining.split_at_checked(length).unwrap_or((self.remaining, &[]));
        self.at = self.at.saturating_add(bytes.len());
        self.remaining = rest;
        bytes
    }

    /// Returns the next bytes, with zeros for those that are not there.
    pub(super) fn padded<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        for (to, from) in array.iter_mut().zip(self.most(N)) {
            *to = *from;
        }
        array
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Error> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn i8(&mut self) -> Result<i8, Error> {
        self.array().map(i8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_le_bytes)
    }

    /// Returns a number with its high end first, as the Amiga has them.
    pub(super) fn u16_be(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    /// Returns an error about the next byte.
    pub(super) fn error(&self, text: impl std::fmt::Display) -> Error {
        self.fail(ErrorKind::Malformed(text.to_string()))
    }

    fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(u64::try_from(self.at).unwrap_or(u64::MAX), self.what, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_from_their_offset_and_an_error_says_which() {
        let mut cursor = Cursor::new(&[1, 0x34, 0x12, 0x12, 0x34, 9], 0x20, "header");
        assert_eq!(cursor.u8().unwrap(), 1);
        assert_eq!(cursor.u16().unwrap(), 0x1234);
        assert_eq!(cursor.u16_be().unwrap(), 0x1234);
        let error = cursor.u32().unwrap_err().to_string();
        assert_eq!(error, "header at 0x25: ends early: 4 bytes wanted, 1 left");
        assert_eq!(cursor.padded::<3>(), [9, 0, 0], "a refused read takes nothing");
    }
}
