//! LZ chunks. `plain` is the history since the last restart, to which the chunk is appended.

use super::Bytes;
use super::entropy::{array, multi};
use super::offsets::{self, Codes};

/// Copies the raw bytes at the start of the history.
fn raw_start(stored: &mut Bytes<'_>, plain: &mut Vec<u8>, end: usize) -> Option<()> {
    if plain.is_empty() {
        plain.extend(stored.take(8)?.0);
    }
    (plain.len() <= end).then_some(())
}

/// Returns the byte `distance` before the next one.
fn before(plain: &[u8], distance: u64) -> Option<u8> {
    let distance = usize::try_from(distance).ok()?;
    if distance == 0 {
        return None;
    }
    Some(plain[plain.len().checked_sub(distance)?])
}

fn copy_match(plain: &mut Vec<u8>, distance: u64, len: usize, end: usize) -> Option<()> {
    if distance < 8 && len as u64 > distance || len > end - plain.len() {
        return None;
    }
    for _ in 0..len {
        let byte = before(plain, distance)?;
        plain.push(byte);
    }
    Some(())
}

/// Moves literals to the plain bytes.
fn copy_literals(
    plain: &mut Vec<u8>,
    literals: &mut Bytes<'_>,
    len: usize,
    distance: Option<u64>,
    end: usize,
) -> Option<()> {
    if len > end - plain.len() {
        return None;
    }
    for _ in 0..len {
        let added = distance.map_or(Some(0), |distance| before(plain, distance))?;
        let literal = literals.byte()?;
        plain.push(literal.wrapping_add(added));
    }
    Some(())
}

pub(super) fn kraken(mut stored: Bytes<'_>, mode: u64, plain: &mut Vec<u8>, end: usize) -> Option<()> {
    if mode > 1 || stored.len() < 13 {
        return None;
    }
    let size = end - plain.len();
    raw_start(&mut stored, plain, end)?;
    let mut excess = None;
    if *stored.0.first()? >= 128 {
        let flag = stored.byte()?;
        if flag & 64 != 0 {
            return None;
        }
        let mut len = usize::from(flag & 63);
        if len > 31 {
            len += 32 * usize::from(stored.byte()?);
        }
        let rest = stored.len().checked_sub(len)?;
        let chunk = stored.take(rest)?;
        excess = Some(stored);
        stored = chunk;
    }
    let literals = array(&mut stored, size, 1)?;
    let mut literals = Bytes(&literals);
    let commands = array(&mut stored, size, 1)?;
    let codes = Codes::read(&mut stored, commands.len())?;
    let length_codes = array(&mut stored, size / 4, 1)?;
    let (offsets, lengths) = offsets::read(&codes, &length_codes, stored, excess)?;
    let (mut offsets, mut lengths) = (offsets.into_iter(), lengths.into_iter());
    let mut recent = vec![8, 8, 8];
    let added = |recent: &[u64]| (mode == 0).then_some(recent[0]);
    for command in commands {
        let mut literal_len = usize::from(command % 4);
        if literal_len == 3 {
            literal_len = lengths.next()?;
        }
        let mut match_len = usize::from(command / 4 % 16) + 2;
        if match_len == 17 {
            match_len = lengths.next()? + 14;
        }
        copy_literals(plain, &mut literals, literal_len, added(&recent), end)?;
        let distance = match command / 64 {
            3 => {
                recent.pop();
                offsets.next()?
            }
            choice => recent.remove(choice.into()),
        };
        recent.insert(0, distance);
        copy_match(plain, distance, match_len, end)?;
    }
    let rest = end - plain.len();
    copy_literals(plain, &mut literals, rest, added(&recent), end)?;
    (literals.is_empty() && offsets.next().is_none() && lengths.next().is_none()).then_some(())
}

pub(super) fn mermaid(mut stored: Bytes<'_>, mode: u64, plain: &mut Vec<u8>, end: usize) -> Option<()> {
    if mode > 1 || stored.len() < 10 {
        return None;
    }
    let start = plain.len();
    let size = end - start;
    raw_start(&mut stored, plain, end)?;
    let literals = array(&mut stored, size, 1)?;
    let mut literals = Bytes(&literals);
    let commands = array(&mut stored, size, 1)?;
    let mut first = commands.len();
    if size > 65_536 {
        first = stored.little_endian(2)? as usize;
    }
    let (first, second) = commands.split_at_checked(first)?;
    let count = stored.little_endian(2)?;
    let mut near = Vec::new();
    if count == 65_535 {
        let highs = array(&mut stored, size / 2, 1)?;
        let lows = array(&mut stored, size / 2, 1)?;
        if highs.len() != lows.len() {
            return None;
        }
        near.extend(highs.iter().zip(&lows).map(|(high, low)| u64::from(*high) * 256 + u64::from(*low)));
    } else {
        for _ in 0..count {
            near.push(stored.little_endian(2)?);
        }
    }
    let mut near = near.into_iter();
    let counts = stored.little_endian(3)?;
    let mut counts = [counts / 4096, counts % 4096];
    for count in &mut counts {
        if *count == 4095 {
            *count = stored.little_endian(2)?;
        }
    }
    let mut far = [Vec::new(), Vec::new()];
    for half in 0..2 {
        let limit = (start + 65_536 * half) as u64;
        for _ in 0..counts[half] {
            let mut value = stored.little_endian(3)?;
            if limit >= 0xBF_FFFF && value >= 0xC0_0000 {
                value += u64::from(stored.byte()?) << 22;
            }
            if value > limit {
                return None;
            }
            far[half].push(value);
        }
    }
    let mut length = || {
        let len = usize::from(stored.byte()?);
        Some(if len > 251 { len + 4 * stored.little_endian(2)? as usize } else { len })
    };
    let mut recent = 8;
    for (half, commands) in [first, second].into_iter().enumerate() {
        let half_start = start + 65_536 * half;
        let half_end = end.min(half_start + 65_536);
        let mut far = far[half].iter();
        for &command in commands {
            let added = (mode == 0).then_some(recent);
            let mut len = usize::from(command) + 5;
            match command {
                0 => {
                    copy_literals(plain, &mut literals, length()? + 64, added, half_end)?;
                    continue;
                }
                1 => {
                    len = length()? + 91;
                    recent = near.next()?;
                }
                2..=23 => {
                    if command == 2 {
                        len = length()? + 29;
                    }
                    recent = (plain.len() - half_start) as u64 + far.next()?;
                }
                _ => {
                    copy_literals(plain, &mut literals, usize::from(command % 8), added, half_end)?;
                    if command < 128 {
                        recent = near.next()?;
                    }
                    len = usize::from(command / 8 % 16);
                }
            }
            copy_match(plain, recent, len, half_end)?;
        }
        let rest = half_end.saturating_sub(plain.len());
        copy_literals(plain, &mut literals, rest, (mode == 0).then_some(recent), half_end)?;
        if far.next().is_some() {
            return None;
        }
    }
    (stored.is_empty() && literals.is_empty() && near.next().is_none()).then_some(())
}

pub(super) fn leviathan(mut stored: Bytes<'_>, mode: u64, plain: &mut Vec<u8>, end: usize) -> Option<()> {
    if mode > 5 || stored.len() < 13 {
        return None;
    }
    let start = plain.len();
    let size = end - start;
    raw_start(&mut stored, plain, end)?;
    let codes = Codes::read(&mut stored, size / 3)?;
    let length_codes = array(&mut stored, size / 5, 1)?;
    let literals = match mode {
        0 | 1 => vec![array(&mut stored, size, 1)?],
        2 => multi(&mut stored, 2, size, 1)?,
        3 => multi(&mut stored, 4, size, 1)?,
        _ => multi(&mut stored, 16, size, 1)?,
    };
    let commands = match *stored.0.first()? {
        0..128 => vec![array(&mut stored, size, 1)?],
        0x83 => {
            stored.byte()?;
            multi(&mut stored, 8, size, 1)?
        }
        _ => return None,
    };
    let (offsets, lengths) = offsets::read(&codes, &length_codes, stored, None)?;
    let mut offsets = offsets.into_iter();
    let mut lengths = lengths.into_iter();
    let mut literals: Vec<Bytes<'_>> = literals.iter().map(|stream| Bytes(stream)).collect();
    let mut commands: Vec<Bytes<'_>> = commands.iter().map(|stream| Bytes(stream)).collect();
    let mut recent = vec![8; 7];
    let mut put = |plain: &mut Vec<u8>, len: usize, distance: u64| {
        if len > end - plain.len() {
            return None;
        }
        for i in 0..len {
            let position = plain.len() - start;
            let stream = match mode {
                0 | 1 => 0,
                2 => usize::from(i == 0),
                3 => position % 4,
                4 => usize::from(*plain.last()? / 16),
                _ => position % 16,
            };
            let added = if mode == 1 || mode == 4 { 0 } else { before(plain, distance)? };
            let literal = literals[stream].byte()?;
            plain.push(literal.wrapping_add(added));
        }
        Some(())
    };
    while commands.iter().any(|stream| !stream.is_empty()) {
        let stream = (plain.len() - start) % commands.len();
        let command = commands[stream].byte()?;
        let mut literal_len = usize::from(command / 8 % 4);
        if literal_len == 3 {
            literal_len = lengths.next()?;
        }
        let mut match_len = usize::from(command % 8) + 2;
        if match_len == 9 {
            match_len = lengths.next_back()? + 6;
        }
        put(plain, literal_len, recent[0])?;
        let distance = match command / 32 {
            7 => {
                recent.pop();
                offsets.next()?
            }
            choice => recent.remove(choice.into()),
        };
        recent.insert(0, distance);
        copy_match(plain, distance, match_len, end)?;
    }
    let rest = end - plain.len();
    put(plain, rest, recent[0])?;
    let is_used =
        literals.iter().all(Bytes::is_empty) && offsets.next().is_none() && lengths.next().is_none();
    is_used.then_some(())
}
