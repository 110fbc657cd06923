//! Ctrl-C and its like, as a flag that long work looks at: it ends between two steps and leaves nothing half done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::exit::Exit;
use crate::failure::Failure;

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

fn flag() -> &'static Arc<AtomicBool> {
    FLAG.get_or_init(Arc::default)
}

/// From here on SIGINT and SIGTERM set the flag; a second one ends the program at once.
///
/// # Errors
/// If the system refuses.
pub fn watch() -> std::io::Result<()> {
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // In this order: the first signal finds the flag unset and sets it, the second finds it set.
        signal_hook::flag::register_conditional_shutdown(
            signal,
            Exit::Interrupted as i32,
            Arc::clone(flag()),
        )?;
        signal_hook::flag::register(signal, Arc::clone(flag()))?;
    }
    Ok(())
}

/// Whether the user wants it to end.
#[must_use]
pub fn is_wanted() -> bool {
    flag().load(Ordering::Relaxed)
}

/// # Errors
/// [`Exit::Interrupted`] once the user wants it to end.
pub fn check() -> Result<(), Failure> {
    if is_wanted() { Err(Failure::new(Exit::Interrupted, "interrupted")) } else { Ok(()) }
}
