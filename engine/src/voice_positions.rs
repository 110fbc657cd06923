use song::{Frames, SampleIndex};

use crate::atomic::{AtomicU64, Ordering};
use crate::message::NoteId;

/// Where each voice was in its recording when the meter was read last. One number a voice, so none is ever half
/// written; they order nothing else, so all are relaxed.
///
/// ```text
/// bit  63         42 41           26 25             0
///      │ note       │ recording     │ frame / 16    │      of the note's number as many as find room
/// ```
#[derive(Debug)]
pub(crate) struct VoicePositions(Box<[AtomicU64]>);

/// No voice.
const EMPTY: u64 = u64::MAX;

/// Bits of a published position. A recording has at most 2^30 frames.
const FRAME: u32 = 26;
const COARSE: u32 = 4;
const RECORDING: u32 = 16;
const NOTE: u32 = u64::BITS - RECORDING - FRAME;

/// No recording: one after those that find room.
const BEYOND: u64 = (1 << RECORDING) - 1;

const fn below(bits: u32) -> u64 {
    (1 << bits) - 1
}

impl VoicePositions {
    /// For so many slots.
    pub(crate) fn new(slots: usize) -> Self {
        Self((0..slots).map(|_| AtomicU64::new(EMPTY)).collect())
    }

    /// Publishes which notes sound in the first slots, in which recordings, and where; what is known of slots after
    /// those that are given stays.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn publish(&self, voices: impl Iterator<Item = Option<(NoteId, SampleIndex, u32)>>) {
        for (place, voice) in self.0.iter().zip(voices) {
            let value = voice.map_or(EMPTY, |(note, recording, frame)| {
                // A part of a note's number will do: hardly a voice outlives four million others.
                let (note, frame) = (note.get() & below(NOTE), u64::from(frame >> COARSE) & below(FRAME));
                let recording = (recording.get() as u64).min(BEYOND);
                note << (RECORDING + FRAME) | recording << FRAME | frame
            });
            place.store(value, Ordering::Relaxed);
        }
    }

    /// Returns what is published, by slot, up to the last voice.
    #[cfg(feature = "remote")]
    pub(crate) fn values(&self) -> Vec<u64> {
        let mut values: Vec<u64> = self.0.iter().map(|place| place.load(Ordering::Relaxed)).collect();
        let last = values.iter().rposition(|value| *value != EMPTY);
        values.truncate(last.map_or(0, |last| last + 1));
        values
    }

    /// Publishes [`values`](Self::values) of others.
    #[cfg(feature = "remote")]
    pub(crate) fn replace(&self, values: &[u64]) {
        let values = values.iter().copied().chain(std::iter::repeat(EMPTY));
        self.0.iter().zip(values).for_each(|(place, value)| place.store(value, Ordering::Relaxed));
    }

    /// Returns all voices, given the number that the next note will have.
    pub(crate) fn seen(&self, next: u64) -> impl Iterator<Item = (NoteId, SampleIndex, Frames)> {
        let values = self.0.iter().map(|place| place.load(Ordering::Relaxed)).filter(|&value| value != EMPTY);
        let voices = values.map(move |value| {
            let age = next.wrapping_sub(value >> (RECORDING + FRAME)) & below(NOTE);
            let (recording, frame) = (value >> FRAME & below(RECORDING), (value & below(FRAME)) << COARSE);
            (NoteId(next.saturating_sub(age)), recording, Frames::new(frame))
        });
        voices
            .filter(|(_, recording, _)| *recording < BEYOND)
            .map(|(note, recording, frame)| (note, SampleIndex::new(recording as usize), frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voices_are_seen_where_they_are_and_with_all_of_their_number() {
        let voice_positions = VoicePositions::new(3);
        let voices = [(5, 0, 0), ((1 << 22) - 1, 9, 16), ((1 << 40) + 2, 65_534, (1 << 30) - 16)];
        for (note, recording, frame) in voices {
            let recording = SampleIndex::new(recording);
            voice_positions.publish([None, Some((NoteId(note), recording, frame + 7)), None].into_iter());
            for next in [note + 1, note + 1000] {
                let seen: Vec<_> = voice_positions.seen(next).collect();
                assert_eq!(seen, [(NoteId(note), recording, Frames::new(frame.into()))]);
            }
        }
        voice_positions.publish([None; 3].into_iter());
        assert_eq!(voice_positions.seen(9).count(), 0);
    }

    #[test]
    fn a_recording_that_finds_no_room_is_not_taken_for_another() {
        let voice_positions = VoicePositions::new(1);
        voice_positions.publish([Some((NoteId(1), SampleIndex::new(70_000), 0))].into_iter());
        assert_eq!(voice_positions.seen(2).count(), 0);
    }
}
