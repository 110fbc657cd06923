//! Patterns over names: `*`, `?`, `[a-z]`, `[!a-z]`, `{one,other}`, `**/` and `\` before a character meant literally.

use std::fmt;
use std::str::Chars;

/// The deepest nesting of groups.
const MAX_DEPTH: usize = 32;

/// A pattern that a name matches as a whole or not at all. Case does not matter.
#[derive(Clone, Debug)]
pub(super) struct Glob(Vec<Token>);

#[derive(Clone, Debug)]
enum Token {
    /// One character, in lower case.
    Literal(char),
    /// `?`: any character.
    Any,
    /// `*`: any text.
    Text,
    /// `**/`: any text that ends with a slash, or none.
    Folders,
    /// `[a-z]`, or with `!` or `^` in front any other character.
    Class { is_negated: bool, ranges: Vec<(char, char)> },
    /// `{a,b}`: one of several patterns.
    OneOf(Vec<Vec<Token>>),
}

/// Why a pattern is none.
#[derive(Debug)]
pub(super) struct GlobError {
    pattern: String,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    Class,
    Range(char, char),
    Unclosed,
    Unopened,
    Escape,
    Depth,
}

impl Glob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// For a class or group that is not closed, a range that runs backwards, and a `\` at the end.
    pub(super) fn new(pattern: &str) -> Result<Self, GlobError> {
        parse(pattern).map(Self).map_err(|reason| GlobError { pattern: pattern.to_owned(), reason })
    }

    /// Returns whether the whole name matches.
    pub(super) fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let mut reached = vec![false; name.len() + 1];
        reached[0] = true;
        follow(&self.0, &name, reached)[name.len()]
    }
}

/// Reads tokens to the end. Groups that are open wait on a stack with what stood before them.
fn parse(pattern: &str) -> Result<Vec<Token>, Reason> {
    /// An open group: the tokens before it, and its alternatives that are complete.
    type Open = (Vec<Token>, Vec<Vec<Token>>);
    let (mut tokens, mut open): (Vec<Token>, Vec<Open>) = (Vec::new(), Vec::new());
    let mut rest = pattern.chars();
    let mut before = '/';
    while let Some(next) = rest.next() {
        match next {
            '?' => tokens.push(Token::Any),
            '*' if before == '/' && rest.as_str().starts_with("*/") => {
                rest.nth(1);
                // Alone it is typed on the way to a name, and finds everything.
                let is_alone = tokens.is_empty() && open.is_empty() && rest.as_str().is_empty();
                tokens.push(if is_alone { Token::Text } else { Token::Folders });
                before = '/';
                continue;
            }
            '*' => tokens.push(Token::Text),
            '[' => tokens.push(class(&mut rest)?),
            '{' if open.len() == MAX_DEPTH => return Err(Reason::Depth),
            '{' => open.push((std::mem::take(&mut tokens), Vec::new())),
            ',' | '}' => match open.pop() {
                Some((outer, mut alternatives)) => {
                    // As in a shell's sets, an empty alternative is none.
                    alternatives
                        .extend(Some(std::mem::take(&mut tokens)).filter(|tokens| !tokens.is_empty()));
                    if next == ',' {
                        open.push((outer, alternatives));
                    } else {
                        tokens = outer;
                        tokens.extend((!alternatives.is_empty()).then_some(Token::OneOf(alternatives)));
                    }
                }
                None if next == ',' => tokens.push(Token::Literal(',')),
                None => return Err(Reason::Unopened),
            },
            '\\' => tokens.push(literal(rest.next().ok_or(Reason::Escape)?)),
            other => tokens.push(literal(other)),
        }
        // A group's alternatives begin as a pattern does.
        before = if matches!(next, '{' | ',') && !open.is_empty() { '/' } else { next };
    }
    if open.is_empty() { Ok(tokens) } else { Err(Reason::Unclosed) }
}

fn literal(character: char) -> Token {
    Token::Literal(lower(character))
}

/// Returns a character in lower case; one whose lower case is several characters stays.
fn lower(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        _ => character,
    }
}

/// Reads a class after its `[`. A `]` that comes first is a member, and so is a `-` at either end.
fn class(rest: &mut Chars<'_>) -> Result<Token, Reason> {
    let is_negated = rest.as_str().starts_with(['!', '^']);
    if is_negated {
        rest.next();
    }
    let mut ranges: Vec<(char, char)> = Vec::new();
    loop {
        let from = rest.next().ok_or(Reason::Class)?;
        if from == ']' && !ranges.is_empty() {
            return Ok(Token::Class { is_negated, ranges });
        }
        let mut ahead = rest.clone();
        let to = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) if to != ']' => {
                *rest = ahead;
                to
            }
            _ => from,
        };
        if to < from {
            return Err(Reason::Range(from, to));
        }
        ranges.push((from, to));
    }
}

/// Returns the positions in a name that tokens lead to from those already reached.
fn follow(tokens: &[Token], name: &[char], mut reached: Vec<bool>) -> Vec<bool> {
    for token in tokens {
        let mut next = vec![false; reached.len()];
        match token {
            Token::Text => {
                let mut is_reached = false;
                for (next, reached) in next.iter_mut().zip(&reached) {
                    is_reached |= reached;
                    *next = is_reached;
                }
            }
            Token::Folders => {
                let mut is_reached = reached[0];
                next[0] = reached[0];
                for (index, character) in name.iter().enumerate() {
                    next[index + 1] = reached[index + 1] || is_reached && *character == '/';
                    is_reached |= reached[index + 1];
                }
            }
            Token::OneOf(alternatives) => {
                for alternative in alternatives {
                    for (next, is_reached) in next.iter_mut().zip(follow(alternative, name, reached.clone()))
                    {
                        *next |= is_reached;
                    }
                }
            }
            Token::Literal(_) | Token::Any | Token::Class { .. } => {
                for (index, character) in name.iter().enumerate() {
                    next[index + 1] = reached[index] && token.takes(*character);
                }
            }
        }
        reached = next;
    }
    reached
}

impl Token {
    /// Returns whether a token for one character takes this one.
    fn takes(&self, character: char) -> bool {
        match self {
            Self::Literal(literal) => lower(character) == *literal,
            Self::Class { is_negated, ranges } => {
                let is_in = |one: char| ranges.iter().any(|(from, to)| (*from..=*to).contains(&one));
                let is_member =
                    is_in(character) || is_in(lower(character)) || character.to_uppercase().any(is_in);
                is_member != *is_negated
            }
            _ => true,
        }
    }
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing glob '{}': ", self.pattern)?;
        match self.reason {
            Reason::Class => write!(f, "unclosed character class; missing ']'"),
            Reason::Range(from, to) => write!(f, "invalid range; '{from}' > '{to}'"),
            Reason::Unclosed => {
                write!(f, "unclosed alternate group; missing '}}' (maybe escape '{{' with '[{{]'?)")
            }
            Reason::Unopened => {
                write!(f, "unopened alternate group; missing '{{' (maybe escape '}}' with '[}}]'?)")
            }
            Reason::Escape => write!(f, "dangling '\\'"),
            Reason::Depth => write!(f, "groups nested more than {MAX_DEPTH} deep"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Glob::new(pattern).unwrap().matches(name)
    }

    #[test]
    fn a_pattern_matches_whole_names_only_and_in_any_case() {
        for (pattern, found, missed) in [
            ("k?ck", &["Kick", "KÄCK"][..], &["Kck", "Kiick", "aKick"][..]),
            ("*.kick", &["Drums.Kick", "a/b.kick", ".kick"], &["Kick", "Drums.Kicks"]),
            ("ü*", &["Übung", "ü"], &["u"]),
            ("[a-c-]x", &["ax", "Bx", "-x"], &["dx", "x"]),
            ("[!a-c]x", &["dx", "]x"], &["ax", "Bx"]),
            ("[^]]x", &["ax"], &["]x"]),
            ("[]a]", &["]", "A"], &["b"]),
            ("{kick,sn{are,ap}}_*", &["Kick_1", "Snare_", "SNAP_x"], &["Sn_1", "Kick"]),
            ("{,a}b", &["ab"], &["b"]),
            ("{}b,", &["b,"], &["b"]),
            ("**/step", &["step", "a/step", "a/b/step"], &["astep"]),
            ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb"]),
            ("{x,**/b}", &["x", "b", "a/b"], &["ab"]),
            ("**/", &["", "a", "a/b"], &[]),
            ("a/**", &["a/", "a/b/c"], &["a"]),
            (r"\*a\[", &["*a["], &["xa["]),
        ] {
            for name in found {
                assert!(matches(pattern, name), "{pattern} {name}");
            }
            for name in missed {
                assert!(!matches(pattern, name), "{pattern} {name}");
            }
        }
    }

    #[test]
    fn a_pattern_that_is_none_says_what_is_missing() {
        let deep = format!("{}a{}", "{".repeat(33), "}".repeat(33));
        for (pattern, reason) in [
            ("[a", "error parsing glob '[a': unclosed character class; missing ']'"),
            ("[z-a]", "invalid range; 'z' > 'a'"),
            ("{a,b", "missing '}'"),
            ("*}", "missing '{'"),
            ("*\\", "dangling '\\'"),
            (&deep, "nested more than 32 deep"),
        ] {
            let error = Glob::new(pattern).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn many_stars_and_groups_take_no_longer_than_their_number_times_the_name() {
        let pattern = "{a,*a,?}*".repeat(200) + "!";
        assert!(!matches(&pattern, &"a".repeat(300)));
    }
}
