//! What runs in the page: a worker's half and a worklet's.

mod audio;
mod block_cache;
mod exports;
mod files;
mod game;
mod keys;
mod message;
mod packages;
pub mod view;
mod worker;

pub use audio::{Audio, POLYPHONY, config};
pub use files::{PageFiles, ReadFile};
pub use message::{FileEntry, GameSettings, KeyMessage, PageMessage, PointerTarget};
pub use worker::{PageSession, Worker};
