//! Containers that lie together, as the engine sees them: one tree of entries, where later ones replace earlier ones.
//!
//! ```text
//! Base.pak          A   B   C
//! Base_0_P.pak          B           ──►   A  B'  C
//! ```

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;

use super::{ChunkId, ChunkType, Container};
use crate::base::path::{EntryPath, hash_lower};

/// An entry of one of the containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MountedEntry {
    /// Index of the container, in mount order.
    pub container: usize,
    /// Index of the entry in its container.
    pub entry: usize,
}

/// Mounted containers.
#[derive(Debug, Default)]
pub struct Mount {
    containers: Vec<(String, Arc<Container>)>,
    /// By lower-cased path: the engine does not distinguish case.
    by_path: HashIndex,
    by_chunk: HashIndex,
    hashes: RandomState,
    numbers: EntryNumbers,
    /// Of each entry by its number, whether another wins: a bit each.
    overridden: Vec<u64>,
}

/// Every entry of mounted containers, sorted by path.
#[derive(Debug)]
pub struct EntriesByPath<'m> {
    mount: &'m Mount,
    /// Four bytes for each: there may be millions.
    numbers: Vec<u32>,
}

impl EntriesByPath<'_> {
    /// Returns the entries in their order.
    pub fn iter(&self) -> impl Iterator<Item = MountedEntry> {
        self.numbers.iter().map(|number| self.mount.numbers.entry(*number))
    }
}

/// The numbers of all entries, container by container.
#[derive(Debug, Default)]
struct EntryNumbers {
    /// The number of the first entry of each container.
    starts: Vec<u32>,
}

impl EntryNumbers {
    fn of(containers: &[(String, Arc<Container>)]) -> Self {
        let mut next = 0_usize;
        let start = |(_, container): &(String, Arc<Container>)| {
            let start = u32::try_from(next).unwrap_or(u32::MAX);
            next = next.saturating_add(container.len());
            start
        };
        Self { starts: containers.iter().map(start).collect() }
    }

    /// Returns the number of an entry.
    fn number(&self, entry: MountedEntry) -> u32 {
        let start = self.starts.get(entry.container).copied().unwrap_or(u32::MAX);
        start.saturating_add(u32::try_from(entry.entry).unwrap_or(u32::MAX))
    }

    /// Returns the entry of a number.
    fn entry(&self, number: u32) -> MountedEntry {
        let container = self.starts.partition_point(|start| *start <= number).saturating_sub(1);
        let start = self.starts.get(container).copied().unwrap_or_default();
        MountedEntry { container, entry: number.saturating_sub(start) as usize }
    }
}

/// Entries by a hash, and those of one hash in the order of their containers: eight bytes each, a tenth of what a table
/// of their names would take.
#[derive(Debug, Default)]
struct HashIndex(Vec<(u32, u32)>);

impl HashIndex {
    /// Creates an index of hashes and numbers.
    fn new(mut entries: Vec<(u32, u32)>) -> Self {
        entries.sort_unstable();
        entries.shrink_to_fit();
        Self(entries)
    }

    /// Returns the numbers of the entries of each hash that several have.
    fn groups(&self) -> impl Iterator<Item = impl Iterator<Item = u32>> {
        let groups = self.0.chunk_by(|(one, _), (other, _)| one == other).filter(|same| same.len() > 1);
        groups.map(|same| same.iter().map(|(_, number)| *number))
    }

    /// Returns the last one of a hash that it is.
    fn last(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let end = self.0.partition_point(|(other, _)| *other <= hash);
        let before = self.0.get(..end).unwrap_or_default();
        let same = before.iter().rev().take_while(|(other, _)| *other == hash);
        same.map(|(_, number)| *number).find(|number| is_it(*number))
    }
}

/// Returns the half of a hash that an index keeps.
const fn half(hash: u64) -> u32 {
    let [a, b, c, d, ..] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

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

impl Mount {
    /// Mounts containers, each with its name; they come in the order of [`mounting_order`], folders first or last.
    #[must_use]
    pub fn new<C: Into<Arc<Container>>>(containers: Vec<(String, C)>) -> Self {
        let containers: Vec<(String, Arc<Container>)> =
            containers.into_iter().map(|(name, container)| (name, container.into())).collect();
        let (hashes, numbers) = (RandomState::new(), EntryNumbers::of(&containers));
        let count = containers.iter().map(|(_, container)| container.len()).sum::<usize>();
        let chunks = |(_, container): &(String, Arc<Container>)| {
            if matches!(**container, Container::IoStore(_)) { container.len() } else { 0 }
        };
        let mut by_path = Vec::with_capacity(count);
        let mut by_chunk = Vec::with_capacity(containers.iter().map(chunks).sum());
        let mut path_hashes = PathHasher::new(&hashes);
        for (container, (_, opened)) in containers.iter().enumerate() {
            for entry in 0..opened.len() {
                let number = numbers.number(MountedEntry { container, entry });
                if let Some(path) = opened.entry_path(entry) {
                    by_path.push((path_hashes.hash(path), number));
                }
                if let Some(chunk) = opened.chunk_id(entry) {
                    by_chunk.push((half(hashes.hash_one(chunk)), number));
                }
            }
        }
        let overridden = vec![0; count.div_ceil(64)];
        let (by_path, by_chunk) = (HashIndex::new(by_path), HashIndex::new(by_chunk));
        let mut mount = Self { containers, by_path, by_chunk, hashes, numbers, overridden };
        mount.find_overridden();
        mount
    }

    /// Finds which entries are replaced: those without a path by their identifiers, packages of folders by their names,
    /// for folders do not say in which game they lie.
    fn find_overridden(&mut self) {
        let mut found = Vec::new();
        let places = |same: &mut dyn Iterator<Item = u32>| -> Vec<MountedEntry> {
            same.map(|number| self.numbers.entry(number)).collect()
        };
        for mut same in self.by_path.groups() {
            let is_same = |one: &EntryPath<'_>, other: &EntryPath<'_>| one.is_same(*other);
            found.extend(replaced(&places(&mut same), |place| self.entry_path(place), is_same, |_, _| true));
        }
        for mut same in self.by_chunk.groups() {
            let is_unnamed = |one: MountedEntry, _| self.entry_path(one).is_none();
            found.extend(replaced(&places(&mut same), |place| self.chunk_id(place), ChunkId::eq, is_unnamed));
        }
        for mut same in self.folder_packages().groups() {
            let is_folder = |container: usize| {
                self.containers
                    .get(container)
                    .is_some_and(|(_, container)| matches!(**container, Container::Folder(_)))
            };
            let name = |place| self.package_name(place).map(|name| name.to_lowercase());
            // Folders come first or last.
            let is_other = |one: MountedEntry, last: MountedEntry| {
                one.container != last.container && (is_folder(one.container) || is_folder(last.container))
            };
            found.extend(replaced(&places(&mut same), name, String::eq, is_other));
        }
        for place in found {
            let (word, bit) = self.bit(place);
            if let Some(word) = self.overridden.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Returns where it is kept whether an entry is replaced.
    fn bit(&self, place: MountedEntry) -> (usize, u64) {
        let number = self.numbers.number(place) as usize;
        (number / 64, 1 << (number % 64))
    }

    /// Returns all packages by their names, if some lie in folders and others elsewhere.
    fn folder_packages(&self) -> HashIndex {
        let folders =
            self.containers.iter().filter(|(_, container)| matches!(**container, Container::Folder(_)));
        if self.containers.len() < 2 || folders.count() == 0 {
            return HashIndex::default();
        }
        let packages = self.entries().filter(|entry| self.is_package(*entry));
        let hashed = packages.filter_map(|entry| {
            let name = self.package_name(entry)?;
            Some((path_hash(&self.hashes, &name), self.numbers.number(entry)))
        });
        HashIndex::new(hashed.collect())
    }

    /// Returns what an entry is called, where entries have identifiers.
    fn chunk_id(&self, place: MountedEntry) -> Option<ChunkId> {
        self.container(place).and_then(|container| container.chunk_id(place.entry))
    }

    /// Returns the containers with their names, those that win last.
    #[must_use]
    pub fn containers(&self) -> &[(String, Arc<Container>)] {
        &self.containers
    }

    /// Returns the bytes of the data of all containers, on disk.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.containers.iter().map(|(_, container)| container.file_len()).fold(0, u64::saturating_add)
    }

    /// Returns every entry, also those that are overridden, container by container.
    pub fn entries(&self) -> impl Iterator<Item = MountedEntry> {
        let of_one = |(container, (_, opened)): (usize, &(String, Arc<Container>))| {
            (0..opened.len()).map(move |entry| MountedEntry { container, entry })
        };
        self.containers.iter().enumerate().flat_map(of_one)
    }

    /// Returns every entry, as [`Mount::entries`] does, sorted by path in whatever case, those without a path last. Of
    /// one path the entry that wins comes last.
    #[must_use]
    pub fn entries_by_path(&self) -> EntriesByPath<'_> {
        let mut numbers: Vec<u32> = self.entries().map(|entry| self.numbers.number(entry)).collect();
        numbers.sort_by(|one, other| self.compare_paths(self.entry(*one), self.entry(*other)));
        EntriesByPath { mount: self, numbers }
    }

    /// Compares where two entries lie, in whatever case; those without a path come last.
    #[must_use]
    pub fn compare_paths(&self, one: MountedEntry, other: MountedEntry) -> Ordering {
        match (self.entry_path(one), self.entry_path(other)) {
            (Some(one), Some(other)) => one.compare(other),
            (one, other) => other.is_some().cmp(&one.is_some()),
        }
    }

    /// Returns the number of an entry among all: four bytes, for who keeps many.
    #[must_use]
    pub fn number(&self, entry: MountedEntry) -> u32 {
        self.numbers.number(entry)
    }

    /// Returns the entry of a number.
    #[must_use]
    pub fn entry(&self, number: u32) -> MountedEntry {
        self.numbers.entry(number)
    }

    /// Returns the path of an entry in two parts: the folder that it lies in, and its name there.
    #[must_use]
    pub fn folder_and_name(&self, entry: MountedEntry) -> Option<(&str, &str)> {
        self.entry_path(entry).map(|path| (path.folder, path.name))
    }

    /// Returns the container of an entry.
    #[must_use]
    pub fn container(&self, entry: MountedEntry) -> Option<&Container> {
        self.containers.get(entry.container).map(|(_, container)| &**container)
    }

    /// Returns the name of the container of an entry.
    #[must_use]
    pub fn container_name(&self, entry: MountedEntry) -> &str {
        self.containers.get(entry.container).map_or("", |(name, _)| name)
    }

    /// Returns the path of an entry below the root; none if its container does not say where it lies.
    #[must_use]
    pub fn path(&self, entry: MountedEntry) -> Option<Cow<'_, str>> {
        self.container(entry)?.path(entry.entry)
    }

    fn entry_path(&self, entry: MountedEntry) -> Option<EntryPath<'_>> {
        self.container(entry)?.entry_path(entry.entry)
    }

    /// Returns what an entry is listed under: its path, or its identifier.
    #[must_use]
    pub fn label(&self, entry: MountedEntry) -> String {
        self.container(entry).map_or_else(String::new, |container| container.label(entry.entry))
    }

    /// Returns whether an entry is replaced by one of a later container.
    #[must_use]
    pub fn is_overridden(&self, place: MountedEntry) -> bool {
        let (word, bit) = self.bit(place);
        self.overridden.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Returns the entry that wins at a path below the root, in whatever case.
    #[must_use]
    pub fn at_path(&self, path: &str) -> Option<MountedEntry> {
        self.at_path_where(path, |_| true)
    }

    /// Returns the entry that wins at a path among those that are wanted.
    pub(crate) fn at_path_where(
        &self,
        path: &str,
        is_wanted: impl Fn(MountedEntry) -> bool,
    ) -> Option<MountedEntry> {
        let path = path.trim_start_matches('/');
        let found = self.by_path.last(path_hash(&self.hashes, path), |number| {
            let place = self.numbers.entry(number);
            let other = self.entry_path(place);
            other.is_some_and(|other| other.is_same(EntryPath::of(path))) && is_wanted(place)
        });
        found.map(|number| self.numbers.entry(number))
    }

    /// Returns the entry that wins for an identifier.
    #[must_use]
    pub fn chunk(&self, id: ChunkId) -> Option<MountedEntry> {
        let is_it = |number| self.chunk_id(self.numbers.entry(number)) == Some(id);
        let found = self.by_chunk.last(half(self.hashes.hash_one(id)), is_it);
        found.map(|number| self.numbers.entry(number))
    }

    /// Returns the package that wins for a number: the hash of its name.
    #[must_use]
    pub fn package(&self, id: u64) -> Option<MountedEntry> {
        self.of_package(id, ChunkType::ExportBundleData)
    }

    /// Returns what wins of a package of a number: itself, or data beside it.
    #[must_use]
    pub fn of_package(&self, id: u64, kind: ChunkType) -> Option<MountedEntry> {
        let is_of_kind = |place: &MountedEntry| {
            self.container(*place).and_then(|container| container.chunk_type(place.entry)) == Some(kind)
        };
        let ids = kind.numbers().into_iter().map(|number| ChunkId::of(id, number));
        ids.into_iter().find_map(|id| self.chunk(id).filter(is_of_kind))
    }
}

/// Returns which entries of one hash are replaced by the last one of the same name, if that may replace them.
fn replaced<T>(
    same: &[MountedEntry],
    name: impl Fn(MountedEntry) -> Option<T>,
    is_same: impl Fn(&T, &T) -> bool,
    may_replace: impl Fn(MountedEntry, MountedEntry) -> bool,
) -> Vec<MountedEntry> {
    // The last one of each name. As a rule all have one name: others of that hash are rare.
    let mut last: Vec<(T, MountedEntry)> = Vec::new();
    let mut replaced = Vec::new();
    for place in same.iter().rev() {
        let Some(name) = name(*place) else { continue };
        match last.iter().find(|(other, _)| is_same(other, &name)) {
            Some((_, last)) if may_replace(*place, *last) => replaced.push(*place),
            Some(_) => {}
            None => last.push((name, *place)),
        }
    }
    replaced
}

/// Hashes paths without their case; those that follow each other often lie in one folder.
struct PathHasher<'h, 'p> {
    hashes: &'h RandomState,
    /// The folder that was hashed last.
    last: (&'p str, u64),
}

impl<'h, 'p> PathHasher<'h, 'p> {
    fn new(hashes: &'h RandomState) -> Self {
        Self { hashes, last: ("", Self::folder_hash(hashes, "")) }
    }

    fn folder_hash(hashes: &RandomState, folder: &str) -> u64 {
        let mut hasher = hashes.build_hasher();
        hash_lower(folder, &mut hasher);
        hasher.finish()
    }

    fn hash(&mut self, path: EntryPath<'p>) -> u32 {
        if self.last.0 != path.folder {
            self.last = (path.folder, Self::folder_hash(self.hashes, path.folder));
        }
        let mut hasher = self.hashes.build_hasher();
        hasher.write_u64(self.last.1);
        hash_lower(path.name, &mut hasher);
        half(hasher.finish())
    }
}

fn path_hash(hashes: &RandomState, path: &str) -> u32 {
    PathHasher::new(hashes).hash(EntryPath::of(path))
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
