//! Floors: the rough shape of a channel's spectrum, by which its fine structure is multiplied.
//!
//! ```text
//! floor ─┬─ type 0: line spectral pairs of a filter
//!        └─ type 1: points with straight lines between them
//! ```
//!
//! Source: Xiph.Org, *Vorbis I specification*, §4.3.2 and §4.3.6.

use super::super::bits::LsbBitReader;
use super::codebook::Codebook;
use super::lines::Lines;
use super::lsp::Lsp;

/// A floor of a setup header.
#[derive(Debug)]
pub(super) enum Floor {
    Lsp(Lsp),
    Lines(Lines),
}

/// The floor of one channel in one block; memory is kept from block to block.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    /// Heights of the points of lines, in the order of the header, and which of them are drawn to.
    pub(super) heights: Vec<i32>,
    pub(super) is_drawn: Vec<bool>,
    /// Amplitude and coefficients of line spectral pairs.
    pub(super) amplitude: f32,
    pub(super) coefficients: Vec<f32>,
}

impl Floor {
    /// Decodes the floor of a channel; none if the channel is unused in this block.
    pub(super) fn decode(
        &self,
        bits: &mut LsbBitReader<'_>,
        books: &[Codebook],
        curve: &mut Curve,
    ) -> Option<()> {
        match self {
            Self::Lsp(lsp) => lsp.decode(bits, books, curve),
            Self::Lines(lines) => lines.decode(bits, books, curve),
        }
    }

    /// Multiplies a spectrum of a short or a long block by a floor.
    pub(super) fn multiply(&self, curve: &Curve, is_long: bool, spectrum: &mut [f32]) {
        match self {
            Self::Lsp(lsp) => lsp.multiply(curve, is_long, spectrum),
            Self::Lines(lines) => lines.multiply(curve, spectrum),
        }
    }
}
