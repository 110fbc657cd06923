//! PowerShell: it inserts what it gets without quoting it.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap_complete::engine;

/// Writes the candidates for the last word, each with what is said of it.
///
/// # Errors
/// Those of the output, and of finding candidates.
pub(super) fn write_candidates(
    command: &mut clap::Command,
    words: Vec<OsString>,
    folder: Option<&Path>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let index = words.len().saturating_sub(1);
    for candidate in engine::complete(command, words, index, folder)? {
        let Some(value) = candidate.get_value().to_str() else { continue };
        let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
        let help = help.lines().next().unwrap_or_default();
        let tab = if help.is_empty() { "" } else { "\t" };
        writeln!(out, "{}{tab}{help}", quoted(value))?;
    }
    Ok(())
}

/// Returns a text so that it is read as nothing but its letters.
///
/// Source: Microsoft, *About Quoting Rules*; all four of Unicode's single quotation marks are quotes there.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.:/\\-=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    let is_quote = |c: char| matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}');
    let doubled = text.chars().flat_map(|c| std::iter::repeat_n(c, if is_quote(c) { 2 } else { 1 }));
    format!("'{}'", doubled.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_not_plain_is_in_single_quotes() {
        assert_eq!(quoted("Weapons.Fire_1"), "Weapons.Fire_1");
        assert_eq!(quoted("--no-limiter"), "--no-limiter");
        assert_eq!(quoted("#3"), "'#3'");
        assert_eq!(quoted("Wind$(Remove-Item x)"), "'Wind$(Remove-Item x)'");
        assert_eq!(quoted("it's \u{2019}; x"), "'it''s \u{2019}\u{2019}; x'");
        assert_eq!(quoted("a`b"), "'a`b'");
    }
}
