use std::sync::Arc;

use ringbuf::traits::{Consumer, Observer, Producer, Split};
use ringbuf::{HeapCons, HeapProd, HeapRb};

use crate::atomic::{AtomicU64, Ordering};

/// The processor's end: what it renders goes into a ring beside the device.
#[derive(Default)]
pub(crate) struct TapWriter(Option<(HeapProd<[f32; 2]>, Arc<AtomicU64>)>);

/// Where everything that is rendered can be read again, frame by frame; made by [`Processor::tap`].
///
/// [`Processor::tap`]: crate::Processor::tap
///
/// # Real-time
/// Never: for a thread that reads several times before the ring is full.
pub struct Tap {
    ring: HeapCons<[f32; 2]>,
    lost: Arc<AtomicU64>,
}

/// Returns a ring for so many frames, and both its ends.
///
/// # Real-time
/// Never: takes its memory.
#[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
pub(crate) fn tap(frames: usize) -> (TapWriter, Tap) {
    let (producer, ring) = HeapRb::new(frames.max(1)).split();
    let lost = Arc::new(AtomicU64::new(0));
    (TapWriter(Some((producer, Arc::clone(&lost)))), Tap { ring, lost })
}

impl TapWriter {
    /// Passes on what was rendered. What finds no room is lost, and counted.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn push(&mut self, left: &[f32], right: &[f32]) {
        let Some((ring, lost)) = &mut self.0 else { return };
        let frames = left.iter().zip(right).map(|(&left, &right)| [left, right]);
        let missed = left.len().saturating_sub(ring.push_iter(frames));
        if missed > 0 {
            lost.fetch_add(missed as u64, Ordering::Relaxed);
        }
    }
}

impl Tap {
    /// Returns the frames that have been rendered since it was last read, left and right; how many these are.
    pub fn read(&mut self, mut take: impl FnMut([f32; 2])) -> usize {
        let there = self.ring.occupied_len();
        self.ring.pop_iter().take(there).for_each(&mut take);
        there
    }

    /// Returns the number of frames that were lost so far because the ring was full.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for Tap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tap").field("lost", &self.lost()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tap: &mut Tap) -> Vec<[f32; 2]> {
        let mut frames = Vec::new();
        tap.read(|frame| frames.push(frame));
        frames
    }

    #[test]
    fn what_is_poured_in_can_be_read_once() {
        let (mut tap_writer, mut tap) = tap(8);
        tap_writer.push(&[1.0, 2.0], &[-1.0, -2.0]);
        tap_writer.push(&[3.0], &[-3.0]);
        assert_eq!(read(&mut tap), [[1.0, -1.0], [2.0, -2.0], [3.0, -3.0]]);
        assert_eq!((read(&mut tap).len(), tap.lost()), (0, 0));
    }

    #[test]
    fn what_finds_no_room_is_counted() {
        let (mut tap_writer, mut tap) = tap(2);
        tap_writer.push(&[1.0, 2.0, 3.0], &[0.0; 3]);
        assert_eq!((read(&mut tap).len(), tap.lost()), (2, 1));
        tap_writer.push(&[4.0], &[0.0]);
        assert_eq!((read(&mut tap), tap.lost()), (vec![[4.0, 0.0]], 1));
    }

    #[test]
    fn without_a_tap_nothing_is_kept() {
        TapWriter::default().push(&[1.0], &[1.0]);
    }
}
