use std::fmt;

use crate::Frames;

/// Why a value of the song was refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Invalid {
    /// A rate of 0 Hz.
    Rate,
    /// A key above 127.
    Key(u8),
    /// A velocity above 127.
    Velocity(u8),
    /// A pan outside −1..=1.
    Pan(f32),
    /// A weight that is negative or not finite.
    Weight(f32),
    /// Parts of an instrument that lie too deep within one another.
    TooDeep,
    /// A gain or tuning that is not a finite number.
    NotFinite,
    /// A range whose low end is above its high end.
    EmptyRange,
    /// A recording without frames.
    NoFrames,
    /// A recording with this many channels; one and two can be held.
    Channels(usize),
    /// The channels of one recording differ in length.
    UnequalChannels,
    /// A loop that is empty or reaches past the last frame.
    Loop {
        /// First frame of the loop.
        start: Frames,
        /// First frame after the loop.
        end: Frames,
        /// Length of the sample.
        length: Frames,
    },
    /// A pattern with no rows or no channels, or more than it can have.
    PatternSize {
        /// Rows asked for.
        rows: usize,
        /// Channels asked for.
        channels: usize,
    },
    /// A level above 128.
    Level(u8),
    /// An envelope without points, with points out of order, or with a loop between points that it does not have.
    Envelope,
    /// Something refers to a sample, instrument or pattern that the song does not have.
    Missing {
        /// What is referred to: "sample", "instrument" or "pattern".
        what: &'static str,
        /// Its index, from 0.
        index: usize,
        /// How many the song has.
        count: usize,
    },
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate => write!(f, "a rate of 0 Hz"),
            Self::Key(key) => write!(f, "key {key} is above 127"),
            Self::Velocity(velocity) => write!(f, "velocity {velocity} is above 127"),
            Self::Pan(pan) => write!(f, "pan {pan} is outside -1..1"),
            Self::Weight(weight) => write!(f, "a weight of {weight}"),
            Self::TooDeep => write!(f, "more than {} parts within one another", crate::ZoneTree::MAX_DEPTH),
            Self::NotFinite => write!(f, "a gain or tuning that is not a finite number"),
            Self::EmptyRange => write!(f, "a range that ends before it begins"),
            Self::NoFrames => write!(f, "a recording without frames"),
            Self::Channels(channels) => write!(f, "{channels} channels (only mono and stereo can be held)"),
            Self::UnequalChannels => write!(f, "channels of different lengths"),
            Self::Loop { start, end, length } => {
                write!(f, "loop {start}..{end} does not fit a sample of {length} frames")
            }
            Self::PatternSize { rows, channels } => {
                write!(f, "a pattern of {rows} rows × {channels} channels")
            }
            Self::Level(level) => write!(f, "level {level} is above 128"),
            Self::Envelope => write!(f, "an envelope with invalid points"),
            Self::Missing { what, index, count } => write!(f, "{what} {index} of {count}"),
        }
    }
}

impl std::error::Error for Invalid {}
