//! Files for other programs. A crate of its own, for it knows nothing but songs: neither packages, which the importer
//! reads, nor rendering, which is the engine's.
//!
//! ```text
//! Song ─┬─► sfz           text that refers to a WAV file per sample
//!       └─► sf2           one file with the samples in it
//! samples ─► sound_module   a tracker module, an instrument for each: it, xm
//! Sample, frames ─► wav   a recording as it is, or what was rendered
//! frames ─► flac          what was rendered, coded without loss
//! work ─► ordered         done by several threads, written in order
//! bytes ─► output_file    a file that is written whole or not at all, if overwrite allows it
//! files ─► publication    those that belong together, never old ones with new ones; batch: thousands, synced at once
//! names ─► unique_names   each given once
//! paths ─► extracted_names   of files of sounds, below one folder
//! ```
#![forbid(unsafe_code)]

mod articulation;
pub mod disk_space;
mod durable;
mod extracted_names;
pub mod filename;
pub mod flac;
mod folder;
mod it;
mod middle;
pub mod ogg;
pub mod ordered;
mod output_error;
pub mod output_file;
pub mod overwrite;
#[cfg_attr(target_family = "wasm", path = "part_file/memory.rs")]
mod part_file;
mod publication;
mod sends;
pub mod sf2;
pub mod sfz;
pub mod sound_module;
mod unique_names;
mod unrolled;
pub mod wav;
mod xm;

pub use articulation::{Loss, Losses};
pub use disk_space::{DiskSpace, SpaceError};
pub use durable::Batch;
pub use extracted_names::{ExtractedNames, FileLayout, PackageNames, free_path};
pub use folder::{make_folder, make_new_folder};
pub use output_error::OutputError;
pub use output_file::OutputFile;
pub use overwrite::{Overwrite, Verdict};
pub use part_file::remove_unfinished;
#[cfg(target_family = "wasm")]
pub use part_file::take_placed;
pub use publication::Publication;
pub use unique_names::UniqueNames;
