//! Names of a package, each with two hashes from 4.12 on, which nothing needs.

use super::summary::AssetSummary;
use super::version::AssetLayout;
use crate::error::Error;
use crate::limits::Limits;
use crate::names::Names;
use crate::reader::Reader;

/// Reads the names.
///
/// # Errors
/// If they end early, or take more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &AssetSummary,
    layout: &AssetLayout,
    limits: &mut Limits,
) -> Result<Names, Error> {
    reader.seek(summary.names.at);
    let count = reader.fitting(summary.names.count, 5, summary.names.at)?;
    limits.take_table::<Box<str>>(count, summary.names.at, "names")?;
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        names.push(reader.string(limits)?.into_boxed_str());
        if layout.name_hashes {
            reader.skip(4)?;
        }
    }
    Ok(Names::new(names))
}
