use crate::rt::voice::Voice;

const WORD: usize = u64::BITS as usize;

/// How many voices ahead one is expected: long enough for memory to answer, and soon enough not to be forgotten again.
const AHEAD: usize = 2;

/// A fixed number of slots for voices.
///
/// A new voice takes the lowest free slot and voices are visited in the order of slots: both follow from which voices
/// sound, not from the order in which slots became free, which would depend on how frames are cut into blocks.
#[derive(Debug)]
pub(crate) struct Pool {
    slots: Box<[Option<Voice>]>,
    /// One bit for each slot, set while it is taken.
    taken: Box<[u64]>,
    occupied: usize,
}

impl Pool {
    /// # Real-time
    /// Never: takes all its memory.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            slots: (0..slots).map(|_| None).collect(),
            taken: (0..slots.div_ceil(WORD)).map(|_| 0).collect(),
            occupied: 0,
        }
    }

    /// Voices in it.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn occupied(&self) -> usize {
        self.occupied
    }

    /// # Real-time
    /// Safe.
    pub(crate) const fn is_full(&self) -> bool {
        self.occupied == self.slots.len()
    }

    /// Puts a voice into the lowest free slot; says if there was one. Otherwise the voice is gone: it gives back its
    /// bank, which the keeper holds as well, so nothing is freed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn insert(&mut self, voice: Voice) -> bool {
        let free = self.taken.iter_mut().enumerate().find(|(_, word)| **word != u64::MAX);
        let Some((number, word)) = free else { return false };
        let bit = word.trailing_ones();
        let Some(slot) = self.slots.get_mut(number * WORD + bit as usize) else { return false };
        *word |= 1 << bit;
        *slot = Some(voice);
        self.occupied += 1;
        true
    }

    /// Empties a slot. The voice gives back its bank, which the keeper holds as well, so nothing is freed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn remove(&mut self, slot: usize) -> Option<Voice> {
        let voice = self.slots.get_mut(slot)?.take()?;
        if let Some(word) = self.taken.get_mut(slot / WORD) {
            *word &= !(1 << (slot % WORD));
        }
        self.occupied -= 1;
        Some(voice)
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn get_mut(&mut self, slot: usize) -> Option<&mut Voice> {
        self.slots.get_mut(slot)?.as_mut()
    }

    /// All voices with their slots, in the order of slots.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &Voice)> {
        let slots = self.taken.iter().enumerate().flat_map(|(number, &word)| slots_of(number, word));
        slots.filter_map(|slot| self.slots.get(slot)?.as_ref().map(|voice| (slot, voice)))
    }

    /// Visits all voices in the order of slots.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn visit(&mut self, mut each: impl FnMut(&mut Voice)) {
        self.retain(
            |_| {},
            |voice| {
                each(voice);
                true
            },
        );
    }

    /// Visits all voices in the order of slots; those for which the answer is no are removed. `expect` is shown most
    /// voices two before their turn.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn retain(&mut self, expect: impl Fn(&Voice), mut keep: impl FnMut(&mut Voice) -> bool) {
        for number in 0..self.taken.len() {
            let word = self.taken.get(number).copied().unwrap_or_default();
            let mut ahead = slots_of(number, word).skip(AHEAD);
            for slot in slots_of(number, word) {
                if let Some(next) = ahead.next().and_then(|slot| self.slots.get(slot)?.as_ref()) {
                    expect(next);
                }
                if self.get_mut(slot).is_some_and(|voice| !keep(voice)) {
                    self.remove(slot);
                }
            }
        }
    }
}

/// The slots whose bits are set in a word, the lowest first.
fn slots_of(number: usize, word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros();
        rest &= rest.checked_sub(1)?;
        Some(number * WORD + bit as usize)
    })
}

#[cfg(test)]
mod tests;
