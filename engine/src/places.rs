use song::Frames;

use crate::atomic::{AtomicU64, Ordering};
use crate::message::NoteId;

/// Where each voice was in its recording when the meter was read last. One number a voice, so none is ever half written;
/// they order nothing else, so all are relaxed.
#[derive(Debug)]
pub(crate) struct Places(Box<[AtomicU64]>);

/// No voice.
const EMPTY: u64 = u64::MAX;

impl Places {
    /// For so many slots.
    pub(crate) fn new(slots: usize) -> Self {
        Self((0..slots).map(|_| AtomicU64::new(EMPTY)).collect())
    }

    /// Says which notes sound in the slots, and where; there is nobody in the others.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn tell(&self, voices: impl Iterator<Item = Option<(NoteId, u32)>>) {
        for (place, voice) in self.0.iter().zip(voices) {
            // Half of a note's number will do: no voice outlives four thousand million others.
            let value = voice.map_or(EMPTY, |(note, frame)| (note.get() << 32) | u64::from(frame));
            place.store(value, Ordering::Relaxed);
        }
    }

    /// All voices, given the number that the next note will have.
    pub(crate) fn seen(&self, next: u64) -> impl Iterator<Item = (NoteId, Frames)> {
        let values = self.0.iter().map(|place| place.load(Ordering::Relaxed)).filter(|&value| value != EMPTY);
        values.map(move |value| {
            let behind = (next as u32).wrapping_sub((value >> 32) as u32);
            (NoteId(next.saturating_sub(behind.into())), Frames::new(value & u64::from(u32::MAX)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voices_are_seen_where_they_are_and_with_all_of_their_number() {
        let places = Places::new(3);
        let told = [(5, 7), ((1 << 32) - 1, 0), ((1 << 32) + 2, u32::MAX)];
        for (note, frame) in told {
            places.tell([None, Some((NoteId(note), frame)), None].into_iter());
            for next in [note + 1, note + 1000] {
                let seen: Vec<_> = places.seen(next).collect();
                assert_eq!(seen, [(NoteId(note), Frames::new(frame.into()))]);
            }
        }
        places.tell([None; 3].into_iter());
        assert_eq!(places.seen(9).count(), 0);
    }
}
