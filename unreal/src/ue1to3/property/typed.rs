use std::borrow::Cow;

use super::{cost, opaque, read_name};
use crate::base::error::{Error, Malformed};
use crate::base::limits::{Limits, MAX_TEXT};
use crate::base::object_ref::ObjectRef;
use crate::base::property::{Property, Value};
use crate::base::reader::Reader;
use crate::ue1to3::package::{Package, read_string};

/// How properties that name their type differ between versions.
#[derive(Clone, Copy)]
pub(super) struct TypedFlags {
    /// A byte property names its enum.
    pub(super) enum_names: bool,
    /// A boolean takes one byte instead of four.
    pub(super) small_bools: bool,
}

/// Reads a property that names its type, after its own name.
///
/// Source: *UELib*; versions 512 to 868 measured.
pub(super) fn read_property(
    reader: &mut Reader<'_>,
    name: &str,
    package: &Package,
    flags: TypedFlags,
    limits: &mut Limits,
) -> Result<Property, Error> {
    let at = reader.at();
    let kind = read_name(reader, package)?;
    let size = reader.u32()?;
    let index = reader.u32()?;
    let of = match &*kind {
        "StructProperty" => read_name(reader, package)?,
        "ByteProperty" if flags.enum_names => read_name(reader, package)?,
        _ => Cow::Borrowed(""),
    };
    let property = |value| Property::plain(name.to_owned(), index, value);
    if kind == "BoolProperty" {
        let value = if flags.small_bools { reader.u8()? != 0 } else { reader.u32()? != 0 };
        reader.skip(size.into())?;
        return Ok(property(Value::Bool(value)));
    }
    let value_at = reader.at();
    let end = value_at.saturating_add(size.into());
    let value = match (&*kind, size) {
        ("ByteProperty", 1) => Value::Byte(reader.u8()?),
        ("IntProperty", _) => Value::Int(reader.i32()?),
        ("FloatProperty", _) => Value::Float(reader.f32()?),
        ("ObjectProperty" | "ClassProperty" | "ComponentProperty" | "InterfaceProperty", _) => {
            Value::Object(ObjectRef::from_number(reader.i32()?))
        }
        ("NameProperty" | "ByteProperty", _) => {
            let text = read_name(reader, package)?;
            limits.take_growing(cost(&text), value_at, "property")?;
            Value::Name(text.into_owned())
        }
        ("StrProperty", _) => {
            let mut text = String::new();
            read_string(reader, &mut text, MAX_TEXT, limits)?;
            Value::Text(text)
        }
        _ => {
            let kind = if of.is_empty() { &kind } else { &of };
            let value = opaque(kind, value_at, size, limits)?;
            reader.skip(size.into())?;
            value
        }
    };
    if reader.at() != end {
        let kind = value.kind();
        return Err(reader.error(at, Malformed::PropertySize { kind, size }));
    }
    Ok(property(value))
}
