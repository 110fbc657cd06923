//! The terminal screen of usampler.
//!
//! ```text
//! events ─► Msg ─► update: pure ─► Intent ─► session ─► player::live::LivePlayer
//!                    │                          │
//!                    ▼                          └─ LiveEvent ─► Msg
//!                  model ─► draw, in the parts of layout ─► terminal
//!                             hit: what of it is under the mouse
//! ```
//!
//! [`keymap`] is the one table of the keys that are commands; [`key`] says what the others do.
//!
//! [`update`](update::update) is a pure function from a message to a new model and what is to be done. It, [`draw`],
//! [`layout`] and [`hit`] touch neither the terminal, the clock nor the engine. [`Session`] is the loop around them. A
//! program decides what is opened and on which device it plays, and hands both over.
#![forbid(unsafe_code)]

pub mod draw;
mod entries;
#[cfg(feature = "terminal")]
pub mod events;
pub mod hit;
pub mod hit_target;
pub mod key;
pub mod keymap;
pub mod layout;
mod listed_package;
pub mod model;
pub mod note_log;
mod session;
#[cfg(feature = "terminal")]
pub mod terminal;
pub mod update;

pub use entries::entries;
pub use listed_package::{list_package, list_page};
pub use session::{ScreenOptions, Session, execute};
#[cfg(feature = "terminal")]
pub use terminal::{Ended, ReleaseMode, SessionError, Signals};

/// Names of the program's options that the screen recommends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionNames {
    /// Opens the tracker module in a sound, by the sound's number.
    pub music: &'static str,
    /// Limit of the memory of decoded audio.
    pub memory: &'static str,
    /// Limit of the memory of all loaded sounds.
    pub cache: &'static str,
}

impl OptionNames {
    /// Returns the reason why a tracker module in a sound is silent.
    #[must_use]
    pub fn module(self, number: usize) -> String {
        format!("a tracker module; {} {number} plays what is in it", self.music)
    }
}

#[cfg(test)]
mod tests;
