//! AIFF and AIFF-C: big-endian chunks, of which `COMM`, `SSND`, `INST` and `MARK` matter here.
//!
//! Source: Apple, *Audio Interchange File Format: "AIFF"*, version 1.3, and *"AIFF-C"*, draft of 1991-08-26; the types
//! that `QuickTime` added: Apple, *`QuickTime` File Format*, "Sound Sample Descriptions"; `42n1` and `23n1`: files of
//! libsndfile.

mod instrument;

use song::Hz;

use super::chunks::{self, Chunk, FORM_HEADER};
use super::g711::{G711Params, Law};
use super::pcm::{ByteOrder, PcmCoding, PcmParams};
use super::{CodecParams, Described};
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, Format, UnsupportedReason};
use instrument::Instrument;

/// Bytes of `COMM` that AIFF has, and with the type of compression of AIFF-C.
const COMM: u64 = 18;
const COMM_WITH_TYPE: u64 = 22;
/// Offset and block size before the values.
const SSND_HEADER: u64 = 8;
/// Frames of a packet of IMA ADPCM.
const PACKET_FRAMES: u64 = 64;
/// Bytes of such a packet, which is of one channel.
const PACKET: u64 = 34;

/// What `COMM` says.
struct Common {
    channels: u16,
    /// Frames, or packets of a codec that has these.
    frames: u64,
    /// Bits of a value, before compression.
    bits: u16,
    rate: Hz,
    compression: [u8; 4],
}

/// How values are stored.
enum Coding {
    Pcm(PcmCoding, ByteOrder),
    G711(Law),
}

/// Describes a payload from its chunk headers; the values are not touched.
///
/// # Errors
/// If `COMM` is missing or contradicts itself.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let mut repairs = Vec::new();
    let chunks = chunks::chunks(reader, ByteOrder::Big, &mut repairs)?;
    let find = |id: &[u8; 4]| chunks.iter().find(|chunk| chunk.id == *id);
    let common = find(b"COMM").ok_or_else(|| malformed(FORM_HEADER, "no \"COMM\" chunk"))?;
    let common = common_of(reader, common)?;
    let Common { channels, bits, rate, .. } = common;
    let coding = coding(&common);
    let (bits, frames) = match &coding {
        Ok(coding) => (coding.bits(bits), 0),
        // Some programs declare frames, others packets.
        Err(_) if common.compression == *b"ima4" => {
            let (_, there) = values(reader, find(b"SSND"))?;
            let packets = there.checked_div(PACKET.saturating_mul(channels.into())).unwrap_or_default();
            (None, packets.saturating_mul(PACKET_FRAMES))
        }
        Err(_) => (Some(bits), common.frames),
    };
    let mut audio = Audio {
        codec: codec(&common, coding.as_ref().ok()),
        rate,
        channels,
        bits: bits.filter(|bits| *bits > 0),
        frames: Some(frames),
        loops: Vec::new(),
    };
    let coding = match coding {
        Ok(coding) => {
            let (at, there) = values(reader, find(b"SSND"))?;
            let frame = u64::from(coding.bytes()).saturating_mul(channels.into());
            let frames =
                frames_there(common.frames, there.checked_div(frame).unwrap_or_default(), &mut repairs);
            audio.frames = Some(frames);
            if channels > 2 {
                repairs.push(format!("{channels} channels are mixed down to two"));
            }
            let mask = 0;
            Ok(match coding {
                Coding::Pcm(coding, order) => {
                    CodecParams::Pcm(PcmParams { coding, order, channels, mask, at, frames })
                }
                Coding::G711(law) => CodecParams::G711(G711Params { law, channels, mask, at, frames }),
            })
        }
        Err(reason) => Err(reason),
    };
    let frames = audio.frames.unwrap_or_default();
    let Instrument { tuning, loops, notes } =
        Instrument::read(reader, find(b"INST"), find(b"MARK"), frames, &mut repairs)?;
    audio.loops = loops;
    Ok(Described { audio: Some(audio), coding, tuning, repairs, notes })
}

fn common_of(reader: &PayloadReader<'_>, chunk: &Chunk) -> Result<Common, Damage> {
    let broken = |what: String| malformed(chunk.at, format!("the \"COMM\" chunk {what}"));
    if chunk.length < COMM {
        return Err(broken(format!("has {} bytes, it needs {COMM}", chunk.length)));
    }
    let bytes = reader.bytes(chunk.at, chunk.length.min(COMM_WITH_TYPE))?;
    let [c0, c1, f0, f1, f2, f3, b0, b1, rate @ .., r9] = *bytes.first_chunk::<18>().unwrap_or(&[0; 18]);
    let mut extended = [0; 10];
    extended.iter_mut().zip(rate.iter().chain([&r9])).for_each(|(into, byte)| *into = *byte);
    let rate = rate_of(extended).ok_or_else(|| broken("declares a rate that is none".to_owned()))?;
    let channels = u16::from_be_bytes([c0, c1]);
    if channels == 0 {
        return Err(broken("states 0 channels".to_owned()));
    }
    let frames = u32::from_be_bytes([f0, f1, f2, f3]).into();
    let bits = u16::from_be_bytes([b0, b1]);
    let form = reader.bytes(8, 4)?;
    let stated = bytes.get(18..).and_then(|bytes| bytes.first_chunk());
    let compression = stated.copied().filter(|_| form == b"AIFC").unwrap_or(*b"NONE");
    Ok(Common { channels, frames, bits, rate, compression })
}

/// Returns the rate in whole hertz, rounded; none if it is none. It is a float of 80 bits: sign, 15 bits of exponent,
/// and 64 bits of which the first one is before the point.
fn rate_of(bytes: [u8; 10]) -> Option<Hz> {
    let [e0, e1, mantissa @ ..] = bytes;
    let exponent = i32::from(u16::from_be_bytes([e0, e1])).checked_sub(16_383)?;
    let shift =
        u32::try_from(62_i32.checked_sub(exponent)?).ok().filter(|shift| (31..=62).contains(shift))?;
    // One bit more than the whole part, to round by.
    let halves = u64::from_be_bytes(mantissa).checked_shr(shift)?;
    Hz::new(u32::try_from(halves.saturating_add(1) >> 1).ok()?).ok()
}

/// Returns how values are stored, or why they are not decoded.
fn coding(common: &Common) -> Result<Coding, UnsupportedReason> {
    use ByteOrder::{Big, Little};
    let width = |coding: &str| UnsupportedReason::Width { coding: coding.to_owned(), bits: common.bits };
    let integer = |order| match PcmCoding::integer(common.bits.div_ceil(8)) {
        Some(PcmCoding::U8) => Ok(Coding::Pcm(PcmCoding::S8, order)),
        Some(coding) => Ok(Coding::Pcm(coding, order)),
        None => Err(width("PCM")),
    };
    match &common.compression {
        b"NONE" | b"twos" => integer(Big),
        b"sowt" => integer(Little),
        b"raw " if common.bits <= 8 => Ok(Coding::Pcm(PcmCoding::U8, Big)),
        b"raw " => Err(width("unsigned PCM")),
        b"in24" => Ok(Coding::Pcm(PcmCoding::S24, Big)),
        b"in32" => Ok(Coding::Pcm(PcmCoding::S32, Big)),
        b"42ni" | b"42n1" => Ok(Coding::Pcm(PcmCoding::S24, Little)),
        b"23ni" | b"23n1" => Ok(Coding::Pcm(PcmCoding::S32, Little)),
        b"fl32" | b"FL32" => Ok(Coding::Pcm(PcmCoding::F32, Big)),
        b"fl64" | b"FL64" => Ok(Coding::Pcm(PcmCoding::F64, Big)),
        b"alaw" | b"ALAW" => Ok(Coding::G711(Law::A)),
        b"ulaw" | b"ULAW" => Ok(Coding::G711(Law::Mu)),
        b"ima4" => Err(UnsupportedReason::CodecIn(Format::Aiff, Codec::AdpcmIma)),
        other => {
            let name = String::from_utf8_lossy(other);
            Err(UnsupportedReason::Stream(format!("AIFF-C of type \"{}\" is not decoded", name.trim_end())))
        }
    }
}

impl Coding {
    const fn bytes(&self) -> u16 {
        match self {
            Self::Pcm(coding, _) => coding.bytes(),
            Self::G711(_) => 1,
        }
    }

    /// Returns the bits of a value, of which a file may state fewer than it takes.
    fn bits(&self, stated: u16) -> Option<u16> {
        let whole = self.bytes().saturating_mul(8);
        let is_float = matches!(self, Self::Pcm(PcmCoding::F32 | PcmCoding::F64, _));
        Some(if is_float || stated == 0 { whole } else { stated.min(whole) })
    }
}

fn codec(common: &Common, coding: Option<&Coding>) -> Codec {
    match coding {
        Some(Coding::Pcm(coding, _)) => coding.codec(),
        Some(Coding::G711(Law::A)) => Codec::ALaw,
        Some(Coding::G711(Law::Mu)) => Codec::MuLaw,
        None if common.compression == *b"ima4" => Codec::AdpcmIma,
        None => Codec::FourCc(common.compression),
    }
}

/// Returns where the values begin, and how many bytes of them are there.
fn values(reader: &PayloadReader<'_>, chunk: Option<&Chunk>) -> Result<(u64, u64), Damage> {
    let Some(chunk) = chunk else { return Ok((0, 0)) };
    let head = reader.bytes(chunk.at, chunk.length.min(4))?;
    let offset = head.first_chunk().map_or(0, |bytes| u64::from(u32::from_be_bytes(*bytes)));
    let before = offset.saturating_add(SSND_HEADER);
    Ok((chunk.at.saturating_add(before), chunk.length.saturating_sub(before)))
}

/// Returns how many frames there are. A file that was never finished states none.
fn frames_there(stated: u64, there: u64, repairs: &mut Vec<String>) -> u64 {
    if stated > there || (stated == 0 && there > 0) {
        repairs.push(format!("\"COMM\" chunk declares {stated} frames, {there} are there"));
        return there;
    }
    stated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_of_eighty_bits_becomes_whole_hertz() {
        for (bytes, hertz) in [
            ([0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0], Some(44_100)),
            ([0x40, 0x0D, 0xAC, 0x44, 0, 0, 0, 0, 0, 0], Some(22_050)),
            ([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0], Some(8000)),
            // 22254.5454…, the rate of the first Macintosh.
            ([0x40, 0x0D, 0xAD, 0xDD, 0x17, 0x45, 0xD1, 0x45, 0xD1, 0x74], Some(22_255)),
            ([0x3F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], Some(1)),
            // Zero, less than half, negative, infinite, more than 32 bits.
            ([0; 10], None),
            ([0x3F, 0xFD, 0x80, 0, 0, 0, 0, 0, 0, 0], None),
            ([0xC0, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0], None),
            ([0x7F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], None),
            ([0x40, 0x1F, 0x80, 0, 0, 0, 0, 0, 0, 0], None),
        ] {
            assert_eq!(rate_of(bytes).map(Hz::get), hertz, "{bytes:x?}");
        }
    }
}
