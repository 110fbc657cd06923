//! A-law and µ-law: eight bits whose steps grow with the value.
//!
//! Source: ITU-T G.711.

use dasp_sample::Sample as _;
use song::Recording;

use super::mix::Matrix;
use super::plane_builder::PlaneBuilder;
use crate::Error;
use crate::budget::DecodeBudget;
use crate::payload_reader::PayloadReader;

/// Which of the two laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    A,
    Mu,
}

/// Where the values lie in a payload, and how many there are. The bytes are known to be inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct G711Params {
    pub(super) law: Law,
    pub(super) channels: u16,
    /// Which speakers the channels are for, in a file of more than two.
    pub(super) mask: u32,
    pub(super) at: u64,
    pub(super) frames: u64,
}

impl Law {
    /// Returns a value at the full scale of 16 bits: sign, three bits of a power of two, four bits of steps below it.
    pub(super) const fn value(self, byte: u8) -> i16 {
        let bits = match self {
            // Every other bit of A-law is turned over on the line, all bits of µ-law.
            Self::A => byte ^ 0x55,
            Self::Mu => !byte,
        };
        let power = (bits >> 4) & 7;
        let steps = (bits & 15) as i16;
        let magnitude = match (self, power) {
            (Self::A, 0) => (steps << 4) | 8,
            (Self::A, power) => ((steps << 4) | 0x108) << (power.saturating_sub(1)),
            (Self::Mu, power) => (((steps << 3) | 0x84) << power).wrapping_sub(0x84),
        };
        let is_negative = match self {
            Self::A => bits & 0x80 == 0,
            Self::Mu => bits & 0x80 != 0,
        };
        if is_negative { magnitude.wrapping_neg() } else { magnitude }
    }
}

impl G711Params {
    /// Decodes all frames, more than two channels mixed down to two.
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        if self.channels > 2 {
            let matrix = Matrix::of(self.channels, self.mask);
            let mut planes = PlaneBuilder::new(2, Some(self.frames), budget);
            self.each_block(reader, |frames, values| {
                planes.make_room(frames)?;
                for frame in values {
                    let mixed = matrix.mix(frame.iter().map(|byte| self.law.value(*byte).to_sample()));
                    for (plane, value) in planes.planes().iter_mut().zip(mixed) {
                        plane.push(value);
                    }
                }
                Ok(())
            })?;
            return planes.finish(self.at).map(Recording::F32);
        }
        let mut planes = PlaneBuilder::new(usize::from(self.channels), Some(self.frames), budget);
        self.each_block(reader, |frames, values| {
            planes.make_room(frames)?;
            for frame in values {
                for (plane, &byte) in planes.planes().iter_mut().zip(frame) {
                    plane.push(self.law.value(byte));
                }
            }
            Ok(())
        })?;
        planes.finish(self.at).map(Recording::I16)
    }

    /// Hands out a number of frames and the bytes of each, again and again.
    fn each_block(
        &self,
        reader: &PayloadReader<'_>,
        mut with: impl FnMut(usize, std::slice::ChunksExact<'_, u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        const BLOCK: u64 = 1 << 16;
        let channels = u64::from(self.channels);
        let most = BLOCK.checked_div(channels).unwrap_or_default().max(1);
        let mut done: u64 = 0;
        while done < self.frames {
            let block = most.min(self.frames.saturating_sub(done));
            let at = self.at.saturating_add(done.saturating_mul(channels));
            let bytes = reader.bytes(at, block.saturating_mul(channels))?;
            let values = bytes.chunks_exact(usize::from(self.channels));
            with(usize::try_from(block).unwrap_or(usize::MAX), values)?;
            done = done.saturating_add(block);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_both_laws_are_where_the_recommendation_has_them() {
        assert_eq!([0xFF, 0x7F, 0x80, 0x00].map(|byte| Law::Mu.value(byte)), [0, 0, 32124, -32124]);
        assert_eq!([0xD5, 0x55, 0xAA, 0x2A].map(|byte| Law::A.value(byte)), [8, -8, 32256, -32256]);
    }

    #[test]
    fn values_grow_with_their_codes() {
        for law in [Law::A, Law::Mu] {
            let mut values: Vec<i16> = (0..=255).map(|byte| law.value(byte)).collect();
            values.sort_unstable();
            assert!(values.iter().zip(values.iter().rev()).all(|(a, b)| i32::from(*a) == -i32::from(*b)));
        }
    }
}
