//! What follows from all blocks of a container together. It is found out when it is first asked for, in one pass.

use std::collections::BTreeSet;

use super::toc::Toc;

/// Blocks of which one sum is kept: what lies between is added up when it is asked for.
const STRIDE: u64 = 64;

/// Sums over the blocks of a container. Chunks may have all of its blocks, each of them: what is said of one takes no
/// more than two strides.
#[derive(Debug, Default)]
pub(super) struct BlockSums {
    /// Bytes that the blocks before each stride take.
    stored_before: Vec<u64>,
    /// The first block of each stride or of those after it that is compressed.
    next_compressed: Vec<u32>,
}

impl BlockSums {
    pub(super) fn new(toc: &Toc) -> Self {
        let (mut stored, mut sums) = (0_u64, Self::default());
        for number in 0..toc.header.blocks {
            let is_first = u64::from(number).is_multiple_of(STRIDE);
            if is_first {
                sums.stored_before.push(stored);
            }
            let row = toc.block_row(number.into());
            stored = stored.saturating_add(row.map_or(0, |row| row.stored.into()));
            let strides = sums.stored_before.len();
            if row.is_some_and(|row| row.slot != 0) && sums.next_compressed.len() < strides {
                sums.next_compressed.resize(strides, number);
            }
        }
        sums
    }

    /// Returns how many bytes some of the blocks take.
    pub(super) fn stored(&self, toc: &Toc, first: u64, end: u64) -> u64 {
        let stored = |first: u64, end: u64| {
            let rows = (first..end).filter_map(|number| toc.block_row(number));
            rows.map(|row| row.stored.into()).fold(0_u64, u64::saturating_add)
        };
        if end.saturating_sub(first) <= STRIDE {
            return stored(first, end);
        }
        let before = |number: u64| {
            let stride = number.checked_div(STRIDE)?;
            let sum = self.stored_before.get(usize::try_from(stride).ok()?)?;
            Some(sum.saturating_add(stored(stride.saturating_mul(STRIDE), number)))
        };
        // The last stride may end where the table does, and nothing begins there.
        let last = end.saturating_sub(1);
        let all = before(last).map(|sum| sum.saturating_add(stored(last, end)));
        all.zip(before(first)).map_or(0, |(all, first)| all.saturating_sub(first))
    }

    /// Returns what the first of some of the blocks that is compressed is compressed with.
    pub(super) fn method<'t>(&self, toc: &'t Toc, first: u64, end: u64) -> Option<&'t str> {
        let is_compressed = |number: &u64| toc.block_row(*number).is_some_and(|row| row.slot != 0);
        let rest = first.next_multiple_of(STRIDE).min(end);
        let later = || {
            if rest == end {
                return None;
            }
            let next = self.next_compressed.get(usize::try_from(rest.checked_div(STRIDE)?).ok()?)?;
            Some(u64::from(*next)).filter(|next| *next < end)
        };
        let next = (first..rest).find(is_compressed).or_else(later)?;
        let slot = usize::from(toc.block_row(next)?.slot).checked_sub(1)?;
        Some(toc.methods.get(slot).map_or("unknown", |(name, _)| name))
    }
}

/// Returns the blocks that lie within others. No engine writes such, and what is made of them may be without measure.
pub(super) fn overlapping(toc: &Toc) -> BTreeSet<u64> {
    let place = |number: u64| {
        let row = toc.block_row(number)?;
        Some((row.offset, row.offset.saturating_add(row.stored.into())))
    };
    let count = u64::from(toc.header.blocks);
    // As a rule they lie in their order.
    let mut last = 0;
    let is_in_order = (0..count).filter_map(place).all(|(start, end)| {
        let is_after = start >= last;
        last = end;
        is_after
    });
    let mut overlapping = BTreeSet::new();
    if !is_in_order {
        // Four bytes for each: there may be millions.
        let mut numbers: Vec<u32> = (0..toc.header.blocks).collect();
        numbers.sort_unstable_by_key(|number| (place((*number).into()), *number));
        let mut last = 0;
        for number in numbers {
            let Some((start, end)) = place(number.into()) else { continue };
            if start < last {
                overlapping.insert(number.into());
            }
            last = last.max(end);
        }
    }
    overlapping
}
