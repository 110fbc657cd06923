//! Vorbis in Ogg.
//!
//! The granule position of a page is the number of frames up to the end of the last packet in it. The last page's
//! ends the sound, and a first one that is too small for its packets cuts the beginning: so encoders make a length
//! that is no number of whole packets.
//!
//! Source: Xiph.Org, *Vorbis I specification*, §4.2 and appendix A.

mod bits;
mod decoder;
pub(super) mod fmod;
pub(crate) mod packets;
pub(super) mod wwise;

use decoder::Decoder;
use song::{Hz, Recording};

use super::ogg::{self, Packets};
use super::packet_decoder::PacketDecoder;
use super::{CodecParams, Described};
use super::{comments, ogg_opus};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, Error};
use crate::{ChannelLimit, UnsupportedReason};

/// A stream as its headers describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VorbisParams {
    channels: u16,
    /// Frames of the short and the long blocks, as powers of two.
    exponents: [u8; 2],
    /// Where the sound ends, if a page says so.
    pub(super) frames: Option<u64>,
}

/// Frames beyond which the end of the first page is not waited for.
const FIRST_PAGE: usize = 1 << 17;

/// The most channels whose places the specification gives.
const MAX_CHANNELS: u16 = 8;

/// Describes what the first stream of an Ogg payload holds.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let Some(first) = Packets::new(reader).next()? else {
        return Err(malformed(0, "an Ogg page without a packet"));
    };
    let audio =
        |codec, rate, channels| Audio { codec, rate, channels, bits: None, frames: None, loops: Vec::new() };
    let named = |codec: Codec, rate: Option<u32>, channels: u8| {
        let rate = rate.and_then(|rate| Hz::new(rate).ok());
        let mut described = Described::unknown(UnsupportedReason::Ogg(Some(codec)));
        described.audio = rate.map(|rate| audio(codec, rate, channels.into()));
        described
    };
    match first.bytes.as_slice() {
        [1, b'v', b'o', b'r', b'b', b'i', b's', 0, 0, 0, 0, channels, r0, r1, r2, r3, ..] => {
            let rate = Hz::new(u32::from_le_bytes([*r0, *r1, *r2, *r3]));
            let rate = rate.map_err(|_| malformed(first.at, "a Vorbis stream of 0 Hz"))?;
            if *channels == 0 {
                return Err(malformed(first.at, "a Vorbis stream of 0 channels"));
            }
            let sizes = first.bytes.get(28).copied().unwrap_or_default();
            stream(reader, audio(Codec::Vorbis, rate, (*channels).into()), [sizes & 15, sizes >> 4])
        }
        [b'O', b'p', b'u', b's', b'H', b'e', b'a', b'd', ..] => ogg_opus::describe(reader, &first),
        [0x7F, b'F', b'L', b'A', b'C', ..] => Ok(named(Codec::Flac, None, 0)),
        _ => Ok(Described::unknown(UnsupportedReason::Ogg(None))),
    }
}

fn stream(reader: &PayloadReader<'_>, mut audio: Audio, exponents: [u8; 2]) -> Result<Described, Damage> {
    let mut repairs = Vec::new();
    let survey = ogg::survey(reader)?;
    if survey.others > 0 {
        repairs.push(format!("{} Ogg pages of other streams ignored", survey.others));
    }
    if survey.remaining > 0 {
        repairs.push(format!("{} bytes after the last Ogg page ignored", survey.remaining));
    }
    // A packet gives half of a block at most.
    let [_, long] = exponents;
    let possible = survey.packets.saturating_mul(1_u64.checked_shl(long.into()).unwrap_or_default() / 2);
    let frames = survey.granule.filter(|frames| *frames <= possible);
    if let (None, Some(stated)) = (frames, survey.granule) {
        repairs.push(format!("the last Ogg page declares {stated} frames, its packets cannot hold them"));
    }
    if audio.channels > MAX_CHANNELS {
        let (channels, most) = (audio.channels, MAX_CHANNELS);
        let reason = UnsupportedReason::Channels(ChannelLimit::AtMost { codec: "Vorbis", channels, most });
        audio.frames = frames;
        return Ok(Described {
            audio: Some(audio),
            coding: Err(reason),
            tuning: None,
            repairs,
            notes: Vec::new(),
        });
    }
    if audio.channels > 2 {
        repairs.push(format!("{} channels are mixed down to two", audio.channels));
    }
    audio.frames = frames;
    let params = VorbisParams { channels: audio.channels, exponents, frames };
    let mut packets = Packets::new(reader);
    let (_identification, comments) = (packets.next()?, packets.next()?);
    let comments = comments.as_ref().and_then(|packet| packet.bytes.strip_prefix(b"\x03vorbis"));
    audio.loops = comments::loops(comments.unwrap_or_default(), frames);
    Ok(Described {
        audio: Some(audio),
        coding: Ok(CodecParams::Vorbis(params)),
        tuning: None,
        repairs,
        notes: Vec::new(),
    })
}

impl VorbisParams {
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let mut packets = Packets::new(reader);
        let mut header =
            || packets.next()?.ok_or_else(|| malformed(0, "a Vorbis stream without its three headers"));
        let (_identification, _comments, setup) = (header()?, header()?, header()?);
        let decoder = Decoder::new(self.channels, self.exponents, &setup.bytes);
        let mut decoder = decoder.map_err(|what| malformed(setup.at, what))?;
        let first_page = self.first_page(&mut packets, &mut decoder, budget)?;
        let mut stream = PacketDecoder::new(self.channels, first_page.skip, self.frames, budget);
        for planes in first_page.planes {
            stream.push(&planes)?;
            stream.give_back(held(&planes));
        }
        while !stream.is_full() {
            let Some(packet) = packets.next()? else { break };
            stream.push(decoder.decode(&packet.bytes).map_err(|what| malformed(packet.at, what))?)?;
        }
        stream.finish(0).map(Recording::I16)
    }

    /// Decodes the packets of the first page that has a granule position. What is held until the page ends is paid for.
    fn first_page(
        &self,
        packets: &mut Packets<'_>,
        decoder: &mut Decoder,
        budget: &mut DecodeBudget,
    ) -> Result<FirstPage, Error> {
        let (mut page, mut frames) = (FirstPage::default(), 0_usize);
        while let Some(packet) = packets.next()? {
            let planes = decoder.decode(&packet.bytes).map_err(|what| malformed(packet.at, what))?;
            frames = frames.saturating_add(planes.first().map_or(0, Vec::len));
            budget.take(held(planes))?;
            page.planes.push(planes.to_vec());
            if let Some(granule) = packet.granule {
                let frames = u64::try_from(frames).unwrap_or(u64::MAX);
                // If it is the last page as well, its position is where the sound ends.
                if Some(granule) != self.frames {
                    page.skip = frames.saturating_sub(granule);
                }
                break;
            }
            if frames > FIRST_PAGE {
                break;
            }
        }
        Ok(page)
    }
}

/// Returns the number of bytes of the planes of a packet.
fn held(planes: &[Vec<f32>]) -> u64 {
    let values = planes.iter().map(|plane| u64::try_from(plane.len()).unwrap_or(u64::MAX));
    values.fold(0_u64, u64::saturating_add).saturating_mul(4)
}

/// The planes of the first packets, and how many frames lie before the beginning.
#[derive(Default)]
struct FirstPage {
    planes: Vec<Vec<Vec<f32>>>,
    skip: u64,
}
