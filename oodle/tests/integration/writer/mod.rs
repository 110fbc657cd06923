//! Streams by chance whose plain bytes are known, of raw arrays: for commands, and for copies at the ends of buffers.

mod bits;
mod leviathan;
mod mermaid;

use self::bits::Region;
use crate::mutate::Noise;

/// A stream and its plain bytes.
pub(crate) struct Stream {
    pub(crate) stored: Vec<u8>,
    pub(crate) plain: Vec<u8>,
}

/// Writes a stream of one block: of Kraken (method 6), Mermaid (10) or Leviathan (12).
pub(crate) fn stream(method: u8, mode: u8, noise: &mut Noise) -> Stream {
    let mut plain = Plain::new(noise);
    let chunk = match method {
        6 => kraken(mode, &mut plain, noise),
        10 => mermaid::chunk(mode, &mut plain, noise),
        _ => leviathan::chunk(mode, &mut plain, noise),
    };
    let mut stored = vec![0x8C, method];
    stored.extend(&((chunk.len() + 3 - 1) as u32).to_be_bytes()[1..]);
    stored.extend(&(0x80_0000 | u32::from(mode) << 19 | chunk.len() as u32).to_be_bytes()[1..]);
    stored.extend(chunk);
    Stream { stored, plain: plain.bytes }
}

/// An array of raw bytes, in the long form.
fn array(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_be_bytes()[1..], bytes].concat()
}

/// Plain bytes so far.
struct Plain {
    bytes: Vec<u8>,
}

impl Plain {
    /// Begins with the 8 bytes that are stored as they are.
    fn new(noise: &mut Noise) -> Self {
        Self { bytes: (0..8).map(|_| noise.bits() as u8).collect() }
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Adds a byte, and returns its difference to the one at a distance.
    fn literal(&mut self, value: u8, distance: usize) -> u8 {
        let before = self.bytes[self.len() - distance];
        self.bytes.push(value);
        value.wrapping_sub(before)
    }

    fn repeat(&mut self, distance: usize, len: usize) {
        for _ in 0..len {
            self.bytes.push(self.bytes[self.len() - distance]);
        }
    }

    /// Returns a distance that a match can have here, small more often than large.
    fn distance(&self, noise: &mut Noise) -> usize {
        // Near offsets of Mermaid have 16 bits.
        let most = self.len().min(8 << noise.below(14)).min(0xFFFF);
        8 + noise.below(most - 7)
    }
}

/// A number that is small in most cases.
fn small(most: usize, noise: &mut Noise) -> usize {
    let limit = 1 << noise.below(most.ilog2() as usize + 1);
    noise.below(limit + 1).min(most)
}

fn kraken(mode: u8, plain: &mut Plain, noise: &mut Noise) -> Vec<u8> {
    let raw = plain.bytes.clone();
    let mut region = Region::new(noise.below(4) as u32 * noise.below(40) as u32 % 129);
    let (mut literals, mut commands, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    let mut recent = vec![8, 8, 8];
    let mut put = |plain: &mut Plain, len: usize, distance: usize, noise: &mut Noise| {
        for _ in 0..len {
            let value = noise.bits() as u8;
            let difference = plain.literal(value, distance);
            literals.push(if mode == 0 { difference } else { value });
        }
    };
    for _ in 0..20 + noise.below(600) {
        let literal_len = small(600, noise) * noise.below(2);
        let match_len = 2 + small(2000, noise);
        put(plain, literal_len, recent[0], noise);
        let mut command = 0;
        if literal_len >= 3 {
            command |= 3;
            lengths.push(literal_len);
        } else {
            command |= literal_len as u8;
        }
        if match_len >= 17 {
            command |= 15 << 2;
            lengths.push(match_len - 14);
        } else {
            command |= ((match_len - 2) as u8) << 2;
        }
        let choice = noise.below(4);
        let distance = if choice < 3 {
            recent.remove(choice)
        } else {
            recent.pop();
            let distance = plain.distance(noise);
            region.offset(distance);
            distance
        };
        recent.insert(0, distance);
        plain.repeat(distance, match_len);
        commands.push(command | (choice as u8) << 6);
    }
    put(plain, small(100, noise), recent[0], noise);
    let mut chunk = [raw, array(&literals), array(&commands)].concat();
    chunk.extend(region.codes());
    region.lengths(&lengths);
    chunk.extend(array(&region.length_codes));
    chunk.extend(region.finish());
    chunk
}
