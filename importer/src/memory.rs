//! What decoded audio may take in memory, of all files that are open at once.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;

/// Bytes of memory that are left for decoded audio. Files share it, however many threads read them.
#[derive(Debug)]
pub struct MemoryAllowance(AtomicU64);

impl MemoryAllowance {
    /// Allows so many bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    /// Returns how many bytes are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn take(&self, needed: u64) -> Result<(), Error> {
        let less = |left: u64| left.checked_sub(needed);
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.map(drop).map_err(|left| Error::OverLimit { needed, left })
    }

    fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Memory that is held; it is given back when this is dropped.
#[derive(Debug, Default)]
pub struct HeldMemory {
    bytes: u64,
    allowance: Option<&'static MemoryAllowance>,
}

impl HeldMemory {
    pub(crate) const fn of(allowance: Option<&'static MemoryAllowance>) -> Self {
        Self { bytes: 0, allowance }
    }

    /// Holds more.
    ///
    /// # Errors
    /// [`Error::OverLimit`] if less is left; then nothing more is held.
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), Error> {
        if let Some(allowance) = self.allowance {
            allowance.take(bytes)?;
            self.bytes = self.bytes.saturating_add(bytes);
        }
        Ok(())
    }

    /// Holds what another one held.
    pub(crate) fn absorb(&mut self, mut other: Self) {
        self.allowance = self.allowance.or(other.allowance);
        self.bytes = self.bytes.saturating_add(std::mem::take(&mut other.bytes));
    }

    /// Holds less.
    pub(crate) fn give_back(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes = self.bytes.saturating_sub(bytes);
        if let Some(allowance) = self.allowance {
            allowance.give_back(bytes);
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
        static ALLOWANCE: MemoryAllowance = MemoryAllowance::new(100);
        let mut one = HeldMemory::of(Some(&ALLOWANCE));
        let mut other = HeldMemory::of(Some(&ALLOWANCE));
        one.take(60).unwrap();
        assert!(matches!(other.take(41), Err(Error::OverLimit { needed: 41, left: 40 })));
        one.give_back(10);
        other.take(41).unwrap();
        drop(one);
        assert_eq!(ALLOWANCE.left(), 59);
        drop(other);
        assert_eq!(ALLOWANCE.left(), 100);
    }
}
