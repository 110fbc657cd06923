//! The sounds of a game of Unreal Engine 4 to 6.

use unreal::Source;

use super::Collection;
use crate::Sound;
use crate::find::game::{GameAudio, UnreadPackages};

/// The sounds of all packages of a game.
pub(crate) struct GameSounds {
    pub(crate) audio: GameAudio,
    pub(crate) sounds: Vec<Sound>,
    pub(crate) unread: UnreadPackages,
}

impl Collection for GameSounds {
    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &self.audio
    }

    fn kind(&self) -> &'static str {
        "game"
    }

    fn names_paths(&self) -> bool {
        true
    }

    fn unread(&self) -> Option<&UnreadPackages> {
        Some(&self.unread)
    }
}
