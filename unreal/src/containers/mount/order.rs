//! The order in which containers are mounted: a later one wins.

use std::cmp::Ordering;

/// Returns whether a container overrides others by its file name without extension: whether that ends in `_P`.
#[must_use]
pub fn is_patch(stem: &str) -> bool {
    priority(stem) > 0
}

/// Returns by how much a container goes before others, by its file name without extension: patches end in `_P`, and
/// with `_3_P` the third goes before the second.
///
/// Source: *packages-ue4-ue6*, §3.7.
fn priority(stem: &str) -> u64 {
    let Some(before) = stem.strip_suffix("_P").or_else(|| stem.strip_suffix("_p")) else { return 0 };
    let number = before.rsplit_once('_').and_then(|(_, number)| number.parse::<u32>().ok()).unwrap_or(0);
    u64::from(number).saturating_add(1).saturating_mul(100)
}

/// Compares the file names of two containers: the one that is mounted later, and so wins, is greater.
#[must_use]
pub fn mounting_order(one: &str, other: &str) -> Ordering {
    let (one, other) = (stem(one), stem(other));
    priority(one).cmp(&priority(other)).then_with(|| one.to_lowercase().cmp(&other.to_lowercase()))
}

/// Returns the name of a file without its extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Why a container is mounted after another, and so wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderReason {
    /// Its name ends with `_P`, that of the other does not.
    Patch,
    /// Both end with `_P`, and the number before is greater: `_2_P` after `_P`.
    PatchNumber,
    /// Its name comes later in the alphabet.
    Name,
    /// Both have the same name: its folder comes later in the alphabet, or it was named later.
    Folder,
}

/// Returns why the second of two containers is mounted after the first, by their paths.
#[must_use]
pub fn order_reason(first: &str, second: &str) -> OrderReason {
    let name = |path: &str| stem(path.rsplit(['/', '\\']).next().unwrap_or_default()).to_lowercase();
    let (first, second) = (name(first), name(second));
    match (priority(&first), priority(&second)) {
        (first, second) if first == second => {}
        (0, _) => return OrderReason::Patch,
        _ => return OrderReason::PatchNumber,
    }
    if first == second { OrderReason::Folder } else { OrderReason::Name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_win_over_what_they_patch_and_by_their_numbers() {
        let mut names = ["b.pak", "a_P.pak", "a_10_P.utoc", "A.utoc", "a_2_P.pak", "z.pak"];
        names.sort_by(|one, other| mounting_order(one, other));
        assert_eq!(names, ["A.utoc", "b.pak", "z.pak", "a_P.pak", "a_2_P.pak", "a_10_P.utoc"]);
    }

    #[test]
    fn the_reason_why_a_container_wins_is_that_of_the_order() {
        for (first, second, reason) in [
            ("Game.pak", "a_P.pak", OrderReason::Patch),
            ("mods/b_P.pak", "mods/a_3_P.utoc", OrderReason::PatchNumber),
            ("mods/a_P.pak", "Mods/B_P.pak", OrderReason::Name),
            ("a/Mod_P.pak", "b/mod_p.utoc", OrderReason::Folder),
        ] {
            assert_eq!(order_reason(first, second), reason, "{first} {second}");
            let names = [first, second].map(|path| path.rsplit('/').next().unwrap());
            let order = mounting_order(names[0], names[1]);
            assert_eq!(order == Ordering::Equal, reason == OrderReason::Folder);
            assert_ne!(order, Ordering::Greater);
        }
    }
}
