//! Decodes buffers of Oodle data compression: Kraken, Mermaid, Selkie and Leviathan.
//!
//! ```text
//! buffer    headers of blocks, quanta and chunks; what each chunk is
//! array     the byte streams inside a chunk: Huffman, tANS, run lengths, nested, multi-arrays
//! lz        per method: the parts of a chunk, then copies of literals and matches
//! ```
//!
//! A buffer does not state its sizes: the container around it does. Input is hostile: every size and distance is
//! checked, and all conditions that a whole stream meets at its ends.

#![forbid(unsafe_code)]

mod array;
mod bits;
mod buffer;
mod error;
mod input;
mod lz;

pub use error::{Error, FormatPart};

/// A decoder with work space that is kept from one buffer to the next: about a megabyte.
#[derive(Default)]
pub struct Decoder {
    work: lz::ChunkWorkspace,
}

impl Decoder {
    /// Makes a decoder; its work space grows with the first buffers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Decodes a buffer of exactly `plain.len()` plain bytes.
    ///
    /// Nothing carries over from the buffer before. After an error `plain` has bytes without meaning.
    ///
    /// # Errors
    /// If the method is not supported, the stored bytes break a rule of the format, or they have another plain size.
    pub fn decode(&mut self, stored: &[u8], plain: &mut [u8]) -> Result<(), Error> {
        if i32::try_from(plain.len()).is_err() {
            return Err(Error::TooLarge);
        }
        buffer::decode(stored, plain, &mut self.work)
    }
}

/// Decodes one buffer of exactly `plain.len()` plain bytes.
///
/// # Errors
/// As [`Decoder::decode`].
pub fn decode(stored: &[u8], plain: &mut [u8]) -> Result<(), Error> {
    Decoder::new().decode(stored, plain)
}
