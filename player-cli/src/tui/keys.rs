//! The computer keyboard as a piano: two rows of white keys with the black ones above each.

/// Keys of the lower row, then of the upper, by the semitone they stand for above the lower row's first.
/// Where both rows have a semitone, it stands twice.
pub const PIANO: [(char, u8); 34] = [
    ('z', 0),
    ('s', 1),
    ('x', 2),
    ('d', 3),
    ('c', 4),
    ('v', 5),
    ('g', 6),
    ('b', 7),
    ('h', 8),
    ('n', 9),
    ('j', 10),
    ('m', 11),
    (',', 12),
    ('l', 13),
    ('.', 14),
    (';', 15),
    ('/', 16),
    ('q', 12),
    ('2', 13),
    ('w', 14),
    ('3', 15),
    ('e', 16),
    ('r', 17),
    ('5', 18),
    ('t', 19),
    ('6', 20),
    ('y', 21),
    ('7', 22),
    ('u', 23),
    ('i', 24),
    ('9', 25),
    ('o', 26),
    ('0', 27),
    ('p', 28),
];

/// The semitone of a key, whatever the state of shift and caps lock.
#[must_use]
pub fn semitone(pressed: char) -> Option<u8> {
    let pressed = pressed.to_ascii_lowercase();
    PIANO.iter().find(|(key, _)| *key == pressed).map(|(_, semitone)| *semitone)
}

/// How the rows are drawn: the key at each place, from the left. A blank stands where a piano has no black key.
pub const ROWS: [&str; 4] =
    [" 2 3   5 6 7   9 0", "q w e r t y u i o p", " s d   g h j   l ;", "z x c v b n m , . /"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_piano_is_drawn_once() {
        for (key, _) in PIANO {
            assert_eq!(ROWS.concat().matches(key).count(), 1, "{key}");
        }
    }

    #[test]
    fn no_key_stands_twice() {
        for (index, (key, _)) in PIANO.iter().enumerate() {
            assert!(PIANO[..index].iter().all(|(other, _)| other != key), "{key}");
        }
    }

    #[test]
    fn the_upper_row_starts_an_octave_above_the_lower() {
        assert_eq!(semitone('Z'), Some(0));
        assert_eq!(semitone('q'), Some(12));
        assert_eq!(semitone('a'), None);
    }
}
