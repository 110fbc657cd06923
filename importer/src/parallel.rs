//! Work on many things at once.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does work on each number below a count with so many threads, until it returns false for one; calls that run then are
/// completed.
pub fn for_each(count: usize, threads: NonZeroUsize, work: impl Fn(usize) -> bool + Sync) {
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            if !work(number) {
                next.store(count, Ordering::Relaxed);
                break;
            }
        }
    };
    thread::scope(|scope| {
        (1..threads.get().min(count)).for_each(|_| _ = scope.spawn(run));
        run();
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn each_number_is_worked_on_once_until_it_is_enough() {
        let threads = NonZeroUsize::new(3).unwrap();
        let done = Mutex::new(Vec::new());
        for_each(1000, threads, |number| {
            done.lock().unwrap().push(number);
            true
        });
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert!(done == (0..1000).collect::<Vec<_>>());

        let begun = AtomicUsize::new(0);
        for_each(1000, threads, |number| {
            begun.fetch_add(1, Ordering::Relaxed);
            number < 10
        });
        assert!(begun.load(Ordering::Relaxed) < 1000);
        for_each(0, threads, |_| panic!("there is nothing"));
    }
}
