//! Text as packages have it: Windows-1252 or UTF-16.

use super::byte_order::ByteOrder;

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
