//! What looking at a file may cost.

use std::sync::atomic::{AtomicU64, Ordering};

use unreal::Limits;

use crate::{Damage, SharedBudget};

/// Returns how many bytes may come of compressed ones, and at least as many.
pub(crate) fn most_inflated(stored: u64) -> u64 {
    // At most that, however much is stored.
    Limits::expanded(stored, Limits::EXPANSION).min(Limits::INFLATED).max(stored)
}

/// Bytes of one file that may still be looked at. Objects may share their bytes, and so may the sounds in them, so the
/// length of a file does not bound the work.
///
/// A file pays for what its length is worth, and then from what all files of the process share.
#[derive(Debug)]
pub(crate) struct WorkBudget {
    own: AtomicU64,
    shared: Option<SharedBudget>,
}

impl WorkBudget {
    /// For a file of `length` bytes: what its structures are worth also suffices to recognise, to describe and to
    /// decode its audio. If nothing is shared it has all of that for itself.
    pub(crate) fn of_file(length: u64, shared: Option<&SharedBudget>) -> Self {
        let unshared = if shared.is_some() { 0 } else { SharedBudget::WORK };
        Self { own: AtomicU64::new(Limits::worth(length).saturating_add(unshared)), shared: shared.cloned() }
    }

    /// Returns how many bytes may be looked at.
    pub(crate) fn left(&self) -> u64 {
        let shared = self.shared.as_ref().map_or(0, SharedBudget::work_left);
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
        if missing == 0 || self.shared.as_ref().is_some_and(|shared| shared.take_work(missing)) {
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
