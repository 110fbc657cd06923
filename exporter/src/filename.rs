//! Names from packages made into names of files: safe on every system, never outside the folder.
//! [`UniqueNames`](crate::UniqueNames) gives each only once.

/// Longest name without its extension, in bytes; most file systems end at 255.
const MAX_LENGTH: usize = 180;

/// Names that Windows keeps for devices, with any extension.
///
/// Source: Microsoft, *Naming Files, Paths, and Namespaces*.
const RESERVED: [&str; 28] = [
    "con",
    "prn",
    "aux",
    "nul",
    "com1",
    "com2",
    "com3",
    "com4",
    "com5",
    "com6",
    "com7",
    "com8",
    "com9",
    "com\u{b9}",
    "com\u{b2}",
    "com\u{b3}",
    "lpt1",
    "lpt2",
    "lpt3",
    "lpt4",
    "lpt5",
    "lpt6",
    "lpt7",
    "lpt8",
    "lpt9",
    "lpt\u{b9}",
    "lpt\u{b2}",
    "lpt\u{b3}",
];

/// Returns a name that any system accepts and that stays in its folder, and that is a name within an SFZ as well: in
/// some players an equals sign there ends the opcode before it, a dollar sign is a variable, and a hash sign that
/// begins a word a directive; within one it is a note.
#[must_use]
pub fn safe(name: &str) -> String {
    let is_unsafe = |c: char| {
        steers_text(c) || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '=' | '$')
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
    // Spaces before the extension do not count.
    let stem = safe.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    if RESERVED.contains(&stem.as_str()) {
        safe.insert(0, '_');
    }
    safe
}

/// Returns a text as part of one line. Names come from files: what could end the line, move the cursor, colour the
/// screen, turn the direction of writing or hide is shown as a question mark.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if steers_text(c) { '?' } else { c }).collect()
}

/// Returns whether a character acts on the text around it instead of being seen: controls, ends of lines and
/// paragraphs, controls of the direction of writing, and characters without width that no script needs between letters.
#[must_use]
pub fn steers_text(c: char) -> bool {
    let is_separator = matches!(c, '\u{2028}' | '\u{2029}');
    let is_invisible = matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(c, '\u{e0000}'..='\u{e007f}');
    c.is_control() || is_separator || is_bidi_control(c) || is_invisible
}

/// Returns whether a character changes the direction in which text is written.
///
/// Source: Unicode, *Bidirectional Algorithm* (UAX #9), table 4.
const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns a path for a message: of one that is longer than any that people type the beginning and the end.
#[must_use]
pub fn shortened(name: &str) -> String {
    const PART: usize = 128;
    let length = name.chars().count();
    if length <= 2 * PART + 1 {
        return name.to_owned();
    }
    let start: String = name.chars().take(PART).collect();
    let end: String = name.chars().skip(length - PART).collect();
    format!("{start}…{end}")
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
    fn a_name_has_one_line_and_no_invisible_characters() {
        assert_eq!(safe("a\n\u{85}b\u{2028}\u{2029}c\u{200b}\u{feff}d"), "a__b__c__d");
        // Persian and emoji need joiners.
        assert_eq!(
            safe("\u{645}\u{6cc}\u{200c}\u{62e}\u{1f469}\u{200d}\u{1f680}")
                .chars()
                .filter(|c| *c == '_')
                .count(),
            0
        );
    }

    #[test]
    fn names_of_devices_are_not_given() {
        assert_eq!(safe("CON"), "_CON");
        assert_eq!(safe("nul.Fire"), "_nul.Fire");
        assert_eq!(safe("aux .Fire"), "_aux .Fire");
        assert_eq!(safe("COM\u{b9}"), "_COM\u{b9}");
        assert_eq!(safe("lpt\u{b3}.x"), "_lpt\u{b3}.x");
        assert_eq!(safe("Console"), "Console");
    }

    #[test]
    fn a_path_of_thousands_of_characters_is_short_in_a_message() {
        let path = format!("out/{}/Steps.uasset", "ä".repeat(3000));
        let short = shortened(&path);
        assert!(short.starts_with("out/ä") && short.ends_with("ä/Steps.uasset"), "{short}");
        assert_eq!(short.chars().count(), 257);
        let usual = "a".repeat(257);
        assert_eq!(shortened(&usual), usual);
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let name = safe(&"ä".repeat(200));
        assert_eq!(name, "ä".repeat(90));
    }

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\tc\u{9b}d"), "a?[2Jb?c?d");
    }

    #[test]
    fn a_name_cannot_end_its_line() {
        assert_eq!(printable("a\nb\rc\u{85}d\u{2028}e\u{2029}f\u{b}g\u{c}h"), "a?b?c?d?e?f?g?h");
    }

    #[test]
    fn a_printed_name_cannot_turn_the_direction_of_writing() {
        assert_eq!(printable("a\u{202e}gpj\u{2066}\u{200f}b\u{5d0}"), "a?gpj??b\u{5d0}");
    }
}
