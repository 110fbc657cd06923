//! `SoundWave`: a recording of Unreal Engine 4 to 6, cooked, in one piece or in chunks that are streamed.
//!
//! ```text
//! properties │ flags │ guid │ chunks │ format │ chunk │ chunk │ …           streamed
//! properties │ flags │ formats │ format, data │ … │ guid                    in one piece
//! properties │ flags │ data │ guid                                          of the editor
//! properties │ cooked │ flags │ guid │ hash │ raw size │ guid               of the editor, from 5.0 on: in the trailer
//! ```
//!
//! What comes before cannot be read without mappings where properties have no tags, so the rest is found by proof: it
//! is where the format is the name of one, every chunk lies in its file, and the object ends with the last of them.
//!
//! Source: *packages-ue4-ue6*, §10; *real-games*, §1 and §2: 363 in one piece of 4.8 to 4.27, 90 in trailers of 5.2 to
//! 5.6 and streamed ones of 5.8 measured.

mod uncooked;
mod write;

use std::ops::Range;

pub use uncooked::read_uncooked;
pub use write::{MAX_CHUNK, NewCodec, NewRecording, ReplaceError, Replaced, replace};

use super::bulk_ref::BulkRef;
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::property::{Property, Value};
use crate::base::reader::Reader;
use crate::ue4to6::asset::StoredPayload;
use crate::ue4to6::bulk::BulkFile;
use crate::ue4to6::package::AssetPackage;
use crate::ue4to6::property::{Mappings, read_structs};

const WHAT: &str = "SoundWave";

/// Formats of recordings, those that are preferred first. Names of formats go on with how they were made:
/// `OGG10000-1-1-1-1-1`.
const FORMATS: [&str; 13] =
    ["PCM", "LPCM", "ADPCM", "OGG", "OPUS", "BINKA", "RADA", "AT9", "XMA2", "XMA", "OPUSNX", "AAC", "WEM"];

/// Chunks that a recording may have.
const MAX_CHUNKS: u32 = 4096;

/// Places that may be the begin of a recording and are tried; by chance there are hardly any.
const MAX_PLACES: usize = 256;

/// Chunks that are read at all these places together.
const MAX_TRIED: u32 = 2 * MAX_CHUNKS;

/// Bytes of properties among which is looked for a recording.
pub const SEARCHED: u64 = 256 << 10;

/// A recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundWave {
    /// Format name: `OGG`, `PCM` and so on. `ADPCM` may be PCM.
    pub format: String,
    /// Chunks of the bytes, in order; empty if they are a payload of the package trailer.
    pub chunks: Vec<WaveChunk>,
    /// Location in the package trailer, if the bytes are there.
    pub payload: Option<StoredPayload>,
    /// True if the wave streams (Epic: `bStreaming`).
    pub is_streamed: bool,
    /// Where what says that begins.
    begin: u64,
    /// Whether chunks say how much of them is filled up.
    has_filler: bool,
}

/// A place in a recording that has a name, or a part that repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuePoint {
    /// Label of the cue point.
    pub label: String,
    /// The frame that it begins with.
    pub start: u64,
    /// Length in frames.
    pub frames: u64,
    /// True if the cue point is a loop region.
    pub is_loop: bool,
}

/// Some of the bytes of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaveChunk {
    /// In which file.
    pub place: BulkFile,
    /// Offset in that file; of inline bytes in the package.
    pub offset: u64,
    /// Size in bytes, without padding.
    pub size: u64,
    /// The frame that they begin with, if it is stated.
    pub first_frame: Option<u32>,
    /// What a streamed recording says of the chunk.
    pub(crate) flags: u32,
    /// Its data, with padding.
    pub(crate) bulk: BulkRef,
}

impl SoundWave {
    /// Returns how many bytes it has; none of a placeholder, which the editor makes for what is to come.
    #[must_use]
    pub fn size(&self) -> u64 {
        let chunks = self.chunks.iter().map(|chunk| chunk.size).fold(0, u64::saturating_add);
        self.payload.map_or(chunks, |payload| payload.raw)
    }
}

/// An object that is looked through.
struct Context<'p> {
    package: &'p AssetPackage,
    object: Range<u64>,
}

/// Finds the recording of an object of a package, counted from 0.
///
/// # Errors
/// `NoFormFits` if there is none, or several could be meant; `Io`, and if the object does not lie in its package.
pub fn read(package: &AssetPackage, export: usize) -> Result<SoundWave, Error> {
    let context = &Context { package, object: package.range(export)? };
    let object = &context.object;
    let mut head =
        vec![0; usize::try_from(SEARCHED.min(object.end.saturating_sub(object.start))).unwrap_or(0)];
    package
        .source()
        .read_at(object.start, &mut head)
        .map_err(|error| Error::from_io(error, object.start, WHAT))?;
    let (mut found, mut left, mut places): (Option<SoundWave>, u32, usize) = (None, MAX_TRIED, MAX_PLACES);
    for (at, window) in (object.start..).zip(head.windows(8)) {
        let &[a, b, c, d, e, f, g, h] = window else { continue };
        let (first, second) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        // Both forms begin with a count and the number of a name.
        if first == 0 || first > MAX_CHUNKS || format(context, second).is_none() {
            continue;
        }
        // A crafted object may have nothing but such places.
        let too_many = || Error::malformed(Malformed::NoFormFits, object.start, WHAT);
        places = places.checked_sub(1).ok_or_else(too_many)?;
        // Chunks say how much of them is filled up since 4.14 or so.
        let streamed = [true, false]
            .into_iter()
            .find_map(|has_filler| streamed(context, at, has_filler, &mut left).ok());
        if let Some(wave) = streamed.or_else(|| in_one_piece(context, at).ok()) {
            if found.as_ref().is_some_and(|found| *found != wave) {
                return Err(Error::malformed(Malformed::NoFormFits, object.start, WHAT));
            }
            found = Some(wave);
        }
    }
    found.ok_or_else(|| Error::malformed(Malformed::NoFormFits, object.start, WHAT))
}

/// Returns whether an object has no recording, as those made for servers: flags, no format and a GUID are all that
/// comes after its properties.
///
/// # Errors
/// If there is no such object, or it cannot be read.
pub fn is_empty(package: &AssetPackage, export: usize, after: u64) -> Result<bool, Error> {
    /// With a name before the number of formats in packages before 4.12.
    const TAILS: [u64; 2] = [4 + 4 + 16, 4 + 8 + 4 + 16];
    const GUID: u64 = 16;
    let end = package.range(export)?.end;
    if !TAILS.contains(&end.saturating_sub(after)) {
        return Ok(false);
    }
    let at = end.saturating_sub(GUID).saturating_sub(4);
    Ok(Reader::new(package.source(), WHAT, at, end).u32()? == 0)
}

/// Reads the cue points of a recording, which lie between where its properties end and what says where it lies. Cooked
/// recordings have some from 5.4 on.
///
/// # Errors
/// If they contradict themselves, cannot be read without mappings, or take more than the limits allow.
pub fn cue_points(
    package: &AssetPackage,
    wave: &SoundWave,
    after: u64,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<Vec<CuePoint>, Error> {
    const FLAGS: u64 = 4;
    const GUID: u64 = 16;
    let begin = after.saturating_add(FLAGS);
    let end = wave.begin.saturating_sub(if wave.is_streamed { GUID } else { 0 });
    // Without any, a count of zero is there, or nothing at all.
    if end.saturating_sub(begin) <= 4 || wave.format == "WAV" {
        return Ok(Vec::new());
    }
    let points = read_structs(package, begin..end, "SoundWaveCuePoint", mappings, limits)?;
    let point = |fields: Vec<Property>| {
        let field = |name: &str| fields.iter().find(|field| field.is(name)).map(|field| &field.value);
        let number = |name: &str| match field(name) {
            Some(Value::Int(number)) => u64::try_from(*number).unwrap_or_default(),
            Some(Value::Int64(number)) => u64::try_from(*number).unwrap_or_default(),
            _ => 0,
        };
        let label = if let Some(Value::Text(label)) = field("Label") { label.clone() } else { String::new() };
        let is_loop = field("bIsLoopRegion") == Some(&Value::Bool(true));
        CuePoint { label, start: number("FramePosition"), frames: number("FrameLength"), is_loop }
    };
    Ok(points.into_iter().map(point).collect())
}

/// Returns the format that a name is: the longest one that it begins with, unless a letter follows.
fn format(context: &Context<'_>, number: u32) -> Option<&'static str> {
    format_of(context.package.names().get(number)?)
}

fn format_of(name: &str) -> Option<&'static str> {
    let begins = |format: &&&str| {
        let (head, tail) = name.split_at_checked(format.len()).unwrap_or_default();
        head.eq_ignore_ascii_case(format)
            && tail.chars().next().is_none_or(|next| matches!(next, '_' | '-' | '0'..='9'))
    };
    FORMATS.iter().filter(begins).max_by_key(|format| format.len()).copied()
}

/// Reads the name of a format.
fn read_format(context: &Context<'_>, reader: &mut Reader<'_>) -> Result<&'static str, Error> {
    // A number after the name is part of how it was made.
    let (at, name, _number) = (reader.at(), reader.u32()?, reader.u32()?);
    format(context, name).ok_or_else(|| reader.error(at, Malformed::NoSuchName(name.cast_signed())))
}

/// Reads a streamed recording that begins with the number of its chunks.
fn streamed(context: &Context<'_>, at: u64, has_filler: bool, left: &mut u32) -> Result<SoundWave, Error> {
    const FLAGS: u32 = 0x7;
    const FLAG_FIRST_FRAME: u32 = 0x2;
    let mut reader = Reader::new(context.package.source(), WHAT, at, context.object.end);
    let reader = &mut reader;
    let count = reader.u32()?;
    let format = read_format(context, reader)?;
    let mut chunks = Vec::new();
    for _ in 0..count {
        let (at, flags) = (reader.at(), reader.u32()?);
        *left = left.checked_sub(1).ok_or_else(|| reader.error(at, Malformed::NoFormFits))?;
        if flags & !FLAGS != 0 {
            return Err(reader.error(at, Malformed::NoFormFits));
        }
        let data = bulk(context, reader)?;
        let stored = reader.u32()?;
        let size = if has_filler { reader.u32()? } else { stored };
        if u64::from(stored) > data.size || size > stored {
            let fault = Malformed::StoredSize { stored: stored.into(), size: size.into() };
            return Err(reader.error(at, fault));
        }
        let first_frame = (flags & FLAG_FIRST_FRAME != 0).then(|| reader.u32()).transpose()?;
        chunks.push(WaveChunk { size: size.into(), first_frame, flags, ..data });
    }
    ends(reader, context)?;
    Ok(SoundWave {
        format: format.to_owned(),
        chunks,
        payload: None,
        is_streamed: true,
        begin: at,
        has_filler,
    })
}

/// Reads a recording in one piece that begins with the number of its formats, of which the preferred one counts.
fn in_one_piece(context: &Context<'_>, at: u64) -> Result<SoundWave, Error> {
    const MAX_FORMATS: u32 = 8;
    let mut reader = Reader::new(context.package.source(), WHAT, at, context.object.end);
    let reader = &mut reader;
    let count = reader.u32()?;
    if count > MAX_FORMATS {
        return Err(reader.error(at, Malformed::NoFormFits));
    }
    let mut formats = Vec::new();
    for _ in 0..count {
        formats.push((read_format(context, reader)?, bulk(context, reader)?));
    }
    // Its GUID.
    reader.skip(16)?;
    ends(reader, context)?;
    let preferred =
        formats.into_iter().min_by_key(|(format, _)| FORMATS.iter().position(|known| known == format));
    let (format, data) = preferred.ok_or_else(|| reader.error(at, Malformed::NoFormFits))?;
    Ok(SoundWave {
        format: format.to_owned(),
        chunks: vec![data],
        payload: None,
        is_streamed: false,
        begin: at,
        has_filler: false,
    })
}

/// Checks that an object ends here.
fn ends(reader: &Reader<'_>, context: &Context<'_>) -> Result<(), Error> {
    if reader.at() == context.object.end {
        return Ok(());
    }
    Err(reader.error(reader.at(), Malformed::NoFormFits))
}

/// Reads where data lies, and skips it if it is inline.
fn bulk(context: &Context<'_>, reader: &mut Reader<'_>) -> Result<WaveChunk, Error> {
    let bulk = BulkRef::read(context.package, reader)?;
    let BulkRef { place, offset, size, .. } = bulk;
    Ok(WaveChunk { place, offset, size, first_frame: None, flags: 0, bulk })
}

#[cfg(test)]
mod tests {
    use super::format_of;

    #[test]
    fn formats_are_the_longest_that_a_name_begins_with_unless_a_letter_follows() {
        for (name, format) in [
            ("OGG", Some("OGG")),
            ("OGG10000-1-1-1-1-1", Some("OGG")),
            ("ogg_8f2c", Some("OGG")),
            ("OPUSNX10000", Some("OPUSNX")),
            ("OPUS-1", Some("OPUS")),
            ("XMA2", Some("XMA2")),
            ("XMA210000", Some("XMA2")),
            ("XMA", Some("XMA")),
            ("ADPCM10000-1", Some("ADPCM")),
            ("LPCM", Some("LPCM")),
            ("PCMA", None),
            ("OGGS", None),
            ("OG", None),
            ("ÖGG", None),
            ("", None),
        ] {
            assert_eq!(format_of(name), format, "{name}");
        }
    }
}
