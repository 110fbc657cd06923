//! Scream Tracker 3 modules.
//!
//! ```text
//! header │ orders │ pointers to instruments │ pointers to patterns │ pans      pointers count 16 bytes
//! ```

mod header;
mod instrument;
mod pattern;
mod program;
mod song;

pub use header::Header;
pub use instrument::{Adlib, Instrument, S3mBody, Sample};
pub use pattern::{CHANNELS, Cell, Pattern, ROWS};

use super::file::ModuleReader;
use crate::Error;

/// A module as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct S3mModule {
    /// Title, orders, channels.
    pub header: Header,
    /// Samples and sounds of a synthesiser.
    pub instruments: Vec<Instrument>,
    /// As many as the header says; one without an offset is empty.
    pub patterns: Vec<Pattern>,
}

impl S3mModule {
    pub(super) fn read(file: &mut ModuleReader<'_>) -> Result<Self, Error> {
        let (header, pointers) = header::read(file)?;
        pointers.check(file)?;
        file.pay::<Instrument>(pointers.instruments.len())?;
        let mut instruments = Vec::with_capacity(pointers.instruments.len());
        for (at, number) in pointers.instruments.iter().zip(1..) {
            instruments.push(instrument::read(file, *at, number, header.has_unsigned_samples())?);
        }
        file.pay::<Pattern>(pointers.patterns.len())?;
        let mut patterns = Vec::with_capacity(pointers.patterns.len());
        for (at, number) in pointers.patterns.iter().zip(0..) {
            patterns.push(pattern::read(file, *at, number)?);
        }
        Ok(Self { header, instruments, patterns })
    }
}
