//! Stock packages that get the layout of the game that they are packed for.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use unreal::ue4to6::convert::{ClassLayout, IoStoreRelease, LayoutError, to_layout};
use unreal::{ErrorKind, Limits};

use super::{PackError, PackagePart, PackedFile, convert};
use crate::layout::{ENGINE, LayoutChange};
use crate::packages::STRUCTURES;
use crate::unpack::OBJECTS;

/// Packages that got the layout of a game, and those that did not.
#[derive(Debug, Default)]
pub struct LayoutReport {
    /// Changed packages.
    pub changed: Vec<LayoutChange>,
    /// Packages that stay as they are.
    pub failed: Vec<(PathBuf, LayoutError)>,
}

/// Gives packages the layout of Marvel Rivals; those that have it stay as they are. `release` is that of the engine,
/// 5.3 if none is given. Packages are converted again when they are read, so that memory does not grow with them.
///
/// # Errors
/// [`PackError`] if a file cannot be read.
pub fn to_game_layout(
    files: &mut [PackedFile],
    release: Option<IoStoreRelease>,
) -> Result<LayoutReport, PackError> {
    let version = release.and_then(|release| release.package_versions().next()).unwrap_or(ENGINE);
    let objects =
        files.iter().enumerate().filter_map(|(number, file)| Some((stem(file, &[OBJECTS])?, number)));
    let objects: HashMap<String, usize> = objects.map(|(stem, number)| (stem.to_owned(), number)).collect();
    let mut report = LayoutReport::default();
    for number in 0..files.len() {
        let Some(file) = files.get(number) else { break };
        let Some(stem) = stem(file, &["uasset", "umap"]) else { continue };
        let objects = objects.get(stem).copied();
        let package = match convert::open(file, Some(version)) {
            Ok(package) => package,
            // It is called so, and is another file.
            Err(PackError::Package(_, error)) if matches!(error.kind(), ErrorKind::NotThisFormat(_)) => {
                continue;
            }
            Err(PackError::Package(path, error)) => {
                report.failed.push((path, LayoutError::Read(error)));
                continue;
            }
            Err(error) => return Err(error),
        };
        let limits = &mut Limits::with_structures(STRUCTURES);
        let converted = match to_layout(&package, ClassLayout::Rivals, version, limits) {
            Ok(None) => continue,
            Ok(Some(converted)) => Arc::new(converted),
            Err(error) => {
                report.failed.push((file.file.clone(), error));
                continue;
            }
        };
        report.changed.push(LayoutChange::new(&file.entry, &converted));
        let part = if objects.is_some() { PackagePart::Header } else { PackagePart::Whole };
        let parts = [Some((number, part)), objects.map(|objects| (objects, PackagePart::Objects))];
        for (number, part) in parts.into_iter().flatten() {
            let Some(file) = files.get_mut(number) else { continue };
            file.converted = Some((Arc::clone(&converted), part));
            file.size = file.open().map_err(|error| PackError::Read(file.file.clone(), error))?.len();
        }
    }
    Ok(report)
}

/// Returns the path of a file without its extension, if that is one of these.
fn stem<'f>(file: &'f PackedFile, extensions: &[&str]) -> Option<&'f str> {
    let (stem, extension) = file.entry.rsplit_once('.')?;
    extensions.contains(&extension).then_some(stem)
}
