//! The computer keyboard as an instrument: which character plays which note in each layout, and which of the others
//! turn octave and velocity.

mod physical;

use song::Key;

pub use physical::ComputerKeyboard;

/// What the keys play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMapMode {
    /// The chosen sound at different pitches.
    Chromatic,
    /// Each key its own sound: key 36 plays #1, 64 sounds a bank.
    Kit,
}

/// Where the notes lie on the computer keyboard, stated by character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyboardLayout {
    /// Two rows of white keys, Z to / and Q to P, with the black ones above each.
    Piano,
    /// Four rows, Z to 1: each key a semitone above its left neighbour, each row a fourth above the one below.
    Rows,
    /// One row of white keys, A to ', with the black ones above; Z X octave, C V velocity.
    Daw,
}

impl KeyMapMode {
    /// Both modes, by the name they are asked for by.
    pub const ALL: [(&str, Self); 2] = [("chromatic", Self::Chromatic), ("kit", Self::Kit)];
}

impl KeyboardLayout {
    /// All layouts, by the name they are asked for by.
    pub const ALL: [(&str, Self); 3] = [("piano", Self::Piano), ("rows", Self::Rows), ("daw", Self::Daw)];
}

/// Sounds in a bank of a kit.
const KIT_BANK: usize = 64;
/// The key that plays the first sound of a bank.
const KIT_FIRST_KEY: u8 = 36;

/// Returns the index of the sound that a key plays in a kit of `sounds` sounds, in the bank of the chosen one.
#[must_use]
pub fn kit_sound(chosen: usize, sounds: usize, key: Key) -> Option<usize> {
    let place = usize::from(key.get().checked_sub(KIT_FIRST_KEY)?);
    let index = chosen / KIT_BANK * KIT_BANK + place;
    (place < KIT_BANK && index < sounds).then_some(index)
}

/// A layout as it is played and drawn.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// What it is called.
    pub name: &'static str,
    /// Its rows of keys, the highest first.
    pub rows: &'static [KeyRow],
    /// Pairs of characters: an octave down, an octave up.
    pub octave: &'static [(char, char)],
    /// Pairs of characters: softer, louder.
    pub velocity: &'static [(char, char)],
    /// What the help says of it: keys, and what they are.
    pub help: &'static [(&'static str, &'static str)],
}

/// A row of keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyRow {
    /// The character at each place, from the left; neighbours are two places apart. A blank is a place without a key.
    pub keys: &'static str,
    /// How many semitones each key is above the layout's first.
    pub semitones: &'static [u8],
    /// Whether it is a row of black keys, which lie between those of the row below.
    pub is_black: bool,
}

/// What a character does that is no note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyAdjustment {
    /// Octaves up.
    Octave(i8),
    /// Steps louder.
    Velocity(i8),
}

impl Scheme {
    /// Returns the layout of that name.
    #[must_use]
    pub const fn of(layout: KeyboardLayout) -> &'static Self {
        match layout {
            KeyboardLayout::Piano => &PIANO,
            KeyboardLayout::Rows => &ROWS,
            KeyboardLayout::Daw => &DAW,
        }
    }

    /// Returns how many semitones a key is above the first; none if it is no note.
    #[must_use]
    pub fn semitone(&self, key: char) -> Option<u8> {
        self.notes().find(|(note, _)| *note == key).map(|(_, semitone)| semitone)
    }

    /// Returns what a key does that is no note.
    #[must_use]
    pub fn turn(&self, key: char) -> Option<KeyAdjustment> {
        let way = |pairs: &[(char, char)]| {
            pairs.iter().find_map(|(down, up)| match key {
                _ if key == *down => Some(-1),
                _ if key == *up => Some(1),
                _ => None,
            })
        };
        way(self.octave)
            .map(KeyAdjustment::Octave)
            .or_else(|| way(self.velocity).map(KeyAdjustment::Velocity))
    }

    /// Returns all notes: their keys and semitones.
    pub fn notes(&self) -> impl Iterator<Item = (char, u8)> {
        self.rows.iter().flat_map(KeyRow::notes)
    }
}

impl KeyRow {
    /// Returns its keys and semitones, from the left.
    pub fn notes(&self) -> impl Iterator<Item = (char, u8)> {
        let keys = self.keys.chars().filter(|key| *key != ' ');
        keys.zip(self.semitones.iter().copied())
    }
}

/// Returns the other map.
#[must_use]
pub const fn other(map: KeyMapMode) -> KeyMapMode {
    match map {
        KeyMapMode::Chromatic => KeyMapMode::Kit,
        KeyMapMode::Kit => KeyMapMode::Chromatic,
    }
}

/// Returns the next layout, round and round.
#[must_use]
pub const fn after(layout: KeyboardLayout) -> KeyboardLayout {
    match layout {
        KeyboardLayout::Piano => KeyboardLayout::Rows,
        KeyboardLayout::Rows => KeyboardLayout::Daw,
        KeyboardLayout::Daw => KeyboardLayout::Piano,
    }
}

/// Returns the key of a character, whatever the state of caps lock.
#[must_use]
pub fn base(typed: char) -> char {
    typed.to_lowercase().next().unwrap_or(typed)
}

/// Returns the key that types such a character together with shift, on the keyboards whose characters the layouts are
/// drawn with. Consoles that name a key by what it types name it otherwise when shift was pressed after it.
#[must_use]
pub fn unshifted(typed: char) -> Option<char> {
    shifts().find_map(|(shifted, plain)| (shifted == typed).then_some(plain))
}

/// Returns what such a key types together with shift, for text that is typed where keys are reported and not what they
/// type.
#[must_use]
pub fn shifted(key: char) -> Option<char> {
    shifts().find_map(|(shifted, plain)| (plain == key).then_some(shifted))
}

fn shifts() -> impl Iterator<Item = (char, char)> {
    const SHIFTED: &str = ")!@#$%^&*(<>?:\"_{}";
    const PLAIN: &str = "0123456789,./;'-[]";
    SHIFTED.chars().zip(PLAIN.chars())
}

const PIANO: Scheme = Scheme {
    name: "piano",
    rows: &[
        KeyRow { keys: " 2 3   5 6 7   9 0", semitones: &[13, 15, 18, 20, 22, 25, 27], is_black: true },
        KeyRow {
            keys: "q w e r t y u i o p",
            semitones: &[12, 14, 16, 17, 19, 21, 23, 24, 26, 28],
            is_black: false,
        },
        KeyRow { keys: " s d   g h j   l ;", semitones: &[1, 3, 6, 8, 10, 13, 15], is_black: true },
        KeyRow {
            keys: "z x c v b n m , . /",
            semitones: &[0, 2, 4, 5, 7, 9, 11, 12, 14, 16],
            is_black: false,
        },
    ],
    octave: &[('[', ']')],
    velocity: &[('-', '=')],
    help: &[
        ("z s x d c v g b h n j m , l . ; /", "lower octave and a bit"),
        ("q 2 w 3 e r 5 t 6 y 7 u i 9 o 0 p", "upper octave and a bit"),
    ],
};

/// As on the strings of a bass guitar, and on grids tuned in fourths: a chord has the same shape wherever it begins.
const ROWS: Scheme = Scheme {
    name: "rows",
    rows: &[
        KeyRow {
            keys: "1 2 3 4 5 6 7 8 9 0",
            semitones: &[15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
            is_black: false,
        },
        KeyRow {
            keys: " q w e r t y u i o p",
            semitones: &[10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
            is_black: false,
        },
        KeyRow {
            keys: "  a s d f g h j k l ;",
            semitones: &[5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
            is_black: false,
        },
        KeyRow {
            keys: "   z x c v b n m , . /",
            semitones: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            is_black: false,
        },
    ],
    octave: &[('[', ']')],
    velocity: &[('-', '=')],
    help: &[
        ("z x c v b", "and the rows above it: a key to the right is"),
        ("a s d f g", "a semitone, a row up a fourth"),
    ],
};

const DAW: Scheme = Scheme {
    name: "daw",
    rows: &[
        KeyRow { keys: " w e   t y u   o p", semitones: &[1, 3, 6, 8, 10, 13, 15], is_black: true },
        KeyRow {
            keys: "a s d f g h j k l ; '",
            semitones: &[0, 2, 4, 5, 7, 9, 11, 12, 14, 16, 17],
            is_black: false,
        },
    ],
    octave: &[('[', ']'), ('z', 'x')],
    velocity: &[('-', '='), ('c', 'v')],
    help: &[("a w s e d f t g y h u j k o l p ; '", "an octave and a half")],
};

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = &'static Scheme> {
        KeyboardLayout::ALL.into_iter().map(|(_, layout)| Scheme::of(layout))
    }

    #[test]
    fn every_key_has_a_note_and_no_key_two() {
        for scheme in all() {
            for row in scheme.rows {
                assert_eq!(row.keys.replace(' ', "").len(), row.semitones.len(), "{row:?}");
            }
            let mut keys: Vec<char> = scheme.notes().map(|(key, _)| key).collect();
            keys.sort_unstable();
            let count = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), count, "{}", scheme.name);
        }
    }

    #[test]
    fn no_note_is_a_command_and_the_others_are_as_in_every_layout() {
        for scheme in all() {
            let turns = scheme.octave.iter().chain(scheme.velocity).flat_map(|(down, up)| [*down, *up]);
            for key in turns.chain([' ']) {
                assert_eq!(scheme.semitone(key), None, "{} {key:?}", scheme.name);
            }
            let done = ['[', ']', '-', '='].map(|key| scheme.turn(key));
            let expected = [
                KeyAdjustment::Octave(-1),
                KeyAdjustment::Octave(1),
                KeyAdjustment::Velocity(-1),
                KeyAdjustment::Velocity(1),
            ];
            assert_eq!(done, expected.map(Some), "{}", scheme.name);
        }
    }

    #[test]
    fn a_layout_without_gaps_goes_up_by_semitones() {
        for scheme in all() {
            let mut semitones: Vec<u8> = scheme.notes().map(|(_, semitone)| semitone).collect();
            semitones.sort_unstable();
            semitones.dedup();
            assert!(semitones.iter().copied().eq(0..=semitones[semitones.len() - 1]), "{}", scheme.name);
        }
    }

    #[test]
    fn the_piano_has_its_upper_row_an_octave_above_the_lower() {
        let semitone = |key| PIANO.semitone(key);
        assert_eq!([semitone('z'), semitone('q'), semitone('s')], [Some(0), Some(12), Some(1)]);
        assert_eq!(semitone('a'), None);
    }

    #[test]
    fn a_row_of_rows_is_a_fourth_above_the_one_below() {
        for (below, above) in [('z', 'a'), ('a', 'q'), ('q', '1'), ('/', ';'), (';', 'p'), ('p', '0')] {
            let interval = ROWS.semitone(above).unwrap() - ROWS.semitone(below).unwrap();
            assert_eq!(interval, 5, "{below} {above}");
        }
    }

    #[test]
    fn the_keys_below_the_notes_of_daw_turn_octave_and_velocity() {
        assert_eq!([DAW.semitone('a'), DAW.semitone('k'), DAW.semitone('p')], [Some(0), Some(12), Some(15)]);
        let turns = ['z', 'x', 'c', 'v'].map(|key| DAW.turn(key));
        let expected = [
            KeyAdjustment::Octave(-1),
            KeyAdjustment::Octave(1),
            KeyAdjustment::Velocity(-1),
            KeyAdjustment::Velocity(1),
        ];
        assert_eq!(turns, expected.map(Some));
        assert_eq!(PIANO.turn('z'), None);
    }

    #[test]
    fn a_shifted_character_has_the_key_it_is_typed_with() {
        assert_eq!([base('Z'), base('z'), base(';')], ['z', 'z', ';']);
        assert_eq!([unshifted(':'), unshifted('<'), unshifted('@')], [Some(';'), Some(','), Some('2')]);
        assert_eq!([unshifted('z'), unshifted('[')], [None; 2]);
        assert_eq!([shifted('8'), shifted('-'), shifted('Z')], [Some('*'), Some('_'), None]);
    }
}
