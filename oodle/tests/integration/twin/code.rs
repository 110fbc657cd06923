//! Tables at the start of arrays: lengths of codes, weights, and the symbols that have them.

use super::bits::{Bits, signed};

/// The number of run descriptors for a number of symbols.
fn descriptors(bits: &mut Bits<'_>, symbols: u64) -> u64 {
    if symbols == 256 {
        return 0;
    }
    let x = 2 * (257 - symbols).min(symbols);
    let mut y = 0;
    while x > 1 << y {
        y += 1;
    }
    let t = (1 << y) - x;
    let u = bits.number(y - 1);
    if u < t { u } else { 2 * u + bits.bit() - t }
}

/// The unary numbers of symbols and of runs.
fn numbers(bits: &mut Bits<'_>, symbols: u64) -> Option<(Vec<u32>, Vec<u32>)> {
    let runs = descriptors(bits, symbols);
    let mut all = |count| (0..count).map(|_| bits.zeros()).collect::<Option<Vec<u32>>>();
    Some((all(symbols)?, all(runs)?))
}

fn gap(bits: &mut Bits<'_>, number: u32) -> Option<usize> {
    if number > 7 {
        return None;
    }
    Some((1 << (number + 1)) - 1 + bits.number(number + 1) as usize)
}

/// The symbols of runs, in rising order.
fn symbols(bits: &mut Bits<'_>, runs: &[u32], count: usize) -> Option<Vec<usize>> {
    let mut used = Vec::new();
    let mut symbol = 0;
    let mut runs = runs.iter();
    if runs.len() % 2 == 1 {
        symbol = gap(bits, *runs.next()?)?;
    }
    while let Some(run) = runs.next() {
        if *run > 8 {
            return None;
        }
        let run = (1 << run) + bits.number(*run) as usize;
        used.extend(symbol..symbol + run);
        symbol += run + gap(bits, *runs.next()?)?;
        if used.len() >= count {
            return None;
        }
    }
    used.extend(symbol..symbol + count - used.len());
    used.iter().all(|symbol| *symbol < 256).then_some(used)
}

/// Symbols and the lengths of their codes, in order of delivery.
pub(super) fn lengths(bits: &mut Bits<'_>) -> Option<Vec<(u8, u32)>> {
    let lengths = match (bits.bit(), bits.bit()) {
        (0, 0) => sparse(bits)?,
        (0, 1) => dense(bits)?,
        (1, 0) => new(bits)?,
        _ => return None,
    };
    lengths
        .into_iter()
        .map(|(symbol, length)| {
            (1..=11).contains(&length).then_some((u8::try_from(symbol).ok()?, length as u32))
        })
        .collect()
}

fn sparse(bits: &mut Bits<'_>) -> Option<Vec<(usize, i64)>> {
    let count = bits.number(8);
    if count == 1 {
        return Some(vec![(bits.number(8) as usize, 1)]);
    }
    let width = bits.number(3) as u32;
    if count == 0 || width > 4 {
        return None;
    }
    Some((0..count).map(|_| (bits.number(8) as usize, bits.number(width) as i64 + 1)).collect())
}

fn dense(bits: &mut Bits<'_>) -> Option<Vec<(usize, i64)>> {
    let fixed = bits.number(2) as u32;
    let mut is_used = bits.bit() == 1;
    let (mut symbol, mut average) = (0, 32);
    let mut lengths = Vec::new();
    while symbol < 256 {
        let run = bits.number_after_zeros(7, |zeros| zeros + 1)? as usize - 1;
        if is_used {
            for _ in 0..run {
                let zeros = bits.zeros()?;
                if zeros > 20 >> fixed {
                    return None;
                }
                let value = u64::from(zeros) * (1 << fixed) + bits.number(fixed);
                let length = signed(value) + ((average + 2) >> 2);
                if !(1..=11).contains(&length) || symbol > 255 {
                    return None;
                }
                average = length + ((3 * average + 2) >> 2);
                lengths.push((symbol, length));
                symbol += 1;
            }
        } else {
            symbol += run;
        }
        is_used = !is_used;
    }
    (symbol == 256 && lengths.len() >= 2).then_some(lengths)
}

fn new(bits: &mut Bits<'_>) -> Option<Vec<(usize, i64)>> {
    let fixed = bits.number(2) as u32;
    let count = bits.number(8) + 1;
    let (numbers, runs) = numbers(bits, count)?;
    let mut lengths = Vec::new();
    let mut running = 30;
    for number in numbers {
        let difference = signed(u64::from(number) * (1 << fixed) + bits.number(fixed));
        let length = difference + (running >> 2) + 1;
        if !(1..=11).contains(&length) {
            return None;
        }
        lengths.push(length);
        running += difference;
    }
    let symbols = symbols(bits, &runs, lengths.len())?;
    Some(symbols.into_iter().zip(lengths).collect())
}

/// Weights of the 256 symbols, and the logarithm of their sum.
pub(super) fn weights(bits: &mut Bits<'_>) -> Option<([i64; 256], u32)> {
    if bits.bit() != 0 {
        return None;
    }
    let log = 8 + bits.number(2) as u32;
    let total = 1 << log;
    let mut weights = [0; 256];
    if bits.bit() == 1 {
        dense_weights(bits, &mut weights)?;
    } else {
        let count = bits.number(3) + 1;
        let width = bits.number(4) as u32;
        if width < 1 || width > log {
            return None;
        }
        let (mut weight, mut sum) = (0, 0);
        for _ in 0..count {
            let symbol = bits.number(8) as usize;
            weight += bits.number(width) as i64;
            if weight < 1 || weights[symbol] != 0 {
                return None;
            }
            weights[symbol] = weight;
            sum += weight;
        }
        let symbol = bits.number(8) as usize;
        let last = total - sum;
        if weights[symbol] != 0 || last < weight || last <= 1 {
            return None;
        }
        weights[symbol] = last;
    }
    (weights.iter().sum::<i64>() == total).then_some((weights, log))
}

fn dense_weights(bits: &mut Bits<'_>, weights: &mut [i64; 256]) -> Option<()> {
    let scale = bits.number(3) as u32;
    let count = bits.number(8) + 1;
    if count < 2 {
        return None;
    }
    let (numbers, runs) = numbers(bits, count)?;
    let symbols = symbols(bits, &runs, numbers.len())?;
    let mut average = 6;
    for (symbol, number) in symbols.into_iter().zip(numbers) {
        let exponent = scale + number;
        if exponent > 15 {
            return None;
        }
        let mut value = (1 << exponent) - (1 << scale) + bits.number(exponent) as i64;
        let q = average >> 2;
        let limit = 2 * q;
        if value <= limit {
            value = q + signed(value as u64);
        }
        average += limit.min(value) - q;
        weights[symbol] = value + 1;
    }
    Some(())
}
