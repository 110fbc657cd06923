//! Sounds of banks in the containers of a game.

use importer::{SoundClass, SoundFile};
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::containers::pak::PakForm;

use super::packaged::into_packages;
use super::{
    BankError, BankOutput, BankRecording, BankReplacement, BankSounds, BankTarget, replace_in_banks,
};
use crate::pack::PackedFile;
use crate::replace::{Mod, ModKind, ReplaceOptions, SoundError};
use crate::select::select;

/// Returns whether a sound of a game, as a user names it, is one of its sound banks.
#[must_use]
pub fn is_of_banks(package: &SoundFile, sound: &str) -> bool {
    let is_bank = |class: SoundClass| matches!(class, SoundClass::Bank(_));
    // Several of one name are all of the same kind but by a strange chance; which one is meant is asked for later.
    match select(package, Some(sound)) {
        Ok(sound) => is_bank(sound.class),
        Err(_) => package.banks().is_some_and(|_| {
            let named = |row: &&importer::Sound| row.object.name.eq_ignore_ascii_case(sound);
            package.sounds().iter().find(named).is_some_and(|row| is_bank(row.class))
        }),
    }
}

/// Replaces sounds of the banks of a game; returns the files of a mod that does so, and what to know of it. Banks that
/// packages hold are put back into these, and the mod is a container as the game has them. Else it is a `.pak`, also
/// where packages are in `.utoc` containers: files that are no packages are never in these.
///
/// # Errors
/// [`BankError`] if there is no such sound, it cannot be replaced, or more would change than was to.
pub fn replace_in_game(
    package: &SoundFile,
    mount: &Mount,
    recordings: Vec<(&str, BankRecording)>,
    options: ReplaceOptions<'_>,
) -> Result<(Mod, Vec<String>), BankError> {
    let Some(sounds) = BankSounds::of(package) else {
        let sound = recordings.first().map_or("", |(sound, _)| sound).to_owned();
        return Err(BankError::Unknown(sound, Vec::new()));
    };
    let replacements: Result<Vec<_>, _> = recordings
        .into_iter()
        .map(|(sound, recording)| {
            Ok(BankReplacement { target: BankTarget::find(&sounds, sound)?, recording })
        })
        .collect();
    let made = replace_in_banks(&sounds, &replacements?, BankOutput::Folder).map_err(|(_, error)| error)?;
    let warnings = made.warnings().to_vec();
    let (mut files, mut packaged, mut path) = (Vec::new(), Vec::new(), String::new());
    for file in made.into_files()? {
        match package.package_of_bank(&file.path) {
            Some(held) => {
                path = file.path;
                packaged.push((held, file.bytes));
            }
            None => files.push(PackedFile::of_bytes(file.path, file.bytes)),
        }
    }
    if packaged.is_empty() {
        let form = mount.containers().iter().find_map(|(_, container)| match &**container {
            Container::Pak(pak) => Some(pak.form()),
            _ => None,
        });
        let kind = ModKind::Pak(form.unwrap_or_else(PakForm::default));
        return Ok((Mod { files, kind, has_editor_packages: false }, warnings));
    }
    let failed = |error| BankError::Package(path.clone(), error);
    let (of_packages, kind) = into_packages(mount, packaged, options).map_err(failed)?;
    if !files.is_empty() && matches!(kind, ModKind::IoStore(_)) {
        return Err(failed(SoundError::Kinds));
    }
    files.extend(of_packages);
    Ok((Mod { files, kind, has_editor_packages: false }, warnings))
}
