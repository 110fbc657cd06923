use crate::error::Error;
use crate::limits::Limits;
use crate::name::NameIndex;
use crate::object::ObjectRef;
use crate::package::{Rows, Table};
use crate::reader::Reader;
use crate::source::Source;

/// An object of another package (Epic: `FObjectImport`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// Package of its class.
    pub class_package: NameIndex,
    /// Name of its class.
    pub class_name: NameIndex,
    /// The object it lies in; none for a package.
    pub outer: ObjectRef,
    /// Its own name.
    pub name: NameIndex,
}

/// Reads the import table.
///
/// Source: Unreal Wiki, *Unreal package*, "Import table"; versions 68 and 69 measured.
pub(super) fn read(source: &dyn Source, table: Table, limits: &mut Limits) -> Result<Vec<Import>, Error> {
    // Three compact indexes and an outer.
    const ROWS: Rows = Rows { what: "import table", row: "import", smallest: 7 };
    ROWS.read_table(source, table, limits, |reader, _| read_import(reader))
}

fn read_import(reader: &mut Reader<'_>) -> Result<Import, Error> {
    Ok(Import {
        class_package: NameIndex::new(reader.compact()?),
        class_name: NameIndex::new(reader.compact()?),
        outer: ObjectRef::from_number(reader.i32()?),
        name: NameIndex::new(reader.compact()?),
    })
}
