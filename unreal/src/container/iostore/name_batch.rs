//! Names one after another, with their hashes: as Unreal Engine 5 has them in packages and in containers.
//!
//! ```text
//! count │ bytes of text │ hash algorithm │ hashes │ heads │ text
//! ```
//!
//! Source: *packages-ue4-ue6*, §7, measured.

use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::package::name::push_utf_16;
use crate::reader::Reader;

/// Reads names. A head has two bytes, the high one first: whether it is UTF-16, and how many units it has.
///
/// # Errors
/// If they end early, contradict themselves, or take more than the limits allow.
pub(super) fn read(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<Vec<Box<str>>, Error> {
    const WIDE: u16 = 0x8000;
    let at = reader.at();
    // A hash and a head for each.
    let count = reader.count(10)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let bytes = u64::from(reader.u32()?);
    reader.skip(8)?;
    reader.skip((count as u64).saturating_mul(8))?;
    limits.take_table::<(u16, Box<str>)>(count, at, "names")?;
    let mut heads = Vec::with_capacity(count);
    for _ in 0..count {
        heads.push(u16::from_be_bytes(reader.array()?));
    }
    let text_at = reader.at();
    let mut names = Vec::with_capacity(count);
    for head in heads {
        let units = usize::from(head & !WIDE);
        let mut name = String::new();
        let length = if head & WIDE == 0 { units } else { units.saturating_mul(2) };
        limits.take((length as u64).saturating_mul(3), reader.at(), "names")?;
        let order = reader.order();
        let text = reader.bytes(length)?;
        if head & WIDE == 0 {
            name.push_str(&String::from_utf8_lossy(text));
        } else {
            push_utf_16(&mut name, text, order);
        }
        names.push(name.into());
    }
    if reader.at().saturating_sub(text_at) != bytes {
        let left = reader.at().saturating_sub(text_at);
        return Err(reader.error(text_at, Malformed::EndsEarly { wanted: bytes, left }));
    }
    Ok(names)
}
