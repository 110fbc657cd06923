//! Containers that lie together, as the engine sees them: one tree of entries, where later ones replace earlier ones.
//!
//! ```text
//! Base.pak          A   B   C
//! Base_0_P.pak          B           ──►   A  B'  C
//! ```

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{ChunkId, ChunkType, Container};

/// An entry of one of the containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MountedEntry {
    /// Which container, in the order in which they are mounted.
    pub container: usize,
    /// Which of its entries.
    pub entry: usize,
}

/// Mounted containers.
#[derive(Debug, Default)]
pub struct Mount {
    containers: Vec<(String, Container)>,
    /// By lower-cased path: the engine does not distinguish case.
    by_path: HashMap<Box<str>, MountedEntry>,
    by_chunk: HashMap<ChunkId, MountedEntry>,
    /// Packages by their numbers.
    packages: HashMap<u64, MountedEntry>,
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
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let (one, other) = (stem(one), stem(other));
    priority(&one).cmp(&priority(&other)).then_with(|| one.to_lowercase().cmp(&other.to_lowercase()))
}

impl Mount {
    /// Mounts containers, each with its name; they come in the order of [`mounting_order`].
    #[must_use]
    pub fn new(containers: Vec<(String, Container)>) -> Self {
        let (mut by_path, mut by_chunk, mut packages) = (HashMap::new(), HashMap::new(), HashMap::new());
        for (container, (_, opened)) in containers.iter().enumerate() {
            for entry in 0..opened.len() {
                let place = MountedEntry { container, entry };
                if let Some(path) = opened.path(entry) {
                    by_path.insert(path.to_lowercase().into(), place);
                }
                if let Some(chunk) = opened.chunk_id(entry) {
                    by_chunk.insert(chunk, place);
                    let is_package = opened.chunk_type(entry) == Some(ChunkType::ExportBundleData);
                    if is_package && chunk.index() == 0 {
                        packages.insert(chunk.number(), place);
                    }
                }
            }
        }
        Self { containers, by_path, by_chunk, packages }
    }

    /// Returns the containers with their names, those that win last.
    #[must_use]
    pub fn containers(&self) -> &[(String, Container)] {
        &self.containers
    }

    /// Returns every entry, also those that are overridden, container by container.
    pub fn entries(&self) -> impl Iterator<Item = MountedEntry> {
        let of_one = |(container, (_, opened)): (usize, &(String, Container))| {
            (0..opened.len()).map(move |entry| MountedEntry { container, entry })
        };
        self.containers.iter().enumerate().flat_map(of_one)
    }

    /// Returns the container of an entry.
    #[must_use]
    pub fn container(&self, entry: MountedEntry) -> Option<&Container> {
        self.containers.get(entry.container).map(|(_, container)| container)
    }

    /// Returns the name of the container of an entry.
    #[must_use]
    pub fn container_name(&self, entry: MountedEntry) -> &str {
        self.containers.get(entry.container).map_or("", |(name, _)| name)
    }

    /// Returns what an entry is listed under: its path, or its identifier.
    #[must_use]
    pub fn label(&self, entry: MountedEntry) -> String {
        self.container(entry).map_or_else(String::new, |container| container.label(entry.entry))
    }

    /// Returns whether an entry is replaced by one of a later container.
    #[must_use]
    pub fn is_overridden(&self, place: MountedEntry) -> bool {
        let Some(container) = self.container(place) else { return false };
        let path =
            container.path(place.entry).and_then(|path| self.by_path.get(path.to_lowercase().as_str()));
        let chunk = container.chunk_id(place.entry).and_then(|chunk| self.by_chunk.get(&chunk));
        path.or(chunk).is_some_and(|winner| *winner != place)
    }

    /// Returns the entry that wins at a path below the root, in whatever case.
    #[must_use]
    pub fn at_path(&self, path: &str) -> Option<MountedEntry> {
        self.by_path.get(path.trim_start_matches('/').to_lowercase().as_str()).copied()
    }

    /// Returns the package that wins for a number: the hash of its name.
    #[must_use]
    pub fn package(&self, id: u64) -> Option<MountedEntry> {
        self.packages.get(&id).copied()
    }

    /// Returns the entry that wins for an identifier.
    #[must_use]
    pub fn chunk(&self, id: ChunkId) -> Option<MountedEntry> {
        self.by_chunk.get(&id).copied()
    }
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
}
