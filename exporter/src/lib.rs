//! Songs for other samplers. A crate of its own, for it knows nothing but songs: neither packages, which the importer
//! reads, nor rendering, which is the engine's.
//!
//! ```text
//! Song ─┬─► sfz  text that refers to a WAV file per sample
//!       └─► sf2  one file with the samples in it
//! ```
#![forbid(unsafe_code)]

mod middle;
pub mod sf2;
pub mod sfz;
mod unrolled;
