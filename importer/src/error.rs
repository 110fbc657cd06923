use std::fmt;
use std::sync::Arc;

use unreal::NotPackage;

use crate::{BankError, GameFileKind, Status, UnsupportedReason};

/// The answer to a file of any other kind; `unreal` alone knows no modules.
const NEITHER: &str = "neither an Unreal package nor a tracker module";

/// Why something was not imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The package itself, or an object of it, could not be read.
    Package(unreal::Error),
    /// It is a file of Unreal Engine 4 or later, none of which is read yet.
    GameFile(GameFileKind),
    /// It is a MIDI file: notes without sounds.
    MidiFile,
    /// The archive has not one file to open, or that cannot be unpacked: why, in words.
    Archive(String),
    /// The sound is there, but cannot be decoded: it is empty, unsupported or damaged.
    Sound(Status),
    /// The tracker module cannot be read.
    Module(tracker::Error),
    /// The bank of a sampler cannot be read.
    Bank(BankError),
    /// The sound bank cannot be read.
    SoundBank(Arc<soundbank::Error>),
    /// What was read does not make a song.
    Song(song::Invalid),
    /// There is no sound of that number.
    NoSuchSound(usize),
    /// It has more frames than can be played.
    TooLong {
        /// Frames that it has.
        frames: u64,
        /// Frames that can be played.
        most: u64,
    },
    /// It would hold more bytes than were allowed.
    OverLimit {
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that were left of the budget.
        left: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Package(error) => match error.kind() {
                unreal::ErrorKind::NotThisFormat(NotPackage::Unknown) => write!(f, "{NEITHER}"),
                unreal::ErrorKind::NotThisFormat(found) => write!(f, "{NEITHER}, but {found}"),
                _ => error.fmt(f),
            },
            Self::GameFile(kind) => write!(f, "{kind}, which is not supported"),
            Self::MidiFile => f.write_str(
                "a MIDI file has notes and no sounds: `play FILE --midi` plays it on those of FILE",
            ),
            Self::Archive(what) => f.write_str(what),
            Self::Sound(status) => f.write_str(&status.reason().unwrap_or_default()),
            Self::Module(error) => error.fmt(f),
            Self::Bank(error) => error.fmt(f),
            Self::SoundBank(error) => error.fmt(f),
            Self::Song(invalid) => invalid.fmt(f),
            Self::NoSuchSound(number) => write!(f, "no sound #{number}"),
            Self::TooLong { frames, most } => write!(f, "it has {frames} frames, {most} can be played"),
            Self::OverLimit { needed, left } => {
                write!(f, "over the limit: {needed} bytes needed, {left} left")
            }
        }
    }
}

impl Error {
    /// Returns whether more memory would have helped.
    #[must_use]
    pub const fn is_over_limit(&self) -> bool {
        matches!(self, Self::OverLimit { .. })
    }

    /// Returns whether nothing is known of the file.
    #[must_use]
    pub fn is_unknown_kind(&self) -> bool {
        let Self::Package(error) = self else { return false };
        matches!(error.kind(), unreal::ErrorKind::NotThisFormat(NotPackage::Unknown))
    }

    /// Returns whether the file is of a kind that is known and not read: all such files are refused in the same words.
    #[must_use]
    pub fn is_unsupported_kind(&self) -> bool {
        match self {
            Self::GameFile(_) => true,
            Self::Package(error) => matches!(error.kind(), unreal::ErrorKind::Unsupported(_)),
            _ => false,
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Package(error) => Some(error),
            Self::Module(error) => Some(error),
            Self::Bank(error) => Some(error),
            Self::Song(invalid) => Some(invalid),
            _ => None,
        }
    }
}

impl From<unreal::Error> for Error {
    fn from(error: unreal::Error) -> Self {
        Self::Package(error)
    }
}

impl From<tracker::Error> for Error {
    fn from(error: tracker::Error) -> Self {
        match *error.kind() {
            tracker::ErrorKind::OverLimit { needed, left } => Self::OverLimit { needed, left },
            _ => Self::Module(error),
        }
    }
}

impl From<song::Invalid> for Error {
    fn from(invalid: song::Invalid) -> Self {
        Self::Song(invalid)
    }
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Self {
        Self::Sound((&damage).into())
    }
}

impl From<&Damage> for Status {
    fn from(damage: &Damage) -> Self {
        match damage {
            Damage::OverLimit => Self::Unsupported(UnsupportedReason::OverLimit(damage.to_string())),
            Damage::Io(_) | Damage::Malformed { .. } => Self::Damaged(damage.into()),
        }
    }
}

/// What is wrong with a payload, and where: bytes counted from the payload's first.
#[derive(Debug)]
pub enum Damage {
    /// The bytes could not be fetched.
    Io(std::io::Error),
    /// The bytes do not say what their format demands.
    Malformed {
        /// Offset in the payload.
        at: u64,
        /// What is wrong there.
        what: String,
    },
    /// The payloads of the file share so many bytes that not all of them are looked at.
    OverLimit,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Malformed { at, what } => write!(f, "{what} at {at:#x} of the payload"),
            Self::OverLimit => {
                f.write_str("its bytes are parts of so many others that not all are looked at")
            }
        }
    }
}

impl std::error::Error for Damage {}

impl From<std::io::Error> for Damage {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

/// Returns a [`Damage::Malformed`] at a place.
pub(crate) fn malformed(at: u64, what: impl Into<String>) -> Damage {
    Damage::Malformed { at, what: what.into() }
}
