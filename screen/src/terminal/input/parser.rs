//! The bytes of a terminal as events: the sequences of xterm, the Linux console and the kitty keyboard protocol.
//!
//! ```text
//! a                              the character
//! ESC a                          with alt
//! ESC O P    CSI [ A             F1
//! CSI A      CSI 1 ; MODS:KIND A    an arrow
//! CSI 18 ~   CSI 18 ; MODS:KIND ~   F7
//! CSI KEY:SHIFTED:US ; MODS:KIND u  any key, in the kitty protocol
//! CSI < BUTTON ; X ; Y M         the mouse; m when a button is released
//! CSI O                          the focus is lost
//! ```
//!
//! Source: the public descriptions of the control sequences of `xterm`, and of the kitty protocol ("Comprehensive
//! keyboard handling in terminals").

use std::collections::VecDeque;
use std::mem;

use crossterm::event::{KeyModifiers as HeldKeys, MouseButton, MouseEvent, MouseEventKind};
use vte::{Params, Parser, Perform};

use super::TerminalEvent;
use crate::key::{KeyCode, KeyEventKind, KeyModifiers, KeyStroke};

const ESC: u8 = 0x1b;

/// Makes events of bytes, however they are cut.
#[derive(Default)]
pub(super) struct InputParser {
    parser: Parser,
    events: EventQueue,
    /// Bytes since the last event: of a sequence whose end is still to come.
    pending: usize,
    /// Whether the last of them is an escape that nothing follows so far.
    has_escape: bool,
}

impl InputParser {
    /// Takes bytes in.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if mem::replace(&mut self.has_escape, byte == ESC) && byte == ESC {
                // The first stands for itself.
                self.events.press(KeyCode::Esc);
            }
            let before = self.events.seen;
            self.parser.advance(&mut self.events, &[byte]);
            let is_done = self.events.seen != before && self.events.prefix.is_none();
            self.pending = if is_done { 0 } else { self.pending + 1 };
        }
    }

    /// Returns the next event.
    pub(super) fn next(&mut self) -> Option<TerminalEvent> {
        self.events.queue.pop_front()
    }

    /// Returns whether a sequence was begun and not ended.
    pub(super) const fn is_within_sequence(&self) -> bool {
        self.pending > 0
    }

    /// Ends a sequence that nothing follows: a lone escape is the key, and what else was begun is nothing.
    pub(super) fn end_sequence(&mut self) {
        if mem::take(&mut self.has_escape) {
            self.events.press(KeyCode::Esc);
        }
        self.parser = Parser::new();
        self.events.prefix = None;
        self.pending = 0;
    }
}

/// What follows belongs to a sequence that the parser takes for ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    /// `ESC O`
    Ss3,
    /// `CSI [`, the Linux console.
    Console,
}

#[derive(Default)]
struct EventQueue {
    queue: VecDeque<TerminalEvent>,
    prefix: Option<Prefix>,
    /// Sequences that ended, whether they say anything or not.
    seen: usize,
}

impl EventQueue {
    fn press(&mut self, code: KeyCode) {
        self.stroke(KeyStroke::press(code, KeyModifiers::NONE));
    }

    fn stroke(&mut self, stroke: KeyStroke) {
        self.queue.push_back(TerminalEvent::Key(stroke));
    }

    fn control(&mut self, byte: u8, others: KeyModifiers) {
        let (code, modifiers) = match byte {
            b'\r' => (KeyCode::Enter, others),
            b'\t' => (KeyCode::Tab, others),
            0x08 | 0x7f => (KeyCode::Backspace, others),
            0 => (KeyCode::Char(' '), others | KeyModifiers::CONTROL),
            1..=26 => (KeyCode::Char(char::from(b'a' - 1 + byte)), others | KeyModifiers::CONTROL),
            _ => return,
        };
        self.stroke(KeyStroke::press(code, modifiers));
    }
}

impl Perform for EventQueue {
    fn print(&mut self, c: char) {
        self.seen += 1;
        let code = match (self.prefix.take(), c) {
            (Some(Prefix::Ss3), letter) => of_letter(letter),
            (Some(Prefix::Console), 'A'..='E') => u8::try_from(c).ok().map(|c| KeyCode::F(c - b'A' + 1)),
            (Some(Prefix::Console), _) => None,
            (None, '\x7f') => Some(KeyCode::Backspace),
            (None, c) => Some(KeyCode::Char(c)),
        };
        if let Some(code) = code {
            self.press(code);
        }
    }

    fn execute(&mut self, byte: u8) {
        self.seen += 1;
        self.prefix = None;
        self.control(byte, KeyModifiers::NONE);
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _: bool, byte: u8) {
        self.seen += 1;
        self.prefix = None;
        match (intermediates, byte) {
            ([], b'O') => self.prefix = Some(Prefix::Ss3),
            ([], b' '..0x7f) => {
                self.stroke(KeyStroke::press(KeyCode::Char(char::from(byte)), KeyModifiers::ALT));
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, letter: char) {
        self.seen += 1;
        self.prefix = None;
        let mut params = params.iter();
        let [first, second, third] = [(); 3].map(|()| params.next().unwrap_or_default());
        let number = first.first().copied().unwrap_or_default();
        let code = match (intermediates, letter) {
            _ if ignore => None,
            (b"<", 'M' | 'm') => {
                self.queue.extend(mouse(number, second, third, letter == 'm').map(TerminalEvent::Mouse));
                None
            }
            (_, _) if !intermediates.is_empty() => None,
            (_, '[') => {
                self.prefix = Some(Prefix::Console);
                None
            }
            (_, 'O') => {
                self.queue.push_back(TerminalEvent::FocusLost);
                None
            }
            (_, 'u') => of_kitty(number),
            (_, '~') => of_number(number),
            (_, 'Z') => Some(KeyCode::BackTab),
            (_, letter) => of_letter(letter),
        };
        let Some(code) = code else { return };
        let (modifiers, kind) = held(second);
        let alternate = |at: usize| {
            let code = first.get(at).copied().filter(|code| *code > 0 && letter == 'u')?;
            char::from_u32(code.into())
        };
        self.stroke(KeyStroke { code, modifiers, kind, shifted: alternate(1), us_key: alternate(2) });
    }
}

/// Returns what is held, and whether the key goes down: parameters `1 + MODS : KIND`.
fn held(parameter: &[u16]) -> (KeyModifiers, KeyEventKind) {
    /// The protocol's bits, from the lowest.
    const BITS: [KeyModifiers; 6] = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
        KeyModifiers::SUPER,
        KeyModifiers::HYPER,
        KeyModifiers::META,
    ];
    let mask = parameter.first().map_or(0, |mask| mask.saturating_sub(1));
    let held = BITS.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
    let kind = match parameter.get(1) {
        Some(2) => KeyEventKind::Repeat,
        Some(3) => KeyEventKind::Release,
        _ => KeyEventKind::Press,
    };
    (held.fold(KeyModifiers::NONE, |all, (_, one)| all | *one), kind)
}

const fn of_letter(letter: char) -> Option<KeyCode> {
    Some(match letter {
        'A' => KeyCode::Up,
        'B' => KeyCode::Down,
        'C' => KeyCode::Right,
        'D' => KeyCode::Left,
        'F' => KeyCode::End,
        'H' => KeyCode::Home,
        'M' => KeyCode::Enter,
        'P' => KeyCode::F(1),
        'Q' => KeyCode::F(2),
        'R' => KeyCode::F(3),
        'S' => KeyCode::F(4),
        _ => return None,
    })
}

fn of_number(number: u16) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        // Two numbers are left out.
        11..=15 => KeyCode::F(u8::try_from(number).ok()? - 10),
        17..=21 => KeyCode::F(u8::try_from(number).ok()? - 11),
        23 | 24 => KeyCode::F(u8::try_from(number).ok()? - 12),
        _ => return None,
    })
}

/// Keys by the number that the protocol gives them: their character, or one of a range that is kept for them.
fn of_kitty(number: u16) -> Option<KeyCode> {
    const KEYPAD: [char; 17] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '/', '*', '-', '+', '\r', '='];
    Some(match number {
        27 => KeyCode::Esc,
        13 => KeyCode::Enter,
        9 => KeyCode::Tab,
        8 | 127 => KeyCode::Backspace,
        57_414 => KeyCode::Enter,
        57_399..=57_415 => KeyCode::Char(KEYPAD[usize::from(number - 57_399)]),
        57_417 => KeyCode::Left,
        57_418 => KeyCode::Right,
        57_419 => KeyCode::Up,
        57_420 => KeyCode::Down,
        57_421 => KeyCode::PageUp,
        57_422 => KeyCode::PageDown,
        57_423 => KeyCode::Home,
        57_424 => KeyCode::End,
        // The rest of the range types nothing.
        0..=31 | 57_344..=63_743 => return None,
        number => KeyCode::Char(char::from_u32(number.into())?),
    })
}

/// Returns what the mouse does: the low bits of the first parameter are the button, 4, 8 and 16 what is held, 32 that
/// it moves, 64 that it is the wheel.
fn mouse(button: u16, column: &[u16], row: &[u16], is_released: bool) -> Option<MouseEvent> {
    let buttons = [MouseButton::Left, MouseButton::Middle, MouseButton::Right];
    let which = buttons.get(usize::from(button & 3)).copied();
    let kind = match (button & 0b1110_0000, which) {
        (64, _) if button & 3 == 0 => MouseEventKind::ScrollUp,
        (64, _) if button & 3 == 1 => MouseEventKind::ScrollDown,
        (32, Some(which)) => MouseEventKind::Drag(which),
        (0, Some(which)) if is_released => MouseEventKind::Up(which),
        (0, Some(which)) => MouseEventKind::Down(which),
        _ => return None,
    };
    let held = [(4, HeldKeys::SHIFT), (8, HeldKeys::ALT), (16, HeldKeys::CONTROL)];
    let held = held.iter().filter(|(bit, _)| button & bit != 0);
    let modifiers = held.fold(HeldKeys::NONE, |all, (_, one)| all | *one);
    // They count from 1.
    let [column, row] = [column, row].map(|place| place.first().and_then(|place| place.checked_sub(1)));
    Some(MouseEvent { kind, column: column?, row: row?, modifiers })
}

#[cfg(test)]
mod tests;
