//! Recordings that take the place of sounds.

use std::io::Read;

use exporter::wav::{WavReader, of_sample};
use importer::{AudioFile, Codec};
use song::{Hz, LoopRange, Recording as Frames, Sample};
use unreal::Memory;
use unreal::ue4to6::class::sound_wave::{MAX_CHUNK, NewCodec, NewRecording};

use super::recording_error::{MAX_BYTES, RecordingError};
use super::riff::{data_offset, riff};
use super::{convert, opus};

/// A recording as games store it.
#[derive(Clone, Debug)]
pub struct EncodedRecording {
    channels: u16,
    rate: u32,
    frames: u64,
    codec: NewCodec,
    header: Vec<u8>,
    data: Vec<u8>,
    /// End offsets of the chunks of the data.
    ends: Vec<usize>,
    /// The whole of it as a file, as the editor stores it: a WAV file unless the file was to be kept.
    file: Vec<u8>,
    loops: Vec<LoopRange>,
    conversion: Option<String>,
}

/// Memory that a file may take when it is decoded.
pub(super) const DECODED: u64 = 2 << 30;

/// Channels that the engine plays.
const MAX_CHANNELS: u16 = 8;
/// Frames in a second that it plays.
const MAX_RATE: u32 = 192_000;
/// Frames in a second that are resampled; no recorder writes more. The kernel grows with them, even if the header lies.
const MAX_RESAMPLED_RATE: u32 = 8 * MAX_RATE;
impl EncodedRecording {
    /// Reads a file of audio. One that is no 16-bit WAV file is converted: see [`EncodedRecording::conversion`].
    ///
    /// # Errors
    /// [`RecordingError`] if it cannot be read, or games take no such recording.
    pub fn read(file: impl Read) -> Result<Self, RecordingError> {
        let mut bytes = Vec::new();
        file.take(MAX_BYTES.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| RecordingError::Decode(unreal::Error::from(error).into()))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(RecordingError::Long(bytes.len() as u64));
        }
        Self::of_file(bytes)
    }

    /// Takes the bytes of a file, as [`EncodedRecording::read`] does.
    ///
    /// # Errors
    /// As [`EncodedRecording::read`].
    pub fn of_file(bytes: Vec<u8>) -> Result<Self, RecordingError> {
        let decoded = || AudioFile::decode(&Memory(&bytes[..]), "", DECODED);
        let wav = WavReader::new(&bytes[..]).ok().filter(|wav| wav.is_integer() && wav.bits() == 16);
        let Some(wav) = wav else {
            let file = decoded().map_err(RecordingError::Decode)?;
            let stored = describe(&file);
            let converted = format!("{stored}, converted to 16-bit PCM");
            return match playable(file.sample.rate())? {
                None => {
                    let recording = Self::of_sample(&convert::of_16_bits(&file.sample))?;
                    Ok(Self { conversion: Some(converted), ..recording })
                }
                Some(rate) => Self::of_file_at(&file, rate, &converted),
            };
        };
        let (channels, rate) = (wav.channels(), wav.rate());
        if rate > MAX_RATE
            && let Ok(file) = decoded()
            && let Some(rate) = playable(file.sample.rate())?
        {
            return Self::of_file_at(&file, rate, &describe(&file));
        }
        let data = wav.into_bytes_of_16_bits().map_err(RecordingError::Read)?;
        // More than two channels are stored as they are, and their loops with them.
        let loops = decoded().map(|file| file.sample.loops().to_vec()).unwrap_or_default();
        Self::of_pcm(channels, rate, data, bytes, loops)
    }

    /// Takes a file at another rate; `conversion` is what else was done to it.
    fn of_file_at(file: &AudioFile, rate: Hz, conversion: &str) -> Result<Self, RecordingError> {
        let resampled = Self::of_sample(&convert::of_16_bits(&convert::resampled(&file.sample, rate)))?;
        let conversion = Some(format!("{conversion}, resampled to {} Hz", rate.get()));
        Ok(Self { conversion, ..resampled })
    }

    /// Takes a sample of 16 bits.
    fn of_sample(sample: &Sample) -> Result<Self, RecordingError> {
        let file = of_sample(sample).map_err(RecordingError::Write)?;
        let channels = u16::try_from(sample.recording().channels()).unwrap_or(u16::MAX);
        let data = match sample.recording() {
            Frames::I16(planes) => {
                let frames = planes.left().iter().zip(planes.right());
                let values = frames.flat_map(|(left, right)| [left, right].into_iter().take(channels.into()));
                values.flat_map(|value| value.to_le_bytes()).collect()
            }
            Frames::F32(_) => Vec::new(),
        };
        Self::of_pcm(channels, sample.rate().get(), data, file, sample.loops().to_vec())
    }

    /// Takes PCM of 16 bits, interleaved, low bytes first, and the same as a file.
    fn of_pcm(
        channels: u16,
        rate: u32,
        data: Vec<u8>,
        file: Vec<u8>,
        loops: Vec<LoopRange>,
    ) -> Result<Self, RecordingError> {
        check(channels, rate, data.len() as u64)?;
        let frames = data.len() as u64 / 2 / u64::from(channels);
        if frames == 0 {
            return Err(RecordingError::Empty);
        }
        let header = riff(channels, rate, data.len());
        let ends = ends_of(data.len());
        let codec = NewCodec::Pcm;
        Ok(Self { channels, rate, frames, codec, header, data, ends, file, loops, conversion: None })
    }

    /// Takes the bytes of a WAV or Ogg Vorbis file as they are.
    ///
    /// # Errors
    /// [`RecordingError`] if it is another file, cannot be read, or games take no such recording.
    pub fn kept(bytes: Vec<u8>) -> Result<Self, RecordingError> {
        let file = AudioFile::decode(&Memory(&bytes[..]), "", DECODED).map_err(RecordingError::Decode)?;
        let (codec, header) = match file.format {
            importer::Format::Wav => (NewCodec::Wav, data_offset(&bytes)),
            // As long as the engine makes the first chunk, which stays in memory.
            importer::Format::Ogg => (NewCodec::Vorbis, bytes.len().min(6144)),
            other => return Err(RecordingError::Keep(other.name())),
        };
        let (channels, rate) = (file.audio.channels, file.audio.rate.get());
        check(channels, rate, bytes.len() as u64)?;
        let (header, data) = bytes.split_at(header);
        let (header, data, loops) = (header.to_vec(), data.to_vec(), file.sample.loops().to_vec());
        let (frames, ends) = (file.sample.length().get(), ends_of(data.len()));
        Ok(Self { channels, rate, frames, codec, header, data, ends, file: bytes, loops, conversion: None })
    }

    /// Returns it compressed, as games of late releases of Unreal Engine 5 have it; resampled if Opus has no such rate.
    ///
    /// # Errors
    /// [`RecordingError`] if it has more channels than are compressed.
    pub fn into_opus(self) -> Result<Self, RecordingError> {
        const RATE: u32 = 48_000;
        if opus::RATES.contains(&self.rate) {
            let opus::Encoded { header, data, ends } = opus::encode(self.channels, self.rate, &self.data)?;
            let conversion = self.conversion.map(|conversion| format!("{conversion}, compressed as Opus"));
            return Ok(Self { codec: NewCodec::Opus, header, data, ends, conversion, ..self });
        }
        if self.channels > 2 {
            return Err(RecordingError::Channels(self.channels, 2));
        }
        let resampled = self.resampled(RATE)?;
        let opus::Encoded { header, data, ends } = opus::encode(resampled.channels, RATE, &resampled.data)?;
        let conversion = resampled.conversion.map(|conversion| format!("{conversion}, compressed as Opus"));
        Ok(Self { codec: NewCodec::Opus, header, data, ends, conversion, ..resampled })
    }

    /// Returns it at another rate.
    ///
    /// # Errors
    /// As [`EncodedRecording::of_file`].
    pub(super) fn resampled(self, rate: u32) -> Result<Self, RecordingError> {
        let file = AudioFile::decode(&Memory(&self.file[..]), "", DECODED).map_err(RecordingError::Decode)?;
        let hz = Hz::new(rate).map_err(|_| RecordingError::Rate(rate, MAX_RATE))?;
        let before = self.conversion.unwrap_or_else(|| describe(&file));
        Self::of_file_at(&file, hz, &before)
    }

    /// Returns its channels.
    pub(super) const fn channels(&self) -> u16 {
        self.channels
    }

    /// Returns its data: of PCM interleaved values of 16 bits, low bytes first.
    pub(super) fn data(&self) -> &[u8] {
        &self.data
    }

    /// Returns its frames in a second.
    pub(super) const fn rate(&self) -> u32 {
        self.rate
    }

    /// Returns what was converted: `24-bit 44100 Hz stereo FLAC, converted to 16-bit PCM`; none if nothing was.
    #[must_use]
    pub fn conversion(&self) -> Option<&str> {
        self.conversion.as_deref()
    }

    /// Returns its loops, in frames.
    #[must_use]
    pub fn loops(&self) -> &[LoopRange] {
        &self.loops
    }

    /// Returns it as a file: a WAV file, with its loops, unless another was to be kept.
    #[must_use]
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Returns how many frames it has.
    #[must_use]
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns it as it is written into a package.
    pub(super) fn as_new<'r>(&'r self, chunks: &'r [&'r [u8]]) -> NewRecording<'r> {
        let Self { codec, channels, rate, frames, .. } = *self;
        let loops = !self.loops.is_empty();
        NewRecording { codec, header: &self.header, chunks, file: &self.file, channels, rate, frames, loops }
    }

    /// Returns its data, in chunks.
    pub(super) fn chunks(&self) -> Vec<&[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.data[start..*end]).collect()
    }
}

/// Returns the rate at which the engine plays what has more frames in a second than it takes: halved until it
/// does. None if it takes them as they are.
///
/// # Errors
/// [`RecordingError::Rate`] if it is above [`MAX_RESAMPLED_RATE`].
fn playable(rate: Hz) -> Result<Option<Hz>, RecordingError> {
    if rate.get() > MAX_RESAMPLED_RATE {
        return Err(RecordingError::Rate(rate.get(), MAX_RATE));
    }
    let mut halved = rate.get();
    while halved > MAX_RATE {
        halved = halved.div_ceil(2);
    }
    Ok(Hz::new(halved).ok().filter(|halved| *halved != rate))
}

/// Returns how the audio of a file is stored, in words, and whether it was mixed down when it was decoded.
pub(super) fn describe(file: &AudioFile) -> String {
    let audio = &file.audio;
    let bits = audio.bits.map_or_else(String::new, |bits| format!("{bits}-bit "));
    let channels = match audio.channels {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        channels => format!("{channels}-channel"),
    };
    let mixed = if audio.channels > 2 { ", mixed to stereo" } else { "" };
    format!("{bits}{} Hz {channels} {}{mixed}", audio.rate.get(), title(audio.codec))
}

/// Returns what people call a codec.
fn title(codec: Codec) -> String {
    let title = match codec {
        Codec::PcmU8 | Codec::PcmS8 | Codec::PcmS16 | Codec::PcmS24 | Codec::PcmS32 => "PCM",
        Codec::PcmF32 | Codec::PcmF64 => "float PCM",
        Codec::Mp1 | Codec::Mp2 | Codec::Mp3 => return codec.name().to_uppercase(),
        Codec::Vorbis => "Ogg Vorbis",
        Codec::Flac => "FLAC",
        other => return other.name(),
    };
    title.to_owned()
}

fn check(channels: u16, rate: u32, bytes: u64) -> Result<(), RecordingError> {
    match () {
        () if channels == 0 || channels > MAX_CHANNELS => {
            Err(RecordingError::Channels(channels, MAX_CHANNELS))
        }
        () if rate == 0 || rate > MAX_RATE => Err(RecordingError::Rate(rate, MAX_RATE)),
        () if bytes > MAX_BYTES => Err(RecordingError::Long(bytes)),
        () => Ok(()),
    }
}

/// Returns where chunks of so many bytes end.
fn ends_of(bytes: usize) -> Vec<usize> {
    (0..bytes).step_by(MAX_CHUNK).map(|at| (at + MAX_CHUNK).min(bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_rates_and_sizes_end_where_the_engine_does() {
        assert!(check(1, 1, 0).is_ok());
        assert!(check(MAX_CHANNELS, MAX_RATE, MAX_BYTES).is_ok());
        for channels in [0, MAX_CHANNELS + 1] {
            assert!(
                matches!(check(channels, 48_000, 4), Err(RecordingError::Channels(found, _)) if found == channels)
            );
        }
        for rate in [0, MAX_RATE + 1] {
            assert!(matches!(check(2, rate, 4), Err(RecordingError::Rate(found, _)) if found == rate));
        }
        let long = MAX_BYTES + 1;
        assert!(matches!(check(2, 48_000, long), Err(RecordingError::Long(found)) if found == long));
    }

    #[test]
    fn a_rate_that_no_recorder_has_is_refused_before_it_is_resampled() {
        let at = |rate| EncodedRecording::of_file([riff(1, rate, 800), vec![7; 800]].concat());
        assert_eq!(at(MAX_RESAMPLED_RATE).unwrap().rate, MAX_RATE);
        for rate in [MAX_RESAMPLED_RATE + 1, 2_000_000_000] {
            assert!(
                matches!(at(rate), Err(RecordingError::Rate(found, MAX_RATE)) if found == rate),
                "{rate}"
            );
        }
    }

    #[test]
    fn a_recording_becomes_opus_at_its_rate_or_at_the_usual_one() {
        for (rate, expected) in [(24_000_u32, 24_000), (44_100, 48_000)] {
            let samples: Vec<u8> = (0..rate).flat_map(|n| ((n * 37 % 2000) as i16).to_le_bytes()).collect();
            let file = [riff(1, rate, samples.len()), samples.clone()].concat();
            let recording = EncodedRecording::of_file(file).unwrap();
            assert_eq!((recording.codec, recording.frames), (NewCodec::Pcm, u64::from(rate)));
            let opus = recording.into_opus().unwrap();
            assert_eq!((opus.codec, opus.rate, opus.channels), (NewCodec::Opus, expected, 1));
            assert_eq!(opus.frames, u64::from(expected));
            assert!(opus.header.starts_with(b"UEOPUS\0\0") && opus.header[10..14] == expected.to_le_bytes());
            // A second is far smaller than its samples, and its chunks hold all of it.
            assert!((1000..samples.len() / 2).contains(&opus.data.len()), "{}", opus.data.len());
            assert_eq!(opus.chunks().concat(), opus.data);
            assert_eq!(opus.ends.last(), Some(&opus.data.len()));
        }
    }
}
