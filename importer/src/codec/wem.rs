//! Media of Wwise: RIFF/WAVE with format tags, chunks and an order of channels of its own.
//!
//! ```text
//! RIFF or RIFX │ fmt │ smpl, cue, LIST, akd, JUNK, seek, vorb … │ data
//! ```
//!
//! Source: *sound-banks*, §3.

mod opus;

use std::ops::Range;

use song::Hz;

pub(super) use opus::WemOpusParams;

use super::chunks::{self, Chunk, FORM_HEADER};
use super::mono_blocks::{BlockCoding, BlockParams};
use super::pcm::{self, ByteOrder};
use super::riff::Metadata;
use super::vorbis::packets::BarePacketParams;
use super::vorbis::wwise::{PacketHead, WwiseVorbisParams};
use super::{CodecParams, Described, PartParams};
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, UnsupportedReason};

/// Format tags that only Wwise has, or uses in its own way.
mod tag {
    pub(super) const PCM: u16 = 0x0001;
    pub(super) const ADPCM: u16 = 0x0002;
    pub(super) const ADPCM_OLD: u16 = 0x0069;
    pub(super) const OPUS_NX: u16 = 0x3039;
    pub(super) const OPUS_OGG: u16 = 0x3040;
    pub(super) const OPUS_WEM: u16 = 0x3041;
    pub(super) const PTADPCM: u16 = 0x8311;
    pub(super) const PCM_WEM: u16 = 0xFFFE;
    pub(super) const VORBIS: u16 = 0xFFFF;
}

/// Bytes of a `fmt ` chunk of PCM, where a WAVE file of the same tag has 40.
const PCM_FORMAT: u32 = 0x18;

/// Bytes of a block of IMA ADPCM of one channel.
const IMA_BLOCK: u16 = 0x24;

/// Returns whether a payload begins as a media of Wwise does and a plain WAVE file does not.
pub(crate) fn is_head(head: &[u8]) -> bool {
    let order = match head.get(..4) {
        Some(b"RIFF") => ByteOrder::Little,
        // Big-endian WAVE files are nobody else's.
        Some(b"RIFX") => return head.get(8..12) == Some(b"WAVE"),
        _ => return false,
    };
    let is_wave = head.get(8..16) == Some(b"WAVEfmt ");
    let Some((size, format)) = head.get(16..20).zip(head.get(20..)) else { return false };
    let size = u32::from_le_bytes([0, 1, 2, 3].map(|at| size.get(at).copied().unwrap_or_default()));
    let format = WemFormat::of(format, order);
    is_wave
        && match format.tag {
            tag::OPUS_NX | tag::OPUS_OGG | tag::OPUS_WEM | tag::PTADPCM => true,
            // Editors leave the tag in PCM, which has bits.
            tag::VORBIS => format.bits == 0,
            tag::PCM_WEM => size == PCM_FORMAT,
            tag::ADPCM => size == PCM_FORMAT && format.extra == 6,
            _ => false,
        }
}

/// The fields of a `fmt ` chunk.
struct WemFormat {
    tag: u16,
    channels: u16,
    rate: u32,
    /// Bytes of a block.
    align: u16,
    bits: u16,
    extra: u16,
    /// Speakers of the channels; 0 if it does not say.
    mask: u32,
}

/// A number at an offset; 0 where the bytes end.
struct Numbers<'b>(&'b [u8], ByteOrder);

impl Numbers<'_> {
    fn get<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut bytes = self.0.get(at..).and_then(|bytes| bytes.first_chunk().copied()).unwrap_or([0; N]);
        if self.1 == ByteOrder::Big {
            bytes.reverse();
        }
        bytes
    }

    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.get(at))
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.get(at))
    }
}

impl WemFormat {
    fn of(bytes: &[u8], order: ByteOrder) -> Self {
        let numbers = Numbers(bytes, order);
        let channels = numbers.u16(2);
        let word = numbers.u32(20);
        // Channels, their type, their mask; in older media the mask alone.
        let mask = if word & 0xFF == u32::from(channels) { word >> 12 } else { word };
        Self {
            tag: numbers.u16(0),
            channels,
            rate: numbers.u32(4),
            align: numbers.u16(12),
            bits: numbers.u16(14),
            extra: numbers.u16(16),
            mask,
        }
    }

    fn codec(&self) -> Codec {
        match self.tag {
            tag::VORBIS => Codec::Vorbis,
            tag::PCM | tag::PCM_WEM => Codec::PcmS16,
            tag::OPUS_NX | tag::OPUS_OGG | tag::OPUS_WEM => Codec::Opus,
            tag::PTADPCM => Codec::Ptadpcm,
            tag::ADPCM_OLD => Codec::AdpcmIma,
            tag::ADPCM => self.blocks().map_or(Codec::AdpcmDsp, BlockCoding::codec),
            0xAAC0 => Codec::Aac,
            0x0161 | 0x0162 => Codec::Xwma,
            0x0165 | 0x0166 => Codec::Xma2,
            0xFFF0 => Codec::AdpcmDsp,
            0xFFFB => Codec::AdpcmPsx,
            0xFFFC => Codec::Atrac9,
            other => Codec::Tag(other),
        }
    }

    /// Returns how blocks of ADPCM are coded, by their size.
    fn blocks(&self) -> Option<BlockCoding> {
        let block = self.align.checked_div(self.channels)?;
        let is_whole = self.align.checked_rem(self.channels) == Some(0);
        match self.tag {
            tag::PTADPCM => BlockCoding::ptadpcm(block.into()),
            _ if block == IMA_BLOCK => Some(BlockCoding::WwiseIma),
            tag::ADPCM => BlockCoding::ptadpcm(block.into()),
            _ => None,
        }
        .filter(|_| is_whole)
    }
}

/// Describes a media from its chunks; the data itself is touched only where a setup header lies in it.
///
/// # Errors
/// If a chunk is missing, or contradicts the others.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let order = if reader.head(4)?.starts_with(b"RIFX") { ByteOrder::Big } else { ByteOrder::Little };
    let mut repairs = Vec::new();
    let chunks = chunks::chunks(reader, order, &mut repairs)?;
    let find = |id: &[u8; 4]| chunks.iter().find(|chunk| chunk.id == *id);
    let missing = |id: &str| malformed(FORM_HEADER, format!("no \"{id}\" chunk"));
    let header = find(b"fmt ").ok_or_else(|| missing("fmt "))?;
    let data = find(b"data").ok_or_else(|| missing("data"))?;
    let bytes = reader.bytes(header.at, header.length.min(0x80))?;
    let format = WemFormat::of(&bytes, order);
    let rate = Hz::new(format.rate).map_err(|_| malformed(header.at, "a media of 0 Hz"))?;
    if format.channels == 0 {
        return Err(malformed(header.at, "a media of 0 channels"));
    }
    let media = WemMedia {
        reader,
        format: &format,
        fields: Numbers(&bytes, order),
        at: header.at,
        data: data.at..data.at.saturating_add(data.length),
        order,
    };
    let coding = media.coding(find, &mut repairs)?;
    let frames = coding.as_ref().ok().and_then(CodecParams::frames).or_else(|| media.stated_frames());
    let Metadata { tuning, loops, notes } = match order {
        ByteOrder::Little => Metadata::read(reader, &chunks, frames, &mut repairs)?,
        // No file at hand shows how loops and marks are stored there.
        ByteOrder::Big => Metadata::default(),
    };
    let (channels, bits) = (format.channels, Some(format.bits).filter(|bits| *bits > 0));
    if channels > 2 {
        repairs.push(format!("{channels} channels are mixed down to two"));
    }
    let codec = format.codec();
    let rate = if codec == Codec::Opus { Hz::new(opus::RATE).unwrap_or(rate) } else { rate };
    let audio = Audio { codec, rate, channels, bits, frames, loops };
    Ok(Described { audio: Some(audio), coding, tuning, repairs, notes })
}

/// A media whose chunks are found.
struct WemMedia<'r, 's> {
    reader: &'r PayloadReader<'s>,
    format: &'r WemFormat,
    /// The `fmt ` chunk.
    fields: Numbers<'r>,
    /// Where that lies.
    at: u64,
    data: Range<u64>,
    order: ByteOrder,
}

impl WemMedia<'_, '_> {
    /// Returns how the data is decoded; the inner error says why it is not.
    fn coding<'c>(
        &self,
        find: impl Fn(&[u8; 4]) -> Option<&'c Chunk>,
        repairs: &mut Vec<String>,
    ) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
        let codec = self.format.codec();
        let unsupported = Ok(Err(UnsupportedReason::Codec(codec)));
        match self.format.tag {
            tag::PCM_WEM if self.reader.bytes(self.data.start, 4.min(self.length()))? == *b"OggS" => {
                self.ogg()
            }
            tag::PCM | tag::PCM_WEM => Ok(self.pcm(repairs)),
            tag::OPUS_OGG => self.ogg(),
            tag::VORBIS => self.vorbis(find(b"vorb"), find(b"meta")),
            tag::OPUS_NX | tag::OPUS_WEM => {
                let seek = find(b"seek").map(|chunk| chunk.at..chunk.at.saturating_add(chunk.length));
                WemOpusParams::of_media(self, seek)
            }
            tag::ADPCM | tag::PTADPCM => match self.format.blocks() {
                Some(coding) => {
                    let WemFormat { channels, mask, .. } = *self.format;
                    let bytes = (self.data.start, self.length());
                    let params = BlockParams::new(coding, channels, mask, bytes, None);
                    Ok(Ok(CodecParams::Blocks(params)))
                }
                None => unsupported,
            },
            // Of stereo it is interleaved in a way that no file at hand shows.
            tag::ADPCM_OLD if self.format.channels == 1 => {
                let bytes = (self.data.start, self.length());
                Ok(Ok(CodecParams::Blocks(BlockParams::new(BlockCoding::WwiseIma, 1, 0, bytes, None))))
            }
            _ => unsupported,
        }
    }

    fn length(&self) -> u64 {
        self.data.end.saturating_sub(self.data.start)
    }

    /// Returns the frames that the header states where only the decoder would know them.
    fn stated_frames(&self) -> Option<u64> {
        let stated = matches!(self.format.tag, tag::VORBIS | tag::OPUS_NX | tag::OPUS_OGG | tag::OPUS_WEM);
        stated.then(|| self.fields.u32(0x18).into())
    }

    fn pcm(&self, repairs: &mut Vec<String>) -> Result<CodecParams, UnsupportedReason> {
        let WemFormat { channels, bits, mask, .. } = *self.format;
        let width = || UnsupportedReason::Width { coding: "PCM".to_owned(), bits };
        let coding = pcm::PcmCoding::integer(bits.div_ceil(8)).filter(|_| bits == 16).ok_or_else(width)?;
        let frame = u64::from(coding.bytes()).saturating_mul(channels.into()).max(1);
        let rest = self.length().checked_rem(frame).unwrap_or_default();
        if rest > 0 {
            repairs.push(format!("{rest} bytes after the last whole frame ignored"));
        }
        let frames = self.length().checked_div(frame).unwrap_or_default();
        let (order, at) = (self.order, self.data.start);
        Ok(CodecParams::Pcm(pcm::PcmParams { coding, order, channels, mask, at, frames }))
    }

    /// Returns the whole Ogg stream in the data.
    fn ogg(&self) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
        let part = self.reader.part(self.data.start, self.length());
        let part = part.ok_or_else(|| malformed(self.data.start, "data outside of the media"))?;
        let described = super::vorbis::describe(&part)?;
        Ok(described.coding.map(|params| {
            let (at, length) = (self.data.start, self.length());
            CodecParams::Part(Box::new(PartParams { at, length, params }))
        }))
    }

    /// Returns where setup and packets lie, by the `vorb` chunk of older media or the rest of the `fmt ` chunk.
    ///
    /// | extra bytes | offsets from | exponents at | heads |
    /// |---|---|---|---|
    /// | 0x30 of `fmt ` | 0x10 | 0x28 | 2 bytes |
    /// | 0x2A of `vorb` | 0x10 | 0x28 | 2 bytes |
    /// | 0x32, 0x34 of `vorb` | 0x18 | 0x2C, 0x30 | 6 bytes |
    fn vorbis(
        &self,
        vorb: Option<&Chunk>,
        meta: Option<&Chunk>,
    ) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
        let extra = match vorb {
            Some(chunk) => self.reader.bytes(chunk.at, chunk.length.min(0x40))?,
            None => self.fields.0.get(0x18..).unwrap_or_default().to_vec(),
        };
        let is_old = vorb.is_some();
        let fields = Numbers(&extra, self.order);
        let (offsets, exponents, head) = match (is_old, extra.len()) {
            (false, 0x2A..) | (true, 0x2A) => (0x10, 0x28, PacketHead::Size),
            (true, 0x32 | 0x34) => (0x18, extra.len().saturating_sub(4), PacketHead::SizeGranule),
            (_, length) => {
                let reason = format!("Vorbis of Wwise with a header of {length:#x} bytes is not decoded");
                return Ok(Err(UnsupportedReason::Stream(reason)));
            }
        };
        let frames = u64::from(fields.u32(0));
        let (seek, audio) =
            (u64::from(fields.u32(offsets)), u64::from(fields.u32(offsets.saturating_add(4))));
        let byte = |at: usize| extra.get(at).copied().unwrap_or_default();
        let exponents = [byte(exponents), byte(exponents.saturating_add(1))];
        if !exponents.iter().all(|exponent| (6..=13).contains(exponent)) || exponents[0] > exponents[1] {
            let [short, long] = exponents;
            return Err(malformed(self.at, format!("Vorbis with blocks of 2^{short} and 2^{long} frames")));
        }
        let skipped = match meta {
            Some(chunk) => {
                let bytes = self.reader.bytes(chunk.at, chunk.length.min(8))?;
                u64::from(Numbers(&bytes, self.order).u32(4))
            }
            None => 0,
        };
        let start = self.data.start.saturating_add(audio);
        if start > self.data.end {
            return Err(malformed(self.at, "Vorbis packets outside of the data"));
        }
        let params = WwiseVorbisParams {
            stream: BarePacketParams { channels: self.format.channels, exponents, frames },
            setup_at: self.data.start.saturating_add(seek).saturating_add(skipped),
            packets: start..self.data.end,
            head,
            is_standard: exponents[0] == exponents[1],
            order: self.order,
        };
        Ok(match params.unsupported_reason(self.reader)? {
            Some(reason) => Err(reason),
            None => Ok(CodecParams::WwiseVorbis(params)),
        })
    }
}
