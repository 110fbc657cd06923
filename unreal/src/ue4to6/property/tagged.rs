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

use super::PropertyError;
use super::value_reader::ValueReader;
use super::value_writer::ValueWriter;
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::property::{Property, PropertyForm, PropertyType, TypeName, Value};
use crate::base::writer::narrow;

/// A tag, after the name.
#[derive(Default)]
struct Tag {
    form: PropertyForm,
    size: u64,
    index: u32,
    /// The value, if the tag has it.
    value: Option<bool>,
}

/// Flags of tags, from 5.4 on.
const INDEX: u8 = 1;
const GUID: u8 = 2;
const EXTENSION: u8 = 4;
/// A struct is written as it lies in memory.
const NATIVE: u8 = 8;
const TRUE: u8 = 0x10;

/// Reads properties up to `None`; `place` is called with where the value of each lies.
pub(super) fn read(
    reader: &mut ValueReader<'_, '_>,
    place: &mut dyn FnMut(Range<u64>),
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
        place(range);
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
    let mut tag = tag;
    let value = match tag.value {
        Some(flag) => Value::Bool(flag),
        None => sized(reader, &mut tag, end)?,
    };
    reader.bytes.seek(end);
    Ok((Property { name, index: tag.index, value, form: Some(Box::new(tag.form)) }, at..end))
}

/// Reads a value that ends at a place; one that does not is passed over.
fn sized(reader: &mut ValueReader<'_, '_>, tag: &mut Tag, end: u64) -> Result<Value, Error> {
    let at = reader.bytes.at();
    let (before, kind) = (reader.limits.clone(), tag.form.kind.kind());
    let forms: &[PathForm] =
        if kind == PropertyType::SoftObject { &PathForm::ALL } else { &[PathForm::OfVersion] };
    for form in forms {
        *reader.limits = before.clone();
        let value = sized_as(reader, tag, &kind, end, *form)?;
        if let Some(value) = value.filter(|value| !matches!(value, Value::SoftPath(path) if !is_path(path))) {
            return Ok(value);
        }
    }
    // What was read is gone.
    *reader.limits = before;
    reader.pay(0)?;
    let size = u32::try_from(tag.size).unwrap_or(u32::MAX);
    Ok(Value::Opaque { kind: kind_name(&kind), at, size })
}

/// How the path of an object is written. No version says it of all packages, so what fits decides: the path fills its
/// property, and begins as paths do.
///
/// Source: *real-games*, §4: 604 cues of 4.1 to 5.3.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PathForm {
    /// As the version of the package has it: an index of its table of paths, if there is one.
    OfVersion,
    /// A name and what is within.
    Name,
    /// Package and object as names, and what is within.
    Names,
    /// One string, before 4.18 (`AssetObjectProperty`).
    Text,
}

impl PathForm {
    const ALL: [Self; 4] = [Self::OfVersion, Self::Name, Self::Names, Self::Text];
}

fn is_path(path: &str) -> bool {
    path.is_empty() || path.starts_with('/')
}

/// Reads a value; none if it does not end at a place.
fn sized_as(
    reader: &mut ValueReader<'_, '_>,
    tag: &mut Tag,
    kind: &PropertyType,
    end: u64,
    path: PathForm,
) -> Result<Option<Value>, Error> {
    let mut part = reader.part(end);
    if path != PathForm::OfVersion {
        part.soft_paths = &[];
        part.form.has_split_paths = path == PathForm::Names;
    }
    let value = match kind {
        PropertyType::SoftObject if path == PathForm::Text => part.text().map(Value::SoftPath),
        // A byte of an enumeration has its name, one without has its number.
        PropertyType::Enum { number, .. } if tag.size == 1 => part.value(number, true),
        PropertyType::Struct(name) if tag.form.flags & NATIVE != 0 && !super::structs::is_native(name) => {
            return Ok(None);
        }
        PropertyType::Array(of) if matches!(**of, PropertyType::Struct(_)) && part.form.inner_tags() => {
            part.deeper(|part| read_structs(part, &mut tag.form))
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
    let mut tag = Tag { size, index, ..Tag::default() };
    let mut parts = Vec::new();
    let part = |reader: &mut ValueReader<'_, '_>| reader.name().map(|name| TypeName::simple(&name));
    match name.as_str() {
        "StructProperty" => {
            parts.push(part(reader)?);
            if reader.form.has_struct_guids {
                tag.form.struct_guid = reader.bytes.array()?;
            }
        }
        "BoolProperty" => tag.value = Some(reader.bytes.u8()? != 0),
        "ByteProperty" => {
            let of = reader.name()?;
            parts.extend((of != "None").then(|| TypeName::simple(&of)));
        }
        "EnumProperty" | "ArrayProperty" | "SetProperty" | "OptionalProperty" => {
            parts.push(part(reader)?);
        }
        "MapProperty" => parts.extend([part(reader)?, part(reader)?]),
        _ => {}
    }
    if reader.form.has_guids && reader.bytes.u8()? != 0 {
        tag.form.guid = Some(reader.bytes.array()?);
    }
    tag.form.kind = TypeName { name, parts };
    Ok(tag)
}

fn complete_tag(reader: &mut ValueReader<'_, '_>) -> Result<Tag, Error> {
    let kind = complete_type(reader, 0)?;
    let size = reader.bytes.u32()?.into();
    let flags = reader.bytes.u8()?;
    let index = if flags & INDEX != 0 { reader.bytes.u32()? } else { 0 };
    let guid = if flags & GUID != 0 { Some(reader.bytes.array()?) } else { None };
    let mut extension = Vec::new();
    if flags & EXTENSION != 0 {
        extension.push(reader.bytes.u8()?);
        if extension.contains(&OVERRIDES) {
            extension.extend(reader.bytes.array::<2>()?);
        }
    }
    let value = (kind.kind() == PropertyType::Bool).then_some(flags & TRUE != 0);
    let flags = flags & !(INDEX | GUID | EXTENSION | TRUE);
    let form = PropertyForm { kind, flags, guid, extension, ..PropertyForm::default() };
    Ok(Tag { form, size, index, value })
}

/// What extends a tag: which values of it override those of its template.
const OVERRIDES: u8 = 2;

/// Reads a type with its parts.
fn complete_type(reader: &mut ValueReader<'_, '_>, depth: u32) -> Result<TypeName, Error> {
    /// Types within one another.
    const MAX_DEPTH: u32 = 16;
    let at = reader.bytes.at();
    let name = reader.name()?;
    let count = reader.bytes.count(12)?;
    if depth > MAX_DEPTH {
        return Err(reader.bytes.error(at, Malformed::ChainTooLong(MAX_DEPTH as usize)));
    }
    let mut parts = Vec::new();
    for _ in 0..count {
        reader.pay(0)?;
        parts.push(complete_type(reader, depth.saturating_add(1))?);
    }
    Ok(TypeName { name, parts })
}

/// Reads an array of structs with a tag for all of them, which says more of their type.
fn read_structs(reader: &mut ValueReader<'_, '_>, form: &mut PropertyForm) -> Result<Value, Error> {
    let count = reader.bytes.count(1)?;
    reader.name()?;
    let tag = simple_tag(reader)?;
    let PropertyType::Struct(name) = tag.form.kind.kind() else {
        return Err(reader.bytes.error(reader.bytes.at(), Malformed::NoFormFits));
    };
    let mut values = Vec::new();
    for _ in 0..count {
        reader.pay(0)?;
        values.push(reader.read_struct(&name, true)?);
    }
    form.kind.parts = vec![tag.form.kind];
    form.struct_guid = tag.form.struct_guid;
    Ok(Value::Array(values))
}

/// Writes properties, and the name that ends them.
///
/// # Errors
/// If a value is not of its type, or cannot be stated.
pub(super) fn write(writer: &mut ValueWriter<'_>, properties: &[Property]) -> Result<(), PropertyError> {
    for property in properties {
        write_property(writer, property).map_err(|error| error.within(&property.name))?;
    }
    writer.name("None")
}

/// Writes a property: its tag, and its value.
pub(super) fn write_property(writer: &mut ValueWriter<'_>, property: &Property) -> Result<(), PropertyError> {
    let Property { name, index, value, form } = property;
    let form = form.as_deref().ok_or_else(|| PropertyError::Type(value.kind().to_owned()))?;
    let is_bool = form.kind.kind() == PropertyType::Bool;
    let is_true = is_bool && matches!(value, Value::Bool(true));
    let bytes = writer.apart(|writer| write_value(writer, property))?;
    let size = narrow("bytes of a value", bytes.len() as u64)?;
    writer.name(name)?;
    if writer.form.has_complete_types {
        write_type(writer, &form.kind)?;
        writer.bytes.u32(size);
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        writer.bytes.u8(form.flags
            | flag(*index != 0, INDEX)
            | flag(form.guid.is_some(), GUID)
            | flag(!form.extension.is_empty(), EXTENSION)
            | flag(is_true, TRUE));
        if *index != 0 {
            writer.bytes.u32(*index);
        }
        writer.bytes.bytes(form.guid.as_ref().map_or(&[][..], |guid| guid));
        writer.bytes.bytes(&form.extension);
    } else {
        simple_tag_of(writer, form, size, *index, is_true)?;
    }
    writer.bytes.bytes(&bytes);
    Ok(())
}

/// Writes the value of a property, unless the tag has it.
pub(super) fn write_value(writer: &mut ValueWriter<'_>, property: &Property) -> Result<(), PropertyError> {
    let Property { name, value, form, .. } = property;
    let form = form.as_deref().ok_or_else(|| PropertyError::Type(value.kind().to_owned()))?;
    match (form.kind.kind(), value) {
        (PropertyType::Bool, Value::Bool(_)) => Ok(()),
        (PropertyType::Array(of), Value::Array(values))
            if matches!(*of, PropertyType::Struct(_)) && writer.form.inner_tags() =>
        {
            write_structs(writer, name, form, values)
        }
        (kind, value) => writer.value(&kind, true, value),
    }
}

/// Writes a tag of the earlier form, after the name.
fn simple_tag_of(
    writer: &mut ValueWriter<'_>,
    form: &PropertyForm,
    size: u32,
    index: u32,
    is_true: bool,
) -> Result<(), PropertyError> {
    let TypeName { name, parts } = &form.kind;
    let part = |number: usize| parts.get(number).map_or("None", |part| &part.name);
    writer.name(name)?;
    writer.bytes.u32(size);
    writer.bytes.u32(index);
    match name.as_str() {
        "StructProperty" => {
            writer.name(part(0))?;
            if writer.form.has_struct_guids {
                writer.bytes.bytes(&form.struct_guid);
            }
        }
        "BoolProperty" => writer.bytes.u8(is_true.into()),
        "ByteProperty" | "EnumProperty" | "ArrayProperty" | "SetProperty" | "OptionalProperty" => {
            writer.name(part(0))?;
        }
        "MapProperty" => {
            writer.name(part(0))?;
            writer.name(part(1))?;
        }
        _ => {}
    }
    if writer.form.has_guids {
        writer.bytes.u8(form.guid.is_some().into());
        writer.bytes.bytes(form.guid.as_ref().map_or(&[][..], |guid| guid));
    }
    Ok(())
}

fn write_type(writer: &mut ValueWriter<'_>, kind: &TypeName) -> Result<(), PropertyError> {
    writer.name(&kind.name)?;
    writer.bytes.count("parts of a type", kind.parts.len())?;
    kind.parts.iter().try_for_each(|part| write_type(writer, part))
}

/// Writes an array of structs with a tag for all of them.
fn write_structs(
    writer: &mut ValueWriter<'_>,
    name: &str,
    form: &PropertyForm,
    values: &[Value],
) -> Result<(), PropertyError> {
    let kind = form.kind.parts.first().cloned().unwrap_or_default();
    let of = kind.parts.first().map(|part| part.name.clone()).unwrap_or_default();
    let bytes =
        writer.apart(|writer| values.iter().try_for_each(|value| writer.write_struct(&of, true, value)))?;
    writer.bytes.count("structs of an array", values.len())?;
    writer.name(name)?;
    let form = PropertyForm { kind, struct_guid: form.struct_guid, ..PropertyForm::default() };
    simple_tag_of(writer, &form, narrow("bytes of a value", bytes.len() as u64)?, 0, false)?;
    writer.bytes.bytes(&bytes);
    Ok(())
}
