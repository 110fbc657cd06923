//! Offsets and lengths of Kraken and Leviathan.

use super::Bytes;
use super::bits::{Bits, meet};
use super::entropy::array;

/// Codes of offsets: the scale, 0 for the old coding, the codes, the low parts.
pub(super) struct Codes {
    scale: u64,
    codes: Vec<u8>,
    lows: Vec<u8>,
}

impl Codes {
    pub(super) fn read(stored: &mut Bytes<'_>, limit: usize) -> Option<Self> {
        let mut scale = 0;
        if *stored.0.first()? >= 128 {
            scale = u64::from(stored.byte()?) - 127;
        }
        let codes = array(stored, limit, 1)?;
        let lows = if scale > 1 { array(stored, codes.len(), 1)? } else { vec![0; codes.len()] };
        (codes.len() == lows.len()).then_some(Self { scale, codes, lows })
    }

    fn offset(&self, i: usize, bits: &mut Bits<'_>) -> Option<u64> {
        let c = self.codes[i];
        let code = u64::from(c);
        if self.scale == 0 && code < 0xF0 {
            let k = u32::from(c >> 4) + 4;
            Some((((1 << k) + bits.number(k)) << 4) + code % 16 - 248)
        } else if self.scale == 0 {
            let k = u32::from(c) - 0xEC;
            let high = (1 << k) + bits.number(k);
            Some((high << 12) + bits.number(12) + 0x7E_FF00)
        } else {
            let k = u32::from(c >> 3);
            if k > 26 {
                return None;
            }
            let d = ((8 + code % 8) << k) + bits.number(k) - 8;
            Some(if self.scale == 1 { d } else { self.scale * d + u64::from(self.lows[i]) })
        }
    }
}

/// Offsets and lengths, out of a bit region and, if there is one, the excess part.
pub(super) fn read(
    codes: &Codes,
    length_codes: &[u8],
    region: Bytes<'_>,
    excess: Option<Bytes<'_>>,
) -> Option<(Vec<u64>, Vec<usize>)> {
    let mut forward = Bits::high(region.0, false);
    let mut backward = Bits::high(region.0, true);
    let escaped = length_codes.iter().filter(|code| **code == 255).count();
    let count = match excess {
        None => backward.number_after_zeros(18, |zeros| zeros)? as usize - 1,
        Some(_) => escaped,
    };
    if excess.is_none() && count > 512 || count != escaped {
        return None;
    }
    let mut offsets = Vec::new();
    for i in 0..codes.codes.len() {
        offsets.push(codes.offset(i, if i % 2 == 0 { &mut forward } else { &mut backward })?);
    }
    let long = match excess {
        None => long_lengths(count, &mut forward, &mut backward)?,
        Some(excess) => {
            let (mut forward, mut backward) = (Bits::high(excess.0, false), Bits::high(excess.0, true));
            let long = long_lengths(count, &mut forward, &mut backward)?;
            if !meet(&forward, &backward, excess.len()) {
                return None;
            }
            long
        }
    };
    if !meet(&forward, &backward, region.len()) {
        return None;
    }
    let mut long = long.into_iter();
    let mut lengths = Vec::new();
    for code in length_codes {
        let more = if *code == 255 { long.next()? } else { 0 };
        lengths.push(usize::from(*code) + 3 + more);
    }
    Some((offsets, lengths))
}

fn long_lengths<'a>(count: usize, forward: &mut Bits<'a>, backward: &mut Bits<'a>) -> Option<Vec<usize>> {
    let mut lengths = Vec::new();
    for i in 0..count {
        let bits = if i % 2 == 0 { &mut *forward } else { &mut *backward };
        lengths.push(bits.number_after_zeros(12, |zeros| zeros + 6)? as usize - 64);
    }
    Some(lengths)
}
