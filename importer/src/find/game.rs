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
mod packaged;
mod page;
mod unread;

use std::cmp;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use unreal::containers::mount::{Mount, MountedEntry};
use unreal::containers::{Shares, shares};
use unreal::{AssetVersion, Limits, Mappings, MappingsError, Source};

use crate::Sound;
use crate::budget::WorkBudget;
use crate::parallel::for_each;
pub(crate) use audio::{FoundPart, GameAudio};
use object::{FoundObject, PackageContents};
pub use packaged::BankInPackage;
pub(crate) use packaged::PackagedFile;
pub use unread::UnreadPackages;

/// What the user knows better than the packages of a game.
#[derive(Clone, Debug, Default)]
pub struct GameOptions {
    /// The version of packages that state none.
    pub version: Option<AssetVersion>,
    /// What properties without tags need.
    pub mappings: Option<Arc<Mappings>>,
}

impl GameOptions {
    /// Reads the mappings of a game (`.usmap`); those of a large game take some 60 MB of memory.
    ///
    /// # Errors
    /// If they are no mappings, damaged, or take more than 1 GB.
    pub fn read_mappings(source: &dyn Source) -> Result<Arc<Mappings>, MappingsError> {
        const MOST: u64 = 1 << 30;
        Mappings::read(source, &mut Limits::with_structures(MOST)).map(Arc::new)
    }
}

/// What was found in a game.
pub(crate) struct Found {
    pub(crate) audio: GameAudio,
    pub(crate) sounds: Vec<Sound>,
    pub(crate) unread: UnreadPackages,
    /// Files of sound banks, by the paths of their packages.
    pub(crate) files: Vec<PackagedFile>,
}

/// What is done with the first sounds of a game.
pub(crate) type First<'f> = &'f mut dyn FnMut(GameAudio, Vec<Sound>);

/// What finding the sounds of a game needs.
struct Finder<'f> {
    mount: &'f Arc<Mount>,
    options: &'f GameOptions,
    /// Bytes in which is held what each package says.
    budget: u64,
    work: &'f WorkBudget,
}

/// What was found so far.
struct SoFar {
    objects: Vec<FoundObject>,
    unread: UnreadPackages,
    files: Vec<PackagedFile>,
}

/// Returns all sounds of a game, and where their bytes are: first those with audio of their own in the order of their
/// paths, then those that play them. What its packages say is held in `budget` bytes each. `first` gets the first of
/// them before the other packages are read, if these are many; they are the first in the end, too.
pub(crate) fn sounds(
    mount: &Arc<Mount>,
    options: &GameOptions,
    budget: u64,
    work: &WorkBudget,
    first: Option<First<'_>>,
) -> Found {
    let finder = Finder { mount, options, budget, work };
    let (mut packages, unread) = packages(mount);
    let mut so_far = SoFar { objects: Vec::new(), unread, files: Vec::new() };
    let mut listed = 0;
    if let Some(first) = first {
        let page = finder.first_page(&mut packages, &mut so_far);
        if let (false, Some(page)) = (packages.is_empty(), page) {
            listed = page.len();
            let (audio, sounds) = describe::describe(mount, page, budget, work);
            first(audio, sounds);
        }
    }
    finder.read(&packages, &mut so_far);
    let SoFar { mut objects, unread, mut files } = so_far;
    files.sort_by(|one, other| {
        let path = |file: &PackagedFile| (mount.path(file.held.package), file.name.clone());
        path(one).cmp(&path(other))
    });
    // Those that were listed stay where they are, whatever the others are called.
    objects.get_mut(listed..).unwrap_or_default().sort_by(compare);
    let (audio, sounds) = describe::describe(mount, objects, budget, work);
    Found { audio, sounds, unread, files }
}

/// Compares objects as they are listed.
fn compare(one: &FoundObject, other: &FoundObject) -> cmp::Ordering {
    let plays_others = |object: &FoundObject| object.class.plays_others();
    let path = |one: &FoundObject, other: &FoundObject| {
        (&one.path.group, &one.path.name).cmp(&(&other.path.group, &other.path.name))
    };
    let place = |object: &FoundObject| (object.entry.container, object.entry.entry);
    // Whichever of one name was read first.
    let by_place = || place(one).cmp(&place(other));
    plays_others(one).cmp(&plays_others(other)).then_with(|| path(one, other)).then_with(by_place)
}

impl Finder<'_> {
    /// Reads packages, with all threads.
    fn read(&self, packages: &[u32], so_far: &mut SoFar) {
        let found = Mutex::new(so_far);
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        for_each(packages.len(), threads, |index| {
            let Some(number) = packages.get(index) else { return false };
            let entry = self.mount.entry(*number);
            let contents = object::read_package(self.mount, entry, self.options, self.budget, self.work);
            let is_empty = |contents: &PackageContents| {
                contents.objects.is_empty() && contents.files.is_empty() && contents.errors.is_empty()
            };
            if contents.as_ref().is_ok_and(is_empty) {
                return true;
            }
            let found = &mut *found.lock().unwrap_or_else(PoisonError::into_inner);
            match contents {
                Ok(contents) => {
                    found.objects.extend(contents.objects);
                    found.files.extend(contents.files);
                    for error in contents.errors {
                        found.unread.add(*number, error);
                    }
                }
                Err(error) => found.unread.add(*number, error.to_string()),
            }
            true
        });
    }

    /// Reads packages in the order of their names until a page of sounds with audio of their own was found, which come
    /// first then; none if packages are not called as where they lie, for then others may come before. The packages
    /// that were read are left out of the others.
    fn first_page(&self, packages: &mut Vec<u32>, so_far: &mut SoFar) -> Option<Vec<FoundObject>> {
        let mut most = page::PACKAGES;
        while so_far.objects.iter().filter(|object| !object.class.plays_others()).count() < page::SOUNDS {
            if packages.is_empty() {
                return None;
            }
            let mut page = page::first(self.mount, packages, most);
            self.read(&page, so_far);
            page.sort_unstable();
            packages.retain(|number| page.binary_search(number).is_err());
            most = most.saturating_mul(2);
        }
        so_far.objects.sort_by(compare);
        let is_as_it_lies = |object: &FoundObject| {
            let name = self.mount.package_name(object.entry).unwrap_or_default();
            let (group, name) = name.rsplit_once('/').unwrap_or_default();
            let rest = object.path.name.strip_prefix(name);
            group == object.path.group && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let own: Vec<&FoundObject> =
            so_far.objects.iter().take_while(|object| !object.class.plays_others()).collect();
        own.iter().all(|object| is_as_it_lies(object)).then(|| own.into_iter().cloned().collect())
    }
}

/// Returns the packages of a game by their numbers, and those that share bytes with others and are not read: in a few
/// bytes there could be any number of them.
fn packages(mount: &Arc<Mount>) -> (Vec<u32>, UnreadPackages) {
    let (mut packages, mut overlapping) = (Vec::new(), UnreadPackages::new(Arc::clone(mount)));
    for (container, (_, opened)) in mount.containers().iter().enumerate() {
        for (entry, shares) in shares(opened) {
            let entry = MountedEntry { container, entry };
            if !mount.is_package(entry) || mount.is_overridden(entry) {
                continue;
            }
            let number = mount.number(entry);
            match shares {
                Ok(Shares::Nothing) => packages.push(number),
                Ok(Shares::All(other) | Shares::Some(other)) => {
                    overlapping.add(number, format!("shares bytes with {}", opened.label(other)));
                }
                Err(error) => overlapping.add(number, error.to_string()),
            }
        }
    }
    (packages, overlapping)
}
