//! Keys as a browser reports them, and as the screen knows them.

use screen::key::{KeyCode, KeyEventKind, KeyModifiers, KeyStroke};

use super::message::KeyMessage;

/// Places of keys that type no letter or digit, and what a US keyboard has there.
const PLACES: [(&str, char); 12] = [
    ("Minus", '-'),
    ("Equal", '='),
    ("BracketLeft", '['),
    ("BracketRight", ']'),
    ("Backslash", '\\'),
    ("Semicolon", ';'),
    ("Quote", '\''),
    ("Backquote", '`'),
    ("Comma", ','),
    ("Period", '.'),
    ("Slash", '/'),
    ("Space", ' '),
];

/// Returns what a US keyboard has at a place, typed without shift.
fn us_key(code: &str) -> Option<char> {
    let one = |text: &str| text.chars().next().filter(|_| text.len() == 1);
    let letter = code.strip_prefix("Key").and_then(one).map(|letter| letter.to_ascii_lowercase());
    let digit = code.strip_prefix("Digit").and_then(one);
    let other = || PLACES.iter().find(|(place, _)| *place == code).map(|(_, key)| *key);
    letter.or(digit).or_else(other)
}

fn named(key: &str) -> Option<KeyCode> {
    Some(match key {
        "ArrowLeft" => KeyCode::Left,
        "ArrowRight" => KeyCode::Right,
        "ArrowUp" => KeyCode::Up,
        "ArrowDown" => KeyCode::Down,
        "PageUp" => KeyCode::PageUp,
        "PageDown" => KeyCode::PageDown,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Insert" => KeyCode::Insert,
        "Delete" => KeyCode::Delete,
        "Enter" => KeyCode::Enter,
        "Tab" => KeyCode::Tab,
        "Backspace" => KeyCode::Backspace,
        "Escape" => KeyCode::Esc,
        _ => KeyCode::F(key.strip_prefix('F')?.parse().ok()?),
    })
}

/// Returns the key of a message; none for those that mean nothing here.
pub(crate) fn stroke(message: &KeyMessage) -> Option<KeyStroke> {
    let mut modifiers = KeyModifiers::NONE;
    for (is_held, modifier) in [(message.shift, KeyModifiers::SHIFT), (message.ctrl, KeyModifiers::CONTROL)] {
        if is_held {
            modifiers |= modifier;
        }
    }
    let mut typed = message.key.chars();
    let typed = typed.next().filter(|_| typed.next().is_none());
    let place = message.place.or_else(|| us_key(&message.code));
    let (code, shifted) = match (named(&message.key), typed) {
        (Some(code), _) => (code, None),
        (None, Some(typed)) if message.shift && !typed.is_alphabetic() => {
            // What its key types without shift is not reported: most keyboards have digits where those of the US do.
            (KeyCode::Char(place.unwrap_or(typed)), Some(typed))
        }
        (None, Some(typed)) => {
            let small: String = typed.to_lowercase().collect();
            let mut small = small.chars();
            let small = small.next().filter(|_| small.next().is_none()).unwrap_or(typed);
            (KeyCode::Char(small), message.shift.then_some(typed))
        }
        (None, None) => return None,
    };
    let is_back_tab = code == KeyCode::Tab && message.shift;
    Some(KeyStroke {
        code: if is_back_tab { KeyCode::BackTab } else { code },
        modifiers,
        kind: match (message.up, message.repeat) {
            (true, _) => KeyEventKind::Release,
            (false, true) => KeyEventKind::Repeat,
            (false, false) => KeyEventKind::Press,
        },
        shifted,
        us_key: place.filter(|place| KeyCode::Char(*place) != code),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &str, code: &str) -> KeyMessage {
        let (key, code) = (key.to_owned(), code.to_owned());
        KeyMessage { key, code, shift: false, ctrl: false, place: None, repeat: false, up: false }
    }

    #[test]
    fn a_key_is_known_by_what_it_types_and_by_where_it_is() {
        let z = stroke(&key("z", "KeyZ")).unwrap();
        assert_eq!((z.code, z.us_key, z.kind), (KeyCode::Char('z'), None, KeyEventKind::Press));
        // On a German keyboard.
        let y = stroke(&key("y", "KeyZ")).unwrap();
        assert_eq!((y.code, y.us_key), (KeyCode::Char('y'), Some('z')));
        let sharp = stroke(&KeyMessage { shift: true, ..key("!", "Digit1") }).unwrap();
        assert_eq!((sharp.code, sharp.shifted), (KeyCode::Char('1'), Some('!')));
        // Clicked, where it is drawn.
        assert_eq!(stroke(&KeyMessage { place: Some('z'), ..key("y", "") }), Some(y));
        let up = stroke(&KeyMessage { up: true, ..key("F5", "F5") }).unwrap();
        assert_eq!((up.code, up.kind), (KeyCode::F(5), KeyEventKind::Release));
        let capital = stroke(&KeyMessage { shift: true, ..key("Q", "KeyQ") }).unwrap();
        assert_eq!((capital.code, capital.shifted), (KeyCode::Char('q'), Some('Q')));
        for nothing in ["Shift", "Dead", "Unidentified"] {
            assert_eq!(stroke(&key(nothing, "")), None, "{nothing}");
        }
    }
}
