//! Where a chunk is in a table of contents, by its identifier alone.
//!
//! ```text
//! seed = seeds[hash(id, 0) mod seeds]      0: not there · below 0: at −seed − 1 · else at hash(id, seed) mod entries
//! ```

use super::chunk_id::ChunkId;

/// Where a chunk may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChunkSlot {
    /// Nowhere.
    Absent,
    /// At this entry, if it is there.
    Entry(u64),
    /// Among those outside of the hash.
    Overflow,
}

/// Returns the hash of an identifier.
pub(super) fn hash(id: ChunkId, seed: i32) -> u64 {
    const START: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    let from = if seed == 0 { START } else { u64::from(seed.cast_unsigned()) };
    id.bytes().into_iter().fold(from, |hash, byte| hash.wrapping_mul(PRIME) ^ u64::from(byte))
}

/// Returns where a chunk may be among so many entries.
pub(super) fn slot(
    id: ChunkId,
    entries: u64,
    seed_count: u64,
    seed: impl Fn(u64) -> Option<i32>,
) -> ChunkSlot {
    let Some(seed) = hash(id, 0).checked_rem(seed_count).and_then(seed) else { return ChunkSlot::Absent };
    match seed {
        0 => ChunkSlot::Absent,
        ..0 => match u64::from(seed.unsigned_abs()).saturating_sub(1) {
            place if place < entries => ChunkSlot::Entry(place),
            _ => ChunkSlot::Overflow,
        },
        _ => hash(id, seed).checked_rem(entries).map_or(ChunkSlot::Absent, ChunkSlot::Entry),
    }
}

/// A hash without collisions, and the order that entries have by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HashTable {
    pub(super) seeds: Vec<i32>,
    /// Which of the identifiers stands at each place.
    pub(super) order: Vec<usize>,
    /// Places of those outside of the hash.
    pub(super) overflow: Vec<u32>,
}

impl HashTable {
    /// Entries as they are, without a hash.
    pub(super) fn in_order(count: usize) -> Self {
        Self { seeds: Vec::new(), order: (0..count).collect(), overflow: Vec::new() }
    }
}

/// Builds the hash of some identifiers, each of which is there once: two for each seed.
pub(super) fn build(ids: &[ChunkId]) -> HashTable {
    let count = ids.len();
    let seed_count = count.div_ceil(2);
    let mut buckets: Vec<Vec<usize>> = vec![Vec::new(); seed_count];
    for (number, id) in ids.iter().enumerate() {
        if let Some(bucket) = buckets.get_mut(slot_of(hash(*id, 0), seed_count)) {
            bucket.push(number);
        }
    }
    let mut order: Vec<usize> = (0..seed_count).collect();
    // Those that are hardest to place come first.
    order.sort_by_key(|bucket| (std::cmp::Reverse(buckets.get(*bucket).map_or(0, Vec::len)), *bucket));
    let mut seeds = vec![0_i32; seed_count];
    let mut slots: Vec<Option<usize>> = vec![None; count];
    let mut outside = Vec::new();
    let mut free = 0_usize;
    for bucket in order {
        let members = buckets.get(bucket).map_or(&[][..], Vec::as_slice);
        let seed = match members {
            [] => continue,
            [only] => {
                while slots.get(free).is_some_and(Option::is_some) {
                    free = free.saturating_add(1);
                }
                if let Some(slot) = slots.get_mut(free) {
                    *slot = Some(*only);
                }
                at_place(free)
            }
            members => seat(ids, members, &mut slots).unwrap_or_else(|| {
                outside.extend(members);
                // A slot beyond all entries.
                at_place(count)
            }),
        };
        if let Some(place) = seeds.get_mut(bucket) {
            *place = seed;
        }
    }
    let mut overflow = Vec::new();
    let mut left = outside.into_iter();
    let filled = slots.into_iter().enumerate().filter_map(|(place, slot)| {
        slot.or_else(|| {
            let member = left.next()?;
            overflow.extend(u32::try_from(place));
            Some(member)
        })
    });
    let order = filled.collect();
    HashTable { seeds, order, overflow }
}

/// Returns the slot of a hash in a table.
fn slot_of(hash: u64, slots: usize) -> usize {
    hash.checked_rem(slots as u64).and_then(|slot| usize::try_from(slot).ok()).unwrap_or_default()
}

/// Finds a seed that gives each of some entries a free slot, and puts them there; none if no seed does.
fn seat(ids: &[ChunkId], members: &[usize], slots: &mut [Option<usize>]) -> Option<i32> {
    /// Seeds that are tried.
    const TRIED: i32 = 1 << 16;
    let slot_with = |member: usize, seed: i32| Some(slot_of(hash(*ids.get(member)?, seed), slots.len()));
    let fits = |seed: &i32| {
        let mut taken: Vec<usize> = Vec::with_capacity(members.len());
        members.iter().all(|member| {
            let Some(slot) = slot_with(*member, *seed) else { return false };
            let is_free = slots.get(slot).is_some_and(Option::is_none) && !taken.contains(&slot);
            taken.push(slot);
            is_free
        })
    };
    let seed = (1..TRIED).find(fits)?;
    let seats: Vec<Option<usize>> = members.iter().map(|member| slot_with(*member, seed)).collect();
    for (member, seat) in members.iter().zip(seats) {
        if let Some(slot) = seat.and_then(|seat| slots.get_mut(seat)) {
            *slot = Some(*member);
        }
    }
    Some(seed)
}

/// Returns the seed that says at which place a single entry is.
fn at_place(place: usize) -> i32 {
    i32::try_from(place).unwrap_or(i32::MAX).saturating_neg().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_identifier_is_found_at_its_place_and_others_are_not() {
        for count in [0, 1, 2, 3, 10, 1000, 20_000_u64] {
            let id = |number: u64| ChunkId::of(number.wrapping_mul(0x9E37_79B9_7F4A_7C15), 1);
            let ids: Vec<ChunkId> = (0..count).map(id).collect();
            let table = build(&ids);
            let mut order = table.order.clone();
            order.sort_unstable();
            assert!(order.into_iter().eq(0..ids.len()), "{count}: each once");
            let seed = |number: u64| table.seeds.get(number as usize).copied();
            for (place, member) in table.order.iter().enumerate() {
                let found = match slot(ids[*member], count, table.seeds.len() as u64, seed) {
                    ChunkSlot::Entry(found) => found == place as u64,
                    ChunkSlot::Overflow => table.overflow.contains(&(place as u32)),
                    ChunkSlot::Absent => false,
                };
                assert!(found, "{count}: {place}");
            }
            assert!(table.overflow.len() <= ids.len() / 100, "{count}: {} outside", table.overflow.len());
        }
    }
}
