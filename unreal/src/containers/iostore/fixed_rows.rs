//! Tables whose rows all have the same size.

use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::source::Source;

/// What is read, in errors.
pub(super) const WHAT: &str = "table of contents";

/// Rows of a size that is always the same.
#[derive(Debug, Default)]
pub(super) struct FixedRows<const N: usize>(pub(super) Vec<u8>);

/// Where rows lie that are read from the file when they are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    pub(super) at: u64,
    pub(super) count: u32,
    /// Bytes from one row to the next.
    each: u64,
}

impl Places {
    /// Passes over rows.
    pub(super) fn skip(reader: &mut Reader<'_>, count: u32, each: u64) -> Result<Self, Error> {
        let at = reader.at();
        reader.fitting(count, each, at)?;
        reader.skip(u64::from(count).saturating_mul(each))?;
        Ok(Self { at, count, each })
    }

    /// Reads the first bytes of a row; none if there is no such row.
    pub(super) fn get<const N: usize>(
        self,
        source: &dyn Source,
        number: u64,
    ) -> Result<Option<[u8; N]>, Error> {
        if number >= self.count.into() || self.each < N as u64 {
            return Ok(None);
        }
        let at = self.at.saturating_add(number.saturating_mul(self.each));
        let mut row = [0; N];
        source.read_at(at, &mut row).map_err(|error| Error::from_io(error, at, WHAT))?;
        Ok(Some(row))
    }

    /// Reads all rows, which are paid for here.
    pub(super) fn rows<const N: usize>(
        self,
        source: &dyn Source,
        limits: &mut Limits,
    ) -> Result<FixedRows<N>, Error> {
        let mut reader = Reader::new(source, WHAT, self.at, source.len());
        FixedRows::read(&mut reader, self.count, limits)
    }
}

impl<const N: usize> FixedRows<N> {
    pub(super) fn read(reader: &mut Reader<'_>, count: u32, limits: &mut Limits) -> Result<Self, Error> {
        let at = reader.at();
        let count = reader.fitting(count, N as u64, at)?;
        let bytes = count.saturating_mul(N);
        limits.take(bytes as u64, at, WHAT)?;
        Ok(Self(reader.vec(bytes)?))
    }

    pub(super) fn get(&self, number: u64) -> Option<[u8; N]> {
        let (rows, _) = self.0.as_chunks::<N>();
        rows.get(usize::try_from(number).ok()?).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.0.as_chunks::<N>().0.len()
    }
}
