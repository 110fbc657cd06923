//! The console of Windows, which reports keys and not bytes.

use std::io;
use std::time::Duration;

use crossterm::event::{self as console, Event, KeyEvent};

use super::TerminalEvent;
use crate::key::{KeyCode, KeyEventKind, KeyModifiers, KeyStroke};

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
            if let Some(event) = translated(console::read()?) {
                return Ok(event);
            }
        }
    }

    /// Returns the next event if there is one within a time.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn read_within(&mut self, time: Duration) -> io::Result<Option<TerminalEvent>> {
        if console::poll(time)? { Ok(translated(console::read()?)) } else { Ok(None) }
    }
}

fn translated(event: Event) -> Option<TerminalEvent> {
    match event {
        Event::Key(KeyEvent { code, modifiers, kind, .. }) => {
            let stroke = KeyStroke::press(key(code)?, held(modifiers));
            Some(TerminalEvent::Key(KeyStroke { kind: happens(kind), ..stroke }))
        }
        Event::Mouse(mouse) => Some(TerminalEvent::Mouse(mouse)),
        Event::FocusLost => Some(TerminalEvent::FocusLost),
        _ => None,
    }
}

/// Returns a key; none for those that the screen does not know.
const fn key(code: console::KeyCode) -> Option<KeyCode> {
    Some(match code {
        console::KeyCode::Char(typed) => KeyCode::Char(typed),
        console::KeyCode::F(number) => KeyCode::F(number),
        console::KeyCode::Left => KeyCode::Left,
        console::KeyCode::Right => KeyCode::Right,
        console::KeyCode::Up => KeyCode::Up,
        console::KeyCode::Down => KeyCode::Down,
        console::KeyCode::PageUp => KeyCode::PageUp,
        console::KeyCode::PageDown => KeyCode::PageDown,
        console::KeyCode::Home => KeyCode::Home,
        console::KeyCode::End => KeyCode::End,
        console::KeyCode::Insert => KeyCode::Insert,
        console::KeyCode::Delete => KeyCode::Delete,
        console::KeyCode::Enter => KeyCode::Enter,
        console::KeyCode::Tab => KeyCode::Tab,
        console::KeyCode::BackTab => KeyCode::BackTab,
        console::KeyCode::Backspace => KeyCode::Backspace,
        console::KeyCode::Esc => KeyCode::Esc,
        _ => return None,
    })
}

/// Returns the keys that are held.
fn held(modifiers: console::KeyModifiers) -> KeyModifiers {
    let known = [
        (console::KeyModifiers::SHIFT, KeyModifiers::SHIFT),
        (console::KeyModifiers::CONTROL, KeyModifiers::CONTROL),
        (console::KeyModifiers::ALT, KeyModifiers::ALT),
        (console::KeyModifiers::SUPER, KeyModifiers::SUPER),
        (console::KeyModifiers::HYPER, KeyModifiers::HYPER),
        (console::KeyModifiers::META, KeyModifiers::META),
    ];
    let held = known.into_iter().filter(|(theirs, _)| modifiers.contains(*theirs));
    held.fold(KeyModifiers::NONE, |all, (_, ours)| all | ours)
}

const fn happens(kind: console::KeyEventKind) -> KeyEventKind {
    match kind {
        console::KeyEventKind::Press => KeyEventKind::Press,
        console::KeyEventKind::Repeat => KeyEventKind::Repeat,
        console::KeyEventKind::Release => KeyEventKind::Release,
    }
}
