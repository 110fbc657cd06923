//! Arrays of bytes.

use super::Bytes;
use super::bits::{Bits, meet};
use super::code;

/// Reads an array of at most `limit` bytes at a level of nesting from 1 to 16.
pub(super) fn array(stored: &mut Bytes<'_>, limit: usize, level: u32) -> Option<Vec<u8>> {
    if level > 16 || stored.len() < 2 {
        return None;
    }
    let first = stored.0[0];
    let kind = first >> 4 & 7;
    let (payload_len, size) = match (kind, first & 128 != 0) {
        (0, true) => {
            let size = stored.big_endian(2)? % 4096;
            (size, size)
        }
        (0, false) => {
            let size = stored.big_endian(3)?;
            if size > 0x3_FFFF {
                return None;
            }
            (size, size)
        }
        (_, true) => {
            let header = stored.big_endian(3)?;
            (header % 1024, header / 1024 % 1024 + header % 1024 + 1)
        }
        (_, false) => {
            let header = stored.big_endian(5)?;
            let (payload_len, size) = (header % 262_144, header / 262_144 % 262_144 + 1);
            if payload_len >= size {
                return None;
            }
            (payload_len, size)
        }
    };
    let size = size as usize;
    if size > limit {
        return None;
    }
    let payload = stored.take(payload_len as usize)?;
    let plain = match kind {
        0 => payload.0.to_vec(),
        1 => tans(payload, size)?,
        2 | 4 => huffman(payload, size, kind == 4)?,
        3 => runs(payload, size, level)?,
        5 => nested(payload, size, level)?,
        _ => return None,
    };
    (plain.len() == size).then_some(plain)
}

fn huffman(mut payload: Bytes<'_>, size: usize, is_double: bool) -> Option<Vec<u8>> {
    let mut bits = Bits::high(payload.0, false);
    let lengths = code::lengths(&mut bits)?;
    payload.take(bits.bytes_used())?;
    if let [(symbol, _)] = lengths.as_slice() {
        return Some(vec![*symbol; size]);
    }
    // Symbols by their codes with a one bit in front.
    let mut symbols = vec![None; 4096];
    let (mut code, mut slots) = (0_usize, 0);
    for length in 1..=11 {
        code *= 2;
        for (symbol, _) in lengths.iter().filter(|(_, its)| *its == length) {
            slots += 1 << (11 - length);
            if slots > 2048 {
                return None;
            }
            symbols[(1 << length) + code] = Some(*symbol);
            code += 1;
        }
    }
    if slots != 2048 {
        return None;
    }
    if !is_double {
        if payload.len() < 3 {
            return None;
        }
        return triple(payload, size, &symbols);
    }
    if payload.len() < 6 {
        return None;
    }
    let left = payload.little_endian(3)? as usize;
    let left = payload.take(left)?;
    let first = size.div_ceil(2);
    if left.len() < 2 || payload.len() < 2 {
        return None;
    }
    let mut plain = triple(left, first, &symbols)?;
    plain.extend(triple(payload, size - first, &symbols)?);
    Some(plain)
}

fn triple(mut part: Bytes<'_>, size: usize, symbols: &[Option<u8>]) -> Option<Vec<u8>> {
    let middle = part.little_endian(2)? as usize;
    let left = part.take(middle)?;
    let mut streams = [Bits::low(left.0, false), Bits::low(part.0, true), Bits::low(part.0, false)];
    let mut plain = Vec::new();
    for turn in (0..3).cycle().take(size) {
        let mut code = 1;
        plain.push(loop {
            code = 2 * code + streams[turn].bit() as usize;
            if let Some(symbol) = symbols[code] {
                break symbol;
            }
        });
    }
    let [a, b, c] = &streams;
    (a.bytes_used() == left.len() && meet(c, b, part.len())).then_some(plain)
}

fn tans(mut payload: Bytes<'_>, size: usize) -> Option<Vec<u8>> {
    if payload.len() < 8 || size < 5 {
        return None;
    }
    let mut bits = Bits::high(payload.0, false);
    let (weights, log) = code::weights(&mut bits)?;
    payload.take(bits.bytes_used())?;
    if payload.is_empty() {
        return None;
    }
    let table = tans_table(&weights, log);
    let mut forward = Bits::low(payload.0, false);
    let mut backward = Bits::low(payload.0, true);
    let mut states = [0; 5];
    for (i, state) in states.iter_mut().enumerate() {
        *state = if i % 2 == 0 { forward.number(log) } else { backward.number(log) };
    }
    let mut plain = Vec::new();
    for i in 0..size - 5 {
        let bits = if i / 5 % 2 == 0 { &mut forward } else { &mut backward };
        let (symbol, width, base) = table[states[i % 5] as usize];
        plain.push(symbol);
        states[i % 5] = base + bits.number(width);
    }
    for state in states {
        plain.push(u8::try_from(state).ok()?);
    }
    meet(&forward, &backward, payload.len()).then_some(plain)
}

fn tans_table(weights: &[i64; 256], log: u32) -> Vec<(u8, u32, u64)> {
    let mut parts: [Vec<(u8, u32, u64)>; 4] = Default::default();
    let mut singles = Vec::new();
    let mut placed = 0;
    for symbol in 0..=255 {
        let weight = weights[usize::from(symbol)] as u64;
        if weight == 1 {
            singles.push((symbol, log, 0));
        } else if weight > 1 {
            let mut x = weight;
            for (j, part) in (0..).zip(&mut parts) {
                for _ in (0..weight).filter(|k| (placed + k) % 4 == j) {
                    let width = log - x.ilog2();
                    part.push((symbol, width, (x << width) - (1 << log)));
                    x += 1;
                }
            }
            placed += weight;
        }
    }
    [parts.concat(), singles].concat()
}

fn runs(mut payload: Bytes<'_>, size: usize, level: u32) -> Option<Vec<u8>> {
    if payload.len() == 1 {
        return Some(vec![payload.0[0]; size]);
    }
    let work = if *payload.0.first()? == 0 {
        payload.0[1..].to_vec()
    } else {
        let mut work = array(&mut payload, 2 * size + 64, level + 1)?;
        work.extend(payload.0);
        work
    };
    let (mut front, mut back) = (0, work.len());
    let mut plain = Vec::new();
    let mut fill = 0;
    while front < back {
        let command = usize::from(work[back - 1]);
        let (mut literals, mut filled) = (0, 0);
        if command == 1 {
            back -= 1;
            if front == back {
                return None;
            }
            fill = work[front];
            front += 1;
        } else if command == 0 || command >= 0x30 {
            back -= 1;
            literals = 15 - command % 16;
            filled = command / 16;
        } else {
            if back - front < 2 {
                return None;
            }
            back -= 2;
            let x = usize::from(work[back]) + 256 * command;
            if command >= 0x10 {
                literals = (x - 0x1000) % 64;
                filled = (x - 0x1000) / 64;
            } else if command >= 9 {
                filled = (x - 0x8FF) * 128;
            } else {
                literals = (x - 0x1FF) * 64;
            }
        }
        if literals > back - front || literals + filled > size - plain.len() {
            return None;
        }
        plain.extend(&work[front..front + literals]);
        front += literals;
        plain.resize(plain.len() + filled, fill);
    }
    Some(plain)
}

fn nested(mut payload: Bytes<'_>, size: usize, level: u32) -> Option<Vec<u8>> {
    if payload.len() < 6 {
        return None;
    }
    let first = payload.0[0];
    if first % 128 < 2 {
        return None;
    }
    let mut plain = Vec::new();
    if first < 128 {
        payload.byte()?;
        for _ in 0..first {
            let left = size - plain.len();
            plain.extend(array(&mut payload, left, level + 1)?);
        }
    } else {
        plain = multi(&mut payload, 1, size, level + 1)?.concat();
    }
    payload.is_empty().then_some(plain)
}

/// Reads several outputs; their arrays are at `level`.
pub(super) fn multi(
    stored: &mut Bytes<'_>,
    outputs: usize,
    limit: usize,
    level: u32,
) -> Option<Vec<Vec<u8>>> {
    let first = stored.byte()?;
    if first < 128 {
        return None;
    }
    let mut left = limit;
    let mut next = |stored: &mut Bytes<'_>| {
        let plain = array(stored, left, level)?;
        left -= plain.len();
        Some(plain)
    };
    let count = usize::from(first % 64);
    if count == 0 {
        return (0..outputs).map(|_| next(stored)).collect();
    }
    let pieces = (0..count).map(|_| next(stored)).collect::<Option<Vec<_>>>()?;
    let total = pieces.iter().map(Vec::len).sum();
    let q = stored.little_endian(2)? as usize;
    let mut indexes = array(stored, total, level)?;
    if indexes.len() <= outputs {
        return None;
    }
    let is_joint = q >= 0x8000;
    let sizes = if is_joint {
        let sizes = indexes.iter().map(|both| both / 16).collect();
        indexes.iter_mut().for_each(|both| *both %= 16);
        sizes
    } else {
        array(stored, indexes.len() - outputs, level)?
    };
    if sizes.iter().any(|size| *size > 16) || !is_joint && sizes.len() != indexes.len() - outputs {
        return None;
    }
    let region = stored.take(q % 0x4000)?;
    let (mut forward, mut backward) = (Bits::high(region.0, false), Bits::high(region.0, true));
    let sizes: Vec<usize> = (0..sizes.len())
        .map(|i| {
            let bits = if i % 2 == 0 { &mut forward } else { &mut backward };
            (1 << sizes[i]) + bits.number(sizes[i].into()) as usize
        })
        .collect();
    if !meet(&forward, &backward, region.len()) || indexes.last() != Some(&0) {
        return None;
    }
    let mut sizes = sizes.iter();
    let mut pieces: Vec<Bytes<'_>> = pieces.iter().map(|piece| Bytes(piece)).collect();
    let mut made = vec![Vec::new()];
    for index in indexes {
        if index == 0 {
            made.push(Vec::new());
            if is_joint {
                sizes.next()?;
            }
        } else {
            let piece = pieces.get_mut(usize::from(index) - 1)?;
            let bytes = piece.take(*sizes.next()?)?;
            made.last_mut()?.extend(bytes.0);
        }
    }
    made.pop();
    let is_used = sizes.next().is_none() && pieces.iter().all(Bytes::is_empty);
    (is_used && made.len() == outputs).then_some(made)
}
