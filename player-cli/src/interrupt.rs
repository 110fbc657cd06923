//! Ctrl-C and its like, as a flag that long work looks at: it ends between two steps and leaves nothing half done.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::exit::Exit;
use crate::failure::Failure;

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

fn flag() -> &'static Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default)
}

/// The signals that ask a program to end. A terminal that goes away is one, too.
#[cfg(unix)]
const SIGNALS: [i32; 4] = {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
};
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];

/// From here on those signals set the flag and do nothing else: for commands that look at it often. What may wait long,
/// such as reading standard input, has to be done before.
///
/// # Errors
/// If the system refuses.
pub fn watch() -> Result<(), Failure> {
    // Each registration is one more thing that a signal does: once is enough for any number of files.
    static WATCHING: Mutex<bool> = Mutex::new(false);
    let mut is_watching = WATCHING.lock().unwrap_or_else(PoisonError::into_inner);
    if !*is_watching {
        let registered = SIGNALS
            .iter()
            .try_for_each(|signal| signal_hook::flag::register(*signal, Arc::clone(flag())).map(drop));
        registered
            .map_err(|error| Failure::new(Exit::Partly, format!("cannot watch for signals: {error}")))?;
        *is_watching = true;
    }
    Ok(())
}

/// Returns whether the user wants it to end.
#[must_use]
pub fn is_wanted() -> bool {
    flag().load(Ordering::Relaxed)
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

/// Stops as SIGTSTP does, and returns when the program is continued.
///
/// # Errors
/// If the system refuses.
pub fn stop_until_continued() -> io::Result<()> {
    #[cfg(unix)]
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
    Ok(())
}
