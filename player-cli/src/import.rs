//! Importing with progress and remarks on the console.

use importer::{Report, Sound, SoundFile};
use player::session;
use song::Song;

use crate::console::Console;
use crate::failure::Failure;

/// Decodes the wanted sounds of a package; with `-v` what was skipped or repaired is printed.
///
/// # Errors
/// [`Exit::Unreadable`](crate::exit::Exit::Unreadable) if they make no song.
pub fn import(
    package: &SoundFile<'_>,
    wanted: impl Fn(&Sound) -> bool,
    console: &mut Console<'_>,
) -> Result<Song, Failure> {
    import_reporting(package, wanted, console).map(|(song, _)| song)
}

/// Decodes one sound alone, which has to be played.
///
/// # Errors
/// As [`import`], and [`Exit::Partly`](crate::exit::Exit::Partly) with the reason if it could not be decoded.
pub fn import_one(
    package: &SoundFile<'_>,
    sound: &Sound,
    console: &mut Console<'_>,
) -> Result<Song, Failure> {
    let (song, report) = import_reporting(package, |other| other.number == sound.number, console)?;
    session::check_audible(sound, &song, &report)?;
    Ok(song)
}

fn import_reporting(
    package: &SoundFile<'_>,
    wanted: impl Fn(&Sound) -> bool,
    console: &mut Console<'_>,
) -> Result<(Song, Report), Failure> {
    let imported = session::import(package, wanted, &mut |progress| {
        let (started, total) = (progress.started, progress.total);
        console.progress(format_args!("{started}/{total} sounds of {} decoded", package.name()));
    });
    console.end_progress();
    let (song, report) = imported?;
    for remark in &report.skipped {
        console.detail(format_args!("skipped {}: {}", remark.object, remark.text));
    }
    for remark in &report.repaired {
        console.detail(format_args!("repaired {}: {}", remark.object, remark.text));
    }
    Ok((song, report))
}
