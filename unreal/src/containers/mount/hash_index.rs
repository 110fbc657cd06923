//! Entries by hashes of their paths and identifiers.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};

use crate::base::path::{EntryPath, hash_lower};

/// Entries by a hash, and those of one hash in the order of their containers: eight bytes each, a tenth of what a table
/// of their names would take.
#[derive(Debug, Default)]
pub(super) struct HashIndex(Vec<(u32, u32)>);

impl HashIndex {
    /// Creates an index of hashes and numbers.
    pub(super) fn new(mut entries: Vec<(u32, u32)>) -> Self {
        entries.sort_unstable();
        entries.shrink_to_fit();
        Self(entries)
    }

    /// Returns the numbers of the entries of each hash that several have.
    pub(super) fn groups(&self) -> impl Iterator<Item = impl Iterator<Item = u32>> {
        let groups = self.0.chunk_by(|(one, _), (other, _)| one == other).filter(|same| same.len() > 1);
        groups.map(|same| same.iter().map(|(_, number)| *number))
    }

    /// Returns the last one of a hash that it is.
    pub(super) fn last(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let end = self.0.partition_point(|(other, _)| *other <= hash);
        let before = self.0.get(..end).unwrap_or_default();
        let same = before.iter().rev().take_while(|(other, _)| *other == hash);
        same.map(|(_, number)| *number).find(|number| is_it(*number))
    }
}

/// Returns the half of a hash that an index keeps.
pub(super) const fn half(hash: u64) -> u32 {
    let [a, b, c, d, ..] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Hashes paths without their case; those that follow each other often lie in one folder.
pub(super) struct PathHasher<'h, 'p> {
    hashes: &'h RandomState,
    /// The folder that was hashed last.
    last: (&'p str, u64),
}

impl<'h, 'p> PathHasher<'h, 'p> {
    pub(super) fn new(hashes: &'h RandomState) -> Self {
        Self { hashes, last: ("", Self::folder_hash(hashes, "")) }
    }

    fn folder_hash(hashes: &RandomState, folder: &str) -> u64 {
        let mut hasher = hashes.build_hasher();
        hash_lower(folder, &mut hasher);
        hasher.finish()
    }

    pub(super) fn hash(&mut self, path: EntryPath<'p>) -> u32 {
        if self.last.0 != path.folder {
            self.last = (path.folder, Self::folder_hash(self.hashes, path.folder));
        }
        let mut hasher = self.hashes.build_hasher();
        hasher.write_u64(self.last.1);
        hash_lower(path.name, &mut hasher);
        half(hasher.finish())
    }
}

pub(super) fn path_hash(hashes: &RandomState, path: &str) -> u32 {
    PathHasher::new(hashes).hash(EntryPath::of(path))
}
