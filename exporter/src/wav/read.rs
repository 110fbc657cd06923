//! WAV files that are read: those that a user gives.

use std::fmt;
use std::io::Read;

/// A WAV file.
pub struct WavReader<R> {
    reader: hound::WavReader<R>,
}

/// Why a file is no WAV file that can be read.
#[derive(Debug)]
pub struct WavReadError(hound::Error);

impl fmt::Display for WavReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for WavReadError {}

impl<R: Read> WavReader<R> {
    /// Reads the head of a file.
    ///
    /// # Errors
    /// [`WavReadError`] if it is none, or is compressed.
    pub fn new(file: R) -> Result<Self, WavReadError> {
        Ok(Self { reader: hound::WavReader::new(file).map_err(WavReadError)? })
    }

    /// Returns how many channels it has.
    #[must_use]
    pub fn channels(&self) -> u16 {
        self.reader.spec().channels
    }

    /// Returns its frames in a second.
    #[must_use]
    pub fn rate(&self) -> u32 {
        self.reader.spec().sample_rate
    }

    /// Returns the bits of a sample.
    #[must_use]
    pub fn bits(&self) -> u16 {
        self.reader.spec().bits_per_sample
    }

    /// Returns whether samples are integers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.reader.spec().sample_format == hound::SampleFormat::Int
    }

    /// Returns how many frames it says it has.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.reader.duration().into()
    }

    /// Returns the samples of 16 bits, channels interleaved, low bytes first.
    ///
    /// # Errors
    /// [`WavReadError`] if they have more bits, are no integers, or end early.
    pub fn into_bytes_of_16_bits(self) -> Result<Vec<u8>, WavReadError> {
        let mut bytes = Vec::new();
        for sample in self.reader.into_samples::<i16>() {
            bytes.extend(sample.map_err(WavReadError)?.to_le_bytes());
        }
        Ok(bytes)
    }
}
