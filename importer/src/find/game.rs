//! Finds the sounds of games of Unreal Engine 4 to 6: those of all packages in mounted containers.
//!
//! ```text
//! packages ──► SoundWave: chunks ──► one after another, as if they were a file
//!              SoundCue, DialogueWave: paths of recordings ──► their numbers
//!
//! │ header of A │ rest of A │ header of B │ rest of B │ …
//!    .uasset       .ubulk      .uasset       .ubulk
//! ```

mod audio;
mod describe;
mod midi_file;
mod object;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use unreal::Mappings;
use unreal::asset::AssetVersion;
use unreal::container::mount::{Mount, MountedEntry};
use unreal::container::{Shares, shares};

use crate::Sound;
use crate::report::Remark;
use crate::work::WorkBudget;
pub(crate) use audio::GameAudio;

/// What the user knows better than the packages of a game.
#[derive(Clone, Debug, Default)]
pub struct GameOptions {
    /// The version of packages that state none.
    pub version: Option<AssetVersion>,
    /// What properties without tags need.
    pub mappings: Option<Arc<Mappings>>,
}

/// What was found in a game.
pub(crate) struct Found<'m> {
    pub(crate) audio: GameAudio<'m>,
    pub(crate) sounds: Vec<Sound>,
    /// Packages that could not be read, and why.
    pub(crate) unread: Vec<Remark>,
}

/// Returns all sounds of a game, and where their bytes are: first those with audio of their own in the order of their
/// paths, then those that play them. What its packages say is held in `budget` bytes each.
pub(crate) fn sounds<'m>(
    mount: &'m Mount,
    options: &GameOptions,
    budget: u64,
    work: &WorkBudget,
) -> Found<'m> {
    let (packages, overlapping) = packages(mount);
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Vec::new(), overlapping)));
    let read = || {
        while let Some(entry) = packages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let objects = object::read_package(mount, *entry, options, budget, work);
            let (sounds, unread) = &mut *found.lock().unwrap_or_else(PoisonError::into_inner);
            match objects {
                Ok(objects) => sounds.extend(objects),
                Err(error) => unread.push(Remark { object: mount.label(*entry), text: error.to_string() }),
            }
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        // One package needs no second thread.
        (1..threads.get().min(packages.len())).for_each(|_| _ = scope.spawn(read));
        read();
    });
    let (mut objects, mut unread) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    objects.sort_by(|one, other| {
        let one = (one.class.plays_others(), &one.path.group, &one.path.name);
        one.cmp(&(other.class.plays_others(), &other.path.group, &other.path.name))
    });
    unread.sort_by(|one, other| one.object.cmp(&other.object));
    let (audio, sounds) = describe::describe(mount, objects, budget, work);
    Found { audio, sounds, unread }
}

/// Returns the packages of a game, and those that share bytes with others and are not read: in a few bytes there could
/// be any number of them.
fn packages(mount: &Mount) -> (Vec<MountedEntry>, Vec<Remark>) {
    let (mut packages, mut overlapping) = (Vec::new(), Vec::new());
    for (container, (_, opened)) in mount.containers().iter().enumerate() {
        for (entry, shares) in shares(opened) {
            let entry = MountedEntry { container, entry };
            if !mount.is_package(entry) || mount.is_overridden(entry) {
                continue;
            }
            let text = match shares {
                Ok(Shares::Nothing) => {
                    packages.push(entry);
                    continue;
                }
                Ok(Shares::All(other) | Shares::Some(other)) => {
                    format!("shares bytes with {}", opened.label(other))
                }
                Err(error) => error.to_string(),
            };
            overlapping.push(Remark { object: opened.label(entry.entry), text });
        }
    }
    (packages, overlapping)
}
