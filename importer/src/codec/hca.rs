//! HCA of CRI: blocks of one size, 1024 frames each.
//!
//! ```text
//! HCA, version, size │ fmt │ comp or dec │ vbr, ath, loop, ciph, rva, comm: as needed │ checksum ║ block │ block │ …
//! ```
//!
//! The header is read and checked here, and frames are decoded by *cridecoder*. That indexes by the numbers of the
//! header, so that what it would not hold is refused before.
//!
//! Source: *sound-banks*, §7.4.

mod header;
#[cfg(test)]
mod tests;

use cridecoder::hca::ClHca;
use song::{Frames, Hz, LoopCount, LoopMode, LoopRange, Recording};

use super::mix::Matrix;
use super::plane_builder::PlaneBuilder;
use super::{CodecParams, Described};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, Error, Status, UnsupportedReason};
use header::{Cipher, Header};

/// Frames of a block.
const BLOCK_FRAMES: u64 = 1024;
/// Blocks by which a key is tried.
const TRIED: u64 = 8;
/// Blocks that are looked at until as many are not silent.
const MAX_LOOKED_AT: u64 = 256;
/// Bytes fetched at a time, at least one block.
const FETCHED: u64 = 1 << 16;

/// A stream as its header describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HcaParams {
    header: Header,
    key: u64,
    /// Blocks that are there.
    blocks: u64,
    pub(super) frames: u64,
}

/// Returns whether bytes begin HCA, the letters with or without their highest bits.
pub(crate) fn is_head(head: &[u8]) -> bool {
    head.first_chunk::<4>().is_some_and(|tag| tag.map(|byte| byte & 0x7F) == *b"HCA\0")
}

/// Describes a stream by its header. The key is that of its archive.
///
/// # Errors
/// If the header contradicts itself, or the bytes cannot be read.
pub(super) fn describe(reader: &PayloadReader<'_>, key: Option<u64>) -> Result<Described, Damage> {
    let header = match header::read(reader)? {
        Ok(header) => header,
        Err(reason) => return Ok(Described::unknown(reason)),
    };
    let rate =
        Hz::new(header.rate).map_err(|_| malformed(0, format!("HCA: a rate of {} Hz", header.rate)))?;
    let stated = header.frames();
    let there = reader.length().saturating_sub(header.length.into());
    let blocks = there.checked_div(header.block.into()).unwrap_or_default().min(header.blocks.into());
    let decoded = blocks.saturating_mul(BLOCK_FRAMES).saturating_sub(header.delay.into());
    let frames = stated.min(decoded);
    let mut repairs = Vec::new();
    if frames < stated {
        repairs.push(format!("{frames} of {stated} frames are there"));
    }
    let loops = header.loop_range().and_then(|(start, end)| {
        let [start, end, all] = [start, end.min(frames), frames].map(Frames::new);
        LoopRange::new(start, end, all, LoopMode::Forward, LoopCount::Forever).ok()
    });
    let loops = loops.into_iter().collect();
    let (codec, channels) = (Codec::Hca, header.channels);
    let audio = Some(Audio { codec, rate, channels, bits: None, frames: Some(frames), loops });
    let is_encrypted = header.cipher == Cipher::Key;
    let params = HcaParams { header, key: key.unwrap_or_default(), blocks, frames };
    let coding = match (is_encrypted, key) {
        (true, None) => Err(UnsupportedReason::Encrypted { codec, has_key: false }),
        (true, Some(_)) if !params.opens(reader)? => {
            Err(UnsupportedReason::Encrypted { codec, has_key: true })
        }
        _ => Ok(CodecParams::Hca(params)),
    };
    Ok(Described { audio, coding, tuning: None, repairs, notes: Vec::new() })
}

/// Blocks decoded on trial: with a wrong key, values end elsewhere than blocks do. Silence is the same with every key.
struct KeyTrial {
    /// A decoder that decodes nothing else: blocks of some versions depend on those before.
    decoder: Box<ClHca>,
    /// Blocks that were not silent.
    tried: u64,
}

impl KeyTrial {
    fn new(decoder: Box<ClHca>) -> Self {
        Self { decoder, tried: 0 }
    }

    /// Returns whether bytes are a block, decrypted in place.
    fn accepts(&mut self, block: &mut [u8]) -> bool {
        match unreal::guarded(|| self.decoder.test_block(block)) {
            Some(0) => true,
            Some(1..) => {
                self.tried = self.tried.saturating_add(1);
                true
            }
            _ => false,
        }
    }

    /// Returns whether enough blocks were not silent to trust the key.
    const fn is_over(&self) -> bool {
        self.tried >= TRIED
    }
}

impl HcaParams {
    /// Returns a decoder that has read the header.
    fn decoder(&self, reader: &PayloadReader<'_>) -> Result<Box<ClHca>, Damage> {
        let bytes = reader.bytes(0, self.header.length.into())?;
        let decoder = unreal::guarded(|| {
            let mut decoder = Box::new(ClHca::new());
            decoder.decode_header(&bytes).ok()?;
            decoder.set_key(self.key);
            Some(decoder)
        });
        decoder.flatten().ok_or_else(|| malformed(0, "HCA: header rejected by the decoder"))
    }

    /// Returns where a block begins.
    fn at(&self, block: u64) -> u64 {
        u64::from(self.header.length).saturating_add(block.saturating_mul(self.header.block.into()))
    }

    /// Returns whether the key opens the stream, as far as its first blocks tell.
    fn opens(&self, reader: &PayloadReader<'_>) -> Result<bool, Damage> {
        let mut trial = KeyTrial::new(self.decoder(reader)?);
        let mut bytes = Vec::new();
        for block in 0..self.blocks.min(MAX_LOOKED_AT) {
            reader.read(self.at(block), self.header.block.into(), &mut bytes)?;
            if !trial.accepts(&mut bytes) {
                return Ok(false);
            }
            if trial.is_over() {
                break;
            }
        }
        Ok(true)
    }

    /// Decodes all frames but those of the delay and the padding, more than two channels mixed down to two.
    ///
    /// # Errors
    /// If a block is damaged, or it takes more than is allowed.
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let channels = usize::from(self.header.channels);
        let matrix = (channels > 2).then(|| Matrix::of(self.header.channels, 0));
        let mut planes = PlaneBuilder::new(channels.min(2), Some(self.frames), budget);
        let mut skipped = u64::from(self.header.delay);
        self.each_block(reader, |values| {
            let mixed: Vec<f32>;
            let values = match &matrix {
                Some(matrix) => {
                    let frames = values.chunks_exact(channels);
                    mixed = frames.flat_map(|frame| matrix.mix(frame.iter().copied())).collect();
                    &mixed[..]
                }
                None => values,
            };
            planes.extend_within(values, &mut skipped, self.frames, |value| value)
        })?;
        planes.finish(0).map(Recording::F32)
    }

    /// Decodes each block that counts, and hands out its interleaved values.
    fn each_block(
        &self,
        reader: &PayloadReader<'_>,
        mut with: impl FnMut(&[f32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut decoder = self.decoder(reader)?;
        // A stream may be silent for longer than its description looks at it.
        let is_locked = self.header.cipher == Cipher::Key;
        let mut trial = is_locked.then(|| self.decoder(reader).map(KeyTrial::new)).transpose()?;
        let mut tried = Vec::new();
        let size = u64::from(self.header.block).max(1);
        let size_of_block = usize::from(self.header.block).max(1);
        let most = FETCHED.checked_div(size).unwrap_or_default().max(1);
        let per_block = usize::try_from(BLOCK_FRAMES).unwrap_or_default();
        let mut values = vec![0.0; per_block.saturating_mul(self.header.channels.into())];
        let (mut bytes, mut done) = (Vec::new(), 0_u64);
        while done < self.blocks {
            let fetched = most.min(self.blocks.saturating_sub(done));
            reader.read(self.at(done), fetched.saturating_mul(size), &mut bytes)?;
            for (block, number) in bytes.chunks_exact_mut(size_of_block).zip(done..) {
                if let Some(trial) = trial.as_mut().filter(|trial| !trial.is_over()) {
                    tried.clear();
                    tried.extend_from_slice(block);
                    if !trial.accepts(&mut tried) {
                        let reason = UnsupportedReason::Encrypted { codec: Codec::Hca, has_key: true };
                        return Err(Error::Sound(Status::Unsupported(reason)));
                    }
                }
                let is_block = unreal::guarded(|| {
                    decoder.decode_block(block).ok()?;
                    decoder.read_samples(&mut values);
                    Some(())
                });
                if is_block.flatten().is_none() {
                    return Err(malformed(self.at(number), "HCA: damaged block").into());
                }
                with(&values)?;
            }
            done = done.saturating_add(fetched);
        }
        Ok(())
    }
}
