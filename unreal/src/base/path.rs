//! Where the entries of a container lie: below the root of all containers.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::hash::Hasher;

/// The path of an entry in two parts: its name, and the folder that it lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntryPath<'p> {
    /// Without a `/` at its end; empty for what lies in none.
    pub(crate) folder: &'p str,
    /// Without any `/`.
    pub(crate) name: &'p str,
}

impl<'p> EntryPath<'p> {
    /// Takes a path apart.
    pub(crate) fn of(path: &'p str) -> Self {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Self { folder, name }
    }

    /// Returns the path as one text.
    pub(crate) fn joined(self) -> Cow<'p, str> {
        let Self { folder, name } = self;
        if folder.is_empty() { Cow::Borrowed(name) } else { Cow::Owned([folder, "/", name].concat()) }
    }

    /// Returns whether both are the same in whatever case.
    pub(crate) fn is_same(self, other: Self) -> bool {
        is_same_text(self.name, other.name) && is_same_text(self.folder, other.folder)
    }

    /// Compares paths without their case.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        if self.folder == other.folder {
            return compare(self.name, other.name);
        }
        if self.folder.is_ascii() && other.folder.is_ascii() {
            // Most differ in their folders, where bytes are compared as characters are.
            let lower = |byte: u8| byte.to_ascii_lowercase();
            let mut both = self.folder.bytes().map(lower).zip(other.folder.bytes().map(lower));
            if let Some((one, other)) = both.find(|(one, other)| one != other) {
                return one.cmp(&other);
            }
        }
        let characters = |path: Self| path.parts().into_iter().flat_map(lower_case);
        characters(self).cmp(characters(other))
    }

    /// Returns the parts of which the path is made.
    fn parts(self) -> [&'p str; 3] {
        [self.folder, if self.folder.is_empty() { "" } else { "/" }, self.name]
    }
}

fn is_same_text(one: &str, other: &str) -> bool {
    one == other || lower_case(one).eq(lower_case(other))
}

/// Compares texts without their case.
fn compare(one: &str, other: &str) -> Ordering {
    if one.is_ascii() && other.is_ascii() {
        let lower = |byte: u8| byte.to_ascii_lowercase();
        return one.bytes().map(lower).cmp(other.bytes().map(lower));
    }
    lower_case(one).cmp(lower_case(other))
}

/// Returns the characters of a text without their case.
fn lower_case(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// Hashes a text without its case.
pub(crate) fn hash_lower(text: &str, hasher: &mut impl Hasher) {
    /// Bytes that are hashed at once. Texts that are the same without their case are cut alike.
    const PART: usize = 64;
    let mut write = |text: &str| {
        for part in text.as_bytes().chunks(PART) {
            let mut lower = [0; PART];
            lower.iter_mut().zip(part).for_each(|(lower, byte)| *lower = byte.to_ascii_lowercase());
            hasher.write(lower.get(..part.len()).unwrap_or_default());
        }
    };
    if text.is_ascii() { write(text) } else { write(&lower_case(text).collect::<String>()) }
}

/// Returns a path below a mount point as it is from the root on, which is three folders above where the engine runs.
/// Whatever would lead out of the root stays at it.
///
/// Source: `packages-ue4-ue6`, measured: mount points are `../../../` or begin with it.
pub(crate) fn resolved(mount: &str, path: &str) -> String {
    let parts = mount.split(['/', '\\']).chain(path.split(['/', '\\']));
    let mut resolved: Vec<&str> = Vec::new();
    for part in parts {
        match part {
            "" | "." => {}
            ".." => _ = resolved.pop(),
            part => resolved.push(part),
        }
    }
    resolved.join("/")
}

/// Returns the name of the package at a path below the root: `/Game/Audio/SW` for `Shooter/Content/Audio/SW.uasset`,
/// and with the name of the plugin for what lies in one. None for what does not lie among contents.
///
/// Source: *packages-ue4-ue6*, §7.
pub(crate) fn package_name(path: &str) -> Option<String> {
    const CONTENT: &str = "Content/";
    let path = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let (before, rest) = match path.strip_prefix(CONTENT) {
        Some(rest) => ("", rest),
        None => path.split_once("/Content/")?,
    };
    let last = before.rsplit('/').next().unwrap_or_default();
    let is_plugin = before.split('/').any(|part| part == "Plugins");
    let root = if last == "Engine" || is_plugin { last } else { "Game" };
    Some(format!("/{root}/{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_root_and_do_not_leave_it() {
        for (mount, path, expected) in [
            ("../../../", "Game/Content/A.uasset", "Game/Content/A.uasset"),
            ("../../../Game/", "Content/A.uasset", "Game/Content/A.uasset"),
            ("../../../Game", "/Content/A.uasset", "Game/Content/A.uasset"),
            ("", "test.txt", "test.txt"),
            ("../mount/point/", "directory/nested.txt", "mount/point/directory/nested.txt"),
            ("../../../", "../../../../etc/passwd", "etc/passwd"),
            ("../../../Game/", "Content/../../Engine/B", "Engine/B"),
            ("C:\\Game\\", "A", "C:/Game/A"),
        ] {
            assert_eq!(resolved(mount, path), expected, "{mount} {path}");
        }
    }

    #[test]
    fn paths_are_the_same_in_any_case_if_both_parts_are() {
        let is_same = |one, other| EntryPath::of(one).is_same(EntryPath::of(other));
        assert!(is_same("Game/Content/A.uasset", "game/CONTENT/a.UASSET"));
        assert!(is_same("Ölung/Ärger", "öLUNG/äRGER"));
        assert!(!is_same("Game/Content/A.uasset", "Game/Content/B.uasset"));
        assert!(!is_same("Game/Content/A.uasset", "Game/Audio/A.uasset"));
        assert!(!is_same("A", "a/A"));
    }

    #[test]
    fn packages_are_named_by_where_they_lie() {
        for (path, expected) in [
            ("Shooter/Content/Audio/SW_Steps.uasset", Some("/Game/Audio/SW_Steps")),
            ("Content/Audio/SW.uasset", Some("/Game/Audio/SW")),
            ("Engine/Content/Sounds/A.uasset", Some("/Engine/Sounds/A")),
            ("Shooter/Plugins/Fx/Rain/Content/S.uasset", Some("/Rain/S")),
            ("Engine/Plugins/Fx/Rain/Content/S.uasset", Some("/Rain/S")),
            ("Shooter/Content/Content/A.umap", Some("/Game/Content/A")),
            ("Elsewhere/A.uasset", None),
        ] {
            assert_eq!(package_name(path).as_deref(), expected, "{path}");
        }
    }
}
