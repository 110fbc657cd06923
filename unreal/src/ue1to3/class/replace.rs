//! Sounds of Unreal Engine 1 to 3 with other recordings.
//!
//! ```text
//! Sound           … │ skip offset │ count │ data │ …       the data, and what says how long it is and where it ends
//! SoundNodeWave   properties │ … │ raw │ PC │ Xbox 360 │ …   the raw stream; the others are emptied
//! ```
//!
//! Source: what [`super::sound`] and [`super::sound_node_wave`] read.

use std::fmt;

use super::sound;
use super::sound_node_wave::{self, SoundNodeWave};
use crate::base::byte_order::ByteOrder;
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::object_ref::ExportIndex;
use crate::base::property::Value;
use crate::base::sound_class::Class;
use crate::base::source::Source;
use crate::ue1to3::bulk::Proof;
use crate::ue1to3::object::Object;
use crate::ue1to3::package::write::{index, with_body};
use crate::ue1to3::package::{ExportBody, Package};
use crate::ue1to3::version::BulkForm;

/// A WAV file that takes the place of a recording.
#[derive(Clone, Copy, Debug)]
pub struct NewWav<'w> {
    /// Whole WAV file.
    pub file: &'w [u8],
    /// Number of channels.
    pub channels: u16,
    /// Sample rate in Hz.
    pub rate: u32,
    /// Length in frames.
    pub frames: u64,
}

/// Why a recording did not take the place of another.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplaceWavError {
    /// The package cannot be read, or would be too large.
    Read(Error),
    /// The object is no recording.
    OtherClass,
    /// It is stored in a format without an encoder.
    Format(String),
    /// It has something that cannot be changed.
    Unsupported(&'static str),
}

impl fmt::Display for ReplaceWavError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::OtherClass => f.write_str("is no recording"),
            Self::Format(format) => write!(f, "is stored as {format}, for which there is no encoder"),
            Self::Unsupported(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ReplaceWavError {}

impl From<Error> for ReplaceWavError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

/// Returns the bytes of a package in which a sound has another recording.
///
/// # Errors
/// [`ReplaceWavError`] if the object is no recording, the package cannot be read, or is of a kind that is not written.
pub fn replace(
    source: &dyn Source,
    package: &Package,
    export: ExportIndex,
    wav: NewWav<'_>,
    limits: &mut Limits,
) -> Result<Vec<u8>, ReplaceWavError> {
    if source.is_unpacked() || package.summary().compression != 0 {
        return Err(ReplaceWavError::Unsupported("its package is compressed, which is not written"));
    }
    if package.layout().order != ByteOrder::Little {
        return Err(ReplaceWavError::Unsupported("its package is of a console, which is not written"));
    }
    let body = package.export(export).and_then(|export| export.body).ok_or(ReplaceWavError::OtherClass)?;
    let bytes = body_of(source, body)?;
    let object = &mut Object { package, source, export, limits };
    let class = super::of(package, export);
    let new = match class {
        Some(Class::Sound | Class::Music) => of_sound(object, body, &bytes, wav)?,
        Some(Class::SoundNodeWave) => of_wave(object, body, &bytes, wav)?,
        _ => return Err(ReplaceWavError::OtherClass),
    };
    Ok(with_body(source, package, export, &|at| new.at(at), object.limits)?)
}

fn body_of(source: &dyn Source, body: ExportBody) -> Result<Vec<u8>, Error> {
    body.check(source.len(), "body")?;
    let mut bytes = vec![0; usize::try_from(body.size).unwrap_or_default()];
    let at = body.at.into();
    source.read_at(at, &mut bytes).map_err(|error| Error::from_io(error, at, "body"))?;
    Ok(bytes)
}

/// A body that knows which of its words are places in the file.
#[derive(Debug, Default)]
struct NewBody {
    bytes: Vec<u8>,
    /// Where words lie, and for what place of the body each stands.
    places: Vec<(usize, usize)>,
}

impl NewBody {
    /// Adds a word that is the place of what comes so many bytes after it.
    fn place(&mut self, after: usize) {
        let at = self.bytes.len();
        self.places.push((at, at.saturating_add(4).saturating_add(after)));
        self.bytes.extend([0; 4]);
    }

    /// Returns the bytes of the body if it lies at a place.
    fn at(&self, at: u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for (word, place) in &self.places {
            let value = u32::try_from(at.saturating_add(*place as u64)).unwrap_or(u32::MAX);
            if let Some(word) = bytes.get_mut(*word..word.saturating_add(4)) {
                word.copy_from_slice(&value.to_le_bytes());
            }
        }
        bytes
    }
}

fn of_sound(
    object: &mut Object<'_>,
    body: ExportBody,
    bytes: &[u8],
    wav: NewWav<'_>,
) -> Result<NewBody, ReplaceWavError> {
    let sound = sound::read(object)?;
    if !sound.file_type.eq_ignore_ascii_case("wav") {
        return Err(ReplaceWavError::Format(sound.file_type));
    }
    let layout = object.package.layout();
    let other = ReplaceWavError::Unsupported("its data does not lie where others have it");
    let count = |value: usize| {
        let mut count = Vec::new();
        index(i32::try_from(value).unwrap_or(i32::MAX), layout.index, layout.order, &mut count);
        count
    };
    let at = |place: u64| usize::try_from(place.saturating_sub(body.at.into())).unwrap_or(usize::MAX);
    let (data, end) = (at(sound.payload.offset), at(sound.payload.end()));
    let old = count(usize::try_from(sound.payload.len).unwrap_or(usize::MAX));
    let count_at = data.checked_sub(old.len());
    let Some(count_at) = count_at.filter(|at| bytes.get(*at..data) == Some(&old[..])) else {
        return Err(other);
    };
    let words = usize::from(layout.words_after_end).saturating_mul(4);
    let mut new = NewBody::default();
    let new_count = count(wav.file.len());
    if sound.located.proof == Proof::SkipOffset {
        let skip = count_at.checked_sub(words).and_then(|at| at.checked_sub(4));
        let (Some(skip), Some(kept)) = (skip, count_at.checked_sub(words)) else { return Err(other) };
        new.bytes.extend(bytes.get(..skip).unwrap_or_default());
        new.place(words.saturating_add(new_count.len()).saturating_add(wav.file.len()));
        new.bytes.extend(bytes.get(kept..count_at).unwrap_or_default());
    } else {
        new.bytes.extend(bytes.get(..count_at).unwrap_or_default());
    }
    new.bytes.extend(&new_count);
    new.bytes.extend(wav.file);
    new.bytes.extend(bytes.get(end..).unwrap_or_default());
    Ok(new)
}

fn of_wave(
    object: &mut Object<'_>,
    body: ExportBody,
    bytes: &[u8],
    wav: NewWav<'_>,
) -> Result<NewBody, ReplaceWavError> {
    let wave = sound_node_wave::read(object)?;
    let layout = object.package.layout();
    if layout.bulk != BulkForm::Record {
        return Err(ReplaceWavError::Unsupported("its package is of a beta, which is not written"));
    }
    if wave.channels(object)?.iter().any(|channel| channel.size > 0) {
        return Err(ReplaceWavError::Unsupported(
            "it has a recording for each speaker, which is not written",
        ));
    }
    let at = |place: u64| usize::try_from(place.saturating_sub(body.at.into())).unwrap_or(usize::MAX);
    let mut new = NewBody::default();
    let head = bytes.get(..at(wave.streams_at)).unwrap_or_default();
    new.bytes.extend(head);
    state(&wave, &mut new.bytes, wav, &at);
    let length = u32::try_from(wav.file.len()).unwrap_or(u32::MAX);
    record(&mut new, length);
    new.bytes.extend(wav.file);
    if layout.wave.channel_count {
        new.bytes.extend(u32::from(wav.channels).to_le_bytes());
    }
    for _ in wave.streams.iter().skip(1) {
        record(&mut new, 0);
    }
    let tail = usize::try_from(wave.tail).unwrap_or_default();
    new.bytes.extend(bytes.get(bytes.len().saturating_sub(tail)..).unwrap_or_default());
    Ok(new)
}

/// Writes what is said of a stream of so many bytes that follow.
fn record(new: &mut NewBody, length: u32) {
    const NO_FLAGS: u32 = 0;
    for word in [NO_FLAGS, length, length] {
        new.bytes.extend(word.to_le_bytes());
    }
    new.place(0);
}

/// Changes the numbers that the properties state.
fn state(wave: &SoundNodeWave, head: &mut [u8], wav: NewWav<'_>, at: &dyn Fn(u64) -> usize) {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "as the engine states it"
    )]
    let seconds = (wav.frames as f64 / f64::from(wav.rate.max(1))) as f32;
    for (property, end) in wave.properties.iter().zip(&wave.ends) {
        let is = |name: &str| property.name.eq_ignore_ascii_case(name);
        let value = match &property.value {
            Value::Float(_) if is("Duration") => seconds.to_bits(),
            Value::Int(_) if is("SampleRate") => wav.rate,
            Value::Int(_) if is("NumChannels") => wav.channels.into(),
            _ => continue,
        };
        let end = at(*end);
        if let Some(word) = end.checked_sub(4).and_then(|begin| head.get_mut(begin..end)) {
            word.copy_from_slice(&value.to_le_bytes());
        }
    }
}
