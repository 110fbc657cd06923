//! Packages of files that become chunks.

use std::path::Path;

use unreal::ue4to6::convert::{ConvertError, SplicedPackage, ZenChunk, to_zen};
use unreal::ue4to6::zen::ZenForm;
use unreal::{AssetPackage, AssetVersion, FileSource, Limits, PackageTables, Source};

use super::{PackError, PackedFile};
use crate::unpack::OBJECTS;

/// Opens a package of files: its header, and the objects beside it. `version` is that of one which states none, if its
/// tables are of that; the newest otherwise.
///
/// # Errors
/// [`PackError`] if it cannot be read.
pub(super) fn open(file: &PackedFile, version: Option<AssetVersion>) -> Result<AssetPackage, PackError> {
    let package = open_as(file, None)?;
    let is_stated = match package.tables() {
        PackageTables::Asset(tables) => tables.summary().stated.is_some(),
        PackageTables::Zen(_) => true,
    };
    if is_stated || version.is_none_or(|version| package.version() == version) {
        return Ok(package);
    }
    Ok(open_as(file, version).unwrap_or(package))
}

fn open_as(file: &PackedFile, version: Option<AssetVersion>) -> Result<AssetPackage, PackError> {
    let failed = |path: &Path, error| PackError::Read(path.to_owned(), error);
    let header = file.open().map_err(|error| failed(&file.file, error))?;
    let objects = file.file.with_extension(OBJECTS);
    let objects = match objects.is_file() {
        true => Some(FileSource::open(&objects).map_err(|error| failed(&objects, error))?),
        false => None,
    };
    let objects = objects.map(|objects| match &file.converted {
        Some((converted, _)) => Box::new(converted.objects(objects)) as Box<dyn Source>,
        None => Box::new(objects),
    });
    AssetPackage::of_files(&file.entry, header, objects, version, &mut Limits::default())
        .map_err(|error| PackError::Package(file.file.clone(), error))
}

/// Returns the chunk that a package becomes.
///
/// # Errors
/// [`PackError`] if it cannot be converted.
pub(super) fn chunk(package: &AssetPackage, form: ZenForm, file: &Path) -> Result<ZenChunk, PackError> {
    let failed = |error: ConvertError| PackError::Convert(file.to_owned(), error);
    to_zen(package, form, &mut Limits::default()).map_err(failed)
}

/// Returns all bytes of the chunk that a file becomes.
///
/// # Errors
/// [`PackError`] if it cannot be read or converted.
pub(super) fn source(
    file: &PackedFile,
    (form, version): (ZenForm, AssetVersion),
) -> Result<SplicedPackage<'static>, PackError> {
    let package = open(file, Some(version))?;
    let chunk = chunk(&package, form, &file.file)?;
    Ok(chunk.into_source(package.into_source()))
}
