//! Properties of Unreal Engine 1 to 3: what an object states about itself, each with its name, type and size, up to the
//! name `None`.
//!
//! ```text
//! name │ info: type 0..3, size code 4..6, array 7 │ [struct name] │ [size] │ [array index] │ value
//! name │ type │ size │ array index │ [struct or enumeration name] │ value            from Unreal Engine 3 on
//! ```

mod typed;

use std::borrow::Cow;

use super::object::Object;
use super::package::name::NameRef;
use super::package::{Package, read_string};
use super::version::PropertyCoding;
use crate::base::error::{Error, Malformed};
use crate::base::limits::{Limits, MAX_TEXT};
use crate::base::object_ref::ObjectRef;
use crate::base::property::{Property, Value};
use crate::base::reader::Reader;
use typed::TypedFlags;

/// The types a tag can state, by their code. Codes 0 and 16 on are not in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Byte,
    Int,
    Bool,
    Float,
    Object,
    Name,
    Text,
    Struct,
    Opaque(&'static str),
}

impl Type {
    /// Source: Unreal Wiki, *Package File Format*, "Properties"; the order of the codes as `UELib` has it.
    const fn of(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Byte,
            2 => Self::Int,
            3 => Self::Bool,
            4 => Self::Float,
            5 => Self::Object,
            6 => Self::Name,
            7 => Self::Opaque("String"),
            8 => Self::Opaque("Class"),
            9 => Self::Opaque("Array"),
            10 => Self::Struct,
            11 => Self::Opaque("Vector"),
            12 => Self::Opaque("Rotator"),
            13 => Self::Text,
            14 => Self::Opaque("Map"),
            15 => Self::Opaque("FixedArray"),
            _ => return None,
        })
    }
}

/// Reads the properties up to `None`; `each` is called with each and where its value ends.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    package: &Package,
    limits: &mut Limits,
    each: &mut dyn FnMut(&Property, u64),
) -> Result<Vec<Property>, Error> {
    let mut properties = Vec::new();
    loop {
        let at = reader.at();
        let name = read_name(reader, package)?;
        if name.eq_ignore_ascii_case("None") {
            return Ok(properties);
        }
        limits.take_growing(cost(&name), at, "property")?;
        let property = match package.layout().properties {
            PropertyCoding::InfoByte => read_property(reader, &name, package, limits),
            PropertyCoding::TypeName { enum_names, small_bools } => {
                let flags = TypedFlags { enum_names, small_bools };
                typed::read_property(reader, &name, package, flags, limits)
            }
        };
        let property = property.map_err(|error| error.within(format!("property {name}")))?;
        each(&property, reader.at());
        properties.push(property);
    }
}

fn read_property(
    reader: &mut Reader<'_>,
    name: &str,
    package: &Package,
    limits: &mut Limits,
) -> Result<Property, Error> {
    let at = reader.at();
    let info = reader.u8()?;
    let code = info & 0x0F;
    let kind = Type::of(code).ok_or_else(|| reader.error(at, Malformed::PropertyType(code)))?;
    let marked = info & 0x80 != 0;
    let struct_name = if kind == Type::Struct { read_name(reader, package)? } else { Cow::Borrowed("") };
    let size = read_size(reader, info >> 4 & 0x07)?;
    // The mark says array for all types but Bool, whose value it is.
    let index = if marked && kind != Type::Bool { read_array_index(reader)? } else { 0 };
    let value_at = reader.at();
    let end = value_at.saturating_add(size.into());
    let value = match kind {
        Type::Bool => Value::Bool(marked),
        Type::Byte => Value::Byte(reader.u8()?),
        Type::Int => Value::Int(reader.i32()?),
        Type::Float => Value::Float(reader.f32()?),
        Type::Object => Value::Object(ObjectRef::from_number(reader.compact()?)),
        Type::Name => {
            let text = read_name(reader, package)?;
            limits.take_growing(cost(&text), value_at, "property")?;
            Value::Name(text.into_owned())
        }
        Type::Text => {
            let mut text = String::new();
            read_string(reader, &mut text, MAX_TEXT, limits)?;
            Value::Text(text)
        }
        Type::Struct => opaque(&struct_name, value_at, size, limits)?,
        Type::Opaque(kind) => opaque(kind, value_at, size, limits)?,
    };
    match kind {
        Type::Bool | Type::Struct | Type::Opaque(_) => reader.skip(size.into())?,
        _ if reader.at() != end => {
            let kind = value.kind();
            return Err(reader.error(at, Malformed::PropertySize { kind, size }));
        }
        _ => {}
    }
    Ok(Property::plain(name.to_owned(), index, value))
}

fn opaque(kind: &str, at: u64, size: u32, limits: &mut Limits) -> Result<Value, Error> {
    limits.take_growing(cost(kind), at, "property")?;
    Ok(Value::Opaque { kind: kind.to_owned(), at, size })
}

/// Returns what a property with that text takes in memory.
fn cost(text: &str) -> usize {
    size_of::<Property>().saturating_add(text.len())
}

fn read_name<'p>(reader: &mut Reader<'_>, package: &'p Package) -> Result<Cow<'p, str>, Error> {
    let at = reader.at();
    let name = NameRef::read(reader, package.layout())?;
    package.text(name).ok_or_else(|| reader.error(at, Malformed::NoSuchName(name.index.number())))
}

/// Returns the size of a value: stated by the code alone, or by one, two or four bytes that follow.
fn read_size(reader: &mut Reader<'_>, code: u8) -> Result<u32, Error> {
    match code {
        0 => Ok(1),
        1 => Ok(2),
        2 => Ok(4),
        3 => Ok(12),
        4 => Ok(16),
        5 => reader.u8().map(u32::from),
        6 => reader.u16().map(u32::from),
        _ => reader.u32(),
    }
}

/// Returns an array index in one, two or four bytes, high end first; the upper bits of the first say which.
fn read_array_index(reader: &mut Reader<'_>) -> Result<u32, Error> {
    let first = reader.u8()?;
    Ok(match first >> 6 {
        0 | 1 => first.into(),
        2 => u16::from_be_bytes([first & 0x3F, reader.u8()?]).into(),
        _ => u32::from_be_bytes([first & 0x3F, reader.u8()?, reader.u8()?, reader.u8()?]),
    })
}

impl Property {
    /// Returns the elements of an array of structs of Unreal Engine 3 that are written property by property; none if it
    /// is no such array.
    ///
    /// # Errors
    /// `Malformed` if they do not end within the array's value, `OverLimit`, `Io`.
    pub fn structs(&self, object: &mut Object<'_>) -> Result<Vec<Vec<Self>>, Error> {
        let Value::Opaque { kind, at, size } = &self.value else { return Ok(Vec::new()) };
        if kind != "ArrayProperty" {
            return Ok(Vec::new());
        }
        let end = at.saturating_add((*size).into());
        let mut reader = Reader::new(object.source, "array", *at, end).with_layout(object.package.layout());
        let count = reader.count(8)?;
        let mut structs = Vec::new();
        for _ in 0..count {
            object.limits.take_growing(size_of::<Vec<Self>>(), *at, "array")?;
            structs.push(read(&mut reader, object.package, object.limits, &mut |_, _| {})?);
        }
        Ok(structs)
    }

    /// Returns the numbers of an array of integers or objects of Unreal Engine 3; none if it is no such array.
    ///
    /// # Errors
    /// `Malformed` if the array says it is longer than its value, `OverLimit`, `Io`.
    pub fn numbers(&self, object: &mut Object<'_>) -> Result<Vec<i32>, Error> {
        let Value::Opaque { kind, at, size } = &self.value else { return Ok(Vec::new()) };
        if kind != "ArrayProperty" {
            return Ok(Vec::new());
        }
        let end = at.saturating_add((*size).into());
        let mut reader = Reader::new(object.source, "array", *at, end).with_layout(object.package.layout());
        let count = reader.count(4)?;
        // With what becomes of them: references that are followed.
        object.limits.take_table::<[u64; 6]>(count, *at, "array")?;
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            numbers.push(reader.i32()?);
        }
        Ok(numbers)
    }
}
