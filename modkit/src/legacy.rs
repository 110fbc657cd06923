//! Packages of containers written as files.

use std::fmt;

use unreal::containers::mount::{Mount, MountedEntry};
use unreal::containers::{Container, IoStore};
use unreal::ue4to6::convert::{
    ClassLayout, ConvertError, ConvertedObjects, GameObjects, IoStoreRelease, LayoutError, LegacyFile,
    has_layouts, to_layout, to_legacy,
};
use unreal::{AssetPackage, AssetVersion, Error, ErrorKind, Limits, Memory, PackageTables, Source};

use crate::layout::ENGINE;
use crate::packages::STRUCTURES;
use crate::unpack::{OBJECTS, PACKAGES};

/// Turns the packages of a game into files.
#[derive(Debug)]
pub struct LegacyConverter<'m> {
    mount: &'m Mount,
    objects: GameObjects<'m>,
    /// Version of packages that state none.
    version: Option<AssetVersion>,
    /// Whether objects get the layout of the engine.
    is_stock: bool,
}

/// The bytes of an entry whose objects have the layout of the engine, and what changed.
pub(crate) type StockEntry = (Box<dyn Source>, ConvertedObjects);

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
        Ok(Self { mount, objects: GameObjects::new(mount)?, version, is_stock: false })
    }

    /// Gives objects the layout of the engine where their game has another one.
    #[must_use]
    pub fn with_stock_layout(self, is_stock: bool) -> Self {
        Self { is_stock, ..self }
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

    /// Returns the objects of a converted package in the layout of the engine; none if they have it, or keep another.
    /// `objects` are those of the file.
    ///
    /// # Errors
    /// [`LayoutError`] if an object has no known layout.
    pub(crate) fn stock_of_file(
        &self,
        package: &AssetPackage,
        file: &LegacyFile,
    ) -> Result<Option<ConvertedObjects>, LayoutError> {
        if !self.is_stock || !has_layouts(package) {
            return Ok(None);
        }
        let objects = file.objects(package.source());
        let mut bytes = vec![0; usize::try_from(objects.len()).unwrap_or_default()];
        objects.read_at(0, &mut bytes).map_err(Error::from)?;
        let (header, objects) = (Memory(file.header.clone()), Box::new(Memory(bytes)));
        let limits = &mut Limits::with_structures(STRUCTURES);
        let package = AssetPackage::of_files("", Box::new(header), Some(objects), None, limits)?;
        to_layout(&package, ClassLayout::Stock, self.version.unwrap_or(ENGINE), limits)
    }

    /// Returns the bytes of an entry that is a package, or its objects, in the layout of the engine, and what changed;
    /// none if the entry keeps its bytes.
    ///
    /// # Errors
    /// [`LayoutError`] if an object has no known layout; of a file of objects, its package says so.
    pub(crate) fn stock_of_entry(&self, entry: MountedEntry) -> Result<Option<StockEntry>, LayoutError> {
        let path = self.mount.path(entry).unwrap_or_default();
        let (stem, extension) = path.rsplit_once('.').unwrap_or_default();
        let is_objects = extension.eq_ignore_ascii_case(OBJECTS);
        if !self.is_stock || !(is_objects || self.mount.is_package(entry)) {
            return Ok(None);
        }
        let header = match is_objects {
            false => Some(entry),
            true => PACKAGES.iter().find_map(|package| self.mount.at_path(&format!("{stem}.{package}"))),
        };
        let Some(header) = header else { return Ok(None) };
        let limits = &mut Limits::with_structures(STRUCTURES);
        let package = match self.mount.open_package(header, self.version, limits) {
            Ok(package) if has_layouts(&package) => package,
            Ok(_) => return Ok(None),
            Err(error) if is_objects || matches!(error.kind(), ErrorKind::NotThisFormat(_)) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let version = self.version.unwrap_or(ENGINE);
        let converted = match to_layout(&package, ClassLayout::Stock, version, limits) {
            Ok(Some(converted)) => converted,
            Ok(None) => return Ok(None),
            Err(_) if is_objects => return Ok(None),
            Err(error) => return Err(error),
        };
        let stored = self.mount.container(entry).map(|container| container.open(entry.entry)).transpose()?;
        let Some(stored) = stored else { return Ok(None) };
        let source: Box<dyn Source> = match (is_objects, self.mount.objects_of(entry)) {
            (true, _) => Box::new(converted.objects(stored)),
            (false, Some(_)) => Box::new(Memory(converted.header.clone())),
            (false, None) => Box::new(converted.whole(stored)),
        };
        Ok(Some((source, converted)))
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
