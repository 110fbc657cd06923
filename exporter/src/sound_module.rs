//! Tracker modules of sounds: an instrument with one sample for each, and the pattern of 64 rows that refers to all of
//! them in sequence.
//!
//! ```text
//! sounds, one at a time ─► stored: planes, rate, loops ─┬─► it   tables, frames, pattern, message
//!                                                       └─► xm   header, pattern, instruments with their frames
//! ```
//!
//! What comes before the frames and depends on them is written in the end, so that no two sounds are in memory.

pub(crate) mod names;
pub(crate) mod pattern;
pub(crate) mod stored;

use std::fmt;
use std::io::{self, Seek, SeekFrom, Write};

use song::Sample;

use crate::it::ItTables;
use crate::xm::XmTables;
use names::SoundName;
use stored::StoredSound;

/// Formats of such modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModuleFormat {
    /// Impulse Tracker.
    It,
    /// `FastTracker` 2.
    Xm,
}

impl ModuleFormat {
    /// Returns the extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::It => "it",
            Self::Xm => "xm",
        }
    }

    /// Returns the most instruments that a file holds.
    #[must_use]
    pub const fn max_instruments(self) -> usize {
        match self {
            Self::It => crate::it::MAX_INSTRUMENTS,
            Self::Xm => crate::xm::MAX_INSTRUMENTS,
        }
    }

    /// Returns how many files so many sounds take.
    #[must_use]
    pub const fn files(self, sounds: usize) -> usize {
        sounds.div_ceil(self.max_instruments())
    }
}

/// As trackers call them.
impl fmt::Display for ModuleFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::It => "IT",
            Self::Xm => "XM",
        })
    }
}

/// How modules are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModuleOptions {
    /// Whether stereo sounds are mixed to one channel.
    pub is_mono: bool,
    /// Whether each row plays its instrument at middle C, and lasts long enough to hear it.
    pub has_notes: bool,
}

/// What a module does not keep of a sound that is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LostDetail {
    /// Whether its values were wider than 16 bits.
    pub width: bool,
    /// Whether it has loops, or numbers of repeats, that the format does not know.
    pub loops: bool,
}

/// Why a sound cannot be in a module.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SoundRefusal {
    /// The rate at middle C is one that the format cannot state.
    Rate {
        /// In hertz.
        rate: f64,
        /// The format.
        format: ModuleFormat,
    },
    /// It is longer than the format counts, or ends beyond the 4 GiB of a file.
    TooLong,
    /// The module has all the instruments it was planned for.
    TooMany,
}

impl fmt::Display for SoundRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate { rate, format } => {
                write!(f, "a rate of {rate:.1} Hz at middle C is outside what {format} can store")
            }
            Self::TooLong => f.write_str("it is longer than the format can store"),
            Self::TooMany => f.write_str("the module is full"),
        }
    }
}

/// The tables of a format, by what they say of sounds that were added.
pub(crate) enum Tables {
    It(ItTables),
    Xm(XmTables),
}

/// A module that is being written.
pub struct SoundModule<'o, O> {
    out: &'o mut O,
    title: String,
    planned: usize,
    options: ModuleOptions,
    tables: Tables,
    /// Offset of the next byte.
    at: u64,
}

impl<'o, O: Write + Seek> SoundModule<'o, O> {
    /// Begins a module of at most `planned` sounds, for which there is room in the tables.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(
        format: ModuleFormat,
        out: &'o mut O,
        title: &str,
        planned: usize,
        options: ModuleOptions,
    ) -> io::Result<Self> {
        let planned = planned.min(format.max_instruments());
        let (tables, head) = match format {
            ModuleFormat::It => (Tables::It(ItTables::default()), ItTables::head_bytes(planned)),
            ModuleFormat::Xm => (Tables::Xm(XmTables::default()), XmTables::head_bytes(planned, options)),
        };
        out.write_all(&vec![0; head])?;
        Ok(Self { out, title: title.to_owned(), planned, options, tables, at: head as u64 })
    }

    /// Adds a sound. Its name has two parts: the whole `path`, and the `name` alone, for where that does not fit.
    ///
    /// # Errors
    /// Those of the output; inside, why the sound cannot be in the module, of which then nothing is written.
    pub fn add(
        &mut self,
        path: &str,
        name: &str,
        sample: &Sample,
    ) -> io::Result<Result<LostDetail, SoundRefusal>> {
        if self.sounds() >= self.planned {
            return Ok(Err(SoundRefusal::TooMany));
        }
        let sound = StoredSound::of(SoundName::new(path, name), sample, self.options.is_mono);
        let (mut lost, deltas, head) = match &mut self.tables {
            Tables::It(tables) => match tables.add(&sound, self.at) {
                Ok(lost) => (lost, false, Vec::new()),
                Err(refusal) => return Ok(Err(refusal)),
            },
            Tables::Xm(tables) => match tables.add(&sound) {
                Ok((lost, head)) => (lost, true, head),
                Err(refusal) => return Ok(Err(refusal)),
            },
        };
        self.out.write_all(&head)?;
        self.at += head.len() as u64 + sound.write(self.out, deltas)?;
        lost.width |= sound.is_rounded;
        Ok(Ok(lost))
    }

    /// Returns how many sounds were added.
    #[must_use]
    pub const fn sounds(&self) -> usize {
        match &self.tables {
            Tables::It(tables) => tables.sounds(),
            Tables::Xm(tables) => tables.sounds(),
        }
    }

    /// Writes what depends on all sounds.
    ///
    /// # Errors
    /// [`ModuleError::Nothing`] if no sound was added, [`ModuleError::TooLarge`] beyond 4 GiB, [`ModuleError::Io`].
    pub fn finish(self) -> Result<(), ModuleError> {
        if self.sounds() == 0 {
            return Err(ModuleError::Nothing);
        }
        let end = u32::try_from(self.at).map_err(|_| ModuleError::TooLarge)?;
        let (head, tail) = match &self.tables {
            Tables::It(tables) => tables.finish(&self.title, end, self.options)?,
            Tables::Xm(tables) => (tables.head(&self.title, self.planned, self.options), Vec::new()),
        };
        self.out.write_all(&tail)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head)?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()?;
        Ok(())
    }
}

/// Why a module could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModuleError {
    /// No sound is in it.
    Nothing,
    /// More than 4 GiB.
    TooLarge,
    /// The output did not take it.
    Io(io::Error),
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "there is no sound for a module"),
            Self::TooLarge => write!(f, "a module cannot hold more than 4 GiB"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ModuleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ModuleError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
