//! The objects of other packages, and of the game's code, that a package refers to.

use super::summary::AssetSummary;
use super::version::AssetLayout;
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::names::Names;
use crate::object_ref::ObjectRef;
use crate::reader::Reader;

const WHAT: &str = "imports of a package";

/// An object that a package refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetImport {
    /// The package of its class: `/Script/Engine`.
    pub class_package: String,
    /// Its class: `SoundWave`.
    pub class: String,
    /// What it lies in.
    pub outer: ObjectRef,
    /// Its name; of a package its path.
    pub name: String,
}

/// Reads the imports. How long a row is follows from where the next table begins, for tools have left out, and the
/// cooker of 5.8 has kept, the name of the package.
///
/// # Errors
/// If they end early, contradict themselves, or take more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &AssetSummary,
    layout: &AssetLayout,
    names: &Names,
    limits: &mut Limits,
) -> Result<Vec<AssetImport>, Error> {
    const PACKAGE: u64 = 8;
    let table = summary.imports;
    let short: u64 = if layout.import_optional { 32 } else { 28 };
    let has_package = layout.import_package && !summary.is_filtered();
    let stated = if has_package { short.saturating_add(PACKAGE) } else { short };
    let forms = [stated, short, short.saturating_add(PACKAGE)];
    let room = summary.room_of(table.at);
    let fits = |row: &u64| u64::from(table.count).checked_mul(*row) == Some(room);
    let row = forms.into_iter().find(fits).unwrap_or(stated);
    reader.seek(table.at);
    let count = reader.fitting(table.count, row, table.at)?;
    if (count as u64).saturating_mul(row) > room {
        return Err(reader.error(
            table.at,
            Malformed::TooMany { count: count as u64, fit: room.checked_div(row).unwrap_or_default() },
        ));
    }
    limits.take_table::<AssetImport>(count, table.at, WHAT)?;
    let mut imports = Vec::with_capacity(count);
    for _ in 0..count {
        let at = reader.at();
        let (class_package, class) = (names.read_ref(reader)?, names.read_ref(reader)?);
        let outer = ObjectRef::from_number(reader.i32()?);
        let name = names.read_ref(reader)?;
        let length = class_package.len().saturating_add(class.len()).saturating_add(name.len());
        limits.take(length as u64, at, WHAT)?;
        reader.skip(row.saturating_sub(28))?;
        imports.push(AssetImport { class_package, class, outer, name });
    }
    Ok(imports)
}
