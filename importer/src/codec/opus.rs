//! Opus as Unreal Engine stores it: packets with their sizes, after a head of its own.
//!
//! ```text
//! UEOPUS   head │ seek table │ size, packet │ size, packet │ …      a seek table may come again between packets
//! UE4OPUS  head │ size, packet │ …   or   head │ size, frames, packet │ …
//!
//! decoded  │ pre-skip │ silence │ the sound │ silence │
//! ```
//!
//! Source: *packages-ue4-ue6*, §11.3: the first form measured, the second described; RFC 6716, §3.1.

pub(super) mod streams;

use song::{Hz, Recording};

use streams::{MAX_CHANNELS, StreamDecoder};

use super::plane_builder::PlaneBuilder;
use super::seek_table;
use super::{CodecParams, Described};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, ChannelLimit, Codec, Damage, Error, UnsupportedReason};

/// The rates that decoders give.
const RATES: [u32; 5] = [8000, 12_000, 16_000, 24_000, 48_000];

/// By how much the older form is late, in frames of 48 kHz: the delay of the encoder.
const DELAY: u64 = 312;

/// Milliseconds of the longest packet.
pub(super) const LONGEST: u32 = 120;

/// A stream as its head describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpusParams {
    rate: u32,
    /// As stored; more than two are mixed down to these.
    channels: u16,
    /// Where the first packet lies, or a seek table before it.
    at: u64,
    /// Whether each packet says how many frames it has.
    has_counts: bool,
    /// Whether it ends at a packet without a byte, or where none begins any more.
    has_end: bool,
    /// Frames before the sound.
    skipped: u64,
    pub(super) frames: u64,
}

/// Describes a stream from its head.
///
/// # Errors
/// If it is too short for one.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let head = reader.bytes(0, 42.min(reader.length()))?;
    let number = |at: usize, length: usize| -> Result<u64, Damage> {
        let bytes = head.get(at..).and_then(|bytes| bytes.get(..length));
        let bytes = bytes.ok_or_else(|| malformed(at as u64, "an Opus head that ends early"))?;
        Ok(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    };
    let is_old = head.starts_with(b"UE4OPUS");
    let (rate, channels, frames, at) = if is_old {
        (number(8, 2)?, number(14, 1)?, number(10, 4)?, 17)
    } else {
        (number(14, 4)?, number(9, 1)?, number(18, 8)?, 42)
    };
    let (Some(rate), Ok(channels)) = (u32::try_from(rate).ok(), u16::try_from(channels)) else {
        return Err(malformed(8, "an Opus head with an impossible rate"));
    };
    let Ok(hz) = Hz::new(rate) else { return Err(malformed(8, "an Opus head without a rate")) };
    let (codec, bits, loops) = (Codec::Opus, None, Vec::new());
    let audio = Audio { codec, rate: hz, channels, bits, frames: Some(frames), loops };
    let coding = match channels {
        1..=MAX_CHANNELS if RATES.contains(&rate) => {
            let skipped = if is_old {
                DELAY.saturating_mul(rate.into()).checked_div(48_000).unwrap_or_default()
            } else {
                number(30, 4)?.saturating_add(number(34, 4)?)
            };
            let has_counts = is_old && has_counts(reader, at, rate)?;
            Ok(CodecParams::Opus(OpusParams {
                rate,
                channels,
                at,
                has_counts,
                has_end: false,
                skipped,
                frames,
            }))
        }
        1..=MAX_CHANNELS => Err(UnsupportedReason::Codec(Codec::Opus)),
        _ => {
            let limit = ChannelLimit::AtMost { codec: "Opus of Unreal Engine", channels, most: MAX_CHANNELS };
            Err(UnsupportedReason::Channels(limit))
        }
    };
    Ok(Described { audio: Some(audio), coding, tuning: None, repairs: Vec::new(), notes: Vec::new() })
}

/// Returns whether the first packet says how many frames it has, and that is right.
fn has_counts(reader: &PayloadReader<'_>, at: u64, rate: u32) -> Result<bool, Damage> {
    let bytes = reader.bytes(at, 6.min(reader.length().saturating_sub(at)))?;
    let [_, _, low, high, packet @ ..] = &*bytes else { return Ok(false) };
    Ok(packet_frames(packet, rate) == Some(u16::from_le_bytes([*low, *high]).into()))
}

/// Returns how many frames a packet has, by its first two bytes.
///
/// Source: RFC 6716, §3.1 and §3.2.
fn packet_frames(packet: &[u8], rate: u32) -> Option<u32> {
    /// Microseconds of a frame, by the four kinds of each mode.
    const SILK: [u32; 4] = [10_000, 20_000, 40_000, 60_000];
    const HYBRID: [u32; 2] = [10_000, 20_000];
    const CELT: [u32; 4] = [2500, 5000, 10_000, 20_000];
    let first = *packet.first()?;
    let configuration = usize::from(first >> 3);
    let length = match configuration {
        0..12 => SILK.get(configuration & 3),
        12..16 => HYBRID.get(configuration & 1),
        _ => CELT.get(configuration & 3),
    };
    let count = match first & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => u32::from(packet.get(1)? & 0x3F),
    };
    // A million divided in two steps, so that nothing overflows or is lost.
    length?.checked_mul(count)?.checked_div(500)?.checked_mul(rate)?.checked_div(2000)
}

impl OpusParams {
    /// Describes packets with their sizes at 48 kHz, from the first byte of a payload on and without a head, which are
    /// late by the delay of the encoder.
    pub(super) const fn headless(channels: u16, frames: u64) -> Self {
        Self { rate: 48_000, channels, at: 0, has_counts: false, has_end: true, skipped: DELAY, frames }
    }

    /// Decodes all packets, and leaves out what comes before and after the sound.
    ///
    /// # Errors
    /// If a packet is none, or it takes more than is allowed.
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let broken = |at, what: &str| malformed(at, format!("Opus: {what}"));
        let channels = usize::from(self.channels).min(2);
        let longest = self.rate.checked_div(1000).unwrap_or_default().saturating_mul(LONGEST);
        let longest = usize::try_from(longest).unwrap_or_default();
        let decoder = unreal::guarded(|| StreamDecoder::new(self.rate, self.channels, longest)).flatten();
        let mut decoder = decoder.ok_or_else(|| broken(self.at, "no decoder for this rate"))?;
        let (mut values, mut packet) = (vec![0_i16; longest.saturating_mul(channels)], Vec::new());
        let mut planes = PlaneBuilder::new(channels, Some(self.frames), budget);
        let (mut at, mut skipped) = (self.at, self.skipped);
        while at < reader.length() && (planes.length() as u64) < self.frames {
            let table = seek_table::length(reader, at)?;
            if table > 0 {
                at = at.saturating_add(table);
                continue;
            }
            let head = if self.has_counts { 4 } else { 2 };
            if self.has_end && reader.length().saturating_sub(at) < head {
                break;
            }
            reader.read(at, head, &mut packet)?;
            let size = packet.first_chunk().map_or(0, |size| u64::from(u16::from_le_bytes(*size)));
            let packet_at = at.saturating_add(head);
            if size == 0 && self.has_end {
                break;
            }
            if size == 0 {
                return Err(broken(at, "a packet without a byte").into());
            }
            reader.read(packet_at, size, &mut packet)?;
            let decoded = unreal::guarded(|| decoder.decode(&packet, &mut values)).flatten();
            let frames = decoded.ok_or_else(|| broken(packet_at, "a packet that is none"))?;
            let decoded = values.get(..frames.saturating_mul(channels)).unwrap_or_default();
            planes.extend_within(decoded, &mut skipped, self.frames, |value| value)?;
            at = packet_at.saturating_add(size);
        }
        planes.finish(self.at).map(Recording::I16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_say_how_long_they_are() {
        for (packet, frames) in [
            // SILK of 10 and 60 ms, hybrid of 20, CELT of 2.5 and 20.
            (&[0x00][..], Some(480)),
            (&[0x18], Some(2880)),
            (&[0x68], Some(960)),
            (&[0x80], Some(120)),
            (&[0x98], Some(960)),
            // Two frames, five frames, and a number that is not there.
            (&[0x99], Some(1920)),
            (&[0x9B, 0x05], Some(4800)),
            (&[0x9B], None),
            (&[], None),
        ] {
            assert_eq!(packet_frames(packet, 48_000), frames, "{packet:?}");
        }
        assert_eq!(packet_frames(&[0x98], 8000), Some(160));
    }
}
