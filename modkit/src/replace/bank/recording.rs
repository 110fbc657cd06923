use importer::AudioFile;
use song::LoopMode;
use soundbank::wwise::{PcmMedia, WemHead, write_pcm};
use unreal::Memory;

use super::BankError;
use crate::replace::recording::DECODED;
use crate::replace::{EncodedRecording, RecordingError};

/// A recording for a sound bank: 16-bit PCM, or a media of Wwise that is stored unchanged.
#[derive(Clone, Debug)]
pub struct BankRecording(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Pcm(Box<EncodedRecording>),
    Wem(Vec<u8>),
}

impl BankRecording {
    /// Takes a file of audio, which is converted to PCM, or a media of Wwise (`.wem`), told by its bytes.
    ///
    /// # Errors
    /// [`RecordingError`] if it cannot be read.
    pub fn of_file(bytes: Vec<u8>) -> Result<Self, RecordingError> {
        let is_wem = WemHead::read(&bytes).is_ok_and(|head| head.is_unmistakable);
        Ok(Self(match is_wem {
            true => Kind::Wem(bytes),
            false => Kind::Pcm(Box::new(EncodedRecording::of_file(bytes)?)),
        }))
    }

    /// Returns what was converted; none if nothing was.
    #[must_use]
    pub fn conversion(&self) -> Option<&str> {
        match &self.0 {
            Kind::Pcm(recording) => recording.conversion(),
            Kind::Wem(_) => None,
        }
    }

    /// Returns how long it plays, in seconds; none if that is not known.
    pub(super) fn seconds(&self) -> Option<f64> {
        match &self.0 {
            Kind::Pcm(recording) => Some(recording.frames() as f64 / f64::from(recording.rate())),
            Kind::Wem(bytes) => {
                let file = AudioFile::decode(&Memory(&bytes[..]), "", DECODED).ok()?;
                Some(file.sample.length().get() as f64 / f64::from(file.sample.rate().get()))
            }
        }
    }

    /// Returns it as a media of Wwise.
    pub(super) fn wem(&self) -> Result<Vec<u8>, BankError> {
        match &self.0 {
            Kind::Wem(bytes) => Ok(bytes.clone()),
            Kind::Pcm(recording) => {
                let (channels, rate, data) = (recording.channels(), recording.rate(), recording.data());
                if !matches!(channels, 1 | 2) {
                    return Err(BankError::Channels(channels));
                }
                let loop_range = loop_of(recording);
                write_pcm(&PcmMedia { channels, rate, data, loop_range })
                    .map_err(|error| BankError::Bank("the recording".to_owned(), error))
            }
        }
    }

    /// Returns it as a sound of FMOD.
    pub(super) fn sound(&self) -> Result<soundbank::fmod::NewSound, BankError> {
        let decoded;
        let recording = match &self.0 {
            Kind::Pcm(recording) => recording,
            Kind::Wem(bytes) => {
                let file = EncodedRecording::of_file(bytes.clone()).map_err(BankError::Recording)?;
                decoded = Box::new(file);
                &decoded
            }
        };
        let channels = match recording.channels() {
            channels @ (1 | 2) => u8::try_from(channels).unwrap_or(1),
            channels => return Err(BankError::Channels(channels)),
        };
        let (rate, data) = (recording.rate(), recording.data().to_vec());
        Ok(soundbank::fmod::NewSound { channels, rate, data, loop_range: loop_of(recording) })
    }
}

/// Returns the first loop that goes forward, in frames with an exclusive end.
fn loop_of(recording: &EncodedRecording) -> Option<(u32, u32)> {
    let range = recording.loops().iter().find(|range| range.mode() == LoopMode::Forward)?;
    Some((u32::try_from(range.start().get()).ok()?, u32::try_from(range.end().get()).ok()?))
}
