//! Names as trackers store them: code page 437, cut to fields of a few bytes.

use song::module::code_page;
use unicode_normalization::UnicodeNormalization as _;

/// Stands for a character that the code page does not have.
const UNKNOWN: u8 = b'_';

/// The name of a sound, encoded.
pub(crate) struct SoundName {
    path: Vec<u8>,
    last: Vec<u8>,
}

impl SoundName {
    /// Encodes the whole path, and the last part of it.
    pub(crate) fn new(path: &str, last: &str) -> Self {
        Self { path: encode(path), last: encode(last) }
    }

    /// Returns the whole path.
    pub(crate) fn path(&self) -> &[u8] {
        &self.path
    }

    /// Returns a field with at most `room` letters: the path where it fits, else the last part, which says more than
    /// the first.
    pub(crate) fn field<const N: usize>(&self, room: usize) -> [u8; N] {
        let text = if self.path.len() <= room { &self.path } else { &self.last };
        padded(text, room)
    }
}

/// Returns a field with at most `room` letters of a text.
pub(crate) fn field<const N: usize>(text: &str, room: usize) -> [u8; N] {
    padded(&encode(text), room)
}

fn padded<const N: usize>(text: &[u8], room: usize) -> [u8; N] {
    let mut field = [0; N];
    field.iter_mut().zip(text.iter().take(room)).for_each(|(byte, of_text)| *byte = *of_text);
    field
}

/// Encodes a text: one byte for each character, composed where letter and accent are two.
fn encode(text: &str) -> Vec<u8> {
    text.nfc().map(|character| code_page::encode(character).unwrap_or(UNKNOWN)).collect()
}

/// Returns a text of a line for each name, `1  Wind.Wind1`, of at most `room` bytes. If they are more, the longest
/// lines are cut to one length.
pub(crate) fn lines<'n>(names: impl Iterator<Item = &'n [u8]>, room: usize) -> Vec<u8> {
    let lines: Vec<Vec<u8>> = names
        .zip(1_usize..)
        .map(|(name, number)| [format!("{number}  ").as_bytes(), name].concat())
        .collect();
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0).min(room);
    let length = |most: usize| lines.iter().map(|line| line.len().min(most) + 1).sum::<usize>();
    let most = (0..=longest).rev().find(|most| length(*most) <= room).unwrap_or(0);
    lines.iter().flat_map(|line| line.iter().copied().take(most).chain([b'\r'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_does_not_fit_gives_way_to_its_last_part() {
        let name = SoundName::new("Weapons.Flak.Fire", "Fire");
        assert_eq!(&name.field::<17>(17), b"Weapons.Flak.Fire");
        assert_eq!(&name.field::<6>(5), b"Fire\0\0");
        assert_eq!(&name.field::<6>(3), b"Fir\0\0\0");
    }

    #[test]
    fn letters_are_one_byte_each_and_unknown_ones_a_line() {
        // An umlaut as one character and as two, a character beyond the page, and a control character.
        assert_eq!(&field::<6>("\u{e4}a\u{308}日\0z", 5), b"\x84\x84__z\0");
    }

    #[test]
    fn a_message_that_is_too_long_has_its_longest_lines_cut() {
        let names = [&b"abcdefgh"[..], b"ij", b"klmnop"];
        assert_eq!(lines(names.into_iter(), 99), b"1  abcdefgh\r2  ij\r3  klmnop\r");
        assert_eq!(lines(names.into_iter(), 24), b"1  abcde\r2  ij\r3  klmno\r");
        assert_eq!(lines(names.into_iter(), 3), b"\r\r\r");
    }
}
