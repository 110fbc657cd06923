//! Which sound of a file a user means.

use importer::{Sound, SoundFile};

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

/// Finds the one sound that is meant: `#N`, `Group.Name`, a name that only one sound has, or `N` where no sound has
/// that name; case does not matter. Without a choice, the only sound there is.
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
    match meant.as_slice() {
        [sound] => Ok(sound),
        // A name comes before a number: some sounds are called 3.
        [] => numbered(selector).unwrap_or_else(|| {
            Err(SelectError::Unknown(suggestions(sounds.iter().map(Sound::path), selector)))
        }),
        _ => Err(SelectError::Ambiguous(meant)),
    }
}

fn by_number(sounds: &[Sound], number: usize) -> Result<&Sound, SelectError<'_>> {
    number.checked_sub(1).and_then(|index| sounds.get(index)).ok_or(SelectError::NoNumber(number))
}
