//! Packages of a game written as documents of either form.

use std::fmt;

use unreal::containers::mount::MountedEntry;
use unreal::{AssetPackage, Error, Limits, Memory, Source as _};

use super::uassetapi::{self, UassetApi, UassetError};
use super::{needs_mappings, to_json};
use crate::GamePackages;
use crate::legacy::{LegacyConverter, LegacyError};
use crate::packages::STRUCTURES;

/// The form of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JsonFormat {
    /// The one of this program.
    #[default]
    Usampler,
    /// The one of `UAssetAPI`.
    UassetApi(UassetApi),
}

impl JsonFormat {
    /// Returns the form of a name and a version of `UAssetAPI`: `uassetapi` and `1.0`; others are this program's and
    /// the newest.
    #[must_use]
    pub fn named(name: &str, version: &str) -> Self {
        match (name, version) {
            ("uassetapi", "1.0") => Self::UassetApi(UassetApi::V1_0),
            ("uassetapi", _) => Self::UassetApi(UassetApi::V1_1),
            _ => Self::Usampler,
        }
    }
}

/// A package as a document.
#[derive(Debug, Default)]
pub struct PackageDocument {
    /// The document.
    pub text: String,
    /// Whether its properties are raw bytes because the package has no tags and there are no mappings.
    pub needs_mappings: bool,
    /// Names of exports whose properties are known, but which are raw bytes: the form would lose something of them.
    pub raw: Vec<String>,
}

/// Errors of writing a document.
#[derive(Debug)]
#[non_exhaustive]
pub enum DocumentError {
    /// The package cannot be read.
    Read(Error),
    /// The package cannot be converted to files, which the form needs.
    Convert(LegacyError),
    /// The form cannot say something of the package.
    Form(UassetError),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Convert(error) => error.fmt(f),
            Self::Form(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DocumentError {}

impl From<Error> for DocumentError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

/// Writes packages of a game as documents.
#[derive(Debug)]
pub struct DocumentWriter<'p> {
    packages: &'p GamePackages,
    format: JsonFormat,
    /// Converts packages of containers, if the form needs files.
    converter: Option<LegacyConverter<'p>>,
}

impl<'p> DocumentWriter<'p> {
    /// Creates a writer of documents of a form.
    ///
    /// # Errors
    /// If the form needs files, and the objects of the game's code cannot be read.
    pub fn new(packages: &'p GamePackages, format: JsonFormat) -> Result<Self, Error> {
        let converter = match format {
            JsonFormat::Usampler => None,
            JsonFormat::UassetApi(_) => {
                Some(LegacyConverter::new(&packages.mount, packages.options.version)?)
            }
        };
        Ok(Self { packages, format, converter })
    }

    /// Returns a package as a document.
    ///
    /// # Errors
    /// [`DocumentError`] if the package cannot be read, or converted to files.
    pub fn document(&self, entry: MountedEntry) -> Result<PackageDocument, DocumentError> {
        let limits = &mut Limits::with_structures(STRUCTURES);
        let mappings = self.packages.options.mappings.as_deref();
        let converter = self.converter.as_ref().filter(|converter| converter.converts(entry));
        let (package, is_split) = match converter {
            Some(converter) => (converted(converter, entry, limits)?, true),
            None => (self.packages.package(entry)?, self.packages.is_split(entry)),
        };
        let needs_mappings = needs_mappings(&package, mappings);
        match self.format {
            JsonFormat::Usampler => {
                let text = to_json(&package, mappings, is_split, limits)?;
                Ok(PackageDocument { text, needs_mappings, raw: Vec::new() })
            }
            JsonFormat::UassetApi(api) => {
                let written = uassetapi::to_json(&package, mappings, is_split, api, limits);
                let written = written.map_err(|error| match error {
                    UassetError::Read(error) => DocumentError::Read(error),
                    error => DocumentError::Form(error),
                })?;
                Ok(PackageDocument { text: written.text, needs_mappings, raw: written.raw })
            }
        }
    }
}

/// Returns a package of a container as files.
fn converted(
    converter: &LegacyConverter<'_>,
    entry: MountedEntry,
    limits: &mut Limits,
) -> Result<AssetPackage, DocumentError> {
    let (zen, file) = converter.convert(entry).map_err(DocumentError::Convert)?;
    let source = file.objects(zen.source());
    let mut objects = vec![0; usize::try_from(source.len()).unwrap_or_default()];
    source.read_at(0, &mut objects).map_err(Error::from)?;
    let (header, objects) = (Box::new(Memory(file.header)), Box::new(Memory(objects)));
    Ok(AssetPackage::of_files(zen.name(), header, Some(objects), None, limits)?)
}
