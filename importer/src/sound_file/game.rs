//! A game as one file of all its sounds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use unreal::containers::mount::Mount;
use unreal::{Class, Limits, Source};

use super::SoundFile;
use crate::budget::WorkBudget;
use crate::collection::game::GameSounds;
use crate::collection::sound_bank::{self, BankSet, ListedBefore};
use crate::find::game::{self, BankInPackage, First, Found, GameOptions, PackagedFile, UnreadPackages};
use crate::open::{GameBanks, GameMount, OpenOptions};
use crate::{BankOptions, Budget, Sound, SoundClass};

/// The sound banks of a game beside its packages, and what is known and wanted of all.
struct WantedBanks<'w> {
    banks: Option<&'w GameBanks>,
    /// What their paths are shown below.
    shown: &'w Path,
    options: &'w BankOptions,
}

impl<'w> WantedBanks<'w> {
    /// Wants those of packages alone.
    fn of_packages(options: &'w BankOptions) -> Self {
        Self { banks: None, shown: Path::new(""), options }
    }
}

impl SoundFile {
    /// Opens a game: finds and describes the sounds of all packages in mounted containers.
    #[must_use]
    pub fn open_game(
        mount: impl Into<Arc<Mount>>,
        name: &str,
        options: &GameOptions,
        budget: Budget,
    ) -> Self {
        Self::found(
            &mount.into(),
            name,
            options,
            budget,
            None,
            &WantedBanks::of_packages(&BankOptions::default()),
        )
    }

    /// Opens a game as [`SoundFile::open_game`] does, and gives its first sounds to `first` as soon as they are found,
    /// as if they were all there is. In the whole game they come first too, with the same numbers. Where there are no
    /// more sounds than that, or none can be the first before all packages are read, it is not called.
    #[must_use]
    pub fn open_game_by_page(
        mount: impl Into<Arc<Mount>>,
        name: &str,
        options: &GameOptions,
        budget: Budget,
        first: &mut dyn FnMut(&Self),
    ) -> Self {
        Self::found_by_page(
            &mount.into(),
            name,
            options,
            budget,
            first,
            &WantedBanks::of_packages(&BankOptions::default()),
        )
    }

    /// Opens a game with its sound banks, and with `first` by pages.
    pub(crate) fn open_mounted(
        game: &GameMount,
        name: &str,
        shown: &Path,
        options: &OpenOptions,
        first: Option<&mut dyn FnMut(&Self)>,
    ) -> Self {
        let wanted = WantedBanks { banks: game.banks.as_ref(), shown, options: &options.banks };
        let (mount, budget) = (&game.mount, options.budget.clone());
        match first {
            Some(first) => Self::found_by_page(mount, name, &options.game, budget, first, &wanted),
            None => Self::found(mount, name, &options.game, budget, None, &wanted),
        }
    }

    fn found_by_page(
        mount: &Arc<Mount>,
        name: &str,
        options: &GameOptions,
        budget: Budget,
        first: &mut dyn FnMut(&Self),
        wanted: &WantedBanks<'_>,
    ) -> Self {
        let (of_page, shared) = (budget.clone(), budget.shared.clone());
        // What the sounds of the page cost to find is paid by the game.
        let work = || WorkBudget::of_file(0, shared.as_ref());
        let mut show = |audio, sounds| {
            let unread = UnreadPackages::new(Arc::clone(mount));
            let sounds = GameSounds::new(audio, sounds, unread, Ok(None));
            first(&Self::of_game(sounds, name, 0, of_page.clone(), work()));
        };
        Self::found(mount, name, options, budget, Some(&mut show), wanted)
    }

    fn found(
        mount: &Arc<Mount>,
        name: &str,
        options: &GameOptions,
        budget: Budget,
        first: Option<First<'_>>,
        wanted: &WantedBanks<'_>,
    ) -> Self {
        let banked = wanted.banks.map_or(0, |banks| banks.folder.stored_len());
        let stored = mount.file_len().saturating_add(banked);
        let work = WorkBudget::of_file(stored, budget.shared.as_ref());
        let Found { audio, sounds, unread, files } =
            game::sounds(mount, options, budget.structures, &work, first);
        let before = ListedBefore { sounds: sounds.len(), bytes: audio.len() };
        let names = names(mount, &sounds, &files);
        let packaged = files.iter().map(|file| (file.path(mount), file.held));
        let packaged: BTreeMap<String, BankInPackage> = packaged.collect();
        let banks = GameBanks::with_packaged(wanted.banks, mount, files).map(|banks| {
            let limits = &mut Limits::with_structures(budget.structures);
            let mut options = wanted.options.clone();
            options.names.extend(names);
            let folder = BankSet { files: &banks.files, folder: &banks.folder, shown: wanted.shown, before };
            sound_bank::open(&folder, &options, &work, limits)
        });
        let sounds = GameSounds::new(audio, sounds, unread, banks.transpose()).with_packaged(packaged);
        Self::of_game(sounds, name, stored, budget, work)
    }

    fn of_game(sounds: GameSounds, name: &str, stored: u64, budget: Budget, work: WorkBudget) -> Self {
        Self::with_work(Box::new(sounds), name, stored, budget, work)
    }
}

/// Returns possible names of events: an asset of Wwise has the name of its event. Names that are none match no id.
fn names(mount: &Mount, sounds: &[Sound], files: &[PackagedFile]) -> BTreeSet<String> {
    let of_events = sounds.iter().filter(|sound| sound.class == SoundClass::Object(Class::AkAudioEvent));
    let of_files = files.iter().filter_map(|file| {
        let path = mount.path(file.held.package)?;
        let name = path.rsplit('/').next()?;
        Some(name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned())
    });
    of_events.map(|sound| sound.object.name.clone()).chain(of_files).collect()
}
