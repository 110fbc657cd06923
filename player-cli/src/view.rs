//! Plain results made into text or JSON.

use exporter::filename::steers_text;

pub mod json;
pub mod pattern;
mod subsongs;
pub mod table;
pub mod text;

/// Returns a text as part of one line. Names come from files: what could end the line, move the cursor, colour the
/// screen, turn the direction of writing or hide is shown as a question mark.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if steers_text(c) { '?' } else { c }).collect()
}

/// Returns a word as one types it in a shell: in quotes if there is a space in it.
#[must_use]
pub fn typed(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\tc\u{9b}d"), "a?[2Jb?c?d");
    }

    #[test]
    fn a_name_cannot_end_its_line() {
        assert_eq!(printable("a\nb\rc\u{85}d\u{2028}e\u{2029}f\u{b}g\u{c}h"), "a?b?c?d?e?f?g?h");
    }

    #[test]
    fn a_name_cannot_turn_the_direction_of_writing() {
        assert_eq!(printable("a\u{202e}gpj\u{2066}\u{200f}b\u{5d0}"), "a?gpj??b\u{5d0}");
    }
}
