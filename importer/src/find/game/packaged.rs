//! Files of sound banks that packages of a game hold as bulk data.
//!
//! ```text
//! Play_Steps.uasset ──► Play_Steps.uasset/Play_Steps.bnk    a bank
//! 83A1.uasset       ──► 83A1.uasset/993985859.wem           a media, by its id
//! ```
//!
//! Source: *sound-banks*, §5 and §7.5: described, no cooked package seen.

use unreal::containers::mount::{Mount, MountedEntry};
use unreal::ue4to6::class::bank_asset::{self, BankData};
use unreal::{Source as _, Value};

use super::audio::{FoundPart, GameAudio};
use super::object::{PackageContents, PackageReader};
use crate::Status;

/// Which file of a sound bank a package holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankInPackage {
    /// The package.
    pub package: MountedEntry,
    /// The object that holds it, counted from 0.
    pub export: usize,
    /// Its number among the files of that object, from 0.
    pub number: usize,
}

/// A file of a sound bank in a package.
#[derive(Clone)]
pub(crate) struct PackagedFile {
    pub(crate) held: BankInPackage,
    /// File name: `993985859.wem`.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) parts: Vec<FoundPart>,
}

impl PackagedFile {
    /// Returns its path in the game, below that of its package.
    pub(crate) fn path(&self, mount: &Mount) -> String {
        // A container without a directory has no paths.
        let package = mount.path(self.held.package).unwrap_or_else(|| mount.label(self.held.package).into());
        format!("{package}/{}", self.name)
    }
}

/// A file of an object, and what it begins with.
struct HeldFile {
    extension: &'static str,
    parts: Vec<FoundPart>,
}

impl PackageReader<'_> {
    /// Adds the files that an object of audio middleware holds to those of its package. Returns whether there are any.
    ///
    /// # Errors
    /// If the object cannot be looked through.
    pub(super) fn add_files(&self, export: usize, found: &mut PackageContents) -> Result<bool, Status> {
        if !bank_asset::may_hold_files(&self.package, export) {
            return Ok(false);
        }
        let mut is_file = |data: &[BankData]| self.file(data).is_some();
        let held = self.spend(|limits| bank_asset::files(&self.package, export, limits, &mut is_file))?;
        let held: Vec<HeldFile> = held.iter().filter_map(|file| self.file(&file.stored())).collect();
        let is_any = !held.is_empty();
        self.add_named(export, held, found);
        Ok(is_any)
    }

    /// Returns the file that data makes up; none if it does not begin as one.
    fn file(&self, data: &[BankData]) -> Option<HeldFile> {
        let part = |data: &BankData| self.part(data.place, data.offset, data.size).ok();
        self.work.take(TRIED).ok()?;
        let parts: Vec<FoundPart> = data.iter().map(part).collect::<Option<_>>()?;
        let mut head = [0; soundbank::HEAD];
        GameAudio::of(self.mount, &parts).read_at(0, &mut head).ok()?;
        let extension = soundbank::extension_of_head(&head)?;
        Some(HeldFile { extension, parts })
    }

    /// Names files: media by their ids where these are known, others by their package.
    fn add_named(&self, export: usize, held: Vec<HeldFile>, contents: &mut PackageContents) {
        let PackageContents { files, names, .. } = contents;
        let media = held.iter().filter(|file| file.extension == MEDIA).count();
        let mut ids = if media == 0 { Vec::new() } else { self.ids(export, media) }.into_iter();
        let package = self.package.name().rsplit('/').next().unwrap_or_default();
        for (number, HeldFile { extension, parts }) in held.into_iter().enumerate() {
            let id = if extension == MEDIA { ids.next() } else { None };
            let stem = id.map_or_else(|| package.to_owned(), |id| id.to_string());
            let count = names.entry((stem.clone(), extension)).or_insert(0_usize);
            *count = count.saturating_add(1);
            let name = match *count {
                1 => format!("{stem}.{extension}"),
                count => format!("{stem}.{count}.{extension}"),
            };
            let held = BankInPackage { package: self.entry, export, number };
            files.push(PackagedFile { held, name, parts });
        }
    }

    /// Returns the ids of the media of an object: those of the paths that it states, or the id that a media of its
    /// package has as a property. None if it is not known which is whose.
    fn ids(&self, export: usize, media: usize) -> Vec<u32> {
        let stated = self.spend(|limits| bank_asset::numbered_files(&self.package, export, MEDIA, limits));
        let stated = stated.unwrap_or_default();
        if stated.len() == media {
            return stated;
        }
        let holders =
            (0..self.package.len()).filter(|other| bank_asset::may_hold_files(&self.package, *other));
        let id = |other: usize| match self.properties(other).ok()?.get("Id") {
            Some(Value::Int(id)) => Some(id.cast_unsigned()),
            Some(Value::UInt64(id)) => u32::try_from(*id).ok(),
            _ => None,
        };
        let ids: Vec<u32> = holders.filter_map(id).collect();
        if media == 1 && ids.len() == 1 { ids } else { Vec::new() }
    }
}

/// Work of looking at the first bytes of data: a block may have to be decoded.
const TRIED: u64 = 16 << 10;

/// Extension of media of Wwise.
const MEDIA: &str = "wem";
