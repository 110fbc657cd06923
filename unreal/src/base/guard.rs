//! Code of other libraries, which may panic over hostile bytes.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread runs code of another library, whose panics become errors. A program's panic hook that is
/// called then has nothing to report.
#[must_use]
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// Runs code of another library; none if it panics. What it leaves half done must not be used again.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    let outer = GUARDED.replace(true);
    let ended = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    ended.ok()
}
