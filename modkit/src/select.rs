//! Which sound of a file a user means.

use std::collections::HashMap;

use exporter::filename::steers_text;
use importer::{Sound, SoundBanks, SoundFile};

use crate::replace::bank::is_called;
use crate::suggest::suggestions;

/// Why no single sound is meant.
#[derive(Debug)]
pub enum SelectError<'p> {
    /// The file has no sounds.
    NoSounds,
    /// Nothing was said, and it has several.
    Which,
    /// It has no sound of a number.
    NoNumber(usize),
    /// It has no sound of the name; those of similar names.
    Unknown(Vec<String>),
    /// Several sounds have the name.
    Ambiguous(Vec<&'p Sound>),
}

/// Finds the one sound that is meant: `#N`, `Group.Name`, a name that only one sound has, an id in a sound bank, or `N`
/// where no sound has that name; case does not matter. Without a choice, the only sound there is. Of a media or event
/// that several banks have, the first is meant, on the platform that [`importer::SoundBanks::usual_platform`] says.
///
/// # Errors
/// [`SelectError`] if there is none, or several are meant.
pub fn select<'p>(package: &'p SoundFile, selector: Option<&str>) -> Result<&'p Sound, SelectError<'p>> {
    let sounds = package.sounds();
    let Some(selector) = selector else {
        return match sounds {
            [] => Err(SelectError::NoSounds),
            [sound] => Ok(sound),
            _ => Err(SelectError::Which),
        };
    };
    let numbered = |number: &str| number.parse().ok().map(|number| by_number(sounds, number));
    if let Some(found) = selector.strip_prefix('#').and_then(numbered) {
        return found;
    }
    let same = |text: &str| text.to_lowercase() == selector.to_lowercase();
    let mut meant: Vec<&Sound> = sounds.iter().filter(|sound| same(&sound.path())).collect();
    if meant.is_empty() {
        meant = sounds.iter().filter(|sound| same(&sound.object.name)).collect();
    }
    if let Some(banks) = package.banks() {
        if meant.is_empty() {
            let wanted = selector.to_lowercase();
            meant = sounds.iter().filter(|sound| sound.bank.is_some() && is_called(sound, &wanted)).collect();
        }
        meant = of_one_bank(banks, meant);
    }
    match meant.as_slice() {
        [sound] => Ok(sound),
        // A name comes before a number: some sounds are called 3.
        [] => numbered(selector).unwrap_or_else(|| {
            Err(SelectError::Unknown(suggestions(sounds.iter().map(Sound::path), selector)))
        }),
        _ => Err(SelectError::Ambiguous(meant)),
    }
}

/// Finds the only tracker module in a package, and returns its number: of one that cannot be read if there is no other;
/// none if there is none.
///
/// # Errors
/// All modules, if there are several.
pub fn only_module(package: &SoundFile) -> Result<Option<usize>, Vec<&Sound>> {
    let modules: Vec<&Sound> = package.modules().map(|(sound, _)| sound).collect();
    match modules.as_slice() {
        [] => Ok(package.sounds().iter().find(|sound| sound.is_module()).map(|sound| sound.number)),
        [sound] => Ok(Some(sound.number)),
        _ => Err(modules),
    }
}

/// Keeps the rows of one platform, and the first of those that are the same media or event in several banks.
fn of_one_bank<'p>(banks: &SoundBanks, meant: Vec<&'p Sound>) -> Vec<&'p Sound> {
    let usual: Vec<&Sound> = meant.iter().copied().filter(|sound| banks.is_usual(sound)).collect();
    let meant = if usual.is_empty() { meant } else { usual };
    let id = |sound: &Sound| sound.bank.as_ref().and_then(|bank| bank.id.clone());
    match meant.as_slice() {
        [first, others @ ..]
            if id(first).is_some()
                && others.iter().all(|other| (other.class, id(other)) == (first.class, id(first))) =>
        {
            vec![first]
        }
        _ => meant,
    }
}

fn by_number(sounds: &[Sound], number: usize) -> Result<&Sound, SelectError<'_>> {
    number.checked_sub(1).and_then(|index| sounds.get(index)).ok_or(SelectError::NoNumber(number))
}

/// Returns for each sound the word that selects it: its name where only one has it, otherwise its path; `#N` where
/// neither is certain, or a shell, the program or a reader could take it for something else.
pub fn selectors(sounds: &[Sound]) -> impl Iterator<Item = (&Sound, String)> {
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut paths: HashMap<String, usize> = HashMap::new();
    for sound in sounds {
        *names.entry(sound.object.name.to_lowercase()).or_default() += 1;
        *paths.entry(sound.path().to_lowercase()).or_default() += 1;
    }
    sounds.iter().map(move |sound| {
        let (name, path) = (sound.object.name.to_string(), sound.path());
        let named = |text: &str| names.get(&text.to_lowercase()).copied().unwrap_or_default();
        let at = |text: &str| paths.get(&text.to_lowercase()).copied().unwrap_or_default();
        // A path counts before a name.
        let own_path = usize::from(name.to_lowercase() == path.to_lowercase());
        let word = match () {
            () if named(&name) == 1 && at(&name) == own_path && is_plain(&name) => name,
            () if at(&path) == 1 && is_plain(&path) => path,
            () => format!("#{}", sound.number),
        };
        (sound, word)
    })
}

/// Returns whether a name is the same word to every shell, once quoted, and to the program. Windows PowerShell loses
/// quotes and backslashes on the way to a program.
fn is_plain(name: &str) -> bool {
    /// More is no name that somebody reads.
    const MAX_LENGTH: usize = 200;
    let is_misread = name.starts_with(['-', '#', '~', '=', '@']) || name.contains(['"', '\\']);
    !name.is_empty() && name.len() <= MAX_LENGTH && !is_misread && !name.contains(steers_text)
}
