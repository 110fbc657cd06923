//! Ctrl-C and its like: a flag that long work looks at, so that it ends between two steps and leaves nothing half done.
//! Where nobody looks for a moment, and at the second signal, the program ends all the same: with the terminal put back
//! and without files that are not whole.

use std::io::{self, Write as _, stderr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::exit::Exit;
use crate::failure::Failure;
use screen::terminal;

/// Whether the user wants it to end, and whether somebody has seen that.
static IS_WANTED: AtomicBool = AtomicBool::new(false);
static IS_HEARD: AtomicBool = AtomicBool::new(false);

/// How long the flag may go unseen, in milliseconds.
static PATIENCE: AtomicU64 = AtomicU64::new(80);
/// How long the terminal has to print why it ends.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// The signals that ask a program to end. A terminal that goes away is one, too.
#[cfg(unix)]
const SIGNALS: [i32; 4] = {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
};
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];

/// From here on those signals set the flag, and do no more unless nobody looks at it.
///
/// # Errors
/// If the system refuses.
pub fn watch() -> Result<(), Failure> {
    static IS_WATCHING: Mutex<bool> = Mutex::new(false);
    let mut is_watching = IS_WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
    if !*is_watching {
        let failure = |error| Failure::new(Exit::Partly, format!("cannot watch for signals: {error}"));
        listen().map_err(failure)?;
        *is_watching = true;
    }
    Ok(())
}

#[cfg(unix)]
fn listen() -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(SIGNALS)?;
    let work = move || signals.forever().for_each(|_| wanted());
    thread::Builder::new().name("signals".into()).spawn(work).map(drop)
}

/// Windows calls on a thread of its own, but with no more than a flag.
#[cfg(not(unix))]
fn listen() -> io::Result<()> {
    let flag: Arc<AtomicBool> = Arc::default();
    for signal in SIGNALS {
        signal_hook::flag::register_conditional_shutdown(
            signal,
            Exit::Interrupted as i32,
            Arc::clone(&flag),
        )?;
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    let work = move || {
        while !flag.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        wanted();
    };
    thread::Builder::new().name("signals".into()).spawn(work).map(drop)
}

/// Handles a signal: the first one politely.
fn wanted() {
    if IS_WANTED.swap(true, Ordering::Relaxed) {
        end_at_once();
    }
    thread::sleep(Duration::from_millis(PATIENCE.load(Ordering::Relaxed)));
    if !IS_HEARD.load(Ordering::Relaxed) {
        end_at_once();
    }
}

/// Lets the flag go unseen for another time from here on: for a loop that looks at it all the time and has something to
/// lose, which a machine that stumbles must not cost.
pub fn allow(unseen: Duration) {
    PATIENCE.store(u64::try_from(unseen.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// Ends the program wherever it is.
fn end_at_once() -> ! {
    exporter::remove_unfinished();
    terminal::put_back();
    // Nothing that is printed may keep it from ending.
    let words = thread::Builder::new().spawn(|| drop(stderr().write_all(b"\nerror: interrupted\n")));
    let begun = std::time::Instant::now();
    while words.as_ref().is_ok_and(|words| !words.is_finished()) && begun.elapsed() < LAST_WORDS {
        thread::sleep(Duration::from_millis(1));
    }
    signal_hook::low_level::exit(Exit::Interrupted as i32)
}

/// Returns whether the user wants it to end.
#[must_use]
pub fn is_wanted() -> bool {
    let is_wanted = IS_WANTED.load(Ordering::Relaxed);
    if is_wanted {
        IS_HEARD.store(true, Ordering::Relaxed);
    }
    is_wanted
}

/// # Errors
/// [`Exit::Interrupted`] once the user wants it to end.
pub fn check() -> Result<(), Failure> {
    if is_wanted() { Err(Failure::new(Exit::Interrupted, "interrupted")) } else { Ok(()) }
}

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From here on SIGTSTP sets a flag as well: for whoever has to put the terminal back first.
///
/// # Errors
/// If the system refuses.
pub fn watch_for_stop() -> io::Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGTSTP, Arc::clone(STOP.get_or_init(Arc::default)))?;
    Ok(())
}

/// Returns whether the user wants to go to the shell; asked once.
#[must_use]
pub fn is_stop_wanted() -> bool {
    STOP.get().is_some_and(|stop| stop.swap(false, Ordering::Relaxed))
}
