//! A glance at the exports of a package: whether one is of some class, without reading its tables. Of a game's packages
//! one in ten has a sound, and names cost most of what reading the others takes.

use std::io;

use super::exports::{CLASS_AT, ROW};
use super::version::ZenFamily;
use crate::base::source::Source;

/// Bytes of a head that are read.
const HEAD: usize = 64;

/// Bytes of the shortest head: no table begins before.
const SHORTEST_HEAD: u64 = 44;

/// The most bytes of rows that are looked at.
const MAX_ROWS: u64 = 256 << 10;

/// Returns whether a package may have an object of a class that is wanted: false only if its head makes sense and no
/// row of its exports has such a class.
///
/// # Errors
/// If its bytes cannot be read.
pub(crate) fn may_have_class(
    source: &dyn Source,
    family: ZenFamily,
    is_wanted: &dyn Fn(u64) -> bool,
) -> io::Result<bool> {
    /// Offsets in the head of the offset of exports and of the table after them, whose rows end there or before.
    const PLACES: [(ZenFamily, usize); 2] = [(ZenFamily::Engine4, 44), (ZenFamily::Engine5, 32)];
    let length = source.len();
    if length < HEAD as u64 {
        return Ok(true);
    }
    let mut head = [0; HEAD];
    source.read_at(0, &mut head)?;
    let at = PLACES.iter().find(|(of, _)| *of == family).map_or(0, |(_, at)| *at);
    let number = |at: usize| {
        let bytes = head.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        u64::from(u32::from_le_bytes(bytes))
    };
    let (begin, end) = (number(at), number(at.saturating_add(4)));
    let size = end.saturating_sub(begin);
    if begin < SHORTEST_HEAD || end < begin || end > length || size > MAX_ROWS {
        return Ok(true);
    }
    let mut rows = vec![0; usize::try_from(size).unwrap_or_default()];
    source.read_at(begin, &mut rows)?;
    let class =
        |row: &[u8]| row.get(CLASS_AT..).and_then(<[u8]>::first_chunk).copied().map(u64::from_le_bytes);
    let row = usize::try_from(ROW).unwrap_or(usize::MAX);
    Ok(rows.chunks_exact(row).any(|row| class(row).is_none_or(is_wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::source::Memory;

    /// A head that says where the rows of exports begin and end, and two rows with classes 5 and 6.
    fn package(family: ZenFamily, begin: u32, end: u32) -> Vec<u8> {
        let at = if family == ZenFamily::Engine4 { 44 } else { 32 };
        let mut bytes = vec![0xEE; 64 + 2 * 72];
        bytes[at..at + 4].copy_from_slice(&begin.to_le_bytes());
        bytes[at + 4..at + 8].copy_from_slice(&end.to_le_bytes());
        for (row, class) in [(64, 5_u64), (136, 6)] {
            bytes[row + 32..row + 40].copy_from_slice(&class.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn a_class_is_seen_in_every_row_and_missed_only_where_the_head_makes_sense() {
        for family in [ZenFamily::Engine4, ZenFamily::Engine5] {
            let may_have = |bytes: Vec<u8>, class: u64| {
                may_have_class(&Memory(bytes), family, &|one| one == class).unwrap()
            };
            let whole = || package(family, 64, 208);
            assert_eq!([5, 6, 7].map(|class| may_have(whole(), class)), [true, true, false]);
            // One row alone is the table of exports.
            assert_eq!([5, 6].map(|class| may_have(package(family, 64, 136), class)), [true, false]);
            // Within the head, ending before it begins, beyond the file, and shorter than a head.
            assert!(may_have(package(family, 43, 115), 7));
            assert!(may_have(package(family, 136, 64), 7));
            assert!(may_have(package(family, 64, 209), 7));
            assert!(may_have(whole()[..63].to_vec(), 7));
            assert!(may_have(Vec::new(), 7));
            // More than is looked at.
            let mut large = package(family, 64, 64 + (256 << 10) + 1);
            large.resize(1 << 20, 0);
            assert!(may_have(large.clone(), 7));
            let end = 64 + (256_u32 << 10);
            let at = if family == ZenFamily::Engine4 { 48 } else { 36 };
            large[at..at + 4].copy_from_slice(&end.to_le_bytes());
            assert!(!may_have(large, 7));
        }
    }
}
