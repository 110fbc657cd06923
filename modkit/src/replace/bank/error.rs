use std::fmt;

use exporter::OutputError;

use crate::replace::{RecordingError, SoundError};

/// Why a sound of a bank cannot be replaced.
#[derive(Debug)]
#[non_exhaustive]
pub enum BankError {
    /// There is no such sound; those of similar names.
    Unknown(String, Vec<String>),
    /// Several are called so, each as it can be named.
    Several(String, Vec<String>),
    /// The event plays several media, each as it can be named.
    PlaysSeveral(String, Vec<String>),
    /// The event plays no media: nothing, or what a generator makes.
    PlaysNothing(String),
    /// The bytes of the media are in none of the files.
    Missing(String),
    /// The sound, or a part of it, is in another file than the one that was named.
    Elsewhere(String),
    /// The output is no file of the kind of the input, and no folder.
    Output(&'static str),
    /// The recording cannot be read.
    Recording(RecordingError),
    /// The recording has more channels than are written; their number.
    Channels(u16),
    /// One media takes two recordings in two languages that share a bank.
    Languages(u32),
    /// A bank cannot be read or written; its path.
    Bank(String, soundbank::Error),
    /// A package that holds a bank or media cannot be changed: the path of that, and why.
    Package(String, SoundError),
    /// Another sound of the same sample bank cannot be decoded: its name, and why.
    Undecoded(String, String),
    /// The other sounds of sample banks take more bytes decoded than these: the path of the bank, and how many.
    TooLong(String, u64),
    /// Some sounds are of banks, others of packages: the names of either.
    Kinds {
        /// Sounds of banks.
        banks: Vec<String>,
        /// Sounds of packages.
        waves: Vec<String>,
    },
    /// Banks of a middleware are read, but not written.
    NotWritten(&'static str),
    /// A file cannot be written.
    Write(OutputError),
    /// What was written is not what was to be written.
    Verify(String, String),
    /// A row without its file.
    Internal,
}

impl BankError {
    /// Returns whether another command line would do it.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Several(..)
                | Self::PlaysSeveral(..)
                | Self::Elsewhere(_)
                | Self::Output(_)
                | Self::Languages(_)
                | Self::Kinds { .. }
        )
    }

    /// Returns what to try instead, a line each.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        /// More choices than that are not read.
        const SHOWN: usize = 10;
        let some = |choices: &[String]| {
            let mut lines: Vec<String> = choices.iter().take(SHOWN).cloned().collect();
            let more = choices.len().saturating_sub(SHOWN);
            lines.extend((more > 0).then(|| format!("and {more} more")));
            lines
        };
        match self {
            Self::Unknown(_, near) if near.is_empty() => vec!["`usampler list FILE` shows all".to_owned()],
            Self::Unknown(_, near) => vec![format!("did you mean {}?", near.join(" or "))],
            Self::Several(_, choices) | Self::PlaysSeveral(_, choices) => some(choices),
            Self::Elsewhere(_) => vec!["-o FOLDER writes all files that change below it".to_owned()],
            Self::Kinds { banks, waves } => {
                let named = |names: &[String]| {
                    let more = names.len().saturating_sub(SHOWN);
                    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
                    if more > 0 { format!("{shown} and {more} more") } else { shown }
                };
                vec![
                    format!("of banks: {}", named(banks)),
                    format!("of packages: {}", named(waves)),
                    "make two tables, and replace the sounds of each alone".to_owned(),
                ]
            }
            Self::Undecoded(..) | Self::TooLong(..) => {
                vec!["a sample bank has one codec: all of it becomes PCM when one sound does".to_owned()]
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for BankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(sound, _) => write!(f, "no sound \"{sound}\""),
            Self::Several(sound, choices) => write!(f, "{} sounds are called \"{sound}\"", choices.len()),
            Self::PlaysSeveral(event, choices) => {
                write!(f, "\"{event}\" plays {} media; name one of them", choices.len())
            }
            Self::PlaysNothing(event) => write!(f, "\"{event}\" plays no media, so there is none to replace"),
            Self::Missing(media) => write!(f, "the bytes of media {media} are in none of the files"),
            Self::Elsewhere(path) => write!(f, "it is in {path}, not only in the file given"),
            Self::Output(wanted) => write!(f, "the output has to be {wanted}"),
            Self::Recording(error) => error.fmt(f),
            Self::Channels(channels) => write!(f, "has {channels} channels; a bank is given one or two"),
            Self::Languages(id) => {
                write!(f, "media {id} of several languages is in one bank: replace one language at a time")
            }
            Self::Bank(path, error) => write!(f, "{path}: {error}"),
            Self::Package(path, error) => write!(f, "{path}: {error}"),
            Self::Undecoded(sound, reason) => write!(f, "sound {sound} of the same sample bank: {reason}"),
            Self::TooLong(path, most) => {
                let most = most >> 30;
                write!(f, "{path}: the other sounds of the sample banks take more than {most} GiB decoded")
            }
            Self::Kinds { banks, waves } => {
                let (banks, waves) = (banks.len(), waves.len());
                write!(
                    f,
                    "the table names {banks} sounds of banks and {waves} of packages: replace them by two calls"
                )
            }
            Self::NotWritten(middleware) => write!(f, "banks of {middleware} are not written"),
            Self::Write(error) => error.fmt(f),
            Self::Verify(path, reason) => {
                write!(f, "{path} as written differs from what it was made of, and is not kept: {reason}")
            }
            Self::Internal => f.write_str("a sound without its file"),
        }
    }
}

impl std::error::Error for BankError {}
