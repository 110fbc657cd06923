//! What names of files say: the note that was recorded, how loud it was played, and their order.

use std::cmp::Ordering;

use song::Key;

/// What the name of a recorded note says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameParts {
    /// The instrument: the name without its note, layer and number.
    pub stem: String,
    /// The note; none if the name does not end in one.
    pub key: Option<Key>,
    /// The velocity layer, by its number or its dynamics; larger ones are louder.
    pub layer: Option<u32>,
}

/// Between the parts of a name.
const SEPARATORS: [char; 8] = [' ', '_', '-', '.', '(', ')', '[', ']'];

impl NameParts {
    /// Takes a name without its extension apart: `Piano v2 C#4`, `Piano_C#4_mf` or `Piano 060`.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let (mut stem, mut layer) = (name.trim_end_matches(SEPARATORS), None);
        let mut take_layer = |stem: &mut &str| {
            let (rest, token) = last_token(stem);
            if let (None, Some(found)) = (layer, layer_of(token)) {
                (*stem, layer) = (rest, Some(found));
            }
        };
        take_layer(&mut stem);
        let (rest, token) = last_token(stem);
        let key = note(token);
        if key.is_some() {
            stem = rest;
            take_layer(&mut stem);
        } else {
            let is_digit = |letter: char| letter.is_ascii_digit();
            stem = stem.trim_end_matches(is_digit).trim_end_matches(SEPARATORS);
        }
        Self { stem: stem.trim_start_matches(SEPARATORS).to_owned(), key, layer }
    }
}

/// Returns what comes before the last part of a name, and that part.
fn last_token(name: &str) -> (&str, &str) {
    let at = name.rfind(SEPARATORS).and_then(|at| name.split_at_checked(at));
    at.map_or(("", name), |(rest, token)| {
        (rest.trim_end_matches(SEPARATORS), token.trim_start_matches(SEPARATORS))
    })
}

/// Returns the number of a velocity layer: `v3`, `vel3`, or dynamics from ppp to fff.
fn layer_of(token: &str) -> Option<u32> {
    const DYNAMICS: [&str; 8] = ["ppp", "pp", "p", "mp", "mf", "f", "ff", "fff"];
    let token = token.to_ascii_lowercase();
    if let Some(number) = DYNAMICS.iter().position(|name| *name == token) {
        return u32::try_from(number).ok();
    }
    let number = token.strip_prefix("vel").or_else(|| token.strip_prefix('v'))?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok()).flatten()
}

/// Returns the key of a note as musicians write it, C4 = 60: a letter, an accidental, an octave of one digit. A minus
/// is none: `C-1` may be a key or, as trackers write it, `C1`.
fn note(token: &str) -> Option<Key> {
    let mut letters = token.chars();
    let (letter, octave) = (letters.next()?, letters.next_back()?);
    let accidental = match letters.as_str() {
        "" => "",
        "#" | "s" | "♯" => "#",
        "b" | "♭" => "b",
        _ => return None,
    };
    Key::named(&format!("{letter}{accidental}{octave}"))
}

/// Compares names as people sort them: numbers by their value, letters without their case; where that is all the same,
/// by their characters.
pub(crate) fn natural_order(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let (Some(a), Some(b)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| one.cmp(other));
        };
        let order = if a.is_ascii_digit() && b.is_ascii_digit() {
            let (first, second);
            (first, left) = digits(left);
            (second, right) = digits(right);
            // Without zeros in front the longer one is larger.
            first.len().cmp(&second.len()).then_with(|| first.cmp(second))
        } else {
            left = left.get(a.len_utf8()..).unwrap_or_default();
            right = right.get(b.len_utf8()..).unwrap_or_default();
            a.to_lowercase().cmp(b.to_lowercase())
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Returns the number that a text begins with, without zeros in front, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(end).unwrap_or_default();
    (number.trim_start_matches('0'), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str) -> (String, Option<u8>, Option<u32>) {
        let NameParts { stem, key, layer } = NameParts::of(name);
        (stem, key.map(Key::get), layer)
    }

    #[test]
    fn a_note_at_the_end_of_a_name_is_its_key() {
        for (name, stem, key) in [
            ("Piano C4", "Piano", Some(60)),
            ("Piano C#4", "Piano", Some(61)),
            ("Grand_Piano-Bb3", "Grand_Piano", Some(58)),
            ("cello.fs2", "cello", Some(42)),
            ("C4", "", Some(60)),
            ("Organ (G9)", "Organ", Some(127)),
            // Beyond the keys, no octave, two digits, no boundary, a minus.
            ("Organ A9", "Organ A", None),
            ("Organ C", "Organ C", None),
            ("Organ C10", "Organ C", None),
            ("PianoC4", "PianoC", None),
            ("Piano C-1", "Piano C", None),
            ("kick12", "kick", None),
            ("piano_060", "piano", None),
            ("H4", "H", None),
            ("ébène 4", "ébène", None),
            ("", "", None),
        ] {
            assert_eq!(parts(name), (stem.to_owned(), key, None), "{name}");
        }
    }

    #[test]
    fn a_layer_comes_before_or_after_the_note() {
        assert_eq!(parts("Piano v12 C4"), ("Piano".to_owned(), Some(60), Some(12)));
        assert_eq!(parts("Piano_C4_vel3"), ("Piano".to_owned(), Some(60), Some(3)));
        assert_eq!(parts("Piano.ff.C4"), ("Piano".to_owned(), Some(60), Some(6)));
        assert_eq!(parts("Piano C4 pp"), ("Piano".to_owned(), Some(60), Some(1)));
        assert_eq!(parts("Piano v C4"), ("Piano v".to_owned(), Some(60), None));
        assert_eq!(parts("v1"), (String::new(), None, Some(1)));
    }

    #[test]
    fn names_are_sorted_as_people_sort_them() {
        let mut names = ["kick10", "Kick2", "kick", "kick02", "snare", "kick2b", "kick2", "10", "9"];
        names.sort_by(|one, other| natural_order(one, other));
        assert_eq!(names, ["9", "10", "kick", "Kick2", "kick02", "kick2", "kick2b", "kick10", "snare"]);
    }
}
