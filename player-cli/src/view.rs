//! Plain results made into text or JSON.

pub mod json;
pub mod table;
pub mod text;

/// Names come from files: what could move the cursor or colour the screen is shown as a question mark.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\tc\u{9b}d"), "a?[2Jb?c?d");
    }
}
