//! The ground that all formats stand on: bytes read and written, text, identifiers, limits, errors, compression, keys,
//! and the vocabulary that the generations of the engine share.

pub(crate) mod blocks;
pub(crate) mod byte_order;
pub(crate) mod compress;
pub(crate) mod crypt;
pub(crate) mod cue;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod fields;
pub(crate) mod guard;
pub(crate) mod guid;
pub mod hash;
pub(crate) mod limits;
pub(crate) mod names;
pub(crate) mod object_ref;
pub(crate) mod package_tag;
pub(crate) mod path;
pub(crate) mod property;
pub(crate) mod reader;
pub(crate) mod sound_class;
pub(crate) mod source;
pub(crate) mod text;
pub(crate) mod threshold;
pub(crate) mod unsupported;
pub(crate) mod writer;
