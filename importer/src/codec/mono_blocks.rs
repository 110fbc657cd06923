//! ADPCM of game audio middleware: blocks of one channel each, a block of every channel in turn.
//!
//! ```text
//! block of the left channel │ block of the right channel │ the next of the left │ …
//! ```
//!
//! Each block begins with all that it needs, so that it can be decoded alone.

mod fadpcm;
mod ptadpcm;
mod wwise_ima;

use song::Recording;

use super::plane_builder::{RoundSink, gather};
use crate::Error;
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;

/// How a block becomes values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockCoding {
    /// FMOD's ADPCM.
    Fadpcm,
    /// IMA ADPCM as Wwise has it.
    WwiseIma,
    /// Platinum's ADPCM, in blocks of 0x24 bytes.
    PtadpcmShort,
    /// Platinum's ADPCM, in blocks of 0x104 bytes.
    PtadpcmLong,
}

/// Where blocks lie in a payload, and how many frames are in them. The bytes are known to be inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BlockParams {
    coding: BlockCoding,
    channels: u16,
    /// Which speakers the channels are for, in a file of more than two; 0 if it does not say.
    mask: u32,
    at: u64,
    pub(super) frames: u64,
}

/// Bytes fetched at a time, at least one block of each channel.
const FETCHED: u64 = 1 << 16;

impl BlockCoding {
    /// Returns the coding of Platinum's ADPCM by the bytes of a block of one channel.
    pub(super) const fn ptadpcm(block: u64) -> Option<Self> {
        match block {
            0x24 => Some(Self::PtadpcmShort),
            0x104 => Some(Self::PtadpcmLong),
            _ => None,
        }
    }

    /// Returns the bytes of a block.
    pub(super) const fn bytes(self) -> u64 {
        match self {
            Self::Fadpcm => 0x8C,
            Self::WwiseIma | Self::PtadpcmShort => 0x24,
            Self::PtadpcmLong => 0x104,
        }
    }

    /// Returns the frames of a block.
    pub(super) const fn frames(self) -> u64 {
        match self {
            Self::Fadpcm => 256,
            Self::WwiseIma | Self::PtadpcmShort => 64,
            Self::PtadpcmLong => 512,
        }
    }

    /// Adds the values of a block; none if its header names what does not exist.
    fn decode(self, block: &[u8], plane: &mut Vec<i16>) -> Option<()> {
        match self {
            Self::Fadpcm => fadpcm::block(block, plane),
            Self::WwiseIma => wwise_ima::block(block, plane),
            Self::PtadpcmShort | Self::PtadpcmLong => ptadpcm::block(block, plane),
        }
    }
}

impl BlockParams {
    /// Finds the blocks in `length` bytes at an offset of the payload. Of `stated` frames, those are believed that
    /// whole blocks hold; without a statement it is all of these. `channels` is at least 1.
    pub(super) fn new(
        coding: BlockCoding,
        channels: u16,
        mask: u32,
        (at, length): (u64, u64),
        stated: Option<u64>,
    ) -> Self {
        let round = coding.bytes().saturating_mul(channels.into());
        let rounds = length.checked_div(round).unwrap_or_default();
        let there = rounds.saturating_mul(coding.frames());
        let frames = stated.map_or(there, |stated| stated.min(there));
        Self { coding, channels, mask, at, frames }
    }

    /// Decodes all frames, more than two channels mixed down to two.
    ///
    /// # Errors
    /// If a block names what does not exist, or it takes more than is allowed.
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let rounds = |with: &mut RoundSink<'_>| self.each_round(reader, with);
        gather((self.channels, self.mask), (self.at, self.frames), budget, rounds)
    }

    /// Decodes a block of each channel, and hands out how many frames of them count, and their values by channel.
    fn each_round(
        &self,
        reader: &PayloadReader<'_>,
        mut with: impl FnMut(usize, &[Vec<i16>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let block = usize::try_from(self.coding.bytes()).unwrap_or(usize::MAX);
        let round = self.coding.bytes().saturating_mul(self.channels.into());
        let round_bytes = usize::try_from(round).unwrap_or(usize::MAX);
        let rounds = self.frames.div_ceil(self.coding.frames());
        let most = FETCHED.checked_div(round).unwrap_or_default().max(1);
        let mut planes = vec![Vec::new(); usize::from(self.channels)];
        let (mut bytes, mut done, mut left) = (Vec::new(), 0_u64, self.frames);
        while done < rounds {
            let fetched = most.min(rounds.saturating_sub(done));
            let mut at = self.at.saturating_add(done.saturating_mul(round));
            reader.read(at, fetched.saturating_mul(round), &mut bytes)?;
            for blocks in bytes.chunks_exact(round_bytes.max(1)) {
                for (plane, block) in planes.iter_mut().zip(blocks.chunks_exact(block.max(1))) {
                    plane.clear();
                    let decoded = self.coding.decode(block, plane);
                    decoded.ok_or_else(|| {
                        malformed(at, "an ADPCM block whose header names what does not exist")
                    })?;
                    at = at.saturating_add(self.coding.bytes());
                }
                let frames = left.min(self.coding.frames());
                with(usize::try_from(frames).unwrap_or(usize::MAX), &planes)?;
                left = left.saturating_sub(frames);
            }
            done = done.saturating_add(fetched);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use unreal::Memory;
    use unreal::ue1to3::bulk::Payload;

    use super::*;
    use crate::budget::WorkBudget;

    fn decode(params: &BlockParams, bytes: &[u8]) -> Result<Recording, Error> {
        let source = Memory(bytes);
        let payload = Payload::plain(0, bytes.len() as u64);
        let work = WorkBudget::of_file(0, None);
        let result = PayloadReader::open(&source, payload, &work, |reader| {
            Ok(params.decode(reader, &mut DecodeBudget::new(1 << 20, None)))
        });
        result.unwrap()
    }

    fn planes(recording: &Recording) -> Vec<Vec<i16>> {
        let Recording::I16(planes) = recording else { panic!("{recording:?}") };
        planes.iter().map(<[i16]>::to_vec).collect()
    }

    #[test]
    fn blocks_of_two_channels_alternate() {
        // Codes of no step: each block keeps to the values of its header.
        let block = |value: i16| {
            let mut block = vec![0x88; 0x24];
            block[..2].copy_from_slice(&value.to_le_bytes());
            block[2..4].copy_from_slice(&value.to_le_bytes());
            block[4] = 0;
            block
        };
        let bytes = [block(1), block(2), block(1), block(2)].concat();
        let params = BlockParams::new(BlockCoding::PtadpcmShort, 2, 0, (0, bytes.len() as u64), Some(100));
        assert_eq!(params.frames, 100);
        assert_eq!(planes(&decode(&params, &bytes).unwrap()), [vec![1; 100], vec![2; 100]]);
    }

    #[test]
    fn only_frames_of_whole_blocks_are_believed() {
        let params = |length, stated| BlockParams::new(BlockCoding::Fadpcm, 2, 0, (4, length), stated).frames;
        assert_eq!([params(0x117, None), params(0x118, None), params(0x118, Some(300))], [0, 256, 256]);
        assert_eq!(params(0x118, Some(100)), 100);
    }

    #[test]
    fn a_block_with_an_index_that_does_not_exist_is_an_error() {
        for (coding, at, index) in [(BlockCoding::WwiseIma, 2, 89), (BlockCoding::PtadpcmShort, 4, 13)] {
            let mut bytes = vec![0; 0x24];
            bytes[at] = index;
            let params = BlockParams::new(coding, 1, 0, (0, 0x24), None);
            assert!(decode(&params, &bytes).is_err(), "{coding:?}");
            bytes[at] = index - 1;
            assert!(decode(&params, &bytes).is_ok(), "{coding:?}");
        }
    }

    #[test]
    fn any_bytes_of_fadpcm_decode_to_as_many_frames_as_their_blocks_hold() {
        let bytes = [0xFF; 0x8C * 3];
        let params = BlockParams::new(BlockCoding::Fadpcm, 3, 0, (0, 0x8C * 3), None);
        assert_eq!(decode(&params, &bytes).unwrap().length().get(), 256);
    }

    #[test]
    fn blocks_of_platinum_are_of_two_sizes() {
        assert_eq!(BlockCoding::ptadpcm(0x24), Some(BlockCoding::PtadpcmShort));
        assert_eq!(BlockCoding::ptadpcm(0x104), Some(BlockCoding::PtadpcmLong));
        assert_eq!(BlockCoding::ptadpcm(0x48), None);
    }
}
