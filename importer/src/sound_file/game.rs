//! A game as one file of all its sounds.

use std::sync::Mutex;

use unreal::container::mount::Mount;

use super::{Budget, Contents, SoundFile};
use crate::Sound;
use crate::find::game::{self, First, Found, GameAudio, GameOptions, Unread};
use crate::work::WorkBudget;

impl<'s> SoundFile<'s> {
    /// Opens a game: finds and describes the sounds of all packages in mounted containers.
    #[must_use]
    pub fn open_game(mount: &'s Mount, name: &str, options: &GameOptions, budget: Budget) -> Self {
        Self::found(mount, name, options, budget, None)
    }

    /// Opens a game as [`SoundFile::open_game`] does, and gives its first sounds to `first` as soon as they are found,
    /// as if they were all there is. In the whole game they come first too, with the same numbers. Where there are no
    /// more sounds than that, or none can be the first before all packages are read, it is not called.
    #[must_use]
    pub fn open_game_by_page(
        mount: &'s Mount,
        name: &str,
        options: &GameOptions,
        budget: Budget,
        first: &mut dyn FnMut(&Self),
    ) -> Self {
        // What the sounds of the page cost to find is paid by the game.
        let work = || WorkBudget::of_file(0, budget.shared);
        let mut show =
            |audio, sounds| first(&Self::of_game(audio, sounds, Unread::new(mount), name, 0, budget, work()));
        Self::found(mount, name, options, budget, Some(&mut show))
    }

    fn found(
        mount: &'s Mount,
        name: &str,
        options: &GameOptions,
        budget: Budget,
        first: Option<First<'_, 's>>,
    ) -> Self {
        let stored = mount.file_len();
        let work = WorkBudget::of_file(stored, budget.shared);
        let Found { audio, sounds, unread } = game::sounds(mount, options, budget.structures, &work, first);
        Self::of_game(audio, sounds, unread, name, stored, budget, work)
    }

    fn of_game(
        audio: GameAudio<'s>,
        sounds: Vec<Sound>,
        unread: Unread<'s>,
        name: &str,
        stored: u64,
        budget: Budget,
        work: WorkBudget,
    ) -> Self {
        let contents = Contents::Game(unread);
        Self {
            source: Box::new(audio),
            stored,
            name: name.to_owned(),
            contents,
            sounds,
            budget,
            work,
            described_last: Mutex::default(),
        }
    }

    /// Returns whether it is a game: its sounds are named by their paths in it.
    #[must_use]
    pub const fn is_game(&self) -> bool {
        matches!(self.contents, Contents::Game(_))
    }

    /// Returns the packages of a game that could not be read, and why; none if it is no game.
    #[must_use]
    pub const fn unread_packages(&self) -> Option<&Unread<'s>> {
        match &self.contents {
            Contents::Game(unread) => Some(unread),
            Contents::Package(..) | Contents::Module(_) => None,
        }
    }
}
