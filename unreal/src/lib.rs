//! Reads Unreal Engine packages: bytes, then tables, then objects. Decodes no audio, and believes no file.
//!
//! ```text
//! Source ──► unpack ──► probe ──► Package: summary, names, imports, exports ──► class: properties, payloads
//!                         └─ Identity ──► Layout: the facts that drive the readers
//! ```
//!
//! Whatever the bytes are, reading them ends in a value or an [`Error`] that says where and why, never in a
//! panic, and takes no more memory than [`Limits`] allow.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

pub mod asset;
mod asset_version;
mod blocks;
pub mod bulk;
pub mod bulk_data;
mod byte_order;
pub mod class;
mod compress;
pub mod container;
pub mod convert;
mod crypt;
mod document;
mod editable;
mod error;
mod fields;
mod game_package;
mod guard;
mod guid;
pub mod hash;
mod inflated;
mod limits;
mod names;
mod object;
mod object_ref;
mod open_package;
mod package;
mod package_tag;
mod path;
mod property;
mod reader;
pub mod script;
mod sound_class;
mod source;
mod text;
mod unsupported;
pub mod version;
mod writer;
pub mod zen;

pub use asset_version::{AssetVersion, CustomVersion, UnknownRelease};
pub use compress::Method;
pub use crypt::{AesKey, InvalidKey, KeyId, KeyRing};
pub use editable::{
    AssetFiles, DataTable, EditableHeader, EditableObject, EditablePackage, EditablePart, FixedHeader,
    PackageBytes,
};
pub use error::{Error, ErrorKind, Malformed, NotPackage};
pub use game_package::{ClassPath, GameExport, GamePackage, PackageTables};
pub use guard::{guarded, is_guarded};
pub use guid::Guid;
pub use inflated::{CompressedChunk, Inflated};
pub use limits::{Limits, MAX_PATH};
pub use object::Object;
pub use object_ref::{ExportIndex, ImportIndex, ObjectPath, ObjectRef};
pub use package::lineage2::Lineage2;
pub use package::name::{NameIndex, NameRef};
pub use package::options::OpenOptions;
pub use package::probe::{PROBE_LENGTH, Probe, Wrapper, is_tagged, probe};
pub use package::unpack::{UnpackedPackage, unpack, unpack_package};
pub use package::{
    Export, ExportBody, Generation, Import, MAX_CHAIN, MAX_NAME, Name, NameTable, ObjectFlags, Package,
    Summary, TableLocation,
};
pub use property::{
    LocalizedText, Mappings, MappingsError, ObjectForm, ObjectProperties, Property, PropertyError,
    PropertyForm, PropertyType, TableRow, TextContent, TypeName, Value, read_object,
};
pub use sound_class::Class;
#[cfg(any(unix, windows))]
pub use source::FileSource;
pub use source::{Memory, Source};
pub use unsupported::{Lineage2Version, UnreadLineage2, Unsupported};
pub use version::{Game, Identity, Layout};
pub use writer::WriteError;
