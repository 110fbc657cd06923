use super::name::{NameRef, smallest_index};
use super::{TableLocation, TableRows};
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::object_ref::ObjectRef;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::ue1to3::version::{Layout, Outers};

/// An object of another package (Epic: `FObjectImport`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// Package of its class.
    pub class_package: NameRef,
    /// Name of its class.
    pub class_name: NameRef,
    /// The object it lies in; none for a package.
    pub outer: ObjectRef,
    /// The name of what it lies in, where the format names that instead of referring to it.
    pub outer_name: Option<NameRef>,
    /// Name of the object (Epic: `ObjectName`).
    pub name: NameRef,
}

/// Reads the import table.
///
/// Source: Unreal Wiki, *Unreal package*, "Import table"; versions 35 to 868 measured.
pub(super) fn read(
    source: &dyn Source,
    layout: &Layout,
    table: TableLocation,
    limits: &mut Limits,
) -> Result<Vec<Import>, Error> {
    let names = NameRef::min_size(layout).saturating_mul(3);
    let outer = if layout.outers == Outers::Names { smallest_index(layout) } else { 4 };
    let rows = TableRows { what: "import table", row: "import", min_size: names.saturating_add(outer) };
    rows.read_table(source, layout, table, limits, |reader, _| read_import(reader, layout))
}

fn read_import(reader: &mut Reader<'_>, layout: &Layout) -> Result<Import, Error> {
    let class_package = NameRef::read(reader, layout)?;
    let class_name = NameRef::read(reader, layout)?;
    let (outer, outer_name) = match layout.outers {
        Outers::Names => (ObjectRef::None, Some(NameRef::read(reader, layout)?)),
        Outers::Objects | Outers::Unknown => (ObjectRef::from_number(reader.i32()?), None),
    };
    Ok(Import { class_package, class_name, outer, outer_name, name: NameRef::read(reader, layout)? })
}
