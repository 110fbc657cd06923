//! One file per subcommand: `run` turns arguments into an [`Exit`] or a [`Failure`].

pub mod asset;
pub mod bench;
pub mod completions;
pub mod config;
pub mod devices;
pub mod extract;
pub mod info;
pub mod jam;
pub mod licenses;
pub mod list;
mod midi_sounds;
pub mod page;
pub mod pattern;
pub mod play;
pub mod render;
pub mod replace;
pub mod welcome;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use importer::Sound;

use crate::args::OPTION_NAMES;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::interrupt;
use exporter::ordered;
use importer::open::walk::GameFileCount;
use importer::open::{Disk, Walk};
pub(crate) use modkit::report::counted;

/// Does something with each of several files, and each package below folders: one that fails is reported and does not
/// stop the others. Messages come in the order of the files, whatever the number of threads.
///
/// The whole is done if all succeed, done partly if some do; if none does, nothing could be read.
///
/// # Errors
/// A failure that no other file can be better off than, such as an output that is gone.
fn for_each(
    typed: &[PathBuf],
    threads: NonZeroUsize,
    console: &mut Console<'_>,
    work: impl Fn(&Path, &mut Console<'_>) -> Result<Exit, Failure> + Sync,
) -> Result<Exit, Failure> {
    // A stream can be read once, and waited for without end.
    let threads = if typed.iter().any(|file| is_stream(file)) { NonZeroUsize::MIN } else { threads };
    let Walk { files, has_folders, ignored, folder_links, game_files, unreadable, .. } =
        Walk::of(&Disk, typed);
    let failed = AtomicUsize::new(unreadable.len());
    let is_partly = AtomicBool::new(false);
    report_unwalked(&unreadable, &folder_links, console);
    let all = files.len() + failed.load(Relaxed);
    if all == 0 {
        let (folders, others) = (files_of(typed), counted(ignored, "other file"));
        let message = format!("no packages, modules, sound banks or audio files in {folders} ({others})");
        return Err(Failure::new(Exit::Unreadable, message));
    }
    // Of a folder with hundreds of files of one kind a line for each would bury the rest.
    let kinds: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let is_grouped = has_folders && console.verbosity() == 0;
    let one = |file: &PathBuf, console: &mut Console<'_>| {
        interrupt::check()?;
        match work(file, console) {
            Ok(Exit::Done) => {}
            Ok(_) => is_partly.store(true, Relaxed),
            Err(failure) if failure.exit == Exit::Unreadable => {
                failed.fetch_add(1, Relaxed);
                match failure.kind {
                    Some(kind) if is_grouped => {
                        *kinds.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
                    }
                    _ => console.fail(&failure),
                }
            }
            Err(failure) => return Err(failure),
        }
        Ok(())
    };
    if files.len() == 1 || threads == NonZeroUsize::MIN {
        files.iter().try_for_each(|file| one(file, console))?;
    } else {
        let (options, outputs) = console.parts();
        ordered::for_each(&files, threads, outputs, |file, place| {
            one(file, &mut Console::like(options.clone(), place))
        })?;
    }
    console.end_progress();
    warn_of_kinds(&kinds.into_inner().unwrap_or_else(PoisonError::into_inner), console);
    let failed = failed.into_inner();
    if has_folders {
        console.say(counts_line(game_files, all, failed, ignored));
    }
    Ok(match failed {
        0 if !is_partly.into_inner() => Exit::Done,
        failed if failed == all => Exit::Unreadable,
        _ => Exit::Partly,
    })
}

/// Reports paths that cannot be read, and links to folders, which are not followed.
fn report_unwalked(unreadable: &[(PathBuf, io::Error)], folder_links: &[PathBuf], console: &mut Console<'_>) {
    for (path, error) in unreadable {
        let message = format!("cannot read {}: {}", path.display(), reason(error));
        console.fail(&Failure::new(Exit::Unreadable, message));
    }
    for link in folder_links {
        console.warn(format_args!("{} is left out: a link to a folder", link.display()));
    }
}

/// Warns of files that were left out for the same reason, in a line for each reason.
fn warn_of_kinds(kinds: &BTreeMap<String, usize>, console: &mut Console<'_>) {
    for (kind, count) in kinds {
        console.warn(format_args!("{} left out: {kind}; -v names them", counted(*count, "file")));
    }
}

/// Returns how many files were read, failed and were ignored, as a line. `all` counts games as well.
fn counts_line(game_files: GameFileCount, all: usize, failed: usize, ignored: usize) -> String {
    // A game that could not be opened has said so.
    let GameFileCount { games, packages, containers, audio, banks } =
        if failed < all { game_files } else { GameFileCount::default() };
    let files = (all - failed).saturating_sub(games);
    let counts = [
        (packages, "package"),
        (containers, "container"),
        (audio, "audio file"),
        (banks, "sound bank file"),
        (files, "file"),
    ];
    let mut read: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(*count, what)).collect();
    if read.is_empty() {
        read.push(counted(0, "file"));
    }
    let mut line = format!("{} read", read.join(", "));
    if failed > 0 {
        line.push_str(&format!(", {failed} failed"));
    }
    if ignored > 0 {
        line.push_str(&format!(", {} ignored", counted(ignored, "other")));
    }
    line
}

/// Returns what was typed, in a sentence.
pub(crate) fn files_of(typed: &[PathBuf]) -> String {
    typed.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Returns whether something can be read only from its begin to its end.
fn is_stream(file: &Path) -> bool {
    let is_pipe = || fs::metadata(file).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    file.as_os_str() == "-" || is_pipe()
}

/// Returns what is said of a sound that was asked for and is not ok.
fn not_playable(sound: &Sound) -> Failure {
    let reason = match sound.status.reason() {
        Some(reason) => format!("{}: {reason}", sound.status.name()),
        None if sound.module().is_some() => OPTION_NAMES.module(sound.number),
        None => "it cannot be played".to_owned(),
    };
    Failure::new(Exit::Partly, format!("#{} {}: {reason}", sound.number, sound.path()))
}
