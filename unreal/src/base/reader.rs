mod string;

use super::byte_order::ByteOrder;
use super::error::{Error, Malformed};
use super::guid::Guid;
use super::source::Source;

/// Coding of indexes and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexCoding {
    /// In one to five bytes.
    Compact,
    /// In four bytes.
    Int32,
}

/// A cursor over one region of a source; nothing outside the region can be read through it.
///
/// Reads ahead in a window that starts small and doubles, so going through a table asks the source for at most
/// about twice the table, and looking at the head of an object for a few hundred bytes.
pub(crate) struct Reader<'s> {
    source: &'s dyn Source,
    what: &'static str,
    window: Vec<u8>,
    /// Where the window lies in the file.
    window_at: u64,
    /// The next byte, counted in the window.
    next: usize,
    /// The first byte of the file after the region.
    end: u64,
    /// How far the next window reads ahead.
    ahead: usize,
    order: ByteOrder,
    index: IndexCoding,
}

const FIRST_WINDOW: usize = 256;
const MAX_WINDOW: usize = 64 << 10;

impl<'s> Reader<'s> {
    /// Returns the bytes `at..end` of a source; the end is cut to the source's own. Numbers are little-endian and
    /// indexes compact.
    pub(crate) fn new(source: &'s dyn Source, what: &'static str, at: u64, end: u64) -> Self {
        let end = end.min(source.len());
        let (order, index) = (ByteOrder::Little, IndexCoding::Compact);
        Self {
            source,
            what,
            window: Vec::new(),
            window_at: at,
            next: 0,
            end,
            ahead: FIRST_WINDOW,
            order,
            index,
        }
    }

    /// Returns a reader of the same bytes, with indexes in that coding.
    pub(crate) fn with_index_coding(mut self, index: IndexCoding) -> Self {
        self.index = index;
        self
    }

    /// Returns a reader of the same bytes, with numbers in that byte order.
    pub(crate) fn with_byte_order(mut self, order: ByteOrder) -> Self {
        self.order = order;
        self
    }

    /// Returns the byte order.
    pub(crate) const fn order(&self) -> ByteOrder {
        self.order
    }

    /// Returns the offset of the next byte in the file.
    pub(crate) fn at(&self) -> u64 {
        self.window_at.saturating_add(self.next as u64)
    }

    /// Returns the first byte of the file after the region.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Returns the number of bytes left in the region.
    pub(crate) fn left(&self) -> u64 {
        self.end.saturating_sub(self.at())
    }

    /// Goes to another place in the file; one outside the region has no bytes left.
    pub(crate) fn seek(&mut self, at: u64) {
        let inside = at.checked_sub(self.window_at).and_then(|from| usize::try_from(from).ok());
        match inside {
            Some(next) if next <= self.window.len() => self.next = next,
            _ => {
                self.window.clear();
                self.window_at = at;
                self.next = 0;
            }
        }
    }

    /// Passes over bytes without looking at them.
    pub(crate) fn skip(&mut self, bytes: u64) -> Result<(), Error> {
        if bytes > self.left() {
            return Err(self.ends_early(bytes));
        }
        self.seek(self.at().saturating_add(bytes));
        Ok(())
    }

    /// Returns an error about the structure this reader reads.
    pub(crate) fn error(&self, at: u64, fault: Malformed) -> Error {
        Error::malformed(fault, at, self.what)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        self.ordered().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.ordered().map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, Error> {
        self.ordered().map(i32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        self.ordered().map(u64::from_le_bytes)
    }

    pub(crate) fn guid(&mut self) -> Result<Guid, Error> {
        Ok(Guid::new([self.u32()?, self.u32()?, self.u32()?, self.u32()?]))
    }

    pub(crate) fn f32(&mut self) -> Result<f32, Error> {
        self.ordered().map(f32::from_le_bytes)
    }

    /// Returns the bytes of a number, in little-endian order.
    fn ordered<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = self.array::<N>()?;
        if self.order == ByteOrder::Big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// Returns the next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        if let Some(bytes) = self.buffered().first_chunk::<N>().copied() {
            self.next = self.next.saturating_add(N);
            return Ok(bytes);
        }
        self.refill(N)?;
        match self.buffered().first_chunk::<N>().copied() {
            Some(bytes) => {
                self.next = self.next.saturating_add(N);
                Ok(bytes)
            }
            None => Err(self.ends_early(N as u64)),
        }
    }

    /// Returns the next bytes as one slice. The caller has charged them to its limits.
    pub(crate) fn bytes(&mut self, length: usize) -> Result<&[u8], Error> {
        if self.buffered().len() < length {
            self.refill(length)?;
        }
        let start = self.next;
        self.next = start.saturating_add(length);
        match self.window.get(start..self.next) {
            Some(bytes) => Ok(bytes),
            None => Err(Error::malformed(
                Malformed::EndsEarly { wanted: length as u64, left: 0 },
                self.window_at,
                self.what,
            )),
        }
    }

    /// Returns so many bytes that its caller keeps, read at once and not through the window. The caller has charged
    /// them to its limits.
    pub(crate) fn vec(&mut self, length: usize) -> Result<Vec<u8>, Error> {
        let at = self.at();
        if length as u64 > self.left() {
            return Err(self.ends_early(length as u64));
        }
        let mut bytes = vec![0; length];
        self.source.read_at(at, &mut bytes).map_err(|error| Error::from_io(error, at, self.what))?;
        self.seek(at.saturating_add(length as u64));
        Ok(bytes)
    }

    /// Returns a signed number in one to five bytes. The first holds sign, continuation and six bits, each further one
    /// continuation and seven bits, lowest first. Minus zero is zero.
    ///
    /// Source: Unreal Wiki, *Unreal package*, "Compact index format". It leaves the upper bits of the fifth byte
    /// zero; what does not fit 31 bits, or asks for a sixth byte, is refused here.
    pub(crate) fn compact(&mut self) -> Result<i32, Error> {
        let at = self.at();
        let first = self.u8()?;
        let mut magnitude = u32::from(first & 0x3F);
        let mut more = first & 0x40 != 0;
        for shift in [6, 13, 20, 27] {
            if !more {
                break;
            }
            let byte = self.u8()?;
            more = byte & 0x80 != 0;
            let bits = u32::from(byte & 0x7F);
            if shift == 27 && (more || bits > 0x0F) {
                return Err(self.error(at, Malformed::IndexTooLarge));
            }
            magnitude |= bits << shift;
        }
        let value = i32::try_from(magnitude).map_err(|_| self.error(at, Malformed::IndexTooLarge))?;
        Ok(if first & 0x80 == 0 { value } else { value.saturating_neg() })
    }

    /// Returns an index or count, as the layout has them.
    pub(crate) fn index(&mut self) -> Result<i32, Error> {
        match self.index {
            IndexCoding::Compact => self.compact(),
            IndexCoding::Int32 => self.i32(),
        }
    }

    /// Returns an index or count that cannot be negative.
    pub(crate) fn index_unsigned(&mut self) -> Result<u32, Error> {
        let at = self.at();
        let value = self.index()?;
        u32::try_from(value).map_err(|_| self.error(at, Malformed::Negative(value)))
    }

    /// Reads an entry count that the rest of this region can really hold.
    pub(crate) fn count(&mut self, smallest_entry: u64) -> Result<usize, Error> {
        let at = self.at();
        let count = self.u32()?;
        self.fitting(count, smallest_entry, at)
    }

    /// Returns a count that was read elsewhere, if the rest of this region can really hold so many.
    pub(crate) fn fitting(&self, count: u32, smallest_entry: u64, at: u64) -> Result<usize, Error> {
        let fit = self.left().checked_div(smallest_entry).unwrap_or_else(|| self.left());
        match usize::try_from(count) {
            Ok(entries) if u64::from(count) <= fit => Ok(entries),
            _ => Err(self.error(at, Malformed::TooMany { count: count.into(), fit })),
        }
    }

    fn buffered(&self) -> &[u8] {
        self.window.get(self.next..).unwrap_or_default()
    }

    fn ends_early(&self, wanted: u64) -> Error {
        self.error(self.at(), Malformed::EndsEarly { wanted, left: self.left() })
    }

    /// Reads a new window from the next byte on, of at least that many bytes.
    fn refill(&mut self, wanted: usize) -> Result<(), Error> {
        let at = self.at();
        let left = self.left();
        if wanted as u64 > left {
            return Err(self.ends_early(wanted as u64));
        }
        let size = usize::try_from(left).unwrap_or(usize::MAX).min(self.ahead.max(wanted));
        self.ahead = self.ahead.saturating_mul(2).min(MAX_WINDOW);
        self.window.resize(size, 0);
        self.window_at = at;
        self.next = 0;
        self.source.read_at(at, &mut self.window).map_err(|error| Error::from_io(error, at, self.what))
    }
}

#[cfg(test)]
mod tests;
