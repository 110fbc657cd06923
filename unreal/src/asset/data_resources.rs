//! Where the data lies that objects have beside themselves: one table for all, from 5.2 on.

use super::summary::AssetSummary;
use crate::bulk_data::BulkEntry;
use crate::error::Error;
use crate::limits::Limits;
use crate::reader::Reader;

const WHAT: &str = "data resources of a package";

/// Reads the table; none if the package has none.
///
/// # Errors
/// If it ends early, is of no known form, or takes more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &AssetSummary,
    limits: &mut Limits,
) -> Result<Option<Vec<BulkEntry>>, Error> {
    /// Since this form a row says in which of several files its data lies.
    const WITH_FILE: u32 = 2;
    const ROW: u64 = 44;
    let Some(at) = summary.data_resources.filter(|at| *at > 0) else { return Ok(None) };
    reader.seek(at);
    let form = reader.u32()?;
    let has_file = form >= WITH_FILE;
    let count = reader.count(if has_file { ROW.saturating_add(1) } else { ROW })?;
    limits.take_table::<BulkEntry>(count, at, WHAT)?;
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count {
        // What the engine does with it while it runs.
        reader.skip(4)?;
        reader.skip(u64::from(has_file))?;
        let (offset, _duplicate, size, _uncompressed) =
            (reader.u64()?, reader.u64()?, reader.u64()?, reader.u64()?);
        let _owner = reader.u32()?;
        entries.push(BulkEntry::new(reader.u32()?, offset, size));
    }
    Ok(Some(entries))
}
