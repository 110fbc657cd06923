//! Everything that the screen shows and `update` decides by.

use std::time::Duration;

use song::{Frames, Hz, Key, Velocity};

use crate::args::{Map, Release};

/// The state of a jam.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The package as the user named it.
    pub package: String,
    /// What plays.
    pub device: String,
    /// Frames per second that it plays.
    pub rate: Hz,
    /// The sounds, in the order of their numbers.
    pub sounds: Vec<Entry>,
    /// Index of the chosen sound.
    pub chosen: usize,
    /// What the keys play.
    pub map: Map,
    /// Octave of the lower row's first key; C4 is middle C.
    pub octave: i8,
    /// The octave that the other map will have.
    pub other_octave: i8,
    /// How hard the keys strike.
    pub velocity: Velocity,
    /// What ends a note.
    pub release: Release,
    /// Notes that sound, oldest first.
    pub notes: Vec<PlayedNote>,
    /// When each key was last seen, to tell a held key's repeats from strikes.
    pub seen: Vec<SeenKey>,
    /// How long this terminal waits before a held key repeats, once that was seen.
    pub repeat_delay: Option<Duration>,
    /// The number of the next note.
    pub next: NoteNumber,
    /// Voices that sound, and the most that may.
    pub voices: (usize, usize),
    /// Peaks on the left and right, linear; they fall slowly.
    pub peaks: [f32; 2],
    /// What the device tells of itself.
    pub status: Status,
    /// Whether the help is shown.
    pub help: bool,
    /// What went wrong last.
    pub complaint: Option<String>,
}

/// A sound as the list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// `Group.Name`.
    pub name: String,
    /// Hertz.
    pub rate: String,
    /// Bits per value.
    pub bits: String,
    /// Values per frame.
    pub channels: String,
    /// Seconds, or the status of a sound that cannot be played.
    pub length: String,
    /// The loop, or a dash.
    pub looping: String,
    /// Why it cannot be played.
    pub silent: Option<String>,
    /// Whether it sounds until it is released.
    pub loops: bool,
    /// The key that plays it at its own pitch.
    pub root: Key,
}

/// The screen's own number of a note; the session knows the engine's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteNumber(pub u64);

/// A note that was started from the keyboard and has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedNote {
    /// Its number.
    pub number: NoteNumber,
    /// The key of the computer keyboard; none for an audition.
    pub pressed: Option<char>,
    /// The key it plays.
    pub key: Key,
    /// When it is to be released; none if something else ends it.
    pub until: Option<Duration>,
    /// Whether it sounds until it is released.
    pub loops: bool,
    /// Whether it has been told to end.
    pub released: bool,
}

/// When a key of the computer keyboard was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenKey {
    /// Which key.
    pub key: char,
    /// The last time.
    pub at: Duration,
    /// How long before that it was seen before.
    pub gap: Option<Duration>,
}

/// What the device tells of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// Blocks that came too late.
    pub xruns: u64,
    /// Other errors of the device, and events that were lost on the way here.
    pub errors: u64,
    /// Whether the system refuses to let it run in real time.
    pub denied: bool,
    /// Whether it is gone, and is looked for.
    pub is_gone: bool,
    /// Part of the time that a block may take, 0..=1.
    pub load: f32,
    /// Frames per block.
    pub block: Frames,
}

/// Sounds in a bank of the kit map.
pub const KIT_BANK: usize = 64;
/// The key that plays the first sound of a bank.
pub const KIT_FIRST_KEY: u8 = 36;

/// Index of the sound that a key plays in the bank of a kit that the chosen one of so many sounds is in.
#[must_use]
pub fn kit_sound(chosen: usize, sounds: usize, key: Key) -> Option<usize> {
    let place = usize::from(key.get().checked_sub(KIT_FIRST_KEY)?);
    let index = chosen / KIT_BANK * KIT_BANK + place;
    (place < KIT_BANK && index < sounds).then_some(index)
}

impl Model {
    /// The chosen sound.
    #[must_use]
    pub fn chosen_entry(&self) -> Option<&Entry> {
        self.sounds.get(self.chosen)
    }

    /// Index of the sound that a key plays in the kit map: the bank is that of the chosen sound.
    #[must_use]
    pub fn kit_sound(&self, key: Key) -> Option<usize> {
        kit_sound(self.chosen, self.sounds.len(), key)
    }

    /// The key of the musical keyboard that stands so many semitones above the lower row's first.
    #[must_use]
    pub fn key_at(&self, semitones: u8) -> Option<Key> {
        Key::LOWEST.shifted((i32::from(self.octave) + 1) * 12 + i32::from(semitones))
    }
}
