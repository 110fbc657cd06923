//! A file of audio that is in no package: WAV, FLAC, Ogg Vorbis, MP3 and whatever else is decoded.

use song::{Origin, Sample};
use unreal::Source;
use unreal::ue1to3::bulk::Payload;

use crate::budget::DecodeBudget;
use crate::budget::WorkBudget;
use crate::codec;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Error, Format, Status, UnsupportedReason};

/// A file of audio.
#[derive(Clone, Debug)]
pub struct AudioFile {
    /// What its bytes are.
    pub format: Format,
    /// How its audio is stored: codec, rate, channels, width, frames, loops.
    pub audio: Audio,
    /// Its frames. More than two channels are mixed down to two.
    pub sample: Sample,
}

impl AudioFile {
    /// Decodes a file, which may take `most` bytes in memory.
    ///
    /// # Errors
    /// If it is of no format that is decoded, damaged, or larger.
    pub fn decode(source: &dyn Source, name: &str, most: u64) -> Result<Self, Error> {
        let (payload, work) = (Payload::plain(0, source.len()), WorkBudget::of_file(source.len(), None));
        let unsupported = |reason| Error::Sound(Status::Unsupported(reason));
        let decoded = PayloadReader::open(source, payload, &work, |reader| {
            let format = Format::of(reader)?;
            let described = codec::describe(reader, format, &[])?;
            let mut budget = DecodeBudget::new(most, None);
            let frames = codec::decode(reader, &described, &mut budget);
            Ok((format, described, frames))
        })?;
        let (format, described, frames) = decoded;
        let format = format.ok_or_else(|| unsupported(UnsupportedReason::UnknownFormat))?;
        let frames = frames?;
        let audio = described.audio.clone().ok_or_else(|| unsupported(UnsupportedReason::NoAudio))?;
        let origin = Origin { package: String::new(), group: String::new(), name: name.to_owned() };
        let sample = Sample::new(origin, frames, described.width(), audio.rate);
        let sample = match described.tuning {
            Some(tuning) => sample.with_root(tuning.root, tuning.above),
            None => sample,
        };
        let length = sample.length();
        // A stream may end before it said it would; its loops then lead nowhere.
        let loops = audio.loops.iter().copied().filter(|range| range.end() <= length).collect();
        Ok(Self { format, audio, sample: sample.with_loops(loops)? })
    }
}
