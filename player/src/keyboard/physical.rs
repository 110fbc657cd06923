//! What is printed on the keys of the computer keyboard: layouts state keys by what a US keyboard has there.

/// The keyboards of a computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComputerKeyboard {
    /// The US keyboard, and others that begin with QWERTY.
    #[default]
    Qwerty,
    /// The German keyboard.
    Qwertz,
    /// The French keyboard.
    Azerty,
    /// The Dvorak keyboard.
    Dvorak,
}

/// The four rows of a US keyboard, from the digits down.
const QWERTY: &str = "1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./";
const QWERTZ: &str = "1234567890ß´qwertzuiopü+asdfghjklöäyxcvbnm,.-";
const AZERTY: &str = "&é\"'(-è_çà)=azertyuiop^$qsdfghjklmùwxcvbn,;:!";
const DVORAK: &str = "1234567890[]',.pyfgcrl/=aoeuidhtns-;qjkxbmwvz";

impl ComputerKeyboard {
    /// All keyboards, by the name they are asked for by.
    pub const ALL: [(&str, Self); 4] = [
        ("qwerty", Self::Qwerty),
        ("qwertz", Self::Qwertz),
        ("azerty", Self::Azerty),
        ("dvorak", Self::Dvorak),
    ];

    /// Returns the keyboard's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, keyboard)| *keyboard == self).map_or("qwerty", |(name, _)| name)
    }

    const fn keys(self) -> &'static str {
        match self {
            Self::Qwerty => QWERTY,
            Self::Qwertz => QWERTZ,
            Self::Azerty => AZERTY,
            Self::Dvorak => DVORAK,
        }
    }

    /// Returns the keyboard that is usual where a locale such as `de_DE.UTF-8` is.
    #[must_use]
    pub fn of_locale(locale: &str) -> Self {
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        match name.split_once('_').unwrap_or((name, "")) {
            (_, "CH" | "LI" | "LU") | ("de" | "cs" | "sk" | "hu" | "sl" | "hr" | "sq", _) => Self::Qwertz,
            ("fr", "CA") => Self::Qwerty,
            ("fr", _) | ("nl", "BE") => Self::Azerty,
            _ => Self::Qwerty,
        }
    }

    /// Returns what a US keyboard has where this one has a character; the character itself where that is not known.
    #[must_use]
    pub fn us_key(self, typed: char) -> char {
        match translated(self.keys(), QWERTY, typed) {
            Some(key) => key,
            // The digits of a French keyboard are typed with shift; other keys have no place of their own.
            None => typed,
        }
    }

    /// Returns this keyboard if it has a character where a US keyboard has another, else the first that has; this one
    /// if none has.
    #[must_use]
    pub fn having(self, typed: char, us_key: char) -> Self {
        let all = Self::ALL.iter().map(|(_, keyboard)| *keyboard);
        [self].into_iter().chain(all).find(|keyboard| keyboard.us_key(typed) == us_key).unwrap_or(self)
    }

    /// Returns what is printed on the key that a US keyboard has a character on.
    #[must_use]
    pub fn label(self, us_key: char) -> char {
        translated(QWERTY, self.keys(), us_key).unwrap_or(us_key)
    }
}

fn translated(from: &str, to: &str, key: char) -> Option<char> {
    from.chars().zip(to.chars()).find_map(|(one, other)| (one == key).then_some(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyboard_has_each_key_once_and_as_many_as_a_us_one() {
        for (name, keyboard) in ComputerKeyboard::ALL {
            let mut keys: Vec<char> = keyboard.keys().chars().collect();
            assert_eq!(keys.len(), QWERTY.len(), "{name}");
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), QWERTY.len(), "{name}");
            assert_eq!(keyboard.name(), name);
        }
    }

    #[test]
    fn keys_are_known_by_where_they_are() {
        let us = |keyboard: ComputerKeyboard, typed: &str| -> String {
            typed.chars().map(|key| keyboard.us_key(key)).collect()
        };
        assert_eq!(us(ComputerKeyboard::Qwertz, "yxcv zuiop öä- ü+ ß´"), "zxcv yuiop ;'/ [] -=");
        assert_eq!(us(ComputerKeyboard::Azerty, "wxcvbn,;:! aqm é\"'"), "zxcvbnm,./ qa; 234");
        assert_eq!(us(ComputerKeyboard::Azerty, "2"), "2", "typed with shift");
        assert_eq!(us(ComputerKeyboard::Dvorak, ";qjk aoeu ',."), "zxcv asdf qwe");
        assert_eq!(us(ComputerKeyboard::Qwerty, "zxcv;"), "zxcv;");
        for (name, keyboard) in ComputerKeyboard::ALL {
            assert!(QWERTY.chars().all(|key| keyboard.us_key(keyboard.label(key)) == key), "{name}");
        }
    }

    #[test]
    fn one_key_tells_keyboards_apart() {
        use ComputerKeyboard::{Azerty, Dvorak, Qwerty, Qwertz};
        assert_eq!([Qwerty.having('y', 'z'), Qwertz.having('y', 'z'), Qwertz.having('a', 'a')], [Qwertz; 3]);
        assert_eq!([Qwerty.having('w', 'z'), Azerty.having('e', 'e')], [Azerty; 2]);
        assert_eq!(Qwertz.having('z', 'z'), Qwerty);
        assert_eq!(Dvorak.having('я', 'z'), Dvorak, "unknown here");
    }

    #[test]
    fn the_locale_says_which_keyboard_is_usual() {
        use ComputerKeyboard::{Azerty, Qwerty, Qwertz};
        for (locale, keyboard) in [
            ("de_DE.UTF-8", Qwertz),
            ("fr_CH.UTF-8", Qwertz),
            ("fr_FR@euro", Azerty),
            ("fr_CA.UTF-8", Qwerty),
            ("nl_BE", Azerty),
            ("nl_NL", Qwerty),
            ("en_US.UTF-8", Qwerty),
            ("C", Qwerty),
            ("", Qwerty),
        ] {
            assert_eq!(ComputerKeyboard::of_locale(locale), keyboard, "{locale}");
        }
    }
}
