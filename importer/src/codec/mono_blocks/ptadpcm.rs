//! Platinum's ADPCM: each code is a step that is added to the straight line through the last two values.
//!
//! ```text
//! the value before the last i16 │ the last i16 │ row u8 │ codes: two values a byte, the low half first
//! ```
//!
//! Source: docs of the format of sound banks, section 3.4.

use crate::codec::adpcm::{codes, saturated};

/// The highest row, all of whose steps are 0.
const LAST_ROW: u8 = 12;
/// Steps of row 0 by the code, and the row after each.
const FIRST: [(i32, u8); 16] = [
    (-14, 2),
    (-10, 2),
    (-7, 1),
    (-5, 1),
    (-3, 0),
    (-2, 0),
    (-1, 0),
    (0, 0),
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (5, 1),
    (7, 1),
    (10, 2),
    (14, 2),
];
/// Steps of row 1 for the upper half of the codes, and by how much the row changes; each further row has twice the
/// steps. The lower half mirrors it.
const OTHERS: [(i32, i8); 8] = [(1, -1), (3, 0), (5, 0), (7, 0), (10, 1), (14, 1), (20, 2), (28, 2)];

/// Returns the step of a code in a row, and the row after it.
fn step(row: u8, code: u8) -> Option<(i32, u8)> {
    match row {
        0 => FIRST.get(usize::from(code)).copied(),
        LAST_ROW => Some((0, 0)),
        _ => {
            let is_lower = code < 8;
            let mirrored = if is_lower { 15_u8.saturating_sub(code) } else { code };
            let (step, change) = *OTHERS.get(usize::from(mirrored.saturating_sub(8)))?;
            // Rows 1 to 11: at most 28 · 2^10.
            let step = step << u32::from(row.saturating_sub(1)).min(10);
            let next = row.saturating_add_signed(change).min(LAST_ROW.saturating_sub(1));
            Some((if is_lower { step.saturating_neg() } else { step }, next))
        }
    }
}

/// Adds the values of a block; none if its row does not exist.
pub(super) fn block(block: &[u8], plane: &mut Vec<i16>) -> Option<()> {
    let ([b0, b1, l0, l1, row], bytes) = block.split_first_chunk::<5>()?;
    let (before, last) = (i16::from_le_bytes([*b0, *b1]), i16::from_le_bytes([*l0, *l1]));
    let mut row = *row;
    if row > LAST_ROW {
        return None;
    }
    plane.extend([before, last]);
    let (mut before, mut last) = (i32::from(before), i32::from(last));
    for code in bytes.iter().flat_map(|byte| <[u8; 2]>::from(codes(*byte))) {
        let (step, next) = step(row, code)?;
        let value = saturated(last.saturating_mul(2).saturating_sub(before).saturating_add(step));
        plane.push(value);
        (before, last, row) = (last, value.into(), next);
    }
    Some(())
}
