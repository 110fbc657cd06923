//! usampler in a page of a browser: the screen's model in a worker, the engine's processor in an `AudioWorklet`.
//!
//! ```text
//! page (DOM)  ── messages ──► worker: Worker ── bytes ──► worklet: Audio ──► speakers
//!    ▲                          │  │    ▲                    │
//!    └────── what is shown ─────┘  │    └─ events, frames ◄──┘
//!                                  └─ reads: File.slice
//! ```
//!
//! The same module is instantiated twice, since worker and worklet share no memory. Nothing is decided here that the
//! terminal decides as well: keys, notes, lists and knobs are those of [`screen`], files and sounds those of
//! [`importer`] and [`player`]. What the page shows is described by [`view`], in JSON.

mod audio;
mod block_cache;
mod exports;
mod files;
mod keys;
mod message;
mod packages;
pub mod view;
mod worker;

pub use audio::{Audio, config};
pub use files::{PageFiles, ReadFile};
pub use message::{FileEntry, KeyMessage, PageMessage, PointerTarget};
pub use worker::{PageSession, Worker};
