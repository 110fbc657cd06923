//! IMA ADPCM as Wwise has it: differences are multiplied, not added up from shifted parts.
//!
//! ```text
//! first value i16 │ step index u8 │ 0 │ 32 bytes of codes, the last of which is not used
//! ```
//!
//! The low half of a byte comes first. Source: docs of the format of sound banks, section 3.4.

use crate::codec::adpcm::{IMA_STEPS, codes, next_ima_index, saturated};

/// Values of a block.
const FRAMES: usize = 64;

/// Adds the values of a block; none if its step index does not exist.
pub(super) fn block(block: &[u8], plane: &mut Vec<i16>) -> Option<()> {
    let ([low, high, index, _], bytes) = block.split_first_chunk::<4>()?;
    let mut value = i16::from_le_bytes([*low, *high]);
    let mut index = usize::from(*index);
    let mut step = *IMA_STEPS.get(index)?;
    plane.push(value);
    for code in bytes.iter().flat_map(|byte| <[u8; 2]>::from(codes(*byte))).take(FRAMES.saturating_sub(1)) {
        let odd = i32::from(code & 7).saturating_mul(2).saturating_add(1);
        let difference = odd.saturating_mul(step) >> 3;
        let moved = match code & 8 {
            0 => i32::from(value).saturating_add(difference),
            _ => i32::from(value).saturating_sub(difference),
        };
        value = saturated(moved);
        plane.push(value);
        index = next_ima_index(index, code);
        step = *IMA_STEPS.get(index)?;
    }
    Some(())
}
