//! Vorbis packets without Ogg around them, as sound banks have them: the headers come from elsewhere.

use song::{Hz, Recording};
use symphonia::core::codecs::audio::AudioCodecParameters;
use symphonia::core::codecs::audio::well_known::CODEC_ID_VORBIS;

use super::books;
use super::setup::Setup;
use super::{IDENTIFICATION, MAX_CHANNELS};
use crate::budget::DecodeBudget;
use crate::codec::symphonia::{PacketDecoder, SymphoniaDecoder, sixteen};
use crate::error::malformed;
use crate::{ChannelLimit, Damage, Error, UnsupportedReason};

/// What the first header of a stream states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::codec) struct BarePacketParams {
    /// Channels; more than two are mixed down to these.
    pub(in crate::codec) channels: u16,
    /// Frames per second.
    pub(in crate::codec) rate: Hz,
    /// Frames of the short and the long blocks, as powers of two.
    pub(in crate::codec) exponents: [u8; 2],
    /// Where the sound ends; nothing is left out at its start.
    pub(in crate::codec) frames: u64,
}

impl BarePacketParams {
    /// Returns why a stream with this setup header is not decoded.
    ///
    /// # Errors
    /// If the header makes no sense.
    pub(super) fn unsupported_reason(
        &self,
        setup: &[u8],
        at: u64,
    ) -> Result<Option<UnsupportedReason>, Damage> {
        if self.channels > MAX_CHANNELS {
            let (channels, most) = (self.channels, MAX_CHANNELS);
            let limit = ChannelLimit::AtMost { codec: "Vorbis", channels, most };
            return Ok(Some(UnsupportedReason::Channels(limit)));
        }
        if self.channels < 2 {
            return Ok(None);
        }
        let read = Setup::read(setup, self.channels, self.blocks()).map_err(|what| malformed(at, what))?;
        Ok(read.unsupported_reason().map(|reason| UnsupportedReason::Stream(reason.to_owned())))
    }

    fn blocks(&self) -> [u64; 2] {
        self.exponents.map(|exponent| 1_u64.checked_shl(exponent.into()).unwrap_or(1))
    }

    /// Decodes packets after their setup header; `next` fills its argument with the next packet and returns its offset,
    /// or none after the last.
    ///
    /// # Errors
    /// If the header or a packet makes no sense, or the frames take more than is allowed.
    pub(super) fn decode(
        &self,
        mut setup: Vec<u8>,
        setup_at: u64,
        mut next: impl FnMut(&mut Vec<u8>) -> Result<Option<u64>, Damage>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        books::check(&setup).map_err(|what| malformed(setup_at, what))?;
        if self.channels > 2 {
            let read = Setup::read(&setup, self.channels, self.blocks());
            read.map_err(|what| malformed(setup_at, what))?.turn_round(&mut setup);
        }
        let mut headers = self.identification();
        headers.extend(setup);
        let mut parameters = AudioCodecParameters::new();
        parameters.for_codec(CODEC_ID_VORBIS).with_extra_data(headers.into());
        let mut decoder = SymphoniaDecoder::new(&parameters, setup_at)?;
        let mut stream = PacketDecoder::new(self.channels, 0, Some(self.frames), sixteen, budget);
        // The first one gives no frames: it is one half of an overlap.
        let (mut packet, mut is_first) = (Vec::new(), true);
        while !stream.is_full() {
            let Some(at) = next(&mut packet)? else { break };
            if packet.is_empty() {
                continue;
            }
            let planes = decoder.decode(&packet, at)?;
            if !std::mem::take(&mut is_first) {
                stream.push(planes)?;
            }
        }
        stream.finish(0).map(Recording::I16)
    }

    /// Returns the first header of the stream.
    ///
    /// Source: Xiph.Org, *Vorbis I specification*, §4.2.2.
    fn identification(&self) -> Vec<u8> {
        let [short, long] = self.exponents;
        let mut header = Vec::with_capacity(IDENTIFICATION);
        header.extend(b"\x01vorbis\0\0\0\0");
        header.push(u8::try_from(self.channels).unwrap_or(u8::MAX));
        header.extend(self.rate.get().to_le_bytes());
        header.extend([0; 12]);
        header.push((short & 15) | (long & 15) << 4);
        header.push(1);
        header
    }
}
