//! Where the data lies that objects have beside themselves: one table for all, from 5.2 on.

use super::summary::ZenSummary;
use crate::base::error::Error;
use crate::base::fields::FieldReader;
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::reader::Reader;
use crate::ue4to6::bulk::BulkEntry;

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
            let names = Names::default();
            let mut fields = FieldReader { reader, limits, names: &names, what: WHAT };
            let mut entries = vec![BulkEntry::default(); count];
            entries.iter_mut().try_for_each(|entry| entry.fields(&mut fields))?;
            return Ok(Some(entries));
        }
    }
    Ok(None)
}

/// Returns whether fillers come before the table, so that its rows lie on multiples of eight.
pub(super) fn has_filler(reader: &mut Reader<'_>, summary: &ZenSummary) -> bool {
    reader.seek(summary.names_end);
    size(reader, true, summary.hashes).is_ok_and(|bytes| bytes.is_some())
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
