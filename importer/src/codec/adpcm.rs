//! ADPCM in WAVE: blocks of equal size, each of which can be decoded alone.
//!
//! ```text
//! block:  header per channel │ codes of four bits, channels interleaved
//! ```
//!
//! The last block may be cut off; what is whole of it is decoded.

mod ima;
mod ms;

pub(super) use ms::PAIRS;

use song::Recording;

use super::growing::{Allowance, Growing};
use crate::error::malformed;
use crate::window::Window;
use crate::{Codec, Error};

/// How codes become values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Ima,
    /// With the pairs of coefficients that the predictors stand for.
    Ms(Vec<(i16, i16)>),
}

/// Where the blocks lie in a payload, and how many frames are in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    method: Method,
    channels: u16,
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

impl Layout {
    /// Blocks in `length` bytes from `at` on. `stated_frames` is what the header says of a block's frames; fewer than
    /// its bytes can hold are believed.
    ///
    /// # Errors
    /// If the blocks are too small for their headers, or have other than one or two channels.
    pub(super) fn new(
        method: Method,
        channels: u16,
        block: u16,
        stated_frames: u16,
        at: u64,
        length: u64,
    ) -> Result<Self, String> {
        let name = method.codec().name();
        if !matches!(channels, 1 | 2) {
            return Err(format!("{name} of {channels} channels; mono and stereo are decoded"));
        }
        let block = u64::from(block);
        let fit = method.frames_in(block, channels);
        if fit == 0 {
            return Err(format!("{name} in blocks of {block} bytes, which are too small"));
        }
        let block_frames = match u64::from(stated_frames) {
            0 => fit,
            stated => stated.min(fit),
        };
        let whole = length.checked_div(block).unwrap_or_default().saturating_mul(block_frames);
        let rest = length.checked_rem(block).unwrap_or_default();
        let frames = whole.saturating_add(method.frames_in(rest, channels).min(block_frames));
        Ok(Self { method, channels, block, block_frames, at, length, frames })
    }

    pub(super) fn decode(&self, window: &Window<'_>, allowance: &mut Allowance) -> Result<Recording, Error> {
        let mut growing = Growing::new(usize::from(self.channels), Some(self.frames), allowance);
        let blocks = FETCHED.checked_div(self.block).unwrap_or_default().max(1);
        let fetched = blocks.saturating_mul(self.block);
        let block_bytes = usize::try_from(self.block).unwrap_or(usize::MAX).max(1);
        let mut done: u64 = 0;
        while done < self.length {
            let mut at = self.at.saturating_add(done);
            let bytes = window.bytes(at, fetched.min(self.length.saturating_sub(done)))?;
            for block in bytes.chunks(block_bytes) {
                self.block(block, at, &mut growing)?;
                at = at.saturating_add(self.block);
            }
            done = done.saturating_add(fetched);
        }
        growing.truncate(self.frames);
        growing.finish(self.at).map(Recording::I16)
    }

    /// A block that is too short even for its header holds nothing.
    fn block(&self, block: &[u8], at: u64, growing: &mut Growing<'_, i16>) -> Result<(), Error> {
        let before = u64::try_from(growing.length()).unwrap_or(u64::MAX);
        let length = u64::try_from(block.len()).unwrap_or(u64::MAX);
        let frames = self.method.frames_in(length, self.channels);
        growing.make_room(usize::try_from(frames).unwrap_or(usize::MAX))?;
        let decoded = match (&self.method, growing.planes()) {
            (_, _) if frames == 0 => Some(()),
            (Method::Ima, [mono]) => ima::mono(block, mono),
            (Method::Ima, [left, right]) => ima::stereo(block, left, right),
            (Method::Ms(pairs), [mono]) => ms::mono(block, pairs, mono),
            (Method::Ms(pairs), [left, right]) => ms::stereo(block, pairs, left, right),
            (_, _) => None,
        };
        growing.truncate(before.saturating_add(self.block_frames));
        decoded.ok_or_else(|| malformed(at, "an ADPCM block whose header names what does not exist").into())
    }
}

impl Method {
    pub(super) const fn codec(&self) -> Codec {
        match self {
            Self::Ima => Codec::AdpcmIma,
            Self::Ms(_) => Codec::AdpcmMs,
        }
    }

    /// Frames in a block of so many bytes; 0 if it is too short for its header.
    fn frames_in(&self, bytes: u64, channels: u16) -> u64 {
        let (header, first) = match self {
            Self::Ima => (ima::HEADER, ima::IN_HEADER),
            Self::Ms(_) => (ms::HEADER, ms::IN_HEADER),
        };
        let Some(codes) = bytes.checked_sub(header.saturating_mul(u64::from(channels))) else { return 0 };
        let frames = match (self, channels) {
            (_, 1) => codes.saturating_mul(2),
            // Eight codes of one channel, then eight of the other.
            (Self::Ima, _) => codes & !7,
            // A code of each in every byte.
            (Self::Ms(_), _) => codes,
        };
        frames.saturating_add(first)
    }
}

/// The lower and the upper four bits of a byte.
const fn codes(byte: u8) -> (u8, u8) {
    (byte & 15, byte >> 4)
}

/// The nearest value that 16 bits hold.
fn saturated(value: i32) -> i16 {
    let held = value.clamp(i16::MIN.into(), i16::MAX.into());
    i16::try_from(held).unwrap_or_default()
}
