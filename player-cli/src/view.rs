//! Plain results made into text or JSON.

pub use exporter::filename::printable;

pub mod json;
pub mod text;

/// Returns a word as one types it in a shell: in quotes if there is a space in it.
#[must_use]
pub fn typed(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_owned() }
}
