//! Names from packages made into names of files: safe on every system, never outside the folder, never twice.

use std::collections::HashSet;

/// Longest name without its extension, in bytes; most file systems end at 255.
const MAX_LENGTH: usize = 180;

/// Names that Windows keeps for devices, with any extension.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Returns a name that any system accepts and that stays in its folder, and that is a name within an SFZ as well: in
/// some players an equals sign there ends the opcode before it, a dollar sign is a variable, and a hash sign that
/// begins a word a directive; within one it is a note.
#[must_use]
pub fn safe(name: &str) -> String {
    let is_unsafe = |c: char| {
        let steers = c.is_control() || is_bidi_control(c);
        steers || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '=' | '$')
    };
    let mut safe = String::with_capacity(name.len());
    let mut begins_word = true;
    for c in name.chars() {
        safe.push(if is_unsafe(c) || (c == '#' && begins_word) { '_' } else { c });
        begins_word = c.is_whitespace();
    }
    while safe.len() > MAX_LENGTH {
        safe.pop();
    }
    let end = safe.trim_end_matches(['.', ' ']).len();
    safe.truncate(end);
    if safe.starts_with(['.', '-', ' ']) || safe.is_empty() {
        safe.insert(0, '_');
    }
    let stem = safe.split('.').next().unwrap_or_default().to_ascii_lowercase();
    if RESERVED.contains(&stem.as_str()) {
        safe.insert(0, '_');
    }
    safe
}

/// Returns whether a character changes the direction in which text is written.
///
/// Source: Unicode, *Bidirectional Algorithm* (UAX #9), table 4.
#[must_use]
pub const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Names already given in one folder; they count as equal if only their case differs.
#[derive(Debug, Default)]
pub struct Taken(HashSet<String>);

impl Taken {
    /// Returns the name if it is free, else with `~2`, `~3` and so on after it.
    pub fn unique(&mut self, name: &str) -> String {
        if self.0.insert(name.to_lowercase()) {
            return name.to_owned();
        }
        let numbered = (2..).map(|number: u64| format!("{name}~{number}"));
        let mut free = numbered.filter(|name| self.0.insert(name.to_lowercase()));
        free.next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_folder() {
        assert_eq!(safe("../../etc/passwd"), "_.._.._etc_passwd");
        assert_eq!(safe(".."), "_");
        assert_eq!(safe("C:\\x"), "C__x");
        assert_eq!(safe(""), "_");
        assert_eq!(safe("-rf"), "_-rf");
    }

    #[test]
    fn a_name_is_no_opcode_variable_or_directive_of_an_sfz() {
        assert_eq!(safe("A lokey=5"), "A lokey_5");
        assert_eq!(safe("B$x"), "B_x");
        assert_eq!(safe("#define #1"), "_define _1");
        assert_eq!(safe("C#3"), "C#3");
    }

    #[test]
    fn a_name_cannot_turn_the_direction_of_writing() {
        assert_eq!(safe("a\u{202e}gpj\u{2066}.\u{200f}b"), "a_gpj_._b");
        assert_eq!(safe("\u{5d0}\u{5d1}"), "\u{5d0}\u{5d1}");
    }

    #[test]
    fn names_of_devices_are_not_given() {
        assert_eq!(safe("CON"), "_CON");
        assert_eq!(safe("nul.Fire"), "_nul.Fire");
        assert_eq!(safe("Console"), "Console");
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let name = safe(&"ä".repeat(200));
        assert_eq!(name, "ä".repeat(90));
    }

    #[test]
    fn the_second_of_a_name_is_numbered_even_if_only_its_case_differs() {
        let mut taken = Taken::default();
        assert_eq!(taken.unique("Fire"), "Fire");
        assert_eq!(taken.unique("fire"), "fire~2");
        assert_eq!(taken.unique("Fire~2"), "Fire~2~2");
        assert_eq!(taken.unique("Fire"), "Fire~3");
    }
}
