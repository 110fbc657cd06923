//! Frames that are decoded packet by packet: trimmed, bounded, paid for, and mixed down if there are too many channels.
//!
//! ```text
//! packet │ packet │ packet │ …      decoded, full scale −1..=1
//!   skip │ frames that are kept │ frames after the end
//! ```

use song::Planes;

use super::mix::Matrix;
use super::plane_builder::PlaneBuilder;
use crate::Error;
use crate::budget::DecodeBudget;

/// A value of a recording, as decoded packets give it.
pub(super) trait PacketValue: Copy {
    /// Converts a value of full scale −1..=1.
    fn of(value: f32) -> Self;
}

impl PacketValue for f32 {
    fn of(value: f32) -> Self {
        value
    }
}

impl PacketValue for i16 {
    fn of(value: f32) -> Self {
        sixteen(value)
    }
}

/// The frames of a stream of packets.
pub(super) struct PacketDecoder<'a, T> {
    planes: PlaneBuilder<'a, T>,
    matrix: Option<Matrix>,
    /// Frames still to be left out, and the most that are kept.
    skip: usize,
    most: u64,
}

impl<'a, T: PacketValue> PacketDecoder<'a, T> {
    /// Leaves `skip` frames out and ends after `most`.
    pub(super) fn new(channels: u16, skip: u64, most: Option<u64>, budget: &'a mut DecodeBudget) -> Self {
        Self {
            planes: PlaneBuilder::new(usize::from(channels).min(2), most, budget),
            matrix: (channels > 2).then(|| Matrix::of(channels, 0)),
            skip: usize::try_from(skip).unwrap_or(usize::MAX),
            most: most.unwrap_or(u64::MAX),
        }
    }

    /// Returns whether no more frames are wanted.
    pub(super) fn is_full(&self) -> bool {
        u64::try_from(self.planes.length()).is_ok_and(|length| length >= self.most)
    }

    /// Goes on with the planes of a packet. Channels that it lacks are silent.
    pub(super) fn push(&mut self, planes: &[Vec<f32>]) -> Result<(), Error> {
        let frames = planes.first().map_or(0, Vec::len);
        let skipped = frames.min(self.skip);
        self.skip = self.skip.saturating_sub(skipped);
        let length = u64::try_from(self.planes.length()).unwrap_or(u64::MAX);
        let wanted = usize::try_from(self.most.saturating_sub(length)).unwrap_or(usize::MAX);
        let kept = frames.saturating_sub(skipped).min(wanted);
        self.planes.make_room(kept)?;
        if let Some(matrix) = &self.matrix {
            for frame in skipped..skipped.saturating_add(kept) {
                let values = planes.iter().map(|plane| plane.get(frame).copied().unwrap_or_default());
                for (plane, mixed) in self.planes.planes().iter_mut().zip(matrix.mix(values)) {
                    plane.push(T::of(mixed));
                }
            }
            return Ok(());
        }
        for (number, plane) in self.planes.planes().iter_mut().enumerate() {
            let values = planes.get(number).and_then(|values| values.get(skipped..)).unwrap_or_default();
            let values = values.get(..kept).unwrap_or(values);
            let end = plane.len().saturating_add(kept);
            plane.extend(values.iter().map(|value| T::of(*value)));
            plane.resize(end, T::of(0.0));
        }
        Ok(())
    }

    /// Gives back what was spent on something that is gone.
    pub(super) fn give_back(&mut self, bytes: u64) {
        self.planes.give_back(bytes);
    }

    /// Goes on with silence.
    pub(super) fn push_silence(&mut self, frames: usize) -> Result<(), Error> {
        let planes = vec![vec![0.0; frames]; self.planes.planes().len().max(1)];
        self.push(&planes)
    }

    pub(super) fn finish(self, at: u64) -> Result<Planes<T>, Error> {
        self.planes.finish(at)
    }
}

/// Returns the nearest value of 16 bits, of two as near the even one.
#[inline]
pub(super) fn sixteen(value: f32) -> i16 {
    // Beside a number of this size the steps of a float are whole ones, and its low bits count them.
    const WHOLE_STEPS: f32 = 12_582_912.0;
    let scaled = (value * 32_768.0).clamp(-32_768.0, 32_767.0);
    let [low, high, ..] = (scaled + WHOLE_STEPS).to_bits().to_le_bytes();
    i16::from_le_bytes([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_16_bits_are_the_nearest_even_where_two_are() {
        let exact = |value: f32| (value * 32_768.0).round_ties_even().clamp(-32_768.0, 32_767.0) as i16;
        let steps = (-140_000..=140_000).map(|quarters| quarters as f32 / 4.0 / 32_768.0);
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e-30, f32::MAX, f32::MIN, 0.999_99];
        for value in steps.chain(odd) {
            assert_eq!(sixteen(value), exact(value), "{value}");
        }
    }
}
