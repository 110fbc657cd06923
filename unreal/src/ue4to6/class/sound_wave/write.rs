//! A recording of a package put in the place of another.
//!
//! ```text
//! properties │ … │ guid │ chunks │ format │ chunk │ chunk │ …
//!     ▲ channels, rate, length          ▲ header here, data in the file that had it
//! ```
//!
//! Source: *packages-ue4-ue6*, §10.2; the form: recordings of 5.8, measured.

mod editor;
mod wave_writer;

use std::fmt;
use std::ops::Range;

use wave_writer::WaveWriter;

use super::{SoundWave, WHAT};
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::property::Value;
use crate::base::writer::WriteError;
use crate::ue4to6::bulk::BulkFile;
use crate::ue4to6::class::bulk_ref::BulkRef;
use crate::ue4to6::class::bulk_writer::{BulkDataError, BulkWriter, NewData};
use crate::ue4to6::editable::{AssetEdit, AssetFiles};
use crate::ue4to6::package::AssetPackage;
use crate::ue4to6::property::{
    Mappings, NewValue, ObjectProperties, PropertyError, read_object, sound_wave_schema, with_values,
};

/// A recording that takes the place of another.
#[derive(Clone, Copy, Debug)]
pub struct NewRecording<'r> {
    /// Codec of the recording.
    pub codec: NewCodec,
    /// Header before the chunks, which the engine keeps in memory.
    pub header: &'r [u8],
    /// Data, in streaming chunks.
    pub chunks: &'r [&'r [u8]],
    /// The whole of it as a WAV file, as the editor stores it.
    pub file: &'r [u8],
    /// Number of channels.
    pub channels: u16,
    /// Sample rate in Hz.
    pub rate: u32,
    /// Length in frames.
    pub frames: u64,
    /// True if the sound loops (Epic: `bLooping`).
    pub loops: bool,
}

/// Codec of a recording to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewCodec {
    /// PCM of 16 bits, as a RIFF file.
    Pcm,
    /// A WAV file as it is, for sounds that are stored as one.
    Wav,
    /// An Ogg Vorbis file as it is, for sounds that are stored as one.
    Vorbis,
    /// Opus, in the form of 5.x.
    Opus,
}

/// A package with another recording.
#[derive(Debug)]
pub struct Replaced {
    /// Header and objects of the package.
    pub files: AssetFiles,
    /// The data that is in a file of its own, if it is.
    pub data: Option<NewData>,
    /// True for a package of the editor.
    pub is_editor: bool,
}

/// Why a recording did not take the place of another.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The package cannot be read.
    Read(Error),
    /// It cannot be written.
    Write(WriteError),
    /// Its properties cannot be changed.
    Property(PropertyError),
    /// Its properties have no tags, and what is known of recordings is not what this one has: mappings are needed.
    NoSchema,
    /// It has something that cannot be changed.
    Unsupported(&'static str),
    /// Its format does not hold such a file: the format, and what the file is.
    Format(String, &'static str),
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Property(error) => error.fmt(f),
            Self::NoSchema => f.write_str("its properties have no tags and no schema is known for them"),
            Self::Unsupported(why) => f.write_str(why),
            Self::Format(format, file) => write!(f, "its format is {format}, which holds no {file}"),
        }
    }
}

impl std::error::Error for ReplaceError {}

impl From<Error> for ReplaceError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

impl From<BulkDataError> for ReplaceError {
    fn from(error: BulkDataError) -> Self {
        match error {
            BulkDataError::Read(error) => Self::Read(error),
            BulkDataError::Write(error) => Self::Write(error),
            BulkDataError::Unsupported(why) => Self::Unsupported(why),
        }
    }
}

impl From<WriteError> for ReplaceError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

/// Bytes that a chunk has at most which is streamed.
pub const MAX_CHUNK: usize = 256 << 10;

/// Gives an object of a package of files another recording: its data, and what its properties say of it. `data_length`
/// returns how long a file of data beside the package is.
///
/// # Errors
/// [`ReplaceError`] if the object is no recording of a cooked package, or cannot be written.
pub fn replace(
    package: &AssetPackage,
    export: usize,
    recording: NewRecording<'_>,
    mappings: Option<&Mappings>,
    data_length: &dyn Fn(BulkFile) -> u64,
    limits: &mut Limits,
) -> Result<Replaced, ReplaceError> {
    let wave = match super::read(package, export) {
        Ok(wave) => wave,
        Err(error) => return editor::replace(package, export, recording, error, limits),
    };
    recording.check_format(&wave)?;
    // What is known is proved, unless it is the user who knows it.
    let is_given = !package.is_unversioned() || mappings.is_some();
    let mappings = mappings.or_else(|| package.is_unversioned().then(sound_wave_schema));
    let stated = read_object(package, export, mappings, limits)
        .ok()
        .filter(|stated| is_given || (ends_before(stated, &wave) && agrees(stated)))
        .ok_or(ReplaceError::NoSchema)?;
    if recording.codec == NewCodec::Opus && !is_opus(package, &wave)? {
        let why = "it is not Opus in the form of late releases of 5, so it is not known whether the game plays that";
        return Err(ReplaceError::Unsupported(why));
    }
    let mut edit = AssetEdit::new(package, limits)?;
    let format = recording.format(&wave, edit.version().is_engine_5());
    let values = values(&recording, &wave, format, &stated, edit.version().is_engine_5());
    let properties = with_values(package, export, &stated, mappings, &values, &mut edit.names);
    let properties = properties.map_err(ReplaceError::Property)?;
    let old: Vec<BulkRef> = wave.chunks.iter().map(|chunk| chunk.bulk).collect();
    let mut bulk = BulkWriter::new(package, export, edit, &old, 1, data_length)?;
    bulk.object.bytes(&properties);
    let values_length = bulk.object.len();
    bulk.object.bytes(&bytes(package, stated.values_end..wave.begin)?);
    let mut writer = WaveWriter { package, export, wave: &wave, format, bulk };
    if wave.is_streamed {
        writer.streamed(&recording)?;
    } else {
        writer.in_one_piece(&recording)?;
    }
    writer.finish(values_length)
}

/// Returns whether a recording is Opus, with the head that it has in late releases of 5.
fn is_opus(package: &AssetPackage, wave: &SoundWave) -> Result<bool, Error> {
    const HEAD: &[u8] = b"UEOPUS";
    let first = wave.chunks.first().filter(|chunk| chunk.place == BulkFile::Inline);
    match first.filter(|_| wave.format == "OPUS") {
        Some(chunk) => {
            Ok(bytes(package, chunk.offset..chunk.offset.saturating_add(chunk.size))?.starts_with(HEAD))
        }
        None => Ok(false),
    }
}

/// Returns whether properties end where they can before a recording without cue points.
fn ends_before(stated: &ObjectProperties, wave: &SoundWave) -> bool {
    // Flags, the number of cue points, a name of earlier releases, and a GUID before chunks.
    const STREAMED: [u64; 2] = [4 + 16, 4 + 4 + 16];
    const IN_ONE_PIECE: [u64; 3] = [4, 4 + 4, 4 + 8];
    let between = wave.begin.saturating_sub(stated.end);
    if wave.is_streamed { STREAMED.contains(&between) } else { IN_ONE_PIECE.contains(&between) }
}

/// Returns whether properties say of a recording what can be: how long it is in seconds and in frames agree.
fn agrees(stated: &ObjectProperties) -> bool {
    let int = |name: &str| match stated.get(name) {
        Some(Value::Int(number)) => u32::try_from(*number).ok(),
        _ => None,
    };
    let float = |name: &str| match stated.get(name) {
        Some(Value::Float(number)) => Some(f64::from(*number)),
        _ => None,
    };
    let (Some(channels), Some(rate)) = (int("NumChannels"), int("SampleRate")) else { return false };
    let (Some(seconds), Some(frames)) = (float("Duration"), float("TotalSamples")) else { return false };
    // Numbers of single precision.
    let is_near = (seconds * f64::from(rate) - frames).abs() <= 1.0 + frames.abs() * 1e-5;
    (1..=32).contains(&channels) && (1000..=400_000).contains(&rate) && frames > 0.0 && is_near
}

fn bytes(package: &AssetPackage, range: Range<u64>) -> Result<Vec<u8>, Error> {
    let length = range.end.saturating_sub(range.start);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    let read = package.source().read_at(range.start, &mut bytes);
    read.map_err(|error| Error::from_io(error, range.start, WHAT))?;
    Ok(bytes)
}

impl NewRecording<'_> {
    /// Checks that a file that stays as it is is what the sound's format holds.
    fn check_format(&self, wave: &SoundWave) -> Result<(), ReplaceError> {
        let (formats, file): (&[&str], _) = match self.codec {
            NewCodec::Pcm | NewCodec::Opus => return Ok(()),
            NewCodec::Wav => (&["PCM", "ADPCM", "WAV"], "WAV file"),
            NewCodec::Vorbis => (&["OGG"], "Ogg Vorbis file"),
        };
        match formats.contains(&wave.format.as_str()) {
            true => Ok(()),
            false => Err(ReplaceError::Format(wave.format.clone(), file)),
        }
    }

    /// Returns what its bytes are called in a package.
    fn format(&self, wave: &SoundWave, is_engine_5: bool) -> &'static str {
        match self.codec {
            NewCodec::Opus => "OPUS",
            NewCodec::Vorbis => "OGG",
            NewCodec::Wav if wave.format == "ADPCM" => "ADPCM",
            NewCodec::Wav => "PCM",
            // The decoder of that plays PCM as well, and there was no other for it before.
            NewCodec::Pcm if wave.format == "ADPCM" || (wave.format != "PCM" && !is_engine_5) => "ADPCM",
            NewCodec::Pcm => "PCM",
        }
    }
}

/// Returns what the properties are to say.
fn values(
    recording: &NewRecording<'_>,
    wave: &SoundWave,
    format: &str,
    stated: &ObjectProperties,
    is_engine_5: bool,
) -> Vec<(&'static str, NewValue<'static>)> {
    const COMPRESSION: &str = "SoundAssetCompressionType";
    let signed = |number: u32| NewValue::Int(i32::try_from(number).unwrap_or(i32::MAX));
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "as the engine states it"
    )]
    let (seconds, frames) =
        ((recording.frames as f64 / f64::from(recording.rate.max(1))) as f32, recording.frames as f32);
    let mut values = vec![
        ("NumChannels", signed(recording.channels.into())),
        ("SampleRate", signed(recording.rate)),
        ("Duration", NewValue::Float(seconds)),
    ];
    if recording.loops {
        values.push(("bLooping", NewValue::Bool(true)));
    }
    if stated.get("TotalSamples").is_some() {
        values.push(("TotalSamples", NewValue::Float(frames)));
    }
    // What chooses the decoder; what was chosen for the project or the platform has to be said now.
    let is_other = wave.format != format;
    if is_engine_5 && is_other && wave.format != "WAV" {
        let name = if format == "OPUS" { "Opus" } else { "PCM" };
        values.push((COMPRESSION, NewValue::Enum("ESoundAssetCompressionType", name)));
    }
    values
}
