//! Media that are in several banks, byte for byte.

use std::collections::BTreeMap;

use unreal::Source;
use unreal::ue1to3::bulk::Payload;

use super::SoundBanks;
use crate::Sound;

/// Bytes that are compared at a time.
const PART: usize = 64 << 10;

impl SoundBanks {
    /// Returns which rows are copies of earlier ones among some: media of the same id and platform with the same bytes.
    /// The numbers of the copies, by that of the first row.
    ///
    /// Reads candidates whole; what cannot be read is no copy.
    #[must_use]
    pub fn copies(&self, rows: &[&Sound]) -> BTreeMap<usize, Vec<usize>> {
        let mut firsts: BTreeMap<_, Vec<(usize, Payload)>> = BTreeMap::new();
        let mut copies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for row in rows {
            let id = row.bank.as_ref().and_then(|bank| bank.id.as_ref()).filter(|_| row.zones().is_none());
            let (Some(id), Some(payload)) = (id, row.payload()) else { continue };
            let known = firsts.entry((id, self.platform_of(row), payload.len)).or_default();
            match known.iter().find(|(_, first)| self.is_equal(*first, payload)) {
                Some((first, _)) => copies.entry(*first).or_default().push(row.number),
                None => known.push((row.number, payload)),
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
