//! ADX of CRI: ADPCM in blocks of 18 bytes, one of each channel in turn.
//!
//! ```text
//! 0x8000, length │ type, block, bits, channels │ rate, frames │ cut-off, version │ history, loop │ (c)CRI ║ blocks
//! block: scale │ 32 numbers of four bits, the high one of a byte first
//! ```
//!
//! Big-endian. Source: *sound-banks*, §7.4; where loops and histories lie: *vgmstream*. No file seen.

#[cfg(test)]
mod tests;

use song::{Frames, Hz, LoopCount, LoopMode, LoopRange, Recording};

use super::plane_builder::{RoundSink, gather};
use super::{CodecParams, Described};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, Error, UnsupportedReason};

/// The end of the header.
const SIGNATURE: &[u8] = b"(c)CRI";
/// Bytes of a block, and frames in it.
const BLOCK: u64 = 18;
const BLOCK_FRAMES: u64 = 32;
/// The scale of the block after the last.
const END: u16 = 0x8001;
/// Bytes fetched at a time, at least one block of each channel.
const FETCHED: u64 = 1 << 16;

/// A stream as its header describes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AdxParams {
    at: u64,
    channels: u16,
    coefficients: [i32; 2],
    /// The last two values before the first block, by channel.
    history: Vec<[i16; 2]>,
    pub(super) frames: u64,
}

/// Returns a number of a header.
fn u16_at(head: &[u8], at: usize) -> Option<u16> {
    head.get(at..)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))
}

fn u32_at(head: &[u8], at: usize) -> Option<u32> {
    head.get(at..)?.first_chunk().map(|bytes| u32::from_be_bytes(*bytes))
}

/// Returns where the signature that ends a header is, by its first bytes; none if they begin no ADX.
fn signature_at(head: &[u8]) -> Option<u16> {
    u16_at(head, 0).filter(|magic| *magic == 0x8000).and(u16_at(head, 2))?.checked_sub(2)
}

/// Returns whether bytes begin ADX: its header, as long as it says, ends with a signature.
pub(crate) fn is_head(head: &[u8]) -> bool {
    let rest = signature_at(head).and_then(|at| head.get(usize::from(at)..));
    rest.is_some_and(|rest| rest.starts_with(SIGNATURE))
}

/// Returns whether a payload with these first bytes is ADX. Of its header only the signature is read.
///
/// # Errors
/// If it cannot be read.
pub(super) fn is_stream(reader: &PayloadReader<'_>, head: &[u8]) -> Result<bool, Damage> {
    let signature = signature_at(head).and_then(|at| reader.part(at.into(), SIGNATURE.len() as u64));
    signature.map_or(Ok(false), |part| Ok(part.head(part.length())? == SIGNATURE))
}

/// Describes a stream by its header.
///
/// # Errors
/// If the header contradicts itself, or the bytes cannot be read.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    const STANDARD: u8 = 3;
    const FOUR_BITS: u8 = 4;
    const ENCRYPTED: [u8; 2] = [8, 9];
    let start = reader.bytes(0, 4)?;
    let length = u64::from(u16_at(&start, 2).unwrap_or_default()).saturating_add(4);
    let head = reader.bytes(0, length)?;
    let [kind, block, bits, channels, r0, r1, r2, r3, f0, f1, f2, f3, c0, c1, version, flags] = *head
        .get(4..)
        .and_then(|fields| fields.first_chunk())
        .ok_or_else(|| malformed(0, "ADX: a short header"))?;
    let hz = u32::from_be_bytes([r0, r1, r2, r3]);
    let rate = Hz::new(hz).map_err(|_| malformed(8, format!("ADX: a rate of {hz} Hz")))?;
    if channels == 0 {
        return Err(malformed(7, "ADX: no channels"));
    }
    let channels = u16::from(channels);
    let stated = u64::from(u32::from_be_bytes([f0, f1, f2, f3]));
    let unsupported = if ENCRYPTED.contains(&flags) {
        Some("encrypted ADX is not decoded".to_owned())
    } else if kind != STANDARD || u64::from(block) != BLOCK || bits != FOUR_BITS {
        Some(format!("ADX of type {kind}, {bits} bits in blocks of {block} bytes, is not decoded"))
    } else {
        None
    };
    let round = BLOCK.saturating_mul(channels.into());
    let rounds = reader.length().saturating_sub(length).checked_div(round).unwrap_or_default();
    let there = rounds.saturating_mul(BLOCK_FRAMES);
    let frames = if unsupported.is_none() { stated.min(there) } else { stated };
    let mut repairs = Vec::new();
    if frames < stated {
        repairs.push(format!("{frames} of {stated} frames are there"));
    }
    let history_bytes = usize::from(channels).max(2).saturating_mul(4);
    let (history_at, loop_at) = match version {
        3 => (None, Some(0x14)),
        4 => (Some(0x18), Some(history_bytes.saturating_add(0x18))),
        _ => (None, None),
    };
    let loops = loop_at.and_then(|at| looped(&head, at, frames)).into_iter().collect();
    let audio = Audio { codec: Codec::Adx, rate, channels, bits: None, frames: Some(frames), loops };
    let history = (0..usize::from(channels)).map(|channel| {
        let at = history_at.map(|at: usize| at.saturating_add(channel.saturating_mul(4)));
        // What lies in the signature is no history.
        let at = at.filter(|at| at.saturating_add(10) <= head.len());
        let word = at.and_then(|at| u32_at(&head, at)).unwrap_or_default().to_be_bytes();
        let [a, b, c, d] = word;
        [i16::from_be_bytes([a, b]), i16::from_be_bytes([c, d])]
    });
    let coding = match unsupported {
        Some(reason) => Err(UnsupportedReason::Stream(reason)),
        None => Ok(CodecParams::Adx(AdxParams {
            at: length,
            channels,
            coefficients: coefficients(u16::from_be_bytes([c0, c1]), hz),
            history: history.collect(),
            frames,
        })),
    };
    Ok(Described { audio: Some(audio), coding, tuning: None, repairs, notes: Vec::new() })
}

/// Returns the loop whose fields begin at an offset of the header, as far as it lies inside the sound.
fn looped(head: &[u8], at: usize, frames: u64) -> Option<LoopRange> {
    let field = |offset: usize| u32_at(head, at.saturating_add(offset));
    // All of its fields lie before the signature. Where its flag would be, notes of the encoder may begin instead.
    let has_room = at.saturating_add(0x18).saturating_add(SIGNATURE.len()) <= head.len();
    let flag = field(4)?;
    if !has_room || flag == 0 || flag == u32::from_be_bytes(*b"AINF") {
        return None;
    }
    let (start, end) = (u64::from(field(8)?), u64::from(field(0x10)?));
    let [start, end, all] = [start, end.min(frames), frames].map(Frames::new);
    LoopRange::new(start, end, all, LoopMode::Forward, LoopCount::Forever).ok()
}

/// Returns the coefficients of the last value and the one before, in 1/4096.
#[expect(clippy::cast_possible_truncation, reason = "between -2 and 2, times 4096")]
fn coefficients(cut_off: u16, rate: u32) -> [i32; 2] {
    let z = (std::f64::consts::TAU * f64::from(cut_off) / f64::from(rate.max(1))).cos();
    let a = std::f64::consts::SQRT_2 - z;
    let b = std::f64::consts::SQRT_2 - 1.0;
    let c = (a - ((a + b) * (a - b)).max(0.0).sqrt()) / b;
    [(c * 8192.0) as i32, (c * c * -4096.0) as i32]
}

impl AdxParams {
    /// Decodes all frames, more than two channels mixed down to two.
    ///
    /// # Errors
    /// If the bytes cannot be read, or it takes more than is allowed.
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let rounds = |with: &mut RoundSink<'_>| self.each_round(reader, with);
        gather((self.channels, 0), (self.at, self.frames), budget, rounds)
    }

    /// Decodes a block of each channel, and hands out how many frames of them count, and their values by channel.
    fn each_round(
        &self,
        reader: &PayloadReader<'_>,
        mut with: impl FnMut(usize, &[Vec<i16>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let block = usize::try_from(BLOCK).unwrap_or(1);
        let round = BLOCK.saturating_mul(self.channels.into()).max(1);
        let round_bytes = usize::try_from(round).unwrap_or(usize::MAX);
        let rounds = self.frames.div_ceil(BLOCK_FRAMES);
        let most = FETCHED.checked_div(round).unwrap_or_default().max(1);
        let mut planes = vec![Vec::new(); usize::from(self.channels)];
        let mut history: Vec<[i32; 2]> = self.history.iter().map(|last| last.map(i32::from)).collect();
        let (mut bytes, mut done, mut left) = (Vec::new(), 0_u64, self.frames);
        while done < rounds {
            let fetched = most.min(rounds.saturating_sub(done));
            let at = self.at.saturating_add(done.saturating_mul(round));
            reader.read(at, fetched.saturating_mul(round), &mut bytes)?;
            for blocks in bytes.chunks_exact(round_bytes) {
                if u16_at(blocks, 0) == Some(END) {
                    return Ok(());
                }
                let channels = planes.iter_mut().zip(&mut history).zip(blocks.chunks_exact(block));
                for ((plane, last), block) in channels {
                    plane.clear();
                    self.block(block, last, plane);
                }
                let frames = left.min(BLOCK_FRAMES);
                with(usize::try_from(frames).unwrap_or(usize::MAX), &planes)?;
                left = left.saturating_sub(frames);
            }
            done = done.saturating_add(fetched);
        }
        Ok(())
    }

    /// Decodes a block of one channel.
    fn block(&self, block: &[u8], last: &mut [i32; 2], plane: &mut Vec<i16>) {
        let Some((scale, codes)) = block.split_first_chunk::<2>() else { return };
        let scale = i32::from(u16::from_be_bytes(*scale)).saturating_add(1);
        let [first, second] = self.coefficients;
        for code in codes.iter().flat_map(|byte| [byte >> 4, byte & 0xF]) {
            let code = i32::from(code);
            let code = if code < 8 { code } else { code.saturating_sub(16) };
            let [previous, before] = *last;
            let predicted =
                (first.saturating_mul(previous) >> 12).saturating_add(second.saturating_mul(before) >> 12);
            let value = code.saturating_mul(scale).saturating_add(predicted);
            let value = value.clamp(i16::MIN.into(), i16::MAX.into());
            plane.push(i16::try_from(value).unwrap_or_default());
            *last = [value, previous];
        }
    }
}
