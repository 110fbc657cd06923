//! Games as users name them.

use unreal::{Game, GameCipher};

/// A game that a user names, as it is not as the engine's version says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NamedGame {
    /// A game whose packages have a form of their own.
    Packages(Game),
    /// A game whose containers have a cipher of their own.
    Containers(GameCipher),
}

impl NamedGame {
    /// Returns all games.
    pub fn all() -> impl Iterator<Item = Self> {
        let containers = GameCipher::ALL.iter().copied().map(Self::Containers);
        Game::ALL.iter().copied().map(Self::Packages).chain(containers)
    }

    /// Returns how it is named on a command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Packages(game) => game.name(),
            Self::Containers(game) => game.name(),
        }
    }

    /// Returns the title of the game.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Packages(game) => game.title(),
            Self::Containers(game) => game.title(),
        }
    }

    /// Returns the game if its packages have a form of their own.
    #[must_use]
    pub const fn packages(self) -> Option<Game> {
        match self {
            Self::Packages(game) => Some(game),
            Self::Containers(_) => None,
        }
    }

    /// Returns the game if its containers have a cipher of their own.
    #[must_use]
    pub const fn containers(self) -> Option<GameCipher> {
        match self {
            Self::Packages(_) => None,
            Self::Containers(game) => Some(game),
        }
    }
}
