//! SOUND, and the options that narrow sounds down: which sounds are meant.

use importer::{Sound, SoundFile};
use modkit::select::{SelectError, only_module, select};
use player::filter::{NameFilter, SoundFilter};

use crate::args::FilterArgs;
use crate::exit::Exit;
use crate::failure::Failure;

/// Finds the one sound that is meant, as [`select`] does.
///
/// # Errors
/// [`Exit::Unreadable`] if there is none, with the nearest names; [`Exit::Usage`] if several are meant.
pub fn one<'p>(package: &'p SoundFile, label: &str, selector: Option<&str>) -> Result<&'p Sound, Failure> {
    select(package, selector).map_err(|error| {
        let (count, selector) = (package.sounds().len(), selector.unwrap_or_default());
        match error {
            SelectError::NoSounds => Failure::new(Exit::Unreadable, format!("no sounds in {label}")),
            SelectError::Which => which(package, label),
            SelectError::NoNumber(number) => {
                Failure::new(Exit::Unreadable, format!("no sound #{number} in {label}"))
                    .hint(format!("it has {count}; `usampler list {label}` shows all"))
            }
            SelectError::Unknown(near) => unknown(count, &near, label, selector),
            SelectError::Ambiguous(several) => ambiguous(&several, label, selector),
        }
    })
}

fn which(package: &SoundFile, label: &str) -> Failure {
    let count = package.sounds().len();
    if package.module().is_some() {
        return Failure::new(Exit::Usage, format!("which of the {count} sounds in {label}?"))
            .hint(format!("`usampler play {label}` plays the song"))
            .hint(format!("name one or give its number; `usampler list {label}` shows all {count}"));
    }
    Failure::new(Exit::Usage, format!("which of the {count} sounds in {label}?"))
        .hint(format!("name one or give its number; `usampler list {label}` shows all"))
}

/// Returns the number of the only tracker module in a package; of one that cannot be read if there is no other.
///
/// # Errors
/// [`Exit::Unreadable`] if there is none, [`Exit::Usage`] if there are several.
pub fn module(package: &SoundFile, label: &str) -> Result<usize, Failure> {
    match only_module(package) {
        Ok(Some(number)) => Ok(number),
        Ok(None) => Err(Failure::new(Exit::Unreadable, format!("{label}: no music data in it"))),
        Err(several) => {
            let which = format!("which of the {} tracker modules in {label}?", several.len());
            let choice = |sound: &&Sound| format!("--music {}  {}", sound.number, sound.path());
            Err(some(Failure::new(Exit::Usage, which), several.iter().map(choice)))
        }
    }
}

fn unknown(count: usize, near: &[String], label: &str, selector: &str) -> Failure {
    let failure = Failure::new(Exit::Unreadable, format!("no sound \"{selector}\" in {label}"));
    let all = format!("`usampler list {label}` shows all {count}");
    match near {
        [] => failure.hint(all),
        [text] => failure.hint(format!("did you mean \"{text}\"?  {all}")),
        several => {
            let failure = some(failure.hint("did you mean"), several.iter().map(|text| format!("  {text}")));
            failure.hint(all)
        }
    }
}

fn ambiguous(several: &[&Sound], label: &str, selector: &str) -> Failure {
    let called = format!("{} sounds in {label} are called \"{selector}\"", several.len());
    let named = several.iter().map(|sound| format!("'#{}' {}", sound.number, sound.path()));
    some(Failure::new(Exit::Usage, called), named)
}

/// With the first of several choices.
fn some(failure: Failure, choices: impl ExactSizeIterator<Item = String>) -> Failure {
    const SHOWN: usize = 10;
    let more = choices.len().saturating_sub(SHOWN);
    let failure = choices.take(SHOWN).fold(failure, Failure::hint);
    if more > 0 { failure.hint(format!("and {more} more")) } else { failure }
}

/// Returns which sounds a command is for: all of them, unless the user narrows them down.
///
/// # Errors
/// [`Exit::Usage`] for a pattern that is none.
pub fn filter(args: &FilterArgs) -> Result<SoundFilter, Failure> {
    let FilterArgs { filter, longer, shorter, looped: is_looped, rate } = args.clone();
    let name = NameFilter::new(filter.as_deref().unwrap_or_default());
    let name = name.map_err(|error| Failure::new(Exit::Usage, format!("--filter: {error}")))?;
    Ok(SoundFilter { name, longer, shorter, is_looped, rates: rate })
}

/// Checks that some sound of some file has what was asked for.
///
/// # Errors
/// [`Exit::Partly`], with what was asked for.
pub fn check_found(args: &FilterArgs, found: usize) -> Result<(), Failure> {
    if found > 0 || !args.is_active() {
        return Ok(());
    }
    Err(Failure::new(Exit::Partly, format!("no sound matches {args}")))
}
