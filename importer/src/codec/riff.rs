//! RIFF/WAVE: a list of RIFF chunks, of which `fmt `, `data` and `smpl` matter here.
//!
//! Game packages hold many that are slightly wrong, so the sizes are believed only as far as bytes are there:
//! a wrong RIFF size is ignored, a chunk that reaches past the payload ends with it, and where the pad byte after
//! an odd chunk is missing the next chunk is found all the same.
//!
//! Source: Microsoft, *Multimedia Programming Interface and Data Specifications 1.0* and its *New Multimedia Data
//! Types* revision (`fmt `, `smpl`).

mod fmt;
mod smpl;

use super::{CodecParams, Described, RootTuning, adpcm, g711, mpeg, pcm};
use crate::UnsupportedReason;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Damage};

/// A RIFF chunk: where its body starts and how much of it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chunk {
    id: [u8; 4],
    at: u64,
    length: u64,
}

/// More than any real file has; a payload of nothing but chunk headers must not take for ever.
const MAX_CHUNKS: usize = 1024;
/// `RIFF`, its size, `WAVE`.
const FORM_HEADER: u64 = 12;
const CHUNK_HEADER: u64 = 8;

/// Describes a WAVE payload from its chunk headers; the data itself is not touched.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let mut repairs = Vec::new();
    let chunks = chunks(reader, &mut repairs)?;
    let find = |id: &[u8; 4]| chunks.iter().find(|chunk| chunk.id == *id);
    let missing = |id: &str| malformed(FORM_HEADER, format!("no \"{id}\" chunk"));
    let header = find(b"fmt ").ok_or_else(|| missing("fmt "))?;
    let data = find(b"data").ok_or_else(|| missing("data"))?;

    let header = fmt::read(reader, header, &mut repairs)?;
    if let Ok(fmt::WaveCoding::Mpeg) = header.values {
        // The frames know better than the header around them.
        let mut described = mpeg::describe_part(reader, data.at, data.length)?;
        repairs.append(&mut described.repairs);
        if let (Some(chunk), Some(audio)) = (find(b"smpl"), &mut described.audio) {
            let frames = audio.frames.unwrap_or_default();
            (described.tuning, audio.loops) = smpl::read(reader, chunk, frames, &mut repairs)?;
        }
        return Ok(Described { repairs, ..described });
    }
    let mut coding = coding(reader, &header, data, &mut repairs)?;
    if let (Ok(CodecParams::Adpcm(params)), Some(fact)) = (&mut coding, find(b"fact")) {
        fact_frames(reader, fact, &mut params.frames, &mut repairs)?;
    }
    let mut frames = coding.as_ref().ok().and_then(CodecParams::frames).or(header.frames);
    if let (Err(UnsupportedReason::Codec(_)), None, Some(fact)) = (&coding, frames, find(b"fact")) {
        let bytes = reader.bytes(fact.at, fact.length.min(4))?;
        frames = ChunkFields(&bytes).u32().map(u64::from);
    }
    let (tuning, loops) = match (find(b"smpl"), frames) {
        (Some(chunk), Some(frames)) => smpl::read(reader, chunk, frames, &mut repairs)?,
        _ => (None, Vec::new()),
    };
    let audio = Audio {
        codec: header.codec,
        rate: header.rate,
        channels: header.channels,
        bits: Some(header.bits).filter(|bits| *bits > 0),
        frames,
        loops,
    };
    Ok(Described { audio: Some(audio), coding, tuning, repairs })
}

/// Returns where and how the values lie in the data; the inner error says why they are not decoded.
fn coding(
    reader: &PayloadReader<'_>,
    header: &fmt::Header,
    data: &Chunk,
    repairs: &mut Vec<String>,
) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
    let fmt::Header { channels, mask, .. } = *header;
    let at = data.at;
    let values = match header.values.clone() {
        Ok(values) => values,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut whole = |value_bytes: u16| {
        let frames = frames(data, value_bytes.into(), channels, repairs);
        if channels > 2 {
            repairs.push(format!("{channels} channels are mixed down to two"));
        }
        frames
    };
    Ok(Ok(match values {
        fmt::WaveCoding::Pcm(coding) => {
            let frames = whole(coding.bytes());
            CodecParams::Pcm(pcm::PcmParams { coding, channels, mask, at, frames })
        }
        fmt::WaveCoding::G711(law) => {
            let frames = whole(1);
            CodecParams::G711(g711::G711Params { law, channels, mask, at, frames })
        }
        fmt::WaveCoding::Adpcm(header) => {
            let params =
                adpcm::AdpcmParams::new(reader, header, at..at.saturating_add(data.length), repairs)?;
            return Ok(params.map(CodecParams::Adpcm));
        }
        fmt::WaveCoding::Mpeg => return Ok(Err(UnsupportedReason::DescribedByFrames)),
    }))
}

/// Returns how many whole frames a data chunk holds.
fn frames(data: &Chunk, value_bytes: u64, channels: u16, repairs: &mut Vec<String>) -> u64 {
    let frame_bytes = value_bytes.saturating_mul(u64::from(channels));
    let rest = data.length.checked_rem(frame_bytes).unwrap_or_default();
    if rest > 0 {
        repairs.push(format!("{rest} bytes after the last whole frame ignored"));
    }
    data.length.checked_div(frame_bytes).unwrap_or_default()
}

/// Reads where in the last block the sound ends, which a `fact` chunk states. Streams that were never finished state 0.
fn fact_frames(
    reader: &PayloadReader<'_>,
    fact: &Chunk,
    frames: &mut u64,
    repairs: &mut Vec<String>,
) -> Result<(), Damage> {
    let bytes = reader.bytes(fact.at, fact.length.min(4))?;
    match ChunkFields(&bytes).u32().map(u64::from) {
        Some(stated) if stated > *frames => {
            repairs.push(format!("\"fact\" chunk declares {stated} frames, {frames} are there"));
        }
        Some(stated) if stated > 0 => *frames = stated,
        _ => {}
    }
    Ok(())
}

fn chunks(reader: &PayloadReader<'_>, repairs: &mut Vec<String>) -> Result<Vec<Chunk>, Damage> {
    let mut chunks = Vec::new();
    let mut at = FORM_HEADER;
    while let Some((id, claimed)) = header(reader, at)? {
        if !is_plausible(id) {
            let rest = reader.length().saturating_sub(at);
            repairs.push(format!("{rest} bytes after the last chunk ignored"));
            break;
        }
        if chunks.len() == MAX_CHUNKS {
            return Err(malformed(at, format!("more than {MAX_CHUNKS} chunks")));
        }
        let body = at.saturating_add(CHUNK_HEADER);
        let there = reader.length().saturating_sub(body);
        if claimed > there {
            let name = String::from_utf8_lossy(&id).into_owned();
            repairs.push(format!("chunk \"{name}\" claims {claimed} bytes, {there} are there"));
        }
        let length = claimed.min(there);
        chunks.push(Chunk { id, at: body, length });
        let end = body.saturating_add(length);
        at = after(reader, end, length % 2 == 1, repairs)?;
    }
    Ok(chunks)
}

/// Returns where the next chunk starts: after the pad byte of an odd chunk, unless that was left out. A pad byte is 0,
/// so what can be read as an id without skipping one is an id, unless skipping one gives an id that is known.
fn after(
    reader: &PayloadReader<'_>,
    end: u64,
    is_odd: bool,
    repairs: &mut Vec<String>,
) -> Result<u64, Damage> {
    if !is_odd {
        return Ok(end);
    }
    let padded = end.saturating_add(1);
    let is_padded = header(reader, padded)?.is_some_and(|(id, _)| KNOWN.contains(&&id));
    if !is_padded && header(reader, end)?.is_some_and(|(id, _)| is_plausible(id)) {
        repairs.push(format!("no pad byte after the odd chunk that ends at {end:#x}"));
        return Ok(end);
    }
    Ok(padded)
}

/// Returns the id and size of the chunk at a place; none if fewer bytes than a header are left.
fn header(reader: &PayloadReader<'_>, at: u64) -> Result<Option<([u8; 4], u64)>, Damage> {
    if reader.length().saturating_sub(at) < CHUNK_HEADER {
        return Ok(None);
    }
    let bytes = reader.bytes(at, CHUNK_HEADER)?;
    match bytes.as_slice() {
        [a, b, c, d, size @ ..] => {
            let size = ChunkFields(size).u32().unwrap_or_default();
            Ok(Some(([*a, *b, *c, *d], u64::from(size))))
        }
        _ => Ok(None),
    }
}

/// Ids that follow the data in real files.
const KNOWN: [&[u8; 4]; 11] =
    [b"fmt ", b"data", b"smpl", b"LIST", b"cue ", b"fact", b"inst", b"bext", b"acid", b"DISP", b"plst"];

/// Returns whether it is a chunk id: four printable characters.
fn is_plausible(id: [u8; 4]) -> bool {
    id.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Reads little-endian fields off the front of a chunk's bytes.
struct ChunkFields<'b>(&'b [u8]);

impl ChunkFields<'_> {
    fn u16(&mut self) -> Option<u16> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u16::from_le_bytes(*field))
    }

    fn u32(&mut self) -> Option<u32> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*field))
    }
}
