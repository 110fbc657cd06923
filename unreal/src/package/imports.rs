use crate::error::Error;
use crate::limits::Limits;
use crate::name::NameIndex;
use crate::object::ObjectRef;
use crate::package::{Table, table_reader};
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
    /// Three compact indexes and an outer.
    const SMALLEST: u64 = 7;
    let mut reader = table_reader(source, "import table", table);
    let count = reader.fitting(table.count, SMALLEST, table.at.into())?;
    limits.take_table::<Import>(count, table.at.into(), "import table")?;
    let mut imports = Vec::with_capacity(count);
    for index in 0..count {
        imports.push(read_import(&mut reader).map_err(|error| error.within(format!("import {index}")))?);
    }
    Ok(imports)
}

fn read_import(reader: &mut Reader<'_>) -> Result<Import, Error> {
    Ok(Import {
        class_package: NameIndex::new(reader.compact()?),
        class_name: NameIndex::new(reader.compact()?),
        outer: ObjectRef::from_number(reader.i32()?),
        name: NameIndex::new(reader.compact()?),
    })
}
