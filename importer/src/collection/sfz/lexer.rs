//! Headers and opcodes of an SFZ file and of the files that it includes.
//!
//! ```text
//! <region> sample=a b.wav key=c4   // comment
//! header   opcode  value  opcode value
//! ```
//!
//! A value goes on to the next opcode or header, so that names of files may have spaces.
//!
//! Source: sfzformat.com, *Headers*, `#define`, `#include`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use unreal::{Limits, Source};

use super::paths::Paths;
use crate::budget::bytes;
use crate::{BankError, Damage, Error};

/// The most bytes of all texts together, after `#define` is applied.
const MAX_TEXT: usize = 32 << 20;

/// How deep files include each other.
const DEPTH: usize = 16;

/// The most files that are included, each time counted.
const MAX_INCLUDES: usize = 10_000;

/// The most names that are defined.
const MAX_DEFINED: usize = 10_000;

/// Where something is stated: the file and its line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: Rc<str>,
    pub(super) line: usize,
}

impl Place {
    /// Creates an error here.
    pub(super) fn error(&self, what: impl Into<String>) -> Error {
        Error::Bank(BankError { place: format!("{}:{}", self.file, self.line), what: what.into() })
    }
}

/// A header, or an opcode with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Header(String),
    Opcode { name: String, value: String },
}

/// Reads the tokens of a bank one after another.
pub(super) struct Lexer<'l> {
    paths: &'l mut Paths,
    limits: &'l mut Limits,
    defined: BTreeMap<String, String>,
    /// Files that include one another, the first of them first.
    open: Vec<PathBuf>,
    text: usize,
    includes: usize,
    in_comment: bool,
}

impl<'l> Lexer<'l> {
    pub(super) fn new(paths: &'l mut Paths, limits: &'l mut Limits) -> Self {
        Self {
            paths,
            limits,
            defined: BTreeMap::new(),
            open: Vec::new(),
            text: 0,
            includes: 0,
            in_comment: false,
        }
    }

    /// Reads a file and what it includes, and gives each token.
    ///
    /// # Errors
    /// [`Error::Bank`] if a file that is included is missing, outside the folder or part of a cycle, if there is too
    /// much text, and what `each` gives.
    pub(super) fn read(
        &mut self,
        source: &dyn Source,
        path: PathBuf,
        each: &mut dyn FnMut(Token, &Place) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let name: Rc<str> = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into();
        let mut place = Place { file: name, line: 0 };
        let length = usize::try_from(source.len()).unwrap_or(usize::MAX);
        self.count(length, &place)?;
        self.limits.take(source.len(), 0, "text of an SFZ file")?;
        let mut text = vec![0; length];
        source.read_at(0, &mut text).map_err(Damage::from)?;
        let text = decoded(&text);
        self.open.push(path);
        self.in_comment = false;
        let end = if text.contains('\n') { '\n' } else { '\r' };
        for line in text.split(end) {
            place.line = place.line.saturating_add(1);
            self.line(line, &place, each)?;
        }
        self.open.pop();
        Ok(())
    }

    /// Counts text.
    fn count(&mut self, length: usize, place: &Place) -> Result<(), Error> {
        self.text = self.text.saturating_add(length);
        if self.text > MAX_TEXT {
            return Err(place.error(format!("more than {MAX_TEXT} bytes of text")));
        }
        Ok(())
    }

    fn line(
        &mut self,
        line: &str,
        place: &Place,
        each: &mut dyn FnMut(Token, &Place) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let line = self.without_comments(line);
        let mut rest = line.trim();
        while !rest.is_empty() {
            if let Some(after) = directive(rest, "#define") {
                rest = self.define(after, place)?;
            } else if let Some(after) = directive(rest, "#include") {
                let (path, after) = quoted(after);
                let path = self.expanded(path, place)?;
                self.include(&path, place, each)?;
                rest = after;
            } else if let Some(after) = rest.strip_prefix('<') {
                let (name, after) = after.split_once('>').unwrap_or((after, ""));
                each(Token::Header(name.trim().to_lowercase()), place)?;
                rest = after.trim_start();
            } else if let Some((name, value)) = rest.split_once('=') {
                let end = value_end(value);
                let (value, after) = value.split_at_checked(end).unwrap_or((value, ""));
                // What is no name before the sign belongs to nothing.
                let name = name.split_whitespace().next_back().unwrap_or_default();
                let name = self.expanded(name, place)?.to_lowercase();
                let value = self.expanded(value.trim(), place)?;
                each(Token::Opcode { name, value }, place)?;
                rest = after.trim_start();
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Returns a line without what is in comments.
    fn without_comments(&mut self, line: &str) -> String {
        let mut kept = String::new();
        let mut rest = line;
        loop {
            if self.in_comment {
                let Some((_, after)) = rest.split_once("*/") else { return kept };
                self.in_comment = false;
                kept.push(' ');
                rest = after;
            }
            // A star after a folder is no comment.
            let mut starts = rest.match_indices('/').filter(|(at, _)| {
                let (before, from) = rest.split_at_checked(*at).unwrap_or((rest, ""));
                let is_after_blank = before.is_empty() || before.ends_with([' ', '\t', '>']);
                from.starts_with("//") || (is_after_blank && from.starts_with("/*"))
            });
            let Some((at, _)) = starts.next() else {
                kept.push_str(rest);
                return kept;
            };
            let (before, comment) = rest.split_at_checked(at).unwrap_or((rest, ""));
            kept.push_str(before);
            let Some(after) = comment.strip_prefix("/*") else { return kept };
            self.in_comment = true;
            rest = after;
        }
    }

    /// Reads `$NAME value`, and returns what follows.
    fn define<'t>(&mut self, text: &'t str, place: &Place) -> Result<&'t str, Error> {
        let text = text.trim_start();
        let (name, after) = word(text);
        let (value, after) = word(after.trim_start());
        let Some(name) = name.strip_prefix('$') else {
            return Err(place.error(format!("#define of {name:?}, which does not begin with $")));
        };
        let value = self.expanded(value, place)?;
        if self.defined.len() >= MAX_DEFINED {
            return Err(place.error(format!("more than {MAX_DEFINED} names defined")));
        }
        self.limits.take(bytes(name.len().saturating_add(value.len()).saturating_add(96)), 0, "#define")?;
        self.defined.insert(name.to_owned(), value);
        Ok(after.trim_start())
    }

    /// Returns a text with defined names replaced, the longest that fits.
    fn expanded(&mut self, text: &str, place: &Place) -> Result<String, Error> {
        if !text.contains('$') || self.defined.is_empty() {
            return Ok(text.to_owned());
        }
        let mut parts = text.split('$');
        let mut expanded = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let longest = part.len().min(256);
            let fits = (1..=longest).rev().filter_map(|length| part.split_at_checked(length));
            let mut found = fits.filter_map(|(name, rest)| Some((self.defined.get(name)?, rest)));
            match found.next() {
                Some((value, rest)) => {
                    expanded.push_str(value);
                    expanded.push_str(rest);
                }
                None => {
                    expanded.push('$');
                    expanded.push_str(part);
                }
            }
            if expanded.len() > MAX_TEXT {
                break;
            }
        }
        self.count(expanded.len(), place)?;
        Ok(expanded)
    }

    fn include(
        &mut self,
        path: &str,
        place: &Place,
        each: &mut dyn FnMut(Token, &Place) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.includes = self.includes.saturating_add(1);
        if self.includes > MAX_INCLUDES {
            return Err(place.error(format!("more than {MAX_INCLUDES} files included")));
        }
        let Some(found) = self.paths.included(path) else {
            return Err(place.error(format!("#include of {path:?}, which is not in the bank's folder")));
        };
        if self.open.contains(&found) {
            return Err(place.error(format!("#include of {path:?}, which includes this file")));
        }
        if self.open.len() >= DEPTH {
            return Err(place.error(format!("more than {DEPTH} files within one another")));
        }
        let source = self.paths.open(&found).map_err(Damage::from)?;
        self.read(&*source, found, each)
    }
}

/// Returns what follows a directive.
fn directive<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(name.len())?;
    (head.eq_ignore_ascii_case(name) && rest.starts_with([' ', '\t', '"', '$'])).then(|| rest.trim_start())
}

/// Splits a text after its first word.
fn word(text: &str) -> (&str, &str) {
    text.split_at_checked(text.find(char::is_whitespace).unwrap_or(text.len())).unwrap_or((text, ""))
}

/// Splits a text after what is in quotes, or after its first word.
fn quoted(text: &str) -> (&str, &str) {
    match text.strip_prefix('"').and_then(|text| text.split_once('"')) {
        Some((path, rest)) => (path, rest.trim_start()),
        None => word(text),
    }
}

/// Returns where a value ends: before the next opcode, header or directive.
fn value_end(text: &str) -> usize {
    let mut from = 0;
    let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let all = text.as_bytes();
    while let Some(bytes) = all.get(from..) {
        let Some(at) = bytes.iter().position(|byte| is_blank(*byte) || *byte == b'<') else {
            return text.len();
        };
        let rest = bytes.get(at..).unwrap_or_default();
        let next = rest.iter().position(|byte| !is_blank(*byte)).unwrap_or(rest.len());
        let after = rest.get(next..).unwrap_or_default();
        let name = after.iter().take_while(|byte| is_name(byte)).count();
        let is_opcode = next > 0 && name > 0 && after.get(name) == Some(&b'=');
        let is_header = after.first() == Some(&b'<')
            && after.iter().skip(1).take_while(|byte| byte.is_ascii_alphabetic()).count() > 0
            && after.iter().skip(1).find(|byte| !byte.is_ascii_alphabetic()) == Some(&b'>');
        let is_directive = after.starts_with(b"#define ") || after.starts_with(b"#include ");
        if is_opcode || is_header || is_directive {
            return from.saturating_add(at);
        }
        from = from.saturating_add(at).saturating_add(next.max(1));
    }
    text.len()
}

/// Returns a text; one that is not UTF-8 is taken for that of Windows.
fn decoded(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_goes_on_to_the_next_opcode_or_header() {
        let value = |text: &'static str| text.split_at(value_end(text)).0;
        assert_eq!(value("a b.wav key=60"), "a b.wav");
        assert_eq!(value("a b.wav<region>"), "a b.wav");
        assert_eq!(value("a <b.wav"), "a <b.wav");
        assert_eq!(value("a = b.wav"), "a = b.wav");
        assert_eq!(value("60 #include \"a\""), "60");
        assert_eq!(value("é ü.wav\tkey=1"), "é ü.wav");
    }
}
