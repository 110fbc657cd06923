//! A glance at the exports of a package: whether one is of some class, without reading its tables. Of a game's packages
//! one in ten has a sound, and names cost most of what reading the others takes.

use std::io;

use super::exports::{CLASS_AT, ROW};
use super::version::ZenFamily;
use crate::source::Source;

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
