//! The rows of reports: containers, packages, meshes, sounds and patterns as lines of JSON. Their keys are a contract:
//! keys may be added, none renamed.
//!
//! ```text
//! Mount ────────► entries, conflicts, script objects
//! GamePackages ─► tables, data interfaces of Niagara, meshes  a package that cannot be read is Unread
//! SoundFile ────► sounds; packages, tracker modules and games; patterns
//! ```

pub mod bank;
mod entry;
mod mesh;
mod niagara;
mod package;
mod package_header;
pub mod pattern;
pub mod pattern_text;
mod script;
mod sound;
pub mod sound_file;
pub mod sounds;
mod texture;

use unreal::Error;

pub use entry::{ConflictRow, EntryRow};
pub use mesh::{BoneRow, BoundsRow, LodRow, MaterialRow, MeshRow, SectionRow};
pub use niagara::{InterfaceRow, NiagaraRow, OtherInterfaceRow};
pub use package::{ExportRow, ImportRow, PackageRow};
pub use script::{ScriptRow, script_objects};
pub use sound::{ChunkRow, SoundDetails};
pub use texture::{MipRow, TextureRow};

/// Returns a number with what it counts, in the singular or plural: `1 channel`, `2 channels`.
#[must_use]
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A package or an object of it that cannot be read.
#[derive(Debug)]
pub struct Unread {
    /// Path of the package.
    pub label: String,
    /// Name of the object; none if it is the package itself.
    pub object: Option<String>,
    /// The reason.
    pub error: Error,
}
