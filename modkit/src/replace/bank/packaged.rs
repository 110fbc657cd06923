//! Files of sound banks put back into the packages that hold them.

use std::collections::BTreeMap;

use importer::BankInPackage;
use unreal::containers::mount::{Mount, MountedEntry};
use unreal::ue4to6::bulk::BulkFile;
use unreal::ue4to6::class::bank_asset::{self, BankAssetFile, BankData};
use unreal::{AssetPackage, Error, Limits, Memory, Source};

use crate::legacy::LegacyConverter;
use crate::pack::PackedFile;
use crate::replace::{Changed, ModKind, PACKAGE, ReplaceOptions, SoundError, kind_of};

/// Files of one object, by their numbers.
type ObjectFiles = BTreeMap<usize, Vec<u8>>;

/// Puts files into the packages that hold them; returns the files of these packages, and what container they belong in.
/// Every package is read again and compared.
///
/// # Errors
/// [`SoundError`] if a package cannot be read or written, or is not what it was to be.
pub(super) fn into_packages(
    mount: &Mount,
    files: Vec<(BankInPackage, Vec<u8>)>,
    options: ReplaceOptions<'_>,
) -> Result<(Vec<PackedFile>, ModKind), SoundError> {
    let mut packages: BTreeMap<(usize, usize), BTreeMap<usize, ObjectFiles>> = BTreeMap::new();
    for (BankInPackage { package, export, number }, bytes) in files {
        let objects = packages.entry((package.container, package.entry)).or_default();
        objects.entry(export).or_default().insert(number, bytes);
    }
    let converter = LegacyConverter::new(mount, options.version)?;
    let (mut kind, mut packed) = (None, Vec::new());
    for ((container, entry), objects) in packages {
        let entry = MountedEntry { container, entry };
        let of_package = kind_of(mount, entry);
        if *kind.get_or_insert(of_package) != of_package {
            return Err(SoundError::Kinds);
        }
        let mut changed = Changed::open(mount, entry, &converter, options)?;
        for (export, new) in objects {
            changed.put_files(export, new)?;
        }
        packed.extend(changed.finish(of_package)?);
    }
    Ok((packed, kind.unwrap_or(ModKind::Pak(Default::default()))))
}

impl Changed<'_> {
    /// Puts files into an object.
    fn put_files(&mut self, export: usize, mut new: ObjectFiles) -> Result<(), SoundError> {
        let package = self.package()?;
        let found = self.found(&package, export)?;
        let mut wanted: Vec<(BankAssetFile, Vec<u8>)> = Vec::with_capacity(found.len());
        for (number, (file, old)) in found.into_iter().enumerate() {
            wanted.push((file, new.remove(&number).unwrap_or(old)));
        }
        if !new.is_empty() {
            return Err(SoundError::Differs);
        }
        let length = |place| self.data_length(place);
        let limits = &mut Limits::with_structures(PACKAGE);
        let files: Vec<(BankAssetFile, &[u8])> =
            wanted.iter().map(|(file, bytes)| (file.clone(), &bytes[..])).collect();
        let changed = bank_asset::with_files(&package, export, &files, &length, limits);
        drop(package);
        self.take(changed.map_err(SoundError::Data)?)?;
        let written = self.found(&self.package()?, export)?;
        let is_same = written.iter().map(|(_, bytes)| bytes).eq(wanted.iter().map(|(_, bytes)| bytes));
        if is_same { Ok(()) } else { Err(SoundError::Differs) }
    }

    /// Finds the files of an object, and their bytes.
    fn found(
        &self,
        package: &AssetPackage,
        export: usize,
    ) -> Result<Vec<(BankAssetFile, Vec<u8>)>, SoundError> {
        let limits = &mut Limits::with_structures(PACKAGE);
        let mut is_file = |data: &[BankData]| {
            let head = self.stored(package, data, soundbank::HEAD as u64);
            head.is_ok_and(|head| soundbank::extension_of_head(&head).is_some())
        };
        let found = bank_asset::files(package, export, limits, &mut is_file)?;
        let mut left = Limits::with_structures(PACKAGE);
        let with_bytes = |file: BankAssetFile| {
            let size = file.stored().iter().map(|data| data.size).fold(0, u64::saturating_add);
            left.take(size, 0, "data")?;
            let bytes = self.stored(package, &file.stored(), PACKAGE)?;
            Ok((file, bytes))
        };
        found.into_iter().map(with_bytes).collect()
    }

    /// Reads the first bytes of data, `most` at the most.
    fn stored(&self, package: &AssetPackage, data: &[BankData], most: u64) -> Result<Vec<u8>, Error> {
        let (mut bytes, mut left) = (Vec::new(), most);
        for BankData { place, offset, size, .. } in data {
            let length = left.min(*size);
            left -= length;
            Limits::with_structures(PACKAGE).take(length, *offset, "data")?;
            let mut part = vec![0; usize::try_from(length).unwrap_or_default()];
            let read = match place {
                BulkFile::Inline | BulkFile::EndOfPackage => package.source().read_at(*offset, &mut part),
                _ => self.beside(*place)?.read_at(*offset, &mut part),
            };
            read.map_err(|error| Error::from_io(error, *offset, "data"))?;
            bytes.extend(part);
        }
        Ok(bytes)
    }

    /// Opens a file of data as it is so far.
    fn beside(&self, place: BulkFile) -> Result<Box<dyn Source + '_>, Error> {
        if let Some((_, data)) = self.data.iter().find(|(other, _)| *other == place) {
            return Ok(Box::new(Memory(&data[..])));
        }
        let entry = self.mount.data_of(self.entry, place);
        let container = entry.and_then(|entry| Some((self.mount.container(entry)?, entry.entry)));
        match container {
            Some((container, entry)) => container.open(entry),
            None => Ok(Box::new(Memory([]))),
        }
    }
}
