//! The console of Windows, which reports keys and not bytes.

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event, KeyEvent};

use super::{KeyStroke, TerminalEvent};

/// A terminal that is read. To be read in raw mode, by one thread at a time.
pub struct TerminalInput(());

impl TerminalInput {
    /// Opens the terminal.
    ///
    /// # Errors
    /// None so far.
    pub fn open() -> io::Result<Self> {
        Ok(Self(()))
    }

    /// Waits for the next event.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn read(&mut self) -> io::Result<TerminalEvent> {
        loop {
            if let Some(event) = translated(event::read()?) {
                return Ok(event);
            }
        }
    }

    /// Returns the next event if there is one within a time.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn read_within(&mut self, time: Duration) -> io::Result<Option<TerminalEvent>> {
        if event::poll(time)? { Ok(translated(event::read()?)) } else { Ok(None) }
    }
}

fn translated(event: Event) -> Option<TerminalEvent> {
    match event {
        Event::Key(KeyEvent { code, modifiers, kind, .. }) => {
            Some(TerminalEvent::Key(KeyStroke { kind, ..KeyStroke::press(code, modifiers) }))
        }
        Event::Mouse(mouse) => Some(TerminalEvent::Mouse(mouse)),
        Event::FocusLost => Some(TerminalEvent::FocusLost),
        _ => None,
    }
}
