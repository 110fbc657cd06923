//! What all files of a process share: memory for decoded audio, and work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;

/// What is left for all files, however many threads read them. A clone is the same budget.
#[derive(Clone, Debug)]
pub struct SharedBudget(Arc<Left>);

#[derive(Debug)]
struct Left {
    memory: AtomicU64,
    work: AtomicU64,
}

impl SharedBudget {
    /// Bytes that may be looked at beyond what each file pays for by its length.
    pub(crate) const WORK: u64 = 64 << 20;

    /// Allows so many bytes of decoded audio in memory, and the usual work.
    #[must_use]
    pub fn new(memory: u64) -> Self {
        Self(Arc::new(Left { memory: AtomicU64::new(memory), work: AtomicU64::new(Self::WORK) }))
    }

    /// Returns how many bytes of memory are left.
    #[must_use]
    pub fn memory_left(&self) -> u64 {
        self.0.memory.load(Ordering::Relaxed)
    }

    fn take_memory(&self, needed: u64) -> Result<(), Error> {
        let less = |left: u64| left.checked_sub(needed);
        let taken = self.0.memory.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.map(drop).map_err(|left| Error::OverLimit { needed, left })
    }

    pub(crate) fn work_left(&self) -> u64 {
        self.0.work.load(Ordering::Relaxed)
    }

    /// Returns whether so much work was left; if not, nothing is taken.
    pub(crate) fn take_work(&self, bytes: u64) -> bool {
        let less = |left: u64| left.checked_sub(bytes);
        self.0.work.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

/// Memory that is held; it is given back when this is dropped.
#[derive(Debug, Default)]
pub struct HeldMemory {
    bytes: u64,
    shared: Option<SharedBudget>,
}

impl HeldMemory {
    pub(crate) fn of(shared: Option<&SharedBudget>) -> Self {
        Self { bytes: 0, shared: shared.cloned() }
    }

    /// Holds more.
    ///
    /// # Errors
    /// [`Error::OverLimit`] if less is left; then nothing more is held.
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), Error> {
        if let Some(shared) = &self.shared {
            shared.take_memory(bytes)?;
            self.bytes = self.bytes.saturating_add(bytes);
        }
        Ok(())
    }

    /// Holds what another one held.
    pub(crate) fn absorb(&mut self, mut other: Self) {
        self.shared = self.shared.take().or_else(|| other.shared.clone());
        self.bytes = self.bytes.saturating_add(std::mem::take(&mut other.bytes));
    }

    /// Holds less.
    pub(crate) fn give_back(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes = self.bytes.saturating_sub(bytes);
        if let Some(shared) = &self.shared {
            shared.0.memory.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

impl Drop for HeldMemory {
    fn drop(&mut self) {
        self.give_back(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_holds_others_do_not_have_until_it_is_gone() {
        let shared = SharedBudget::new(100);
        let mut one = HeldMemory::of(Some(&shared));
        let mut other = HeldMemory::of(Some(&shared));
        one.take(60).unwrap();
        assert!(matches!(other.take(41), Err(Error::OverLimit { needed: 41, left: 40 })));
        one.give_back(10);
        other.take(41).unwrap();
        drop(one);
        assert_eq!(shared.memory_left(), 59);
        drop(other);
        assert_eq!(shared.memory_left(), 100);
    }
}
