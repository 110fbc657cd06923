//! SOUND and GLOB on the command line: which sounds are meant.

use globset::{GlobBuilder, GlobMatcher};
use importer::{Sound, SoundFile};

use crate::exit::Exit;
use crate::failure::Failure;

/// Finds the one sound that is meant: `#N`, `Group.Name`, or a name that only one sound has; case does not matter.
/// Without a choice, the only sound there is.
///
/// # Errors
/// [`Exit::Unreadable`] if there is none, with the nearest names; [`Exit::Usage`] if several are meant.
pub fn one<'p>(
    package: &'p SoundFile<'_>,
    label: &str,
    selector: Option<&str>,
) -> Result<&'p Sound, Failure> {
    let sounds = package.sounds();
    let Some(selector) = selector else {
        return match sounds {
            [] => Err(Failure::new(Exit::Unreadable, format!("no sounds in {label}"))),
            [sound] => Ok(sound),
            _ => Err(Failure::new(Exit::Usage, format!("which of the {} sounds in {label}?", sounds.len()))
                .hint(format!("name one, or give its number as '#1'; `usampler list {label}` shows all"))),
        };
    };
    if let Some(number) = selector.strip_prefix('#') {
        let sound = number.parse().ok().and_then(|number: usize| sounds.get(number.checked_sub(1)?));
        return sound.ok_or_else(|| {
            Failure::new(Exit::Unreadable, format!("no sound {selector} in {label}"))
                .hint(format!("it has {}; `usampler list {label}` shows all", sounds.len()))
        });
    }
    let same = |text: &str| text.to_lowercase() == selector.to_lowercase();
    let mut meant: Vec<&Sound> = sounds.iter().filter(|sound| same(&sound.path())).collect();
    if meant.is_empty() {
        meant = sounds.iter().filter(|sound| same(&sound.object.name)).collect();
    }
    match meant.as_slice() {
        [sound] => Ok(sound),
        [] => Err(unknown(sounds, label, selector)),
        several => Err(ambiguous(several, label, selector)),
    }
}

/// Returns the number of the only tracker module in a package; of one that cannot be read if there is no other.
///
/// # Errors
/// [`Exit::Unreadable`] if there is none, [`Exit::Usage`] if there are several.
pub fn module(package: &SoundFile<'_>, label: &str) -> Result<usize, Failure> {
    let modules: Vec<&Sound> = package.modules().map(|(sound, _)| sound).collect();
    match modules.as_slice() {
        [] => {
            let damaged = package.sounds().iter().find(|sound| sound.is_module());
            let none = || Failure::new(Exit::Unreadable, format!("{label}: no music data in it"));
            damaged.map(|sound| sound.number).ok_or_else(none)
        }
        [sound] => Ok(sound.number),
        several => {
            let which = format!("which of the {} tracker modules in {label}?", several.len());
            let choice = |sound: &&Sound| format!("--music {}  {}", sound.number, sound.path());
            Err(some(Failure::new(Exit::Usage, which), several.iter().map(choice)))
        }
    }
}

fn unknown(sounds: &[Sound], label: &str, selector: &str) -> Failure {
    let failure = Failure::new(Exit::Unreadable, format!("no sound \"{selector}\" in {label}"));
    let all = format!("`usampler list {label}` shows all {}", sounds.len());
    let selector = selector.to_lowercase();
    let distance = |text: &str| strsim::damerau_levenshtein(&text.to_lowercase(), &selector);
    let nearest = sounds
        .iter()
        .flat_map(|sound| [sound.path(), sound.object.name.clone()])
        .map(|text| (distance(&text), text))
        .min()
        .filter(|(distance, _)| *distance <= (selector.chars().count() / 3).max(1));
    match nearest {
        Some((_, text)) => failure.hint(format!("did you mean \"{text}\"?  {all}")),
        None => failure.hint(all),
    }
}

fn ambiguous(several: &[&Sound], label: &str, selector: &str) -> Failure {
    let called = format!("{} sounds in {label} are called \"{selector}\"", several.len());
    let named = several.iter().map(|sound| format!("'#{}' {}", sound.number, sound.path()));
    some(Failure::new(Exit::Usage, called), named)
}

/// With the first of several choices.
fn some(failure: Failure, choices: impl ExactSizeIterator<Item = String>) -> Failure {
    const SHOWN: usize = 8;
    let more = choices.len().saturating_sub(SHOWN);
    let failure = choices.take(SHOWN).fold(failure, Failure::hint);
    if more > 0 { failure.hint(format!("and {more} more")) } else { failure }
}

/// A pattern over paths and names; case does not matter.
pub struct SoundFilter(Option<GlobMatcher>);

impl SoundFilter {
    /// Creates a filter that lets everything pass where there is no pattern.
    ///
    /// # Errors
    /// [`Exit::Usage`] for a pattern that is none.
    pub fn new(glob: Option<&str>) -> Result<Self, Failure> {
        let matcher = glob.map(|glob| GlobBuilder::new(glob).case_insensitive(true).build()).transpose();
        match matcher {
            Ok(glob) => Ok(Self(glob.map(|glob| glob.compile_matcher()))),
            Err(error) => Err(Failure::new(Exit::Usage, format!("--filter: {error}"))),
        }
    }

    /// Returns whether a sound is meant.
    #[must_use]
    pub fn passes(&self, sound: &Sound) -> bool {
        self.0.as_ref().is_none_or(|glob| glob.is_match(sound.path()) || glob.is_match(&sound.object.name))
    }
}
