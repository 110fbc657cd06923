//! The classes of Unreal Engine 4 to 6 whose objects are read, by the members that follow their properties.

pub mod bank_asset;
mod bulk_ref;
mod bulk_writer;
pub mod mesh;
pub mod sound_cue;
pub mod sound_wave;
pub(crate) mod string_table;
pub mod texture;

pub use bulk_writer::{BulkDataError, ChangedObject, NewData};
