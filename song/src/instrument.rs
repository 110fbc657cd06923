use std::time::Duration;

use crate::{Key, Zone, ZoneTree};

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

/// What a note is played on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instrument {
    /// Its name: for a sound of a package the object's path, `Group.Name`.
    pub name: String,
    /// What its notes sound; silence at first.
    pub tree: ZoneTree,
    /// The envelope of every note.
    pub envelope: Envelope,
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
