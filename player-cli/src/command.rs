//! One file per subcommand: `run` turns arguments into an [`Exit`] or a [`Failure`].

pub mod devices;
pub mod extract;
pub mod info;
pub mod jam;
pub mod list;
pub mod play;
pub mod render;
pub mod welcome;

use std::path::{Path, PathBuf};

use importer::Sound;

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::walk::Walk;

/// Does something with each of several files, and each package below folders: one that fails is told and does not stop
/// the others.
///
/// The whole is done if all succeed, done partly if some do; if none does, nothing could be read.
///
/// # Errors
/// A failure that no other file can be better off than, such as an output that is gone.
fn for_each(
    files: &[PathBuf],
    console: &mut Console<'_>,
    mut work: impl FnMut(&Path, &mut Console<'_>) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let Walk { files, has_folders, ignored, unreadable } = Walk::of(files);
    let (mut failed, mut partly) = (unreadable.len(), false);
    for (path, error) in unreadable {
        let message = format!("cannot read {}: {error}", path.display());
        console.fail(&Failure::new(Exit::Unreadable, message));
    }
    let all = files.len() + failed;
    if all == 0 {
        return Err(Failure::new(Exit::Unreadable, format!("no packages among {ignored} files")));
    }
    for file in &files {
        interrupt::check()?;
        match work(file, console) {
            Ok(exit) => partly |= exit != Exit::Done,
            Err(failure) if failure.exit == Exit::Unreadable => {
                failed += 1;
                console.fail(&failure);
            }
            Err(failure) => return Err(failure),
        }
    }
    if has_folders {
        let read = all - failed;
        console.say(format_args!("{read} packages read, {failed} failed, {ignored} other files ignored"));
    }
    Ok(match failed {
        0 if !partly => Exit::Done,
        failed if failed == all => Exit::Unreadable,
        _ => Exit::Partly,
    })
}

/// What is said of a sound that was asked for and is not ok.
fn not_playable(sound: &Sound) -> Failure {
    let reason = sound.status.reason().unwrap_or("it cannot be played");
    Failure::new(
        Exit::Partly,
        format!("#{} {}: {}: {reason}", sound.number, sound.path(), sound.status.name()),
    )
}
