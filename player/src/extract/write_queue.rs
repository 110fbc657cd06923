//! Files that several threads write, taken in their order.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Work on numbers below a count, whose results are taken in their order. Threads are ahead of what was taken by a few
/// numbers only, so an end comes soon after what was told last.
pub(super) struct WriteQueue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    ahead: usize,
}

struct State<T> {
    count: usize,
    /// The next number that a thread begins.
    next: usize,
    /// How many results were taken.
    taken: usize,
    done: BTreeMap<usize, T>,
}

impl<T> WriteQueue<T> {
    pub(super) fn new(count: usize, ahead: usize) -> Self {
        let state = State { count, next: 0, taken: 0, done: BTreeMap::new() };
        Self { state: Mutex::new(state), changed: Condvar::new(), ahead }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State<T>>) -> MutexGuard<'g, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until no number is left, or the queue is stopped. Several threads may.
    pub(super) fn work(&self, make: impl Fn(usize) -> T) {
        // Whoever waits for the result of a thread that panics must not wait for ever.
        let _guard = StopOnPanic(self);
        loop {
            let mut state = self.lock();
            while state.next < state.count && state.next >= state.taken + self.ahead {
                state = self.wait(state);
            }
            let number = state.next;
            if number >= state.count {
                return;
            }
            state.next += 1;
            drop(state);
            let made = make(number);
            self.lock().done.insert(number, made);
            self.changed.notify_all();
        }
    }

    /// Waits for the result of the next number; none if the queue was stopped.
    pub(super) fn take(&self) -> Option<T> {
        let mut state = self.lock();
        let number = state.taken;
        while number < state.count && !state.done.contains_key(&number) {
            state = self.wait(state);
        }
        let made = state.done.remove(&number)?;
        state.taken += 1;
        drop(state);
        self.changed.notify_all();
        Some(made)
    }

    /// Lets no thread begin anything more.
    fn stop(&self) {
        self.lock().count = 0;
        self.changed.notify_all();
    }
}

/// Stops the queue of a thread that panics.
struct StopOnPanic<'q, T>(&'q WriteQueue<T>);

impl<T> Drop for StopOnPanic<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Stops a queue as soon as nobody takes anything more, be it by a panic.
pub(super) struct Taking<'q, T>(pub(super) &'q WriteQueue<T>);

impl<T> Drop for Taking<'_, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_their_order_and_threads_stay_close() {
        let (queue, begun) = (WriteQueue::new(500, 4), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    queue.work(|number| {
                        begun.fetch_add(1, Ordering::SeqCst);
                        if number % 7 == 0 {
                            thread::yield_now();
                        }
                        number
                    });
                });
            }
            for expected in 0..500 {
                assert!(begun.load(Ordering::SeqCst) <= expected + 4);
                assert_eq!(queue.take(), Some(expected));
            }
            assert_eq!(queue.take(), None);
        });
    }

    #[test]
    fn a_stop_and_a_panic_end_all_waiting() {
        let queue = WriteQueue::new(100, 2);
        thread::scope(|scope| {
            scope.spawn(|| queue.work(|number| number));
            assert_eq!(queue.take(), Some(0));
            queue.stop();
        });
        let queue = WriteQueue::new(100, 2);
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            thread::scope(|scope| {
                scope.spawn(|| queue.work(|_| panic!("on purpose")));
                assert_eq!(queue.take(), None::<usize>);
            });
        }));
        assert!(outcome.is_err());
        // A thread that waits for its results to be taken ends if whoever takes them panics.
        let queue = WriteQueue::new(100, 2);
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            thread::scope(|scope| {
                let _taking = Taking(&queue);
                scope.spawn(|| queue.work(|number| number));
                assert_eq!(queue.take(), Some(0));
                panic!("on purpose");
            });
        }));
        assert!(outcome.is_err());
    }
}
