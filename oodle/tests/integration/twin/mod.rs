//! A second decoder, slow and plain: bit by bit and byte by byte, with every rule where it applies. It shares nothing
//! with the crate, so that a mistake must be made twice to go unseen.

mod bits;
mod code;
mod entropy;
mod lz;
mod offsets;

/// Decodes a buffer to exactly `size` bytes, or refuses it.
pub(crate) fn decode(stored: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut stored = Bytes(stored);
    let mut plain: Vec<u8> = Vec::new();
    let mut base = 0;
    while plain.len() < size {
        let target = size.min(plain.len() + 262_144);
        let first = stored.byte()?;
        let second = stored.byte()?;
        if first & 0b1111 != 12 || first & 0b11_0000 != 0 {
            return None;
        }
        let method = second & 127;
        if ![6, 10, 12].contains(&method) {
            return None;
        }
        if first & 128 != 0 {
            base = plain.len();
        }
        if first & 64 != 0 {
            plain.extend(stored.take(target - plain.len())?.0);
        } else {
            let mut history = plain.split_off(base);
            quantum(&mut stored, method, second & 128 != 0, &mut history, target - base)?;
            plain.append(&mut history);
        }
    }
    stored.is_empty().then_some(plain)
}

/// Appends the plain bytes of a quantum up to `target`.
fn quantum(
    stored: &mut Bytes<'_>,
    method: u8,
    has_checksum: bool,
    plain: &mut Vec<u8>,
    target: usize,
) -> Option<()> {
    let header = stored.big_endian(3)?;
    if header % 262_144 == 262_143 {
        if header / 262_144 != 1 {
            return None;
        }
        let fill = stored.byte()?;
        plain.resize(target, fill);
        return Some(());
    }
    if has_checksum {
        stored.take(3)?;
    }
    let mut chunks = stored.take((header % 262_144) as usize + 1)?;
    let size = target - plain.len();
    if chunks.len() > size {
        return None;
    }
    if chunks.len() == size {
        plain.extend(chunks.0);
        return Some(());
    }
    while plain.len() < target {
        let end = target.min(plain.len() + 131_072);
        chunk(&mut chunks, method, plain, end)?;
        if plain.len() != end {
            return None;
        }
    }
    chunks.is_empty().then_some(())
}

/// Appends the plain bytes of a chunk.
fn chunk(chunks: &mut Bytes<'_>, method: u8, plain: &mut Vec<u8>, end: usize) -> Option<()> {
    if chunks.len() < 4 {
        return None;
    }
    let size = end - plain.len();
    let header = Bytes(chunks.0).big_endian(3)?;
    if header < 1 << 23 {
        plain.extend(entropy::array(chunks, size, 1)?);
        return Some(());
    }
    chunks.take(3)?;
    let stored = (header & 0x7_FFFF) as usize;
    let mode = header >> 19 & 15;
    let body = chunks.take(stored)?;
    if stored == size && mode == 0 {
        plain.extend(body.0);
        return Some(());
    }
    if stored >= size {
        return None;
    }
    match method {
        6 => lz::kraken(body, mode, plain, end),
        10 => lz::mermaid(body, mode, plain, end),
        _ => lz::leviathan(body, mode, plain, end),
    }
}

/// Bytes that are still to be read.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, len: usize) -> Option<Self> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(Self(taken))
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?.0[0])
    }

    fn big_endian(&mut self, len: usize) -> Option<u64> {
        Some(self.take(len)?.0.iter().fold(0, |number, byte| number * 256 + u64::from(*byte)))
    }

    fn little_endian(&mut self, len: usize) -> Option<u64> {
        Some(self.take(len)?.0.iter().rev().fold(0, |number, byte| number * 256 + u64::from(*byte)))
    }
}
