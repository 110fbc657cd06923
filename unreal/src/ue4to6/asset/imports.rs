//! The objects of other packages, and of the game's code, that a package refers to.

use serde::{Deserialize, Serialize};

use super::summary::AssetSummary;
use crate::base::error::{Error, Malformed};
use crate::base::fields::{FieldReader, FieldWriter, Fields};
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::object_ref::ObjectRef;
use crate::base::reader::Reader;
use crate::base::writer::WriteError;
use crate::ue4to6::version::AssetLayout;

const WHAT: &str = "imports of a package";

/// An object that a package refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetImport {
    /// The package of its class: `/Script/Engine`.
    pub class_package: String,
    /// Class name: `SoundWave`.
    pub class: String,
    /// Outer object (Epic: `OuterIndex`).
    pub outer: ObjectRef,
    /// Name; of a package its path.
    pub name: String,
    /// The package that it lies in, if that is another than its outers say; most packages have none, and the cooker of
    /// 5.8 writes the name once more.
    pub package: Option<String>,
    /// Whether it may be missing (Epic: `bImportOptional`).
    pub optional: u32,
}

/// Which fields a row has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ImportForm {
    package: bool,
    optional: bool,
}

impl ImportForm {
    fn size(self) -> u64 {
        28_u64.saturating_add(if self.package { 8 } else { 0 }).saturating_add(if self.optional {
            4
        } else {
            0
        })
    }
}

impl AssetImport {
    fn fields<F: Fields>(&mut self, fields: &mut F, form: ImportForm) -> Result<(), F::Error> {
        fields.name(&mut self.class_package)?;
        fields.name(&mut self.class)?;
        fields.object(&mut self.outer)?;
        fields.name(&mut self.name)?;
        if form.package {
            fields.name(self.package.get_or_insert_default())?;
        }
        fields.u32_if(form.optional, &mut self.optional)
    }
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
    let (table, optional) = (summary.imports(), layout.import_optional);
    let stated = ImportForm { package: layout.import_package && !summary.is_filtered(), optional };
    let forms = [stated, ImportForm { package: false, optional }, ImportForm { package: true, optional }];
    let room = summary.room_of(table.at);
    let fits = |form: &ImportForm| u64::from(table.count).checked_mul(form.size()) == Some(room);
    let form = forms.into_iter().find(fits).unwrap_or(stated);
    reader.seek(table.at);
    let fit = room.checked_div(form.size()).unwrap_or_default();
    if u64::from(table.count) > fit {
        return Err(reader.error(table.at, Malformed::TooMany { count: table.count.into(), fit }));
    }
    let mut imports = Vec::new();
    let mut fields = FieldReader { reader, limits, names, what: WHAT };
    fields.rows(table.count, form.size(), &mut imports, |fields, import: &mut AssetImport| {
        import.fields(fields, form)
    })?;
    Ok(imports)
}

/// Writes the imports, with the names of packages if any has one.
///
/// # Errors
/// If a name is not in the table of names.
pub(super) fn write(
    imports: &[AssetImport],
    layout: &AssetLayout,
    fields: &mut FieldWriter<'_>,
) -> Result<(), WriteError> {
    let package = imports.iter().any(|import| import.package.is_some());
    let form = ImportForm { package, optional: layout.import_optional };
    imports.iter().try_for_each(|import| import.clone().fields(fields, form))
}
