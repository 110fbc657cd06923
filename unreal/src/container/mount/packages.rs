//! Packages among mounted entries: what belongs to one, and its tables.
//!
//! ```text
//! IoStore      package ◄── its number ──► bulk data, optional bulk data, …
//! pak, folder  X.uasset ◄── its path ──► X.uexp, X.ubulk, X.uptnl, …
//! ```

use std::io;

use super::{Mount, MountedEntry};
use crate::asset::AssetVersion;
use crate::bulk_data::BulkPlace;
use crate::container::path::package_name;
use crate::container::{ChunkType, Container};
use crate::error::{Error, Malformed};
use crate::game_package::{GamePackage, PackageTables};
use crate::limits::Limits;
use crate::source::Source;

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
    ) -> Result<GamePackage<'_>, Error> {
        let missing = || Error::malformed(Malformed::NoSuchEntry(entry.entry as u64), 0, "package");
        let container = self.container(entry).ok_or_else(missing)?;
        let source = container.open(entry.entry)?;
        if let Container::IoStore(store) = container {
            let package = store.package(entry.entry, limits)?;
            return Ok(GamePackage::new(
                package.name().to_owned(),
                PackageTables::Zen(Box::new(package)),
                source,
            ));
        }
        let source: Box<dyn Source + '_> = match self.objects_of(entry) {
            Some(objects) => {
                let objects = self.container(objects).ok_or_else(missing)?.open(objects.entry)?;
                Box::new(Joined { header: source, objects })
            }
            None => source,
        };
        GamePackage::of_files(container.path(entry.entry).unwrap_or_default(), source, version, limits)
    }

    /// Returns the name of a package by where it lies: `/Game/Audio/SW_Steps`; none if it does not lie among contents.
    #[must_use]
    pub fn package_name(&self, package: MountedEntry) -> Option<String> {
        package_name(self.container(package)?.path(package.entry)?)
    }

    /// Returns the file with the objects of a package, if they are in one of their own.
    #[must_use]
    pub fn objects_of(&self, package: MountedEntry) -> Option<MountedEntry> {
        match self.container(package)? {
            Container::IoStore(_) => None,
            _ => self.with_extension(package, "uexp"),
        }
    }

    /// Returns the file of a package in which its data lies at a place.
    #[must_use]
    pub fn data_of(&self, package: MountedEntry, place: BulkPlace) -> Option<MountedEntry> {
        let kind = match place {
            BulkPlace::Inline | BulkPlace::EndOfPackage => return Some(package),
            BulkPlace::Bulk => ChunkType::BulkData,
            BulkPlace::Optional => ChunkType::OptionalBulkData,
            BulkPlace::MemoryMapped => ChunkType::MemoryMappedBulkData,
        };
        match self.container(package)? {
            container @ Container::IoStore(_) => {
                self.of_package(container.chunk_id(package.entry)?.number(), kind)
            }
            _ => self.with_extension(package, place.extension()),
        }
    }

    /// Returns the entry that lies beside another, with another extension.
    fn with_extension(&self, entry: MountedEntry, extension: &str) -> Option<MountedEntry> {
        let path = self.container(entry)?.path(entry.entry)?;
        let (stem, _) = path.rsplit_once('.')?;
        self.at_path(&format!("{stem}.{extension}"))
    }
}

/// A header, and the objects after it.
struct Joined<'m> {
    header: Box<dyn Source + 'm>,
    objects: Box<dyn Source + 'm>,
}

impl Source for Joined<'_> {
    fn len(&self) -> u64 {
        self.header.len().saturating_add(self.objects.len())
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let header = self.header.len();
        let Some(left) = header.checked_sub(at) else {
            return self.objects.read_at(at.saturating_sub(header), into);
        };
        let in_header = usize::try_from(left).unwrap_or(usize::MAX).min(into.len());
        let (first, rest) = into.split_at_mut_checked(in_header).unwrap_or_default();
        if !first.is_empty() {
            self.header.read_at(at, first)?;
        }
        if rest.is_empty() { Ok(()) } else { self.objects.read_at(0, rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    #[test]
    fn header_and_objects_are_read_as_one() {
        let joined = Joined { header: Box::new(Memory([1, 2])), objects: Box::new(Memory([3, 4, 5])) };
        for at in 0..5 {
            for length in 0..=5 - at {
                let mut read = vec![0; length];
                joined.read_at(at as u64, &mut read).unwrap();
                assert_eq!(read, [1, 2, 3, 4, 5][at..at + length]);
            }
        }
        assert!(joined.read_at(4, &mut [0; 2]).is_err());
    }
}
