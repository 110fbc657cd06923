//! Arrays of arrays.

use super::{Coder, multi};
use crate::error::Error;
use crate::input::StoredBytes;

/// Decodes an array of type 5.
pub(super) fn decode(
    mut payload: StoredBytes<'_>,
    plain: &mut [u8],
    level: u32,
    coder: &mut Coder,
) -> Result<(), Error> {
    payload.require(payload.len() >= 6, "is too short")?;
    let first = payload.peek()?;
    payload.require(first & 0x7F >= 2, "has less than two parts")?;
    let mut made = 0;
    if first >= 0x80 {
        made = multi::decode(&mut payload, plain, &mut [0], level, coder)?;
    } else {
        payload.u8()?;
        for _ in 0..first {
            made += coder.into(&mut payload, &mut plain[made..], level + 1)?;
        }
    }
    payload.require(made == plain.len() && payload.is_empty(), "does not end with its parts")
}
