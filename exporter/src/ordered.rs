//! Many things worked on at once, and reported one after another as if one thread had done them.
//!
//! ```text
//! thread ─► thing 7 ─► its place: first in line ─────────► outputs
//! thread ─► thing 8 ─► its place: kept until 7 has ended
//! ```
//!
//! The first in line writes straight to the outputs. What the others write is kept; once too many bytes are, whoever
//! wants to write more waits for its turn. Things are begun in their order and only so far ahead, so the first in line
//! never waits for anyone, and what is kept is bounded.

mod progress;
mod slot;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use slot::BufferedOutput;

pub use progress::WorkProgress;
pub use slot::OrderedSlot;

/// The two outputs of a console: writing is data.
pub trait OutputStreams: Write + Send {
    /// Prints lines of a message, without the end of the last; data that was written before comes before.
    fn message(&mut self, lines: &str);

    /// Shows how far the work is, on outputs that can.
    fn progress(&mut self, _progress: &WorkProgress<'_>) {}

    /// Shows a line that is replaced by the next one, on outputs that can.
    fn status(&mut self, _line: &str) {}

    /// Removes the progress that was shown.
    fn end_progress(&mut self) {}

    /// Runs what depends on the order of the inputs: after the same of all earlier ones, where several are worked on at
    /// once. If it gives false, that of later ones waits until this one has ended.
    ///
    /// # Errors
    /// If an earlier one ended everything; then it is not run.
    fn in_order(&mut self, run: &mut dyn FnMut() -> bool) -> io::Result<()> {
        run();
        Ok(())
    }
}

/// The most bytes that are kept, of all together.
const MAX_BUFFERED: usize = 16 << 20;

/// Things that may be begun ahead of the first in line, for each thread.
const AHEAD: usize = 64;

/// Works on each thing, with so many threads; after an error nothing that comes later is reported.
///
/// # Errors
/// That of the first thing, in their order, that ends in one; or of the outputs.
pub fn for_each<T: Sync, E: From<io::Error> + Send>(
    things: &[T],
    threads: NonZeroUsize,
    outputs: &mut dyn OutputStreams,
    work: impl Fn(&T, &mut OrderedSlot<'_, '_, E>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let line = OrderedQueue {
        all: things.len(),
        ahead: threads.get().saturating_mul(AHEAD),
        state: Mutex::new(QueueState {
            outputs,
            next: 0,
            ended: BTreeMap::new(),
            passing: 0,
            passed: BTreeSet::new(),
            error: None,
        }),
        moved: Condvar::new(),
        first: AtomicUsize::new(0),
        kept: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
    };
    let worker = || {
        while let Some((index, thing)) = line.next().and_then(|index| Some((index, things.get(index)?))) {
            let mut slot = OrderedSlot::new(&line, index);
            let result = work(thing, &mut slot);
            slot.end(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.get().min(things.len()) {
            // A system that gives no more threads gets along with fewer.
            if std::thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
    line.state.into_inner().unwrap_or_else(PoisonError::into_inner).error.map_or(Ok(()), Err)
}

/// All that stand in line.
struct OrderedQueue<'o, E> {
    all: usize,
    /// How far after the first in line things may be begun.
    ahead: usize,
    state: Mutex<QueueState<'o, E>>,
    /// Something of the state has changed that may be waited for.
    moved: Condvar,
    /// The first that has not ended. Changed only while the state is locked; whoever is first stays so until it ends.
    first: AtomicUsize,
    /// Bytes kept.
    kept: AtomicUsize,
    /// Nothing more is to be done.
    is_over: AtomicBool,
}

struct QueueState<'o, E> {
    outputs: &'o mut (dyn OutputStreams + 'o),
    /// The next to be begun.
    next: usize,
    /// Those that ended while others were before them.
    ended: BTreeMap<usize, (BufferedOutput, Result<(), E>)>,
    /// Whose turn it is to run what depends on the order, and those after it that need not any more.
    passing: usize,
    passed: BTreeSet<usize>,
    /// What ended everything.
    error: Option<E>,
}

impl<'o, E: From<io::Error>> OrderedQueue<'o, E> {
    /// Locks the state. Nothing leaves it half changed, so a thread that panics elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, QueueState<'o, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_first(&self, index: usize) -> bool {
        self.first.load(Ordering::Acquire) == index
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Waits until something is so.
    fn wait<'s>(
        &self,
        state: MutexGuard<'s, QueueState<'o, E>>,
        is_so: impl Fn(&QueueState<'o, E>) -> bool,
    ) -> Result<MutexGuard<'s, QueueState<'o, E>>, Over> {
        let waits = |state: &mut QueueState<'o, E>| !self.is_over() && !is_so(state);
        let state = self.moved.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner);
        if self.is_over() { Err(Over) } else { Ok(state) }
    }

    /// Returns the next thing to work on.
    fn next(&self) -> Option<usize> {
        let has_room = |state: &QueueState<'o, E>| {
            state.next == self.all || state.next - self.first.load(Ordering::Acquire) < self.ahead
        };
        let mut state = self.wait(self.lock(), has_room).ok()?;
        let index = state.next;
        state.next += usize::from(index < self.all);
        (index < self.all).then_some(index)
    }

    /// One has ended; so have those after it, as far as they were done before.
    fn end(&self, index: usize, kept: BufferedOutput, result: Result<(), E>) {
        let mut state = self.lock();
        // An error ends everything once it is this one's turn: until then later ones wait.
        if result.is_ok() {
            state.pass(index);
        }
        state.ended.insert(index, (kept, result));
        let mut first = self.first.load(Ordering::Acquire);
        while !self.is_over()
            && let Some((mut kept, result)) = state.ended.remove(&first)
        {
            let written = self.write_kept(&mut state, &mut kept).map_err(E::from);
            if let Err(error) = written.and(result) {
                state.error = Some(error);
                self.is_over.store(true, Ordering::Release);
            }
            first += 1;
            let (done, total) = (first as f64, Some(self.all as f64));
            state.outputs.progress(&WorkProgress { done, total, unit: "packages", detail: &"" });
        }
        self.first.store(first, Ordering::Release);
        self.moved.notify_all();
    }

    /// Writes what was kept.
    fn write_kept(&self, state: &mut QueueState<'o, E>, kept: &mut BufferedOutput) -> io::Result<()> {
        self.kept.fetch_sub(kept.bytes(), Ordering::AcqRel);
        kept.write_kept(state.outputs)
    }
}

impl<E> QueueState<'_, E> {
    /// One has run what depends on the order, or need not any more.
    fn pass(&mut self, index: usize) {
        if index >= self.passing {
            self.passed.insert(index);
        }
        while self.passed.remove(&self.passing) {
            self.passing += 1;
        }
    }
}

/// Everything has been ended by another thread; what is written is dropped.
struct Over;

impl From<Over> for io::Error {
    fn from(_: Over) -> Self {
        Self::other("cancelled after an earlier error")
    }
}

#[cfg(test)]
mod tests;
