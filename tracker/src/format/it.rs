//! Impulse Tracker modules.
//!
//! ```text
//! header │ orders │ offsets of instruments, samples, patterns │ history │ MIDI macros │ other trackers' chunks
//!                     └─► 554 bytes    └─► 80 bytes ─► frames     └─► length, rows, packed cells
//! ```
//!
//! Everything is found by its offset; of what other trackers write in between and after, only how many channels they
//! say there are.

mod compressed;
mod extended;
mod header;
mod instrument;
mod pattern;
mod program;
mod sample;
mod song;

pub use header::{Header, MACRO_BYTES};
pub use instrument::{EnvelopeNodes, Instrument, ItInstrumentSettings, New, Old};
pub use pattern::{Cell, Pattern};
pub use sample::Sample;

use header::Extras;

use super::file::ModuleReader;
use super::properties::SongProperties;
use crate::Error;

/// A module as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct ItModule {
    /// Title, orders, channels.
    pub header: Header,
    /// As many as the header says.
    pub instruments: Vec<Instrument>,
    /// As many as the header says.
    pub samples: Vec<Sample>,
    /// As many as the header says; one without an offset is empty.
    pub patterns: Vec<Pattern>,
    /// The message; its lines end with a carriage return.
    pub message: Option<Vec<u8>>,
    /// When it was edited: entries of date, time and duration, as stored.
    pub history: Vec<[u8; 8]>,
    /// MIDI macros as stored, of 32 bytes each: 9 of the song, 16 for parameters to 127, 128 for those above.
    pub macros: Option<Box<[u8; MACRO_BYTES]>>,
    /// Channels that another tracker says there are, 127 at most, whether its patterns use them or not; 0 if it says
    /// nothing.
    pub claimed_channels: u8,
    /// What `OpenMPT` says of the song.
    pub properties: SongProperties,
}

impl ItModule {
    pub(super) fn read(file: &mut ModuleReader<'_>) -> Result<Self, Error> {
        let (header, pointers) = header::read(file)?;
        pointers.check(file)?;
        let message = header::message(file, &header)?;
        let Extras { history, macros, remaining: rest } = header::extras(file, &header, &pointers)?;
        file.pay::<Instrument>(pointers.instruments.len())?;
        let mut instruments = Vec::with_capacity(pointers.instruments.len());
        for (at, number) in pointers.instruments.iter().zip(1..) {
            instruments.push(instrument::read(file, *at, number, header.has_old_instruments())?);
        }
        file.pay::<Sample>(pointers.samples.len())?;
        let mut samples = Vec::with_capacity(pointers.samples.len());
        for (at, number) in pointers.samples.iter().zip(1..) {
            samples.push(sample::read(file, *at, number)?);
        }
        file.pay::<Pattern>(pointers.patterns.len())?;
        let mut patterns = Vec::with_capacity(pointers.patterns.len());
        let mut events = Vec::new();
        for (at, number) in pointers.patterns.iter().zip(0..) {
            patterns.push(pattern::read(file, *at, number, &mut events)?);
        }
        let mut module = Self {
            header,
            instruments,
            samples,
            patterns,
            message,
            history,
            macros,
            claimed_channels: 0,
            properties: SongProperties::default(),
        };
        module.properties = extended::properties(file, &pointers, &module);
        let named = extended::named_channels(rest);
        let claimed = named.max(module.properties.channels.map_or(0, usize::from));
        module.claimed_channels = u8::try_from(claimed.min(pattern::CHANNELS)).unwrap_or(u8::MAX);
        Ok(module)
    }
}
