//! Why something could not be sent to the audio thread.

use std::fmt;

use song::{InstrumentIndex, SampleIndex};

use super::{ChannelStrip, Note};
use crate::message::StripIndex;

/// The command queue has no room; what could not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full<T>(pub T);

impl<T> fmt::Display for Full<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the command queue is full")
    }
}

impl<T: fmt::Debug> std::error::Error for Full<T> {}

/// Why an effect was not set.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EffectError<T> {
    /// The engine has no effects; see [`Config::effects`](crate::Config::effects).
    NoEffects,
    /// The command queue has no room now; what could not be sent.
    Full(T),
}

impl<T> fmt::Display for EffectError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEffects => f.write_str("the engine has no effects"),
            Self::Full(_) => Full(()).fmt(f),
        }
    }
}

impl<T: fmt::Debug> std::error::Error for EffectError<T> {}

/// Why a strip was not set.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StripError {
    /// The engine has no such strip.
    NoStrip(StripIndex),
    /// The command queue has no room now; the strip, to be tried again.
    Full(ChannelStrip),
}

impl fmt::Display for StripError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStrip(index) => write!(f, "no strip {}", index.get()),
            Self::Full(_) => Full(()).fmt(f),
        }
    }
}

impl std::error::Error for StripError {}

/// Why a note was not begun.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoteError {
    /// Nothing is loaded.
    NoBank,
    /// The bank has no such instrument.
    NoInstrument(InstrumentIndex),
    /// The bank has no such recording.
    NoSample(SampleIndex),
    /// The engine has no such strip.
    NoStrip(StripIndex),
    /// No zone of the instrument covers the key and velocity.
    NoZone,
    /// More zones cover it than the command queue could ever hold.
    TooManyLayers {
        /// How many zones cover it.
        layers: usize,
        /// How many commands the queue holds.
        capacity: usize,
    },
    /// The command queue has no room for all its layers now; the note, to be tried again.
    Full(Note),
    /// The command queue has no room now.
    QueueFull,
}

impl fmt::Display for NoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBank => write!(f, "no bank is loaded"),
            Self::NoInstrument(index) => write!(f, "no instrument {}", index.get()),
            Self::NoSample(index) => write!(f, "no recording {}", index.get()),
            Self::NoStrip(index) => write!(f, "no strip {}", index.get()),
            Self::NoZone => write!(f, "no zone covers this key and velocity"),
            Self::TooManyLayers { layers, capacity } => {
                write!(f, "{layers} zones cover the note, the command queue holds {capacity}")
            }
            Self::Full(_) | Self::QueueFull => Full(()).fmt(f),
        }
    }
}

impl std::error::Error for NoteError {}
