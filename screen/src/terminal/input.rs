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

use crossterm::event::{KeyCode, KeyEventKind, KeyModifiers, MouseEvent};

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

/// A key that went down, repeats, or went up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyStroke {
    /// Which key; a character as it is typed without shift, where the terminal reports that.
    pub code: KeyCode,
    /// What is held with it.
    pub modifiers: KeyModifiers,
    /// Where releases and repeats are not reported, always a press.
    pub kind: KeyEventKind,
    /// What it types together with shift, if that is reported and shift is held.
    pub shifted: Option<char>,
    /// What a US keyboard has at its place, if that is reported and something else.
    pub us_key: Option<char>,
}

impl KeyStroke {
    /// A key that was pressed.
    #[must_use]
    pub const fn press(code: KeyCode, modifiers: KeyModifiers) -> Self {
        Self { code, modifiers, kind: KeyEventKind::Press, shifted: None, us_key: None }
    }
}
