//! Rebuilds a setup header of the Vorbis specification from the one that Wwise stores, and the packets after it.

use super::library::Library;
use crate::codec::vorbis::bits::LsbBitReader;

/// A setup header, rebuilt.
pub(super) struct RebuiltSetup {
    pub(super) header: Vec<u8>,
    pub(super) modes: PackedModes,
}

/// What packets leave out, worked out by their mode.
pub(super) struct PackedModes {
    /// Bits of the number of a mode.
    bits: u32,
    /// Whether the blocks of a mode are long.
    are_long: Vec<bool>,
}

/// Bits of the longest code of a book.
const LENGTH_BITS: u32 = 5;

/// Bits copied, widened and added, low bit first.
struct BitCopier<'b> {
    from: LsbBitReader<'b>,
    to: BitWriter,
}

#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are not yet in `bytes`.
    rest: u64,
    width: u32,
}

impl BitWriter {
    /// Writes a number of at most 32 bits.
    fn write(&mut self, value: u64, width: u32) {
        let mask = 1_u64.checked_shl(width).unwrap_or_default().wrapping_sub(1);
        self.rest |= (value & mask).checked_shl(self.width).unwrap_or_default();
        self.width = self.width.saturating_add(width);
        while self.width >= 8 {
            self.bytes.push((self.rest & 0xFF) as u8);
            self.rest >>= 8;
            self.width = self.width.saturating_sub(8);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.width > 0 {
            self.bytes.push((self.rest & 0xFF) as u8);
        }
        self.bytes
    }
}

impl BitCopier<'_> {
    fn copy(&mut self, width: u32) -> Option<u64> {
        self.widen(width, width)
    }

    /// Reads a number of so many bits and writes it as one of others.
    fn widen(&mut self, from: u32, to: u32) -> Option<u64> {
        let value = self.from.read(from)?;
        self.to.write(value, to);
        Some(value)
    }

    /// Copies a flag.
    fn flag(&mut self) -> Option<bool> {
        self.copy(1).map(|flag| flag == 1)
    }

    fn copy_all(&mut self, widths: &[u32]) -> Option<()> {
        widths.iter().try_for_each(|width| self.copy(*width).map(drop))
    }
}

/// Returns the least number of bits that hold a number.
const fn ilog(number: u64) -> u32 {
    u64::BITS.saturating_sub(number.leading_zeros())
}

/// Rebuilds a setup header with the books of a library; none if it makes no sense with them, or bits are left.
///
/// Source: *sound-banks*, §3.3; Xiph.Org, *Vorbis I specification*, §4.2.4.
pub(super) fn rebuild(packed: &[u8], channels: u16, library: Library) -> Option<RebuiltSetup> {
    let mut bits = BitCopier { from: LsbBitReader::new(packed), to: BitWriter::default() };
    bits.to.bytes.extend(b"\x05vorbis");
    for _ in 0..=bits.copy(8)? {
        let number = bits.from.read(10)?;
        book(library.book(number)?, &mut bits.to)?;
    }
    // One time, which means nothing.
    bits.to.write(0, 6);
    bits.to.write(0, 16);
    for _ in 0..=bits.copy(6)? {
        floor(&mut bits)?;
    }
    for _ in 0..=bits.copy(6)? {
        residue(&mut bits)?;
    }
    for _ in 0..=bits.copy(6)? {
        mapping(&mut bits, channels)?;
    }
    let mut are_long = Vec::new();
    for _ in 0..=bits.copy(6)? {
        are_long.push(bits.flag()?);
        bits.to.write(0, 16);
        bits.to.write(0, 16);
        bits.copy(8)?;
    }
    bits.to.write(1, 1);
    let bits_of_mode = ilog((are_long.len() as u64).saturating_sub(1));
    let modes = PackedModes { bits: bits_of_mode, are_long };
    (bits.from.left() < 8).then(|| RebuiltSetup { header: bits.to.finish(), modes })
}

fn book(packed: &[u8], to: &mut BitWriter) -> Option<()> {
    let mut bits = BitCopier { from: LsbBitReader::new(packed), to: std::mem::take(to) };
    bits.to.write(0x56_4342, 24);
    let dimensions = bits.widen(4, 16)?;
    let entries = bits.widen(14, 24)?;
    if bits.flag()? {
        bits.copy(LENGTH_BITS)?;
        let mut done = 0_u64;
        while done < entries {
            let width = ilog(entries.saturating_sub(done));
            done = done.saturating_add(bits.copy(width)?);
        }
        if done > entries {
            return None;
        }
    } else {
        let width = u32::try_from(bits.from.read(3)?).ok()?;
        let is_sparse = bits.flag()?;
        if width == 0 || width > LENGTH_BITS {
            return None;
        }
        for _ in 0..entries {
            if !is_sparse || bits.flag()? {
                bits.widen(width, LENGTH_BITS)?;
            }
        }
    }
    if bits.widen(1, 4)? == 1 {
        bits.copy_all(&[32, 32])?;
        let width = u32::try_from(bits.copy(4)?).ok()?.saturating_add(1);
        bits.copy(1)?;
        for _ in 0..root(entries, dimensions)? {
            bits.copy(width)?;
        }
    }
    *to = bits.to;
    // A book takes all of its bytes, and one more where its bits fill them.
    (1..=8).contains(&bits.from.left()).then_some(())
}

/// Returns the greatest number whose power of `dimensions` is at most `entries`.
fn root(entries: u64, dimensions: u64) -> Option<u64> {
    let power = u32::try_from(dimensions).ok().filter(|power| *power > 0)?;
    (1..=entries.max(1)).take_while(|root| root.checked_pow(power).is_some_and(|all| all <= entries)).last()
}

fn floor(bits: &mut BitCopier<'_>) -> Option<()> {
    bits.to.write(1, 16);
    let partitions = bits.copy(5)?;
    let classes: Vec<u64> = (0..partitions).map(|_| bits.copy(4)).collect::<Option<_>>()?;
    let highest = classes.iter().max().copied();
    let mut dimensions = Vec::new();
    for _ in 0..highest.map_or(0, |highest| highest.saturating_add(1)) {
        dimensions.push(bits.copy(3)?.saturating_add(1));
        let subclasses = u32::try_from(bits.copy(2)?).ok()?;
        if subclasses > 0 {
            bits.copy(8)?;
        }
        for _ in 0..1_u32.checked_shl(subclasses)? {
            bits.copy(8)?;
        }
    }
    bits.copy(2)?;
    let width = u32::try_from(bits.copy(4)?).ok()?;
    for class in classes {
        for _ in 0..*dimensions.get(usize::try_from(class).ok()?)? {
            bits.copy(width)?;
        }
    }
    Some(())
}

fn residue(bits: &mut BitCopier<'_>) -> Option<()> {
    if bits.widen(2, 16)? > 2 {
        return None;
    }
    bits.copy_all(&[24, 24, 24])?;
    let classes = bits.copy(6)?.saturating_add(1);
    bits.copy(8)?;
    let mut cascades = Vec::new();
    for _ in 0..classes {
        let low = bits.copy(3)?;
        let high = if bits.flag()? { bits.copy(5)? } else { 0 };
        cascades.push(high << 3 | low);
    }
    for cascade in cascades {
        for _ in 0..cascade.count_ones() {
            bits.copy(8)?;
        }
    }
    Some(())
}

fn mapping(bits: &mut BitCopier<'_>, channels: u16) -> Option<()> {
    bits.to.write(0, 16);
    let submaps = if bits.flag()? { bits.copy(4)?.saturating_add(1) } else { 1 };
    if bits.flag()? {
        let width = ilog(u64::from(channels).saturating_sub(1));
        for _ in 0..=bits.copy(8)? {
            bits.copy_all(&[width, width])?;
        }
    }
    if bits.copy(2)? != 0 {
        return None;
    }
    if submaps > 1 {
        for _ in 0..channels {
            bits.copy(4)?;
        }
    }
    for _ in 0..submaps {
        bits.copy_all(&[8, 8, 8])?;
    }
    Some(())
}

impl PackedModes {
    fn mode(&self, first: u8) -> usize {
        let mask = 1_u32.checked_shl(self.bits).unwrap_or_default().saturating_sub(1);
        usize::try_from(u32::from(first) & mask).unwrap_or_default()
    }

    /// Returns whether a stored packet is one of a long block.
    pub(super) fn is_long(&self, packed: &[u8]) -> bool {
        packed.first().is_some_and(|first| self.are_long.get(self.mode(*first)) == Some(&true))
    }

    /// Makes a packet of the Vorbis specification of a stored one, given whether the blocks before and after it are
    /// long.
    pub(super) fn unpack(&self, packed: &[u8], [before, after]: [bool; 2], packet: &mut Vec<u8>) {
        packet.clear();
        let Some((first, rest)) = packed.split_first() else { return };
        let mut bits = BitWriter { bytes: std::mem::take(packet), ..BitWriter::default() };
        bits.bytes.reserve(packed.len().saturating_add(1));
        // An audio packet.
        bits.write(0, 1);
        bits.write((*first).into(), self.bits);
        if self.is_long(packed) {
            bits.write(before.into(), 1);
            bits.write(after.into(), 1);
        }
        let left = 8_u32.saturating_sub(self.bits);
        bits.write(u64::from(first.checked_shr(self.bits).unwrap_or_default()), left);
        for byte in rest {
            bits.write((*byte).into(), 8);
        }
        *packet = bits.finish();
    }
}
