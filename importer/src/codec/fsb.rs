//! Sounds of FMOD's sample banks, which have no header of their own: the bank says what they are.
//!
//! Source: *sound-banks*, §6.

use song::{Frames, Hz, LoopCount, LoopMode, LoopRange};
use soundbank::fmod::{FsbCodec, SampleHeader};

use super::pcm::{self, ByteOrder, PcmCoding};
use super::vorbis::fmod::{EXPONENTS, FsbVorbisParams};
use super::vorbis::packets::BarePacketParams;
use super::{CodecParams, Described};
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, UnsupportedReason};

/// Describes a sound as its bank does.
///
/// # Errors
/// If the header contradicts itself or the bytes that are there.
pub(crate) fn describe(reader: &PayloadReader<'_>, header: &SampleHeader) -> Result<Described, Damage> {
    let rate = Hz::new(header.rate).map_err(|_| malformed(0, "a sound of 0 Hz"))?;
    let channels = u16::try_from(header.channels).ok().filter(|channels| *channels > 0);
    let channels =
        channels.ok_or_else(|| malformed(0, format!("a sound of {} channels", header.channels)))?;
    let mut repairs = Vec::new();
    let codec = codec(header.codec);
    let coding = coding(reader, header, rate, channels, &mut repairs)?;
    let frames = coding.as_ref().ok().and_then(CodecParams::frames).unwrap_or(header.frames);
    if channels > 2 && coding.is_ok() {
        repairs.push(format!("{channels} channels are mixed down to two"));
    }
    let mut loops = Vec::new();
    if let Some((start, end)) = header.loop_range {
        let range = LoopRange::new(
            Frames::new(start),
            Frames::new(end.min(frames)),
            Frames::new(frames),
            LoopMode::Forward,
            LoopCount::Forever,
        );
        match range {
            Ok(range) => loops.push(range),
            Err(_) => repairs.push(format!("loop from frame {start} to {end} ignored")),
        }
    }
    let audio = Audio { codec, rate, channels, bits: None, frames: Some(frames), loops };
    Ok(Described { audio: Some(audio), coding, tuning: None, repairs, notes: Vec::new() })
}

fn codec(codec: FsbCodec) -> Codec {
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
        FsbCodec::Other(number) => Codec::Tag(u16::try_from(number).unwrap_or(u16::MAX)),
    }
}

fn coding(
    reader: &PayloadReader<'_>,
    header: &SampleHeader,
    rate: Hz,
    channels: u16,
    repairs: &mut Vec<String>,
) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
    let mut pcm = |coding: PcmCoding| {
        let frame = u64::from(coding.bytes()).saturating_mul(channels.into()).max(1);
        let there = reader.length().checked_div(frame).unwrap_or_default();
        if header.frames > there {
            repairs.push(format!("{} frames are stated, {there} are there", header.frames));
        }
        let order = if header.is_big_endian { ByteOrder::Big } else { ByteOrder::Little };
        let frames = header.frames.min(there);
        Ok(CodecParams::Pcm(pcm::PcmParams { coding, order, channels, mask: 0, at: 0, frames }))
    };
    Ok(match header.codec {
        FsbCodec::PcmU8 => pcm(PcmCoding::U8),
        FsbCodec::Pcm16 => pcm(PcmCoding::S16),
        FsbCodec::Pcm24 => pcm(PcmCoding::S24),
        FsbCodec::Pcm32 => pcm(PcmCoding::S32),
        FsbCodec::PcmFloat => pcm(PcmCoding::F32),
        FsbCodec::Vorbis => {
            let setup =
                header.vorbis_setup.ok_or_else(|| malformed(0, "Vorbis without a checksum of its setup"))?;
            let stream = BarePacketParams { channels, rate, exponents: EXPONENTS, frames: header.frames };
            let params = FsbVorbisParams { stream, setup, packets: 0..reader.length() };
            match params.unsupported_reason()? {
                Some(reason) => Err(reason),
                None => Ok(CodecParams::FsbVorbis(params)),
            }
        }
        other => Err(UnsupportedReason::Codec(codec(other))),
    })
}
