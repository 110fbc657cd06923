//! Tracker modules as their files have them: bytes → what the file says, with nothing interpreted.
//!
//! ```text
//! bytes ─► probe ─► Format ─► read ─┬─ protracker   header │ patterns │ samples
//!                                   ├─ s3m          header, pointers → instruments │ patterns
//!                                   ├─ xm           header │ patterns │ instruments, each with its samples
//!                                   └─ it           header, pointers → instruments │ samples │ patterns │ message
//! ```
//!
//! The file `song` in each format makes a song's module of it, and cells again of the song's; the file `program` says
//! which program wrote it.
//! Apart from those, numbers, flags, orders and cells are as stored, reserved values included; only samples are
//! decoded, to frames as wide as they were recorded. What trackers put up with is put up with here, and each such thing
//! is a [`Repair`].

mod adpcm;
mod cursor;
mod file;
pub mod it;
mod pcm;
mod probe;
mod properties;
pub mod protracker;
pub mod s3m;
mod summary;
pub mod view;
mod writer;
pub mod xm;

pub use pcm::StoredFrames;
pub use probe::{ModuleFormat, PROBE_LENGTH, probe};
pub use properties::SongProperties;
pub use summary::ModuleSummary;

pub use probe::{is_tagged, signed};

use crate::ModuleBudget;
use crate::error::{Error, ErrorKind};
use file::ModuleReader;

/// A module as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// `ProTracker` and its relatives.
    Protracker(protracker::ModModule),
    /// Scream Tracker 3.
    S3m(s3m::S3mModule),
    /// `FastTracker` 2.
    Xm(xm::XmModule),
    /// Impulse Tracker.
    It(it::ItModule),
}

/// What was read, and what was repaired on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleFile {
    /// What the file says.
    pub raw: Raw,
    /// What it says wrongly, in the order of reading.
    pub repairs: Vec<Repair>,
}

/// Something that was repaired, cut short or left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Where in the file, in bytes.
    pub at: usize,
    /// What it is, such as `sample 3`; numbers count from 1, those of patterns and orders from 0.
    pub what: String,
    /// What is the matter with it.
    pub text: String,
}

/// Reads a module. Its structures and frames are paid for from `budget`; frames also never take more than
/// [`MAX_FRAMES_PER_BYTE`] times the file.
///
/// # Errors
/// If the bytes are no module, if they end before its header, if nothing is there of all that the header claims, or if
/// it would take more than the budget.
pub fn read(bytes: &[u8], mut budget: ModuleBudget) -> Result<ModuleFile, Error> {
    read_within(bytes, &mut budget)
}

/// Reads a module as [`read`] does, and takes from `budget` what its structures cost, even if it fails.
///
/// # Errors
/// As [`read`].
pub fn read_within(bytes: &[u8], budget: &mut ModuleBudget) -> Result<ModuleFile, Error> {
    charged(ModuleReader::new(bytes, *budget), budget)
}

/// Describes a module without decoding frames, and takes from `budget` what its structures cost, even if it fails.
///
/// # Errors
/// As [`read`], but for frames.
pub fn summarize(bytes: &[u8], budget: &mut ModuleBudget) -> Result<ModuleSummary, Error> {
    Ok(charged(ModuleReader::without_frames(bytes, *budget), budget)?.raw.summary())
}

/// Reads a file, and leaves in the budget what its structures did not take.
fn charged(mut file: ModuleReader<'_>, budget: &mut ModuleBudget) -> Result<ModuleFile, Error> {
    let raw = Raw::read(&mut file);
    budget.structures = file.structures_left();
    Ok(ModuleFile { raw: raw?, repairs: file.into_repairs() })
}

impl Raw {
    fn read(file: &mut ModuleReader<'_>) -> Result<Self, Error> {
        let bytes = file.from(0);
        Ok(match probe(bytes, u64::try_from(bytes.len()).unwrap_or(u64::MAX)) {
            Some(ModuleFormat::Protracker) => Self::Protracker(protracker::ModModule::read(file)?),
            Some(ModuleFormat::S3m) => Self::S3m(s3m::S3mModule::read(file)?),
            Some(ModuleFormat::Xm) => Self::Xm(xm::XmModule::read(file)?),
            Some(ModuleFormat::It) => Self::It(it::ItModule::read(file)?),
            None => return Err(Error::new(0, "file", ErrorKind::NotAModule)),
        })
    }
}

/// Bytes of frames that a byte of a file may become: samples of which each claims the whole file would otherwise take
/// its length times their number. Sixteen is what compression can do; the rest is for samples that share their data.
pub const MAX_FRAMES_PER_BYTE: u64 = 64;
