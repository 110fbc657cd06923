//! Uncompressed values, channels interleaved.

use dasp_sample::Sample as _;
use song::{Planes, Recording, Width};

use super::mix::Matrix;
use super::plane_builder::PlaneBuilder;
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Codec, Error};

/// How one value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PcmCoding {
    U8,
    S8,
    S16,
    S24,
    S32,
    F32,
    F64,
}

/// Which byte of a value comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

/// Where the values lie in a payload, and how many there are. The bytes are known to be inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PcmParams {
    pub(crate) coding: PcmCoding,
    pub(crate) order: ByteOrder,
    pub(crate) channels: u16,
    /// Which speakers the channels are for, in a file of more than two.
    pub(crate) mask: u32,
    /// Offset of the first value in the payload.
    pub(crate) at: u64,
    pub(crate) frames: u64,
}

impl PcmCoding {
    /// Returns the integers, by the bytes each takes.
    pub(crate) const fn integer(bytes: u16) -> Option<Self> {
        match bytes {
            1 => Some(Self::U8),
            2 => Some(Self::S16),
            3 => Some(Self::S24),
            4 => Some(Self::S32),
            _ => None,
        }
    }

    /// Returns the floats, by the bytes each takes.
    pub(crate) const fn float(bytes: u16) -> Option<Self> {
        match bytes {
            4 => Some(Self::F32),
            8 => Some(Self::F64),
            _ => None,
        }
    }

    pub(crate) const fn bytes(self) -> u16 {
        self.width().bits().div_ceil(8)
    }

    pub(crate) const fn width(self) -> Width {
        match self {
            Self::U8 | Self::S8 => Width::Eight,
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
            Self::S8 => Codec::PcmS8,
            Self::S16 => Codec::PcmS16,
            Self::S24 => Codec::PcmS24,
            Self::S32 => Codec::PcmS32,
            Self::F32 => Codec::PcmF32,
            Self::F64 => Codec::PcmF64,
        }
    }
}

impl PcmParams {
    /// Decodes all frames, more than two channels mixed down to two. Integers up to 16 bits become i16, all others f32;
    /// a float that is no number becomes 0.
    pub(crate) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        use ByteOrder::{Big, Little};
        // The upper three bytes of 32: the same value at full scale, and float holds all 24 bits.
        match (self.coding, self.order) {
            (PcmCoding::U8, _) => self.integers(reader, budget, |[x]: [u8; 1]| x.to_sample::<i16>()),
            (PcmCoding::S8, _) => self.integers(reader, budget, |x| i8::from_le_bytes(x).to_sample()),
            (PcmCoding::S16, Little) => self.integers(reader, budget, i16::from_le_bytes),
            (PcmCoding::S16, Big) => self.integers(reader, budget, i16::from_be_bytes),
            (PcmCoding::S24, Little) => {
                self.floats(reader, budget, |[a, b, c]| i32::from_le_bytes([0, a, b, c]).to_sample())
            }
            (PcmCoding::S24, Big) => {
                self.floats(reader, budget, |[a, b, c]| i32::from_be_bytes([a, b, c, 0]).to_sample())
            }
            (PcmCoding::S32, Little) => self.floats(reader, budget, |x| i32::from_le_bytes(x).to_sample()),
            (PcmCoding::S32, Big) => self.floats(reader, budget, |x| i32::from_be_bytes(x).to_sample()),
            (PcmCoding::F32, Little) => self.floats(reader, budget, |x| finite(f32::from_le_bytes(x))),
            (PcmCoding::F32, Big) => self.floats(reader, budget, |x| finite(f32::from_be_bytes(x))),
            (PcmCoding::F64, Little) => {
                self.floats(reader, budget, |x| finite(f64::from_le_bytes(x).to_sample()))
            }
            (PcmCoding::F64, Big) => {
                self.floats(reader, budget, |x| finite(f64::from_be_bytes(x).to_sample()))
            }
        }
    }

    fn integers<const BYTES: usize>(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
        value: impl Fn([u8; BYTES]) -> i16,
    ) -> Result<Recording, Error> {
        if self.channels > 2 {
            return self.mixed(reader, budget, |bytes| value(bytes).to_sample());
        }
        self.planes(reader, budget, value).map(Recording::I16)
    }

    fn floats<const BYTES: usize>(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
        value: impl Fn([u8; BYTES]) -> f32,
    ) -> Result<Recording, Error> {
        if self.channels > 2 {
            return self.mixed(reader, budget, value);
        }
        self.planes(reader, budget, value).map(Recording::F32)
    }

    fn mixed<const BYTES: usize>(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
        value: impl Fn([u8; BYTES]) -> f32,
    ) -> Result<Recording, Error> {
        let matrix = Matrix::of(self.channels, self.mask);
        let mut planes = PlaneBuilder::new(2, Some(self.frames), budget);
        planes.make_room(self.whole_frames()?)?;
        self.each_block(reader, |values: &[[u8; BYTES]]| {
            for frame in values.chunks_exact(usize::from(self.channels)) {
                let mixed = matrix.mix(frame.iter().map(|bytes| value(*bytes)));
                for (plane, value) in planes.planes().iter_mut().zip(mixed) {
                    plane.push(value);
                }
            }
        })?;
        planes.finish(self.at).map(Recording::F32)
    }

    fn planes<T, const BYTES: usize>(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
        value: impl Fn([u8; BYTES]) -> T,
    ) -> Result<Planes<T>, Error> {
        let mut planes = PlaneBuilder::new(usize::from(self.channels), Some(self.frames), budget);
        planes.make_room(self.whole_frames()?)?;
        // A plane at a time, which the compiler makes vectors of: several times as fast as frame by frame.
        self.each_block(reader, |values| match planes.planes() {
            [left, right] => {
                let (frames, _) = values.as_chunks::<2>();
                left.extend(frames.iter().map(|[left, _]| value(*left)));
                right.extend(frames.iter().map(|[_, right]| value(*right)));
            }
            planes => planes.iter_mut().for_each(|plane| plane.extend(values.iter().map(|v| value(*v)))),
        })?;
        planes.finish(self.at)
    }

    fn whole_frames(&self) -> Result<usize, Error> {
        let too_many = || malformed(self.at, "more frames than fit into the address space");
        Ok(usize::try_from(self.frames).map_err(|_| too_many())?)
    }

    /// Reads a block of whole frames at a time, so that little more than the decoded frames is ever held.
    fn each_block<const BYTES: usize>(
        &self,
        reader: &PayloadReader<'_>,
        mut with: impl FnMut(&[[u8; BYTES]]),
    ) -> Result<(), Error> {
        const BLOCK: u64 = 1 << 15;
        let frame_bytes = u64::from(self.coding.bytes()).saturating_mul(u64::from(self.channels));
        let most = BLOCK.checked_div(frame_bytes).unwrap_or_default().max(1);
        let mut bytes = Vec::new();
        let mut done = 0;
        while done < self.frames {
            let block = most.min(self.frames.saturating_sub(done));
            let at = self.at.saturating_add(done.saturating_mul(frame_bytes));
            reader.read(at, block.saturating_mul(frame_bytes), &mut bytes)?;
            with(bytes.as_chunks::<BYTES>().0);
            done = done.saturating_add(block);
        }
        Ok(())
    }
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
