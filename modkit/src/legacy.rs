//! Packages of containers written as files.

use std::fmt;

use unreal::containers::mount::{Mount, MountedEntry};
use unreal::containers::{Container, IoStore};
use unreal::ue4to6::convert::{ConvertError, GameObjects, IoStoreRelease, LegacyFile, to_legacy};
use unreal::{AssetPackage, AssetVersion, Error, Limits, PackageTables};

/// Turns the packages of a game into files.
#[derive(Debug)]
pub struct LegacyConverter<'m> {
    mount: &'m Mount,
    objects: GameObjects<'m>,
    /// Version of packages that state none.
    version: Option<AssetVersion>,
}

/// Errors of converting a package to files.
#[derive(Debug)]
#[non_exhaustive]
pub enum LegacyError {
    /// The package cannot be read.
    Read(Error),
    /// The package cannot be converted.
    Convert(ConvertError),
}

impl fmt::Display for LegacyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Convert(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LegacyError {}

impl<'m> LegacyConverter<'m> {
    /// Looks up the objects that packages of a game refer to. `version` is what the user knows of packages that state
    /// none; otherwise their containers tell it.
    ///
    /// # Errors
    /// If the objects of the game's code, or the headers of its containers, cannot be read.
    pub fn new(mount: &'m Mount, version: Option<AssetVersion>) -> Result<Self, Error> {
        Ok(Self { mount, objects: GameObjects::new(mount)?, version })
    }

    /// Returns whether an entry is a package that has to be converted.
    #[must_use]
    pub fn converts(&self, entry: MountedEntry) -> bool {
        matches!(self.mount.container(entry), Some(Container::IoStore(_))) && self.mount.is_package(entry)
    }

    /// Converts a package.
    ///
    /// # Errors
    /// [`LegacyError`] if it cannot be read or converted.
    pub fn convert(&self, entry: MountedEntry) -> Result<(AssetPackage, LegacyFile), LegacyError> {
        let limits = &mut Limits::default();
        let package = self.mount.open_package(entry, None, limits).map_err(LegacyError::Read)?;
        let version = self.version(entry, &package);
        let file = to_legacy(&package, version, &self.objects, limits).map_err(LegacyError::Convert)?;
        Ok((package, file))
    }

    /// Returns the version of a package: what it states, what is known of it, or what its container tells, the newest
    /// of several.
    pub(crate) fn version(&self, entry: MountedEntry, package: &AssetPackage) -> AssetVersion {
        if let Some(version) = self.version {
            return version;
        }
        let store = self.mount.container(entry).and_then(|container| match container {
            Container::IoStore(store) => Some(store),
            _ => None,
        });
        let has_bulk_map = match package.tables() {
            PackageTables::Zen(tables) => tables.bulk().is_some(),
            PackageTables::Asset(_) => false,
        };
        let mut versions = store.and_then(release_of).into_iter().flat_map(IoStoreRelease::package_versions);
        let fitting = versions.find(|version| version.has_data_resources() == has_bulk_map);
        fitting.unwrap_or_else(|| package.version())
    }
}

/// Returns what a container is written for; none if it has no header.
pub(crate) fn release_of(store: &IoStore) -> Option<IoStoreRelease> {
    let header = store.header(&mut Limits::default()).ok()??;
    Some(IoStoreRelease { toc: store.version(), header: header.version })
}
