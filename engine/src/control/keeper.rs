use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bank::{Bank, Lent};

/// The last owner of every bank the audio thread may still be reading.
///
/// It holds a clone of each loan until nobody else does, so the audio thread only ever gives back what is not its last.
/// A loan is between one controller and its voices; whoever else holds the bank, another engine's keeper too, does not
/// count. The processor holds the same list, which it never looks into: without a controller the banks live as long as it does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keeper(Arc<Kept>);

/// The list itself.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Vec<Arc<Lent>>>);

impl Keeper {
    /// Keeps a bank, once however often it is lent, and makes a loan of it.
    pub(crate) fn lend(&self, bank: Arc<Bank>) -> Arc<Lent> {
        let mut kept = self.kept();
        if let Some(lent) = kept.iter().find(|lent| Arc::ptr_eq(lent.bank(), &bank)) {
            return Arc::clone(lent);
        }
        let lent = Arc::new(Lent::new(bank));
        kept.push(Arc::clone(&lent));
        lent
    }

    /// Gives up the banks that were given back; how many these were.
    pub(crate) fn collect(&self) -> usize {
        let mut kept = self.kept();
        let before = kept.len();
        // The only owner left cannot be joined by another: there is nobody it could be cloned from.
        kept.retain(|lent| Arc::strong_count(lent) > 1);
        before - kept.len()
    }

    /// What has to live as long as the processor.
    pub(crate) fn lifeline(&self) -> Arc<Kept> {
        Arc::clone(&self.0)
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<Lent>>> {
        // A list of owners is whole after every step, whoever panicked beside it.
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bank_is_freed_only_when_every_loan_of_it_has_come_back() {
        let keeper = Keeper::default();
        let bank = Arc::new(Bank::default());
        let watch = Arc::downgrade(&bank);
        let (first, second) = (keeper.lend(Arc::clone(&bank)), keeper.lend(bank));
        assert_eq!(keeper.collect(), 0);
        drop(first);
        assert_eq!(keeper.collect(), 0);
        drop(second);
        assert!(watch.upgrade().is_some());
        assert_eq!(keeper.collect(), 1);
        assert!(watch.upgrade().is_none());
    }

    #[test]
    fn a_bank_that_others_hold_is_given_up_once_it_came_back() {
        let keepers = [Keeper::default(), Keeper::default()];
        let bank = Arc::new(Bank::default());
        let [one, two] = [0, 1].map(|index| keepers[index].lend(Arc::clone(&bank)));
        drop(one);
        assert_eq!([0, 1].map(|index| keepers[index].collect()), [1, 0]);
        drop(two);
        assert_eq!([0, 1].map(|index| keepers[index].collect()), [0, 1]);
        assert_eq!(Arc::strong_count(&bank), 1);
    }

    #[test]
    fn the_lifeline_keeps_banks_when_the_keeper_is_gone() {
        let keeper = Keeper::default();
        let lifeline = keeper.lifeline();
        let bank = Arc::new(Bank::default());
        drop(keeper.lend(Arc::clone(&bank)));
        drop(keeper);
        assert_eq!(Arc::strong_count(&bank), 2);
        drop(lifeline);
        assert_eq!(Arc::strong_count(&bank), 1);
    }
}
