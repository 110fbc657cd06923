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
//! terminal decides as well: keys, notes, lists and knobs are those of `screen`, files and sounds those of
//! `importer` and `player`. What the page shows is described by `view`, in JSON.

#[cfg(feature = "program")]
mod program;

#[cfg(not(target_family = "wasm"))]
pub mod page;
#[cfg(feature = "unpack")]
mod unpack;

#[cfg(feature = "program")]
pub use program::{
    Audio, FileEntry, GameSettings, KeyMessage, POLYPHONY, PageFiles, PageMessage, PageSession,
    PointerTarget, ReadFile, Worker, config, view,
};
