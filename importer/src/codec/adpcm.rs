//! ADPCM in WAVE: blocks of equal size, each of which can be decoded alone.
//!
//! ```text
//! block:  header per channel │ codes of four bits, channels interleaved
//! ```
//!
//! The last block may be cut off; what is whole of it is decoded. The engine has blocks of one channel each.

mod apart;
mod ima;
mod ms;

pub(super) use ima::{STEPS as IMA_STEPS, next_index as next_ima_index};
pub(super) use ms::PAIRS;

use std::ops::Range;

use song::Recording;

use super::plane_builder::{RoundSink, gather};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{ChannelLimit, UnsupportedReason};
use crate::{Codec, Damage, Error};

/// How codes become values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AdpcmMethod {
    Ima,
    /// With the pairs of coefficients that the predictors stand for.
    Ms(Vec<(i16, i16)>),
}

/// Which channels a block is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interleaving {
    /// Each is of all.
    Together,
    /// Each is of one: all of the first channel, then all of the second.
    OneAfterAnother,
    /// Each is of one: a block of every channel, then the next of every channel.
    InTurn,
}

/// What the headers of a file say of its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AdpcmHeader {
    pub(super) method: AdpcmMethod,
    pub(super) channels: u16,
    /// The speakers of the channels, 0 if it does not say.
    pub(super) mask: u32,
    /// Bytes of a block.
    pub(super) block: u16,
    /// Frames of a block, 0 if it does not say.
    pub(super) block_frames: u16,
    /// Frames of all blocks together; only the engine says so.
    pub(super) frames: Option<u32>,
}

/// Where the blocks lie in a payload, and how many frames are in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AdpcmParams {
    method: AdpcmMethod,
    channels: u16,
    mask: u32,
    order: Interleaving,
    /// Bytes of a block.
    block: u64,
    /// Frames of a whole block.
    block_frames: u64,
    at: u64,
    length: u64,
    pub(super) frames: u64,
}

/// Bytes fetched at a time, at least one block.
const FETCHED: u64 = 1 << 16;
/// The most channels that the engine stores apart.
const MAX_PLANAR: u16 = 8;

impl AdpcmParams {
    /// Finds the blocks in these bytes. Fewer frames of a block than its bytes can hold are believed. The inner
    /// error says why they are not decoded.
    ///
    /// # Errors
    /// If the bytes cannot be read.
    pub(super) fn new(
        reader: &PayloadReader<'_>,
        header: AdpcmHeader,
        bytes: Range<u64>,
        repairs: &mut Vec<String>,
    ) -> Result<Result<Self, UnsupportedReason>, Damage> {
        let AdpcmHeader { channels, mask, block_frames: stated, .. } = header;
        let block = u64::from(header.block);
        let order = apart::order(reader, &header, bytes.clone())?;
        let of_one = if order == Interleaving::Together { channels } else { 1 };
        if matches!((&header.method, order), (AdpcmMethod::Ms(_), Interleaving::Together)) && channels > 2 {
            // The description has no example of it, and programs differ.
            let limit = ChannelLimit::InOneBlock { codec: header.method.codec(), channels };
            return Ok(Err(UnsupportedReason::Channels(limit)));
        }
        let fit = header.method.frames_in(block, of_one);
        if fit == 0 {
            return Ok(Err(UnsupportedReason::SmallBlocks { codec: header.method.codec(), bytes: block }));
        }
        let block_frames = match u64::from(stated) {
            0 => fit,
            _ if order != Interleaving::Together => fit,
            stated => stated.min(fit),
        };
        let (at, length) = (bytes.start, bytes.end.saturating_sub(bytes.start));
        let mut params =
            Self { method: header.method, channels, mask, order, block, block_frames, at, length, frames: 0 };
        params.frames = params.frames_there();
        if order != Interleaving::Together {
            repairs.push(format!("its blocks are of one channel each, {}", order.words()));
            params.frames = header.frames.map_or(params.frames, |frames| params.frames.min(frames.into()));
        }
        if channels > 2 {
            repairs.push(format!("{channels} channels are mixed down to two"));
        }
        Ok(Ok(params))
    }

    /// Finds the blocks of one or two channels that Xbox games have, in `length` bytes at an offset of the payload: of
    /// 64 frames each, so that the last code of a block is not used. Of `stated` frames, those are believed that are
    /// there.
    pub(super) fn xbox(channels: u16, (at, length): (u64, u64), stated: u64) -> Self {
        const BLOCK: u64 = 0x24;
        const FRAMES: u64 = 64;
        let mut params = Self {
            method: AdpcmMethod::Ima,
            channels,
            mask: 0,
            order: Interleaving::Together,
            block: BLOCK.saturating_mul(channels.into()),
            block_frames: FRAMES,
            at,
            length,
            frames: 0,
        };
        params.frames = params.frames_there().min(stated);
        params
    }

    /// Returns the number of frames of all blocks, the last one as far as it is there.
    fn frames_there(&self) -> u64 {
        let channels = u64::from(self.channels).max(1);
        let (bytes, of_one) = match self.order {
            Interleaving::Together => (self.length, self.channels),
            Interleaving::OneAfterAnother => (self.length.checked_div(channels).unwrap_or_default(), 1),
            Interleaving::InTurn => {
                let round = self.block.saturating_mul(channels);
                let whole = self.length.checked_div(round).unwrap_or_default().saturating_mul(self.block);
                // Of the last round, the block of the last channel is the one that is cut off.
                let others = round.saturating_sub(self.block);
                let rest = self.length.checked_rem(round).unwrap_or_default().saturating_sub(others);
                (whole.saturating_add(rest), 1)
            }
        };
        let whole = bytes.checked_div(self.block).unwrap_or_default().saturating_mul(self.block_frames);
        let rest = bytes.checked_rem(self.block).unwrap_or_default();
        whole.saturating_add(self.method.frames_in(rest, of_one).min(self.block_frames))
    }

    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let rounds = |with: &mut RoundSink<'_>| self.each_block(reader, with);
        gather((self.channels, self.mask), (self.at, self.frames), budget, rounds)
    }

    /// Decodes block after block, or one block of each channel after another, and hands out how many frames they have,
    /// and their values by channel.
    fn each_block(
        &self,
        reader: &PayloadReader<'_>,
        mut with: impl FnMut(usize, &[Vec<i16>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut planes = vec![Vec::new(); usize::from(self.channels)];
        if self.order == Interleaving::Together {
            let blocks = FETCHED.checked_div(self.block).unwrap_or_default().max(1);
            let fetched = blocks.saturating_mul(self.block);
            let block_bytes = usize::try_from(self.block).unwrap_or(usize::MAX).max(1);
            let mut done: u64 = 0;
            while done < self.length {
                let mut at = self.at.saturating_add(done);
                let bytes = reader.bytes(at, fetched.min(self.length.saturating_sub(done)))?;
                for block in bytes.chunks(block_bytes) {
                    self.block(block, at, &mut planes)?;
                    with(self.shortest(&planes), &planes)?;
                    at = at.saturating_add(self.block);
                }
                done = done.saturating_add(fetched);
            }
            return Ok(());
        }
        for number in 0.. {
            for (channel, plane) in (0..).zip(&mut planes) {
                let (at, length) = self.place(channel, number);
                let block = reader.bytes(at, length)?;
                self.block(&block, at, std::slice::from_mut(plane))?;
            }
            match self.shortest(&planes) {
                0 => break,
                frames => with(frames, &planes)?,
            }
        }
        Ok(())
    }

    /// Returns where a block of one channel lies, and how much of it is there.
    fn place(&self, channel: u64, number: u64) -> (u64, u64) {
        let channels = u64::from(self.channels).max(1);
        let (start, end) = match self.order {
            Interleaving::OneAfterAnother => {
                let part = self.length.checked_div(channels).unwrap_or_default();
                let start = part.saturating_mul(channel);
                (start.saturating_add(number.saturating_mul(self.block)), start.saturating_add(part))
            }
            _ => {
                let blocks = number.saturating_mul(channels).saturating_add(channel);
                (blocks.saturating_mul(self.block), self.length)
            }
        };
        let start = start.min(end);
        (self.at.saturating_add(start), self.block.min(end.saturating_sub(start)))
    }

    fn shortest(&self, planes: &[Vec<i16>]) -> usize {
        let block_frames = usize::try_from(self.block_frames).unwrap_or(usize::MAX);
        planes.iter().map(Vec::len).min().unwrap_or_default().min(block_frames)
    }

    /// Decodes a block; one that is too short even for its header holds nothing.
    fn block(&self, block: &[u8], at: u64, planes: &mut [Vec<i16>]) -> Result<(), Error> {
        planes.iter_mut().for_each(Vec::clear);
        let length = u64::try_from(block.len()).unwrap_or(u64::MAX);
        let of = u16::try_from(planes.len()).unwrap_or(u16::MAX);
        if self.method.frames_in(length, of) == 0 {
            return Ok(());
        }
        let decoded = match (&self.method, planes) {
            (AdpcmMethod::Ima, planes) => ima::block(block, planes),
            (AdpcmMethod::Ms(pairs), [mono]) => ms::mono(block, pairs, mono),
            (AdpcmMethod::Ms(pairs), [left, right]) => ms::stereo(block, pairs, left, right),
            (_, _) => None,
        };
        decoded.ok_or_else(|| malformed(at, "an ADPCM block whose header names what does not exist").into())
    }
}

impl Interleaving {
    const fn words(self) -> &'static str {
        match self {
            Self::Together => "together",
            Self::OneAfterAnother => "one channel after the other",
            Self::InTurn => "the channels in turn",
        }
    }
}

impl AdpcmMethod {
    pub(super) const fn codec(&self) -> Codec {
        match self {
            Self::Ima => Codec::AdpcmIma,
            Self::Ms(_) => Codec::AdpcmMs,
        }
    }

    /// Returns the number of frames in a block of so many bytes; 0 if it is too short for its header.
    fn frames_in(&self, bytes: u64, channels: u16) -> u64 {
        let (header, first) = match self {
            Self::Ima => (ima::HEADER, ima::IN_HEADER),
            Self::Ms(_) => (ms::HEADER, ms::IN_HEADER),
        };
        let Some(codes) = bytes.checked_sub(header.saturating_mul(u64::from(channels))) else { return 0 };
        let frames = match (self, channels) {
            (_, 1) => codes.saturating_mul(2),
            // Eight codes of one channel, then eight of the next.
            (Self::Ima, _) => {
                let group = u64::from(channels).saturating_mul(4);
                codes.checked_div(group).unwrap_or_default().saturating_mul(8)
            }
            // A code of each in every byte.
            (Self::Ms(_), _) => codes,
        };
        frames.saturating_add(first)
    }
}

/// Returns the lower and the upper four bits of a byte.
pub(super) const fn codes(byte: u8) -> (u8, u8) {
    (byte & 15, byte >> 4)
}

/// Returns the nearest value that 16 bits hold.
pub(super) fn saturated(value: i32) -> i16 {
    let held = value.clamp(i16::MIN.into(), i16::MAX.into());
    i16::try_from(held).unwrap_or_default()
}
