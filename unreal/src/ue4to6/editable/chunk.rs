//! A chunk of a container put together of its parts.

use super::{MovedOffsets, WrittenPart};
use crate::base::names::EditableNames;
use crate::ue4to6::bulk::{BulkEntry, BulkFile};
use crate::ue4to6::property::PropertyError;
use crate::ue4to6::zen::ZenHeader;

/// Puts a chunk together.
pub(super) fn write(
    mut header: ZenHeader,
    parts: Vec<WrittenPart>,
    mut names: EditableNames,
) -> Result<(Vec<u8>, Vec<u8>), PropertyError> {
    let mut objects = Vec::new();
    let (mut before, mut moved) = (0_u64, MovedOffsets::default());
    let mut sizes = Vec::new();
    for (number, _, bytes) in parts {
        let size = bytes.len() as u64;
        let number = number.and_then(|number| Some((number, header.exports.get(number)?.size)));
        before = before.saturating_add(number.map_or(size, |(_, old)| old));
        objects.extend(bytes);
        moved.add(before, objects.len() as u64);
        sizes.extend(number.map(|(number, _)| (number, size)));
    }
    resize(&mut header, &sizes, &moved);
    let needed = header.exports.iter().map(|export| &export.name).chain([&header.name]);
    needed.for_each(|name| names.need(name));
    header.names = names.finish().0.into_inner();
    Ok((header.write()?, objects))
}

/// Gives objects other sizes. `moved` maps offsets from the first object on; rows of objects count as in the package
/// that it was, and move by themselves.
pub(crate) fn resize(header: &mut ZenHeader, sizes: &[(usize, u64)], moved: &MovedOffsets) {
    let mut rows: Vec<(u64, u64)> = Vec::new();
    for (number, size) in sizes {
        let Some(export) = header.exports.get_mut(*number) else { continue };
        let old = std::mem::replace(&mut export.size, *size);
        rows.push((export.offset.saturating_add(old), size.wrapping_sub(old)));
    }
    rows.sort_unstable();
    let mut rows_moved = MovedOffsets::default();
    let mut more = 0_u64;
    for (end, by) in rows {
        more = more.wrapping_add(by);
        rows_moved.add(end, end.wrapping_add(more));
    }
    header.exports.iter_mut().for_each(|export| export.offset = rows_moved.offset(export.offset));
    let inline = |row: &&mut BulkEntry| row.place == BulkFile::Inline;
    let rows = header.bulk.iter_mut().flatten();
    rows.filter(inline).for_each(|row| row.offset = moved.offset(row.offset));
}
