//! Vorbis as FMOD's sample banks have it: packets with their sizes, and of the setup header only a checksum.
//!
//! ```text
//! │ size, packet │ size, packet │ … │ 0 or 0xFFFF
//! ```
//!
//! Source: *sound-banks*, §6.2: measured on 680 sounds.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::ops::Range;
use std::sync::LazyLock;

use flate2::Crc;
use flate2::read::ZlibDecoder;
use song::Recording;

use super::packets::BarePacketParams;
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Error, UnsupportedReason};

/// Frames of the blocks of all streams, as powers of two.
pub(in crate::codec) const EXPONENTS: [u8; 2] = [8, 11];

/// The setup headers that the encoder writes for a quality, a range of rates and a number of channels, by their CRC-32.
///
/// Source: *fsbex* (astral4), `vorbis_lookup.rs`, under the licence beside the table.
pub(super) static SETUPS: LazyLock<BTreeMap<u32, Vec<u8>>> = LazyLock::new(|| {
    let (mut table, mut setups) = (Vec::new(), BTreeMap::new());
    // It is our own and whole: a test reads it.
    let _ = ZlibDecoder::new(&include_bytes!("fmod/setups.bin.z")[..]).read_to_end(&mut table);
    let mut rest = &*table;
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some((setup, after)) = after.split_at_checked(length) else { break };
        let mut crc = Crc::new();
        crc.update(setup);
        setups.insert(crc.sum(), setup.to_vec());
        rest = after;
    }
    setups
});

/// A stream as its sample bank describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::codec) struct FsbVorbisParams {
    pub(in crate::codec) stream: BarePacketParams,
    /// CRC-32 of the setup header.
    pub(in crate::codec) setup: u32,
    pub(in crate::codec) packets: Range<u64>,
}

impl FsbVorbisParams {
    /// Returns why the stream is not decoded.
    pub(in crate::codec) fn unsupported_reason(&self) -> Option<UnsupportedReason> {
        if SETUPS.contains_key(&self.setup) {
            return self.stream.unsupported_reason();
        }
        let reason = format!("Vorbis of FMOD with an unknown setup header, CRC-32 {:08X}", self.setup);
        Some(UnsupportedReason::Stream(reason))
    }

    pub(in crate::codec) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let Range { start, end } = self.packets;
        let setup =
            SETUPS.get(&self.setup).ok_or_else(|| malformed(start, "an unknown Vorbis setup header"))?;
        let mut at = start;
        let next = |packet: &mut Vec<u8>| {
            let body = at.saturating_add(2);
            if body > end {
                return Ok(None);
            }
            reader.read(at, 2, packet)?;
            let size = packet.first_chunk().map_or(0, |size| u16::from_le_bytes(*size));
            if size == 0 || size == u16::MAX {
                return Ok(None);
            }
            let after = body.saturating_add(size.into());
            if after > end {
                return Err(malformed(at, format!("a packet of {size} bytes that ends after the sound")));
            }
            reader.read(body, size.into(), packet)?;
            at = after;
            Ok(Some(body))
        };
        self.stream.decode(setup, start, next, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_161_setup_headers() {
        assert_eq!(SETUPS.len(), 161);
        assert!(SETUPS.values().all(|setup| setup.starts_with(b"\x05vorbis")));
        // Those of the sounds that were measured.
        assert!(
            [0xC4C3_0A29, 0x3552_95CA, 0xB62A_D8DF, 0x6D39_BF3E].iter().all(|crc| SETUPS.contains_key(crc))
        );
    }
}
