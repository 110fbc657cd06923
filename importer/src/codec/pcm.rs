//! Uncompressed values, little-endian, channels interleaved.

use dasp_sample::Sample as _;
use song::{Planes, Recording, Width};

use super::Allowance;
use super::growing::Growing;
use crate::error::malformed;
use crate::window::Window;
use crate::{Codec, Error};

/// How one value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    U8,
    S16,
    S24,
    S32,
    F32,
    F64,
}

/// Where the values lie in a payload, and how many there are. The bytes are known to be inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) coding: Coding,
    pub(crate) channels: u16,
    /// Offset of the first value in the payload.
    pub(crate) at: u64,
    pub(crate) frames: u64,
}

impl Coding {
    /// Integers, by the bytes each takes.
    pub(crate) const fn integer(bytes: u16) -> Option<Self> {
        match bytes {
            1 => Some(Self::U8),
            2 => Some(Self::S16),
            3 => Some(Self::S24),
            4 => Some(Self::S32),
            _ => None,
        }
    }

    /// Floats, by the bytes each takes.
    pub(crate) const fn float(bytes: u16) -> Option<Self> {
        match bytes {
            4 => Some(Self::F32),
            8 => Some(Self::F64),
            _ => None,
        }
    }

    const fn bytes(self) -> u16 {
        self.width().bits().div_ceil(8)
    }

    pub(crate) const fn width(self) -> Width {
        match self {
            Self::U8 => Width::Eight,
            Self::S16 => Width::Sixteen,
            Self::S24 => Width::TwentyFour,
            Self::S32 => Width::ThirtyTwo,
            Self::F32 => Width::Float,
            Self::F64 => Width::Double,
        }
    }

    pub(crate) const fn codec(self) -> Codec {
        match self {
            Self::U8 => Codec::PcmU8,
            Self::S16 => Codec::PcmS16,
            Self::S24 => Codec::PcmS24,
            Self::S32 => Codec::PcmS32,
            Self::F32 => Codec::PcmF32,
            Self::F64 => Codec::PcmF64,
        }
    }
}

impl Layout {
    /// Decodes all frames. Integers up to 16 bits become i16, all others f32; a float that is no number becomes 0.
    pub(crate) fn decode(&self, window: &Window<'_>, allowance: &mut Allowance) -> Result<Recording, Error> {
        match self.coding {
            Coding::U8 => {
                self.planes(window, allowance, |[x]: [u8; 1]| x.to_sample::<i16>()).map(Recording::I16)
            }
            Coding::S16 => self.planes(window, allowance, i16::from_le_bytes).map(Recording::I16),
            // The upper three bytes of 32: the same value at full scale, and float holds all 24 bits.
            Coding::S24 => {
                let value = |[a, b, c]: [u8; 3]| i32::from_le_bytes([0, a, b, c]).to_sample::<f32>();
                self.planes(window, allowance, value).map(Recording::F32)
            }
            Coding::S32 => {
                let value = |x| i32::from_le_bytes(x).to_sample::<f32>();
                self.planes(window, allowance, value).map(Recording::F32)
            }
            Coding::F32 => {
                self.planes(window, allowance, |x| finite(f32::from_le_bytes(x))).map(Recording::F32)
            }
            Coding::F64 => {
                let value = |x| finite(f64::from_le_bytes(x).to_sample::<f32>());
                self.planes(window, allowance, value).map(Recording::F32)
            }
        }
    }

    /// Reads a block of frames at a time, so that little more than the decoded frames is ever held.
    fn planes<T, const BYTES: usize>(
        &self,
        window: &Window<'_>,
        allowance: &mut Allowance,
        value: impl Fn([u8; BYTES]) -> T,
    ) -> Result<Planes<T>, Error> {
        const BLOCK: u64 = 1 << 14;
        let frames = usize::try_from(self.frames)
            .map_err(|_| malformed(self.at, "more frames than memory has addresses"))?;
        let frame_bytes = u64::from(self.coding.bytes()).saturating_mul(u64::from(self.channels));
        let channels = usize::from(self.channels);
        let mut growing = Growing::new(channels, Some(self.frames), allowance);
        growing.make_room(frames)?;
        let mut done = 0;
        while done < self.frames {
            let block = BLOCK.min(self.frames.saturating_sub(done));
            let at = self.at.saturating_add(done.saturating_mul(frame_bytes));
            let bytes = window.bytes(at, block.saturating_mul(frame_bytes))?;
            let (values, _) = bytes.as_chunks::<BYTES>();
            for frame in values.chunks_exact(channels) {
                for (plane, bytes) in growing.planes().iter_mut().zip(frame) {
                    plane.push(value(*bytes));
                }
            }
            done = done.saturating_add(block);
        }
        growing.finish(self.at)
    }
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
