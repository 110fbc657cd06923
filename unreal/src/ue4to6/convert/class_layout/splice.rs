//! Bytes put into objects, or taken out of them.

use std::ops::Range;

use crate::base::source::{Memory, Source};
use crate::ue4to6::convert::spliced_package::{SplicedPackage, SplicedPart};
use crate::ue4to6::editable::MovedOffsets;

/// Bytes that take the place of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splice {
    /// Offset of the first byte that is removed.
    pub(super) at: u64,
    /// Number of bytes that are removed.
    pub(super) removed: u64,
    /// Bytes in their place.
    pub(super) inserted: Vec<u8>,
}

impl Splice {
    pub(super) const fn insertion(at: u64, inserted: Vec<u8>) -> Self {
        Self { at, removed: 0, inserted }
    }

    pub(super) const fn removal(range: Range<u64>) -> Self {
        Self { at: range.start, removed: range.end.saturating_sub(range.start), inserted: Vec::new() }
    }

    /// Returns the splice with an offset that counts from `by` bytes earlier.
    pub(super) fn moved(self, by: u64) -> Self {
        Self { at: self.at.saturating_add(by), ..self }
    }

    /// Returns the number of bytes that it adds or removes.
    pub(super) const fn size(&self) -> u64 {
        self.removed.abs_diff(self.inserted.len() as u64)
    }

    /// Returns the size that something of `size` bytes gets.
    pub(super) const fn grow(size: u64, splice: &Self) -> u64 {
        size.saturating_add(splice.inserted.len() as u64).saturating_sub(splice.removed)
    }

    const fn end(&self) -> u64 {
        self.at.saturating_add(self.removed)
    }

    /// Returns whether some of these bytes are removed, or other bytes come between them.
    pub(super) const fn overlaps(&self, range: &Range<u64>) -> bool {
        let first = if self.removed > 0 { self.end() } else { self.at };
        self.at < range.end && range.start < first
    }
}

/// Returns the splices of a range; they are in order.
pub(super) fn within<'s>(splices: &'s [Splice], range: &Range<u64>) -> &'s [Splice] {
    let from = splices.partition_point(|splice| splice.at < range.start);
    let to = splices.partition_point(|splice| splice.at <= range.end);
    let own = splices.get(from..to).unwrap_or_default();
    // What begins at its end is of the next object, unless it ends there too.
    let is_own = |splice: &Splice| splice.end() <= range.end && splice.at < range.end;
    let count = own.partition_point(is_own);
    own.get(..count).unwrap_or_default()
}

/// Returns the bytes of an object that began at `begin`, with splices.
pub(super) fn applied(object: &[u8], begin: u64, splices: &[Splice]) -> Vec<u8> {
    let place = |at: u64| usize::try_from(at.saturating_sub(begin)).unwrap_or(usize::MAX).min(object.len());
    let (mut bytes, mut at) = (Vec::with_capacity(object.len()), 0);
    for splice in splices {
        bytes.extend_from_slice(object.get(at..place(splice.at)).unwrap_or_default());
        bytes.extend_from_slice(&splice.inserted);
        at = place(splice.end());
    }
    bytes.extend_from_slice(object.get(at..).unwrap_or_default());
    bytes
}

/// Maps offsets that count from `begin`.
pub(super) fn moved_offsets(splices: &[Splice], begin: u64) -> MovedOffsets {
    let (mut moved, mut more) = (MovedOffsets::default(), 0_u64);
    for splice in splices {
        more = more.wrapping_add(splice.inserted.len() as u64).wrapping_sub(splice.removed);
        let end = splice.end().saturating_sub(begin);
        moved.add(end, end.wrapping_add(more));
    }
    moved
}

/// Returns bytes with splices, which count from `from.start` before the first byte; `before` takes the place of
/// `from.start..from.end`, counted alike.
pub(super) fn spliced<'p>(
    source: impl Source + 'p,
    before: Vec<u8>,
    from: Range<u64>,
    splices: &[Splice],
) -> SplicedPackage<'p> {
    let mut parts = vec![SplicedPart::New(Memory(before))];
    let place = |at: u64| at.saturating_sub(from.start);
    let mut at = place(from.end);
    for splice in splices {
        parts.push(SplicedPart::Of(at..place(splice.at)));
        parts.push(SplicedPart::New(Memory(splice.inserted.clone())));
        at = place(splice.end());
    }
    parts.push(SplicedPart::Of(at..source.len()));
    SplicedPackage::of_parts(source, parts.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splices() -> Vec<Splice> {
        vec![
            Splice::insertion(12, b"ab".to_vec()),
            Splice::removal(14..16),
            Splice { at: 17, removed: 1, inserted: b"X".to_vec() },
        ]
    }

    #[test]
    fn bytes_come_and_go_where_a_splice_says() {
        let object = b"0123456789";
        assert_eq!(applied(object, 10, &splices()), b"01ab236X89");
        let source = Memory(&object[..]);
        let spliced = spliced(&source, b"head".to_vec(), 10..11, &splices());
        let mut bytes = vec![0; usize::try_from(spliced.len()).unwrap()];
        spliced.read_at(0, &mut bytes).unwrap();
        assert_eq!(bytes, b"head1ab236X89");
    }

    #[test]
    fn offsets_move_with_the_bytes_before_them() {
        let moved = moved_offsets(&splices(), 10);
        assert_eq!([0, 1, 2, 3, 6, 7, 9].map(|at| moved.offset(at)), [0, 1, 4, 5, 6, 7, 9]);
    }

    #[test]
    fn splices_belong_to_the_object_that_they_lie_in() {
        let all = splices();
        assert_eq!(within(&all, &(10..17)).len(), 2);
        assert_eq!(within(&all, &(13..18)).len(), 2);
        assert_eq!(within(&all, &(18..20)).len(), 0);
        assert!(all[0].overlaps(&(11..13)));
        assert!(!all[0].overlaps(&(12..13)));
        assert!(all[1].overlaps(&(15..19)));
        assert!(!all[1].overlaps(&(16..19)));
    }
}
