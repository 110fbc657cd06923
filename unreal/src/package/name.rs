//! Text as packages have it: Windows-1252 or UTF-16.

use std::borrow::Cow;

use crate::error::Error;
use crate::package::version::{ByteOrder, Layout, NameReference};
use crate::reader::Reader;

/// A name of the name table, referred to by its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameIndex(i32);

impl NameIndex {
    pub(crate) const fn new(index: i32) -> Self {
        Self(index)
    }

    /// As it was stored; a damaged package may have numbers that are no index.
    #[must_use]
    pub const fn number(self) -> i32 {
        self.0
    }

    /// Returns the index, unless it is negative.
    #[must_use]
    pub fn get(self) -> Option<usize> {
        usize::try_from(self.0).ok()
    }
}

/// A name as objects have it: of the name table, and from Unreal Engine 3 on with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameRef {
    /// Which name.
    pub index: NameIndex,
    /// One more than the number that follows the name; 0 if none does.
    pub number: i32,
}

impl NameRef {
    pub(crate) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let index = NameIndex::new(reader.index()?);
        let number = if layout.name_reference == NameReference::Index { 0 } else { reader.i32()? };
        Ok(Self { index, number })
    }

    /// Returns how many bytes the shortest one takes.
    pub(crate) fn min_size(layout: &Layout) -> u64 {
        let number = if layout.name_reference == NameReference::Index { 0_u64 } else { 4 };
        number.saturating_add(smallest_index(layout))
    }

    /// Returns the name with its number.
    pub(crate) fn text<'n>(self, name: &'n str, layout: &Layout) -> Cow<'n, str> {
        let dash = if layout.name_reference == NameReference::Numbered { "_" } else { "" };
        match self.number.checked_sub(1) {
            Some(number @ 0..) => Cow::Owned(format!("{name}{dash}{number}")),
            _ => Cow::Borrowed(name),
        }
    }
}

/// Returns how many bytes the shortest index takes.
pub(crate) fn smallest_index(layout: &Layout) -> u64 {
    match layout.index {
        crate::package::version::IndexCoding::Compact => 1,
        crate::package::version::IndexCoding::Int32 => 4,
    }
}

/// What Windows-1252 has in 0x80..=0x9F; the five codes without a character keep their number.
///
/// Source: Unicode Consortium, *cp1252 to Unicode table*.
const UPPER: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// Appends Windows-1252 text.
pub(crate) fn push_windows_1252(text: &mut String, bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(ascii) if bytes.is_ascii() => text.push_str(ascii),
        _ => text.extend(bytes.iter().map(|&byte| {
            let upper = usize::from(byte).checked_sub(0x80).and_then(|code| UPPER.get(code));
            upper.copied().unwrap_or(char::from(byte))
        })),
    }
}

/// Appends UTF-16 text; what is no character becomes U+FFFD. An odd last byte is not looked at.
pub(crate) fn push_utf_16(text: &mut String, bytes: &[u8], order: ByteOrder) {
    let (units, _) = bytes.as_chunks::<2>();
    let units = units.iter().copied().map(|unit| match order {
        ByteOrder::Little => u16::from_le_bytes(unit),
        ByteOrder::Big => u16::from_be_bytes(unit),
    });
    text.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_1252_differs_from_latin_1_between_80_and_9f_only() {
        let mut text = String::new();
        push_windows_1252(&mut text, &[b'A', 0x7F, 0x80, 0x9F, 0xA0, 0xFF]);
        assert_eq!(text, "A\u{7F}€Ÿ\u{A0}ÿ");
    }

    #[test]
    fn no_two_bytes_are_the_same_character() {
        let mut text = String::new();
        let bytes: Vec<u8> = (0..=255).collect();
        push_windows_1252(&mut text, &bytes);
        let characters: std::collections::BTreeSet<char> = text.chars().collect();
        assert_eq!(characters.len(), 256);
    }

    #[test]
    fn half_of_a_utf_16_pair_becomes_a_replacement_character() {
        let mut text = String::new();
        push_utf_16(&mut text, &[0x00, 0xD8, b'A', 0], ByteOrder::Little);
        assert_eq!(text, "\u{FFFD}A");
    }
}
