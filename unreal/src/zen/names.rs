//! Names that packages and containers refer to by their numbers.
//!
//! ```text
//! Unreal Engine 5   count │ bytes of text │ hash algorithm │ hashes │ heads │ text          a batch
//! 4.25 to 4.27      head │ text │ head │ filler │ UTF-16 │ …      and hashes elsewhere      a buffer
//! ```
//!
//! A head has two bytes, the high one first: whether the name is UTF-16, and how many units it has.
//!
//! Source: *packages-ue4-ue6*, §7: batches measured, buffers described.

use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::names::Names;
use crate::package::name::push_utf_16;
use crate::reader::Reader;

/// The head of a name: it is UTF-16.
const WIDE: u16 = 0x8000;

impl Names {
    /// Reads a batch of Unreal Engine 5.
    ///
    /// # Errors
    /// If it ends early, contradicts itself, or takes more than the limits allow.
    pub(crate) fn read_batch(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<Self, Error> {
        let at = reader.at();
        // A hash and a head for each.
        let count = reader.count(10)?;
        if count == 0 {
            return Ok(Self::default());
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
            names.push(text(reader, head, limits)?);
        }
        let left = reader.at().saturating_sub(text_at);
        if left != bytes {
            return Err(reader.error(text_at, Malformed::EndsEarly { wanted: bytes, left }));
        }
        Ok(Self::new(names))
    }

    /// Reads so many names of a buffer.
    ///
    /// # Errors
    /// As [`Names::read_batch`].
    pub(crate) fn read_buffer(
        reader: &mut Reader<'_>,
        count: u32,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let begin = reader.at();
        let count = reader.fitting(count, 2, begin)?;
        limits.take_table::<Box<str>>(count, begin, "names")?;
        let mut names = Vec::with_capacity(count);
        for _ in 0..count {
            let head = u16::from_be_bytes(reader.array()?);
            if head & WIDE != 0 {
                reader.skip(reader.at().saturating_sub(begin) & 1)?;
            }
            names.push(text(reader, head, limits)?);
        }
        Ok(Self::new(names))
    }
}

/// Reads the text of a name.
fn text(reader: &mut Reader<'_>, head: u16, limits: &mut Limits) -> Result<Box<str>, Error> {
    let units = usize::from(head & !WIDE);
    let length = if head & WIDE == 0 { units } else { units.saturating_mul(2) };
    limits.take((length as u64).saturating_mul(3), reader.at(), "names")?;
    let order = reader.order();
    let bytes = reader.bytes(length)?;
    if head & WIDE == 0 {
        return Ok(String::from_utf8_lossy(bytes).into());
    }
    let mut name = String::new();
    push_utf_16(&mut name, bytes, order);
    Ok(name.into())
}
