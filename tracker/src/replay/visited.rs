/// Rows that were played already, so that a song that repeats itself is known to be over.
///
/// A row within a pattern loop was played only if the loop was as far as now. Its room is fixed: where a song has more
/// such rows than fit, it counts as over.
#[derive(Clone, Debug)]
pub(crate) struct Visited {
    /// Of each order, where its rows begin.
    first_rows: Vec<usize>,
    rows: Vec<bool>,
    looped: Vec<u64>,
    looped_count: usize,
}

/// Places for rows within pattern loops; a power of two.
const LOOPED: usize = 1 << 15;

impl Visited {
    pub(crate) fn new(row_counts: &[usize]) -> Self {
        let mut total: usize = 0;
        let first_rows = row_counts
            .iter()
            .map(|count| {
                let first = total;
                total += count;
                first
            })
            .collect();
        Self { first_rows, rows: vec![false; total], looped: vec![0; LOOPED], looped_count: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.rows.fill(false);
        self.looped.fill(0);
        self.looped_count = 0;
    }

    /// Forgets that the rows of an order were played, and all rows within pattern loops.
    pub(crate) fn clear_order(&mut self, order: usize) {
        let range = self.range(order);
        if let Some(rows) = self.rows.get_mut(range) {
            rows.fill(false);
        }
        self.looped.fill(0);
        self.looped_count = 0;
    }

    fn range(&self, order: usize) -> std::ops::Range<usize> {
        let first = self.first_rows.get(order).copied().unwrap_or(usize::MAX);
        first..self.first_rows.get(order + 1).copied().unwrap_or(self.rows.len())
    }

    /// Marks a row; returns whether that is new.
    pub(crate) fn visit(&mut self, order: usize, row: usize, loop_state: u64) -> bool {
        let index = self.first_rows.get(order).map_or(usize::MAX, |first| first.saturating_add(row));
        if loop_state == 0 {
            return self.rows.get_mut(index).is_some_and(|visited| !std::mem::replace(visited, true));
        }
        if self.looped_count >= LOOPED / 2 {
            return false;
        }
        let key = loop_state.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (index as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let key = key.max(1);
        let mut slot = (key >> 32) as usize;
        loop {
            slot = (slot + 1) & (LOOPED - 1);
            let Some(entry) = self.looped.get_mut(slot) else { return false };
            if *entry == key {
                return false;
            }
            if *entry == 0 {
                *entry = key;
                self.looped_count += 1;
                return true;
            }
        }
    }

    /// Returns whether any row of an order was played.
    pub(crate) fn has_played(&self, order: usize) -> bool {
        self.rows.get(self.range(order)).is_some_and(|rows| rows.contains(&true))
    }
}
