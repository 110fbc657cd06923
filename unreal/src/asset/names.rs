//! Names of a package, each with two hashes from 4.12 on, which nothing needs.

use super::summary::AssetSummary;
use super::version::AssetLayout;
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::names::Names;
use crate::reader::Reader;

/// The most characters that a name of the engine has; paths repeat names, so without a bound a small package could have
/// long ones without end.
const MAX_NAME: usize = 1023;

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
        let (at, name) = (reader.at(), reader.string(limits)?);
        if name.chars().count() > MAX_NAME {
            return Err(reader.error(at, Malformed::TooLong { characters: MAX_NAME }));
        }
        names.push(name.into_boxed_str());
        if layout.name_hashes {
            reader.skip(4)?;
        }
    }
    Ok(Names::new(names))
}
