//! Where the data lies that objects have beside themselves: one table for all, from 5.2 on.

use super::summary::ZenSummary;
use crate::bulk_data::BulkEntry;
use crate::error::Error;
use crate::limits::Limits;
use crate::reader::Reader;

const WHAT: &str = "bulk map of a package";

/// Bytes of a row.
const ROW: u64 = 32;

/// Reads the table; none if there is no room for one between the names and what follows.
///
/// # Errors
/// If it ends early, or takes more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &ZenSummary,
    limits: &mut Limits,
) -> Result<Option<Vec<BulkEntry>>, Error> {
    // From 5.4 on a number of fillers comes first.
    for has_filler in [true, false] {
        reader.seek(summary.names_end);
        if let Ok(Some(bytes)) = size(reader, has_filler, summary.hashes) {
            let count = usize::try_from(bytes.checked_div(ROW).unwrap_or_default()).unwrap_or(usize::MAX);
            limits.take_table::<BulkEntry>(count, reader.at(), WHAT)?;
            return (0..count).map(|_| BulkEntry::read(reader)).collect::<Result<_, _>>().map(Some);
        }
    }
    Ok(None)
}

/// Returns the bytes of the table if it has that form: then it ends where the next begins.
fn size(reader: &mut Reader<'_>, has_filler: bool, end: u64) -> Result<Option<u64>, Error> {
    if has_filler {
        let fillers = reader.u64()?;
        if fillers >= 8 {
            return Ok(None);
        }
        reader.skip(fillers)?;
    }
    let bytes = reader.u64()?;
    let fits = bytes.is_multiple_of(ROW) && reader.at().checked_add(bytes) == Some(end);
    Ok(fits.then_some(bytes))
}
