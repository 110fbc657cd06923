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
//! [`keymap`] is the one table of the keys that are commands.
//!
//! [`update`](update::update) is a pure function from a message to a new model and what is to be done. It, [`draw`],
//! [`layout`] and [`hit`] touch neither the terminal, the clock nor the engine. [`Session`] is the loop around them. A
//! program decides what is opened and on which device it plays, and hands both over.
#![forbid(unsafe_code)]

pub mod draw;
mod entries;
pub mod events;
pub mod hit;
pub mod hit_target;
pub mod keymap;
pub mod layout;
pub mod model;
pub mod note_log;
mod session;
pub mod terminal;
pub mod update;

pub use entries::entries;
pub use session::{Ended, ReleaseMode, ScreenOptions, Session, SessionError, Signals, execute};

/// What helps where a sound takes more memory than is allowed, as the program's options are called.
pub const MEMORY_HINT: &str = "--memory allows more";
/// What helps where a sound takes more memory than all loaded sounds together may.
const CACHE_HINT: &str = "--cache allows more";

#[cfg(test)]
mod tests;
