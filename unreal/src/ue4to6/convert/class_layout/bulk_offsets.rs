//! Offsets of bulk data that objects before 5.2 state themselves, found by proof: they lead to the byte behind them.
//!
//! ```text
//! flags │ count │ size │ offset │ data …        count and size of 32 bits, or 64 if the flags say so
//!                          └──────► here
//! ```

/// Data that follows (Epic: `BULKDATA_ForceInlinePayload`).
const INLINE: u32 = 0x40;

/// Counts and sizes have 64 bits (Epic: `BULKDATA_Size64Bit`).
const LARGE: u32 = 0x2000;

/// Returns the offsets that an object at `begin` states of data that follows them: where each is in the package, and
/// what it states.
pub(super) fn stated_offsets(object: &[u8], begin: u64) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    for (at, stated) in object.windows(8).enumerate() {
        let Some(stated) = stated.first_chunk().map(|stated| u64::from_le_bytes(*stated)) else { break };
        let place = begin.saturating_add(at as u64);
        if stated != place.saturating_add(8) {
            continue;
        }
        let (before, data) = object.split_at_checked(at).unwrap_or_default();
        let left = (data.len() as u64).saturating_sub(8);
        if states(before, left, 4) || states(before, left, 8) {
            found.push((place, stated));
        }
    }
    found
}

/// Returns whether bytes end with flags of inline data, and a number of elements and of bytes, each of `width` bytes.
fn states(before: &[u8], left: u64, width: usize) -> bool {
    let number = |back: usize, width: usize| -> Option<u64> {
        let bytes = before.get(before.len().checked_sub(back)?..)?.get(..width)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    let flags = number(width.saturating_mul(2).saturating_add(4), 4);
    let (Some(flags), Some(count), Some(size)) =
        (flags, number(width.saturating_mul(2), width), number(width, width))
    else {
        return false;
    };
    let is_large = flags & u64::from(LARGE) != 0;
    flags & u64::from(INLINE) != 0 && is_large == (width == 8) && count <= size && size <= left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(begin: u64, flags: u32, is_large: bool) -> Vec<u8> {
        let mut bytes = vec![9; 5];
        bytes.extend(flags.to_le_bytes());
        for _ in 0..2 {
            match is_large {
                true => bytes.extend(3_u64.to_le_bytes()),
                false => bytes.extend(3_u32.to_le_bytes()),
            }
        }
        bytes.extend((begin + bytes.len() as u64 + 8).to_le_bytes());
        bytes.extend([7; 3]);
        bytes
    }

    #[test]
    fn an_offset_of_inline_data_leads_to_the_byte_behind_it() {
        assert_eq!(stated_offsets(&data(1000, 0x48, false), 1000), [(1017, 1025)]);
        assert_eq!(stated_offsets(&data(1000, 0x2048, true), 1000), [(1025, 1033)]);
        assert_eq!(stated_offsets(&data(1000, 0x48, false), 1001), []);
        assert_eq!(stated_offsets(&data(1000, 0x01, false), 1000), []);
        assert_eq!(stated_offsets(&data(1000, 0x2048, false), 1000), []);
        let cut = data(1000, 0x48, false);
        assert_eq!(stated_offsets(&cut[..cut.len() - 1], 1000), []);
    }
}
