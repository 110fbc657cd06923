//! The atomics between both halves, tried in every order of two threads and with every value a load may give.
//!
//! The shared state is the engine's own source. The rings are ringbuf's and have proofs of their own; what stands for
//! one here has the same two indices and the same orderings. Each promise has a sibling with one ordering taken away or
//! two steps swapped, in which the promise has to be found broken.

#[path = "../engine/src/shared_state.rs"]
#[expect(dead_code, reason = "the pause orders nothing, so it needs no model")]
mod shared_state;

/// The atomics of the shared state.
mod atomic {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
}

use std::panic::{AssertUnwindSafe, catch_unwind};

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use loom::thread;
use shared_state::SharedState;

const ROOM: usize = 4;

/// A queue of one writer and one reader that is never filled.
struct Ring {
    slots: [UnsafeCell<u64>; ROOM],
    written: AtomicUsize,
}

impl Ring {
    fn new() -> Self {
        Self { slots: std::array::from_fn(|_| UnsafeCell::new(0)), written: AtomicUsize::new(0) }
    }

    fn push(&self, value: u64) {
        let written = self.written.load(Ordering::Relaxed);
        // SAFETY: the reader looks at a slot only once it is counted, and loom watches that it is so.
        self.slots[written].with_mut(|slot| unsafe { *slot = value });
        self.written.store(written + 1, Ordering::Release);
    }

    /// Returns everything from the slot `read` on.
    fn rest(&self, read: usize) -> Vec<u64> {
        let written = self.written.load(Ordering::Acquire);
        // SAFETY: as above.
        (read..written).map(|slot| self.slots[slot].with(|slot| unsafe { *slot })).collect()
    }
}

/// Returns whether a model finds a way to break what it asserts.
fn breaks(model: impl Fn() + Sync + Send + 'static) -> bool {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let broken = catch_unwind(AssertUnwindSafe(|| loom::model(model))).is_err();
    std::panic::set_hook(hook);
    broken
}

/// The mark of [`SharedState::cancel_before`], and one that orders nothing.
trait Mark: Default + Send + Sync + 'static {
    fn set(&self, sequence: u64);
    fn get(&self) -> u64;
}

impl Mark for SharedState {
    fn set(&self, sequence: u64) {
        self.cancel_before(sequence);
    }

    fn get(&self) -> u64 {
        self.cancelled_before()
    }
}

#[derive(Default)]
struct Weak(AtomicU64);

impl Mark for Weak {
    fn set(&self, sequence: u64) {
        self.0.store(sequence, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn whoever_sees_the_mark_sees_the_commands_below_it<M: Mark>() {
    let (ring, mark) = (Arc::new(Ring::new()), Arc::new(M::default()));
    let (far_ring, far_mark) = (Arc::clone(&ring), Arc::clone(&mark));
    let control = thread::spawn(move || {
        far_ring.push(0);
        far_ring.push(1);
        far_mark.set(2);
        far_ring.push(2);
    });
    let cancelled_before = mark.get();
    let seen = ring.rest(0).len() as u64;
    assert!(seen >= cancelled_before, "{cancelled_before} are cancelled, {seen} are there");
    control.join().unwrap();
}

#[test]
fn whoever_sees_what_is_cancelled_sees_it_in_the_queue() {
    loom::model(whoever_sees_the_mark_sees_the_commands_below_it::<SharedState>);
}

#[test]
fn a_mark_that_orders_nothing_is_found_to_show_cancelled_commands_too_late() {
    assert!(breaks(whoever_sees_the_mark_sees_the_commands_below_it::<Weak>));
}

/// What the audio side knows, and what it does with each block: first the mark, then what waits in the ring.
struct Audio {
    read: usize,
    cancelled_before: u64,
    sounding: Vec<u64>,
    /// Whether the mark silences the notes below it, or whatever sounds when it is seen.
    by_count: bool,
}

impl Audio {
    fn block(&mut self, ring: &Ring, shared: &SharedState) {
        let mark = shared.cancelled_before();
        if mark > self.cancelled_before {
            self.cancelled_before = mark;
            let by_count = self.by_count;
            self.sounding.retain(|&sequence| by_count && sequence >= mark);
        }
        let rest = ring.rest(self.read);
        self.read += rest.len();
        self.sounding.extend(rest.into_iter().filter(|&sequence| sequence >= mark));
    }
}

/// A note, silence, a note: in the end only the second sounds.
fn silence_between_two_notes(by_count: bool) {
    let (ring, shared) = (Arc::new(Ring::new()), Arc::new(SharedState::default()));
    let (far_ring, far_shared) = (Arc::clone(&ring), Arc::clone(&shared));
    let control = thread::spawn(move || {
        far_ring.push(0);
        far_shared.cancel_before(1);
        far_ring.push(1);
    });
    let mut audio = Audio { read: 0, cancelled_before: 0, sounding: Vec::new(), by_count };
    audio.block(&ring, &shared);
    audio.block(&ring, &shared);
    control.join().unwrap();
    audio.block(&ring, &shared);
    assert_eq!(audio.sounding, [1]);
}

#[test]
fn silence_voids_what_was_sent_before_it_and_spares_what_was_sent_after_it() {
    loom::model(|| silence_between_two_notes(true));
}

#[test]
fn silence_of_whatever_sounds_when_it_is_seen_is_found_to_hit_a_later_note() {
    assert!(breaks(|| silence_between_two_notes(false)));
}

/// An event lost, a voice refused and that reported: whoever reads the events finds both counted.
fn refusals_are_counted_before_they_are_reported(counted_first: bool) {
    let (ring, shared) = (Arc::new(Ring::new()), Arc::new(SharedState::default()));
    let (far_ring, far_shared) = (Arc::clone(&ring), Arc::clone(&shared));
    let control = thread::spawn(move || {
        let events = far_ring.rest(0).len() as u64;
        let counted = [far_shared.refused(), far_shared.lost_events()];
        assert!(counted.iter().all(|&counted| counted >= events), "{events} reported, {counted:?} counted");
    });
    shared.lose_event();
    if counted_first {
        // The engine's own order of the two steps.
        shared.refuse(|| ring.push(7));
    } else {
        ring.push(7);
        shared.refuse(|| ());
    }
    control.join().unwrap();
    assert_eq!((shared.refused(), shared.lost_events()), (1, 1), "none is forgotten");
}

#[test]
fn whoever_hears_of_a_refused_voice_finds_it_counted() {
    loom::model(|| refusals_are_counted_before_they_are_reported(true));
}

#[test]
fn a_refusal_counted_after_it_was_reported_is_found() {
    assert!(breaks(|| refusals_are_counted_before_they_are_reported(false)));
}

/// The time as it is published, and as it would be if it were two numbers.
fn time_never_goes_back(publish: impl Fn(&SharedState, u64) + Send + Sync + 'static) {
    let shared = Arc::new(SharedState::default());
    let far = Arc::clone(&shared);
    let audio = thread::spawn(move || {
        publish(&far, 64);
        publish(&far, 128);
    });
    let (first, second) = (shared.now(), shared.now());
    assert!(first <= second, "{second} after {first}");
    audio.join().unwrap();
    assert_eq!(shared.now(), 128);
}

#[test]
fn the_engines_time_never_goes_back_for_whoever_asks() {
    loom::model(|| time_never_goes_back(SharedState::set_now));
}

#[test]
fn a_time_that_is_reported_too_early_and_corrected_is_found_to_go_back() {
    let corrected = |shared: &SharedState, now| {
        shared.set_now(now + 100);
        shared.set_now(now);
    };
    assert!(breaks(move || time_never_goes_back(corrected)));
}

/// The reclaimer and a voice that share a bank: the voice ends while the reclaimer looks whether it is the last owner.
fn the_reclaimer_frees_only_what_nobody_reads(voice_gives_back_first: bool) {
    let bank = Arc::new(UnsafeCell::new(5_u64));
    let reading = Arc::new(AtomicUsize::new(1));
    let (handle, done) = (Arc::clone(&bank), Arc::clone(&reading));
    let audio = thread::spawn(move || {
        if voice_gives_back_first {
            done.fetch_sub(1, Ordering::Relaxed);
        }
        // SAFETY: nobody writes before all have given back; loom watches that it is so.
        handle.with(|value| assert_eq!(unsafe { *value }, 5));
        if !voice_gives_back_first {
            done.fetch_sub(1, Ordering::Release);
        }
    });
    // As `Arc` does it: the count is looked at, and what follows it is ordered after it by the last decrement.
    if reading.load(Ordering::Relaxed) == 0 {
        loom::sync::atomic::fence(Ordering::Acquire);
        // SAFETY: nobody reads any more. What is freed is written to.
        bank.with_mut(|value| unsafe { *value = 0 });
    }
    audio.join().unwrap();
}

#[test]
fn the_reclaimer_frees_a_bank_only_after_the_last_read() {
    loom::model(|| the_reclaimer_frees_only_what_nobody_reads(false));
}

#[test]
fn a_voice_that_reads_after_it_gave_its_bank_back_is_found() {
    assert!(breaks(|| the_reclaimer_frees_only_what_nobody_reads(true)));
}
