//! The terminal of somebody who listens: its keys, and the line that shows how far it is.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use player::listening::{Listener, ListenerKey};
use screen::key::{KeyCode, KeyEventKind, KeyModifiers, KeyStroke};
use screen::terminal::input::{TerminalEvent, TerminalInput};

use crate::console::Console;
use crate::interrupt;

/// The terminal while something plays; dropping it puts the keyboard back. Where nobody sits at one there are no keys
/// and no line.
pub(super) struct Terminal<'t, 'o> {
    keys: Option<TerminalInput>,
    console: &'t mut Console<'o>,
}

/// Returns whether somebody sits at a terminal.
pub(super) fn is_watched() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

impl<'t, 'o> Terminal<'t, 'o> {
    pub(super) fn of(console: &'t mut Console<'o>) -> Self {
        let input = is_watched().then(|| TerminalInput::open().ok()).flatten();
        Self { keys: input.filter(|_| enable_raw_mode().is_ok()), console }
    }
}

impl Listener for Terminal<'_, '_> {
    fn key(&mut self) -> Option<ListenerKey> {
        let keys = self.keys.as_mut()?;
        while let Some(event) = keys.read_within(Duration::ZERO).ok()? {
            if let TerminalEvent::Key(key) = event
                && let Some(key) = meaning(key)
            {
                return Some(key);
            }
        }
        None
    }

    fn is_interrupted(&self) -> bool {
        interrupt::is_wanted()
    }

    fn show(&mut self, line: &str) {
        if line.is_empty() {
            self.console.end_progress();
        } else if self.keys.is_some() {
            self.console.status(line);
        }
    }
}

impl Drop for Terminal<'_, '_> {
    fn drop(&mut self) {
        if self.keys.is_some() {
            // A terminal that is gone needs nothing.
            let _ = disable_raw_mode();
        }
    }
}

fn meaning(key: KeyStroke) -> Option<ListenerKey> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    match key.code {
        KeyCode::Char('c' | 'C') if key.modifiers.contains(KeyModifiers::CONTROL) => {
            Some(ListenerKey::Interrupt)
        }
        KeyCode::Char(' ') => Some(ListenerKey::Pause),
        KeyCode::Left => Some(ListenerKey::Back),
        KeyCode::Right => Some(ListenerKey::Forward),
        KeyCode::Char('+' | '=') => Some(ListenerKey::Louder),
        KeyCode::Char('-' | '_') => Some(ListenerKey::Softer),
        KeyCode::Char('r' | 'R' | 'l' | 'L') => Some(ListenerKey::Loop),
        KeyCode::Char('>' | '.' | 'n' | 'N') => Some(ListenerKey::Next),
        KeyCode::Char('<' | ',' | 'p' | 'P') => Some(ListenerKey::Previous),
        KeyCode::Char('s' | 'S') => Some(ListenerKey::Shuffle),
        KeyCode::Char('q' | 'Q') | KeyCode::Esc => Some(ListenerKey::End),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_pause_seek_turn_up_repeat_change_the_song_and_end() {
        let key = |code, modifiers| meaning(KeyStroke::press(code, modifiers));
        let plain = |code| key(code, KeyModifiers::NONE);
        for (typed, meant) in [
            (" ", ListenerKey::Pause),
            ("+=", ListenerKey::Louder),
            ("-", ListenerKey::Softer),
            ("rl", ListenerKey::Loop),
            (">n", ListenerKey::Next),
            ("<p", ListenerKey::Previous),
            ("s", ListenerKey::Shuffle),
            ("qQ", ListenerKey::End),
        ] {
            for letter in typed.chars() {
                assert_eq!(plain(KeyCode::Char(letter)), Some(meant), "{letter}");
            }
        }
        assert_eq!(plain(KeyCode::Esc), Some(ListenerKey::End));
        assert_eq!(plain(KeyCode::Left), Some(ListenerKey::Back));
        assert_eq!(plain(KeyCode::Right), Some(ListenerKey::Forward));
        assert_eq!(plain(KeyCode::Char('c')), None);
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(ListenerKey::Interrupt));
    }
}
