//! The rows of a data table.

use std::ops::Range;

use super::{DataTable, EditableObject, fetch};
use crate::base::limits::Limits;
use crate::base::names::EditableNames;
use crate::base::property::Value;
use crate::ue4to6::package::AssetPackage;
use crate::ue4to6::property::{Mappings, PropertyWriter, read_rows};

/// The class of data tables.
pub(super) const CLASS: &str = "DataTable";

/// Where the rows of a data table are looked for.
pub(super) struct RowSearch<'t> {
    pub(super) package: &'t AssetPackage,
    pub(super) mappings: Option<&'t Mappings>,
    pub(super) whole: &'t [u8],
    pub(super) range: Range<u64>,
}

impl RowSearch<'_> {
    /// Takes the rows out of the bytes of an object, if they are written to the same bytes.
    pub(super) fn take_apart(
        &self,
        object: &mut EditableObject,
        names: &mut EditableNames,
        limits: &mut Limits,
    ) {
        /// What says that an object has no identifier.
        const BEFORE: usize = 4;
        let Some(form) = &object.form else { return };
        let row_struct = object.properties.iter().find(|property| property.is("RowStruct"));
        let Some(Value::Object(row_struct)) = row_struct.map(|property| &property.value) else { return };
        let path = self.package.path(*row_struct).unwrap_or_default();
        let name = path.rsplit(['.', '/']).next().unwrap_or_default();
        let Some(before) = object.bytes.get(..BEFORE) else { return };
        let from = self.range.end.saturating_sub(object.bytes.len() as u64).saturating_add(BEFORE as u64);
        let read = read_rows(self.package, from..self.range.end, (name, form), self.mappings, limits);
        let Ok((mut rows, end)) = read else { return };
        for row in &mut rows {
            row.properties.iter_mut().for_each(|property| fetch(&mut property.value, self.whole));
        }
        let size = usize::try_from(end.saturating_sub(from)).unwrap_or(usize::MAX);
        let Some(stored) = object.bytes.get(BEFORE..BEFORE.saturating_add(size)) else { return };
        let soft_paths = self.package.soft_paths();
        let mut writer = PropertyWriter { names, mappings: self.mappings, soft_paths };
        if writer.rows(name, form, &rows).is_ok_and(|written| written == stored) {
            let table = DataTable { before: before.to_vec(), row_struct: name.to_owned(), rows };
            object.bytes.drain(..BEFORE.saturating_add(size));
            object.table = Some(table);
        }
    }
}
