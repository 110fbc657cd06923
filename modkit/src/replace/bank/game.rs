//! Sounds of banks in the containers of a game.

use importer::{Sound, SoundClass, SoundFile};
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::containers::pak::PakForm;

use super::packaged::into_packages;
use super::{
    BankError, BankOutput, BankRecording, BankReplacement, BankSounds, BankTarget, replace_in_banks,
};
use crate::pack::PackedFile;
use crate::replace::{Mod, ModKind, ReplaceOptions, SoundError};
use crate::select::{SelectError, select};

/// Returns whether sounds of a game, each as a user names it, are those of its sound banks; else they are of packages.
/// One that there is not is of either.
///
/// # Errors
/// [`BankError::Kinds`] if some are of banks and others are not: a mod is made of one kind.
pub fn are_of_banks<'s>(
    package: &SoundFile,
    sounds: impl Iterator<Item = &'s str>,
) -> Result<bool, BankError> {
    let (mut banks, mut waves) = (Vec::new(), Vec::new());
    for sound in sounds {
        match is_of_banks(package, sound) {
            Some(true) => banks.push(sound.to_owned()),
            Some(false) => waves.push(sound.to_owned()),
            None => {}
        }
    }
    match (banks.is_empty(), waves.is_empty()) {
        (false, false) => Err(BankError::Kinds { banks, waves }),
        (is_none_of_banks, _) => Ok(!is_none_of_banks),
    }
}

/// Returns whether a sound of a game is one of its sound banks; none of what is no sound.
fn is_of_banks(package: &SoundFile, sound: &str) -> Option<bool> {
    let is_bank = |row: &Sound| matches!(row.class, SoundClass::Bank(_));
    // Several of one name are all of the same kind but by a strange chance; which one is meant is asked for later.
    match select(package, Some(sound)) {
        Ok(sound) => Some(is_bank(sound)),
        Err(SelectError::Ambiguous(rows)) => rows.first().map(|row| is_bank(row)),
        Err(_) => {
            let named = |row: &&Sound| row.object.name.eq_ignore_ascii_case(sound);
            package.banks().and(package.sounds().iter().find(named)).map(is_bank)
        }
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
