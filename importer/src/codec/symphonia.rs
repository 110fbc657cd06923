//! Frames that a decoder of another library gives: bounded, trimmed, paid for, and mixed down if there are too many
//! channels. What such a library does with hostile bytes is not ours to say, so it may fail in any way but one:
//! it cannot take the program with it.

use dasp_sample::Sample as _;
use song::Planes;
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Result as Theirs;
use symphonia::core::packet::PacketRef;
use symphonia::core::units::{Duration, Timestamp};

use super::mix::Matrix;
use super::plane_builder::PlaneBuilder;
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::{Damage, Error};

/// A decoder of the library.
pub(super) struct SymphoniaDecoder {
    decoder: Box<dyn AudioDecoder>,
    /// The last packet's planes, kept for their memory.
    planes: Vec<Vec<f32>>,
}

impl SymphoniaDecoder {
    /// # Errors
    /// If the headers in the parameters make no sense.
    pub(super) fn new(parameters: &AudioCodecParameters, at: u64) -> Result<Self, Damage> {
        let options = AudioDecoderOptions::default().gapless(false);
        let made = guarded(|| symphonia::default::get_codecs().make_audio_decoder(parameters, &options));
        let decoder = made.map_err(|what| malformed(at, what))?;
        Ok(Self { decoder, planes: Vec::new() })
    }

    /// Returns the planes of a packet, full scale −1..=1, in the order of the bits of a speaker mask.
    ///
    /// # Errors
    /// If the packet makes no sense.
    pub(super) fn decode(&mut self, packet: &[u8], at: u64) -> Result<&[Vec<f32>], Damage> {
        let Self { decoder, planes } = self;
        let packet = PacketRef::new(0, Timestamp::ZERO, Duration::ZERO, packet);
        let decoded = guarded(|| {
            let decoded = decoder.decode_ref(&packet)?;
            decoded.copy_to_vecs_planar(planes);
            Ok(())
        });
        decoded.map_err(|what| malformed(at, what))?;
        Ok(planes)
    }
}

/// Runs the library's code; a panic in it becomes an error.
pub(super) fn guarded<T>(work: impl FnOnce() -> Theirs<T>) -> Result<T, String> {
    match unreal::guarded(work) {
        Some(done) => done.map_err(|error| error.to_string()),
        None => Err("its decoder failed".to_owned()),
    }
}

/// The frames of a stream of packets.
pub(super) struct PacketDecoder<'a, T> {
    planes: PlaneBuilder<'a, T>,
    matrix: Option<Matrix>,
    value: fn(f32) -> T,
    /// Frames still to be left out, and the most that are kept.
    skip: usize,
    most: u64,
}

impl<'a, T> PacketDecoder<'a, T> {
    /// Leaves `skip` frames out and ends after `most`.
    pub(super) fn new(
        channels: u16,
        skip: u64,
        most: Option<u64>,
        value: fn(f32) -> T,
        budget: &'a mut DecodeBudget,
    ) -> Self {
        Self {
            planes: PlaneBuilder::new(usize::from(channels).min(2), most, budget),
            matrix: (channels > 2).then(|| Matrix::of(channels, 0)),
            value,
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
        let part = |plane: &'_ Vec<f32>| plane.iter().skip(skipped).take(kept).copied().collect::<Vec<f32>>();
        self.planes.make_room(kept)?;
        let value = self.value;
        if let Some(matrix) = &self.matrix {
            let planes: Vec<Vec<f32>> = planes.iter().map(part).collect();
            for frame in 0..kept {
                let values = planes.iter().map(|plane| plane.get(frame).copied().unwrap_or_default());
                for (plane, mixed) in self.planes.planes().iter_mut().zip(matrix.mix(values)) {
                    plane.push(value(mixed));
                }
            }
            return Ok(());
        }
        for (number, plane) in self.planes.planes().iter_mut().enumerate() {
            let values = planes.get(number).into_iter().flatten().skip(skipped).take(kept);
            let end = plane.len().saturating_add(kept);
            plane.extend(values.map(|v| value(*v)));
            plane.resize_with(end, || value(0.0));
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

/// Returns the nearest value of 16 bits.
pub(super) fn sixteen(value: f32) -> i16 {
    let whole = (value * 32_768.0).round_ties_even().clamp(-32_768.0, 32_767.0);
    (whole / 32_768.0).to_sample()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_and_is_guarded_only_while_the_library_runs() {
        let mut inside = false;
        let failed = guarded::<()>(|| {
            inside = unreal::is_guarded();
            // Not by the macro: its message would be printed among those of the tests.
            std::panic::resume_unwind(Box::new(()))
        });
        assert_eq!(failed, Err("its decoder failed".to_owned()));
        assert!(inside && !unreal::is_guarded());
        assert_eq!(guarded(|| Ok(unreal::is_guarded())), Ok(true));
    }
}
