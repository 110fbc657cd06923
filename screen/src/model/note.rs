//! Notes as the screen knows them, and what ends them.

use std::time::Duration;

use player::live::NoteNumber;
use song::Key;

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
    /// Returns the next mode, round and round. Gate stands in for real where the terminal reports no release.
    #[must_use]
    pub const fn after(self, tells_release: bool) -> Self {
        match self {
            Self::Real | Self::Gate => Self::Latch,
            Self::Latch => Self::Oneshot,
            Self::Oneshot if tells_release => Self::Real,
            Self::Oneshot => Self::Gate,
        }
    }

    /// Returns what the command line calls it.
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

/// What begins a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A key of the computer keyboard.
    Key(char),
    /// The mouse, on a key of the drawn piano.
    Mouse(Key),
    /// The wish to hear a sound.
    Audition,
}

/// A note that was started at the terminal and has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedNote {
    /// Its number.
    pub number: NoteNumber,
    /// What began it.
    pub trigger: Trigger,
    /// Index of its sound.
    pub sound: usize,
    /// The key it plays.
    pub key: Key,
    /// What it waits for to be released. Decided when it begins: later modes do not change it.
    pub ends: Ends,
    /// Whether it sounds until it is released.
    pub loops: bool,
    /// Whether its release has been sent.
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
