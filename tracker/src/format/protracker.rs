//! `ProTracker` modules and those of its relatives.
//!
//! ```text
//! title │ 31 (or 15) sample headers │ length, restart │ 128 orders │ tag │ patterns │ samples
//! ```
//!
//! Numbers have their high end first. Files of the first trackers have 15 samples and no tag.

mod header;
mod pattern;
mod program;
mod sample;
mod song;
pub(super) mod untagged;

pub use header::{FormatTag, Header};
pub use pattern::{Cell, Pattern, ROWS};
pub use sample::{FrameCoding, Sample};

use super::file::ModuleReader;
use crate::Error;

/// A module as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct ModModule {
    /// Title, orders and tag.
    pub header: Header,
    /// The patterns that the file has.
    pub patterns: Vec<Pattern>,
    /// All 31 or 15 samples, most of which may be empty.
    pub samples: Vec<Sample>,
}

impl ModModule {
    pub(super) fn read(file: &mut ModuleReader<'_>) -> Result<Self, Error> {
        let (mut header, mut samples) = header::read(file)?;
        let recorded = samples.iter().map(Sample::stored_bytes).fold(0, usize::saturating_add);
        header.widen(file, recorded);
        let count = header.patterns(file.len(), recorded);
        let (patterns, mut at) = pattern::read_all(file, &header, count)?;
        for (sample, number) in samples.iter_mut().zip(1_usize..) {
            at = sample.read_frames(file, at, number)?;
        }
        Ok(Self { header, patterns, samples })
    }
}
