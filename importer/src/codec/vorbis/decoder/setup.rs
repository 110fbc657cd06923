//! Setup headers: what packets are decoded with.
//!
//! ```text
//! 5 vorbis │ codebooks │ times │ floors │ residues │ mappings │ modes │ 1
//! ```
//!
//! Source: Xiph.Org, *Vorbis I specification*, §4.2.

use super::super::bits::LsbBitReader;
use super::codebook::{Codebook, INVALID, Taken};
use super::floor::Floor;
use super::lines::Lines;
use super::lsp::Lsp;
use super::mapping::Mapping;
use super::residue::Residue;

/// What a setup header describes.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) books: Vec<Codebook>,
    pub(super) floors: Vec<Floor>,
    pub(super) residues: Vec<Residue>,
    pub(super) mappings: Vec<Mapping>,
    pub(super) modes: Vec<Mode>,
}

/// A kind of packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) is_long: bool,
    pub(super) mapping: usize,
}

impl Setup {
    /// Reads a setup header for spectra of two lengths.
    ///
    /// # Errors
    /// If it makes no sense or ends early, or its codebooks are larger than any encoder makes them.
    pub(super) fn read(header: &[u8], channels: usize, lengths: [usize; 2]) -> Result<Self, &'static str> {
        let header = header.strip_prefix(b"\x05vorbis").ok_or("a Vorbis stream without a setup header")?;
        let mut bits = LsbBitReader::new(header);
        let mut taken = Taken::default();
        let count = bits.read(8).ok_or(INVALID)?;
        let books: Result<Vec<_>, _> = (0..=count).map(|_| Codebook::read(&mut bits, &mut taken)).collect();
        Self::after_books(&mut bits, books?, channels, lengths)
            .ok_or("a Vorbis setup header that makes no sense")
    }

    fn after_books(
        bits: &mut LsbBitReader<'_>,
        books: Vec<Codebook>,
        channels: usize,
        lengths: [usize; 2],
    ) -> Option<Self> {
        for _ in 0..=bits.read(6)? {
            let _time = bits.read(16)?;
        }
        let count = bits.read(6)?;
        let floor = |_| match bits.read(16)? {
            0 => Lsp::read(bits, &books, lengths).map(Floor::Lsp),
            1 => Lines::read(bits, books.len()).map(Floor::Lines),
            _ => None,
        };
        let floors: Vec<Floor> = (0..=count).map(floor).collect::<Option<_>>()?;
        let count = bits.read(6)?;
        let residues: Vec<Residue> =
            (0..=count).map(|_| Residue::read(bits, &books)).collect::<Option<_>>()?;
        let there = (floors.len(), residues.len());
        let count = bits.read(6)?;
        let mappings: Vec<Mapping> =
            (0..=count).map(|_| Mapping::read(bits, channels, there)).collect::<Option<_>>()?;
        let count = bits.read(6)?;
        let mode = |_| {
            let is_long = bits.flag()?;
            // The kinds of window and transform: there is one of each.
            let kinds = bits.read(32)?;
            let mapping = bits.size(8).filter(|mapping| kinds == 0 && *mapping < mappings.len())?;
            Some(Mode { is_long, mapping })
        };
        let modes = (0..=count).map(mode).collect::<Option<_>>()?;
        bits.flag()?.then_some(Self { books, floors, residues, mappings, modes })
    }
}
