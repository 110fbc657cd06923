//! Plain results made into text or JSON.

pub mod json;
pub mod pattern;
pub mod table;
pub mod text;

/// Names come from files: what could move the cursor, colour the screen or turn the direction of writing is shown as a
/// question mark.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || is_bidi_control(c) { '?' } else { c }).collect()
}

/// Whether a character shows nothing but turns the direction of what is around it.
///
/// Source: Unicode, *Bidirectional Algorithm* (UAX #9), table 4.
#[must_use]
pub const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\tc\u{9b}d"), "a?[2Jb?c?d");
    }

    #[test]
    fn a_name_cannot_turn_the_direction_of_writing() {
        assert_eq!(printable("a\u{202e}gpj\u{2066}\u{200f}b\u{5d0}"), "a?gpj??b\u{5d0}");
    }
}
