//! Code page 437: the letters in which trackers of DOS write their texts.

/// The upper half, from 0x80 on.
const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The first byte of the upper half.
const FIRST: u8 = 0x80;

/// Returns the character of a byte; a blank for one that is no letter.
#[must_use]
pub fn decode(byte: u8) -> char {
    match byte {
        0x20..=0x7E => char::from(byte),
        FIRST..=0xFF => UPPER.chars().nth(usize::from(byte - FIRST)).unwrap_or(' '),
        _ => ' ',
    }
}

/// Returns the byte of a character; none if the page does not have it.
#[must_use]
pub fn encode(character: char) -> Option<u8> {
    match character {
        ' '..='~' => u8::try_from(character).ok(),
        _ => (FIRST..=0xFF).zip(UPPER.chars()).find(|(_, upper)| *upper == character).map(|(byte, _)| byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_comes_back_from_its_byte_and_nothing_else_has_one() {
        assert_eq!(UPPER.chars().count(), 128);
        for byte in (0x20..=0x7E).chain(FIRST..=0xFF) {
            assert_eq!(encode(decode(byte)), Some(byte));
        }
        assert_eq!(['\0', '\n', '\u{7f}', '\u{80}', '€', '日'].map(encode), [None; 6]);
        assert_eq!([0x84, 0xE1, 0x01, 0x7F].map(decode), ['ä', 'ß', ' ', ' ']);
    }
}
