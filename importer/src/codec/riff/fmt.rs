//! The `fmt ` chunk: how the data is coded.

use song::Hz;

use super::{Chunk, ChunkFields};
use crate::UnsupportedReason;
use crate::codec::adpcm::{self, AdpcmMethod, PAIRS};
use crate::codec::g711::Law;
use crate::codec::pcm;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Codec, Damage};

/// A `fmt ` chunk that makes sense.
pub(super) struct Header {
    pub(super) codec: Codec,
    /// How values are stored, or why the data cannot be decoded.
    pub(super) values: Result<WaveCoding, UnsupportedReason>,
    pub(super) channels: u16,
    /// The speakers of the channels, 0 if it does not say.
    pub(super) mask: u32,
    pub(super) rate: Hz,
    pub(super) bits: u16,
    /// Frames of a codec that states them here.
    pub(super) frames: Option<u64>,
}

/// How values are stored.
#[derive(Clone)]
pub(super) enum WaveCoding {
    Pcm(pcm::PcmCoding),
    G711(Law),
    Adpcm(adpcm::AdpcmHeader),
    /// MPEG frames.
    Mpeg,
}

/// Format tags. Source: Microsoft, `mmreg.h`.
mod tag {
    pub(super) const PCM: u16 = 0x0001;
    pub(super) const ADPCM_MS: u16 = 0x0002;
    pub(super) const FLOAT: u16 = 0x0003;
    pub(super) const A_LAW: u16 = 0x0006;
    pub(super) const MU_LAW: u16 = 0x0007;
    pub(super) const ADPCM_IMA: u16 = 0x0011;
    pub(super) const MPEG: u16 = 0x0050;
    pub(super) const MPEG_LAYER_3: u16 = 0x0055;
    pub(super) const XMA2: u16 = 0x0166;
    /// The first bytes of its sub-format, which is no tag.
    pub(super) const ATRAC9: u16 = 0x42d2;
    pub(super) const EXTENSIBLE: u16 = 0xfffe;
    /// Reserved for formats in development; some editors leave it in files of PCM.
    pub(super) const DEVELOPMENT: u16 = 0xffff;
}

/// The fields up to the block alignment are in every `fmt ` chunk.
const MIN_RATE: u64 = 14;
/// Beyond lie no fields that are read: 256 pairs of coefficients end here.
const MAX_RATE: u64 = 22 + 4 * 256;
/// Microsoft ADPCM has the number of its pairs of coefficients here, then the pairs.
const PAIRS_AT: usize = 20;
/// The engine has the number of frames after the seven pairs.
const FRAMES_AT: usize = 50;
/// XMA2 has the number of frames after its streams and their speakers.
///
/// Source: Microsoft, `xma2defs.h`.
const XMA2_FRAMES_AT: usize = 24;
/// An extensible header holds a bit for each speaker here.
const EXTENSIBLE_MASK_AT: usize = 20;
/// And the true tag in the first two bytes of its sub-format.
const EXTENSIBLE_TAG_AT: usize = 24;

pub(super) fn read(
    reader: &PayloadReader<'_>,
    chunk: &Chunk,
    repairs: &mut Vec<String>,
) -> Result<Header, Damage> {
    let broken = |what: &str| malformed(chunk.at, format!("the \"fmt \" chunk {what}"));
    if chunk.length < MIN_RATE {
        return Err(broken(&format!("has {} bytes, it needs {MIN_RATE}", chunk.length)));
    }
    let bytes = reader.bytes(chunk.at, chunk.length.min(MAX_RATE))?;
    let format = WaveFormat::of(&bytes);
    let tag = format.tag(&bytes, repairs);
    let WaveFormat { channels, align, bits, block_frames, .. } = format;
    let rate = Hz::new(format.rate).map_err(|_| broken("declares a rate of 0 Hz"))?;
    if channels == 0 {
        return Err(broken("states 0 channels"));
    }
    let of_bits = |coding: String| UnsupportedReason::Width { coding, bits };
    let mask = format.mask(&bytes);
    let blocks =
        |method, frames| adpcm::AdpcmHeader { method, channels, mask, block: align, block_frames, frames };
    let mut width = || value_bytes(channels, align, bits, format.is_stated_twice(), repairs);
    let values = match tag {
        tag::PCM => {
            let coding = pcm::PcmCoding::integer(width());
            coding.map(WaveCoding::Pcm).ok_or_else(|| of_bits("PCM".to_owned()))
        }
        tag::FLOAT => {
            let coding = pcm::PcmCoding::float(width());
            coding.map(WaveCoding::Pcm).ok_or_else(|| of_bits("float PCM".to_owned()))
        }
        tag::A_LAW => Ok(WaveCoding::G711(Law::A)),
        tag::MU_LAW => Ok(WaveCoding::G711(Law::Mu)),
        tag::ADPCM_IMA | tag::ADPCM_MS if bits != 4 => Err(of_bits(codec(tag).name())),
        tag::ADPCM_IMA => Ok(WaveCoding::Adpcm(blocks(AdpcmMethod::Ima, None))),
        tag::ADPCM_MS => Ok(WaveCoding::Adpcm(blocks(AdpcmMethod::Ms(pairs(&bytes)), frames(&bytes)))),
        tag::MPEG | tag::MPEG_LAYER_3 => Ok(WaveCoding::Mpeg),
        _ => Err(UnsupportedReason::Codec(codec(tag))),
    };
    let codec = match &values {
        Ok(WaveCoding::Pcm(coding)) => coding.codec(),
        _ => codec(tag),
    };
    let xma2_frames = || ChunkFields(bytes.get(XMA2_FRAMES_AT..).unwrap_or_default()).u32().map(u64::from);
    let frames = if codec == Codec::Xma2 { xma2_frames() } else { None };
    Ok(Header { codec, values, channels, mask, rate, bits, frames })
}

/// The fields that every header has, as stated.
#[derive(Clone, Copy)]
struct WaveFormat {
    stated_tag: u16,
    channels: u16,
    /// Hertz.
    rate: u32,
    bytes_per_second: u32,
    /// Bytes of a block, which for PCM is a frame.
    align: u16,
    bits: u16,
    /// Frames of a block of ADPCM.
    block_frames: u16,
}

impl WaveFormat {
    fn of(bytes: &[u8]) -> Self {
        let mut fields = ChunkFields(bytes);
        let mut take = || fields.u16().unwrap_or_default();
        let (stated_tag, channels) = (take(), take());
        let rate = u32::from(take()) | u32::from(take()) << 16;
        let bytes_per_second = u32::from(take()) | u32::from(take()) << 16;
        let (align, bits) = (take(), take());
        let _extension_size = take();
        Self { stated_tag, channels, rate, bytes_per_second, align, bits, block_frames: take() }
    }

    /// Returns whether the bytes per second are those of blocks at the rate.
    fn is_stated_twice(&self) -> bool {
        u64::from(self.bytes_per_second) == u64::from(self.rate).saturating_mul(self.align.into())
    }

    /// Returns the tag of the audio: that of the sub-format, and PCM for a tag of development whose fields are those of
    /// PCM.
    fn tag(&self, bytes: &[u8], repairs: &mut Vec<String>) -> u16 {
        let tag = match self.stated_tag {
            tag::EXTENSIBLE => {
                let stated = bytes.get(EXTENSIBLE_TAG_AT..).and_then(|rest| ChunkFields(rest).u16());
                stated.unwrap_or(self.stated_tag)
            }
            tag => tag,
        };
        // Wwise has Vorbis under the same tag, and other values in these fields.
        // Source: *real-games*, §12: 3 of 3 files of Unreal's editor.
        let is_pcm = (self.bits, u32::from(self.align)) == (16, u32::from(self.channels).saturating_mul(2));
        match tag {
            tag::DEVELOPMENT if is_pcm && self.is_stated_twice() => {
                repairs.push("format tag 0xFFFF, whose fields are those of 16-bit PCM".to_owned());
                tag::PCM
            }
            tag => tag,
        }
    }

    /// Returns a bit for each speaker; none if the header is not extensible.
    fn mask(&self, bytes: &[u8]) -> u32 {
        let mask = bytes.get(EXTENSIBLE_MASK_AT..).filter(|_| self.stated_tag == tag::EXTENSIBLE);
        mask.and_then(|rest| ChunkFields(rest).u32()).unwrap_or_default()
    }
}

/// Returns how many frames each channel has, if the header is as long as the engine makes it with that number.
fn frames(bytes: &[u8]) -> Option<u32> {
    let frames = bytes.get(FRAMES_AT..).filter(|rest| rest.len() == 4)?;
    ChunkFields(frames).u32().filter(|frames| *frames > 0)
}

/// Returns the pairs of coefficients of Microsoft ADPCM: those of the file if it has all that every file must, else
/// these.
fn pairs(bytes: &[u8]) -> Vec<(i16, i16)> {
    let mut fields = ChunkFields(bytes.get(PAIRS_AT..).unwrap_or_default());
    let count = usize::from(fields.u16().unwrap_or_default());
    let mut word = || fields.u16().map(u16::cast_signed);
    let pairs: Vec<_> = std::iter::from_fn(|| Some((word()?, word()?))).take(count).collect();
    if pairs.len() < PAIRS.len() { PAIRS.to_vec() } else { pairs }
}

/// Returns the number of bytes per value: what the stated bits need; what the block alignment gives if that can hold
/// more and the bytes per second say the same.
fn value_bytes(
    channels: u16,
    align: u16,
    bits: u16,
    is_stated_twice: bool,
    repairs: &mut Vec<String>,
) -> u16 {
    let needed = bits.div_ceil(8);
    let aligned = align.checked_div(channels).unwrap_or_default();
    if aligned == needed && aligned.checked_mul(channels) == Some(align) {
        return needed;
    }
    let is_wider = aligned > needed && aligned.checked_mul(channels) == Some(align) && is_stated_twice;
    let taken = if is_wider { aligned } else { needed };
    if bits > 0 {
        repairs.push(format!(
            "block alignment {align} does not fit {channels} channels of {bits} bits; values of {taken} bytes are read"
        ));
    }
    taken
}

const fn codec(tag: u16) -> Codec {
    match tag {
        tag::ADPCM_MS => Codec::AdpcmMs,
        tag::ADPCM_IMA => Codec::AdpcmIma,
        tag::A_LAW => Codec::ALaw,
        tag::MU_LAW => Codec::MuLaw,
        tag::MPEG => Codec::Mp2,
        tag::MPEG_LAYER_3 => Codec::Mp3,
        tag::XMA2 => Codec::Xma2,
        tag::ATRAC9 => Codec::Atrac9,
        tag => Codec::Tag(tag),
    }
}
