//! Sounds of FMOD's sample banks. Their headers are apart from their bytes, which are a payload without a head.

#[cfg(test)]
mod tests;

use song::{Frames, Hz, LoopCount, LoopMode, LoopRange};
use soundbank::fmod::{FsbCodec, SampleHeader};

use super::adpcm::AdpcmParams;
use super::mono_blocks::{BlockCoding, BlockParams};
use super::opus::OpusParams;
use super::pcm::{ByteOrder, PcmCoding, PcmParams};
use super::vorbis::fmod::{EXPONENTS, FsbVorbisParams};
use super::vorbis::packets::BarePacketParams;
use super::{CodecParams, Described, mpeg};
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, ChannelLimit, Codec, Damage, UnsupportedReason};

/// The rate of Opus, whatever the recording had.
const OPUS_RATE: u32 = 48_000;

/// Describes the bytes of a sound by its header.
///
/// # Errors
/// If the header says what no sound can be, or the bytes cannot be read.
pub(crate) fn describe(reader: &PayloadReader<'_>, header: &SampleHeader) -> Result<Described, Damage> {
    let rate = if header.codec == FsbCodec::Opus { OPUS_RATE } else { header.rate };
    let rate = Hz::new(rate).map_err(|_| malformed(0, format!("FSB5: a rate of {rate} Hz")))?;
    let channels = u16::try_from(header.channels).ok().filter(|channels| *channels > 0);
    let channels = channels.ok_or_else(|| malformed(0, format!("FSB5: {} channels", header.channels)))?;
    let mut repairs = Vec::new();
    let coding = coding(reader, header, channels)?;
    let frames = match &coding {
        Ok(coding) => coding.frames().unwrap_or(header.frames),
        Err(_) => header.frames,
    };
    if frames < header.frames {
        repairs.push(format!("{frames} of {} frames are there", header.frames));
    }
    let bits = match &coding {
        Ok(CodecParams::Pcm(params)) => Some(params.coding.width().bits()),
        _ => None,
    };
    let codec = codec(header.codec);
    let audio = Audio { codec, rate, channels, bits, frames: Some(frames), loops: loops(header, frames) };
    Ok(Described { audio: Some(audio), coding, tuning: None, repairs, notes: Vec::new() })
}

/// Returns how to decode a sound, or why that cannot be done.
fn coding(
    reader: &PayloadReader<'_>,
    header: &SampleHeader,
    channels: u16,
) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
    let bytes = (0, reader.length());
    let pcm = |coding| Ok(Ok(CodecParams::Pcm(pcm(reader, header, channels, coding))));
    let at_most_two = |codec| {
        let limit = ChannelLimit::AtMost { codec, channels, most: 2 };
        Ok(Err(UnsupportedReason::Channels(limit)))
    };
    match header.codec {
        FsbCodec::PcmU8 => pcm(PcmCoding::U8),
        FsbCodec::Pcm16 => pcm(PcmCoding::S16),
        FsbCodec::Pcm24 => pcm(PcmCoding::S24),
        FsbCodec::Pcm32 => pcm(PcmCoding::S32),
        FsbCodec::PcmFloat => pcm(PcmCoding::F32),
        FsbCodec::Fadpcm => {
            let params = BlockParams::new(BlockCoding::Fadpcm, channels, 0, bytes, Some(header.frames));
            Ok(Ok(CodecParams::Blocks(params)))
        }
        FsbCodec::Ima if channels > 2 => at_most_two("IMA ADPCM in FSB5"),
        FsbCodec::Ima => Ok(Ok(CodecParams::Adpcm(AdpcmParams::xbox(channels, bytes, header.frames)))),
        FsbCodec::Mpeg if channels > 2 => at_most_two("MPEG audio in FSB5"),
        FsbCodec::Mpeg => mpeg(reader, header),
        FsbCodec::Opus if channels > 2 => at_most_two("Opus in FSB5"),
        FsbCodec::Opus => Ok(Ok(CodecParams::Opus(OpusParams::headless(channels, header.frames)))),
        FsbCodec::Vorbis => vorbis(reader, header, channels),
        other => Ok(Err(UnsupportedReason::Codec(codec(other)))),
    }
}

/// Returns the values of a sound as far as they are there; what follows the last whole frame is padding.
fn pcm(reader: &PayloadReader<'_>, header: &SampleHeader, channels: u16, coding: PcmCoding) -> PcmParams {
    let frame = u64::from(coding.bytes()).saturating_mul(channels.into());
    let frames = reader.length().checked_div(frame).unwrap_or_default().min(header.frames);
    let order = if header.is_big_endian { ByteOrder::Big } else { ByteOrder::Little };
    PcmParams { coding, order, channels, mask: 0, at: 0, frames }
}

/// Returns the stream of a sound, whose header knows how many frames of it count.
fn mpeg(
    reader: &PayloadReader<'_>,
    header: &SampleHeader,
) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
    // What each frame is filled up to. Bytes after the last are padding, and nothing to be repaired.
    const UNIT: u64 = 4;
    let described = mpeg::describe_filled(reader, 0, reader.length(), UNIT)?;
    Ok(described.coding.map(|coding| match coding {
        CodecParams::Mpeg(mut params) => {
            params.truncate(header.frames);
            CodecParams::Mpeg(params)
        }
        other => other,
    }))
}

/// Returns how to decode Vorbis, whose setup header is known by its checksum only.
fn vorbis(
    reader: &PayloadReader<'_>,
    header: &SampleHeader,
    channels: u16,
) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
    let setup = header.vorbis_setup;
    let setup = setup.ok_or_else(|| malformed(0, "FSB5: Vorbis without the checksum of its setup header"))?;
    let stream = BarePacketParams { channels, exponents: EXPONENTS, frames: header.frames };
    let params = FsbVorbisParams { stream, setup, packets: 0..reader.length() };
    Ok(match params.unsupported_reason() {
        Some(reason) => Err(reason),
        None => Ok(CodecParams::FsbVorbis(params)),
    })
}

/// Returns the loop that the header states, as far as it lies inside the sound.
fn loops(header: &SampleHeader, frames: u64) -> Vec<LoopRange> {
    let Some((start, end)) = header.loop_range else { return Vec::new() };
    let (start, end, all) = (Frames::new(start), Frames::new(end.min(frames)), Frames::new(frames));
    LoopRange::new(start, end, all, LoopMode::Forward, LoopCount::Forever).into_iter().collect()
}

const fn codec(codec: FsbCodec) -> Codec {
    match codec {
        FsbCodec::PcmU8 => Codec::PcmU8,
        FsbCodec::Pcm16 => Codec::PcmS16,
        FsbCodec::Pcm24 => Codec::PcmS24,
        FsbCodec::Pcm32 => Codec::PcmS32,
        FsbCodec::PcmFloat => Codec::PcmF32,
        FsbCodec::Dsp => Codec::AdpcmDsp,
        FsbCodec::Ima => Codec::AdpcmIma,
        FsbCodec::Vag | FsbCodec::HeVag => Codec::AdpcmPsx,
        FsbCodec::Xma => Codec::Xma2,
        FsbCodec::Mpeg => Codec::Mp3,
        FsbCodec::Celt => Codec::Celt,
        FsbCodec::At9 => Codec::Atrac9,
        FsbCodec::Xwma => Codec::Xwma,
        FsbCodec::Vorbis => Codec::Vorbis,
        FsbCodec::Fadpcm => Codec::Fadpcm,
        FsbCodec::Opus => Codec::Opus,
        FsbCodec::Other(number) => Codec::Fsb(number),
    }
}
