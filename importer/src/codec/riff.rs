//! RIFF/WAVE: a list of RIFF chunks, of which `fmt `, `data`, `smpl`, `inst` and cue points matter here. Game packages
//! hold many that are slightly wrong, which [`super::chunks`] reads all the same.
//!
//! Source: Microsoft, *Multimedia Programming Interface and Data Specifications 1.0* and its *New Multimedia Data
//! Types* revision (`fmt `, `smpl`, `inst`).

mod cues;
mod fmt;
mod inst;
mod smpl;

use super::chunks::{self, Chunk, FORM_HEADER};
use song::LoopRange;

use super::pcm::ByteOrder;
use super::{CodecParams, Described, RootTuning, adpcm, g711, mpeg, pcm};
use crate::UnsupportedReason;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Damage};

/// Describes a WAVE payload from its chunk headers; the data itself is not touched.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let mut repairs = Vec::new();
    let chunks = chunks::chunks(reader, ByteOrder::Little, &mut repairs)?;
    let find = |id: &[u8; 4]| chunks.iter().find(|chunk| chunk.id == *id);
    let missing = |id: &str| malformed(FORM_HEADER, format!("no \"{id}\" chunk"));
    let header = find(b"fmt ").ok_or_else(|| missing("fmt "))?;
    let data = find(b"data").ok_or_else(|| missing("data"))?;

    let header = fmt::read(reader, header, &mut repairs)?;
    if let Ok(fmt::WaveCoding::Mpeg) = header.values {
        // The frames know better than the header around them.
        let mut described = mpeg::describe_part(reader, data.at, data.length)?;
        repairs.append(&mut described.repairs);
        if let Some(audio) = &mut described.audio {
            let said = Metadata::read(reader, &chunks, audio.frames, &mut repairs)?;
            (described.tuning, audio.loops, described.notes) = (said.tuning, said.loops, said.notes);
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
    let Metadata { tuning, loops, notes } = Metadata::read(reader, &chunks, frames, &mut repairs)?;
    let audio = Audio {
        codec: header.codec,
        rate: header.rate,
        channels: header.channels,
        bits: Some(header.bits).filter(|bits| *bits > 0),
        frames,
        loops,
    };
    Ok(Described { audio: Some(audio), coding, tuning, repairs, notes })
}

/// What chunks besides the data say of a sound.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) tuning: Option<RootTuning>,
    pub(super) loops: Vec<LoopRange>,
    pub(super) notes: Vec<String>,
}

impl Metadata {
    /// Reads the chunks of a sound of `frames` frames. The root key of `smpl` counts more than that of `inst`: it is
    /// the one that samplers write.
    pub(super) fn read(
        reader: &PayloadReader<'_>,
        chunks: &[Chunk],
        frames: Option<u64>,
        repairs: &mut Vec<String>,
    ) -> Result<Self, Damage> {
        let find = |id: &[u8; 4]| chunks.iter().find(|chunk| chunk.id == *id);
        let mut said = Self::default();
        if let Some(chunk) = find(b"inst") {
            said.tuning = inst::read(reader, chunk, &mut said.notes, repairs)?;
        }
        if let (Some(chunk), Some(frames)) = (find(b"smpl"), frames) {
            let (tuning, loops) = smpl::read(reader, chunk, frames, repairs)?;
            (said.tuning, said.loops) = (tuning.or(said.tuning), loops);
        }
        if let Some(chunk) = find(b"cue ") {
            let lists: Vec<&Chunk> = chunks.iter().filter(|chunk| chunk.id == *b"LIST").collect();
            said.notes.extend(cues::read(reader, chunk, &lists)?);
        }
        Ok(said)
    }
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
            CodecParams::Pcm(pcm::PcmParams { coding, order: ByteOrder::Little, channels, mask, at, frames })
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

/// Reads little-endian fields off the front of a chunk's bytes.
struct ChunkFields<'b>(&'b [u8]);

impl ChunkFields<'_> {
    fn u8(&mut self) -> Option<u8> {
        let (field, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*field)
    }

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
