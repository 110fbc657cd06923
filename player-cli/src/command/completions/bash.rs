//! Bash: it gives the command line as it was typed, and inserts what it gets without quoting it.
//!
//! ```text
//! usampler play "My pack.uax" Wind\ (
//!                             ────┬──
//!                        replaced: a candidate is these letters and the rest of its value, quoted
//! ```

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap_complete::engine;

/// Asks with the line up to the cursor, and the letters that a candidate replaces. No candidate is expanded on the way:
/// `read` splits nothing, and what it has read is quoted.
const SCRIPT: &str = include_str!("bash.sh");

/// Writes the script that bash runs.
///
/// # Errors
/// Those of the output.
pub(super) fn write_script(variable: &str, name: &str, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(SCRIPT.replace("VARIABLE", variable).replace("NAME", name).as_bytes())
}

/// Returns the words of a line; the last one is being typed.
#[must_use]
pub(super) fn words(line: &str) -> Vec<OsString> {
    Lexed::of(line).words.into_iter().map(OsString::from).collect()
}

/// Writes the candidates for the last word of a line, of which `replaced` are the last letters.
///
/// # Errors
/// Those of the output, and of finding candidates.
pub(super) fn write_candidates(
    command: &mut clap::Command,
    line: &str,
    replaced: &str,
    folder: Option<&Path>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (line, replaced) = match Lexed::of(line).quote {
        // What several candidates have in common may end with a backslash, whose letter is still to come.
        Quote::Backslash => (without_last(line), without_last(replaced)),
        _ => (line, replaced),
    };
    let lexed = Lexed::of(line);
    let Some(kept) = lexed.raw.strip_suffix(replaced) else { return Ok(()) };
    let kept = Lexed::of(kept);
    let (typed, before) = (lexed.last(), kept.last());
    let words = words(line);
    let index = words.len().saturating_sub(1);
    for candidate in engine::complete(command, words, index, folder)? {
        let Some(value) = candidate.get_value().to_str() else { continue };
        // The typed letters stay as they are, a tilde for one, unless only their case is another.
        let inserted = match (value.strip_prefix(typed), value.strip_prefix(before)) {
            (Some(rest), _) => format!("{replaced}{}", lexed.quote.apply(rest)),
            (None, Some(rest)) => kept.quote.apply(rest),
            (None, None) => continue,
        };
        writeln!(out, "{inserted}")?;
    }
    Ok(())
}

fn without_last(text: &str) -> &str {
    text.strip_suffix('\\').unwrap_or(text)
}

/// How the letters after some text are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quote {
    None,
    Backslash,
    Single,
    Double,
}

impl Quote {
    /// Returns a text so that it is read as nothing but its letters. A quote that is open stays open, as readline
    /// closes it; but readline does not where the text ends with that quote, which closes it then.
    fn apply(self, text: &str) -> String {
        let mut quoted = String::with_capacity(text.len());
        for c in text.chars() {
            match (self, c) {
                (Self::Single, '\'') => quoted.push_str(r"'\''"),
                // The only letter of a history that a backslash in double quotes guards, and stays there.
                (Self::Double, '!') => quoted.push_str(r#""'!'""#),
                (Self::Double, '$' | '`' | '"' | '\\') => quoted.extend(['\\', c]),
                (Self::Single | Self::Double, c) => quoted.push(c),
                (_, c) if c.is_alphanumeric() || "_./@%+,:=-".contains(c) => quoted.push(c),
                (_, c) => quoted.extend(['\\', c]),
            }
        }
        match self {
            Self::Single if quoted.ends_with('\'') => drop(quoted.pop()),
            Self::Double if quoted.ends_with('"') => quoted.push('"'),
            _ => {}
        }
        quoted
    }
}

/// A line taken apart; nothing in it is expanded.
struct Lexed<'l> {
    /// Without quotes.
    words: Vec<String>,
    /// The last word, as it was typed.
    raw: &'l str,
    /// What is open at its end.
    quote: Quote,
}

impl<'l> Lexed<'l> {
    fn of(line: &'l str) -> Self {
        let (mut words, mut word, mut begin) = (Vec::new(), String::new(), 0);
        let (mut quote, mut within) = (Quote::None, Quote::None);
        for (at, c) in line.char_indices() {
            match (quote, c) {
                (Quote::None, ' ' | '\t' | '\n' | '|' | '&' | ';' | '(' | ')' | '<' | '>') => {
                    if at > begin {
                        words.push(std::mem::take(&mut word));
                    }
                    begin = at + c.len_utf8();
                }
                (Quote::None | Quote::Double, '\\') => (within, quote) = (quote, Quote::Backslash),
                (Quote::None, '\'') => quote = Quote::Single,
                (Quote::None, '"') => quote = Quote::Double,
                (Quote::Single, '\'') | (Quote::Double, '"') => quote = Quote::None,
                (Quote::Backslash, c) => {
                    if within == Quote::Double && !matches!(c, '$' | '`' | '"' | '\\') {
                        word.push('\\');
                    }
                    word.push(c);
                    quote = within;
                }
                (_, c) => word.push(c),
            }
        }
        words.push(word);
        Self { words, raw: line.get(begin..).unwrap_or_default(), quote }
    }

    fn last(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_apart_as_bash_does_and_nothing_in_it_is_expanded() {
        let words = |line: &str| Lexed::of(line).words;
        assert_eq!(
            words("usampler play a\\ b.uax 'c d' \"e\\\"f\\g\" $(x"),
            ["usampler", "play", "a b.uax", "c d", "e\"f\\g", "$", "x"]
        );
        assert_eq!(words("usampler  play ''x "), ["usampler", "play", "x", ""]);
        let last = |line| (Lexed::of(line).raw, Lexed::of(line).quote);
        assert_eq!(last("a \"b c"), ("\"b c", Quote::Double));
        assert_eq!(last("a 'b c"), ("'b c", Quote::Single));
        assert_eq!(last("a b\\ c"), ("b\\ c", Quote::None));
        assert_eq!(last("a b\\"), ("b\\", Quote::Backslash));
    }

    #[test]
    fn a_quoted_text_is_read_as_its_letters() {
        let text = "a b$(x)`y`;&|<>'\"\\!*?[c]{d,e}~#é-_.^";
        for (quote, begin, end) in
            [(Quote::None, "", ""), (Quote::Single, "'", "'"), (Quote::Double, "\"", "\"")]
        {
            for text in [text, "it's '", "all!", "\""] {
                let quoted = quote.apply(text);
                // As readline does.
                let closes = !quoted.ends_with(begin) || begin.is_empty();
                let line = format!("{begin}{quoted}{}", if closes { end } else { "" });
                let lexed = Lexed::of(&line);
                assert_eq!((&lexed.words[..], lexed.quote), (&[text.to_owned()][..], Quote::None), "{line}");
            }
        }
        assert_eq!(Quote::None.apply("Weapons.Fire_1"), "Weapons.Fire_1");
    }
}
