//! Who makes room when every voice is taken: the quietest of those in their release, and if there is none, the oldest.
//!
//! ```text
//! held       oldest ⇄ … ⇄ youngest        a list: the first yields
//! releasing  a tournament of lines         its winner yields
//! fading     make room already
//! ```

mod tournament;

use tournament::Tournament;

pub(crate) use tournament::Decay;

/// No slot.
const NONE: u32 = u32::MAX;

/// What every playing voice has to say for its staying, by slot.
#[derive(Debug)]
pub(crate) struct StealOrder {
    held: HeldByAge,
    releasing: Tournament,
}

impl StealOrder {
    /// # Real-time
    /// Never: takes all its memory.
    pub(crate) fn new(slots: usize) -> Self {
        Self { held: HeldByAge::new(slots), releasing: Tournament::new(slots) }
    }

    /// Returns the number of voices that count as playing; those that are fading to make room do not.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn playing(&self) -> usize {
        self.held.count + self.releasing.count()
    }

    /// A voice begins: the youngest of all.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn hold(&mut self, slot: usize) {
        self.held.push(slot);
    }

    /// A held voice goes into its release.
    ///
    /// # Real-time
    /// Safe. It takes time in proportion to the logarithm of the slots.
    pub(crate) fn release(&mut self, slot: usize, decay: Decay, now: u64) {
        if self.held.remove(slot) {
            self.releasing.set(slot, Some(decay), now);
        }
    }

    /// A voice is over, or makes room.
    ///
    /// # Real-time
    /// Safe. As [`release`](Self::release).
    pub(crate) fn remove(&mut self, slot: usize, now: u64) {
        if !self.held.remove(slot) {
            self.releasing.set(slot, None, now);
        }
    }

    /// Returns the slot of the voice that yields first, at a frame not before any reported so far.
    ///
    /// # Real-time
    /// Safe. Mostly it takes time in proportion to the logarithm of the slots; where the order of many voices has
    /// changed since the last question, or only rounding decides it, in proportion to these.
    pub(crate) fn victim(&mut self, now: u64) -> Option<usize> {
        self.releasing.first(now).or_else(|| self.held.oldest())
    }
}

/// The slots of held voices in the order they began: a list whose links lie in an array.
#[derive(Debug)]
struct HeldByAge {
    /// Of each slot that is in the list.
    links: Box<[Option<AgeLink>]>,
    oldest: u32,
    youngest: u32,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct AgeLink {
    older: u32,
    younger: u32,
}

impl HeldByAge {
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    fn new(slots: usize) -> Self {
        Self { links: (0..slots).map(|_| None).collect(), oldest: NONE, youngest: NONE, count: 0 }
    }

    fn oldest(&self) -> Option<usize> {
        (self.count > 0).then_some(self.oldest as usize)
    }

    fn push(&mut self, slot: usize) {
        let Some(link) = self.links.get_mut(slot) else { return };
        *link = Some(AgeLink { older: self.youngest, younger: NONE });
        *self.younger_than(self.youngest) = slot as u32;
        self.youngest = slot as u32;
        self.count += 1;
    }

    /// Removes a voice; returns whether it was in the list.
    fn remove(&mut self, slot: usize) -> bool {
        let Some(AgeLink { older, younger }) = self.links.get_mut(slot).and_then(Option::take) else {
            return false;
        };
        *self.younger_than(older) = younger;
        *self.older_than(younger) = older;
        self.count -= 1;
        true
    }

    /// Returns the link from a slot to the younger, or where there is no such slot to the oldest.
    fn younger_than(&mut self, slot: u32) -> &mut u32 {
        match self.links.get_mut(slot as usize) {
            Some(Some(link)) => &mut link.younger,
            _ => &mut self.oldest,
        }
    }

    /// Returns the link from a slot to the older, or where there is no such slot to the youngest.
    fn older_than(&mut self, slot: u32) -> &mut u32 {
        match self.links.get_mut(slot as usize) {
            Some(Some(link)) => &mut link.older,
            _ => &mut self.youngest,
        }
    }
}

#[cfg(test)]
mod tests;
