//! The mouse, reported while the screen is shown: its buttons, and its way while one is held.

use std::io::{self, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// Buttons and drags, and places beyond column 223.
///
/// Source: the public description of the control sequences of `xterm`, "Mouse Tracking".
#[cfg(unix)]
const ON: &str = "\x1b[?1002h\x1b[?1006h";
#[cfg(unix)]
const OFF: &str = "\x1b[?1006l\x1b[?1002l";

/// Whether the terminal was asked to report it; then it has to be asked for the contrary in the end.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Has the mouse reported.
///
/// # Errors
/// If the terminal was closed.
pub(super) fn turn_on() -> io::Result<()> {
    IS_ON.store(true, Ordering::Relaxed);
    #[cfg(unix)]
    stdout().write_all(ON.as_bytes())?;
    #[cfg(not(unix))]
    crossterm::queue!(stdout(), crossterm::event::EnableMouseCapture)?;
    stdout().flush()
}

/// Writes what undoes that, if it was done.
///
/// # Errors
/// Those of `out`.
pub(super) fn turn_off(out: &mut impl Write) -> io::Result<()> {
    if !IS_ON.swap(false, Ordering::Relaxed) {
        return Ok(());
    }
    #[cfg(unix)]
    out.write_all(OFF.as_bytes())?;
    #[cfg(not(unix))]
    crossterm::queue!(out, crossterm::event::DisableMouseCapture)?;
    Ok(())
}
