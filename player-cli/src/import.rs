//! Importing with progress and remarks on the console.

use importer::{HeldMemory, Report, Sound, SoundFile};
use player::session;
use song::Song;

use crate::console::Console;
use crate::failure::Failure;

/// Decodes the wanted sounds of a package, into memory that is held; with `-v` what was skipped or repaired is printed.
///
/// # Errors
/// [`Exit::Unreadable`](crate::exit::Exit::Unreadable) if they make no song.
pub fn import(
    package: &SoundFile<'_>,
    wanted: impl Fn(&Sound) -> bool,
    console: &mut Console<'_>,
) -> Result<(Song, HeldMemory), Failure> {
    let imported = session::import(package, wanted, &mut |progress| {
        let (done, total) = (progress.started as f64, Some(progress.total as f64));
        console.progress(done, total, "sounds decoded", format_args!("of {}", package.name()));
    });
    console.end_progress();
    let (song, remarks, held) = imported?;
    report(&remarks, console);
    Ok((song, held))
}

/// Decodes one sound alone, which has to be played.
///
/// # Errors
/// As [`import`], and [`Exit::Partly`](crate::exit::Exit::Partly) with the reason if it could not be decoded.
pub fn import_one(
    package: &SoundFile<'_>,
    sound: &Sound,
    console: &mut Console<'_>,
) -> Result<(Song, HeldMemory), Failure> {
    // What is one of many has no progress of its own.
    let imported = session::import(package, |other| other.number == sound.number, &mut |_| {})?;
    let (song, remarks, held) = imported;
    report(&remarks, console);
    session::check_audible(sound, &song, &remarks)?;
    Ok((song, held))
}

/// Prints what was skipped or repaired, with `-v`.
fn report(report: &Report, console: &mut Console<'_>) {
    for remark in &report.skipped {
        console.detail(format_args!("skipped {}: {}", remark.object, remark.text));
    }
    for remark in &report.repaired {
        console.detail(format_args!("repaired {}: {}", remark.object, remark.text));
    }
}
