//! The `fmt ` chunk: how the data is coded.

use song::Hz;

use super::{Chunk, Fields};
use crate::codec::pcm::Coding;
use crate::error::malformed;
use crate::window::Window;
use crate::{Codec, Damage};

/// A `fmt ` chunk that makes sense.
pub(super) struct Header {
    pub(super) codec: Codec,
    /// How one value is stored, or why the data cannot be decoded.
    pub(super) coding: Result<Coding, String>,
    pub(super) channels: u16,
    pub(super) rate: Hz,
    pub(super) bits: u16,
    /// Bytes per frame; 0 if the codec has no such thing.
    frame_bytes: u64,
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
    pub(super) const EXTENSIBLE: u16 = 0xfffe;
}

/// The fields up to the block alignment are in every `fmt ` chunk.
const SMALLEST: u64 = 14;
/// An extensible header holds the true tag in the first two bytes of its sub-format, 24 bytes in.
const EXTENSIBLE_SIZE: u64 = 40;
const EXTENSIBLE_TAG_AT: usize = 24;

pub(super) fn read(window: &Window<'_>, chunk: &Chunk, repairs: &mut Vec<String>) -> Result<Header, Damage> {
    let broken = |what: &str| malformed(chunk.at, format!("the \"fmt \" chunk {what}"));
    if chunk.length < SMALLEST {
        return Err(broken(&format!("has {} bytes, it needs {SMALLEST}", chunk.length)));
    }
    let bytes = window.bytes(chunk.at, chunk.length.min(EXTENSIBLE_SIZE))?;
    let mut fields = Fields(&bytes);
    let mut take = || fields.u16().unwrap_or_default();
    let (stated_tag, channels) = (take(), take());
    let rate = u32::from(take()) | u32::from(take()) << 16;
    let bytes_per_second = u32::from(take()) | u32::from(take()) << 16;
    let (align, bits) = (take(), take());
    let tag = match stated_tag {
        tag::EXTENSIBLE => {
            bytes.get(EXTENSIBLE_TAG_AT..).and_then(|rest| Fields(rest).u16()).unwrap_or(stated_tag)
        }
        tag => tag,
    };

    let rate = Hz::new(rate).map_err(|_| broken("states a rate of 0 Hz"))?;
    if channels == 0 {
        return Err(broken("states 0 channels"));
    }
    let is_told_twice = u64::from(bytes_per_second) == u64::from(rate.get()).saturating_mul(align.into());
    let value_bytes = value_bytes(channels, align, bits, is_told_twice, repairs);
    let coding = match tag {
        tag::PCM => Coding::integer(value_bytes).ok_or_else(|| format!("PCM of {bits} bits")),
        tag::FLOAT => Coding::float(value_bytes).ok_or_else(|| format!("float PCM of {bits} bits")),
        _ => Err(format!("{} is not decoded", codec(tag).name())),
    };
    let frame_bytes = match coding {
        Ok(_) => u64::from(value_bytes).saturating_mul(u64::from(channels)),
        Err(_) => 0,
    };
    let codec = coding.as_ref().map_or_else(|_| codec(tag), |coding| coding.codec());
    let coding = match channels {
        1 | 2 => coding,
        _ => Err(format!("{channels} channels; mono and stereo are decoded")),
    };
    Ok(Header { codec, coding, channels, rate, bits, frame_bytes })
}

/// Bytes per value: what the stated bits need; what the block alignment gives if that can hold more and the bytes per
/// second say the same.
fn value_bytes(channels: u16, align: u16, bits: u16, is_told_twice: bool, repairs: &mut Vec<String>) -> u16 {
    let needed = bits.div_ceil(8);
    let aligned = align.checked_div(channels).unwrap_or_default();
    if aligned == needed && aligned.checked_mul(channels) == Some(align) {
        return needed;
    }
    let is_wider = aligned > needed && aligned.checked_mul(channels) == Some(align) && is_told_twice;
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
        tag => Codec::Tag(tag),
    }
}

impl Header {
    /// How many whole frames a data chunk holds; none where that takes decoding.
    pub(super) fn frames(&self, data: &Chunk, repairs: &mut Vec<String>) -> Option<u64> {
        let frames = data.length.checked_div(self.frame_bytes)?;
        let rest = data.length.checked_rem(self.frame_bytes)?;
        if rest > 0 {
            repairs.push(format!("{rest} bytes after the last whole frame ignored"));
        }
        Some(frames)
    }
}
