//! In which order the cooker writes names: first those that the objects refer to, then the others, each sorted.
//!
//! In containers the others are those of exports and of the package itself, in their own order; all that only the
//! header refers to is gone.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::base::names::without_number;

/// Compares names as the cooker sorts them: without their case.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    lower(one).cmp(&lower(other))
}

/// Returns the names that a package in a container has besides those that its objects refer to, in their order.
pub(super) fn appended<'n>(
    referenced: &[Box<str>],
    exports: impl Iterator<Item = &'n str>,
    package: &'n str,
) -> Vec<Box<str>> {
    let mut met: HashSet<&str> = referenced.iter().map(|name| &**name).collect();
    let mut names = Vec::new();
    for name in exports.chain([package]) {
        let (text, _) = without_number(name);
        if met.insert(text) {
            names.push(text.into());
        }
    }
    names
}

/// Returns how many of the names of a package in a container its objects refer to: as few as are followed by all of the
/// others in their order.
pub(super) fn referenced<'n>(
    names: &[Box<str>],
    exports: impl Iterator<Item = &'n str>,
    package: &'n str,
) -> usize {
    let order = appended(&[], exports, package);
    let places: HashMap<&str, usize> = order.iter().map(|name| &**name).zip(0..).collect();
    let mut next = usize::MAX;
    let mut is_before = |name: &&str| match places.get(name) {
        Some(place) if *place < next => {
            next = *place;
            true
        }
        _ => false,
    };
    let appended = names.iter().rev().map(|name| &**name).take_while(|name| is_before(name)).count();
    names.len().saturating_sub(appended)
}

/// Returns the names of a package in a file: those that its objects refer to, and after them what else its header
/// needs.
pub(super) fn of_file<'n>(referenced: &[Box<str>], needed: impl Iterator<Item = &'n str>) -> Vec<Box<str>> {
    let met: HashSet<&str> = referenced.iter().map(|name| &**name).collect();
    let further: BTreeSet<&str> = needed.map(|name| without_number(name).0).collect();
    let mut further: Vec<&str> = further.into_iter().filter(|name| !met.contains(name)).collect();
    further.sort_by(|one, other| compare(one, other));
    let further = further.into_iter().map(Box::from);
    referenced.iter().cloned().chain(further).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(names: &[&str]) -> Vec<Box<str>> {
        names.iter().map(|name| Box::from(*name)).collect()
    }

    #[test]
    fn names_of_objects_come_before_those_of_the_header() {
        let package = "/Game/Maps/Empty";
        let exports = ["PersistentLevel", "Model_0", "Model_1", "Empty"];
        let all = boxed(&["None", "NavigationSystem", "PersistentLevel", "Model", "Empty", package]);
        assert_eq!(referenced(&all, exports.into_iter(), package), 2);
        assert_eq!(appended(&all[..2], exports.into_iter(), package), all[2..]);
        // Objects refer to the first export, and to the package.
        let all = boxed(&[package, "PersistentLevel", "Zoo", "Model", "Empty"]);
        assert_eq!(referenced(&all, exports.into_iter(), package), 3);
    }

    #[test]
    fn further_names_are_sorted_without_their_case() {
        let names = of_file(
            &boxed(&["None", "Zoo"]),
            ["T_1", "Texture2D", "Default__A", "DataTable", "None", "/Script/Engine"].into_iter(),
        );
        let expected = ["None", "Zoo", "/Script/Engine", "DataTable", "Default__A", "T", "Texture2D"];
        assert_eq!(names, boxed(&expected));
    }
}
