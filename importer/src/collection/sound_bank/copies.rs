//! Media that are in several banks, byte for byte.

use std::collections::{BTreeMap, HashMap, HashSet};

use unreal::Source;
use unreal::ue1to3::bulk::Payload;

use super::SoundBanks;
use crate::Sound;

/// Bytes that are compared for a list.
const MAX_READ: u64 = 64 << 20;

/// Bytes that are compared at a time.
const PART: usize = 64 << 10;

impl SoundBanks {
    /// Leaves copies of earlier rows out: media of the same id and platform with the same bytes. Returns how many rows
    /// each of the others stands for, by its number, if these are several.
    ///
    /// Reads candidates, 64 MiB of them in all; what is beyond, or cannot be read, is no copy.
    pub fn fold_copies(&self, rows: &mut Vec<&Sound>) -> BTreeMap<usize, usize> {
        let copies = self.copies(rows);
        let folded: HashSet<usize> = copies.values().flatten().copied().collect();
        rows.retain(|row| !folded.contains(&row.number));
        copies.into_iter().map(|(first, copies)| (first, copies.len().saturating_add(1))).collect()
    }

    /// Returns the numbers of copies, by that of the first row.
    fn copies(&self, rows: &[&Sound]) -> BTreeMap<usize, Vec<usize>> {
        let files = self.paths.iter().enumerate().map(|(index, path)| (path.as_str(), index));
        let files: HashMap<&str, usize> = files.collect();
        let mut firsts: BTreeMap<_, (usize, Payload)> = BTreeMap::new();
        let mut copies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut left = MAX_READ;
        for row in rows {
            let id = row.bank.as_ref().and_then(|bank| bank.id.as_ref()).filter(|_| row.zones().is_none());
            let (Some(id), Some(payload)) = (id, row.payload()) else { continue };
            let file = row.container.as_deref().and_then(|path| files.get(path));
            let items = file.and_then(|file| self.project.files.get(*file));
            let platform = items.and_then(|items| items.platform.as_deref());
            let (first, known) = *firsts.entry((id, platform, payload.len)).or_insert((row.number, payload));
            if first == row.number || payload.len > left {
                continue;
            }
            left = left.saturating_sub(payload.len);
            if self.is_equal(known, payload) {
                copies.entry(first).or_default().push(row.number);
            }
        }
        copies
    }

    fn is_equal(&self, one: Payload, other: Payload) -> bool {
        let (mut first, mut second) = ([0; PART], [0; PART]);
        let mut done = 0;
        while done < one.len {
            let length = usize::try_from(one.len.saturating_sub(done)).unwrap_or(PART).min(PART);
            let (Some(first), Some(second)) = (first.get_mut(..length), second.get_mut(..length)) else {
                return false;
            };
            let at = |payload: Payload| payload.offset.saturating_add(done);
            let read =
                self.source.read_at(at(one), first).and_then(|()| self.source.read_at(at(other), second));
            if read.is_err() || first != second {
                return false;
            }
            done = done.saturating_add(length as u64);
        }
        one.len == other.len
    }
}
