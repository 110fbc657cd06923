use crate::message::NoteId;

/// No slot.
const NONE: u32 = u32::MAX;

/// Which slots the voices of each note have.
///
/// A table of fixed size with open addressing: a note stands at the place its number hashes to or at the next free one
/// after it, and the slots of one note are linked in an array.
#[derive(Debug)]
pub(crate) struct NoteIndex {
    /// Twice as many as slots at least, and a power of two.
    notes: Box<[Option<NoteEntry>]>,
    /// Of each slot, to others of its note.
    links: Box<[Link]>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    previous: u32,
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct NoteEntry {
    note: NoteId,
    first: u32,
}

impl NoteIndex {
    /// # Real-time
    /// Never: takes all its memory.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            notes: (0..(2 * slots).next_power_of_two()).map(|_| None).collect(),
            links: (0..slots).map(|_| Link { previous: NONE, next: NONE }).collect(),
        }
    }

    /// A voice of a note has taken a slot.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn add(&mut self, note: NoteId, slot: usize) {
        let place = self.place(note);
        let Some(entry) = self.notes.get_mut(place) else { return };
        let first = entry.map_or(NONE, |entry| entry.first);
        *entry = Some(NoteEntry { note, first: slot as u32 });
        if let Some(link) = self.links.get_mut(slot) {
            *link = Link { previous: NONE, next: first };
        }
        if let Some(link) = self.links.get_mut(first as usize) {
            link.previous = slot as u32;
        }
    }

    /// A voice of a note gives its slot back.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn remove(&mut self, note: NoteId, slot: usize) {
        let Some(Link { previous, next }) = self.links.get(slot).copied() else { return };
        if let Some(link) = self.links.get_mut(next as usize) {
            link.previous = previous;
        }
        match self.links.get_mut(previous as usize) {
            Some(link) => link.next = next,
            None if next == NONE => self.vacate(self.place(note)),
            None => {
                let place = self.place(note);
                if let Some(Some(entry)) = self.notes.get_mut(place) {
                    entry.first = next;
                }
            }
        }
    }

    /// Returns the slot of the note's youngest voice.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn first(&self, note: NoteId) -> Option<usize> {
        let entry = self.notes.get(self.place(note)).copied().flatten()?;
        Some(entry.first as usize)
    }

    /// Returns the slot after one, of the same note.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn next(&self, slot: usize) -> Option<usize> {
        let Link { next, .. } = self.links.get(slot).copied()?;
        (next != NONE).then_some(next as usize)
    }

    /// Returns where a note stands, or where it would. There always is a free place.
    fn place(&self, note: NoteId) -> usize {
        let mut place = self.home(note);
        while self.notes.get(place).copied().flatten().is_some_and(|entry| entry.note != note) {
            place = self.after(place);
        }
        place
    }

    fn home(&self, note: NoteId) -> usize {
        // The upper bits of a product with an odd number far from any pattern depend on all lower ones.
        let bits = note.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        bits as usize & (self.notes.len() - 1)
    }

    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.notes.len() - 1)
    }

    /// Empties a place, and moves back whoever stands after it for its sake.
    fn vacate(&mut self, place: usize) {
        let (mut free, mut place) = (place, place);
        loop {
            place = self.after(place);
            let Some(entry) = self.notes.get(place).copied().flatten() else { break };
            let home = self.home(entry.note);
            // Whether the free place lies on its way from home to where it stands.
            let way = |to: usize| to.wrapping_sub(home) & (self.notes.len() - 1);
            if way(free) <= way(place) {
                if let Some(to) = self.notes.get_mut(free) {
                    *to = Some(entry);
                }
                free = place;
            }
        }
        if let Some(free) = self.notes.get_mut(free) {
            *free = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;

    const SLOTS: usize = 8;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        /// Notes of numbers that are far apart and of ones that follow each other, with several voices each.
        #[test]
        fn a_note_has_the_slots_its_voices_took(deeds in prop::collection::vec((0..SLOTS, 0..12_u64), 1..200)) {
            let mut note_index = NoteIndex::new(SLOTS);
            let mut taken: [Option<u64>; SLOTS] = [None; SLOTS];
            for (slot, number) in deeds {
                let note = if number < 6 { number } else { number << 40 };
                match taken[slot].take() {
                    Some(note) => note_index.remove(NoteId(note), slot),
                    None => {
                        note_index.add(NoteId(note), slot);
                        taken[slot] = Some(note);
                    }
                }
                let mut expected: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
                for number in 0..12 {
                    expected.insert(if number < 6 { number } else { number << 40 }, Vec::new());
                }
                for (slot, note) in taken.iter().enumerate() {
                    if let Some(note) = note {
                        expected.get_mut(note).unwrap().push(slot);
                    }
                }
                for (note, slots) in expected {
                    let first = note_index.first(NoteId(note));
                    let mut found: Vec<usize> =
                        std::iter::successors(first, |slot| note_index.next(*slot)).collect();
                    found.sort_unstable();
                    prop_assert_eq!(found, slots, "{}", note);
                }
            }
        }
    }
}
