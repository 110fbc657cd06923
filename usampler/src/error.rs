use std::fmt;

use importer::open::{GameError, OpenError};
use player::render_file::RenderError;

/// Why something could not be opened, found, rendered or played.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    candidates: Vec<String>,
}

/// What an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file or folder cannot be read.
    Io,
    /// It is no kind of file that has sounds.
    NotThisFormat,
    /// It is a known kind of file, or has a form of one, that is not read.
    Unsupported,
    /// It contradicts itself.
    Malformed,
    /// It is encrypted, and no key opens it.
    Encrypted,
    /// There is no such sound.
    NoSuchSound,
    /// Several sounds or songs are meant, or one has to be named.
    Ambiguous,
    /// The sound is empty, damaged or of a kind that cannot be decoded.
    NotPlayable,
    /// There is no song in it.
    NoSong,
    /// It takes more memory than is allowed.
    OverLimit,
    /// An option is out of range.
    Options,
    /// No audio device answers.
    Device,
    /// A file cannot be written.
    Output,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), candidates: Vec::new() }
    }

    pub(crate) fn with_candidates(self, candidates: Vec<String>) -> Self {
        Self { candidates, ..self }
    }

    /// Returns what it is about.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the sounds that may be meant: those of a similar name, or all that are called so.
    #[must_use]
    pub fn candidates(&self) -> &[String] {
        &self.candidates
    }

    /// Of a file that could not be opened.
    pub(crate) fn of_open(label: &str, error: OpenError) -> Self {
        match error {
            // Its message names the path.
            OpenError::Io { .. } | OpenError::Game(GameError::Io { .. }) => {
                Self::new(ErrorKind::Io, error.to_string())
            }
            OpenError::Game(_) => Self::new(ErrorKind::NotThisFormat, error.to_string()),
            OpenError::Sounds(error) => Self::of_import(label, &error),
            error => Self::new(ErrorKind::Malformed, format!("{label}: {error}")),
        }
    }

    /// Of a file that could not be read.
    pub(crate) fn of_import(label: &str, error: &importer::Error) -> Self {
        let kind = match error {
            _ if error.is_over_limit() => ErrorKind::OverLimit,
            _ if error.is_unknown_kind() => ErrorKind::NotThisFormat,
            _ if error.is_unsupported_kind() => ErrorKind::Unsupported,
            importer::Error::MidiFile => ErrorKind::Unsupported,
            importer::Error::Package(error) => of_package(error),
            importer::Error::Sound(_) | importer::Error::TooLong { .. } => ErrorKind::NotPlayable,
            _ => ErrorKind::Malformed,
        };
        let reason = match error {
            // Its words are about the program's options.
            importer::Error::MidiFile => "a MIDI file has notes and no sounds".to_owned(),
            error => error.to_string(),
        };
        Self::new(kind, format!("{label}: {reason}"))
    }

    /// Of a container of a game.
    pub(crate) fn of_container(label: &str, error: &unreal::Error) -> Self {
        Self::new(of_package(error), format!("{label}: {error}"))
    }

    pub(crate) fn of_player(label: &str, error: &player::Error) -> Self {
        let kind = match error.kind() {
            player::ErrorKind::Options => ErrorKind::Options,
            player::ErrorKind::Song => ErrorKind::Malformed,
            player::ErrorKind::Memory => ErrorKind::OverLimit,
            player::ErrorKind::Device => return Self::new(ErrorKind::Device, error.message()),
            player::ErrorKind::Output => return Self::new(ErrorKind::Output, error.message()),
            _ => ErrorKind::NotPlayable,
        };
        Self::new(kind, format!("{label}: {error}"))
    }

    pub(crate) fn of_render(label: &str, error: &RenderError) -> Self {
        match error {
            RenderError::Play(error) => Self::of_player(label, error),
            error => Self::new(ErrorKind::Output, error.to_string()),
        }
    }
}

fn of_package(error: &unreal::Error) -> ErrorKind {
    match error.kind() {
        unreal::ErrorKind::Io(_) => ErrorKind::Io,
        unreal::ErrorKind::NotThisFormat(_) => ErrorKind::NotThisFormat,
        unreal::ErrorKind::Unsupported(_) => ErrorKind::Unsupported,
        unreal::ErrorKind::Encrypted(_) => ErrorKind::Encrypted,
        unreal::ErrorKind::OverLimit { .. } => ErrorKind::OverLimit,
        _ => ErrorKind::Malformed,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// More are no help.
        const SHOWN: usize = 10;
        f.write_str(&self.message)?;
        let shown = self.candidates.iter().take(SHOWN).map(|name| format!("\"{name}\"")).collect::<Vec<_>>();
        match self.candidates.len() {
            0 => Ok(()),
            1..=SHOWN => write!(f, "; is it {}?", shown.join(", ")),
            all => write!(f, "; is it {} or one of {} more?", shown.join(", "), all - SHOWN),
        }
    }
}

impl std::error::Error for Error {}
