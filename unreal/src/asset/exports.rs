//! The objects of a package.

use super::summary::AssetSummary;
use super::version::AssetLayout;
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::names::Names;
use crate::object_ref::ObjectRef;
use crate::reader::Reader;

const WHAT: &str = "exports of a package";

/// An object of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetExport {
    /// Its name.
    pub name: String,
    /// Its class.
    pub class: ObjectRef,
    /// What it lies in.
    pub outer: ObjectRef,
    /// The object that its values come from where it has none of its own; none before 4.14.
    pub template: ObjectRef,
    /// Its flags.
    pub flags: u32,
    /// Where it begins, counted from the beginning of the header.
    pub offset: u64,
    /// Bytes that it takes.
    pub size: u64,
}

/// Reads the objects.
///
/// # Errors
/// If they end early, contradict themselves, or take more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &AssetSummary,
    layout: &AssetLayout,
    names: &Names,
    limits: &mut Limits,
) -> Result<Vec<AssetExport>, Error> {
    let (table, form) = (summary.exports, layout.export);
    let optional = [
        (form.template, 4),
        (form.large, 8),
        (form.guid, 16),
        (form.inherited, 4),
        (form.editor_game, 4),
        (form.is_asset, 4),
        (form.public_hash, 4),
        (form.preload, 20),
        (form.script && !summary.is_unversioned(), 16),
    ];
    // Class, super, outer, name, flags, size, offset, three switches, flags of the package.
    let row: u64 = optional
        .iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, size)| size)
        .sum::<u64>()
        .saturating_add(48);
    reader.seek(table.at);
    let count = reader.fitting(table.count, row, table.at)?;
    let room = summary.room_of(table.at);
    if (count as u64).saturating_mul(row) > room {
        return Err(reader.error(
            table.at,
            Malformed::TooMany { count: count as u64, fit: room.checked_div(row).unwrap_or_default() },
        ));
    }
    limits.take_table::<AssetExport>(count, table.at, WHAT)?;
    let mut exports = Vec::with_capacity(count);
    for number in 0..count as u64 {
        let at = table.at.saturating_add(number.saturating_mul(row));
        reader.seek(at);
        let class = ObjectRef::from_number(reader.i32()?);
        let _super = reader.i32()?;
        let template = if form.template { ObjectRef::from_number(reader.i32()?) } else { ObjectRef::None };
        let outer = ObjectRef::from_number(reader.i32()?);
        let name = names.read_ref(reader)?;
        limits.take(name.len() as u64, at, WHAT)?;
        let flags = reader.u32()?;
        let mut number = || if form.large { reader.u64() } else { reader.u32().map(u64::from) };
        let (size, offset) = (number()?, number()?);
        exports.push(AssetExport { name, class, outer, template, flags, offset, size });
    }
    reader.seek(table.at.saturating_add((count as u64).saturating_mul(row)));
    Ok(exports)
}
