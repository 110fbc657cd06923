//! Reads Unreal Engine packages: bytes, then tables, then objects. Decodes no audio, and believes no file.
//!
//! ```text
//! ue1to3   Source ──► unpack ──► probe ──► Package: tables ──► class: properties, payloads
//! ue4to6   Container ──► AssetPackage: tables of a file or of a chunk ──► class: properties, payloads
//!             ▲
//! containers ─┘    base: what all of them stand on
//! ```
//!
//! In each, a version becomes a `Layout` once: the facts that drive the readers.
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

mod base;
pub mod containers;
pub mod ue1to3;
pub mod ue4to6;
pub mod versions;

pub use base::compress::Method;
pub use base::crypt::{AesKey, GameCipher, InvalidKey, KeyId, KeyRing};
pub use base::cue::{CueNode, SoundCue};
pub use base::error::{Error, ErrorKind, Malformed, NotPackage};
pub use base::guard::{guarded, is_guarded};
pub use base::guid::Guid;
pub use base::hash;
pub use base::limits::{Limits, MAX_PATH};
pub use base::names::EditableNames;
pub use base::object_ref::{ExportIndex, ImportIndex, ObjectPath, ObjectRef};
pub use base::property::{LocalizedText, Property, PropertyForm, PropertyType, TextContent, TypeName, Value};
pub use base::sound_class::Class;
#[cfg(any(unix, windows))]
pub use base::source::FileSource;
pub use base::source::{Memory, Source};
pub use base::threshold::Threshold;
pub use base::unsupported::{Lineage2Version, UnreadLineage2, Unsupported};
pub use base::writer::WriteError;
pub use ue1to3::inflated::{CompressedChunk, Inflated};
pub use ue1to3::object::Object;
pub use ue1to3::package::lineage2::Lineage2;
pub use ue1to3::package::name::{NameIndex, NameRef};
pub use ue1to3::package::options::PackageOptions;
pub use ue1to3::package::probe::{PROBE_LENGTH, Probe, Wrapper, is_tagged, probe};
pub use ue1to3::package::unpack::{UnpackedPackage, unpack, unpack_package};
pub use ue1to3::package::{
    CookingLists, Export, ExportBody, Generation, GuidTables, Import, MAX_CHAIN, MAX_NAME, Name, NameTable,
    ObjectFlags, Package, Summary, TableLocation, TextureAllocation,
};
pub use ue1to3::version::{Game, Identity, Layout};
pub use ue4to6::editable::{
    AssetFiles, DataTable, EditableHeader, EditableObject, EditablePackage, EditablePart, FixedHeader,
    PackageBytes,
};
pub use ue4to6::package::{AssetPackage, CLASS_DEFAULTS, ClassPath, PackageObject, PackageTables};
pub use ue4to6::property::{
    DataTableRow, Mappings, MappingsError, ObjectForm, ObjectProperties, PropertyError, read_object,
    read_properties, write_properties,
};
pub use ue4to6::version::{AssetVersion, CustomVersion, UnknownRelease};
