use std::sync::Arc;

use crate::{Cents, Frames, Hz, Invalid, Key, LoopRange};

/// The frames of a recording, one plane per channel: `channels × frames`, one or two channels of equal length,
/// at least one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Planes<T>(Vec<Vec<T>>);

impl<T> Planes<T> {
    /// Planes in the order left, right.
    ///
    /// # Errors
    /// [`Invalid::Channels`] unless mono or stereo, [`Invalid::UnequalChannels`], [`Invalid::NoFrames`].
    pub fn new(planes: Vec<Vec<T>>) -> Result<Self, Invalid> {
        let length = match planes.as_slice() {
            [mono] => mono.len(),
            [left, right] if left.len() == right.len() => left.len(),
            [_, _] => return Err(Invalid::UnequalChannels),
            others => return Err(Invalid::Channels(others.len())),
        };
        if length == 0 { Err(Invalid::NoFrames) } else { Ok(Self(planes)) }
    }

    /// Returns how many channels: 1 or 2.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.0.len()
    }

    /// Returns the number of frames per channel, at least one.
    #[must_use]
    pub fn length(&self) -> Frames {
        self.0.first().map_or(Frames::ZERO, |plane| Frames::of(plane))
    }

    /// Returns one plane per channel: left, right.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// Returns the plane of the left or only channel.
    #[must_use]
    pub fn left(&self) -> &[T] {
        self.0.first().map_or(&[], Vec::as_slice)
    }

    /// Returns the plane of the right channel; the only one again for a mono recording.
    #[must_use]
    pub fn right(&self) -> &[T] {
        self.0.last().map_or(&[], Vec::as_slice)
    }
}

/// Frames as they were recorded; 8-bit ones widened to 16, those of 24 bits and more as float.
#[derive(Clone, Debug, PartialEq)]
pub enum Recording {
    /// 16-bit values, −32768..=32767.
    I16(Planes<i16>),
    /// Float values, full scale −1.0..=1.0; a recording may exceed it.
    F32(Planes<f32>),
}

impl Recording {
    /// Returns how many channels: 1 or 2.
    #[must_use]
    pub fn channels(&self) -> usize {
        match self {
            Self::I16(planes) => planes.channels(),
            Self::F32(planes) => planes.channels(),
        }
    }

    /// Returns the number of frames per channel, at least one.
    #[must_use]
    pub fn length(&self) -> Frames {
        match self {
            Self::I16(planes) => planes.length(),
            Self::F32(planes) => planes.length(),
        }
    }

    /// Returns the bytes of memory that its values take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let value = match self {
            Self::I16(_) => size_of::<i16>(),
            Self::F32(_) => size_of::<f32>(),
        };
        let frame = u64::try_from(value.saturating_mul(self.channels())).unwrap_or(u64::MAX);
        self.length().get().saturating_mul(frame)
    }
}

/// How wide the values were in the source, before they became a [`Recording`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 8 bits, unsigned or signed.
    Eight,
    /// 16 bits.
    Sixteen,
    /// 24 bits.
    TwentyFour,
    /// 32-bit integers.
    ThirtyTwo,
    /// 32-bit float.
    Float,
    /// 64-bit float.
    Double,
}

impl Width {
    /// Returns the number of bits per value.
    #[must_use]
    pub const fn bits(self) -> u16 {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
            Self::TwentyFour => 24,
            Self::ThirtyTwo | Self::Float => 32,
            Self::Double => 64,
        }
    }

    /// Returns the number of bytes that a value takes in a [`Recording`], which has two of the widths.
    #[must_use]
    pub const fn decoded_bytes(self) -> u64 {
        match self {
            Self::Eight | Self::Sixteen => 2,
            Self::TwentyFour | Self::ThirtyTwo | Self::Float | Self::Double => 4,
        }
    }
}

/// Where a sample came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Name of the package, without folder and extension.
    pub package: String,
    /// The groups it lies in, outermost first, joined by dots; empty if in none.
    pub group: String,
    /// The object's own name.
    pub name: String,
}

impl Origin {
    /// `Group.Name`, or just the name if it is in no group.
    #[must_use]
    pub fn path(&self) -> String {
        if self.group.is_empty() { self.name.clone() } else { format!("{}.{}", self.group, self.name) }
    }
}

/// A recording with what is needed to play it as a note. A clone shares the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    origin: Origin,
    recording: Arc<Recording>,
    width: Width,
    rate: Hz,
    root: Option<Key>,
    tuning: Cents,
    loops: Vec<LoopRange>,
}

impl Sample {
    /// Creates a sample without loops or a stated root key.
    #[must_use]
    pub fn new(origin: Origin, recording: Recording, width: Width, rate: Hz) -> Self {
        let recording = Arc::new(recording);
        Self { origin, recording, width, rate, root: None, tuning: Cents::ZERO, loops: Vec::new() }
    }

    /// With the key at which it sounds at its own rate, and how far above that key it was tuned.
    #[must_use]
    pub const fn with_root(mut self, root: Key, tuning: Cents) -> Self {
        self.root = Some(root);
        self.tuning = tuning;
        self
    }

    /// With its loops; the first is the one that plays.
    ///
    /// # Errors
    /// [`Invalid::Loop`] if one reaches past the last frame.
    pub fn with_loops(mut self, loops: Vec<LoopRange>) -> Result<Self, Invalid> {
        let length = self.length();
        for l in &loops {
            if l.end() > length {
                return Err(Invalid::Loop { start: l.start(), end: l.end(), length });
            }
        }
        self.loops = loops;
        Ok(self)
    }

    /// Returns where it came from.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns its frames.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Returns how wide the values were in the source.
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
    }

    /// Returns the rate at the root key, in hertz.
    #[must_use]
    pub const fn rate(&self) -> Hz {
        self.rate
    }

    /// Returns the root key, if the source states one.
    #[must_use]
    pub const fn root(&self) -> Option<Key> {
        self.root
    }

    /// Returns how far above its root key it was tuned; 0..100 cents in a WAV file.
    #[must_use]
    pub const fn tuning(&self) -> Cents {
        self.tuning
    }

    /// Returns all its loops; the first is the one that plays.
    #[must_use]
    pub fn loops(&self) -> &[LoopRange] {
        &self.loops
    }

    /// Returns the number of frames per channel, at least one.
    #[must_use]
    pub fn length(&self) -> Frames {
        self.recording.length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoopCount, LoopMode};

    #[test]
    fn planes_are_one_or_two_of_equal_length_and_never_empty() {
        assert!(Planes::new(vec![vec![1_i16]]).is_ok());
        assert!(Planes::new(vec![vec![1_i16], vec![2]]).is_ok());
        assert_eq!(Planes::new(vec![vec![1_i16], vec![]]), Err(Invalid::UnequalChannels));
        assert_eq!(Planes::<i16>::new(vec![vec![]]), Err(Invalid::NoFrames));
        assert_eq!(Planes::<i16>::new(vec![]), Err(Invalid::Channels(0)));
        assert_eq!(Planes::new(vec![vec![1_i16]; 3]), Err(Invalid::Channels(3)));
    }

    #[test]
    fn a_mono_recording_is_its_own_right_channel() {
        let planes = Planes::new(vec![vec![1_i16, 2]]).unwrap();
        assert_eq!((planes.left(), planes.right()), (&[1, 2][..], &[1, 2][..]));
    }

    #[test]
    fn a_loop_made_for_a_longer_sample_is_refused() {
        let recording = Recording::I16(Planes::new(vec![vec![0_i16; 4]]).unwrap());
        let sample = Sample::new(Origin::default(), recording, Width::Sixteen, Hz::new(1).unwrap());
        let frames = Frames::new;
        let long =
            LoopRange::new(frames(0), frames(5), frames(5), LoopMode::Forward, LoopCount::Forever).unwrap();
        assert!(sample.clone().with_loops(vec![long]).is_err());
        let fit =
            LoopRange::new(frames(0), frames(4), frames(4), LoopMode::Forward, LoopCount::Forever).unwrap();
        assert_eq!(sample.with_loops(vec![fit]).unwrap().loops(), [fit]);
    }

    #[test]
    fn a_path_has_its_group_in_front_if_there_is_one() {
        let mut origin = Origin { name: "Fire".into(), ..Origin::default() };
        assert_eq!(origin.path(), "Fire");
        origin.group = "Weapons.Flak".into();
        assert_eq!(origin.path(), "Weapons.Flak.Fire");
    }
}
