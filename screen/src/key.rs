//! Keys of a computer keyboard, as a terminal or a browser reports them, and what they do.

mod meaning;

use std::ops::{BitOr, BitOrAssign};

pub use meaning::{KeyPlaces, message};

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCode {
    /// A character.
    Char(char),
    /// A function key, from 1.
    F(u8),
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Home.
    Home,
    /// End.
    End,
    /// Insert.
    Insert,
    /// Delete.
    Delete,
    /// Enter.
    Enter,
    /// Tab.
    Tab,
    /// Tab together with shift.
    BackTab,
    /// Backspace.
    Backspace,
    /// Escape.
    Esc,
}

/// Keys that are held with another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyModifiers(u8);

impl KeyModifiers {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// Shift.
    pub const SHIFT: Self = Self(1);
    /// Ctrl.
    pub const CONTROL: Self = Self(2);
    /// Alt.
    pub const ALT: Self = Self(4);
    /// Super: the key of the desktop, Command on a Mac.
    pub const SUPER: Self = Self(8);
    /// Hyper.
    pub const HYPER: Self = Self(16);
    /// Meta.
    pub const META: Self = Self(32);

    /// Returns whether none is held.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether all of some are held.
    #[must_use]
    pub const fn contains(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// Returns whether any of some is held.
    #[must_use]
    pub const fn intersects(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Returns these and others.
    #[must_use]
    pub const fn union(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns those that are among others.
    #[must_use]
    pub const fn intersection(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Returns those that are not among others.
    #[must_use]
    pub const fn difference(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }
}

impl BitOr for KeyModifiers {
    type Output = Self;

    fn bitor(self, others: Self) -> Self {
        self.union(others)
    }
}

impl BitOrAssign for KeyModifiers {
    fn bitor_assign(&mut self, others: Self) {
        *self = self.union(others);
    }
}

/// What happens to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEventKind {
    /// It goes down.
    Press,
    /// It is held and repeats.
    Repeat,
    /// It goes up.
    Release,
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
