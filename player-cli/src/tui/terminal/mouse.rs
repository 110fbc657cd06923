//! The mouse, reported while the screen is shown: its buttons, and its way while one is held.

use std::io::{self, Write as _, stdout};
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
    report(true)
}

/// Undoes that, if it was done.
///
/// # Errors
/// If the terminal was closed.
pub(super) fn turn_off() -> io::Result<()> {
    if IS_ON.swap(false, Ordering::Relaxed) { report(false) } else { Ok(()) }
}

#[cfg(unix)]
fn report(on: bool) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(if on { ON } else { OFF }.as_bytes())?;
    out.flush()
}

#[cfg(not(unix))]
fn report(on: bool) -> io::Result<()> {
    use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
    let mut out = stdout();
    if on {
        crossterm::execute!(out, EnableMouseCapture)?
    } else {
        crossterm::execute!(out, DisableMouseCapture)?
    }
    out.flush()
}
