//! Which of the 256 symbols a code has: run descriptors, shared by code lengths and tANS weights.

use crate::bits::{Forward, MsbReader};

/// Largest unary number that can be part of a valid table.
const MAX_UNARY: u32 = 40;

/// The unary numbers at the start of a table: one for each used symbol, then those of the run descriptors.
pub(super) struct UnaryNumbers {
    numbers: [u8; 512],
    symbols: usize,
    all: usize,
}

impl UnaryNumbers {
    /// Reads the number of run descriptors for `symbols` used symbols, 1 to 256, then all unary numbers.
    ///
    /// Returns nothing if one is too long for any valid table.
    pub(super) fn read(bits: &mut MsbReader<'_, Forward>, symbols: usize) -> Option<Self> {
        let all = symbols + descriptors(bits, symbols);
        let mut numbers = [0; 512];
        for number in &mut numbers[..all] {
            *number = bits.unary(MAX_UNARY)? as u8;
        }
        Some(Self { numbers, symbols, all })
    }

    /// Returns the number of each used symbol.
    pub(super) fn of_symbols(&self) -> &[u8] {
        &self.numbers[..self.symbols]
    }

    /// Reads the extra bits of the run descriptors, and returns the used symbols in rising order.
    ///
    /// Returns nothing if they do not fit the 256 symbols.
    pub(super) fn used(&self, bits: &mut MsbReader<'_, Forward>) -> Option<Used> {
        let descriptors = &self.numbers[self.symbols..self.all];
        let (first, pairs) = descriptors.split_at(descriptors.len() % 2);
        let mut used = Used { symbols: [0; 256], len: 0 };
        let mut next = match first {
            [unary] => gap(bits, *unary)?,
            _ => 0,
        };
        for pair in pairs.chunks_exact(2) {
            if pair[0] > 8 {
                return None;
            }
            let count = (1 << pair[0]) + bits.read(pair[0].into()) as usize;
            used.push_run(next, count)?;
            next += count + gap(bits, pair[1])?;
            if used.len >= self.symbols {
                return None;
            }
        }
        used.push_run(next, self.symbols - used.len)?;
        Some(used)
    }
}

/// Symbols in rising order.
pub(super) struct Used {
    symbols: [u8; 256],
    len: usize,
}

impl Used {
    pub(super) fn symbols(&self) -> &[u8] {
        &self.symbols[..self.len]
    }

    /// Appends a run of `count` symbols that starts at `first`.
    fn push_run(&mut self, first: usize, count: usize) -> Option<()> {
        if first + count > 256 {
            return None;
        }
        for (slot, symbol) in self.symbols.get_mut(self.len..self.len + count)?.iter_mut().zip(first..) {
            *slot = symbol as u8;
        }
        self.len += count;
        Some(())
    }
}

/// Reads the number of run descriptors, a truncated binary number whose range depends on the number of symbols.
fn descriptors(bits: &mut MsbReader<'_, Forward>, symbols: usize) -> usize {
    if symbols == 256 {
        return 0;
    }
    let range = 2 * (257 - symbols).min(symbols) as u32;
    let width = u32::BITS - (range - 1).leading_zeros();
    let short = (1 << width) - range;
    let value = bits.read(width - 1);
    let value = if value < short { value } else { 2 * value + bits.read(1) - short };
    value as usize
}

/// Reads the length of a run of unused symbols.
fn gap(bits: &mut MsbReader<'_, Forward>, unary: u8) -> Option<usize> {
    (unary <= 7).then(|| (2 << unary) - 1 + bits.read(u32::from(unary) + 1) as usize)
}
