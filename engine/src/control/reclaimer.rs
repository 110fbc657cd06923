use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bank::{Bank, BankHandle};

/// The last owner of every bank the audio thread may still be reading.
///
/// It holds a clone of each loan until nobody else does, so the audio thread only ever gives back what is not its last.
/// A handle is between one controller and its voices; whoever else holds the bank, another engine's reclaimer too, does
/// not count. The processor holds the same list, which it never looks into: without a controller the banks live as long
/// as it does.
#[derive(Clone, Debug, Default)]
pub(crate) struct BankReclaimer(Arc<BankList>);

/// The list itself.
#[derive(Debug, Default)]
pub(crate) struct BankList(Mutex<Vec<Arc<BankHandle>>>);

impl BankReclaimer {
    /// Keeps a bank, once however often it is lent, and returns a handle to it.
    pub(crate) fn lend(&self, bank: Arc<Bank>) -> Arc<BankHandle> {
        let mut kept = self.kept();
        if let Some(handle) = kept.iter().find(|handle| Arc::ptr_eq(handle.bank(), &bank)) {
            return Arc::clone(handle);
        }
        let handle = Arc::new(BankHandle::new(bank));
        kept.push(Arc::clone(&handle));
        handle
    }

    /// Gives up the banks that were given back; returns how many these were.
    pub(crate) fn collect(&self) -> usize {
        let mut kept = self.kept();
        let before = kept.len();
        // The only owner left cannot be joined by another: there is nobody it could be cloned from.
        kept.retain(|handle| Arc::strong_count(handle) > 1);
        before - kept.len()
    }

    /// Returns what has to live as long as the processor.
    pub(crate) fn keep_alive(&self) -> Arc<BankList> {
        Arc::clone(&self.0)
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<BankHandle>>> {
        // A list of owners is whole after every step, whoever panicked beside it.
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_is_freed_only_when_every_loan_of_it_has_come_back() {
        let reclaimer = BankReclaimer::default();
        let bank = Arc::new(Bank::default());
        let watch = Arc::downgrade(&bank);
        let (first, second) = (reclaimer.lend(Arc::clone(&bank)), reclaimer.lend(bank));
        assert_eq!(reclaimer.collect(), 0);
        drop(first);
        assert_eq!(reclaimer.collect(), 0);
        drop(second);
        assert!(watch.upgrade().is_some());
        assert_eq!(reclaimer.collect(), 1);
        assert!(watch.upgrade().is_none());
    }

    #[test]
    fn a_bank_that_others_hold_is_given_up_once_it_came_back() {
        let reclaimers = [BankReclaimer::default(), BankReclaimer::default()];
        let bank = Arc::new(Bank::default());
        let [one, two] = [0, 1].map(|index| reclaimers[index].lend(Arc::clone(&bank)));
        drop(one);
        assert_eq!([0, 1].map(|index| reclaimers[index].collect()), [1, 0]);
        drop(two);
        assert_eq!([0, 1].map(|index| reclaimers[index].collect()), [0, 1]);
        assert_eq!(Arc::strong_count(&bank), 1);
    }

    #[test]
    fn the_lifeline_keeps_banks_when_the_keeper_is_gone() {
        let reclaimer = BankReclaimer::default();
        let keep_alive = reclaimer.keep_alive();
        let bank = Arc::new(Bank::default());
        drop(reclaimer.lend(Arc::clone(&bank)));
        drop(reclaimer);
        assert_eq!(Arc::strong_count(&bank), 2);
        drop(keep_alive);
        assert_eq!(Arc::strong_count(&bank), 1);
    }
}
