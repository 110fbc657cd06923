//! Names from packages made into names of files: safe on every system, never outside the folder, never twice.

use std::collections::HashSet;

/// Longest name without its extension, in bytes; most file systems end at 255.
const LONGEST: usize = 180;

/// Names that Windows keeps for devices, with any extension.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A name that any system accepts and that stays in its folder.
#[must_use]
pub fn safe(name: &str) -> String {
    let is_unsafe =
        |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let mut safe: String = name.chars().map(|c| if is_unsafe(c) { '_' } else { c }).collect();
    while safe.len() > LONGEST {
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

/// Names already given in one folder; they count as equal if only their case differs.
#[derive(Debug, Default)]
pub struct Taken(HashSet<String>);

impl Taken {
    /// The name if it is free, else with `~2`, `~3` and so on behind it.
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
