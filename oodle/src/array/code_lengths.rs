//! Code lengths of a Huffman array.
//!
//! ```text
//! 0 0   symbols with their lengths, sparse
//! 0 1   runs of used and unused symbols, lengths as differences to an average, dense
//! 1 0   all differences, then the used symbols as run descriptors
//! ```

use super::used::UnaryNumbers;
use crate::bits::{Forward, MsbReader, signed};
use crate::error::Error;
use crate::input::StoredBytes;

/// Longest code.
pub(super) const MAX_CODE_LENGTH: u32 = 11;

/// Symbols and the lengths of their codes, 1 to [`MAX_CODE_LENGTH`], in the order in which codes of one length are
/// given out.
pub(super) struct CodeLengths {
    symbols: [u8; 256],
    lengths: [u8; 256],
    len: usize,
}

impl CodeLengths {
    /// Reads code lengths, and takes their bytes from the payload.
    ///
    /// # Errors
    /// If they break a rule of the format.
    pub(super) fn read(payload: &mut StoredBytes<'_>) -> Result<Self, Error> {
        let mut bits = MsbReader::new(payload.rest());
        let mut lengths = Self { symbols: [0; 256], lengths: [0; 256], len: 0 };
        let read = match (bits.read(1), bits.read(1)) {
            (0, 0) => lengths.read_sparse(&mut bits),
            (0, _) => lengths.read_dense(&mut bits),
            (_, 0) => lengths.read_new(&mut bits),
            _ => None,
        };
        payload.require(read.is_some(), "are out of range")?;
        payload.take(bits.bytes_begun())?;
        Ok(lengths)
    }

    /// Returns the symbols and the lengths of their codes.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u8, u8)> {
        self.symbols[..self.len].iter().copied().zip(self.lengths[..self.len].iter().copied())
    }

    /// Returns the symbol if it is the only one.
    pub(super) fn single(&self) -> Option<u8> {
        (self.len == 1).then_some(self.symbols[0])
    }

    /// Appends a symbol.
    fn push(&mut self, symbol: usize, length: i32) -> Option<()> {
        let length =
            u8::try_from(length).ok().filter(|length| (1..=MAX_CODE_LENGTH as u8).contains(length))?;
        *self.lengths.get_mut(self.len)? = length;
        self.symbols[self.len] = symbol as u8;
        self.len += 1;
        Some(())
    }

    fn read_sparse(&mut self, bits: &mut MsbReader<'_, Forward>) -> Option<()> {
        let count = bits.read(8);
        if count == 1 {
            return self.push(bits.read(8) as usize, 1);
        }
        let width = bits.read(3);
        if count == 0 || width > 4 {
            return None;
        }
        for _ in 0..count {
            let symbol = bits.read(8) as usize;
            self.push(symbol, bits.read(width) as i32 + 1)?;
        }
        Some(())
    }

    fn read_dense(&mut self, bits: &mut MsbReader<'_, Forward>) -> Option<()> {
        let fixed = bits.read(2);
        let mut is_used = bits.read(1) == 1;
        let mut average = 32;
        let mut symbol = 0;
        while symbol < 256 {
            let zeros = bits.zeros(7)?;
            let end = symbol + bits.read(2 * zeros + 2) as usize - 1;
            if end > 256 {
                return None;
            }
            if is_used {
                for symbol in symbol..end {
                    let zeros = bits.unary(20 >> fixed)?;
                    let value = (zeros << fixed) + bits.read(fixed);
                    let length = signed(value) + ((average + 2) >> 2);
                    self.push(symbol, length)?;
                    average = length + ((3 * average + 2) >> 2);
                }
            }
            symbol = end;
            is_used = !is_used;
        }
        (self.len >= 2).then_some(())
    }

    fn read_new(&mut self, bits: &mut MsbReader<'_, Forward>) -> Option<()> {
        let fixed = bits.read(2);
        let count = bits.read(8) as usize + 1;
        let numbers = UnaryNumbers::read(bits, count)?;
        let mut running = 30;
        for &unary in numbers.of_symbols() {
            let difference = signed((u32::from(unary) << fixed) + bits.read(fixed));
            self.push(0, difference + (running >> 2) + 1)?;
            running += difference;
        }
        let used = numbers.used(bits)?;
        self.symbols[..count].copy_from_slice(used.symbols());
        Some(())
    }
}
