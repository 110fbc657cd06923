//! A package that was opened, as the list of sounds and the player want it.

use std::path::Path;

use importer::SoundFile;
use player::adjustments::PackageContent;
use player::live::{AdjustedPackage, KeptAdjustments, ListedPackage, ListedSong};

use crate::model::SoundEntry;
use crate::{OptionNames, entries};

/// Lists the first sounds of a package, in a group of their own if it is one of many; the rest of it is not known yet.
#[must_use]
pub fn list_page<F>(
    page: &SoundFile,
    group: Option<&str>,
    options: OptionNames,
) -> ListedPackage<SoundEntry, F> {
    ListedPackage {
        song: None,
        sounds: entries(page, group, options),
        is_one_of_many: group.is_some(),
        chosen: None,
        kept: Ok(None),
        warnings: Vec::new(),
    }
}

/// Lists a package, but for its first `begun` sounds, and finds its adjustments.
#[must_use]
pub fn list_package<F>(
    (path, label): (&Path, &str),
    file: &SoundFile,
    content: PackageContent<'_>,
    group: Option<&str>,
    options: OptionNames,
    begun: usize,
) -> ListedPackage<SoundEntry, F> {
    let mut listed = list_page(file, group, options);
    let sounds = listed.sounds.iter().map(|entry| (entry.name.clone(), entry.defaults)).collect();
    listed.kept = KeptAdjustments::of(AdjustedPackage { content, label, sounds });
    listed.sounds.drain(..begun.min(listed.sounds.len()));
    listed.song = file.module().map(|module| ListedSong::new(path, module));
    listed
}
