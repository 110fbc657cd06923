//! Opus in Ogg.
//!
//! The granule position of a page counts frames of 48 kHz up to the end of the last packet in it, those that are left
//! out at the start (the pre-skip) included.
//!
//! Source: RFC 7845.

use song::{Hz, Recording};

use super::ogg::{self, Packet, Packets};
use super::opus::LONGEST;
use super::opus::streams::{MAX_CHANNELS, StreamDecoder};
use super::plane_builder::PlaneBuilder;
use super::{CodecParams, Described, comments};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, ChannelLimit, Codec, Damage, Error, UnsupportedReason};

/// A stream as its head describes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OggOpusParams {
    /// As stored; more than two are mixed down to these.
    channels: u16,
    /// Streams of a packet, and how many of them are coupled; none for one stream of one or two channels.
    streams: Option<(u8, u8)>,
    /// Which decoded channel is which, in the order of the file; as many as there are channels.
    mapping: [u8; MAX_CHANNELS as usize],
    /// Frames before the sound.
    skipped: u64,
    /// Factor of all values.
    gain: f32,
    pub(super) frames: u64,
}

/// The rate that positions count in, and that it is decoded at.
const RATE: u32 = 48_000;

/// Positions in the order of the file of the channels in the order of the bits of a speaker mask, by their number.
///
/// Source: RFC 7845, §5.1.1.2.
const ORDERS: [&[u8]; 6] = [
    &[0, 2, 1],
    &[0, 1, 2, 3],
    &[0, 2, 1, 3, 4],
    &[0, 2, 1, 5, 3, 4],
    &[0, 2, 1, 6, 3, 4, 5],
    &[0, 2, 1, 7, 5, 6, 3, 4],
];

/// Describes a stream from its first packet.
///
/// # Errors
/// If it is too short, or no page can be read.
pub(super) fn describe(reader: &PayloadReader<'_>, first: &Packet) -> Result<Described, Damage> {
    let short = || malformed(first.at, "an Opus head that ends early");
    let (head, table) = first.bytes.split_first_chunk::<19>().ok_or_else(short)?;
    let [_, _, _, _, _, _, _, _, _version, channels, s0, s1, _, _, _, _, g0, g1, family] = *head;
    let (skipped, gain) = (u64::from(u16::from_le_bytes([s0, s1])), i16::from_le_bytes([g0, g1]));
    if channels == 0 {
        return Err(malformed(first.at, "an Opus stream of 0 channels"));
    }
    let survey = ogg::survey(reader)?;
    let mut repairs = Vec::new();
    if survey.others > 0 {
        repairs.push(format!("{} Ogg pages of other streams ignored", survey.others));
    }
    if survey.remaining > 0 {
        repairs.push(format!("{} bytes after the last Ogg page ignored", survey.remaining));
    }
    // A packet has at most 120 ms.
    let possible = survey.packets.saturating_mul(5760);
    let end = survey.granule.unwrap_or(possible);
    if end > possible {
        repairs.push(format!("the last Ogg page declares {end} frames, its packets cannot hold them"));
    }
    let frames = end.min(possible).saturating_sub(skipped);
    let mut packets = Packets::new(reader);
    let _head = packets.next()?;
    let comments = packets.next()?;
    let comments = comments.as_ref().and_then(|packet| packet.bytes.strip_prefix(b"OpusTags"));
    let loops = comments::loops(comments.unwrap_or_default(), Some(frames));
    let rate = Hz::new(RATE).map_err(|_| short())?;
    let channels = u16::from(channels);
    let audio = Audio { codec: Codec::Opus, rate, channels, bits: None, frames: Some(frames), loops };
    let described =
        |coding| Described { audio: Some(audio), coding, tuning: None, repairs, notes: Vec::new() };
    let mut mapping = [0; MAX_CHANNELS as usize];
    let streams = match (family, table) {
        (0, _) if channels <= 2 => None,
        (1, [streams, coupled, order @ ..]) if channels <= MAX_CHANNELS => {
            let order = order.get(..channels.into()).ok_or_else(short)?;
            if coupled > streams || u16::from(*streams).saturating_add((*coupled).into()) != channels {
                let reason = format!("Opus of {streams} streams for {channels} channels is not decoded");
                return Ok(described(Err(UnsupportedReason::Stream(reason))));
            }
            mapping.iter_mut().zip(order).for_each(|(place, channel)| *place = *channel);
            Some((*streams, *coupled)).filter(|_| channels > 2)
        }
        (0 | 1, _) => {
            let limit = ChannelLimit::AtMost { codec: "Opus", channels, most: MAX_CHANNELS };
            return Ok(described(Err(UnsupportedReason::Channels(limit))));
        }
        _ => {
            let reason = format!("Opus of channel mapping family {family} is not decoded");
            return Ok(described(Err(UnsupportedReason::Stream(reason))));
        }
    };
    let gain = 10_f32.powf(f32::from(gain) / (20.0 * 256.0));
    let params = OggOpusParams { channels, streams, mapping, skipped, gain, frames };
    Ok(described(Ok(CodecParams::OggOpus(params))))
}

impl OggOpusParams {
    fn decoder(&self, longest: usize) -> Option<StreamDecoder> {
        let Some(streams) = self.streams else { return StreamDecoder::new(RATE, self.channels, longest) };
        let order = ORDERS.get(usize::from(self.channels).checked_sub(3)?)?;
        let mapped = order.iter().map(|channel| self.mapping.get(usize::from(*channel)).copied());
        StreamDecoder::mapped(RATE, streams, &mapped.collect::<Option<Vec<u8>>>()?, longest)
    }

    /// Decodes all packets, and leaves out those before and after the sound.
    ///
    /// # Errors
    /// If a packet is none, or it takes more than is allowed.
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let channels = usize::from(self.channels).min(2);
        let longest = usize::try_from(LONGEST.saturating_mul(RATE / 1000)).unwrap_or_default();
        let decoder = unreal::guarded(|| self.decoder(longest)).flatten();
        let mut decoder = decoder.ok_or_else(|| malformed(0, "Opus: no decoder for its streams"))?;
        let mut values = vec![0_i16; longest.saturating_mul(channels)];
        let mut planes = PlaneBuilder::new(channels, Some(self.frames), budget);
        let mut packets = Packets::new(reader);
        let _headers = (packets.next()?, packets.next()?);
        let mut skipped = self.skipped;
        while (planes.length() as u64) < self.frames {
            let Some(packet) = packets.next()? else { break };
            let decoded = unreal::guarded(|| decoder.decode(&packet.bytes, &mut values)).flatten();
            let frames = decoded.ok_or_else(|| malformed(packet.at, "Opus: a packet that is none"))?;
            let decoded = values.get(..frames.saturating_mul(channels)).unwrap_or_default();
            planes.extend_within(decoded, &mut skipped, self.frames, |value| self.louder(value))?;
        }
        planes.finish(0).map(Recording::I16)
    }

    /// Applies the gain of the head.
    fn louder(&self, value: i16) -> i16 {
        if self.gain == 1.0 {
            value
        } else {
            super::packet_decoder::sixteen(f32::from(value) / 32_768.0 * self.gain)
        }
    }
}
