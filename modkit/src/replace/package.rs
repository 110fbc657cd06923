//! Sounds of packages of Unreal Engine 1 to 3 replaced by WAV files.

use std::fmt;

use exporter::wav::WavReader;
use unreal::class::replace::{NewWav, ReplaceError, replace};
use unreal::{
    ExportIndex, Limits, Memory, ObjectPath, OpenOptions, Package, Source, UnpackedPackage, unpack_package,
};

use super::PACKAGE;
use super::recording::{Recording, RecordingError};

/// A WAV file as it is stored.
#[derive(Clone, Debug)]
pub struct WavFile {
    file: Vec<u8>,
    channels: u16,
    rate: u32,
    frames: u64,
    conversion: Option<String>,
}

/// Channels that these engines play.
const MAX_CHANNELS: u16 = 2;
/// Frames in a second that they play.
const MAX_RATE: u32 = 48_000;
/// Bytes of a file that they can state.
const MAX_BYTES: u64 = 0x7FFF_0000;

impl WavFile {
    /// Takes a file of audio: a WAV file of 8 or 16 bits as it is, with all that it says of loops and the like, and
    /// what else is decoded as a WAV file of 16 bits.
    ///
    /// # Errors
    /// [`RecordingError`] if it cannot be read, or these engines take no such recording.
    pub fn new(file: Vec<u8>) -> Result<Self, RecordingError> {
        let is_taken = |wav: &WavReader<&[u8]>| {
            wav.is_integer()
                && matches!(wav.bits(), 8 | 16)
                && wav.channels() <= MAX_CHANNELS
                && wav.rate() <= MAX_RATE
        };
        let is_wav = WavReader::new(&file[..]).is_ok_and(|wav| is_taken(&wav));
        let (file, conversion) = if is_wav {
            (file, None)
        } else {
            let recording = Recording::of_file(file)?;
            let recording =
                if recording.rate() > MAX_RATE { recording.resampled(MAX_RATE)? } else { recording };
            (recording.file().to_vec(), recording.conversion().map(str::to_owned))
        };
        let reader = WavReader::new(&file[..]).map_err(RecordingError::Read)?;
        let (channels, rate, frames) = (reader.channels(), reader.rate(), reader.frames());
        if channels == 0 || channels > MAX_CHANNELS {
            return Err(RecordingError::Channels(channels, MAX_CHANNELS));
        }
        if rate == 0 || rate > MAX_RATE {
            return Err(RecordingError::Rate(rate, MAX_RATE));
        }
        if frames == 0 {
            return Err(RecordingError::Empty);
        }
        if file.len() as u64 > MAX_BYTES {
            return Err(RecordingError::Long(file.len() as u64));
        }
        Ok(Self { file, channels, rate, frames, conversion })
    }

    /// Returns what was converted, as [`Recording::conversion`] does.
    #[must_use]
    pub fn conversion(&self) -> Option<&str> {
        self.conversion.as_deref()
    }
}

/// A sound of a package, and the file that takes its place.
#[derive(Clone, Debug)]
pub struct PackageReplacement {
    /// The sound.
    pub sound: ObjectPath,
    /// The file.
    pub wav: WavFile,
}

/// Why a sound of a package was not replaced.
#[derive(Debug)]
#[non_exhaustive]
pub enum PackageError {
    /// The package cannot be read.
    Read(unreal::Error),
    /// There is no such sound.
    Unknown,
    /// It cannot have another recording.
    Replace(ReplaceError),
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Unknown => f.write_str("there is no such sound"),
            Self::Replace(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PackageError {}

/// Returns the bytes of a package with other recordings, in the wrapper that it was in.
///
/// # Errors
/// The sound, by its place in the list, and [`PackageError`].
pub fn replace_in_package(
    source: &dyn Source,
    options: OpenOptions,
    replacements: &[PackageReplacement],
) -> Result<Vec<u8>, (usize, PackageError)> {
    let unpacked = unpack_package(source, options, &mut Limits::with_structures(PACKAGE));
    let UnpackedPackage { source, lineage2 } = unpacked.map_err(|error| (0, PackageError::Read(error)))?;
    let mut bytes: Option<Vec<u8>> = None;
    for (place, replacement) in replacements.iter().enumerate() {
        let done = match &bytes {
            Some(bytes) => one(&Memory(&bytes[..]), options, replacement),
            None => one(&*source, options, replacement),
        };
        bytes = Some(done.map_err(|error| (place, error))?);
    }
    let bytes = bytes.unwrap_or_default();
    Ok(match lineage2 {
        Some(wrapper) => wrapper.wrap(bytes),
        None => bytes,
    })
}

fn one(
    source: &dyn Source,
    options: OpenOptions,
    replacement: &PackageReplacement,
) -> Result<Vec<u8>, PackageError> {
    let limits = &mut Limits::with_structures(PACKAGE);
    let package = Package::open_with(source, options, limits).map_err(PackageError::Read)?;
    let is_it = |index: &ExportIndex| {
        let is_sound = unreal::class::of(&package, *index).is_some();
        is_sound && package.path_of(*index) == replacement.sound
    };
    let export = package.export_indices().find(is_it).ok_or(PackageError::Unknown)?;
    let WavFile { file, channels, rate, frames, .. } = &replacement.wav;
    let wav = NewWav { file, channels: *channels, rate: *rate, frames: *frames };
    replace(source, &package, export, wav, limits).map_err(PackageError::Replace)
}
