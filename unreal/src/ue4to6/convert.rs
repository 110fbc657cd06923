//! Packages of containers turned into packages of files, and back: the header changes, the objects stay as they are.
//!
//! ```text
//! to_legacy   names, imports, exports, what exports depend on ──► as the cooker wrote them; imports by their names
//! to_zen      as the engine orders them ──► names, imports as numbers, exports, the order in which they are loaded
//! ```
//!
//! Source: *packages-ue4-ue6*, §6 to §8; 194 packages of 5.8 in containers and 10 in files, of the same objects,
//! measured.

mod class_layout;
mod game_objects;
mod import_rows;
mod load_order;
mod name_order;
mod preload;
mod release;
mod spliced_package;
mod to_legacy;
mod to_zen;

use std::fmt;

use crate::base::error::Error;
use crate::base::package_tag::TAG;
use crate::base::writer::WriteError;
pub use class_layout::{
    ChangedObject, ClassLayout, ConvertedObjects, LayoutError, ObjectPart, has_layouts, to_layout,
};
pub use game_objects::GameObjects;
pub use release::{IoStoreRelease, UnknownIoStoreRelease};
pub use spliced_package::SplicedPackage;
pub use to_legacy::{LegacyFile, to_legacy};
pub use to_zen::{ZenChunk, to_zen};

/// The mark at the end of objects.
pub(crate) const END_OF_OBJECTS: [u8; 4] = TAG.to_le_bytes();

/// The flag of objects that other packages may refer to.
const PUBLIC: u32 = 1;
/// What containers say of an object that is for all but clients.
const NOT_FOR_CLIENT: u8 = 1;
/// What they say of one that is for all but servers.
const NOT_FOR_SERVER: u8 = 2;

/// Why a package is not converted that has cells.
const CELLS: &str = "the package has cells, which belong to Verse and are not converted";

/// Why a package was not converted.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConvertError {
    /// It cannot be read.
    Read(Error),
    /// It cannot be written.
    Write(WriteError),
    /// It is of the form that was wanted.
    Already,
    /// It has what the other form cannot hold.
    Unsupported(&'static str),
    /// What an import lies in is not there, or not imported itself.
    Import(usize),
    /// What an export lies in, or another object that it refers to, is not there.
    Export(usize),
    /// Objects wait for each other.
    Circle,
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Already => f.write_str("is of that form"),
            Self::Unsupported(why) => f.write_str(why),
            Self::Import(number) => write!(f, "import {number} lies in nothing that is there"),
            Self::Export(number) => write!(f, "export {number} refers to nothing that is there"),
            Self::Circle => f.write_str("objects wait for each other"),
        }
    }
}

impl std::error::Error for ConvertError {}

impl From<Error> for ConvertError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for ConvertError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}
