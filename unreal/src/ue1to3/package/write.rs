//! A package of Unreal Engine 1 to 3 in which an object has another body. All else stays where it is: what says where
//! something lies in the file, as data that is loaded late does, stays true.
//!
//! ```text
//! as long as before, or shorter   where it was
//! longer                          after all else; if its place takes more bytes then, so does the table of exports
//! ```

use super::{Package, exports, summary};
use crate::base::byte_order::ByteOrder;
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::object_ref::ExportIndex;
use crate::base::reader::IndexCoding;
use crate::base::source::{Memory, Source};

const WHAT: &str = "package";

/// Returns the bytes of a package in which an object has another body, which may depend on its place, but not its
/// length.
///
/// # Errors
/// If the package cannot be read, is larger than the limits allow, or would be larger than places in it can say.
pub(crate) fn with_body(
    source: &dyn Source,
    package: &Package,
    export: ExportIndex,
    body: &dyn Fn(u64) -> Vec<u8>,
    limits: &mut Limits,
) -> Result<Vec<u8>, Error> {
    let layout = package.layout();
    let table = package.summary().exports;
    let table_at = u64::from(table.at);
    let length = source.len();
    limits.take(length, 0, WHAT)?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    source.read_at(0, &mut bytes).map_err(|error| Error::from_io(error, 0, WHAT))?;
    let before = package.export(export).and_then(|export| export.body);
    let before = before.ok_or_else(|| Error::malformed(Malformed::NoBody, table_at, WHAT))?;
    let size = body(0).len();
    let at = if size <= before.size as usize { u64::from(before.at) } else { length };
    let new = body(at);
    let too_large =
        || Error::malformed(Malformed::OutsideFile { end: at, length: i32::MAX as u64 }, at, WHAT);
    let number = |value: u64| i32::try_from(value).map_err(|_| too_large());
    put(&mut bytes, at, &new);
    let place = exports::place(source, layout, table, export.get())?;
    let mut row = Vec::new();
    for value in [new.len() as u64, at] {
        index(number(value)?, layout.index, layout.order, &mut row);
    }
    let old = place.body.end.saturating_sub(place.body.start);
    if row.len() as u64 == old {
        put(&mut bytes, place.body.start, &row);
        return Ok(bytes);
    }
    // The table becomes longer or shorter, so it is written once more.
    let part = |from: u64, to: u64| {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        bytes.get(place(from)..place(to)).unwrap_or_default().to_vec()
    };
    let rows =
        [part(place.table.start, place.body.start), row, part(place.body.end, place.table.end)].concat();
    let new_at = number(bytes.len() as u64)?;
    let stated = summary::exports_at(&Memory(&bytes), layout, limits)?;
    let mut word = Vec::new();
    index(new_at, IndexCoding::Int32, layout.order, &mut word);
    bytes.extend(rows);
    put(&mut bytes, stated, &word);
    Ok(bytes)
}

/// Puts bytes to a place; what is beyond the end is added.
fn put(bytes: &mut Vec<u8>, at: u64, new: &[u8]) {
    let at = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
    let end = at.saturating_add(new.len()).min(bytes.len());
    bytes.splice(at..end, new.iter().copied());
}

/// Writes an index, as [`crate::base::reader::Reader::index`] reads it.
pub(crate) fn index(value: i32, coding: IndexCoding, order: ByteOrder, to: &mut Vec<u8>) {
    if coding == IndexCoding::Int32 {
        to.extend(match order {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        });
        return;
    }
    const SIGN: u8 = 0x80;
    const MORE_FIRST: u8 = 0x40;
    const MORE: u8 = 0x80;
    let mut left = value.unsigned_abs();
    let low = |left: u32, mask: u8| left.to_le_bytes()[0] & mask;
    let sign = if value < 0 { SIGN } else { 0 };
    let first = low(left, 0x3F);
    left >>= 6;
    to.push(sign | first | if left > 0 { MORE_FIRST } else { 0 });
    while left > 0 {
        let byte = low(left, 0x7F);
        left >>= 7;
        to.push(byte | if left > 0 { MORE } else { 0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::reader::Reader;

    #[test]
    fn an_index_is_read_as_it_was_written() {
        for value in [
            0,
            1,
            -1,
            63,
            64,
            -64,
            8191,
            8192,
            1 << 20,
            -(1 << 20),
            (1 << 27) - 1,
            1 << 27,
            i32::MAX,
            -i32::MAX,
        ] {
            let mut bytes = Vec::new();
            index(value, IndexCoding::Compact, ByteOrder::Little, &mut bytes);
            let source = Memory(&bytes[..]);
            let mut reader = Reader::new(&source, "index", 0, source.len());
            assert_eq!((reader.compact().unwrap(), reader.left()), (value, 0), "{bytes:?}");
        }
    }
}
