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
use crate::package::name::push_utf_16;
use crate::reader::Reader;

/// The head of a name: it is UTF-16.
const WIDE: u16 = 0x8000;

/// The upper bits of a reference say whether a name is a package's, a container's or the game's; where it stands says
/// the same.
const INDEX: u32 = 0x3FFF_FFFF;

/// Names in their order.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<Box<str>>);

impl Names {
    /// Reads a batch.
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
        Ok(Self(names))
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
        Ok(Self(names))
    }

    /// Returns a name; none if there is no such.
    pub(crate) fn get(&self, index: u32) -> Option<&str> {
        usize::try_from(index & INDEX).ok().and_then(|index| self.0.get(index)).map(|name| &**name)
    }

    /// Reads a reference to a name, and returns the name with its number.
    ///
    /// # Errors
    /// If it ends early, or there is no such name.
    pub(crate) fn read_mapped(&self, reader: &mut Reader<'_>) -> Result<String, Error> {
        let at = reader.at();
        let (index, number) = (reader.u32()?, reader.u32()?);
        let missing = || reader.error(at, Malformed::NoSuchName((index & INDEX).cast_signed()));
        let name = self.get(index).ok_or_else(missing)?;
        // A number is one more than what is shown.
        Ok(match number.checked_sub(1) {
            None => name.to_owned(),
            Some(number) => format!("{name}_{number}"),
        })
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
