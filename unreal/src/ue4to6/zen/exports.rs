//! The objects of a package, and what they refer to.

use super::summary::ZenSummary;
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::reader::Reader;

const WHAT: &str = "exports of a package";

/// Bytes of a row.
pub(super) const ROW: u64 = 72;

/// Offset of the class in a row.
pub(super) const CLASS_AT: usize = 32;

/// An object that a package refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ZenObject {
    /// None.
    None,
    /// One of its own.
    Export(u32),
    /// One of the game's code, with the number that this has in `ScriptObject`.
    Script(u64),
    /// One of another package, by what its form has for it.
    Package(u64),
}

/// An object of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZenExport {
    /// Name of the object.
    pub name: String,
    /// The object that it lies in.
    pub outer: ZenObject,
    /// Class of the object.
    pub class: ZenObject,
    /// The object that its values come from where it has none of its own.
    pub template: ZenObject,
    /// The hash by which other packages refer to it; in Unreal Engine 4 it is of its whole path.
    pub public_hash: u64,
    /// Flags (Epic: `EObjectFlags`).
    pub flags: u32,
    /// Offset in the chunk.
    pub offset: u64,
    /// Bytes that it takes.
    pub size: u64,
}

impl ZenObject {
    pub(crate) const fn of(number: u64) -> Self {
        match number >> 62 {
            _ if number == u64::MAX => Self::None,
            #[expect(clippy::cast_possible_truncation, reason = "the lower half is the number")]
            0 => Self::Export(number as u32),
            1 => Self::Script(number),
            _ => Self::Package(number),
        }
    }
}

/// Reads the objects, with where they lie.
///
/// # Errors
/// If they end early, contradict themselves, or take more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &ZenSummary,
    names: &Names,
    limits: &mut Limits,
) -> Result<Vec<ZenExport>, Error> {
    let count = summary.rows(summary.exports, summary.exports_end(), ROW, reader)?;
    limits.take_table::<ZenExport>(count, summary.exports, WHAT)?;
    reader.seek(summary.exports);
    let mut exports = Vec::with_capacity(count);
    for _ in 0..count {
        let (offset, size) = (reader.u64()?, reader.u64()?);
        let name = names.read_ref(reader)?;
        limits.take(name.len() as u64, reader.at(), WHAT)?;
        let mut object = || reader.u64().map(ZenObject::of);
        let (outer, class, _super, template) = (object()?, object()?, object()?, object()?);
        let public_hash = reader.u64()?;
        let flags = reader.u32()?;
        reader.skip(4)?;
        let offset = offset.saturating_add(summary.header_size);
        exports.push(ZenExport { name, outer, class, template, public_hash, flags, offset, size });
    }
    if summary.form.is_in_load_order() {
        place(reader, summary, &mut exports)?;
    }
    Ok(exports)
}

/// Finds where objects lie that stand in the order in which they are loaded.
fn place(reader: &mut Reader<'_>, summary: &ZenSummary, exports: &mut [ZenExport]) -> Result<(), Error> {
    /// Says that the object is read, and not only made.
    const SERIALIZE: u32 = 1;
    // Each object is made once and read once; what else there is before that are the heads of bundles.
    let entries = (exports.len() as u64).saturating_mul(16);
    let from = summary.bundles_end.saturating_sub(entries).max(summary.bundles);
    reader.seek(from);
    let mut at = summary.header_size;
    for _ in 0..exports.len().saturating_mul(2) {
        let (entry_at, number, command) = (reader.at(), reader.u32()?, reader.u32()?);
        if command != SERIALIZE {
            continue;
        }
        let export = usize::try_from(number).ok().and_then(|number| exports.get_mut(number));
        let export = export.ok_or_else(|| reader.error(entry_at, Malformed::NoSuchEntry(number.into())))?;
        export.offset = at;
        at = at.saturating_add(export.size);
    }
    Ok(())
}
