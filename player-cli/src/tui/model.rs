//! Everything that the screen shows and `update` decides by.

use std::time::Duration;

use song::{Frames, Hz, Key, Velocity};

use crate::args::{Layout, Map};

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
    /// Where the notes lie on the computer keyboard.
    pub layout: Layout,
    /// Octave of the lower row's first key; C4 is middle C.
    pub octave: i8,
    /// The octave that the other map will have.
    pub other_octave: i8,
    /// How hard the keys strike.
    pub velocity: Velocity,
    /// What ends the notes that are begun.
    pub mode: Mode,
    /// Whether the terminal tells when a key is released; then it also tells repeats from strikes.
    pub tells_release: bool,
    /// Notes that sound, oldest first.
    pub notes: Vec<PlayedNote>,
    /// Note keys that are down, where the terminal tells.
    pub down: Vec<char>,
    /// When each key was last seen, to tell a held key's repeats from strikes where the terminal does not.
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
    /// The devices to choose from, while they are shown.
    pub devices: Option<Chooser>,
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
    /// How long its recording lasts at that pitch; zero if that is not known.
    pub lasts: Duration,
}

/// What ends a note that is begun with a key of the computer keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The release of its key; a sound of the kit without a loop plays out, as drums do.
    Real,
    /// Time, which a held key prolongs; a sound without a loop plays out.
    Gate,
    /// The next press of its key.
    Latch,
    /// Nothing, the sound plays out; one with a loop is played through once.
    Oneshot,
}

impl Mode {
    /// The next mode, round and round. Gate stands in for real where the terminal tells no release.
    #[must_use]
    pub const fn after(self, tells_release: bool) -> Self {
        match self {
            Self::Real | Self::Gate => Self::Latch,
            Self::Latch => Self::Oneshot,
            Self::Oneshot if tells_release => Self::Real,
            Self::Oneshot => Self::Gate,
        }
    }

    /// What the command line calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Gate => "gate",
            Self::Latch => "latch",
            Self::Oneshot => "oneshot",
        }
    }
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
    /// What it waits for to be released. Decided when it begins: later modes do not change it.
    pub ends: Ends,
    /// Whether it sounds until it is released.
    pub loops: bool,
    /// Whether it has been told to end.
    pub released: bool,
}

/// What a note waits for to be released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The release of its key.
    KeyUp,
    /// This time.
    At(Duration),
    /// The next press of its key.
    NextPress,
    /// Nothing: it plays out.
    Itself,
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

/// What can be chosen to play on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chooser {
    /// The devices; none while they are looked for.
    pub entries: Option<Vec<DeviceEntry>>,
    /// Index of the chosen one.
    pub chosen: usize,
}

/// A device as the chooser shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceEntry {
    /// What the command line would call it.
    pub name: String,
    /// What it calls itself, or why it cannot be had.
    pub about: String,
    /// Whether it is what plays.
    pub plays: bool,
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
