//! Recordings that take the place of sounds.

use std::fmt;
use std::io::Read;

use exporter::wav::{WavReadError, WavReader};
use unreal::class::sound_wave::{MAX_CHUNK, NewCodec, NewRecording};

use super::opus;

/// A recording of 16 bits.
#[derive(Clone, Debug)]
pub struct Recording {
    channels: u16,
    rate: u32,
    frames: u64,
    codec: NewCodec,
    header: Vec<u8>,
    data: Vec<u8>,
    /// Where chunks of the data end.
    ends: Vec<usize>,
}

/// Why a WAV file is no recording for a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// It cannot be read.
    Read(WavReadError),
    /// It is not PCM of so many bits as the engine plays.
    Bits(u16),
    /// It has more channels than the engine plays; how many these are.
    Channels(u16, u16),
    /// It has more frames in a second than the engine plays, or none; how many these are.
    Rate(u32, u32),
    /// Opus has no such rate.
    OpusRate(u32),
    /// The encoder of Opus does not take it.
    Opus(String),
    /// It has no frames.
    Empty,
    /// It has more bytes than the engine can state.
    Long(u64),
}

/// Channels that the engine plays.
const MAX_CHANNELS: u16 = 8;
/// Frames in a second that it plays.
const MAX_RATE: u32 = 192_000;
/// Bytes of a recording.
const MAX_BYTES: u64 = 0x7FFF_0000;

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "no WAV file that can be read: {error}"),
            Self::Bits(bits) => write!(f, "has samples of {bits} bits; the engine takes PCM of 16"),
            Self::Channels(channels, most) => {
                write!(f, "has {channels} channels; the engine takes 1 to {most}")
            }
            Self::Rate(rate, most) => write!(f, "has {rate} frames a second; the engine takes 1 to {most}"),
            Self::OpusRate(rate) => {
                write!(f, "has {rate} frames a second; Opus has 8000, 12000, 16000, 24000 or 48000")
            }
            Self::Opus(error) => write!(f, "is not taken by the encoder: {error}"),
            Self::Empty => f.write_str("has no frames"),
            Self::Long(bytes) => write!(f, "has {bytes} bytes; the engine takes {MAX_BYTES}"),
        }
    }
}

impl std::error::Error for RecordingError {}

impl Recording {
    /// Reads a WAV file.
    ///
    /// # Errors
    /// [`RecordingError`] if it cannot be read, or games take no such recording.
    pub fn read(file: impl Read) -> Result<Self, RecordingError> {
        let reader = WavReader::new(file).map_err(RecordingError::Read)?;
        let (channels, rate) = (reader.channels(), reader.rate());
        if !reader.is_integer() || reader.bits() != 16 {
            return Err(RecordingError::Bits(reader.bits()));
        }
        if channels == 0 || channels > MAX_CHANNELS {
            return Err(RecordingError::Channels(channels, MAX_CHANNELS));
        }
        if rate == 0 || rate > MAX_RATE {
            return Err(RecordingError::Rate(rate, MAX_RATE));
        }
        let bytes = reader.frames() * u64::from(channels) * 2;
        if bytes > MAX_BYTES {
            return Err(RecordingError::Long(bytes));
        }
        let data = reader.into_bytes_of_16_bits().map_err(RecordingError::Read)?;
        let frames = data.len() as u64 / 2 / u64::from(channels);
        if frames == 0 {
            return Err(RecordingError::Empty);
        }
        let header = riff(channels, rate, data.len());
        let ends = (0..data.len()).step_by(MAX_CHUNK).map(|at| (at + MAX_CHUNK).min(data.len())).collect();
        Ok(Self { channels, rate, frames, codec: NewCodec::Pcm, header, data, ends })
    }

    /// Returns it compressed, as games of late releases of Unreal Engine 5 have it.
    ///
    /// # Errors
    /// [`RecordingError`] if it has a rate or channels that Opus does not have.
    pub fn into_opus(self) -> Result<Self, RecordingError> {
        let opus::Encoded { header, data, ends } = opus::encode(self.channels, self.rate, &self.data)?;
        Ok(Self { codec: NewCodec::Opus, header, data, ends, ..self })
    }

    /// Returns how many frames it has.
    #[must_use]
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns it as it is written into a package.
    pub(super) fn as_new<'r>(&'r self, chunks: &'r [&'r [u8]]) -> NewRecording<'r> {
        let Self { codec, channels, rate, frames, .. } = *self;
        NewRecording { codec, header: &self.header, chunks, channels, rate, frames }
    }

    /// Returns its data, in chunks.
    pub(super) fn chunks(&self) -> Vec<&[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.data[start..*end]).collect()
    }
}

/// Returns what comes before samples in a RIFF file, as the engine writes it.
///
/// Source: *packages-ue4-ue6*, §11.1: 46 bytes, measured.
fn riff(channels: u16, rate: u32, bytes: usize) -> Vec<u8> {
    const PCM: u16 = 1;
    const FORMAT: u32 = 18;
    let size = u32::try_from(bytes).unwrap_or(u32::MAX);
    let frame = channels * 2;
    let mut header = Vec::with_capacity(46);
    header.extend(b"RIFF");
    header.extend(size.saturating_add(4 + 8 + FORMAT + 8).to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(FORMAT.to_le_bytes());
    header.extend(PCM.to_le_bytes());
    header.extend(channels.to_le_bytes());
    header.extend(rate.to_le_bytes());
    header.extend((rate * u32::from(frame)).to_le_bytes());
    header.extend(frame.to_le_bytes());
    header.extend(16_u16.to_le_bytes());
    // Nothing more is said of the format.
    header.extend(0_u16.to_le_bytes());
    header.extend(b"data");
    header.extend(size.to_le_bytes());
    header
}
