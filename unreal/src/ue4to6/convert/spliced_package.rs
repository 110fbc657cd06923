//! Bytes of a package between others that are new.

use std::io;
use std::ops::Range;

use super::END_OF_OBJECTS;
use crate::base::error::Error;
use crate::base::source::{Memory, Source};

/// Parts of a package, with what comes before and after them.
pub struct SplicedPackage<'p> {
    package: Box<dyn Source + 'p>,
    /// Where each begins here, and what it is.
    parts: Vec<(u64, SplicedPart)>,
    length: u64,
}

pub(super) enum SplicedPart {
    /// Bytes that are new.
    New(Memory<Vec<u8>>),
    /// Bytes of the package.
    Of(Range<u64>),
}

impl<'p> SplicedPackage<'p> {
    pub(super) fn new(
        package: impl Source + 'p,
        before: Vec<u8>,
        ranges: Vec<Range<u64>>,
        after: Vec<u8>,
    ) -> Self {
        let new = |bytes: Vec<u8>| SplicedPart::New(Memory(bytes));
        let ranges = ranges.into_iter().map(SplicedPart::Of);
        Self::of_parts(package, [new(before)].into_iter().chain(ranges).chain([new(after)]))
    }

    /// Creates one of parts that follow one another.
    pub(super) fn of_parts(package: impl Source + 'p, all: impl Iterator<Item = SplicedPart>) -> Self {
        let (mut parts, mut length) = (Vec::new(), 0_u64);
        for part in all {
            let size = match &part {
                SplicedPart::New(bytes) => bytes.len(),
                SplicedPart::Of(range) => range.end.saturating_sub(range.start),
            };
            if size > 0 {
                parts.push((length, part));
                length = length.saturating_add(size);
            }
        }
        Self { package: Box::new(package), parts, length }
    }
}

impl Source for SplicedPackage<'_> {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let (mut at, mut left) = (at, into);
        let first = self.parts.partition_point(|(begin, _)| *begin <= at).saturating_sub(1);
        for (begin, part) in self.parts.iter().skip(first) {
            let within = at.saturating_sub(*begin);
            let (source, from, size): (&dyn Source, u64, u64) = match part {
                SplicedPart::New(bytes) => (bytes, within, bytes.len()),
                SplicedPart::Of(range) => (
                    &*self.package,
                    range.start.saturating_add(within),
                    range.end.saturating_sub(range.start),
                ),
            };
            let here = usize::try_from(size.saturating_sub(within)).unwrap_or(usize::MAX).min(left.len());
            let (bytes, rest) = std::mem::take(&mut left).split_at_mut_checked(here).unwrap_or_default();
            if !bytes.is_empty() {
                source.read_at(from, bytes)?;
            }
            (at, left) = (at.saturating_add(here as u64), rest);
            if left.is_empty() {
                return Ok(());
            }
        }
        if left.is_empty() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// Returns whether the mark of the end is there after objects.
pub(super) fn is_marked(source: &dyn Source, begin: u64) -> Result<bool, Error> {
    let at = source.len().saturating_sub(END_OF_OBJECTS.len() as u64);
    let mut mark = [0; END_OF_OBJECTS.len()];
    if at >= begin {
        source.read_at(at, &mut mark).map_err(|error| Error::from_io(error, at, "objects of a package"))?;
    }
    Ok(mark == END_OF_OBJECTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_from_each_part_and_across_them() {
        let package = Memory(b"0123456789".to_vec());
        let parts = SplicedPackage::new(&package, b"ab".to_vec(), vec![8..10, 3..3, 1..4], b"z".to_vec());
        let all = b"ab89123z";
        assert_eq!(parts.len(), 8);
        for from in 0..=8 {
            for to in from..=8 {
                let mut bytes = vec![0; to - from];
                parts.read_at(from as u64, &mut bytes).unwrap();
                assert_eq!(bytes, all[from..to]);
            }
        }
        assert!(parts.read_at(7, &mut [0; 2]).is_err());
        assert!(parts.read_at(9, &mut [0; 1]).is_err());
        let nothing = SplicedPackage::new(&package, Vec::new(), Vec::new(), Vec::new());
        assert!(
            nothing.is_empty()
                && nothing.read_at(0, &mut []).is_ok()
                && nothing.read_at(0, &mut [0]).is_err()
        );
        // A package that became shorter.
        assert!(
            SplicedPackage::new(&package, Vec::new(), vec![5..11, 0..1], Vec::new())
                .read_at(0, &mut [0; 6])
                .is_err()
        );
    }
}
