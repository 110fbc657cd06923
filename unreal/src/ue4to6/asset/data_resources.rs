//! Where the data lies that objects have beside themselves: one table for all, from 5.2 on.

use serde::{Deserialize, Serialize};

use super::header_tables::TableKind;
use super::summary::AssetSummary;
use crate::base::error::Error;
use crate::base::fields::{FieldReader, FieldWriter, Fields};
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::reader::Reader;
use crate::base::writer::WriteError;
use crate::ue4to6::bulk::{BulkEntry, BulkFile};

const WHAT: &str = "data resources of a package";

/// Where data lies, and the form of the table that says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DataResources {
    pub(crate) form: u32,
    pub(crate) entries: Vec<BulkEntry>,
}

/// Since this form a row says in which of several files its data lies.
const WITH_FILE: u32 = 2;

impl DataResources {
    /// The newest form.
    pub(crate) const NEWEST: u32 = WITH_FILE;

    fn fields<F: Fields>(&mut self, fields: &mut F) -> Result<(), F::Error> {
        const ROW: u64 = 44;
        fields.u32(&mut self.form)?;
        let has_file = self.form >= WITH_FILE;
        let row = if has_file { ROW.saturating_add(1) } else { ROW };
        fields.list(row, &mut self.entries, |fields, entry: &mut BulkEntry| {
            fields.u32(&mut entry.details.loading)?;
            if has_file {
                fields.u8(&mut entry.details.file)?;
            }
            fields.u64(&mut entry.offset)?;
            fields.u64(&mut entry.details.duplicate)?;
            fields.u64(&mut entry.size)?;
            fields.u64(&mut entry.details.uncompressed)?;
            fields.object(&mut entry.details.owner)?;
            fields.u32(&mut entry.flags)?;
            entry.place = BulkFile::of(entry.flags);
            Ok(())
        })
    }

    /// Writes the table.
    pub(super) fn write(&self, fields: &mut FieldWriter<'_>) -> Result<(), WriteError> {
        self.clone().fields(fields)
    }
}

/// Reads the table; none if the package has none.
///
/// # Errors
/// If it ends early, is of no known form, or takes more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &AssetSummary,
    names: &Names,
    limits: &mut Limits,
) -> Result<Option<DataResources>, Error> {
    let at = summary.tables.get(TableKind::DataResources).at;
    // Below zero as a number of 32 bits.
    if at == 0 || at > i32::MAX.unsigned_abs().into() {
        return Ok(None);
    }
    reader.seek(at);
    let mut table = DataResources::default();
    table.fields(&mut FieldReader { reader, limits, names, what: WHAT })?;
    Ok(Some(table))
}
