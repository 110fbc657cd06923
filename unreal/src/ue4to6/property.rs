//! Properties of Unreal Engine 4 to 6: with tags, each has its name, type and size, up to the name `None`; without, a
//! schema says which there may be, and a header which there are.
//!
//! ```text
//! name │ type │ size │ array index │ [struct or enumeration name] │ value            to 5.3
//! name │ type with its parts │ size │ flags │ value                                  from 5.4 on
//! which there are │ value │ value │ …                                                without tags, from 4.25 on
//! ```

mod built_in;
pub(crate) mod mappings;
mod object;
mod structs;
mod tagged;
mod text;
mod unversioned;
mod value_reader;
mod value_writer;
mod write;

pub(crate) use built_in::sound_wave_schema;
pub use mappings::{Mappings, MappingsError};
pub use object::{
    DataTableRow, ObjectForm, ObjectProperties, read_object, read_properties, write_properties,
};
pub(crate) use object::{PropertyWriter, read_rows, read_structs};
pub use write::PropertyError;
pub(crate) use write::{NewValue, with_values};
