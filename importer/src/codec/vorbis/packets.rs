//! Vorbis packets without Ogg around them, as sound banks have them: the headers come from elsewhere.

use song::Recording;

use super::MAX_CHANNELS;
use super::decoder::Decoder;
use crate::budget::DecodeBudget;
use crate::codec::packet_decoder::PacketDecoder;
use crate::error::malformed;
use crate::{ChannelLimit, Damage, Error, UnsupportedReason};

/// Bytes that a packet takes beside its own.
const OVERHEAD: usize = 32;

/// What a stream states outside of its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::codec) struct BarePacketParams {
    /// Channels; more than two are mixed down to these.
    pub(in crate::codec) channels: u16,
    /// Frames of the short and the long blocks, as powers of two.
    pub(in crate::codec) exponents: [u8; 2],
    /// Where the sound ends; nothing is left out at its start.
    pub(in crate::codec) frames: u64,
}

/// A stream as its packets, which an Ogg file can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VorbisStream {
    /// Channels, at most eight.
    pub channels: u16,
    /// Frames per second.
    pub rate: u32,
    /// Frames of the short and the long blocks, as powers of two.
    pub exponents: [u8; 2],
    /// The setup header.
    pub setup: Vec<u8>,
    /// Packets of audio, each with the number of frames up to its end. The last ends where the sound does.
    pub packets: Vec<(Vec<u8>, u64)>,
}

/// Fills its argument with the next packet and returns its offset, or none after the last.
pub(super) type NextPacket<'n> = &'n mut dyn FnMut(&mut Vec<u8>) -> Result<Option<u64>, Damage>;

impl BarePacketParams {
    /// Returns the packets of a stream of that rate after their setup header.
    ///
    /// # Errors
    /// If the header or a packet makes no sense, or they take more than is allowed.
    pub(super) fn packets(
        &self,
        rate: u32,
        (setup, setup_at): (&[u8], u64),
        next: NextPacket<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<VorbisStream, Error> {
        let decoder = Decoder::new(self.channels, self.exponents, setup);
        let mut decoder = decoder.map_err(|what| malformed(setup_at, what))?;
        let (mut packets, mut packet, mut end) = (Vec::new(), Vec::new(), 0_u64);
        while end < self.frames {
            let Some(at) = next(&mut packet)? else { break };
            // Only the decoder knows how many frames a packet completes.
            let planes = decoder.decode(&packet).map_err(|what| malformed(at, what))?;
            let frames = planes.first().map_or(0, Vec::len);
            end = end.saturating_add(u64::try_from(frames).unwrap_or(u64::MAX)).min(self.frames);
            budget.take(u64::try_from(packet.len().saturating_add(OVERHEAD)).unwrap_or(u64::MAX))?;
            packets.push((packet.clone(), end));
        }
        let (channels, exponents) = (self.channels, self.exponents);
        Ok(VorbisStream { channels, rate, exponents, setup: setup.to_vec(), packets })
    }

    /// Returns why the stream is not decoded.
    pub(super) fn unsupported_reason(&self) -> Option<UnsupportedReason> {
        let (channels, most) = (self.channels, MAX_CHANNELS);
        let limit = ChannelLimit::AtMost { codec: "Vorbis", channels, most };
        (channels > most).then_some(UnsupportedReason::Channels(limit))
    }

    /// Decodes packets after their setup header.
    ///
    /// # Errors
    /// If the header or a packet makes no sense, or the frames take more than is allowed.
    pub(super) fn decode(
        &self,
        (setup, setup_at): (&[u8], u64),
        next: NextPacket<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let decoder = Decoder::new(self.channels, self.exponents, setup);
        let mut decoder = decoder.map_err(|what| malformed(setup_at, what))?;
        let mut stream = PacketDecoder::new(self.channels, 0, Some(self.frames), budget);
        let mut packet = Vec::new();
        while !stream.is_full() {
            let Some(at) = next(&mut packet)? else { break };
            stream.push(decoder.decode(&packet).map_err(|what| malformed(at, what))?)?;
        }
        stream.finish(0).map(Recording::I16)
    }
}
