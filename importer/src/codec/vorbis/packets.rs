//! Vorbis packets without Ogg around them, as sound banks have them: the headers come from elsewhere.

use song::Recording;

use super::MAX_CHANNELS;
use super::decoder::Decoder;
use crate::budget::DecodeBudget;
use crate::codec::packet_decoder::PacketDecoder;
use crate::error::malformed;
use crate::{ChannelLimit, Damage, Error, UnsupportedReason};

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

impl BarePacketParams {
    /// Returns why the stream is not decoded.
    pub(super) fn unsupported_reason(&self) -> Option<UnsupportedReason> {
        let (channels, most) = (self.channels, MAX_CHANNELS);
        let limit = ChannelLimit::AtMost { codec: "Vorbis", channels, most };
        (channels > most).then_some(UnsupportedReason::Channels(limit))
    }

    /// Decodes packets after their setup header; `next` fills its argument with the next packet and returns its offset,
    /// or none after the last.
    ///
    /// # Errors
    /// If the header or a packet makes no sense, or the frames take more than is allowed.
    pub(super) fn decode(
        &self,
        setup: &[u8],
        setup_at: u64,
        mut next: impl FnMut(&mut Vec<u8>) -> Result<Option<u64>, Damage>,
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
