//! Packages and what is in their way on disk.

use std::collections::HashMap;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use exporter::{OutputError, OutputFile, Overwrite, Publication};
use unreal::PackageBytes;

use super::{OBJECTS, PlannedFile};
use crate::legacy::LegacyConverter;

/// Writes a package, its objects to a second file if it is split; returns what puts them to their places.
///
/// # Errors
/// [`OutputError`] if a file is in the way, or cannot be written.
pub fn write_package(
    path: &Path,
    bytes: &PackageBytes,
    is_split: bool,
    overwrite: &Overwrite,
) -> Result<Publication, OutputError> {
    if is_split {
        return write_files(path, &[("", &bytes.header), (OBJECTS, &bytes.objects)], overwrite);
    }
    write_files(path, &[("", &[&bytes.header[..], &bytes.objects].concat())], overwrite)
}

/// Writes the files of a package: the first at `path`, the others beside it with their extensions. Returns what puts
/// them to their places.
///
/// # Errors
/// [`OutputError`] if a file is in the way, or cannot be written.
pub fn write_files(
    path: &Path,
    files: &[(&str, &[u8])],
    overwrite: &Overwrite,
) -> Result<Publication, OutputError> {
    let mut written = Vec::new();
    for (number, (extension, bytes)) in files.iter().enumerate() {
        let own = if number == 0 { path.to_owned() } else { path.with_extension(extension) };
        let mut file = match number {
            0 => OutputFile::create_with_folders(&own, overwrite)?,
            _ => OutputFile::create(&own, overwrite)?,
        };
        let failed = |error| OutputError::Io { label: own.display().to_string(), error };
        file.write_all(bytes).map_err(failed)?;
        written.push(file);
    }
    // Objects and data are found by their package.
    written.reverse();
    Ok(Publication::new(written, 1))
}

/// Checks that nothing below `output` would be overwritten by planned files that may not be.
///
/// # Errors
/// [`OutputError`] for the first file that is in the way.
pub fn check_free(
    output: &Path,
    plan: &[PlannedFile],
    converter: Option<&LegacyConverter<'_>>,
    overwrite: &Overwrite,
) -> Result<(), OutputError> {
    let mut folders = HashMap::new();
    for file in plan {
        let folder = output.join(file.path.parent().unwrap_or(Path::new("")));
        // Nothing is in the way in a folder that is not there.
        if *folders.entry(folder).or_insert_with_key(|folder| is_missing(folder)) {
            continue;
        }
        let path = output.join(&file.path);
        let is_converted = converter.is_some_and(|converter| converter.converts(file.entry));
        let objects = is_converted.then(|| path.with_extension(OBJECTS));
        for path in [path].iter().chain(&objects) {
            overwrite.check(path)?;
        }
    }
    Ok(())
}

/// Returns whether nothing is at a path, not even a link that leads nowhere.
fn is_missing(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound)
}
