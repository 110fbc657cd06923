//! Samples that are stored value by value: left block, then right block.

use std::fmt;

use song::Planes;

use super::file::ModuleReader;
use crate::Error;

/// The frames of a sample: signed, as wide as they are stored.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredFrames {
    /// 8-bit values.
    I8(Planes<i8>),
    /// 16-bit values.
    I16(Planes<i16>),
}

impl StoredFrames {
    /// Returns the number of frames per channel, at least one.
    #[must_use]
    pub fn length(&self) -> u64 {
        match self {
            Self::I8(planes) => planes.length().get(),
            Self::I16(planes) => planes.length().get(),
        }
    }

    /// Returns how many channels: 1 or 2.
    #[must_use]
    pub fn channels(&self) -> usize {
        match self {
            Self::I8(planes) => planes.channels(),
            Self::I16(planes) => planes.channels(),
        }
    }

    /// None of planes without frames. A second plane that is shorter or longer is made up with zeros.
    pub(super) fn of_i8(planes: Vec<Vec<i8>>) -> Option<Self> {
        Planes::new(levelled(planes)).ok().map(Self::I8)
    }

    /// As [`StoredFrames::of_i8`].
    pub(super) fn of_i16(planes: Vec<Vec<i16>>) -> Option<Self> {
        Planes::new(levelled(planes)).ok().map(Self::I16)
    }
}

fn levelled<T: Clone + Default>(mut planes: Vec<Vec<T>>) -> Vec<Vec<T>> {
    let longest = planes.iter().map(Vec::len).max().unwrap_or(0);
    planes.iter_mut().for_each(|plane| plane.resize(longest, T::default()));
    planes
}

/// Whether values are differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Delta {
    #[default]
    None,
    /// Each to the one before.
    Values,
    /// Each byte to the byte before, whatever value it belongs to.
    Bytes,
}

/// How values are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StoredPcm {
    /// 16 bits instead of 8.
    pub(super) wide: bool,
    pub(super) stereo: bool,
    pub(super) unsigned: bool,
    pub(super) big_endian: bool,
    pub(super) delta: Delta,
}

impl StoredPcm {
    pub(super) const fn channels(self) -> usize {
        if self.stereo { 2 } else { 1 }
    }

    pub(super) const fn value_bytes(self) -> usize {
        if self.wide { 2 } else { 1 }
    }

    /// Returns the number of bytes that so many frames take.
    pub(super) const fn bytes(self, frames: usize) -> usize {
        frames.saturating_mul(self.value_bytes()).saturating_mul(self.channels())
    }
}

/// Decodes so many frames from an offset on; if the file has fewer, those, and says so.
pub(super) fn decode(
    file: &mut ModuleReader<'_>,
    at: usize,
    frames: usize,
    layout: StoredPcm,
    who: fmt::Arguments<'_>,
) -> Result<Option<StoredFrames>, Error> {
    if !file.has_frames() {
        return Ok(None);
    }
    let plane_bytes = frames.saturating_mul(layout.value_bytes());
    let stored = file.from(at);
    let left = stored.get(..plane_bytes).unwrap_or(stored);
    let right = stored.get(left.len()..).unwrap_or_default();
    let right = right.get(..plane_bytes).unwrap_or(right);
    let there = left.len().checked_div(layout.value_bytes()).unwrap_or(0);
    if left.len() < plane_bytes || (layout.stereo && right.len() < plane_bytes) {
        file.repair(at, who, format_args!("ends with the file: {there} of {frames} frames"));
    }
    file.pay_frames(layout.bytes(there))?;
    let planes = [left, right].into_iter().take(layout.channels());
    Ok(if layout.wide {
        StoredFrames::of_i16(planes.map(|bytes| wide_values(bytes, layout)).collect())
    } else {
        StoredFrames::of_i8(planes.map(|bytes| values(bytes, layout)).collect())
    })
}

fn values(bytes: &[u8], layout: StoredPcm) -> Vec<i8> {
    let flip = if layout.unsigned { 0x80 } else { 0 };
    let value = |byte: u8| i8::from_le_bytes([byte ^ flip]);
    if layout.delta == Delta::None {
        return bytes.iter().map(|byte| value(*byte)).collect();
    }
    let mut running = 0_u8;
    let summed = bytes.iter().map(|byte| {
        running = running.wrapping_add(*byte);
        value(running)
    });
    summed.collect()
}

fn wide_values(bytes: &[u8], layout: StoredPcm) -> Vec<i16> {
    // Two functions, for a pointer to one would be called for each value.
    if layout.big_endian {
        ordered_values(bytes, layout, u16::from_be_bytes)
    } else {
        ordered_values(bytes, layout, u16::from_le_bytes)
    }
}

fn ordered_values(bytes: &[u8], layout: StoredPcm, order: impl Fn([u8; 2]) -> u16) -> Vec<i16> {
    let flip = if layout.unsigned { 0x8000 } else { 0 };
    let value = |word: u16| i16::from_le_bytes((word ^ flip).to_le_bytes());
    let (words, _) = bytes.as_chunks::<2>();
    match layout.delta {
        Delta::None => words.iter().map(|word| value(order(*word))).collect(),
        Delta::Values => {
            let mut running = 0_u16;
            let summed = words.iter().map(|word| {
                running = running.wrapping_add(order(*word));
                value(running)
            });
            summed.collect()
        }
        Delta::Bytes => {
            let mut running = 0_u8;
            let mut next = |byte: u8| {
                running = running.wrapping_add(byte);
                running
            };
            words.iter().map(|[first, second]| value(order([next(*first), next(*second)]))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModuleBudget;

    fn decoded(bytes: &[u8], frames: usize, layout: StoredPcm) -> (Option<StoredFrames>, usize) {
        let mut file = ModuleReader::new(bytes, ModuleBudget::default());
        let frames = decode(&mut file, 0, frames, layout, format_args!("sample 1")).unwrap();
        (frames, file.into_repairs().len())
    }

    fn bytes(planes: &[&[i8]]) -> Option<StoredFrames> {
        StoredFrames::of_i8(planes.iter().map(|plane| plane.to_vec()).collect())
    }

    fn words(planes: &[&[i16]]) -> Option<StoredFrames> {
        StoredFrames::of_i16(planes.iter().map(|plane| plane.to_vec()).collect())
    }

    #[test]
    fn values_may_be_signed_unsigned_and_differences() {
        let plain = StoredPcm::default();
        assert_eq!(decoded(&[1, 2, 255], 3, plain), (bytes(&[&[1, 2, -1]]), 0));
        let unsigned = StoredPcm { unsigned: true, ..plain };
        assert_eq!(decoded(&[0, 128, 255], 3, unsigned), (bytes(&[&[-128, 0, 127]]), 0));
        let delta = StoredPcm { delta: Delta::Values, ..plain };
        assert_eq!(decoded(&[100, 100, 1], 3, delta), (bytes(&[&[100, -56, -55]]), 0));
    }

    #[test]
    fn wide_values_may_have_either_end_first() {
        let plain = StoredPcm { wide: true, ..StoredPcm::default() };
        assert_eq!(decoded(&[1, 2, 255, 255], 2, plain), (words(&[&[0x201, -1]]), 0));
        let big_endian = StoredPcm { big_endian: true, ..plain };
        assert_eq!(decoded(&[1, 2], 1, big_endian), (words(&[&[0x102]]), 0));
        let unsigned = StoredPcm { unsigned: true, ..plain };
        assert_eq!(decoded(&[0, 0x80], 1, unsigned), (words(&[&[0]]), 0));
        let delta = StoredPcm { delta: Delta::Values, ..plain };
        assert_eq!(decoded(&[0, 1, 2, 0], 2, delta), (words(&[&[0x100, 0x102]]), 0));
        let by_bytes = StoredPcm { delta: Delta::Bytes, ..plain };
        assert_eq!(decoded(&[1, 1, 1, 1], 2, by_bytes), (words(&[&[0x201, 0x403]]), 0));
    }

    #[test]
    fn the_right_channel_follows_the_left() {
        let stereo = StoredPcm { stereo: true, delta: Delta::Values, ..StoredPcm::default() };
        assert_eq!(decoded(&[1, 1, 5, 1], 2, stereo), (bytes(&[&[1, 2], &[5, 6]]), 0));
        assert_eq!(decoded(&[1, 1, 5], 2, stereo), (bytes(&[&[1, 2], &[5, 0]]), 1));
    }

    #[test]
    fn a_sample_ends_with_the_file_and_says_so() {
        assert_eq!(decoded(&[7], 2, StoredPcm::default()), (bytes(&[&[7]]), 1));
        assert_eq!(
            decoded(&[7, 0, 1], 2, StoredPcm { wide: true, ..StoredPcm::default() }),
            (words(&[&[7]]), 1)
        );
        assert_eq!(decoded(&[], 2, StoredPcm::default()), (None, 1));
        assert_eq!(decoded(&[], 0, StoredPcm::default()), (None, 0));
    }
}
