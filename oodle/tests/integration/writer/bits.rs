//! Offsets and lengths of Kraken and Leviathan, and the bits that go with them.

use super::array;

/// Bits, the highest of each byte first.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn push(&mut self, number: usize, bits: u32) {
        self.0.extend((0..bits).rev().map(|bit| number >> bit & 1 == 1));
    }

    fn bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| {
            (0..8).fold(0, |byte, i| 2 * byte + u8::from(bits.get(i).copied().unwrap_or_default()))
        };
        self.0.chunks(8).map(byte).collect()
    }
}

/// A region with bits from both ends.
pub(super) struct Region {
    /// 0: old coding of offsets, 1 to 128: new coding.
    scale: u32,
    offsets: Vec<usize>,
    pub(super) length_codes: Vec<u8>,
    long: Vec<usize>,
}

impl Region {
    pub(super) fn new(scale: u32) -> Self {
        Self { scale, offsets: Vec::new(), length_codes: Vec::new(), long: Vec::new() }
    }

    pub(super) fn is_new(&self) -> bool {
        self.scale > 0
    }

    pub(super) fn offset(&mut self, distance: usize) {
        self.offsets.push(distance);
    }

    /// The code of an offset, its low part, its bits and their number.
    fn code(&self, distance: usize) -> (u8, u8, usize, u32) {
        if self.scale == 0 {
            let x = distance + 248;
            let high = x >> 4;
            let k = high.ilog2();
            return (((k - 4) << 4) as u8 | (x & 15) as u8, 0, high - (1 << k), k);
        }
        let scale = self.scale as usize;
        let x = distance / scale + 8;
        let k = x.ilog2() - 3;
        ((k << 3) as u8 | (x >> k & 7) as u8, (distance % scale) as u8, x & ((1 << k) - 1), k)
    }

    /// The arrays of offset codes.
    pub(super) fn codes(&self) -> Vec<u8> {
        let codes: Vec<_> = self.offsets.iter().map(|offset| self.code(*offset)).collect();
        let mut bytes = Vec::new();
        if self.scale > 0 {
            bytes.push((self.scale + 127) as u8);
        }
        bytes.extend(array(&codes.iter().map(|code| code.0).collect::<Vec<_>>()));
        if self.scale > 1 {
            bytes.extend(array(&codes.iter().map(|code| code.1).collect::<Vec<_>>()));
        }
        bytes
    }

    /// Adds lengths, 3 or more each.
    pub(super) fn lengths(&mut self, lengths: &[usize]) {
        for length in lengths {
            let code = (length - 3).min(255);
            self.length_codes.push(code as u8);
            if code == 255 {
                self.long.push(length - 258);
            }
        }
    }

    /// The bits of all offsets and lengths.
    pub(super) fn finish(&self) -> Vec<u8> {
        let (mut a, mut b) = (Bits::default(), Bits::default());
        let count = self.long.len() + 1;
        b.push(count, 2 * count.ilog2() + 1);
        for (i, offset) in self.offsets.iter().enumerate() {
            let (_, _, number, bits) = self.code(*offset);
            if i % 2 == 0 { &mut a } else { &mut b }.push(number, bits);
        }
        for (i, long) in self.long.iter().enumerate() {
            let number = long + 64;
            let zeros = number.ilog2() - 6;
            if i % 2 == 0 { &mut a } else { &mut b }.push(number, 2 * zeros + 7);
        }
        let mut back = b.bytes();
        back.reverse();
        [a.bytes(), back].concat()
    }
}
