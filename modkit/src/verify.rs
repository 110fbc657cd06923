//! Whether containers are what they say.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use unreal::Error;
use unreal::container::mount::{Mount, MountedEntry};

/// What was verified.
#[derive(Debug, Default)]
pub struct Verified {
    /// How many entries were read.
    pub entries: usize,
    /// Bytes that they become.
    pub bytes: u64,
    /// Entries that are not what is said of them, in their order.
    pub damaged: Vec<(MountedEntry, Error)>,
    /// Tables that have another hash than is stated, with their containers.
    pub tables: Vec<(usize, Error)>,
}

/// Reads every entry of every container, also of those that are overridden, and compares it with each size and hash that
/// is stated for it. `goes_on` is asked after each entry, with how many are done.
#[must_use]
pub fn verify(mount: &Mount, threads: NonZeroUsize, goes_on: &(dyn Fn(usize) -> bool + Sync)) -> Verified {
    let entries: Vec<MountedEntry> = mount.entries().collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(Verified::default());
    let work = || {
        while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(container) = mount.container(*entry) else { continue };
            let size = container.info(entry.entry).map_or(0, |info| info.size);
            let verified = container.verify(entry.entry);
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.entries += 1;
            match verified {
                Ok(()) => found.bytes = found.bytes.saturating_add(size),
                Err(error) => found.damaged.push((*entry, error)),
            }
            drop(found);
            if !goes_on(done.fetch_add(1, Ordering::Relaxed) + 1) {
                break;
            }
        }
    };
    thread::scope(|scope| {
        (1..threads.get()).for_each(|_| _ = scope.spawn(work));
        work();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.damaged.sort_by_key(|(entry, _)| (entry.container, entry.entry));
    for (number, (_, container)) in mount.containers().iter().enumerate() {
        found.tables.extend(container.verify_tables().into_iter().map(|error| (number, error)));
    }
    found
}
