//! Decoders of another library. What such a library does with hostile bytes is not ours to say, so it may fail in any
//! way but one: it cannot take the program with it.

use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Result as Theirs;
use symphonia::core::packet::PacketRef;
use symphonia::core::units::{Duration, Timestamp};

use crate::Damage;
use crate::error::malformed;

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
