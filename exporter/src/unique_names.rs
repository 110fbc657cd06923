//! Names that are given once each: of files in a folder, of entries in a table.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization as _;

/// Names that were given. Giving n names takes time in proportion to n, whatever they are.
#[derive(Debug)]
pub struct UniqueNames {
    /// Makes equal what may not be given twice.
    fold: fn(&str) -> String,
    taken: HashSet<String>,
    /// For a series of numbered names the number that is tried next.
    next: HashMap<String, u64>,
}

/// The number of the second of a name.
const SECOND: u64 = 2;

impl UniqueNames {
    /// Of files in one folder: they count as equal if only their case differs, or the way in which Unicode composes
    /// their characters, for so they do on some systems.
    #[must_use]
    pub fn of_files() -> Self {
        // Lower case may decompose.
        Self::folded(|name| name.nfd().flat_map(char::to_lowercase).nfd().collect())
    }

    /// Of a table in which names are compared byte by byte.
    #[must_use]
    pub fn exact() -> Self {
        Self::folded(str::to_owned)
    }

    fn folded(fold: fn(&str) -> String) -> Self {
        Self { fold, taken: HashSet::new(), next: HashMap::new() }
    }

    /// Returns the name if it is free, else with `~2`, `~3` and so on after it.
    pub fn unique(&mut self, name: &str) -> String {
        self.unique_with(|number| format!("{name}{number}"))
    }

    /// Returns the first free of the names that `named` makes of nothing, `~2`, `~3` and so on.
    pub fn unique_with(&mut self, named: impl Fn(&str) -> String) -> String {
        let first = named("");
        if self.taken.insert((self.fold)(&first)) {
            return first;
        }
        // Names of a series differ by their numbers only, also where the number takes room from the name.
        for digits in 1..=u64::MAX.ilog10() {
            let series = (self.fold)(&named(&format!("~{}", "0".repeat(digits as usize))));
            let least = 10_u64.pow(digits - 1).max(SECOND);
            let next = match self.next.entry(series) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert(least),
            };
            while *next < 10_u64.pow(digits) {
                let name = named(&format!("~{next}"));
                *next += 1;
                if self.taken.insert((self.fold)(&name)) {
                    return name;
                }
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_a_name_is_numbered_even_if_only_its_case_differs() {
        let mut names = UniqueNames::of_files();
        assert_eq!(names.unique("Fire"), "Fire");
        assert_eq!(names.unique("fire"), "fire~2");
        assert_eq!(names.unique("Fire~2"), "Fire~2~2");
        assert_eq!(names.unique("Fire"), "Fire~3");
    }

    #[test]
    fn a_number_that_is_taken_is_passed_over() {
        let mut names = UniqueNames::of_files();
        let given = ["Fire", "fire~3", "Fire", "Fire", "Fire"].map(|name| names.unique(name));
        assert_eq!(given, ["Fire", "fire~3", "Fire~2", "Fire~4", "Fire~5"]);
    }

    #[test]
    fn names_that_differ_only_in_how_they_are_composed_are_one_file() {
        let mut names = UniqueNames::of_files();
        // A character, and a letter with an accent after it.
        assert_eq!(names.unique("Caf\u{e9}"), "Caf\u{e9}");
        assert_eq!(names.unique("cafe\u{301}"), "cafe\u{301}~2");
        assert_eq!(names.unique("\u{212b}"), "\u{212b}");
        assert_eq!(names.unique("a\u{30a}"), "a\u{30a}~2");
    }

    #[test]
    fn a_table_tells_cases_apart() {
        let mut names = UniqueNames::exact();
        assert_eq!(["Fire", "fire", "Fire"].map(|name| names.unique(name)), ["Fire", "fire", "Fire~2"]);
    }

    #[test]
    fn each_name_is_tried_a_few_times_however_many_are_alike() {
        let calls = std::cell::Cell::new(0_usize);
        let mut names = UniqueNames::exact();
        let mut given = HashSet::new();
        for number in 0..20_000 {
            // Names of a table that are cut to eight characters, the number included: all but four begin alike.
            let name = format!("Fire{number:05}");
            let cut = |end: &str| {
                calls.set(calls.get() + 1);
                format!("{}{end}", &name[..4.min(8 - end.len())])
            };
            assert!(given.insert(names.unique_with(cut)), "{number}");
        }
        assert!(calls.get() < 20_000 * 8, "{} tries", calls.get());
    }
}
