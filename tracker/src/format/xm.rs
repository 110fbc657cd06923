//! `FastTracker` 2 modules.
//!
//! ```text
//! 0x0104          header │ patterns │ instruments, each with its samples and their frames │ other trackers' chunks
//! 0x0102, 0x0103  header │ instruments with the headers of their samples │ patterns │ all frames
//! ```
//!
//! Header, patterns and instruments say how long they are, and what follows begins there.

mod chunks;
mod header;
mod instrument;
mod pattern;
mod program;
mod sample;
mod song;

pub use header::Header;
pub use instrument::{Instrument, XmEnvelope, XmInstrumentSettings};
pub use pattern::{Cell, Pattern};
pub use sample::{DeltaCoding, Sample};

use super::file::ModuleReader;
use super::properties::SongProperties;
use crate::Error;
use header::XmLayout;

/// A module as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct XmModule {
    /// Title, orders, flags.
    pub header: Header,
    /// The patterns that the file has.
    pub patterns: Vec<Pattern>,
    /// The instruments that the file has.
    pub instruments: Vec<Instrument>,
    /// The message that other trackers add.
    pub message: Option<Vec<u8>>,
    /// What `OpenMPT` says of the song.
    pub properties: SongProperties,
}

impl XmModule {
    pub(super) fn read(file: &mut ModuleReader<'_>) -> Result<Self, Error> {
        let header = header::read(file)?;
        let layout = XmLayout::of(&header)?;
        let start = header.end();
        if file.from(start).is_empty() && (header.patterns > 0 || header.instruments > 0) {
            let text = "outside the file, like all else that the header counts";
            return Err(file.cursor(start, "the first pattern or instrument").error(text));
        }
        let (patterns, mut instruments, end);
        if layout.instruments_first {
            let (mut headers, at) = instrument::read_all(file, &header, layout, start)?;
            let (read, mut at) = pattern::read_all(file, &header, layout, at)?;
            for (instrument, number) in headers.iter_mut().zip(1..) {
                at = instrument.read_frames(file, at, number)?;
            }
            (patterns, instruments, end) = (read, headers, at);
        } else {
            let at;
            (patterns, at) = pattern::read_all(file, &header, layout, start)?;
            (instruments, end) = instrument::read_all(file, &header, layout, at)?;
        }
        instruments.shrink_to_fit();
        let (message, properties) = chunks::read(file, end, instruments.len())?;
        Ok(Self { header, patterns, instruments, message, properties })
    }
}
