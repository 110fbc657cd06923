//! Importing with progress and remarks on the console.

use std::collections::HashMap;

use importer::{ImportProgress, Remark, Report, Sound, SoundFile};
use player::LoadedSong;
use player::session::{self, DecodedSong};

use crate::console::Console;
use crate::failure::Failure;
use crate::memory;

/// Decodes the wanted sounds of a package, into memory that is held; with `-v` what was skipped or repaired is printed.
///
/// # Errors
/// [`Exit::Unreadable`](crate::exit::Exit::Unreadable) if they make no song.
pub fn import(
    package: &SoundFile,
    wanted: impl Fn(&Sound) -> bool,
    console: &mut Console<'_>,
) -> Result<DecodedSong, Failure> {
    let imported = session::import(package, wanted, &mut |progress| show(package, progress, console));
    console.end_progress();
    let imported = imported?;
    report(&imported.report, console);
    Ok(imported)
}

/// Shows how many sounds of a package are decoded.
pub fn show(package: &SoundFile, progress: ImportProgress<'_>, console: &mut Console<'_>) {
    let (done, total) = (progress.started as f64, Some(progress.total as f64));
    console.progress(done, total, "sounds decoded", format_args!("of {}", package.name()));
}

/// Decodes one sound alone, which has to be played.
///
/// # Errors
/// As [`import`], and [`Exit::Partly`](crate::exit::Exit::Partly) with the reason if it could not be decoded.
pub fn import_one(
    package: &SoundFile,
    sound: &Sound,
    console: &mut Console<'_>,
) -> Result<DecodedSong, Failure> {
    // What is one of many has no progress of its own.
    let imported = session::import(package, |other| other.number == sound.number, &mut |_| {})?;
    report(&imported.report, console);
    session::check_audible(sound, &imported.song, &imported.report)?;
    Ok(imported)
}

/// Decodes all recordings of a module.
///
/// # Errors
/// As [`import`].
pub fn import_song(package: &SoundFile, console: &mut Console<'_>) -> Result<LoadedSong, Failure> {
    Ok(LoadedSong::new(import(package, |_| true, console)?)?)
}

/// Says how many sounds are as they were adjusted, or why none is.
pub fn report_adjusted(problem: Option<&str>, sounds: usize, of: &str, console: &mut Console<'_>) {
    if let Some(problem) = problem {
        console.warn(format_args!("{of}{problem}"));
    }
    if sounds > 0 {
        let sounds = player::text::counted(sounds);
        console.say(format_args!("{of}{sounds} as adjusted in jam; --as-stored ignores that"));
    }
}

/// Prints what was skipped or repaired, with `-v`.
pub fn report(report: &Report, console: &mut Console<'_>) {
    for remark in &report.skipped {
        console.detail(format_args!("skipped {}: {}", remark.object, remark.text));
    }
    for remark in &report.repaired {
        console.detail(format_args!("repaired {}: {}", remark.object, remark.text));
    }
}

/// Returns why a sound that was to be decoded was not, and what helps.
pub fn undecoded_reason(sound: &Sound, reasons: &HashMap<&str, &Remark>) -> String {
    match reasons.get(sound.path().as_str()) {
        Some(remark) => memory::with_hint(&remark.text, remark.is_over_limit),
        None => session::UNDECODED.to_owned(),
    }
}
