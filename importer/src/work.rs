//! What looking at a file may cost.

use std::sync::atomic::{AtomicU64, Ordering};

use unreal::Limits;

use crate::{Damage, SharedBudget};

/// How many bytes each stored byte may become. What is made for games becomes ten times as long.
pub(crate) const EXPANSION: u64 = 64;

/// Returns how many bytes so many stored ones may become: some are always believed.
pub(crate) const fn most_expanded(stored: u64, each: u64) -> u64 {
    stored.saturating_mul(each).saturating_add(64 << 20)
}

/// Returns how many bytes may come of compressed ones, and at least as many.
pub(crate) fn most_inflated(stored: u64) -> u64 {
    /// However much is stored.
    const MOST: u64 = 2 << 30;
    most_expanded(stored, EXPANSION).min(MOST).max(stored)
}

/// Bytes of one file that may still be looked at. Objects may share their bytes, and so may the sounds in them, so the
/// length of a file does not bound the work.
///
/// A file pays for what its length is worth, and then from what all files of the process share.
#[derive(Debug)]
pub(crate) struct WorkBudget {
    own: AtomicU64,
    shared: Option<&'static SharedBudget>,
}

impl WorkBudget {
    /// For every byte of a file: properties take some sixteen times their bytes while they are looked at, and audio is
    /// looked at to recognise, to describe and to decode it.
    const PER_BYTE: u64 = 40;
    /// For files however small.
    const LEAST: u64 = 64 << 10;

    /// For a file of so many bytes. If nothing is shared it has all of that for itself.
    pub(crate) fn of_file(length: u64, shared: Option<&'static SharedBudget>) -> Self {
        let least = if shared.is_some() { Self::LEAST } else { SharedBudget::WORK };
        Self { own: AtomicU64::new(least.saturating_add(length.saturating_mul(Self::PER_BYTE))), shared }
    }

    /// Returns how many bytes may be looked at.
    pub(crate) fn left(&self) -> u64 {
        let shared = self.shared.map_or(0, SharedBudget::work_left);
        self.own.load(Ordering::Relaxed).saturating_add(shared)
    }

    /// Pays for bytes.
    ///
    /// # Errors
    /// [`Damage::OverLimit`] if fewer are left; then nothing is paid.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), Damage> {
        let less = |left: u64| Some(left.saturating_sub(bytes));
        let own = self.own.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).unwrap_or_default();
        let missing = bytes.saturating_sub(own);
        if missing == 0 || self.shared.is_some_and(|shared| shared.take_work(missing)) {
            return Ok(());
        }
        self.give_back(bytes.saturating_sub(missing));
        Err(Damage::OverLimit)
    }

    /// Pays for what was looked at already, as far as there is anything left.
    pub(crate) fn settle(&self, bytes: u64) {
        let _ = self.take(bytes.min(self.left()));
    }

    /// Gives back: what was made of a payload pays for having looked at it.
    pub(crate) fn give_back(&self, bytes: u64) {
        let more = |left: u64| Some(left.saturating_add(bytes));
        // Never an error, as there is always more.
        let _ = self.own.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// Reads an object, which may take so many bytes of structures.
    pub(crate) fn spend<T>(&self, structures: u64, read: impl FnOnce(&mut Limits) -> T) -> T {
        let most = structures.min(self.left());
        let mut limits = Limits::with_structures(most);
        let found = read(&mut limits);
        self.settle(most.saturating_sub(limits.structures_left()));
        found
    }
}
