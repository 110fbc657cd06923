//! A game as one file of all its sounds.

use std::sync::Arc;

use unreal::containers::mount::Mount;

use super::SoundFile;
use crate::Budget;
use crate::Sound;
use crate::budget::WorkBudget;
use crate::collection::game::GameSounds;
use crate::find::game::{self, First, Found, GameAudio, GameOptions, UnreadPackages};

impl SoundFile {
    /// Opens a game: finds and describes the sounds of all packages in mounted containers.
    #[must_use]
    pub fn open_game(
        mount: impl Into<Arc<Mount>>,
        name: &str,
        options: &GameOptions,
        budget: Budget,
    ) -> Self {
        Self::found(&mount.into(), name, options, budget, None)
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
        let mount = mount.into();
        let (of_page, shared) = (budget.clone(), budget.shared.clone());
        // What the sounds of the page cost to find is paid by the game.
        let work = || WorkBudget::of_file(0, shared.as_ref());
        let mut show = |audio, sounds| {
            first(&Self::of_game(
                audio,
                sounds,
                UnreadPackages::new(Arc::clone(&mount)),
                name,
                0,
                of_page.clone(),
                work(),
            ));
        };
        Self::found(&mount, name, options, budget, Some(&mut show))
    }

    fn found(
        mount: &Arc<Mount>,
        name: &str,
        options: &GameOptions,
        budget: Budget,
        first: Option<First<'_>>,
    ) -> Self {
        let stored = mount.file_len();
        let work = WorkBudget::of_file(stored, budget.shared.as_ref());
        let Found { audio, sounds, unread } = game::sounds(mount, options, budget.structures, &work, first);
        Self::of_game(audio, sounds, unread, name, stored, budget, work)
    }

    fn of_game(
        audio: GameAudio,
        sounds: Vec<Sound>,
        unread: UnreadPackages,
        name: &str,
        stored: u64,
        budget: Budget,
        work: WorkBudget,
    ) -> Self {
        let collection = Box::new(GameSounds { audio, sounds, unread });
        Self::with_work(collection, name, stored, budget, work)
    }
}
