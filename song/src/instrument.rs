use std::time::Duration;

use crate::{Decibels, Key, Zone, ZoneTree};

/// How the loudness of a note begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// From note-on to full level; zero leaves the recording's own start untouched.
    pub attack: Duration,
    /// From note-off to silence.
    pub release: Duration,
}

impl Default for Envelope {
    /// No attack, and the fade that hides a cut: 50 ms.
    fn default() -> Self {
        Self { attack: Duration::ZERO, release: Duration::from_millis(50) }
    }
}

/// How the notes of an instrument follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VoiceMode {
    /// Each sounds beside the others.
    #[default]
    Poly,
    /// Each ends the one before; the latest key that is held sounds.
    Mono,
    /// As mono, but a note that begins while another key is held goes on in its voice, at another pitch.
    Legato,
}

impl VoiceMode {
    /// All of them, and what they are called.
    pub const ALL: [(&str, Self); 3] = [("poly", Self::Poly), ("mono", Self::Mono), ("legato", Self::Legato)];

    /// Returns what it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Poly => "poly",
            Self::Mono => "mono",
            Self::Legato => "legato",
        }
    }
}

/// How much of an instrument's notes goes to the effects that all instruments share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sends {
    /// Gain to the reverb; nothing goes there if none.
    pub reverb: Option<Decibels>,
    /// Gain to the delay; nothing goes there if none.
    pub delay: Option<Decibels>,
}

impl Sends {
    /// The gain of a send that is switched off, in decibels; nothing is sent at this gain or below.
    pub const OFF: f32 = -36.0;
}

/// What a note is played on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instrument {
    /// Its name: for a sound of a package the object's path, `Group.Name`.
    pub name: String,
    /// What its notes sound; silence at first.
    pub tree: ZoneTree,
    /// The envelope of every note.
    pub envelope: Envelope,
    /// How its notes follow each other.
    pub voice_mode: VoiceMode,
    /// How long a mono or legato note takes from the pitch of the one before to its own.
    pub glide: Duration,
    /// What its notes send to effects, unless they are voiced otherwise.
    pub sends: Sends,
}

impl Instrument {
    /// The most zones that one note may sound together. An engine begins as many voices at an instant; what is more
    /// would come late.
    pub const MAX_TOGETHER: usize = 128;

    /// Returns every zone that a note of it could sound.
    #[must_use]
    pub fn zones(&self) -> Vec<&Zone> {
        self.tree.zones()
    }

    /// Returns whether no note on it sounds anything.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.zones().is_empty()
    }

    /// Returns the key that sounds its first zone at the sample's own rate; C4 for one without zones.
    #[must_use]
    pub fn root(&self) -> Key {
        self.zones().first().map_or(Key::C4, |zone| zone.root())
    }
}
