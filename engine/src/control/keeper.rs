use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bank::Bank;

/// The last owner of every bank the audio thread may still be reading.
///
/// It holds a clone of each until nobody else does, so the audio thread only ever gives back what is not its last.
/// The processor holds the same list, which it never looks into: without a controller the banks live as long as it does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keeper(Arc<Kept>);

/// The list itself.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Vec<Arc<Bank>>>);

impl Keeper {
    /// Keeps a bank, once however often it is lent.
    pub(crate) fn keep(&self, bank: &Arc<Bank>) {
        let mut kept = self.kept();
        if !kept.iter().any(|other| Arc::ptr_eq(other, bank)) {
            kept.push(Arc::clone(bank));
        }
    }

    /// Frees the banks that nobody else holds; how many these were.
    pub(crate) fn collect(&self) -> usize {
        let mut kept = self.kept();
        let before = kept.len();
        // The only owner left cannot be joined by another: there is nobody it could be cloned from.
        kept.retain(|bank| Arc::strong_count(bank) > 1);
        before - kept.len()
    }

    /// What has to live as long as the processor.
    pub(crate) fn lifeline(&self) -> Arc<Kept> {
        Arc::clone(&self.0)
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<Bank>>> {
        // A list of owners is whole after every step, whoever panicked beside it.
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bank() -> Arc<Bank> {
        Arc::new(Bank::default())
    }

    #[test]
    fn a_bank_is_freed_only_when_nobody_else_holds_it() {
        let keeper = Keeper::default();
        let bank = bank();
        keeper.keep(&bank);
        keeper.keep(&bank);
        let watch = Arc::downgrade(&bank);
        assert_eq!(keeper.collect(), 0);
        drop(bank);
        assert!(watch.upgrade().is_some());
        assert_eq!(keeper.collect(), 1);
        assert!(watch.upgrade().is_none());
    }

    #[test]
    fn the_lifeline_keeps_banks_when_the_keeper_is_gone() {
        let keeper = Keeper::default();
        let lifeline = keeper.lifeline();
        let bank = bank();
        keeper.keep(&bank);
        drop(keeper);
        assert_eq!(Arc::strong_count(&bank), 2);
        drop(lifeline);
        assert_eq!(Arc::strong_count(&bank), 1);
    }
}
