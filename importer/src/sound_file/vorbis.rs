//! Vorbis that is stored without Ogg, as its packets.

use super::SoundFile;
use crate::budget::DecodeBudget;
use crate::codec::{self, Described, VorbisStream};
use crate::payload_reader::PayloadReader;
use crate::{Codec, Error, Format, Sound};

impl SoundFile {
    /// Returns whether a sound is Vorbis that is stored without Ogg, so that [`SoundFile::vorbis`] has its packets.
    #[must_use]
    pub fn is_bare_vorbis(sound: &Sound) -> bool {
        sound.format() != Some(Format::Ogg) && sound.audio().is_some_and(|audio| audio.codec == Codec::Vorbis)
    }

    /// Returns the packets of a sound that is Vorbis outside of Ogg, as sound banks have it; none of any other.
    ///
    /// # Errors
    /// If there is no sound of that number, its status is not ok, or its bytes cannot be read.
    pub fn vorbis(&self, number: usize) -> Result<Option<VorbisStream>, Error> {
        let sound = self.sound(number)?;
        let stated = self.banks().and_then(|banks| banks.stated_header(number));
        let (Some(recording), crate::Status::Ok) = (sound.recording(), &sound.status) else {
            return Err(Error::Sound(sound.status.clone()));
        };
        let Some(payload) = recording.payload else { return Err(Error::Sound(sound.status.clone())) };
        let mut left = DecodeBudget::new(self.budget.decoded, self.budget.shared.as_ref());
        let packets = PayloadReader::open(self.source(), payload, &self.work, |reader| {
            let described: Described = match stated {
                Some(header) => codec::describe_stated(reader, header)?,
                None => codec::describe(reader, recording.format, &recording.channels)?,
            };
            Ok(codec::vorbis_packets(reader, &described, &mut left))
        });
        packets?
    }
}
