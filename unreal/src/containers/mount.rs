//! Containers that lie together, as the engine sees them: one tree of entries, where later ones replace earlier ones.
//!
//! ```text
//! Base.pak          A   B   C
//! Base_0_P.pak          B           ──►   A  B'  C
//! ```

mod hash_index;
mod order;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use hash_index::{HashIndex, PathHasher, half, path_hash};
pub use order::{OrderReason, is_patch, mounting_order, order_reason};

use super::{ChunkId, ChunkType, Container};
use crate::base::crypt::GameCipher;
use crate::base::path::EntryPath;

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

    /// Returns the game whose own cipher a container is encrypted with; none if that is the engine's for all.
    #[must_use]
    pub fn cipher(&self) -> Option<GameCipher> {
        self.containers.iter().find_map(|(_, container)| container.cipher())
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
