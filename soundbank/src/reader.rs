use unreal::{Limits, Source};

use crate::{Error, ErrorKind};

/// A cursor over bytes of a file that lie in memory; nothing outside of them can be read through it.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
    at: u64,
    what: &'static str,
    is_big_endian: bool,
}

impl<'b> Reader<'b> {
    /// Returns a reader of bytes that lie at an offset of the file. Numbers are little-endian.
    pub(crate) const fn new(bytes: &'b [u8], at: u64, what: &'static str) -> Self {
        Self { rest: bytes, at, what, is_big_endian: false }
    }

    /// Returns a reader of the same bytes with numbers in big-endian order if that is set.
    pub(crate) const fn big_endian(mut self, is_big_endian: bool) -> Self {
        self.is_big_endian = is_big_endian;
        self
    }

    /// Returns the same reader with the byte order of another one.
    pub(crate) const fn like(self, other: &Self) -> Self {
        self.big_endian(other.is_big_endian)
    }

    /// Returns the offset of the next byte in the file.
    pub(crate) const fn at(&self) -> u64 {
        self.at
    }

    /// Returns the bytes that are left.
    pub(crate) const fn rest(&self) -> &'b [u8] {
        self.rest
    }

    /// Returns an error about the structure that is read, at the next byte.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.at, self.what)
    }

    /// Takes so many bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'b [u8], Error> {
        let left = self.rest.len() as u64;
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.error(ErrorKind::EndsEarly { wanted: count as u64, left }));
        };
        self.rest = rest;
        self.at = self.at.saturating_add(count as u64);
        Ok(taken)
    }

    /// Takes so many bytes as a reader of their own.
    pub(crate) fn part(&mut self, count: usize, what: &'static str) -> Result<Self, Error> {
        let at = self.at;
        let bytes = self.bytes(count)?;
        Ok(Self { rest: bytes, at, what, is_big_endian: self.is_big_endian })
    }

    /// Passes over so many bytes.
    pub(crate) fn skip(&mut self, count: usize) -> Result<(), Error> {
        self.bytes(count).map(|_| ())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        if self.is_big_endian {
            array.reverse();
        }
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, Error> {
        self.array().map(i32::from_le_bytes)
    }

    pub(crate) fn i16(&mut self) -> Result<i16, Error> {
        self.array().map(i16::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Result<f32, Error> {
        self.array().map(f32::from_le_bytes)
    }

    pub(crate) fn f64(&mut self) -> Result<f64, Error> {
        self.array().map(f64::from_le_bytes)
    }

    /// Checks a count of entries against the bytes that are left; `smallest` is the least that an entry takes.
    pub(crate) fn fitting(&self, count: u64, smallest: usize) -> Result<usize, Error> {
        let fit = self.rest.len().checked_div(smallest.max(1)).unwrap_or_default();
        match usize::try_from(count) {
            Ok(entries) if entries <= fit => Ok(entries),
            _ => Err(self.error(ErrorKind::TooMany { count, fit: fit as u64 })),
        }
    }

    /// Reads a number of seven bits a byte, the most significant first, as Wwise has it.
    pub(crate) fn var(&mut self) -> Result<u32, Error> {
        let start = self.clone();
        let mut value = 0_u32;
        for _ in 0..5 {
            let byte = self.u8()?;
            value = value
                .checked_mul(0x80)
                .ok_or_else(|| start.error(ErrorKind::Malformed("a number too large")))?
                | u32::from(byte & 0x7F);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(start.error(ErrorKind::Malformed("a number of more than five bytes")))
    }

    /// Reads a count of four bytes, of entries that take at least `smallest` bytes each.
    pub(crate) fn count(&mut self, smallest: usize) -> Result<usize, Error> {
        let count = self.u32()?;
        self.fitting(count.into(), smallest)
    }
}

/// Reads a region of a source into memory, which is paid for.
///
/// # Errors
/// If it lies outside of the source, cannot be read, or takes more than is left.
pub(crate) fn read_region(
    source: &dyn Source,
    at: u64,
    length: u64,
    what: &'static str,
    limits: &mut Limits,
) -> Result<Vec<u8>, Error> {
    let end = at.saturating_add(length);
    if end > source.len() {
        return Err(Error::new(ErrorKind::Outside { end, length: source.len() }, at, what));
    }
    take(limits, length, at, what)?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    source.read_at(at, &mut bytes).map_err(|error| Error::new(ErrorKind::Io(error), at, what))?;
    Ok(bytes)
}

/// Spends bytes on a structure that is read at an offset of the file.
///
/// # Errors
/// If fewer are left.
pub(crate) fn take(limits: &mut Limits, bytes: u64, at: u64, what: &'static str) -> Result<(), Error> {
    limits.take(bytes, at, what).map_err(|error| Error::new(ErrorKind::OverLimit(error), at, what))
}
