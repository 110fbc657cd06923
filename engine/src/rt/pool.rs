use std::sync::Arc;

use song::{ChokeMode, Hz};

use crate::bank::BankHandle;
use crate::message::{DrivenChange, NoteChange, NoteId};
use crate::rt::envelope::EnvelopePhase;
use crate::rt::filter_queue::GROUP;
use crate::rt::modulation::Modulation;
use crate::rt::note_index::NoteIndex;
use crate::rt::steal::StealOrder;
use crate::rt::voice::{RenderOutcome, Voice};

const WORD: usize = u64::BITS as usize;

/// How many voices ahead one is expected: long enough for memory to answer, and soon enough not to be forgotten again.
const AHEAD: usize = 4;

/// A fixed number of slots for voices.
///
/// A new voice takes the lowest free slot and voices are visited in the order of slots: both follow from which voices
/// sound, not from the order in which slots became free, which would depend on how frames are cut into blocks.
///
/// Whatever changes what a voice does goes through here, so that who is found by its note and who yields agree with it.
/// `now` is the present frame everywhere; it never goes back.
#[derive(Debug)]
pub(crate) struct Pool {
    slots: Box<[Option<Voice>]>,
    /// Of the voice in each slot, if that moves. Beside them, so that those that do not stay small.
    motions: Box<[Modulation]>,
    /// One bit for each slot, set while it is taken.
    taken: Box<[u64]>,
    occupied: usize,
    note_index: NoteIndex,
    steal_order: StealOrder,
}

impl Pool {
    /// # Real-time
    /// Never: takes all its memory.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            slots: (0..slots).map(|_| None).collect(),
            motions: (0..slots).map(|_| Modulation::default()).collect(),
            taken: (0..slots.div_ceil(WORD)).map(|_| 0).collect(),
            occupied: 0,
            note_index: NoteIndex::new(slots),
            steal_order: StealOrder::new(slots),
        }
    }

    /// Returns the number of voices in it.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn occupied(&self) -> usize {
        self.occupied
    }

    /// Returns the number of voices that do not make room already.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn playing(&self) -> usize {
        self.steal_order.playing()
    }

    /// # Real-time
    /// Safe.
    pub(crate) const fn is_full(&self) -> bool {
        self.occupied == self.slots.len()
    }

    /// Returns the slot of the voice that yields first.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn victim(&mut self, now: u64) -> Option<usize> {
        self.steal_order.victim(now)
    }

    /// Puts a voice that begins into the lowest free slot; says if there was one. Otherwise the voice is gone: it gives
    /// back its bank, which the reclaimer holds as well, so nothing is freed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn insert(&mut self, voice: Voice, modulation: Option<Modulation>) -> bool {
        let free = self.taken.iter_mut().enumerate().find(|(_, word)| **word != u64::MAX);
        let Some((number, word)) = free else { return false };
        let bit = word.trailing_ones();
        let slot = number * WORD + bit as usize;
        let Some(place) = self.slots.get_mut(slot) else { return false };
        if let Some(modulation) = modulation
            && let Some(place) = self.motions.get_mut(slot)
        {
            *place = modulation;
        }
        *word |= 1 << bit;
        self.note_index.add(voice.note(), slot);
        self.steal_order.hold(slot);
        *place = Some(voice);
        self.occupied += 1;
        true
    }

    /// Empties a slot. The voice gives back its bank, which the reclaimer holds as well, so nothing is freed.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn remove(&mut self, slot: usize, now: u64) {
        let Some(voice) = self.slots.get_mut(slot).and_then(Option::take) else { return };
        if let Some(word) = self.taken.get_mut(slot / WORD) {
            *word &= !(1 << (slot % WORD));
        }
        self.note_index.remove(voice.note(), slot);
        self.steal_order.remove(slot, now);
        self.occupied -= 1;
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn get(&self, slot: usize) -> Option<&Voice> {
        self.slots.get(slot)?.as_ref()
    }

    /// Returns the number of slots up to the last one that is taken.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn extent(&self) -> usize {
        let last = self.taken.iter().enumerate().rfind(|(_, word)| **word != 0);
        last.map_or(0, |(number, word)| (number + 1) * WORD - word.leading_zeros() as usize)
    }

    /// Returns the voice in each slot.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Option<&Voice>> {
        self.slots.iter().map(Option::as_ref)
    }

    /// A voice goes into its release, if it is held by a note.
    fn release_slot(&mut self, slot: usize, rate: Hz, now: u64) {
        let Some(voice) = self.slots.get_mut(slot).and_then(Option::as_mut) else { return };
        let Some(modulation) = self.motions.get_mut(slot) else { return };
        if voice.phase() == EnvelopePhase::Held && !voice.is_driven() {
            voice.release(rate, modulation);
            self.steal_order.release(slot, voice.decay(modulation, now), now);
        }
    }

    /// All voices of a note go into their release.
    ///
    /// # Real-time
    /// Safe. It takes time in proportion to these, not to all.
    pub(crate) fn release(&mut self, note: NoteId, rate: Hz, now: u64) {
        let mut next = self.note_index.first(note);
        while let Some(slot) = next {
            self.release_slot(slot, rate, now);
            next = self.note_index.next(slot);
        }
    }

    /// The driven voices of a note go on in a copy of what they play.
    ///
    /// # Real-time
    /// Safe. It takes time in proportion to these, not to all.
    pub(crate) fn replace(&mut self, note: NoteId, bank: &Arc<BankHandle>, track: u32) {
        let mut next = self.note_index.first(note);
        while let Some(slot) = next {
            next = self.note_index.next(slot);
            if let Some(voice) = self.slots.get_mut(slot).and_then(Option::as_mut) {
                voice.replace(Arc::clone(bank), track);
            }
        }
    }

    /// The driven voices of a note change.
    ///
    /// # Real-time
    /// Safe. It takes time in proportion to these, not to all.
    pub(crate) fn change(&mut self, note: NoteId, change: DrivenChange, rate: Hz, now: u64) {
        let mut next = self.note_index.first(note);
        while let Some(slot) = next {
            next = self.note_index.next(slot);
            let Some(voice) = self.slots.get_mut(slot).and_then(Option::as_mut) else { continue };
            let Some(modulation) = self.motions.get_mut(slot) else { continue };
            voice.change(change, rate, modulation);
            if change == DrivenChange::Stop {
                self.steal_order.remove(slot, now);
            }
        }
    }

    /// The voices of a note change, if they are not driven.
    ///
    /// # Real-time
    /// Safe. It takes time in proportion to these, not to all.
    pub(crate) fn alter(&mut self, note: NoteId, change: NoteChange, rate: Hz, now: u64) {
        let mut next = self.note_index.first(note);
        while let Some(slot) = next {
            next = self.note_index.next(slot);
            let Some(voice) = self.slots.get_mut(slot).and_then(Option::as_mut) else { continue };
            let Some(modulation) = self.motions.get_mut(slot) else { continue };
            if voice.is_driven() {
                continue;
            }
            match change {
                NoteChange::Tone(tone) => voice.set_tone(tone, rate, modulation),
                NoteChange::Glide(glide) => voice.glide(glide, rate, modulation),
                NoteChange::Cut => self.fade(slot, rate, now),
            }
        }
    }

    /// All voices go into their release.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn all_notes_off(&mut self, rate: Hz, now: u64) {
        self.each_slot(|pool, slot| pool.release_slot(slot, rate, now));
    }

    /// A voice makes room, without a click.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fade(&mut self, slot: usize, rate: Hz, now: u64) {
        if let Some(voice) = self.slots.get_mut(slot).and_then(Option::as_mut) {
            voice.fade(rate);
            self.steal_order.remove(slot, now);
        }
    }

    /// Ends the voices that a voice ends when it begins.
    ///
    /// # Real-time
    /// Safe. It takes time in proportion to all voices, if this one ends any at all.
    pub(crate) fn choke(&mut self, by: &Voice, rate: Hz, now: u64) {
        let group = by.choke().group;
        if group == 0 {
            return;
        }
        self.each_slot(|pool, slot| {
            let choked = pool.get(slot).filter(|voice| voice.is_choked_by(group, by));
            match choked.map(|voice| voice.choke().mode) {
                Some(ChokeMode::Fast) => pool.fade(slot, rate, now),
                Some(ChokeMode::Release) => pool.release_slot(slot, rate, now),
                None => {}
            }
        });
    }

    /// Fades all voices that `chosen` picks.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn fade_where(&mut self, rate: Hz, now: u64, chosen: impl Fn(&Voice) -> bool) {
        self.each_slot(|pool, slot| {
            if pool.get(slot).is_some_and(&chosen) {
                pool.fade(slot, rate, now);
            }
        });
    }

    /// All voices go on at another output rate.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set_rate(&mut self, rate: Hz) {
        for (voice, modulation) in self.slots.iter_mut().zip(&mut self.motions) {
            if let Some(voice) = voice {
                voice.set_rate(rate, modulation);
            }
        }
    }

    /// Visits all voices in the order of slots; those that end make room, and those that are over are removed. `expect`
    /// is shown most voices a few before their turn. After those of each group of slots, `finish` is given what moves
    /// them.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn retain<T>(
        &mut self,
        now: u64,
        with: &mut T,
        expect: impl Fn(&Voice),
        render: impl Fn(&mut T, usize, &mut Voice, &mut Modulation) -> RenderOutcome,
        finish: impl Fn(&mut T, &mut [Modulation]),
    ) {
        for number in 0..self.taken.len() {
            let word = self.taken.get(number).copied().unwrap_or_default();
            let mut ahead = slots_of(number, word).skip(AHEAD);
            let mut slots = slots_of(number, word).peekable();
            while let Some(slot) = slots.next() {
                if let Some(next) = ahead.next().and_then(|slot| self.get(slot)) {
                    expect(next);
                }
                let voice = self.slots.get_mut(slot).and_then(Option::as_mut);
                let place = voice.zip(self.motions.get_mut(slot));
                let RenderOutcome { ended, is_over } = place
                    .map(|(voice, modulation)| render(with, slot, voice, modulation))
                    .unwrap_or_default();
                if is_over {
                    self.remove(slot, now);
                } else if ended.is_some() {
                    self.steal_order.remove(slot, now);
                }
                let group = slot / GROUP;
                if slots.peek().is_none_or(|next| next / GROUP != group)
                    && let Some(motions) = self.motions.chunks_mut(GROUP).nth(group)
                {
                    finish(with, motions);
                }
            }
        }
    }

    /// Visits all slots that are taken, in their order.
    fn each_slot(&mut self, mut visit: impl FnMut(&mut Self, usize)) {
        for number in 0..self.taken.len() {
            let word = self.taken.get(number).copied().unwrap_or_default();
            for slot in slots_of(number, word) {
                visit(self, slot);
            }
        }
    }
}

/// Returns the slots whose bits are set in a word, the lowest first.
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
