//! Notes as they are asked for, and as they were begun.

use song::{Cents, Decibels, Envelope, Frames, InstrumentIndex, Key, Pan, Velocity};

use crate::config::Quality;
use crate::message::{NoteId, StripIndex};

/// A note that is to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// On which instrument of the bank.
    pub instrument: InstrumentIndex,
    /// Which key.
    pub key: Key,
    /// How hard; 127 is unity gain.
    pub velocity: Velocity,
    /// Added to the gain of each zone.
    pub gain: Decibels,
    /// Added to the pan of each zone; the sum ends at the sides.
    pub pan: Pan,
    /// By how much it is higher than its key says.
    pub tune: Cents,
    /// How it begins and ends, if not as its instrument does.
    pub envelope: Option<Envelope>,
    /// Added to the cutoff of its filter; without one it has a low-pass that is open at 0.
    pub cutoff: Cents,
    /// Added to the resonance of its filter.
    pub resonance: Decibels,
    /// On which strip it sounds.
    pub strip: StripIndex,
    /// How well it is to sound, if not as [`Config`](crate::Config) says.
    pub quality: Option<Quality>,
    /// The frame at which it begins; none, or one that has passed, means as soon as possible.
    pub at: Option<Frames>,
}

impl Note {
    /// At unity gain in the centre, on the first strip, in the quality of the engine, as soon as possible.
    #[must_use]
    pub const fn new(instrument: InstrumentIndex, key: Key, velocity: Velocity) -> Self {
        Self {
            instrument,
            key,
            velocity,
            gain: Decibels::UNITY,
            pan: Pan::CENTRE,
            tune: Cents::ZERO,
            envelope: None,
            cutoff: Cents::ZERO,
            resonance: Decibels::UNITY,
            strip: StripIndex::new(0),
            quality: None,
            at: None,
        }
    }

    /// Returns the note, beginning at a frame.
    #[must_use]
    pub const fn at(self, frame: Frames) -> Self {
        Self { at: Some(frame), ..self }
    }
}

/// How the notes of a strip are heard, in addition to what they are themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelStrip {
    /// Added to the gain of each note.
    pub gain: Decibels,
    /// Where they stand together, with the same power everywhere; the centre leaves them where they are.
    pub pan: Pan,
    /// By how much they are higher.
    pub tune: Cents,
    /// How far their pitch swings to each side, five and a half times a second.
    pub vibrato: Cents,
    /// Added to the cutoff of their filters; those without one have a low-pass that is open at 0.
    pub cutoff: Cents,
    /// Added to the resonance of their filters.
    pub resonance: Decibels,
    /// Gain of the send to the reverb, after gain and pan, at most 12 dB; `None` sends nothing. Ignored by an engine
    /// without [`Config::effects`](crate::Config::effects).
    pub reverb: Option<Decibels>,
    /// Gain of the send to the delay, likewise.
    pub delay: Option<Decibels>,
}

impl Default for ChannelStrip {
    fn default() -> Self {
        Self::NEUTRAL
    }
}

impl ChannelStrip {
    /// Changes nothing and sends nothing.
    pub const NEUTRAL: Self = Self {
        gain: Decibels::UNITY,
        pan: Pan::CENTRE,
        tune: Cents::ZERO,
        vibrato: Cents::ZERO,
        cutoff: Cents::ZERO,
        resonance: Decibels::UNITY,
        reverb: None,
        delay: None,
    };
}

/// A note that was begun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartedNote {
    /// The note.
    pub note: NoteId,
    /// How many voices it has: each reports its beginning and its end.
    pub voices: usize,
    /// Whether any of them repeats until the note is released.
    pub is_looped: bool,
    /// How many frames of its recording a second the fastest of them takes, apart from strips. Beyond
    /// [`Bank::MAX_RATIO`](crate::Bank::MAX_RATIO) times the engine's rate it sounds slower.
    pub hz: f64,
}
