//! Packages among mounted entries: what belongs to one, and its tables.
//!
//! ```text
//! IoStore      package ◄── its number ──► bulk data, optional bulk data, …
//! pak, folder  X.uasset ◄── its path ──► X.uexp, X.ubulk, X.uptnl, …
//! ```

use super::bulk::BulkFile;
use super::package::{AssetPackage, PackageTables};
use super::script;
use super::version::AssetVersion;
use super::zen::{self, ZenFamily, ZenSummary, ZenTables};
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::path::package_name;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::containers::mount::{Mount, MountedEntry};
use crate::containers::{ChunkType, Container, IoStore};

const CHUNK: &str = "chunk";

impl Mount {
    /// Returns whether an entry is a package, as far as its type or its path says.
    #[must_use]
    pub fn is_package(&self, entry: MountedEntry) -> bool {
        match self.container(entry) {
            Some(container @ Container::IoStore(_)) => {
                container.chunk_type(entry.entry) == Some(ChunkType::ExportBundleData)
                    && container.chunk_id(entry.entry).is_some_and(|id| id.index() == 0)
            }
            Some(container) => container.path(entry.entry).is_some_and(|path| {
                let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
                ["uasset", "umap"].into_iter().any(|known| extension.eq_ignore_ascii_case(known))
            }),
            None => false,
        }
    }

    /// Opens a package that may have sounds, as [`Mount::open_package`] does; none if its exports show that it has
    /// none.
    ///
    /// # Errors
    /// As [`Mount::open_package`].
    pub fn open_sound_package(
        &self,
        entry: MountedEntry,
        version: Option<AssetVersion>,
        limits: &mut Limits,
    ) -> Result<Option<AssetPackage>, Error> {
        let Some(Container::IoStore(store)) = self.container(entry) else {
            return self.open_package(entry, version, limits).map(Some);
        };
        let source = store.open_entry(entry.entry)?;
        if store.may_have_class(&*source, &script::is_sound)? {
            store.asset_package(source, limits).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Opens a package: reads its tables. `version` is what the user knows of one that states none.
    ///
    /// # Errors
    /// If its bytes cannot be read, its tables contradict themselves or are of no known form, or they take more than
    /// the limits allow.
    pub fn open_package(
        &self,
        entry: MountedEntry,
        version: Option<AssetVersion>,
        limits: &mut Limits,
    ) -> Result<AssetPackage, Error> {
        let missing = || Error::malformed(Malformed::NoSuchEntry(entry.entry as u64), 0, "package");
        let container = self.container(entry).ok_or_else(missing)?;
        let source = container.open(entry.entry)?;
        if let Container::IoStore(store) = container {
            return store.asset_package(source, limits);
        }
        let objects = self.objects_of(entry).and_then(|entry| Some((self.container(entry)?, entry.entry)));
        let objects = objects.map(|(container, entry)| container.open(entry)).transpose()?;
        let path = container.path(entry.entry).unwrap_or_default();
        AssetPackage::of_files(&path, source, objects, version, limits)
    }

    /// Returns the name of a package by where it lies: `/Game/Audio/SW_Steps`; none if it does not lie among contents.
    #[must_use]
    pub fn package_name(&self, package: MountedEntry) -> Option<String> {
        package_name(&self.path(package)?)
    }

    /// Returns the file with the objects of a package, if they are in one of their own.
    #[must_use]
    pub fn objects_of(&self, package: MountedEntry) -> Option<MountedEntry> {
        match self.container(package)? {
            Container::IoStore(_) => None,
            _ => self.with_extension(package, "uexp"),
        }
    }

    /// Returns the entry that holds the bulk data of a package which is in such a file.
    #[must_use]
    pub fn data_of(&self, package: MountedEntry, file: BulkFile) -> Option<MountedEntry> {
        let kind = match file {
            BulkFile::Inline | BulkFile::EndOfPackage => return Some(package),
            BulkFile::Bulk => ChunkType::BulkData,
            BulkFile::Optional => ChunkType::OptionalBulkData,
            BulkFile::MemoryMapped => ChunkType::MemoryMappedBulkData,
        };
        match self.container(package)? {
            container @ Container::IoStore(_) => {
                self.of_package(container.chunk_id(package.entry)?.number(), kind)
            }
            _ => self.with_extension(package, file.extension()),
        }
    }

    /// Returns the entry that lies beside another, with another extension. What lies in a folder belongs to nothing in
    /// a container, though their paths may be the same.
    fn with_extension(&self, entry: MountedEntry, extension: &str) -> Option<MountedEntry> {
        let container = self.container(entry)?;
        let path = container.path(entry.entry)?;
        let (stem, _) = path.rsplit_once('.')?;
        let path = format!("{stem}.{extension}");
        let folder = |other: MountedEntry| match self.container(other) {
            Some(Container::Folder(_)) => Some(other.container),
            _ => None,
        };
        self.at_path_where(&path, |other| folder(other) == folder(entry))
    }
}

impl IoStore {
    /// Reads the path of a package, as far as its own head says: `Game/Content/Audio/SW_Steps.uasset`. The folder of
    /// the game is `Game` then, and plugins lie in `Plugins`.
    ///
    /// # Errors
    /// If the chunk cannot be read, or its head contradicts itself.
    pub fn package_path(&self, number: usize) -> Result<String, Error> {
        let chunk = self.open_entry(number)?;
        let mut reader = Reader::new(&*chunk, CHUNK, 0, chunk.len());
        let family = ZenFamily::of(self.chunk_types());
        let (summary, _) = ZenSummary::read(&mut reader, family, &mut Limits::default())?;
        Ok(summary.path())
    }

    /// Reads the tables of a package.
    ///
    /// # Errors
    /// If the chunk cannot be read, its tables end early, contradict themselves or are of no known form, or they take
    /// more than the limits allow.
    pub fn package(&self, number: usize, limits: &mut Limits) -> Result<ZenTables, Error> {
        let chunk = self.open_entry(number)?;
        ZenTables::read(&*chunk, ZenFamily::of(self.chunk_types()), limits)
    }

    /// Reads a package from the bytes of its chunk.
    fn asset_package(&self, chunk: Box<dyn Source>, limits: &mut Limits) -> Result<AssetPackage, Error> {
        let package = ZenTables::read(&*chunk, ZenFamily::of(self.chunk_types()), limits)?;
        Ok(AssetPackage::new(package.name().to_owned(), PackageTables::Zen(Box::new(package)), chunk))
    }

    /// Returns whether a package may have an object of a class that is wanted, by a glance at its chunk.
    fn may_have_class(&self, chunk: &dyn Source, is_wanted: &dyn Fn(u64) -> bool) -> Result<bool, Error> {
        let family = ZenFamily::of(self.chunk_types());
        zen::may_have_class(chunk, family, is_wanted).map_err(|error| Error::from_io(error, 0, CHUNK))
    }
}
