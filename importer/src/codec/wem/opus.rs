//! Opus packets as Wwise stores them.
//!
//! ```text
//! 0x3041  a chunk of sizes; data │ packet │ packet │ …
//! 0x3039  data │ seek table │ size, range, packet │ …
//! ```
//!
//! Source: *sound-banks*, §3.1: a file of our own making for the first form, the second described.

use std::ops::Range;

use song::Recording;

use super::{CodecParams, WemMedia};
use crate::budget::DecodeBudget;
use crate::codec::opus::LONGEST;
use crate::codec::opus::streams::{MAX_CHANNELS, StreamDecoder};
use crate::codec::plane_builder::PlaneBuilder;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{ChannelLimit, Damage, Error, UnsupportedReason};

/// The rate of all streams.
pub(super) const RATE: u32 = 48_000;

/// Frames before the sound, where the header states none.
const DELAY: u64 = 120;

/// A stream as its header describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::codec) struct WemOpusParams {
    channels: u16,
    /// Sizes of the packets, of two bytes each; none if each has its size before it.
    sizes: Option<Range<u64>>,
    packets: Range<u64>,
    skipped: u64,
    pub(in crate::codec) frames: u64,
}

impl WemOpusParams {
    pub(super) fn of_media(
        media: &WemMedia<'_, '_>,
        is_wem: bool,
        seek: Option<Range<u64>>,
    ) -> Result<Result<CodecParams, UnsupportedReason>, Damage> {
        let channels = media.format.channels;
        if channels > MAX_CHANNELS {
            let limit = ChannelLimit::AtMost { codec: "Opus of Wwise", channels, most: MAX_CHANNELS };
            return Ok(Err(UnsupportedReason::Channels(limit)));
        }
        let frames = u64::from(media.fields.u32(0x18));
        let mapping = media.fields.get::<1>(0x23)[0];
        if is_wem && (mapping > 1 || (mapping == 0 && channels > 2)) {
            let reason = format!("Opus of channel mapping family {mapping} is not decoded");
            return Ok(Err(UnsupportedReason::Stream(reason)));
        }
        let (sizes, start, skipped) = if is_wem {
            let seek = seek.ok_or_else(|| malformed(media.at, "Opus without a \"seek\" chunk"))?;
            (Some(seek), media.data.start, media.fields.u16(0x20).into())
        } else {
            (None, media.data.start.saturating_add(media.fields.u32(0x24).into()), DELAY)
        };
        let packets = start..media.data.end;
        Ok(Ok(CodecParams::WemOpus(Self { channels, sizes, packets, skipped, frames })))
    }

    /// Decodes all packets, and leaves out those before and after the sound.
    ///
    /// # Errors
    /// If a packet is none, or it takes more than is allowed.
    pub(in crate::codec) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let channels = usize::from(self.channels).min(2);
        let longest = usize::try_from(LONGEST.saturating_mul(RATE / 1000)).unwrap_or_default();
        let decoder = unreal::guarded(|| StreamDecoder::new(RATE, self.channels, longest)).flatten();
        let mut decoder =
            decoder.ok_or_else(|| malformed(self.packets.start, "Opus: no decoder for its streams"))?;
        let mut values = vec![0_i16; longest.saturating_mul(channels)];
        let mut planes = PlaneBuilder::new(channels, Some(self.frames), budget);
        let mut packets = Packets { params: self, reader, at: self.packets.start, number: 0 };
        let (mut skipped, mut packet) = (self.skipped, Vec::new());
        while (planes.length() as u64) < self.frames {
            let Some(at) = packets.next(&mut packet)? else { break };
            let decoded = unreal::guarded(|| decoder.decode(&packet, &mut values)).flatten();
            let frames = decoded.ok_or_else(|| malformed(at, "Opus: a packet that is none"))?;
            let decoded = values.get(..frames.saturating_mul(channels)).unwrap_or_default();
            planes.extend_within(decoded, &mut skipped, self.frames, |value| value)?;
        }
        planes.finish(self.packets.start).map(Recording::I16)
    }
}

struct Packets<'p, 's> {
    params: &'p WemOpusParams,
    reader: &'p PayloadReader<'s>,
    at: u64,
    number: u64,
}

impl Packets<'_, '_> {
    /// Reads the next packet and returns its offset; none after the last.
    fn next(&mut self, packet: &mut Vec<u8>) -> Result<Option<u64>, Damage> {
        let Range { end, .. } = self.params.packets;
        let size = match &self.params.sizes {
            Some(sizes) => {
                let at = sizes.start.saturating_add(self.number.saturating_mul(2));
                if at.saturating_add(2) > sizes.end {
                    return Ok(None);
                }
                self.number = self.number.saturating_add(1);
                self.reader.read(at, 2, packet)?;
                packet.first_chunk().map_or(0, |size| u64::from(u16::from_le_bytes(*size)))
            }
            None => {
                if self.at.saturating_add(8) > end {
                    return Ok(None);
                }
                self.reader.read(self.at, 8, packet)?;
                self.at = self.at.saturating_add(8);
                packet.first_chunk().map_or(0, |size| u64::from(u32::from_be_bytes(*size)))
            }
        };
        let (at, after) = (self.at, self.at.saturating_add(size));
        if after > end {
            return Err(malformed(at, format!("an Opus packet of {size} bytes that ends after the data")));
        }
        self.reader.read(at, size, packet)?;
        self.at = after;
        Ok(Some(at))
    }
}
