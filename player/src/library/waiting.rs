//! Notes that wait for their sound to be loaded.

use song::Frames;

/// The most notes that wait; the oldest makes room.
const MAX_WAITING: usize = 256;

/// Notes that were struck before their sound was there, the oldest first.
#[derive(Debug)]
pub(crate) struct WaitingNotes<I, N> {
    notes: Vec<WaitingNote<I, N>>,
}

#[derive(Debug)]
struct WaitingNote<I, N> {
    id: I,
    note: N,
    sound: usize,
    /// The frame that was next when it was struck, and when it was released.
    struck: Frames,
    released: Option<Frames>,
}

impl<I, N> Default for WaitingNotes<I, N> {
    fn default() -> Self {
        Self { notes: Vec::new() }
    }
}

impl<I: PartialEq, N> WaitingNotes<I, N> {
    /// Adds a note of a sound that is struck now.
    pub(crate) fn add(&mut self, id: I, note: N, sound: usize, now: Frames) {
        if self.notes.len() == MAX_WAITING {
            self.notes.remove(0);
        }
        self.notes.push(WaitingNote { id, note, sound, struck: now, released: None });
    }

    /// Releases a note: once it has begun it lasts as long as its key was held. Returns whether it was waiting.
    pub(crate) fn release(&mut self, id: &I, now: Frames) -> bool {
        let note = self.notes.iter_mut().find(|note| note.id == *id);
        note.map(|note| note.released.get_or_insert(now)).is_some()
    }

    /// Releases all notes.
    pub(crate) fn release_all(&mut self, now: Frames) {
        for note in &mut self.notes {
            note.released.get_or_insert(now);
        }
    }

    /// Keeps only some notes.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&N) -> bool) {
        self.notes.retain(|waiting| is_kept(&waiting.note));
    }

    /// Takes the notes of a sound, the oldest first, each with how long it was held if it is released.
    pub(crate) fn take(&mut self, sound: usize) -> Vec<(N, Option<Frames>)> {
        let its = self.notes.extract_if(.., |note| note.sound == sound);
        let held =
            |released: Frames, struck: Frames| Frames::new(released.get().saturating_sub(struck.get()));
        its.map(|note| (note.note, note.released.map(|released| held(released, note.struck)))).collect()
    }

    /// Returns the sounds that are waited for.
    pub(crate) fn sounds(&self) -> impl Iterator<Item = usize> {
        self.notes.iter().map(|note| note.sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_that_was_released_before_its_sound_came_is_held_as_long_as_its_key_was() {
        let mut waiting = WaitingNotes::default();
        let frames = Frames::new;
        waiting.add(1, "held", 7, frames(100));
        waiting.add(2, "released", 7, frames(200));
        waiting.add(3, "another sound", 8, frames(200));
        assert!(waiting.release(&2, frames(500)));
        assert!(waiting.release(&2, frames(900)), "it is released once");
        assert!(!waiting.release(&4, frames(500)));
        assert_eq!(waiting.take(7), [("held", None), ("released", Some(frames(300)))]);
        assert_eq!(waiting.sounds().collect::<Vec<_>>(), [8]);
        assert_eq!(waiting.take(7), []);
    }

    #[test]
    fn all_notes_are_released_at_once_but_those_that_were_before() {
        let mut waiting = WaitingNotes::default();
        waiting.add(1, "first", 7, Frames::new(100));
        waiting.add(2, "second", 7, Frames::new(200));
        assert!(waiting.release(&1, Frames::new(150)));
        waiting.release_all(Frames::new(500));
        assert_eq!(waiting.take(7), [("first", Some(Frames::new(50))), ("second", Some(Frames::new(300)))]);
    }

    #[test]
    fn the_oldest_of_too_many_makes_room() {
        let mut waiting = WaitingNotes::default();
        for id in 0..=MAX_WAITING {
            waiting.add(id, id, 0, Frames::ZERO);
        }
        let notes = waiting.take(0);
        assert_eq!((notes.len(), notes[0].0), (MAX_WAITING, 1));
    }
}
