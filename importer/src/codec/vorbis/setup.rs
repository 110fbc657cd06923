//! What the decoder gets wrong of several channels, reported from the setup header.
//!
//! Couplings are undone from the last to the first; the decoder goes the other way, which is the same for one coupling
//! and noise for more. So it is given their list turned round. Classes of partitions that are left over after the last
//! one of a channel it writes over those of the next channel; such streams are refused.
//!
//! Source: Xiph.Org, *Vorbis I specification*, §4.2.4, §4.3.5, §6.2.1, §7.2.2, §8.6 and its parts.

use super::books::{self, HEADER_BYTES, LsbBitReader};

/// What a setup header says of how channels are coded.
pub(super) struct Setup {
    couplings: Vec<SetupList>,
    unsupported_reason: Option<&'static str>,
}

/// Where a list of couplings is: how many pairs, of how many bits each.
struct SetupList {
    at: u64,
    count: u64,
    width: u32,
}

/// How the spectrum of some channels is coded.
struct Residue {
    /// 0 or 1: channel by channel; 2: all in one.
    kind: u64,
    begin: u64,
    end: u64,
    partition: u64,
    /// Partitions whose classes one codeword gives.
    together: u64,
}

impl Setup {
    /// Reads the header of a stream of so many channels and these two lengths of blocks.
    ///
    /// # Errors
    /// If its books are too large, or it ends before its mappings do.
    pub(super) fn read(setup: &[u8], channels: u16, blocks: [u64; 2]) -> Result<Self, &'static str> {
        let mut bits = LsbBitReader::of(setup);
        let dimensions = books::check_in(&mut bits)?;
        let ends = "a Vorbis setup header that ends before its mappings do";
        mappings(&mut bits, &dimensions, channels, blocks).ok_or(ends)
    }

    /// Returns why the decoder does not decode it rightly.
    pub(super) const fn unsupported_reason(&self) -> Option<&'static str> {
        self.unsupported_reason
    }

    /// Turns the list of couplings in every mapping round.
    pub(super) fn turn_round(&self, setup: &mut [u8]) {
        for list in &self.couplings {
            let mut bits = LsbBitReader::of(setup);
            bits.at = list.at;
            let pairs: Vec<u64> = (0..list.count).map_while(|_| bits.read(list.width)).collect();
            let mut at = list.at;
            for pair in pairs.into_iter().rev() {
                write(setup, at, pair, list.width);
                at = at.saturating_add(list.width.into());
            }
        }
    }
}

fn mappings(
    bits: &mut LsbBitReader<'_>,
    dimensions: &[u64],
    channels: u16,
    blocks: [u64; 2],
) -> Option<Setup> {
    // Times, which have no meaning.
    let times = bits.read(6)?.checked_add(1)?;
    bits.skip(times.checked_mul(16)?)?;
    for _ in 0..=bits.read(6)? {
        match bits.read(16)? {
            0 => floor_0(bits)?,
            _ => floor_1(bits)?,
        }
    }
    let residues: Vec<Residue> =
        (0..=bits.read(6)?).map(|_| residue(bits, dimensions)).collect::<Option<_>>()?;
    let mut found = Setup { couplings: Vec::new(), unsupported_reason: None };
    for _ in 0..=bits.read(6)? {
        bits.skip(16)?;
        let submaps = if bits.read(1)? == 1 { bits.read(4)?.checked_add(1)? } else { 1 };
        if bits.read(1)? == 1 {
            let count = bits.read(8)?.checked_add(1)?;
            // As many bits as the highest channel takes, for the one and the other.
            let width = u16::BITS.checked_sub(channels.checked_sub(1)?.leading_zeros())?.checked_mul(2)?;
            found.couplings.push(SetupList { at: bits.at, count, width });
            bits.skip(count.checked_mul(width.into())?)?;
        }
        bits.skip(2)?;
        let mut submap_of = vec![0; channels.into()];
        if submaps > 1 {
            for submap in &mut submap_of {
                *submap = bits.read(4)?;
            }
        }
        for submap in 0..submaps {
            bits.skip(16)?;
            let residue = residues.get(usize::try_from(bits.read(8)?).ok()?)?;
            let of_submap: Vec<usize> =
                submap_of.iter().enumerate().filter(|(_, s)| **s == submap).map(|(c, _)| c).collect();
            found.unsupported_reason =
                found.unsupported_reason.or(residue.unsupported_reason(&of_submap, blocks));
        }
    }
    Some(found)
}

impl Residue {
    fn unsupported_reason(&self, channels: &[usize], blocks: [u64; 2]) -> Option<&'static str> {
        const WHY: &str = "Vorbis with channels coded in a way that is not decoded";
        let is_wrong = match (self.kind, channels) {
            // Of two channels in one the decoder expects the first to be the first of all.
            (2, [first, _]) => *first != 0,
            (2, _) | (_, [] | [_]) => false,
            _ => blocks.iter().any(|block| {
                let half = block / 2;
                let length = self.end.min(half).saturating_sub(self.begin.min(half));
                let partitions = length.checked_div(self.partition).unwrap_or_default();
                partitions.checked_rem(self.together).unwrap_or_default() != 0
            }),
        };
        is_wrong.then_some(WHY)
    }
}

fn floor_0(bits: &mut LsbBitReader<'_>) -> Option<()> {
    bits.skip(8 + 16 + 16 + 6 + 8)?;
    let books = bits.read(4)?.checked_add(1)?;
    bits.skip(books.checked_mul(8)?)
}

fn floor_1(bits: &mut LsbBitReader<'_>) -> Option<()> {
    let partitions = bits.read(5)?;
    let classes: Vec<u64> = (0..partitions).map(|_| bits.read(4)).collect::<Option<_>>()?;
    let mut dimensions = Vec::new();
    if let Some(highest) = classes.iter().max() {
        for _ in 0..=*highest {
            dimensions.push(bits.read(3)?.checked_add(1)?);
            let subclasses = bits.read(2)?;
            if subclasses > 0 {
                bits.skip(8)?;
            }
            bits.skip(8_u64.checked_shl(u32::try_from(subclasses).ok()?)?)?;
        }
    }
    bits.skip(2)?;
    let width = bits.read(4)?;
    for class in classes {
        let points = *dimensions.get(usize::try_from(class).ok()?)?;
        bits.skip(points.checked_mul(width)?)?;
    }
    Some(())
}

fn residue(bits: &mut LsbBitReader<'_>, dimensions: &[u64]) -> Option<Residue> {
    let (kind, begin, end) = (bits.read(16)?, bits.read(24)?, bits.read(24)?);
    let partition = bits.read(24)?.checked_add(1)?;
    let classes = bits.read(6)?.checked_add(1)?;
    let together = *dimensions.get(usize::try_from(bits.read(8)?).ok()?)?;
    let mut books: u32 = 0;
    for _ in 0..classes {
        let low = bits.read(3)?;
        let high = if bits.read(1)? == 1 { bits.read(5)? } else { 0 };
        books = books.checked_add(low.count_ones())?.checked_add(high.count_ones())?;
    }
    bits.skip(u64::from(books).checked_mul(8)?)?;
    Some(Residue { kind, begin, end, partition, together })
}

/// Writes so many bits, the low one first, at a place after the mark of the header.
fn write(setup: &mut [u8], at: u64, number: u64, width: u32) {
    for (bit, at) in (0..width).zip(at..) {
        let place = usize::try_from(at / 8).ok().and_then(|byte| byte.checked_add(HEADER_BYTES));
        if let Some(byte) = place.and_then(|place| setup.get_mut(place)) {
            let set = u8::from(number >> bit & 1 == 1);
            *byte = *byte & !(1 << (at % 8)) | set << (at % 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a header with a bit of everything before two mappings, the first with these couplings of six channels.
    fn setup(couplings: &[(u64, u64)]) -> Vec<u8> {
        let mut fields = vec![(0, 8), (0x56_4342, 24), (1, 16), (2, 24), (0, 2), (0, 10), (0, 4)];
        // A time; a floor of each kind, the second of two classes of which one has subclasses; a residue of two books.
        fields.extend([(0, 6), (0, 16), (1, 6), (0, 16), (5, 8), (5, 32), (5, 14), (1, 4), (0, 16)]);
        fields.extend([
            (1, 16),
            (2, 5),
            (0, 4),
            (1, 4),
            (2, 3),
            (0, 2),
            (7, 8),
            (0, 3),
            (1, 2),
            (7, 8),
            (7, 16),
        ]);
        fields.extend([(1, 2), (5, 4), (9, 15), (9, 5)]);
        fields.extend([
            (0, 6),
            (2, 16),
            (0, 24),
            (9, 24),
            (9, 24),
            (0, 6),
            (0, 8),
            (1, 3),
            (1, 1),
            (2, 5),
            (7, 16),
        ]);
        fields.extend([(1, 6), (0, 16), (1, 1), (1, 4), (1, 1), (couplings.len() as u64 - 1, 8)]);
        fields.extend(couplings.iter().flat_map(|(one, other)| [(*one, 3), (*other, 3)]));
        fields.extend([(0, 2), (1, 24), (3, 24), (3, 24), (0, 16), (0, 1), (0, 1), (0, 2), (3, 24), (0, 6)]);
        let mut bytes = b"\x05vorbis".to_vec();
        let mut at = 0;
        for (number, width) in fields {
            for bit in 0..width {
                if at % 8 == 0 {
                    bytes.push(0);
                }
                *bytes.last_mut().unwrap() |= u8::from(number >> bit & 1 == 1) << (at % 8);
                at += 1;
            }
        }
        bytes
    }

    #[test]
    fn couplings_are_turned_round_and_nothing_else_is_touched() {
        let mut turned = setup(&[(0, 2), (3, 4), (0, 1)]);
        let read = Setup::read(&turned, 6, [256, 2048]).unwrap();
        read.turn_round(&mut turned);
        assert_eq!(turned, setup(&[(0, 1), (3, 4), (0, 2)]));
        assert_eq!(read.unsupported_reason(), None);
    }

    #[test]
    fn a_header_that_ends_before_its_mappings_is_refused() {
        let whole = setup(&[(0, 2), (3, 4), (0, 1)]);
        for length in 0..whole.len() - 1 {
            assert!(Setup::read(&whole[..length], 6, [256, 2048]).is_err(), "{length}");
        }
    }

    #[test]
    fn classes_left_over_are_an_obstacle_only_where_another_channel_follows() {
        // 100 values in partitions of 10, of which one codeword gives so many.
        let residue = |kind, together| Residue { kind, begin: 0, end: 100, partition: 10, together };
        let is_wrong = |residue: Residue, channels: &[usize]| {
            residue.unsupported_reason(channels, [2048, 2048]).is_some()
        };
        for (kind, together, channels, wrong) in [
            (1, 4, &[0, 1][..], true),
            (0, 4, &[0, 1, 2], true),
            (1, 5, &[0, 1, 2], false),
            (1, 4, &[1], false),
            (2, 4, &[0, 1, 2], false),
            (2, 4, &[0, 1], false),
            (2, 4, &[1, 2], true),
        ] {
            assert_eq!(is_wrong(residue(kind, together), channels), wrong, "{kind} {together} {channels:?}");
        }
        // In a block of 100 there are but five partitions.
        assert!(residue(1, 5).unsupported_reason(&[0, 1], [100, 100]).is_none());
        assert!(residue(1, 2).unsupported_reason(&[0, 1], [100, 2048]).is_some());
    }
}
