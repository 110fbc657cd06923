//! Properties with tags, of Unreal Engine 4 to 6.
//!
//! ```text
//! name │ type │ size │ array index │ parts of the type │ has GUID │ value               to 5.3
//! name │ type with its parts │ size │ flags │ [array index] │ [GUID] │ value             from 5.4 on
//! ```
//!
//! Values that are not taken apart, or do not fill their size, are passed over: a tag says how long they are.
//!
//! Source: *packages-ue4-ue6*, §9: the later form measured, the other described.

use std::ops::Range;

use super::object::ValuePlace;
use super::property_type::PropertyType;
use super::value_reader::ValueReader;
use super::{Property, Value};
use crate::error::{Error, ErrorKind, Malformed};

/// A tag, after the name.
struct Tag {
    kind: PropertyType,
    size: u64,
    index: u32,
    /// The value, if the tag has it.
    value: Option<bool>,
    /// Whether a struct is written as it lies in memory.
    is_native: bool,
}

/// Reads properties up to `None`; `place` is told where the value of each lies.
pub(super) fn read(
    reader: &mut ValueReader<'_, '_>,
    place: &mut dyn FnMut(ValuePlace),
) -> Result<Vec<Property>, Error> {
    let mut properties = Vec::new();
    loop {
        let name = reader.name()?;
        if name.eq_ignore_ascii_case("None") {
            return Ok(properties);
        }
        reader.pay(name.len())?;
        let property = read_property(reader, name.clone());
        let (property, range) = property.map_err(|error| error.within(format!("property {name}")))?;
        place(ValuePlace { range, number: 0, is_zero: false });
        properties.push(property);
    }
}

/// Reads a property, and where its value lies.
fn read_property(reader: &mut ValueReader<'_, '_>, name: String) -> Result<(Property, Range<u64>), Error> {
    let tag = if reader.form.has_complete_types { complete_tag(reader)? } else { simple_tag(reader)? };
    let at = reader.bytes.at();
    let end = at.saturating_add(tag.size);
    if tag.size > reader.bytes.left() {
        let (wanted, left) = (tag.size, reader.bytes.left());
        return Err(reader.bytes.error(at, Malformed::EndsEarly { wanted, left }));
    }
    let value = match tag.value {
        Some(flag) => Value::Bool(flag),
        None => sized(reader, &tag, end)?,
    };
    reader.bytes.seek(end);
    Ok((Property { name, index: tag.index, value }, at..end))
}

/// Reads a value that ends at a place; one that does not is passed over.
fn sized(reader: &mut ValueReader<'_, '_>, tag: &Tag, end: u64) -> Result<Value, Error> {
    let at = reader.bytes.at();
    let before = reader.limits.clone();
    if let Some(value) = sized_as(reader, tag, end, reader.form.has_split_paths)? {
        return Ok(value);
    }
    // Containers do not say from which version on paths are in parts; their size does.
    *reader.limits = before.clone();
    if tag.kind == PropertyType::SoftObject
        && let Some(value) = sized_as(reader, tag, end, !reader.form.has_split_paths)?
    {
        return Ok(value);
    }
    // What was read is gone.
    *reader.limits = before;
    reader.pay(0)?;
    let size = u32::try_from(tag.size).unwrap_or(u32::MAX);
    Ok(Value::Opaque { kind: kind_name(&tag.kind), at, size })
}

/// Reads a value; none if it does not end at a place.
fn sized_as(
    reader: &mut ValueReader<'_, '_>,
    tag: &Tag,
    end: u64,
    has_split_paths: bool,
) -> Result<Option<Value>, Error> {
    let mut part = reader.part(end);
    part.form.has_split_paths = has_split_paths;
    let value = match &tag.kind {
        // A byte of an enumeration has its name, one without has its number.
        PropertyType::Enum { number, .. } if tag.size == 1 => part.value(number, true),
        PropertyType::Struct(name) if tag.is_native && !super::structs::is_native(name) => {
            return Ok(None);
        }
        kind => part.value(kind, true),
    };
    match value {
        Ok(value) => Ok(Some(value).filter(|_| part.bytes.at() == end)),
        Err(error) if matches!(error.kind(), ErrorKind::OverLimit { .. } | ErrorKind::Io(_)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Returns the name of a type, or of its struct.
fn kind_name(kind: &PropertyType) -> String {
    match kind {
        PropertyType::Struct(name) | PropertyType::Other(name) | PropertyType::Enum { name, .. } => {
            name.clone()
        }
        PropertyType::Array(_) => "ArrayProperty".to_owned(),
        PropertyType::Set(_) => "SetProperty".to_owned(),
        PropertyType::Map(_) => "MapProperty".to_owned(),
        PropertyType::Text => "TextProperty".to_owned(),
        _ => "Property".to_owned(),
    }
}

fn simple_tag(reader: &mut ValueReader<'_, '_>) -> Result<Tag, Error> {
    let name = reader.name()?;
    let size = reader.bytes.u32()?.into();
    let index = reader.bytes.u32()?;
    let (mut value, mut kinds) = (None, Vec::new());
    let mut names = Vec::new();
    match name.as_str() {
        "StructProperty" => {
            names.push(reader.name()?);
            if reader.form.has_struct_guids {
                reader.bytes.skip(16)?;
            }
        }
        "BoolProperty" => value = Some(reader.bytes.u8()? != 0),
        "ByteProperty" => {
            let of = reader.name()?;
            names.extend((of != "None").then_some(of));
        }
        "EnumProperty" => {
            names.push(reader.name()?);
            kinds.push(PropertyType::UInt8);
        }
        "ArrayProperty" | "SetProperty" | "OptionalProperty" => kinds.push(part(&reader.name()?)),
        "MapProperty" => kinds.extend([part(&reader.name()?), part(&reader.name()?)]),
        _ => {}
    }
    if reader.form.has_guids && reader.bytes.u8()? != 0 {
        reader.bytes.skip(16)?;
    }
    Ok(Tag { kind: PropertyType::with_parts(&name, kinds, names), size, index, value, is_native: false })
}

/// Returns the type that a part of an array or a map has: of a struct no more than that it is one, and values of
/// enumerations have their names.
fn part(name: &str) -> PropertyType {
    match name {
        "StructProperty" => PropertyType::Struct(String::new()),
        "EnumProperty" => PropertyType::Enum { name: String::new(), number: Box::new(PropertyType::UInt8) },
        name => PropertyType::simple(name),
    }
}

fn complete_tag(reader: &mut ValueReader<'_, '_>) -> Result<Tag, Error> {
    const INDEX: u8 = 1;
    const GUID: u8 = 2;
    const EXTENSIONS: u8 = 4;
    const NATIVE: u8 = 8;
    const TRUE: u8 = 0x10;
    let (_, kind) = complete_type(reader, 0)?;
    let size = reader.bytes.u32()?.into();
    let flags = reader.bytes.u8()?;
    let index = if flags & INDEX != 0 { reader.bytes.u32()? } else { 0 };
    if flags & GUID != 0 {
        reader.bytes.skip(16)?;
    }
    if flags & EXTENSIONS != 0 && reader.bytes.u8()? & 2 != 0 {
        // Which values of it override those of its template.
        reader.bytes.skip(2)?;
    }
    let value = (kind == PropertyType::Bool).then_some(flags & TRUE != 0);
    Ok(Tag { kind, size, index, value, is_native: flags & NATIVE != 0 })
}

/// Reads a type with its parts; returns its name as well, which may be that of a struct.
fn complete_type(reader: &mut ValueReader<'_, '_>, depth: u32) -> Result<(String, PropertyType), Error> {
    /// Types within one another.
    const MAX_DEPTH: u32 = 16;
    let at = reader.bytes.at();
    let name = reader.name()?;
    let count = reader.bytes.count(12)?;
    if depth > MAX_DEPTH {
        return Err(reader.bytes.error(at, Malformed::ChainTooLong(MAX_DEPTH as usize)));
    }
    let (mut names, mut kinds) = (Vec::new(), Vec::new());
    for _ in 0..count {
        reader.pay(0)?;
        let (name, kind) = complete_type(reader, depth.saturating_add(1))?;
        names.push(name);
        kinds.push(kind);
    }
    let kind = match name.as_str() {
        // After the name of the enumeration.
        "EnumProperty" => PropertyType::with_parts(&name, kinds.into_iter().skip(1).collect(), names),
        _ => PropertyType::with_parts(&name, kinds, names),
    };
    Ok((name, kind))
}

/// Reads an array of structs with a tag for all of them.
pub(super) fn read_structs(reader: &mut ValueReader<'_, '_>) -> Result<Value, Error> {
    let count = reader.bytes.count(1)?;
    reader.name()?;
    let tag = simple_tag(reader)?;
    let PropertyType::Struct(name) = &tag.kind else {
        return Err(reader.bytes.error(reader.bytes.at(), Malformed::NoFormFits));
    };
    let mut values = Vec::new();
    for _ in 0..count {
        reader.pay(0)?;
        values.push(reader.read_struct(name, true)?);
    }
    Ok(Value::Array(values))
}
