//! The keys of `play` on a terminal: Space pauses, n and p play another song of a folder, q ends it.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use screen::terminal::input::{KeyStroke, TerminalEvent, TerminalInput};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayKey {
    /// Stop here, or go on.
    Pause,
    /// The next of a list.
    Next,
    /// The one before it.
    Previous,
    /// Another order of the list.
    Shuffle,
    /// End, as if it were over.
    End,
    /// End at once.
    Interrupt,
}

/// The keyboard while something plays; dropping it puts the terminal back.
pub(super) struct PlayKeys(TerminalInput);

impl PlayKeys {
    /// Takes the keyboard; none where nobody sits at one.
    pub(super) fn take() -> Option<Self> {
        let is_watched = io::stdin().is_terminal() && io::stderr().is_terminal();
        let input = is_watched.then(TerminalInput::open)?.ok()?;
        enable_raw_mode().is_ok().then_some(Self(input))
    }

    /// Returns what was pressed since, if anything that means something.
    pub(super) fn poll(&mut self) -> Option<PlayKey> {
        while let Some(event) = self.0.read_within(Duration::ZERO).ok()? {
            if let TerminalEvent::Key(key) = event
                && let Some(key) = meaning(key)
            {
                return Some(key);
            }
        }
        None
    }
}

impl Drop for PlayKeys {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing.
        let _ = disable_raw_mode();
    }
}

fn meaning(key: KeyStroke) -> Option<PlayKey> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    match key.code {
        KeyCode::Char('c' | 'C') if key.modifiers.contains(KeyModifiers::CONTROL) => Some(PlayKey::Interrupt),
        KeyCode::Char(' ') => Some(PlayKey::Pause),
        KeyCode::Char('n' | 'N') | KeyCode::Right => Some(PlayKey::Next),
        KeyCode::Char('p' | 'P') | KeyCode::Left => Some(PlayKey::Previous),
        KeyCode::Char('s' | 'S') => Some(PlayKey::Shuffle),
        KeyCode::Char('q' | 'Q') | KeyCode::Esc => Some(PlayKey::End),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_pauses_n_and_p_change_the_song_and_q_ends() {
        let key = |code, modifiers| meaning(KeyStroke::press(code, modifiers));
        let plain = |code| key(code, KeyModifiers::NONE);
        assert_eq!(plain(KeyCode::Char(' ')), Some(PlayKey::Pause));
        assert_eq!([plain(KeyCode::Char('q')), plain(KeyCode::Esc)], [Some(PlayKey::End); 2]);
        assert_eq!(plain(KeyCode::Char('n')), Some(PlayKey::Next));
        assert_eq!([plain(KeyCode::Char('p')), plain(KeyCode::Left)], [Some(PlayKey::Previous); 2]);
        assert_eq!(plain(KeyCode::Char('s')), Some(PlayKey::Shuffle));
        assert_eq!(plain(KeyCode::Char('c')), None);
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(PlayKey::Interrupt));
    }
}
