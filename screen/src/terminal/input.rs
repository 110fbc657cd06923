//! Keys and the mouse, as the terminal reports them.
//!
//! Read here and not through a library: the place of a key on the keyboard, which the kitty protocol reports beside the
//! character on it, decides which note it plays, and the libraries drop it.

#[cfg(unix)]
mod parser;
#[cfg(unix)]
mod unix;
#[cfg(not(unix))]
mod windows;

use crossterm::event::MouseEvent;

use crate::key::KeyStroke;

#[cfg(unix)]
pub use unix::TerminalInput;
#[cfg(not(unix))]
pub use windows::TerminalInput;

/// Something that happened at the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalEvent {
    /// A key.
    Key(KeyStroke),
    /// The mouse; columns and rows count from 0.
    Mouse(MouseEvent),
    /// The keyboard belongs to another window.
    FocusLost,
}
