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
use soundbank::wwise::{WemCodec, WemFormat};

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

/// Returns whether a payload begins as a media of Wwise does and a plain WAVE file does not.
pub(crate) fn is_head(head: &[u8]) -> bool {
    // The other byte order only the reader of these media knows.
    (head.starts_with(b"RIFX") && head.get(8..12) == Some(b"WAVE"))
        || WemFormat::of_head(head).is_some_and(|format| format.is_unmistakable())
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

/// Returns the codec that a format names.
fn codec(format: &WemFormat) -> Codec {
    match format.codec() {
        Some(WemCodec::Pcm) => Codec::PcmS16,
        Some(WemCodec::Ima | WemCodec::ImaOld) => Codec::AdpcmIma,
        Some(WemCodec::Ptadpcm) => Codec::Ptadpcm,
        Some(WemCodec::Dsp) => Codec::AdpcmDsp,
        Some(WemCodec::Vag) => Codec::AdpcmPsx,
        Some(WemCodec::Vorbis) => Codec::Vorbis,
        Some(WemCodec::OpusNx | WemCodec::OpusOgg | WemCodec::OpusWem) => Codec::Opus,
        Some(WemCodec::Xma) => Codec::Xma2,
        Some(WemCodec::Xwma) => Codec::Xwma,
        Some(WemCodec::Aac) => Codec::Aac,
        Some(WemCodec::Atrac9) => Codec::Atrac9,
        None => Codec::Tag(format.tag),
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
    let format = WemFormat::read(&bytes, order == ByteOrder::Big)
        .map_err(|_| malformed(header.at, format!("a \"fmt \" chunk of {} bytes", header.length)))?;
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
    let codec = codec(&format);
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
        let unsupported = Ok(Err(UnsupportedReason::Codec(codec(self.format))));
        let Some(codec) = self.format.codec() else { return unsupported };
        let block = self.format.block().map(u64::from);
        match codec {
            WemCodec::Pcm if self.reader.bytes(self.data.start, 4.min(self.length()))? == *b"OggS" => {
                self.ogg()
            }
            WemCodec::Pcm => Ok(self.pcm(repairs)),
            WemCodec::OpusOgg => self.ogg(),
            WemCodec::Vorbis => self.vorbis(find(b"vorb"), find(b"meta")),
            WemCodec::OpusNx | WemCodec::OpusWem => {
                let seek = find(b"seek").map(|chunk| chunk.at..chunk.at.saturating_add(chunk.length));
                WemOpusParams::of_media(self, codec == WemCodec::OpusWem, seek)
            }
            WemCodec::Ima => Ok(Ok(self.blocks(BlockCoding::WwiseIma))),
            WemCodec::Ptadpcm => match block.and_then(BlockCoding::ptadpcm) {
                Some(coding) => Ok(Ok(self.blocks(coding))),
                None => unsupported,
            },
            // Of stereo it is interleaved in a way that no file at hand shows.
            WemCodec::ImaOld if self.format.channels == 1 => Ok(Ok(self.blocks(BlockCoding::WwiseIma))),
            _ => unsupported,
        }
    }

    fn blocks(&self, coding: BlockCoding) -> CodecParams {
        let WemFormat { channels, mask, .. } = *self.format;
        let bytes = (self.data.start, self.length());
        CodecParams::Blocks(BlockParams::new(coding, channels, mask, bytes, None))
    }

    fn length(&self) -> u64 {
        self.data.end.saturating_sub(self.data.start)
    }

    /// Returns the frames that the header states where only the decoder would know them.
    fn stated_frames(&self) -> Option<u64> {
        use WemCodec::{OpusNx, OpusOgg, OpusWem, Vorbis};
        let is_stated = matches!(self.format.codec(), Some(Vorbis | OpusNx | OpusOgg | OpusWem));
        is_stated.then(|| self.fields.u32(0x18).into())
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
