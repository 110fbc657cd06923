//! What follows from all blocks of a container together. It is found out when it is first asked for, in one pass.

use std::collections::BTreeSet;

use super::toc::Toc;

/// Sums over the blocks of a container.
#[derive(Debug, Default)]
pub(super) struct BlockSums {
    /// Bytes that the blocks before each take, and those of all.
    stored_before: Vec<u64>,
    /// The next block from each on that is compressed.
    next_compressed: Vec<u32>,
}

impl BlockSums {
    pub(super) fn new(toc: &Toc) -> Self {
        let count = toc.header.blocks;
        let mut stored_before = Vec::with_capacity(usize::try_from(count).unwrap_or(0).saturating_add(1));
        let (mut stored, mut compressed) = (0_u64, Vec::new());
        for number in 0..count {
            stored_before.push(stored);
            let row = toc.block_row(number.into());
            stored = stored.saturating_add(row.map_or(0, |row| row.stored.into()));
            if row.is_some_and(|row| row.slot != 0) {
                compressed.resize(usize::try_from(number).unwrap_or(0).saturating_add(1), number);
            }
        }
        stored_before.push(stored);
        Self { stored_before, next_compressed: compressed }
    }

    /// Returns how many bytes some of the blocks take.
    pub(super) fn stored(&self, first: u64, end: u64) -> u64 {
        let before =
            |number: u64| usize::try_from(number).ok().and_then(|number| self.stored_before.get(number));
        before(end).zip(before(first)).map_or(0, |(end, first)| end.saturating_sub(*first))
    }

    /// Returns what the first of some of the blocks that is compressed is compressed with.
    pub(super) fn method<'t>(&self, toc: &'t Toc, first: u64, end: u64) -> Option<&'t str> {
        let next = self.next_compressed.get(usize::try_from(first).ok()?)?;
        let next = Some(u64::from(*next)).filter(|next| *next < end)?;
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
        let mut places: Vec<_> = (0..count).filter_map(|number| Some((place(number)?, number))).collect();
        places.sort_unstable();
        let mut last = 0;
        for ((start, end), number) in places {
            if start < last {
                overlapping.insert(number);
            }
            last = last.max(end);
        }
    }
    overlapping
}
