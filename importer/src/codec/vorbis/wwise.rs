//! Vorbis as Wwise stores it: a setup header whose code books are numbers, and packets without what can be worked out.
//!
//! ```text
//! data  │ seek table │ size, setup │ size, packet │ size, packet │ …
//! ```
//!
//! Source: *sound-banks*, §3.3: measured on 1,748 media; the forms before 2012 described.

mod library;
mod setup;

use song::Recording;

use self::setup::{PackedModes, RebuiltSetup};
use super::packets::{BarePacketParams, NextPacket, VorbisStream};
use crate::budget::DecodeBudget;
use crate::codec::pcm::ByteOrder;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Damage, Error, UnsupportedReason};

/// A stream as its header describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::codec) struct WwiseVorbisParams {
    pub(in crate::codec) stream: BarePacketParams,
    /// Where the setup header lies, with its size before it.
    pub(in crate::codec) setup_at: u64,
    /// Where the packets lie.
    pub(in crate::codec) packets: std::ops::Range<u64>,
    /// Form of the heads of setup and packets.
    pub(in crate::codec) head: PacketHead,
    /// Whether packets are those of the Vorbis specification.
    pub(in crate::codec) is_standard: bool,
    /// Order of the bytes of sizes.
    pub(in crate::codec) order: ByteOrder,
}

/// What comes before each packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::codec) enum PacketHead {
    /// Its size in two bytes.
    Size,
    /// Its size in two bytes, its granule position in four.
    SizeGranule,
}

impl PacketHead {
    const fn length(self) -> u64 {
        match self {
            Self::Size => 2,
            Self::SizeGranule => 6,
        }
    }
}

impl WwiseVorbisParams {
    /// Returns why the stream is not decoded.
    ///
    /// # Errors
    /// If its setup header cannot be read.
    pub(in crate::codec) fn unsupported_reason(
        &self,
        reader: &PayloadReader<'_>,
    ) -> Result<Option<UnsupportedReason>, Damage> {
        Ok(match self.setup(reader)? {
            Some(_) => self.stream.unsupported_reason(),
            None => Some(UnsupportedReason::Stream("Vorbis of Wwise with unknown code books".to_owned())),
        })
    }

    /// Returns the setup header rebuilt with the library of books that makes sense of all of it.
    fn setup(&self, reader: &PayloadReader<'_>) -> Result<Option<RebuiltSetup>, Damage> {
        let mut packet = Vec::new();
        if self.packet(reader, self.setup_at, &mut packet)?.is_none() {
            return Err(malformed(self.setup_at, "a Vorbis stream of Wwise without a setup header"));
        }
        Ok(library::ALL
            .into_iter()
            .find_map(|library| setup::rebuild(&packet, self.stream.channels, library)))
    }

    /// Reads the packet at an offset; returns the offset after it, or none at the end.
    fn packet(
        &self,
        reader: &PayloadReader<'_>,
        at: u64,
        packet: &mut Vec<u8>,
    ) -> Result<Option<u64>, Damage> {
        let head = self.head.length();
        let body = at.saturating_add(head);
        if body > self.packets.end {
            return Ok(None);
        }
        reader.read(at, head, packet)?;
        let size = packet.first_chunk().copied().unwrap_or_default();
        let size = match self.order {
            ByteOrder::Little => u16::from_le_bytes(size),
            ByteOrder::Big => u16::from_be_bytes(size),
        };
        let size = u64::from(size);
        let end = body.saturating_add(size);
        if end > self.packets.end {
            return Err(malformed(at, format!("a packet of {size} bytes that ends after the data")));
        }
        reader.read(body, size, packet)?;
        Ok(Some(end))
    }

    pub(in crate::codec) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        self.read(reader, |setup, next| self.stream.decode(setup, next, budget))
    }

    /// Returns the packets as the Vorbis specification has them.
    pub(in crate::codec) fn packets(
        &self,
        rate: u32,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<VorbisStream, Error> {
        self.read(reader, |setup, next| self.stream.packets(rate, setup, next, budget))
    }

    /// Hands over the setup header, with its offset, and what gives the packets.
    fn read<T>(
        &self,
        reader: &PayloadReader<'_>,
        with: impl FnOnce((&[u8], u64), NextPacket<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let setup = self.setup(reader)?;
        let setup = setup.ok_or_else(|| malformed(self.setup_at, "unknown Vorbis code books"))?;
        let mut packets = Lookahead {
            params: self,
            reader,
            modes: setup.modes,
            at: self.packets.start,
            next: Vec::new(),
            next_at: None,
            was_long: false,
        };
        packets.read_ahead()?;
        with((&setup.header, self.setup_at), &mut |packet| packets.next(packet))
    }
}

/// The packets of a stream, each with a look at the one after it.
struct Lookahead<'r, 's> {
    params: &'r WwiseVorbisParams,
    reader: &'r PayloadReader<'s>,
    modes: PackedModes,
    /// Where the packet after the next one lies.
    at: u64,
    next: Vec<u8>,
    /// Where the next packet lies; none after the last.
    next_at: Option<u64>,
    /// Whether the last packet is one of a long block.
    was_long: bool,
}

impl Lookahead<'_, '_> {
    fn read_ahead(&mut self) -> Result<(), Damage> {
        let after = self.params.packet(self.reader, self.at, &mut self.next)?;
        self.next_at = after.map(|_| self.at);
        self.at = after.unwrap_or(self.at);
        Ok(())
    }

    fn next(&mut self, packet: &mut Vec<u8>) -> Result<Option<u64>, Damage> {
        let Some(at) = self.next_at else { return Ok(None) };
        let packed = std::mem::take(&mut self.next);
        self.read_ahead()?;
        if self.params.is_standard {
            *packet = packed;
            return Ok(Some(at));
        }
        let is_long = |packet: &[u8]| self.modes.is_long(packet);
        let follows_long = self.next_at.is_some() && is_long(&self.next);
        let before = self.was_long;
        self.was_long = is_long(&packed);
        self.modes.unpack(&packed, [before, follows_long], packet);
        Ok(Some(at))
    }
}
