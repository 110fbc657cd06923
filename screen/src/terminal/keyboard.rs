//! The kitty keyboard protocol: a terminal that speaks it reports when a key is released, and whether a key is struck
//! or held.
//!
//! Source: the protocol's public description, "Comprehensive keyboard handling in terminals". A terminal's main and
//! other screen have settings of their own: they are made and undone on the other screen.

#[cfg(unix)]
mod answer;

use std::io::{self, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{DisableFocusChange, EnableFocusChange};
#[cfg(unix)]
use crossterm::event::{
    KeyboardEnhancementFlags as Flags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::{execute, queue};

/// Releases come with the event types, and those of keys that type text only when all keys are reported in escape
/// codes.
#[cfg(unix)]
const REQUIRED: Flags = Flags::DISAMBIGUATE_ESCAPE_CODES
    .union(Flags::REPORT_EVENT_TYPES)
    .union(Flags::REPORT_ALL_KEYS_AS_ESCAPE_CODES);

/// Alternate keys say where a key is, whatever is printed on it; not all terminals have them.
#[cfg(unix)]
const WANTED: Flags = REQUIRED.union(Flags::REPORT_ALTERNATE_KEYS);

/// Whether the terminal was asked for them; then it has to be asked for the contrary in the end.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Asks for releases; whether the terminal will report them. To be called in raw mode, before anybody reads the
/// keyboard: what is typed until the answer comes is lost.
///
/// # Errors
/// If the terminal was closed.
#[cfg(unix)]
pub(super) fn ask() -> io::Result<bool> {
    // A terminal that does not know the protocol is sent nothing it might misunderstand.
    if answer::flags()?.is_none() {
        return Ok(false);
    }
    turn_on()?;
    // Some know the protocol, but not all of it.
    let granted = answer::flags()?.map_or(Flags::empty(), Flags::from_bits_truncate);
    let tells_release = granted.contains(REQUIRED);
    if !tells_release {
        turn_off(&mut stdout())?;
        stdout().flush()?;
    }
    Ok(tells_release)
}

/// Consoles of Windows report releases unasked.
///
/// # Errors
/// If the terminal was closed.
#[cfg(not(unix))]
pub(super) fn ask() -> io::Result<bool> {
    turn_on()?;
    Ok(cfg!(windows))
}

/// Has releases reported, and when the keyboard goes to another window, where nobody would report them.
///
/// # Errors
/// If the terminal was closed.
pub(super) fn turn_on() -> io::Result<()> {
    IS_ON.store(true, Ordering::Relaxed);
    #[cfg(unix)]
    execute!(stdout(), PushKeyboardEnhancementFlags(WANTED))?;
    execute!(stdout(), EnableFocusChange)
}

/// Writes what undoes that, if it was done.
///
/// # Errors
/// Those of `out`.
pub(super) fn turn_off(out: &mut impl Write) -> io::Result<()> {
    if !IS_ON.swap(false, Ordering::Relaxed) {
        return Ok(());
    }
    queue!(out, DisableFocusChange)?;
    #[cfg(unix)]
    queue!(out, PopKeyboardEnhancementFlags)?;
    Ok(())
}

/// Restores the keyboard, and reads what came until then. To be called while nobody else reads the keyboard.
///
/// # Errors
/// If the terminal was closed.
pub(super) fn turn_off_and_wait() -> io::Result<()> {
    turn_off(&mut stdout())?;
    stdout().flush()?;
    // The answer comes after all that was reported before the question.
    #[cfg(unix)]
    answer::flags()?;
    Ok(())
}
