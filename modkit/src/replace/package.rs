//! Sounds of packages of Unreal Engine 1 to 3 replaced by WAV files.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use exporter::wav::{WavReader, with_cues};
use importer::{AudioFile, Budget, Codec, SoundFile};
use song::{Frames, Sample};
use unreal::ue1to3::class::replace::{NewWav, ReplaceWavError, replace};
use unreal::{
    ExportIndex, Limits, Memory, ObjectPath, Package, PackageOptions, Source, UnpackedPackage, unpack_package,
};

use super::PACKAGE;
use super::recording::{DECODED, EncodedRecording, describe};
use super::recording_error::{MAX_BYTES, RecordingError};
use super::riff::riff_chunk;

/// A WAV file as it is stored.
#[derive(Clone, Debug)]
pub struct WavFile {
    file: Vec<u8>,
    /// Decoded frames.
    sample: Sample,
    conversion: Option<String>,
}

/// Channels that these engines play.
const MAX_CHANNELS: u16 = 2;
/// Frames in a second that they play.
const MAX_RATE: u32 = 48_000;

impl WavFile {
    /// Takes a file of audio: of a WAV file of 8 or 16 bits every frame that is there, with its loops, its root key and
    /// its cue points; what else is decoded becomes a WAV file of 16 bits.
    ///
    /// # Errors
    /// [`RecordingError`] if it cannot be read, or these engines take no such recording.
    pub fn new(file: Vec<u8>) -> Result<Self, RecordingError> {
        if is_taken(&file) {
            if WavReader::new(&file[..]).is_ok_and(|wav| wav.frames() == 0) {
                return Err(RecordingError::Empty);
            }
            let sample = decoded(&file).or_else(|_| decoded(&needed_chunks(&file)))?;
            let cues = cues(&file, sample.length());
            return Self::checked(with_cues(&sample, &cues).map_err(RecordingError::Write)?, None);
        }
        let recording = EncodedRecording::of_file(file)?;
        let recording = if recording.rate() > MAX_RATE { recording.resampled(MAX_RATE)? } else { recording };
        Self::checked(recording.file().to_vec(), recording.conversion().map(str::to_owned))
    }

    /// Takes the bytes of a WAV file of 8 or 16 bits unchanged.
    ///
    /// # Errors
    /// [`RecordingError`] if it is another file, is damaged, or these engines take no such recording.
    pub fn kept(file: Vec<u8>) -> Result<Self, RecordingError> {
        if !is_taken(&file) {
            let decoded =
                AudioFile::decode(&Memory(&file[..]), "", DECODED).map_err(RecordingError::Decode)?;
            return match WavReader::new(&file[..]) {
                Err(error) if matches!(decoded.audio.codec, Codec::PcmU8 | Codec::PcmS16) => {
                    Err(RecordingError::Read(error))
                }
                _ => Err(RecordingError::KeepWav(describe(&decoded))),
            };
        }
        // The engine believes what the file says of its length.
        let wav = WavReader::new(&file[..]).map_err(RecordingError::Read)?;
        wav.into_bytes_of_16_bits().map_err(RecordingError::Read)?;
        Self::checked(file, None)
    }

    fn checked(file: Vec<u8>, conversion: Option<String>) -> Result<Self, RecordingError> {
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
        let sample = decoded(&file)?;
        Ok(Self { file, sample, conversion })
    }

    /// Returns what was converted, as [`EncodedRecording::conversion`] does.
    #[must_use]
    pub fn conversion(&self) -> Option<&str> {
        self.conversion.as_deref()
    }
}

/// Returns whether a file is a WAV file of a kind that these engines play.
fn is_taken(file: &[u8]) -> bool {
    WavReader::new(file).is_ok_and(|wav| {
        wav.is_integer()
            && matches!(wav.bits(), 8 | 16)
            && wav.channels() <= MAX_CHANNELS
            && wav.rate() <= MAX_RATE
    })
}

/// Returns the frames of a WAV file that are there, whatever it claims, with its loops and root key.
fn decoded(file: &[u8]) -> Result<Sample, RecordingError> {
    AudioFile::decode(&Memory(file), "", DECODED).map(|file| file.sample).map_err(RecordingError::Decode)
}

/// Returns a WAV file of those RIFF chunks of another that are decoded: that may have any number of others.
fn needed_chunks(file: &[u8]) -> Vec<u8> {
    let mut needed = b"RIFF\0\0\0\0WAVE".to_vec();
    for id in [*b"fmt ", *b"data", *b"smpl"] {
        let Some(chunk) = riff_chunk(file, id) else { continue };
        needed.extend(id);
        needed.extend(u32::try_from(chunk.len()).unwrap_or(u32::MAX).to_le_bytes());
        needed.extend(&file[chunk.clone()]);
        needed.extend(vec![0; chunk.len() % 2]);
    }
    needed
}

/// Returns the cue points of a WAV file that lie within so many frames.
fn cues(file: &[u8], frames: Frames) -> Vec<Frames> {
    /// A name, a position, the RIFF chunk, where that begins, where its block begins, and the frame.
    const POINT: usize = 24;
    let chunk = riff_chunk(file, *b"cue ").map_or(&[][..], |chunk| &file[chunk]);
    let Some((count, points)) = chunk.split_first_chunk() else { return Vec::new() };
    let count = u32::from_le_bytes(*count) as usize;
    let frame_of =
        |point: &[u8; POINT]| point.last_chunk().map(|frame| Frames::new(u32::from_le_bytes(*frame).into()));
    let points = points.as_chunks::<POINT>().0.iter().take(count);
    points.filter_map(frame_of).filter(|frame| *frame <= frames).collect()
}

/// A sound of a package, and the file that takes its place.
#[derive(Clone, Debug)]
pub struct PackageReplacement {
    /// The sound.
    pub sound: ObjectPath,
    /// The file.
    pub wav: WavFile,
}

/// Errors of replacing a sound of a package.
#[derive(Debug)]
#[non_exhaustive]
pub enum PackageError {
    /// The package cannot be read.
    Read(unreal::Error),
    /// There is no such sound.
    Unknown,
    /// The sound cannot have another recording.
    Replace(ReplaceWavError),
    /// The package that was made cannot be read again, or the sound in it.
    ReadBack(importer::Error),
    /// The sound of the package that was made is not what was put in.
    Differs,
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Unknown => f.write_str("there is no such sound"),
            Self::Replace(error) => error.fmt(f),
            Self::ReadBack(error) => write!(f, "the changed package cannot be read again: {error}"),
            Self::Differs => f.write_str("the changed package has another recording than was put in"),
        }
    }
}

impl std::error::Error for PackageError {}

/// Returns the bytes of a package with other recordings, in the wrapper that it was in. They are opened again, and each
/// recording is decoded and compared with what was put in. Of several recordings for a sound the last one counts.
///
/// # Errors
/// The index of the sound in the list, and [`PackageError`].
pub fn replace_in_package(
    source: &dyn Source,
    options: PackageOptions,
    replacements: &[PackageReplacement],
) -> Result<Vec<u8>, (usize, PackageError)> {
    let unpacked = unpack_package(source, options, &mut Limits::with_structures(PACKAGE));
    let UnpackedPackage { source, lineage2 } = unpacked.map_err(|error| (0, PackageError::Read(error)))?;
    let mut bytes: Option<Arc<[u8]>> = None;
    for (index, replacement) in replacements.iter().enumerate() {
        let done = match &bytes {
            Some(bytes) => one(&Memory(bytes), options, replacement),
            None => one(&*source, options, replacement),
        };
        bytes = Some(done.map_err(|error| (index, error))?.into());
    }
    let bytes = bytes.unwrap_or_default();
    read_back(Memory(Arc::clone(&bytes)), options, replacements)?;
    let bytes = bytes.to_vec();
    Ok(match lineage2 {
        Some(wrapper) => wrapper.wrap(bytes),
        None => bytes,
    })
}

fn one(
    source: &dyn Source,
    options: PackageOptions,
    replacement: &PackageReplacement,
) -> Result<Vec<u8>, PackageError> {
    let limits = &mut Limits::with_structures(PACKAGE);
    let package = Package::open_with(source, options, limits).map_err(PackageError::Read)?;
    let is_it = |index: &ExportIndex| {
        let is_sound = unreal::ue1to3::class::of(&package, *index).is_some();
        is_sound && package.path_of(*index) == replacement.sound
    };
    let export = package.export_indices().find(is_it).ok_or(PackageError::Unknown)?;
    let WavFile { file, sample, .. } = &replacement.wav;
    let channels = u16::try_from(sample.recording().channels()).unwrap_or(u16::MAX);
    let wav = NewWav { file, channels, rate: sample.rate().get(), frames: sample.length().get() };
    replace(source, &package, export, wav, limits).map_err(PackageError::Replace)
}

/// Decodes the sounds of a package that were replaced, and compares them with what was put in.
fn read_back(
    source: impl Source + 'static,
    reading: PackageOptions,
    replacements: &[PackageReplacement],
) -> Result<(), (usize, PackageError)> {
    let file = SoundFile::open_with(source, "", reading, Budget::default());
    let file = file.map_err(|error| (0, PackageError::ReadBack(error)))?;
    let mut compared = HashSet::new();
    for (index, PackageReplacement { sound, wav }) in replacements.iter().enumerate().rev() {
        if !compared.insert(sound) {
            continue;
        }
        let found = file.sounds().iter().find(|found| found.object == *sound);
        let number = found.ok_or((index, PackageError::Unknown))?.number;
        let read = file.sample(number).map_err(|error| (index, PackageError::ReadBack(error)))?;
        let parts = |sample: &Sample| (sample.rate(), sample.width(), sample.root(), sample.tuning());
        let is_same = parts(&read) == parts(&wav.sample)
            && read.recording() == wav.sample.recording()
            && read.loops() == wav.sample.loops();
        if !is_same {
            return Err((index, PackageError::Differs));
        }
    }
    Ok(())
}
