//! An object of audio middleware with other files as its bulk data.

use super::{BankAssetFile, BankData, WHAT};
use crate::base::limits::Limits;
use crate::ue4to6::bulk::BulkFile;
use crate::ue4to6::class::bulk_ref::BulkRef;
use crate::ue4to6::class::bulk_writer::{BulkDataError, BulkWriter, ChangedObject, bytes};
use crate::ue4to6::editable::AssetEdit;
use crate::ue4to6::package::AssetPackage;

/// Multiple at which data begins in its file.
const ALIGNMENT: u64 = 16;

/// Writes an object of a package of files with all of the files that it holds, each with its bytes, old or new. Data
/// stays in the file that it is in. `data_length` returns the length of a file beside the package.
///
/// # Errors
/// [`BulkDataError`] if the package cannot be read or written.
pub fn with_files(
    package: &AssetPackage,
    export: usize,
    files: &[(BankAssetFile, &[u8])],
    data_length: &dyn Fn(BulkFile) -> u64,
    limits: &mut Limits,
) -> Result<ChangedObject, BulkDataError> {
    let object = package.range(export)?;
    let mut chunks: Vec<(&BankData, &[u8])> =
        files.iter().flat_map(|(file, bytes)| split(file, bytes)).collect();
    chunks.sort_by_key(|(chunk, _)| chunk.reference);
    let old: Vec<BulkRef> = chunks.iter().map(|(chunk, _)| chunk.bulk).collect();
    let edit = AssetEdit::new(package, limits)?;
    let mut writer = BulkWriter::new(package, export, edit, &old, ALIGNMENT, data_length)?;
    writer.keep_others(&old, data_length);
    let mut at = object.start;
    for (chunk, data) in chunks {
        writer.object.bytes(&bytes(package, at..chunk.reference, WHAT, limits)?);
        writer.write(&chunk.bulk, data)?;
        at = chunk.end;
    }
    writer.object.bytes(&bytes(package, at..object.end, WHAT, limits)?);
    Ok(writer.finish(None)?)
}

/// Splits the bytes of a file into as many chunks as it has; what repeats its beginning stays as long as it is.
fn split<'f>(file: &'f BankAssetFile, bytes: &'f [u8]) -> Vec<(&'f BankData, &'f [u8])> {
    let parts = file.chunks.iter().filter(|chunk| !chunk.is_prefetch).count();
    let part_len = bytes.len().div_ceil(parts.max(1)).max(1);
    let mut rest = bytes;
    let chunk = |chunk: &'f BankData| {
        let length = if chunk.is_prefetch && parts > 0 {
            let length = usize::try_from(chunk.size).unwrap_or(usize::MAX);
            return (chunk, bytes.get(..length).unwrap_or(bytes));
        } else {
            part_len
        };
        let (part, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        rest = after;
        (chunk, part)
    };
    file.chunks.iter().map(chunk).collect()
}
