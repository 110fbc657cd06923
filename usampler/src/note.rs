use std::time::Duration;

use player::single_note::NoteOptions;
use song::{Decibels, Key, Pan, Velocity, Voicing};

/// How a sound is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// Its key; the one that plays the sound at its own pitch if there is none.
    pub key: Option<Key>,
    /// MIDI velocity, 0..=127.
    pub velocity: Velocity,
    /// Added to the gain of the sound, in decibels.
    pub gain: Decibels,
    /// Added to the pan of the sound, from −1 (left) to 1 (right).
    pub pan: Pan,
}

impl Note {
    /// How long a looped sound is held unless it is said otherwise.
    pub const HOLD: Duration = Duration::from_secs(4);
    /// Longest release tail of a rendered sound or song.
    pub const TAIL: Duration = Duration::from_secs(2);

    pub(crate) fn options(self, hold: Duration) -> NoteOptions {
        let Self { key, velocity, gain, pan } = self;
        NoteOptions { key, velocity, gain, pan, hold, voicing: Voicing::default(), room: None }
    }
}

impl Default for Note {
    /// The sound at its own pitch, at full velocity, with its own gain and pan.
    fn default() -> Self {
        Self { key: None, velocity: Velocity::HIGHEST, gain: Decibels::UNITY, pan: Pan::CENTRE }
    }
}
