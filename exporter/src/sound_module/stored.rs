//! A sound as trackers store it: 8 or 16 bits, plane by plane, at a rate for middle C.

use std::borrow::Cow;
use std::io::{self, Write};

use song::{AfterRelease, Cents, Key, LoopCount, LoopRange, Planes, Recording, Sample, Width};

use super::names::SoundName;
use crate::wav::quantize;

/// Bytes of a value of 16 bits.
const WIDE: u64 = 2;

/// A sound, ready to be written.
pub(crate) struct StoredSound<'s> {
    pub(crate) name: SoundName,
    /// Values of 16 bits, or of 8.
    planes: Vec<Cow<'s, [i16]>>,
    pub(crate) is_wide: bool,
    /// Whether values were wider than 16 bits.
    pub(crate) is_rounded: bool,
    /// Rate at which middle C sounds, in hertz.
    pub(crate) c4_rate: f64,
    pub(crate) loops: StoredLoops<'s>,
}

/// The loops that a format may know.
pub(crate) struct StoredLoops<'s> {
    /// Played until the key is released.
    pub(crate) sustain: Option<&'s LoopRange>,
    /// Played for ever.
    pub(crate) looping: Option<&'s LoopRange>,
    /// Whether there are others, or one of these ends by itself.
    pub(crate) has_others: bool,
}

impl<'s> StoredLoops<'s> {
    /// Takes the first, which is the one that plays, and the one that follows it when the key is released.
    fn of(loops: &'s [LoopRange]) -> Self {
        let (sustain, looping) = match (loops.first(), AfterRelease::of(loops)) {
            (sustain, AfterRelease::Loop(looping)) => (sustain, Some(looping)),
            (sustain, AfterRelease::End) => (sustain, None),
            (looping, AfterRelease::Same) => (None, looping),
        };
        let taken = usize::from(sustain.is_some()) + usize::from(looping.is_some());
        let ends = |range: &&LoopRange| range.plays() != LoopCount::Forever;
        let has_others = loops.len() > taken || sustain.iter().chain(&looping).any(ends);
        Self { sustain, looping, has_others }
    }
}

impl<'s> StoredSound<'s> {
    /// Rounds a sample where it is wider than trackers know, and mixes it to one channel if that is wanted.
    pub(crate) fn of(name: SoundName, sample: &'s Sample, is_mono: bool) -> Self {
        let is_wide = sample.width() != Width::Eight;
        let bits = if is_wide { 16 } else { 8 };
        let planes = match sample.recording() {
            Recording::I16(planes) if is_mono && planes.channels() > 1 => vec![Cow::Owned(mixed(planes))],
            Recording::I16(planes) => planes.iter().map(Cow::Borrowed).collect(),
            Recording::F32(planes) if is_mono && planes.channels() > 1 => {
                let both = planes.left().iter().zip(planes.right());
                let mean = |(left, right): (&f32, &f32)| f64::midpoint((*left).into(), (*right).into());
                vec![both.map(mean).map(|value| rounded(value, bits)).collect()]
            }
            Recording::F32(planes) => {
                let plane =
                    |plane: &[f32]| plane.iter().map(|value| rounded((*value).into(), bits)).collect();
                planes.iter().map(plane).collect()
            }
        };
        let root = sample.root().unwrap_or(Key::C4);
        let above = Key::C4.above(root).get() - sample.tuning().get();
        Self {
            name,
            planes,
            is_wide,
            is_rounded: sample.width().bits() > 16,
            c4_rate: f64::from(sample.rate().get()) * Cents::new(above).unwrap_or_default().ratio(),
            loops: StoredLoops::of(sample.loops()),
        }
    }

    pub(crate) fn is_stereo(&self) -> bool {
        self.planes.len() > 1
    }

    /// Returns the number of frames per channel.
    pub(crate) fn frames(&self) -> u64 {
        self.planes.first().map_or(0, |plane| plane.len() as u64)
    }

    /// Returns the bytes that a frame takes, with all channels.
    pub(crate) fn frame_bytes(&self) -> u64 {
        self.planes.len() as u64 * if self.is_wide { WIDE } else { 1 }
    }

    /// Returns the bytes that all frames take; none if they cannot be counted.
    pub(crate) fn bytes(&self) -> Option<u64> {
        self.frames().checked_mul(self.frame_bytes())
    }

    /// Writes one plane after the other, as values or as differences from the value before, modulo the width; returns
    /// the number of bytes.
    pub(crate) fn write(&self, out: &mut impl Write, deltas: bool) -> io::Result<u64> {
        const BLOCK: usize = 4096;
        let mut written = 0;
        let mut bytes = Vec::with_capacity(BLOCK * WIDE as usize);
        for plane in &self.planes {
            let (mut last_wide, mut last_narrow) = (0_i16, 0_i8);
            for block in plane.chunks(BLOCK) {
                bytes.clear();
                for value in block.iter().copied() {
                    if self.is_wide {
                        let stored = if deltas { value.wrapping_sub(last_wide) } else { value };
                        bytes.extend(stored.to_le_bytes());
                        last_wide = value;
                    } else {
                        let value = to_8(value);
                        let stored = if deltas { value.wrapping_sub(last_narrow) } else { value };
                        bytes.extend(stored.to_le_bytes());
                        last_narrow = value;
                    }
                }
                out.write_all(&bytes)?;
                written += bytes.len() as u64;
            }
        }
        Ok(written)
    }
}

/// Returns the nearest value of so many bits, as a WAV file of that width has it; widened to 16.
fn rounded(value: f64, bits: u16) -> i16 {
    // The cast is of a value in range.
    (quantize(value, bits).0 << (16 - bits)) as i16
}

/// Returns the nearest value of 8 bits, as a WAV file of that width has it, but signed.
fn to_8(value: i16) -> i8 {
    match value.to_le_bytes() {
        [0, high] => high.cast_signed(),
        _ => quantize(f64::from(value) / 32_768.0, 8).0 as i8,
    }
}

/// Returns the mean of both channels, halves away from zero.
fn mixed(planes: &Planes<i16>) -> Vec<i16> {
    let mean = |(left, right): (&i16, &i16)| {
        let sum = i32::from(*left) + i32::from(*right);
        // The mean of two values is one.
        ((sum + sum.signum()) / 2) as i16
    };
    planes.left().iter().zip(planes.right()).map(mean).collect()
}
