//! Entries that several containers hold, as mods that change the same package do: one of them wins.

use std::collections::BTreeMap;

use unreal::Source;
use unreal::containers::mount::{Mount, MountedEntry, OrderReason, order_reason};

use crate::copy::copy;

/// An entry that is in more than one container.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// Path of the entry, or chunk identifier.
    pub label: String,
    /// The entries, in the order in which they are mounted: the last one wins. There are two at least.
    pub entries: Vec<MountedEntry>,
    /// Reason why the last one wins over the one before it.
    pub reason: OrderReason,
    /// Whether all have the same bytes; none if they cannot be read.
    pub is_identical: Option<bool>,
}

impl Conflict {
    /// Returns the entry that wins.
    #[must_use]
    pub fn winner(&self) -> Option<MountedEntry> {
        self.entries.last().copied()
    }
}

/// Finds the entries that several containers hold, sorted by path.
#[must_use]
pub fn conflicts(mount: &Mount) -> Vec<Conflict> {
    let mut by_winner: BTreeMap<(String, usize), Vec<MountedEntry>> = BTreeMap::new();
    for entry in mount.entries().filter(|entry| mount.is_overridden(*entry)) {
        let of_chunk = || mount.chunk(mount.container(entry)?.chunk_id(entry.entry)?);
        let winner = mount.path(entry).and_then(|path| mount.at_path(&path)).or_else(of_chunk);
        let Some(winner) = winner.filter(|winner| winner.container != entry.container) else { continue };
        let key = (mount.label(winner).to_lowercase(), winner.container);
        by_winner.entry(key).or_insert_with(|| vec![winner]).push(entry);
    }
    by_winner.into_values().filter_map(|entries| conflict(mount, entries)).collect()
}

fn conflict(mount: &Mount, mut entries: Vec<MountedEntry>) -> Option<Conflict> {
    entries.sort_by_key(|entry| (entry.container, entry.entry));
    let [.., before, winner] = entries[..] else { return None };
    let reason = order_reason(mount.container_name(before), mount.container_name(winner));
    let is_identical = is_identical(mount, &entries);
    Some(Conflict { label: mount.label(winner), entries, reason, is_identical })
}

/// Returns whether entries have the same bytes; none if one cannot be read.
fn is_identical(mount: &Mount, entries: &[MountedEntry]) -> Option<bool> {
    let open = |entry: &MountedEntry| mount.container(*entry)?.open(entry.entry).ok();
    let sources: Vec<Box<dyn Source + '_>> = entries.iter().map(open).collect::<Option<_>>()?;
    let length = sources.first()?.len();
    if sources.iter().any(|source| source.len() != length) {
        return Some(false);
    }
    let mut hashes = sources.iter().map(|source| {
        let mut hasher = blake3::Hasher::new();
        copy(&**source, &mut hasher, &|_| true).ok()?;
        Some(hasher.finalize())
    });
    let first = hashes.next()??;
    for hash in hashes {
        if hash? != first {
            return Some(false);
        }
    }
    Some(true)
}
