//! Frames while they are being decoded, and what they may take.

use dasp_sample::Sample as _;
use song::{Planes, Recording};

use super::malformed;
use super::mix::Matrix;
use crate::Error;
use crate::budget::DecodeBudget;

/// Planes that grow; each frame is paid for before there is room for it.
#[derive(Debug)]
pub(super) struct PlaneBuilder<'a, T> {
    planes: Vec<Vec<T>>,
    budget: &'a mut DecodeBudget,
    /// Frames that will come, as far as is known: a hint that keeps memory from being moved about.
    expected: usize,
}

impl<'a, T> PlaneBuilder<'a, T> {
    pub(super) fn new(channels: usize, expected: Option<u64>, budget: &'a mut DecodeBudget) -> Self {
        let mut planes = Vec::new();
        planes.resize_with(channels, Vec::new);
        let expected = expected.and_then(|frames| usize::try_from(frames).ok()).unwrap_or(usize::MAX);
        Self { planes, budget, expected }
    }

    /// Returns the number of frames so far.
    pub(super) fn length(&self) -> usize {
        self.planes.first().map_or(0, Vec::len)
    }

    /// Pays for so many more frames and makes room for them. Room for more than twice what is there is never made on
    /// a hint alone.
    pub(super) fn make_room(&mut self, frames: usize) -> Result<(), Error> {
        let values = frames.saturating_mul(self.planes.len());
        self.budget.take(u64::try_from(values.saturating_mul(size_of::<T>())).unwrap_or(u64::MAX))?;
        for plane in &mut self.planes {
            if plane.capacity().saturating_sub(plane.len()) < frames {
                let hint = plane.len().min(self.expected.saturating_sub(plane.len()));
                plane.reserve_exact(frames.max(hint));
            }
        }
        Ok(())
    }

    /// Gives back what was spent on something else that is gone.
    pub(super) fn give_back(&mut self, bytes: u64) {
        self.budget.give_back(bytes);
    }

    /// Returns the planes, to push what room was made for.
    pub(super) fn planes(&mut self) -> &mut [Vec<T>] {
        &mut self.planes
    }

    /// Adds interleaved frames, but for those that are still to be skipped and those after the first `total` of all.
    ///
    /// # Errors
    /// If they take more than is allowed.
    pub(super) fn extend_within(
        &mut self,
        values: &[T],
        skipped: &mut u64,
        total: u64,
        convert: impl Fn(T) -> T,
    ) -> Result<(), Error>
    where
        T: Copy,
    {
        let channels = self.planes.len().max(1);
        let frames = values.len().checked_div(channels).unwrap_or_default();
        let late = usize::try_from(*skipped).unwrap_or(usize::MAX).min(frames);
        *skipped = skipped.saturating_sub(late as u64);
        let left = total.saturating_sub(self.length() as u64);
        let wanted = frames.saturating_sub(late).min(usize::try_from(left).unwrap_or(usize::MAX));
        self.make_room(wanted)?;
        for (channel, plane) in self.planes.iter_mut().enumerate() {
            let values = values.iter().skip(late.saturating_mul(channels).saturating_add(channel));
            plane.extend(values.step_by(channels).take(wanted).map(|value| convert(*value)));
        }
        Ok(())
    }

    /// Drops the frames after so many.
    pub(super) fn truncate(&mut self, frames: u64) {
        if let Ok(frames) = usize::try_from(frames) {
            self.planes.iter_mut().for_each(|plane| plane.truncate(frames));
        }
    }

    /// # Errors
    /// If no frame came, or the channels differ in length.
    pub(super) fn finish(mut self, at: u64) -> Result<Planes<T>, Error> {
        self.planes.iter_mut().for_each(Vec::shrink_to_fit);
        Ok(Planes::new(self.planes).map_err(|invalid| malformed(at, invalid.to_string()))?)
    }
}

/// Takes how many frames of a round count, and their values by channel.
pub(super) type RoundSink<'s> = dyn FnMut(usize, &[Vec<i16>]) -> Result<(), Error> + 's;

/// Joins rounds of 16-bit blocks, of all channels each, to `frames` frames at most; more than two channels are mixed
/// down to two. `at` is the offset of the recording, `mask` says which speakers its channels are.
///
/// # Errors
/// Those of the rounds, and if the frames take more than is allowed.
pub(super) fn gather(
    (channels, mask): (u16, u32),
    (at, frames): (u64, u64),
    budget: &mut DecodeBudget,
    rounds: impl FnOnce(&mut RoundSink<'_>) -> Result<(), Error>,
) -> Result<Recording, Error> {
    if channels > 2 {
        let matrix = Matrix::of(channels, mask);
        let mut builder = PlaneBuilder::new(2, Some(frames), budget);
        rounds(&mut |frames, decoded| {
            builder.make_room(frames)?;
            for frame in 0..frames {
                let values = decoded.iter().map(|plane| plane.get(frame).map_or(0.0, |v| v.to_sample()));
                for (plane, mixed) in builder.planes().iter_mut().zip(matrix.mix(values)) {
                    plane.push(mixed);
                }
            }
            Ok(())
        })?;
        builder.truncate(frames);
        return builder.finish(at).map(Recording::F32);
    }
    let mut builder = PlaneBuilder::new(usize::from(channels), Some(frames), budget);
    rounds(&mut |frames, decoded| {
        builder.make_room(frames)?;
        for (plane, values) in builder.planes().iter_mut().zip(decoded) {
            plane.extend(values.iter().take(frames));
        }
        Ok(())
    })?;
    builder.truncate(frames);
    builder.finish(at).map(Recording::I16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_is_not_paid_for_finds_no_room() {
        let mut budget = DecodeBudget::new(10, None);
        let mut planes = PlaneBuilder::<i16>::new(2, None, &mut budget);
        planes.make_room(2).unwrap();
        assert!(matches!(planes.make_room(1), Err(Error::OverLimit { needed: 4, left: 2 })));
    }

    #[test]
    fn no_more_than_twice_what_is_there_is_held_on_a_hint() {
        let mut budget = DecodeBudget::new(1 << 30, None);
        let mut planes = PlaneBuilder::<i16>::new(1, Some(u64::MAX), &mut budget);
        for _ in 0..10 {
            planes.make_room(100).unwrap();
            planes.planes()[0].extend([0; 100]);
            assert!(planes.planes()[0].capacity() <= 2 * planes.length());
        }
    }
}
