//! What modders do with the files of games.
//!
//! ```text
//! GameMount ──► verify, unpack, report
//! request ──► serve: rows of reports, as lines of JSON
//! files ──► pack: a container ──► written: remembered, so that it may be overwritten
//! sound, WAV ──► replace: the files of a mod
//! sounds, words ──► select: the one that is meant; suggest: names that are written nearly so
//! package ──► json: a document ──► the same package, or edited: the files of a mod
//! ```
#![forbid(unsafe_code)]

pub mod conflicts;
mod copy;
pub mod edited;
pub mod installing;
pub mod json;
pub mod layout;
pub mod legacy;
pub mod mesh;
pub mod mods;
pub mod niagara;
pub mod pack;
mod package_kind;
pub mod packages;
pub mod replace;
pub mod report;
pub mod resolve;
pub mod select;
pub mod serve;
mod suggest;
pub mod texture;
pub mod unpack;
pub mod verify;
pub mod written;

pub use copy::{CopyError, copy};
pub use package_kind::PackageKind;
pub use packages::GamePackages;
