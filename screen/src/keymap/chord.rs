use std::fmt;
use std::str::FromStr;

use super::KeymapError;
use crate::key::{KeyCode, KeyModifiers};

/// A key and what is held with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyChord {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// What can be held with the key of a command.
const HELD: KeyModifiers = KeyModifiers::CONTROL.union(KeyModifiers::SHIFT).union(KeyModifiers::ALT);

impl KeyChord {
    /// Returns the chord of a key as the terminal reports it, whatever the shift key does to a letter.
    #[must_use]
    pub fn new(code: KeyCode, modifiers: KeyModifiers) -> Self {
        let code = match code {
            KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        let is_letter = matches!(code, KeyCode::Char(_));
        let modifiers = modifiers.intersection(HELD);
        Self {
            code,
            modifiers: if is_letter { modifiers.difference(KeyModifiers::SHIFT) } else { modifiers },
        }
    }

    /// Returns the character that the key types; none for keys that type none.
    #[must_use]
    pub(crate) fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(typed) if self.modifiers.is_empty() => Some(typed),
            _ => None,
        }
    }

    /// Returns a function key without what is held with it; none for other keys.
    pub(super) fn function_key_alone(self) -> Option<Self> {
        matches!(self.code, KeyCode::F(_)).then_some(Self { modifiers: KeyModifiers::NONE, ..self })
    }
}

/// Keys by the names that a chord has.
const NAMED: [(&str, KeyCode); 11] = [
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("Insert", KeyCode::Insert),
    ("Delete", KeyCode::Delete),
    ("Enter", KeyCode::Enter),
];

/// Letters that a terminal cannot tell from other keys when they are held with Ctrl, or that belong to it.
const AMBIGUOUS: [(char, &str); 5] =
    [('c', "always quits"), ('h', "is Backspace"), ('i', "is Tab"), ('j', "is Enter"), ('m', "is Enter")];

impl fmt::Display for KeyChord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held =
            [(KeyModifiers::CONTROL, "Ctrl-"), (KeyModifiers::ALT, "Alt-"), (KeyModifiers::SHIFT, "Shift-")];
        for (modifier, name) in held {
            if self.modifiers.contains(modifier) {
                f.write_str(name)?;
            }
        }
        match self.code {
            KeyCode::F(number) => write!(f, "F{number}"),
            KeyCode::Char(' ') => f.write_str("Space"),
            KeyCode::Char(letter) => write!(f, "{}", letter.to_uppercase()),
            code => {
                let name = NAMED.iter().find(|(_, named)| *named == code);
                f.write_str(name.map_or("?", |(name, _)| name))
            }
        }
    }
}

impl FromStr for KeyChord {
    type Err = KeymapError;

    fn from_str(text: &str) -> Result<Self, KeymapError> {
        let error = |why: &str| KeymapError(format!("{text}: {why}"));
        // A hyphen may be the key.
        let (held, key) = match text.strip_suffix('-') {
            Some(held) => (held.strip_suffix('-').unwrap_or(held), "-"),
            None => text.rsplit_once('-').unwrap_or(("", text)),
        };
        let parts = held.split('-').filter(|part| !part.is_empty());
        let mut modifiers = KeyModifiers::NONE;
        for held in parts {
            modifiers |= match held.to_ascii_lowercase().as_str() {
                "ctrl" => KeyModifiers::CONTROL,
                "alt" => KeyModifiers::ALT,
                "shift" => KeyModifiers::SHIFT,
                _ => return Err(error("only Ctrl, Alt and Shift are held with a key")),
            };
        }
        let named = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, code)| *code);
        let function = key.strip_prefix(['F', 'f']).and_then(|number| number.parse().ok());
        let function = function.filter(|number| (1..=24).contains(number)).map(KeyCode::F);
        let mut letters = key.chars();
        let letter = letters.next().filter(|letter| letters.next().is_none() && letter.is_ascii_graphic());
        let named = named.or_else(|| key.eq_ignore_ascii_case("space").then_some(KeyCode::Char(' ')));
        let code = named.or(function).or_else(|| letter.map(KeyCode::Char));
        let code = code.ok_or_else(|| error("no such key; one is F3, Ctrl-F or Ctrl-PgDn"))?;
        let chord = Self::new(code, modifiers);
        let is_control = modifiers.contains(KeyModifiers::CONTROL);
        match chord.code {
            // Neither types nor moves.
            KeyCode::F(_) | KeyCode::Insert | KeyCode::Delete => {}
            // Digits and letters have meanings everywhere; other characters may be commands of songs.
            KeyCode::Char(typed) if modifiers.is_empty() && !typed.is_alphanumeric() => {}
            _ if !modifiers.intersects(KeyModifiers::CONTROL.union(KeyModifiers::ALT)) => {
                return Err(error("this key plays or moves; only with Ctrl or Alt can it be a command"));
            }
            KeyCode::Char(letter) if is_control => {
                if let Some((_, why)) = AMBIGUOUS.iter().find(|(ambiguous, _)| *ambiguous == letter) {
                    return Err(error(&format!("to terminals, this key {why}")));
                }
            }
            _ => {}
        }
        Ok(chord)
    }
}
