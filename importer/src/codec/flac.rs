//! FLAC. Only the stream's own description and its frames are given to the decoder: pictures, comments and seek tables
//! may claim any size, and are of no use here.
//!
//! Source: RFC 9639.

use std::io::{self, Read, Seek, SeekFrom};

use song::{Hz, Recording, Width};
use symphonia::core::codecs::CodecParameters;
use symphonia::core::formats::{FormatOptions, FormatReader as _};
use symphonia::core::io::{MediaSource, MediaSourceStream, MediaSourceStreamOptions};
use symphonia::default::formats::FlacReader;

use super::chunks::Chunk;
use super::packet_decoder::{PacketDecoder, PacketValue};
use super::riff::Metadata;
use super::symphonia::{SymphoniaDecoder, guarded};
use super::{CodecParams, Described, comments};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, Error};

/// A stream as its description has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FlacParams {
    /// The signature, and the only metadata block that is needed, marked as the last.
    head: [u8; HEAD],
    /// Where the frames begin.
    at: u64,
    channels: u16,
    pub(super) width: Width,
    pub(super) frames: Option<u64>,
}

const SIGNATURE: u64 = 4;
const HEAD: usize = 42;
const STREAM_INFO: u64 = 34;
/// A block of this many frames is the longest.
const MAX_BLOCK: u64 = 65_535;
/// More bytes of comments than are looked at.
const MAX_COMMENTS: u64 = 1 << 16;
/// More blocks than any file has.
const MAX_BLOCKS: usize = 4096;

pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let (mut at, mut info) = (SIGNATURE, None);
    let (mut chunks, mut comments) = (Vec::new(), None);
    for number in 0.. {
        let header = reader.bytes(at, 4)?;
        let [kind, a, b, c] = *header.as_slice() else { break };
        let length = u64::from(u32::from_be_bytes([0, a, b, c]));
        at = at.saturating_add(4);
        match kind & 0x7F {
            0 if length >= STREAM_INFO => info = info.or(Some(reader.bytes(at, STREAM_INFO)?)),
            2 => chunks.extend(riff_chunk(reader, at, length)?),
            4 => comments = Some((at, length)),
            _ => {}
        }
        at = at.saturating_add(length);
        if kind & 0x80 != 0 {
            break;
        }
        if number == MAX_BLOCKS {
            return Err(malformed(at, format!("more than {MAX_BLOCKS} FLAC metadata blocks")));
        }
    }
    let info = info.ok_or_else(|| malformed(SIGNATURE, "FLAC without a STREAMINFO block"))?;
    let mut head = [0; HEAD];
    let parts = b"fLaC\x80\0\0\x22".iter().chain(&info);
    head.iter_mut().zip(parts).for_each(|(byte, part)| *byte = *part);

    let packed = info.get(10..18).unwrap_or_default().iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let rate = u32::try_from(packed >> 44).ok().and_then(|rate| Hz::new(rate).ok());
    let rate = rate.ok_or_else(|| malformed(SIGNATURE, "FLAC of 0 Hz"))?;
    let channels = u16::try_from(packed >> 41 & 7).unwrap_or_default().saturating_add(1);
    let bits = u16::try_from(packed >> 36 & 31).unwrap_or_default().saturating_add(1);
    let frames = Some(packed & 0xF_FFFF_FFFF);
    let possible = reader.length().saturating_mul(MAX_BLOCK);
    let frames = frames.filter(|frames| (1..=possible).contains(frames));

    let mut repairs = Vec::new();
    if channels > 2 {
        repairs.push(format!("{channels} channels are mixed down to two"));
    }
    let width = match bits {
        0..=8 => Width::Eight,
        9..=16 => Width::Sixteen,
        17..=24 => Width::TwentyFour,
        _ => Width::ThirtyTwo,
    };
    let Metadata { tuning, mut loops, notes } = Metadata::read(reader, &chunks, frames, &mut repairs)?;
    if let (true, Some((at, length))) = (loops.is_empty(), comments) {
        let there = reader.length().saturating_sub(at);
        let comments = reader.bytes(at, length.min(there).min(MAX_COMMENTS))?;
        loops = comments::loops(&comments, frames);
    }
    let audio = Audio { codec: Codec::Flac, rate, channels, bits: Some(bits), frames, loops };
    let params = FlacParams { head, at, channels, width, frames };
    Ok(Described { audio: Some(audio), coding: Ok(CodecParams::Flac(params)), tuning, repairs, notes })
}

/// Returns the RIFF chunk that a metadata block of an application keeps; none if it is of another application, or the
/// header of a form. The reference encoder keeps them so.
///
/// Source: Xiph.Org, *FLAC ID registry*: `riff`, *RIFF chunk storage*.
fn riff_chunk(reader: &PayloadReader<'_>, at: u64, length: u64) -> Result<Option<Chunk>, Damage> {
    let there = length.min(reader.length().saturating_sub(at));
    let head = reader.bytes(at, there.min(12))?;
    let [b'r', b'i', b'f', b'f', a, b, c, d, s0, s1, s2, s3] = *head.as_slice() else { return Ok(None) };
    let claimed = u64::from(u32::from_le_bytes([s0, s1, s2, s3]));
    let chunk =
        Chunk { id: [a, b, c, d], at: at.saturating_add(12), length: claimed.min(there.saturating_sub(12)) };
    Ok(Some(chunk).filter(|_| chunk.id != *b"RIFF"))
}

impl FlacParams {
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        match self.width {
            Width::Eight | Width::Sixteen => {
                let stream = PacketDecoder::new(self.channels, 0, self.frames, budget);
                self.decode_into(reader, stream).map(Recording::I16)
            }
            _ => {
                let stream = PacketDecoder::new(self.channels, 0, self.frames, budget);
                self.decode_into(reader, stream).map(Recording::F32)
            }
        }
    }

    fn decode_into<T: PacketValue>(
        &self,
        reader: &PayloadReader<'_>,
        mut stream: PacketDecoder<'_, T>,
    ) -> Result<song::Planes<T>, Error> {
        let broken = |what: String| malformed(self.at, what);
        let source = Joined { head: self.head, reader: *reader, at: self.at, position: 0 };
        let source = MediaSourceStream::new(Box::new(source), MediaSourceStreamOptions::default());
        let mut reader = guarded(|| FlacReader::try_new(source, FormatOptions::default())).map_err(broken)?;
        let parameters = match reader.tracks().first().and_then(|track| track.codec_params.as_ref()) {
            Some(CodecParameters::Audio(parameters)) => parameters.clone(),
            _ => return Err(broken("FLAC without a stream".to_owned()).into()),
        };
        let mut decoder = SymphoniaDecoder::new(&parameters, self.at)?;
        while !stream.is_full() {
            let Some(packet) = guarded(|| reader.next_packet()).map_err(broken)? else { break };
            stream.push(decoder.decode(&packet.data, self.at)?)?;
        }
        stream.finish(self.at)
    }
}

/// The head, then the frames.
struct Joined<'w> {
    head: [u8; HEAD],
    reader: PayloadReader<'w>,
    at: u64,
    position: u64,
}

impl Read for Joined<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(self.position).unwrap_or(usize::MAX);
        let count = if let Some(head) = self.head.get(start..).filter(|head| !head.is_empty()) {
            into.iter_mut().zip(head).map(|(byte, of_head)| *byte = *of_head).count()
        } else {
            let offset = self.position.saturating_sub(u64::try_from(HEAD).unwrap_or_default());
            let at = self.at.saturating_add(offset);
            let wanted = u64::try_from(into.len()).unwrap_or(u64::MAX);
            let there = wanted.min(self.reader.length().saturating_sub(at));
            let bytes =
                self.reader.bytes(at, there).map_err(|damage| io::Error::other(damage.to_string()))?;
            into.iter_mut().zip(&bytes).map(|(byte, read)| *byte = *read).count()
        };
        self.position = self.position.saturating_add(u64::try_from(count).unwrap_or_default());
        Ok(count)
    }
}

impl Seek for Joined<'_> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl MediaSource for Joined<'_> {
    fn is_seekable(&self) -> bool {
        false
    }

    fn byte_len(&self) -> Option<u64> {
        None
    }
}
