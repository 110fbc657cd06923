use std::fmt;

use exporter::wav::{WavError, WavReadError};

/// Bytes of a recording.
pub(super) const MAX_BYTES: u64 = 0x7FFF_0000;

/// Errors of reading a recording for a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file cannot be read.
    Read(WavReadError),
    /// The file is of no format that is decoded, or damaged.
    Decode(importer::Error),
    /// The recording cannot be written as a WAV file.
    Write(WavError),
    /// The file is of a format that cannot be kept; its format.
    Keep(&'static str),
    /// The file is not a WAV file that a package of Unreal Engine 1 to 3 holds; its format.
    KeepWav(String),
    /// The recording has more channels than the engine plays; their number.
    Channels(u16, u16),
    /// The sample rate is higher than the engine plays, or 0; the rate in Hz.
    Rate(u32, u32),
    /// The encoder of Opus does not take it.
    Opus(String),
    /// The recording has no frames.
    Empty,
    /// The recording has more bytes than the engine can state.
    Long(u64),
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "no WAV file that can be read: {error}"),
            Self::Decode(error) => write!(f, "is no audio file that can be read: {error}"),
            Self::Write(error) => error.fmt(f),
            Self::Keep(format) => {
                write!(f, "is {format}; only WAV and Ogg Vorbis files can be kept as they are")
            }
            Self::KeepWav(format) => {
                write!(
                    f,
                    "is {format}; these packages hold WAV files of 8 and 16 bits, of one or two channels"
                )
            }
            Self::Channels(channels, most) => {
                write!(f, "has {channels} channels; the engine takes 1 to {most}")
            }
            Self::Rate(rate, most) => write!(f, "has {rate} frames a second; the engine takes 1 to {most}"),
            Self::Opus(error) => write!(f, "is not taken by the encoder: {error}"),
            Self::Empty => f.write_str("has no frames"),
            Self::Long(bytes) => write!(f, "has {bytes} bytes; the engine takes {MAX_BYTES}"),
        }
    }
}

impl std::error::Error for RecordingError {}
