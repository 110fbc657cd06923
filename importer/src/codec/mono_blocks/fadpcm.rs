//! FMOD's ADPCM: eight groups of 32 values, each with a pair of coefficients and a shift.
//!
//! ```text
//! u32: pair of each group │ u32: shift of each group │ last value i16 │ the one before it i16 │ 8 × 16 bytes of codes
//! ```
//!
//! The low half of a byte comes first. Source: docs of the format of sound banks, section 6.2; every value of eleven
//! real sounds is that of another decoder.

use crate::codec::adpcm::{codes, saturated};

/// How much of the last value and of the one before it is taken, in 1/64, by the pair.
const PAIRS: [(i32, i32); 7] = [(0, 0), (60, 0), (122, 60), (115, 52), (98, 55), (0, 0), (0, 0)];
/// Bytes of a group.
const GROUP: usize = 16;

/// Adds the values of a block; none if it is too short for its header.
pub(super) fn block(block: &[u8], plane: &mut Vec<i16>) -> Option<()> {
    let (head, groups) = block.split_first_chunk::<12>()?;
    let [p0, p1, p2, p3, s0, s1, s2, s3, l0, l1, b0, b1] = *head;
    let mut pairs = u32::from_le_bytes([p0, p1, p2, p3]);
    let mut shifts = u32::from_le_bytes([s0, s1, s2, s3]);
    let mut last = i32::from(i16::from_le_bytes([l0, l1]));
    let mut before = i32::from(i16::from_le_bytes([b0, b1]));
    for group in groups.chunks_exact(GROUP) {
        let pair = usize::try_from(pairs & 15).ok()?.checked_rem(PAIRS.len())?;
        let (of_last, of_before) = *PAIRS.get(pair)?;
        let shift = shifts & 15;
        (pairs, shifts) = (pairs >> 4, shifts >> 4);
        for &byte in group {
            let (first, second) = codes(byte);
            for code in [first, second] {
                // The sign of four bits is moved to the top, and down to 64 · 2^shift; at most 2^24 or so.
                let difference = (i32::from(code) << 28) >> 22_u32.saturating_sub(shift);
                let predicted = last.saturating_mul(of_last).saturating_sub(before.saturating_mul(of_before));
                let value = saturated(difference.saturating_add(predicted) >> 6);
                plane.push(value);
                (last, before) = (value.into(), last);
            }
        }
    }
    Some(())
}
