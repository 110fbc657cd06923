//! MSF, the PlayStation 3's container of one stream.
//!
//! ```text
//! [four sizes] │ MSF version │ codec │ channels │ size │ rate │ flags │ … up to 64 bytes │ stream
//! ```
//!
//! All numbers have their high end first.
//!
//! Source: own measurements of packages of versions 512 (codec 5) and 813 (codec 7); the other codecs: *vgmstream*.

use super::undecoded::{audio, word};
use super::{CodecParams, Described, mpeg, pcm};
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{ChannelLimit, UnsupportedReason};
use crate::{Codec, Damage, Format};

const HEADER: u64 = 64;
/// The four sizes of the engine.
const SIZES: u64 = 16;

pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let sizes = if reader.head(3)?.starts_with(b"MSF") { 0 } else { SIZES };
    let at = sizes.saturating_add(HEADER);
    let there = reader.length().saturating_sub(at);
    let header = reader.head(at)?;
    let header = header.get(usize::try_from(sizes).unwrap_or_default()..).unwrap_or_default();
    if reader.length() < at {
        return Err(malformed(0, format!("an MSF header of {} bytes, {HEADER} belong there", header.len())));
    }
    let field = |at| word(header, at).unwrap_or_default();
    let (number, channels, claimed, rate) = (field(4), field(8), u64::from(field(12)), field(16));
    let mut repairs = Vec::new();
    // A stream that was written as it came does not know its size.
    if claimed > there && claimed != u64::from(u32::MAX) {
        repairs.push(format!("MSF stream claims {claimed} bytes, {there} are there"));
    }
    let length = claimed.min(there);
    let codec = match number {
        0 | 1 => Codec::PcmS16,
        3 => Codec::AdpcmPsx,
        4..=6 => Codec::Atrac3,
        7 => {
            // The frames know better than the header around them.
            let mut described = mpeg::describe_part(reader, at, length)?;
            described.repairs.splice(0..0, repairs);
            return Ok(described);
        }
        _ => return Ok(Described::unknown(UnsupportedReason::CodecNumber(Format::Msf, number))),
    };
    let channels = match u16::try_from(channels) {
        Ok(channels @ 1..) if rate > 0 => channels,
        _ => return Err(malformed(0, format!("an MSF stream of {channels} channels at {rate} Hz"))),
    };
    let frames = frames(number, length, channels);
    let audio = audio(codec, rate, channels, frames);
    if let (1, 1 | 2) = (number, channels) {
        let params = pcm::PcmParams {
            coding: pcm::PcmCoding::S16,
            order: pcm::ByteOrder::Little,
            channels,
            mask: 0,
            at,
            frames: frames.unwrap_or_default(),
        };
        return Ok(Described {
            audio,
            coding: Ok(CodecParams::Pcm(params)),
            tuning: None,
            repairs,
            notes: Vec::new(),
        });
    }
    let reason = match number {
        0 => UnsupportedReason::Stream("only little-endian PCM in MSF is decoded".to_owned()),
        1 => UnsupportedReason::Channels(ChannelLimit::OfPcmInMsf(channels)),
        _ => UnsupportedReason::CodecIn(Format::Msf, codec),
    };
    Ok(Described { audio, repairs, ..Described::unknown(reason) })
}

/// Returns what so many bytes of a codec decode to, with what an encoder added; none where they do not say.
fn frames(number: u32, bytes: u64, channels: u16) -> Option<u64> {
    // Frames in a block of so many bytes for each channel.
    let (frames, block) = match number {
        0 | 1 => (1, 2),
        3 => (28, 16),
        4 => (1024, 96),
        5 => (1024, 152),
        6 => (1024, 192),
        _ => return None,
    };
    let blocks = bytes.checked_div(u64::from(channels).saturating_mul(block))?;
    Some(blocks.saturating_mul(frames))
}
