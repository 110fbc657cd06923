//! Two threads that write the same number: what ThreadSanitizer has to find, or it finds nothing.

use std::cell::UnsafeCell;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(Default)]
struct Torn {
    number: UnsafeCell<u64>,
    /// Threads that have come, and then those that are done. Relaxed, so they order nothing.
    met: AtomicUsize,
}

// SAFETY: none; this is the planted mistake.
unsafe impl Sync for Torn {}

impl Torn {
    /// Goes on once so many have come here: both threads live while they write. It sleeps meanwhile, because the
    /// sanitizer reports only what it still remembers, and it remembers so many calls.
    fn meet(&self, all: usize) {
        self.met.fetch_add(1, Ordering::Relaxed);
        while self.met.load(Ordering::Relaxed) < all {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn write(&self) {
        self.meet(2);
        for _ in 0..100 {
            // SAFETY: none; this is the planted mistake.
            unsafe { *black_box(self.number.get()) += 1 };
        }
        self.meet(4);
    }
}

fn main() {
    let torn = Arc::new(Torn::default());
    let other = Arc::clone(&torn);
    let thread = std::thread::spawn(move || other.write());
    torn.write();
    let _ = thread.join();
}
