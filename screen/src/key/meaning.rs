//! What keys do: messages to the screen.

use std::collections::BTreeMap;

use player::keyboard;

use super::{KeyCode, KeyEventKind, KeyModifiers, KeyStroke};
use crate::keymap::{KeyChord, Keymap};
use crate::update::{MANY, Msg, Press};

/// How far page up and page down go.
const PAGE: usize = 10;

/// Where the terminal has said that keys are: what a US keyboard has at the place of each, as far as that differs from
/// what was said before. A terminal names the place only of keys that a US keyboard has something else on.
#[derive(Default)]
pub struct KeyPlaces(BTreeMap<char, char>);

impl KeyPlaces {
    /// Returns what is news about the place of a key.
    #[must_use]
    pub fn see(&mut self, stroke: KeyStroke) -> Option<Msg> {
        let KeyCode::Char(typed) = stroke.code else { return None };
        let us_key = stroke.us_key.unwrap_or(typed);
        let before = self.0.insert(typed, us_key).unwrap_or(typed);
        (before != us_key).then_some(Msg::KeyPlace { typed, us_key })
    }
}

/// Returns what a key does; nothing for keys that do nothing.
#[must_use]
pub fn message(stroke: KeyStroke, keymap: &Keymap) -> Option<Msg> {
    match (stroke.kind, stroke.code) {
        (KeyEventKind::Press, _) => press(stroke, keymap).map(Msg::Press),
        (KeyEventKind::Repeat, _) => press(stroke, keymap).map(Msg::Repeat),
        // With whatever it is held by then: it must not be missed.
        (KeyEventKind::Release, KeyCode::Char(c)) => Some(Msg::Release(c)),
        (KeyEventKind::Release, _) => None,
    }
}

/// Keys that belong to the desktop when they are held.
const FOREIGN: KeyModifiers = KeyModifiers::SUPER.union(KeyModifiers::HYPER).union(KeyModifiers::META);

fn press(key: KeyStroke, keymap: &Keymap) -> Option<Press> {
    let command = keymap.command(KeyChord::new(key.code, key.modifiers)).map(Press::Command);
    if command.is_some() || key.modifiers.contains(KeyModifiers::CONTROL) {
        return command;
    }
    if key.modifiers.intersects(FOREIGN) {
        return None;
    }
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let steps = if shift { MANY } else { 1 };
    Some(match key.code {
        KeyCode::Char(c) if shift => {
            let types = key.shifted.or_else(|| keyboard::shifted(c));
            Press::Shifted { key: c, types: types.or_else(|| capital(c)).unwrap_or(c) }
        }
        KeyCode::Char(c) => Press::Char(c),
        KeyCode::Left => Press::Left(steps),
        KeyCode::Right => Press::Right(steps),
        KeyCode::Backspace => Press::Backspace,
        KeyCode::Up if shift => Press::ShiftUp,
        KeyCode::Down if shift => Press::ShiftDown,
        KeyCode::Up => Press::Up(1),
        KeyCode::Down => Press::Down(1),
        KeyCode::PageUp => Press::Up(PAGE),
        KeyCode::PageDown => Press::Down(PAGE),
        KeyCode::Home => Press::Home,
        KeyCode::End => Press::End,
        KeyCode::Enter => Press::Enter,
        KeyCode::Tab => Press::Tab,
        KeyCode::Esc => Press::Escape,
        _ => return None,
    })
}

/// Returns the capital of a letter, if there is just one.
fn capital(letter: char) -> Option<char> {
    let mut capitals = letter.to_uppercase();
    capitals.next().filter(|_| capitals.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::KeyCommand;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Press> {
        press(KeyStroke::press(code, modifiers), &Keymap::default())
    }

    #[test]
    fn control_c_quits_and_c_plays() {
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Press::Command(KeyCommand::Quit)));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::NONE), Some(Press::Char('c')));
        assert_eq!(key(KeyCode::Char('d'), KeyModifiers::CONTROL), None);
        let control = |c| key(KeyCode::Char(c), KeyModifiers::CONTROL);
        let expected = [
            Press::Command(KeyCommand::Search),
            Press::Command(KeyCommand::Take),
            Press::Command(KeyCommand::Sort),
            Press::Command(KeyCommand::Preview),
        ];
        assert_eq!(['f', 's', 'o', 'p'].map(control), expected.map(Some));
    }

    #[test]
    fn with_control_keys_steer_the_song() {
        let control = |code| key(code, KeyModifiers::CONTROL);
        assert_eq!(control(KeyCode::Char('t')), Some(Press::Command(KeyCommand::PlaySong)));
        assert_eq!(control(KeyCode::Left), Some(Press::Command(KeyCommand::Slower)));
        assert_eq!(control(KeyCode::PageDown), Some(Press::Command(KeyCommand::NextSong)));
        assert_eq!(control(KeyCode::Home), None);
    }

    #[test]
    fn shift_makes_of_a_step_many() {
        assert_eq!(key(KeyCode::Left, KeyModifiers::NONE), Some(Press::Left(1)));
        assert_eq!(key(KeyCode::Right, KeyModifiers::SHIFT), Some(Press::Right(MANY)));
        assert_eq!(
            key(KeyCode::Char('8'), KeyModifiers::SHIFT),
            Some(Press::Shifted { key: '8', types: '*' })
        );
        assert_eq!(
            key(KeyCode::Char('ö'), KeyModifiers::SHIFT),
            Some(Press::Shifted { key: 'ö', types: 'Ö' })
        );
    }

    #[test]
    fn what_a_key_types_with_shift_is_believed_if_the_terminal_reports_it() {
        let stroke =
            KeyStroke { shifted: Some('('), ..KeyStroke::press(KeyCode::Char('8'), KeyModifiers::SHIFT) };
        assert_eq!(press(stroke, &Keymap::default()), Some(Press::Shifted { key: '8', types: '(' }));
    }

    #[test]
    fn the_place_of_a_key_is_said_once_and_again_when_it_moves() {
        let mut places = KeyPlaces::default();
        let plain = KeyStroke::press(KeyCode::Char('y'), KeyModifiers::NONE);
        assert_eq!(places.see(plain), None, "as on a US keyboard");
        let moved = KeyStroke { us_key: Some('z'), ..plain };
        assert_eq!(places.see(moved), Some(Msg::KeyPlace { typed: 'y', us_key: 'z' }));
        assert_eq!(places.see(moved), None);
        assert_eq!(places.see(plain), Some(Msg::KeyPlace { typed: 'y', us_key: 'y' }), "another layout");
    }

    fn of_kind(code: KeyCode, modifiers: KeyModifiers, kind: KeyEventKind) -> Option<Msg> {
        message(KeyStroke { kind, ..KeyStroke::press(code, modifiers) }, &Keymap::default())
    }

    #[test]
    fn a_held_key_is_distinguished_from_a_struck_one() {
        let z = |kind| of_kind(KeyCode::Char('z'), KeyModifiers::NONE, kind);
        assert_eq!(z(KeyEventKind::Press), Some(Msg::Press(Press::Char('z'))));
        assert_eq!(z(KeyEventKind::Repeat), Some(Msg::Repeat(Press::Char('z'))));
        assert_eq!(z(KeyEventKind::Release), Some(Msg::Release('z')));
    }

    #[test]
    fn a_release_is_reported_whatever_is_held_with_it_and_a_press_with_the_desktops_key_is_none() {
        for held in [KeyModifiers::CONTROL, KeyModifiers::SUPER, KeyModifiers::ALT, KeyModifiers::SHIFT] {
            let released = of_kind(KeyCode::Char('z'), held, KeyEventKind::Release);
            assert_eq!(released, Some(Msg::Release('z')), "{held:?}");
        }
        assert_eq!(key(KeyCode::Char('z'), KeyModifiers::SUPER), None);
        assert_eq!(of_kind(KeyCode::Tab, KeyModifiers::NONE, KeyEventKind::Release), None);
    }
}
