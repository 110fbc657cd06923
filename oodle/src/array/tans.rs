//! tANS arrays: weights, then two streams whose symbols five states decode in turn.
//!
//! The streams F and B have the bits of five symbols each in turn, five states go round. F and B meet, which proves the
//! array.

use super::used::UnaryNumbers;
use crate::bits::{Backward, Forward, LsbReader, MsbReader, signed};
use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;

const MAX_ENTRIES: usize = 1 << 11;

/// Number of states.
const STATES: usize = 5;

/// Maps a state to its symbol (bits 0–7), the bits to read for the next state (8–15) and what is added to them (16–31).
pub(super) struct TansTable(Box<[u32; MAX_ENTRIES]>);

impl Default for TansTable {
    fn default() -> Self {
        Self(Box::new([0; MAX_ENTRIES]))
    }
}

fn entry(symbol: u8, bits: u32, base: u32) -> u32 {
    u32::from(symbol) | bits << 8 | base << 16
}

/// Weights of all symbols, 0 for the unused, and their sum as a power of two.
struct Weights {
    weights: [u16; 256],
    log: u32,
}

impl Weights {
    fn total(&self) -> u32 {
        1 << self.log
    }

    /// Reads weights; nothing if they are out of range or do not add up.
    fn read(bits: &mut MsbReader<'_, Forward>) -> Option<Self> {
        if bits.read(1) != 0 {
            return None;
        }
        let mut weights = Self { weights: [0; 256], log: 8 + bits.read(2) };
        if bits.read(1) == 1 {
            weights.read_dense(bits)?;
        } else {
            weights.read_sparse(bits)?;
        }
        Some(weights)
    }

    fn read_dense(&mut self, bits: &mut MsbReader<'_, Forward>) -> Option<()> {
        let scale = bits.read(3);
        let count = bits.read(8) as usize + 1;
        if count < 2 {
            return None;
        }
        let numbers = UnaryNumbers::read(bits, count)?;
        let used = numbers.used(bits)?;
        let mut average = 6;
        let mut sum = 0;
        for (&symbol, &unary) in used.symbols().iter().zip(numbers.of_symbols()) {
            let exponent = scale + u32::from(unary);
            if exponent > 15 {
                return None;
            }
            let mut value = (1 << exponent) - (1 << scale) + bits.read(exponent) as i32;
            let quarter = average >> 2;
            let limit = 2 * quarter;
            if value <= limit {
                value = quarter + signed(value as u32);
            }
            average += limit.min(value) - quarter;
            let weight = value as u32 + 1;
            sum += weight;
            if sum > self.total() {
                return None;
            }
            self.weights[usize::from(symbol)] = weight as u16;
        }
        (sum == self.total()).then_some(())
    }

    fn read_sparse(&mut self, bits: &mut MsbReader<'_, Forward>) -> Option<()> {
        let count = bits.read(3) + 1;
        let width = bits.read(4);
        if !(1..=self.log).contains(&width) {
            return None;
        }
        let (mut weight, mut sum) = (0, 0);
        for _ in 0..count {
            let symbol = bits.read(8) as usize;
            weight += bits.read(width);
            sum += weight;
            if self.weights[symbol] != 0 || weight == 0 || sum > self.total() {
                return None;
            }
            self.weights[symbol] = weight as u16;
        }
        let symbol = bits.read(8) as usize;
        let last = self.total() - sum;
        if self.weights[symbol] != 0 || last < weight || last <= 1 {
            return None;
        }
        self.weights[symbol] = last as u16;
        Some(())
    }
}

impl TansTable {
    /// Deals the states out to the symbols.
    fn build(&mut self, weights: &Weights) {
        let table = &mut self.0[..weights.total() as usize];
        let singles = weights.weights.iter().filter(|&&weight| weight == 1).count();
        let shared = table.len() - singles;
        // The slots that are shared, in four parts.
        let mut slots = [0; 4];
        for part in 1..4 {
            slots[part] = slots[part - 1] + shared / 4 + usize::from(part - 1 < shared % 4);
        }
        let mut placed = 0;
        let mut single = shared;
        for (symbol, &weight) in (0..=u8::MAX).zip(&weights.weights) {
            let weight = u32::from(weight);
            if weight == 1 {
                table[single] = entry(symbol, weights.log, 0);
                single += 1;
            } else if weight > 1 {
                let mut occurrence = weight;
                for part in 0..4 {
                    // Of the numbers from `placed` on, those that leave the rest `part` of 4.
                    let count = (weight + 3 - ((part as u32).wrapping_sub(placed) & 3)) / 4;
                    for slot in &mut table[slots[part]..slots[part] + count as usize] {
                        let bits = weights.log - occurrence.ilog2();
                        *slot = entry(symbol, bits, (occurrence << bits) - weights.total());
                        occurrence += 1;
                    }
                    slots[part] += count as usize;
                }
                placed += weight;
            }
        }
    }
}

/// Decodes an array of type 1.
pub(super) fn decode(
    mut payload: StoredBytes<'_>,
    plain: &mut [u8],
    table: &mut TansTable,
) -> Result<(), Error> {
    payload.require(payload.len() >= 8 && plain.len() >= STATES, "is too short")?;
    let mut bits = MsbReader::new(payload.rest());
    let weights = Weights::read(&mut bits);
    let Some(weights) = weights else { return Err(payload.refuse("has weights out of range")) };
    payload.take(bits.bytes_begun())?;
    payload.require(!payload.is_empty(), "has no symbols")?;
    table.build(&weights);
    let streams = payload.part(FormatPart::Tans);
    let mut f = LsbReader::<Forward>::new(streams.rest());
    let mut b = LsbReader::<Backward>::new(streams.rest());
    let log = weights.log;
    let mut states = [f.read(log), b.read(log), f.read(log), b.read(log), f.read(log)];
    let (body, last) = plain.split_at_mut(plain.len() - STATES);
    let mut made = 0;
    let table = &*table.0;
    while let Some(out) = body[made..].first_chunk_mut::<10>() {
        let (Some(f_window), Some(b_window)) = (f.peek_inside(), b.peek_inside()) else { break };
        let (f_out, b_out) = out.split_at_mut(STATES);
        f.skip(steps(table, f_window, &mut states, f_out));
        b.skip(steps(table, b_window, &mut states, b_out));
        made += out.len();
    }
    for (turn, five) in body[made..].chunks_mut(STATES).enumerate() {
        if turn % 2 == 0 {
            f.skip(steps(table, f.peek(), &mut states, five));
        } else {
            b.skip(steps(table, b.peek(), &mut states, five));
        }
    }
    for (symbol, state) in last.iter_mut().zip(states) {
        *symbol = u8::try_from(state).map_err(|_| streams.refuse("ends in a state that is no symbol"))?;
    }
    let meet = f.bytes_begun() + b.bytes_begun() == streams.len();
    streams.require(meet, "streams do not meet")
}

/// Decodes one symbol of each of the first states, and returns the bits this took.
#[inline(always)]
fn steps(table: &[u32; MAX_ENTRIES], mut window: u64, states: &mut [u32; STATES], out: &mut [u8]) -> u32 {
    let mut taken = 0;
    for (symbol, state) in out.iter_mut().zip(states) {
        let entry = table[*state as usize % MAX_ENTRIES];
        let bits = entry >> 8 & 0xFF;
        *symbol = entry as u8;
        *state = (entry >> 16) + (window as u32 & ((1 << bits) - 1));
        window >>= bits;
        taken += bits;
    }
    taken
}
