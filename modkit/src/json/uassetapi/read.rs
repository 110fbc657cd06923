//! Properties as `UAssetAPI` and tools that use it have written them.

use serde_json::Value as Json;
use unreal::{
    DataTableRow, LocalizedText, ObjectRef, Property, PropertyForm, PropertyType, TextContent, TypeName,
    Value,
};

use super::form::Form;
use super::names::{OPERATIONS, TAG_EXTENSIONS, TAG_FLAGS, TEXT_FLAGS};
use super::object::{class_of, field, list, optional};
use super::scalar::{
    read_bool, read_bytes, read_flags, read_float, read_guid, read_name, read_number, read_single, read_text,
};
use super::write::{EMPTY_TEXT, UNNAMED_STRUCT, UNNAMED_VALUE};
use super::{paths, structs};
use crate::json::fault::Fault;

/// Flags of a tag that say nothing about the rest of it: how the value is written, and whether it was left out.
const OWN_TAG_FLAGS: u64 = 0x28;

/// Reads the properties of a class or struct.
///
/// # Errors
/// [`Fault`] if one is of a class that is not read, a value is not of its type, or mappings do not have it.
pub(super) fn properties(form: &Form<'_>, class: &str, json: &Json) -> Result<Vec<Property>, Fault> {
    list(json, |property| self::property(form, class, property))
}

/// Reads the rows of a data table.
///
/// # Errors
/// As [`properties`].
pub(super) fn rows(form: &Form<'_>, row_struct: &str, json: &Json) -> Result<Vec<DataTableRow>, Fault> {
    list(json, |row| {
        let properties = field(row, "Value", |fields| properties(form, row_struct, fields))?;
        Ok(DataTableRow { name: field(row, "Name", read_name)?, properties })
    })
}

fn property(form: &Form<'_>, class: &str, json: &Json) -> Result<Property, Fault> {
    let name = field(json, "Name", read_name)?;
    let index_key = if json.get("ArrayIndex").is_some() { "ArrayIndex" } else { "DuplicationIndex" };
    let index: u32 = optional(json, index_key, read_number)?;
    let mut tag = PropertyForm { is_zero: optional(json, "IsZero", read_bool)?, ..PropertyForm::default() };
    if form.is_tagged {
        tag.kind = type_name(json)?;
        tag.guid = match json.get("PropertyGuid") {
            None | Some(Json::Null) => None,
            Some(guid) => Some(read_guid(guid).map_err(|fault| fault.within(".PropertyGuid"))?),
        };
        if form.version.has_complete_types() {
            let flags = optional(json, "PropertyTagFlags", |flags| read_flags(flags, TAG_FLAGS))?;
            tag.flags = u8::try_from(flags & OWN_TAG_FLAGS).unwrap_or_default();
            let extension =
                optional(json, "PropertyTagExtensions", |flags| read_flags(flags, TAG_EXTENSIONS))?;
            if flags & 4 != 0 || extension != 0 {
                tag.extension = tag_extension(json, extension)?;
            }
        }
        tag.struct_guid = struct_guid(json)?;
    } else {
        let mappings = form.mappings.ok_or_else(|| {
            Fault::new("properties without tags need the mappings of the game: give them with --usmap")
        })?;
        let (number, kind) = mappings.find(class, &name, index).ok_or_else(|| {
            Fault::new(format!("the mappings have no property {name} of {class}")).within(".Name")
        })?;
        (tag.number, tag.kind) = (number, kind.type_name());
    }
    let kind = tag.kind.kind();
    let value = value(form, &kind, json)?;
    Ok(Property { name, index, value, form: Some(Box::new(tag)) })
}

/// Returns the bytes of what extends a tag.
fn tag_extension(json: &Json, extension: u64) -> Result<Vec<u8>, Fault> {
    let byte = |number: u64| u8::try_from(number).unwrap_or_default();
    let mut bytes = vec![byte(extension)];
    if extension & 2 != 0 {
        bytes.push(byte(optional(json, "OverrideOperation", |value| read_flags(value, OPERATIONS))?));
        bytes.push(optional(json, "bExperimentalOverridableLogic", read_bool)?.into());
    }
    Ok(bytes)
}

/// Returns the GUID of a struct, or of those of an array.
fn struct_guid(json: &Json) -> Result<[u8; 16], Fault> {
    let of = match class_of(json) {
        Some("StructPropertyData" | "RawStructPropertyData") => Some(json),
        Some("ArrayPropertyData") => first_element(json),
        _ => None,
    };
    of.map_or(Ok([0; 16]), |json| optional(json, "StructGUID", read_guid))
}

/// Returns the first element of an array, or what stands for one.
fn first_element(json: &Json) -> Option<&Json> {
    let first = json.get("Value").and_then(Json::as_array).and_then(|values| values.first());
    first.or_else(|| json.get("DummyStruct")).filter(|element| element.is_object())
}

/// Returns the type of a property: the complete one if it is stated, or what its class and its elements say.
fn type_name(json: &Json) -> Result<TypeName, Fault> {
    if let Some(nodes) = json.get("PropertyTypeName").and_then(Json::as_array) {
        let mut nodes = nodes.iter();
        return type_of_nodes(&mut nodes, 0).map_err(|fault| fault.within(".PropertyTypeName"));
    }
    let class = class_of(json).ok_or_else(|| Fault::new("is missing").within(".$type"))?;
    let name = class.strip_suffix("PropertyData").unwrap_or(class);
    let with = |name: &str, parts: Vec<TypeName>| TypeName { name: name.to_owned(), parts };
    Ok(match name {
        "Struct" | "RawStruct" => with("StructProperty", vec![TypeName::simple(&struct_name(json)?)]),
        "Enum" => with("EnumProperty", vec![TypeName::simple(&field(json, "EnumType", read_name)?)]),
        "Byte" => {
            let of = optional(json, "EnumType", read_text)?.filter(|of| of != "None");
            with("ByteProperty", of.iter().map(|of| TypeName::simple(of)).collect())
        }
        "Array" | "Set" => {
            let stated = optional(json, "ArrayType", read_text)?;
            let of = match (first_element(json), stated) {
                (Some(element), stated) if element.get("$type").is_some() => {
                    let of = type_name(element)?;
                    TypeName { name: stated.unwrap_or(of.name), parts: of.parts }
                }
                (_, Some(stated)) => TypeName::simple(&stated),
                _ => return Err(Fault::new("is missing").within(".ArrayType")),
            };
            with(&format!("{name}Property"), vec![of])
        }
        "Map" => {
            let pair = json.get("Value").and_then(Json::as_array).and_then(|pairs| pairs.first());
            let kinds = match pair.and_then(Json::as_array).map(Vec::as_slice) {
                Some([key, value]) => vec![type_name(key)?, type_name(value)?],
                _ => ["KeyType", "ValueType"]
                    .iter()
                    .map(|key| field(json, key, read_name).map(|name| TypeName::simple(&name)))
                    .collect::<Result<_, _>>()?,
            };
            with("MapProperty", kinds)
        }
        "Unknown" => TypeName::simple(&field(json, "SerializingPropertyType", read_name)?),
        name => TypeName::simple(&format!("{name}Property")),
    })
}

fn struct_name(json: &Json) -> Result<String, Fault> {
    let name = field(json, "StructType", read_name)?;
    Ok(if name == UNNAMED_STRUCT { String::new() } else { name })
}

fn type_of_nodes<'j>(nodes: &mut impl Iterator<Item = &'j Json>, depth: u32) -> Result<TypeName, Fault> {
    /// Types within one another.
    const MAX_DEPTH: u32 = 16;
    let node =
        nodes.next().filter(|_| depth <= MAX_DEPTH).ok_or_else(|| Fault::new("a type is incomplete"))?;
    let name = field(node, "Name", read_name)?;
    let count: usize = field(node, "InnerCount", read_number)?;
    let mut parts = Vec::new();
    for _ in 0..count {
        parts.push(type_of_nodes(nodes, depth.saturating_add(1))?);
    }
    Ok(TypeName { name, parts })
}

/// Reads a value of a type from the object of its property or element.
fn value(form: &Form<'_>, kind: &PropertyType, json: &Json) -> Result<Value, Fault> {
    let number = |to: fn(&Json) -> Result<Value, Fault>| field(json, "Value", to);
    Ok(match kind {
        PropertyType::Bool => number(|json| read_bool(json).map(Value::Bool))?,
        PropertyType::Int8 => number(|json| Ok(Value::Int(read_number::<i8>(json)?.into())))?,
        PropertyType::Int16 => number(|json| Ok(Value::Int(read_number::<i16>(json)?.into())))?,
        PropertyType::UInt16 => number(|json| Ok(Value::Int(read_number::<u16>(json)?.into())))?,
        PropertyType::Int32 => number(|json| Ok(Value::Int(read_number(json)?)))?,
        PropertyType::UInt32 => number(|json| Ok(Value::Int64(read_number::<u32>(json)?.into())))?,
        PropertyType::Int64 => number(|json| Ok(Value::Int64(read_number(json)?)))?,
        PropertyType::UInt64 => number(|json| Ok(Value::UInt64(read_number(json)?)))?,
        PropertyType::Float => number(|json| read_single(json).map(Value::Float))?,
        PropertyType::Double => number(|json| read_float(json).map(Value::Double))?,
        PropertyType::Name => optional_name(json)?,
        PropertyType::Str => match optional(json, "Value", read_text)? {
            None => Value::Text(String::new()),
            Some(text) if text.is_empty() => Value::Bytes(EMPTY_TEXT.to_vec()),
            Some(text) => Value::Text(text),
        },
        PropertyType::Utf8Str => Value::Text(optional(json, "Value", read_text)?.unwrap_or_default()),
        PropertyType::Object => number(|json| read_object(json).map(Value::Object))?,
        PropertyType::SoftObject => field(json, "Value", paths::from_json).map(Value::SoftPath)?,
        PropertyType::Text => Value::Localized(Box::new(text(json)?)),
        PropertyType::UInt8 => field(json, "Value", |json| read_number(json).map(Value::Byte))?,
        PropertyType::Enum { name, number } => enumerated(form, name, number, json)?,
        PropertyType::Struct(name) => struct_of(form, name, json)?,
        PropertyType::Array(of) => Value::Array(field(json, "Value", |values| elements(form, of, values))?),
        PropertyType::Set(of) => {
            let values = field(json, "Value", |values| elements(form, of, values))?;
            Value::Set { removed: Vec::new(), values }
        }
        PropertyType::Map(kinds) => map(form, kinds, json)?,
        PropertyType::Delegate => field(json, "Value", delegate)?,
        PropertyType::MulticastDelegate => {
            Value::Array(field(json, "Value", |values| list(values, delegate))?)
        }
        PropertyType::FieldPath => field(json, "Value", field_path)?,
        PropertyType::Other(_) if class_of(json) == Some("UnknownPropertyData") => {
            Value::Bytes(field(json, "Value", read_bytes)?)
        }
        _ => {
            let class = class_of(json).unwrap_or_default();
            return Err(Fault::new(format!("{class} is not read")));
        }
    })
}

fn optional_name(json: &Json) -> Result<Value, Fault> {
    let name = optional(json, "Value", read_text)?;
    Ok(Value::Name(name.unwrap_or_else(|| "None".to_owned())))
}

fn read_object(json: &Json) -> Result<ObjectRef, Fault> {
    read_number(json).map(ObjectRef::from_number)
}

fn elements(form: &Form<'_>, of: &PropertyType, values: &Json) -> Result<Vec<Value>, Fault> {
    list(values, |element| value(form, of, element))
}

fn map(form: &Form<'_>, kinds: &(PropertyType, PropertyType), json: &Json) -> Result<Value, Fault> {
    let removed = match json.get("KeysToRemove") {
        None | Some(Json::Null) => Vec::new(),
        Some(keys) => elements(form, &kinds.0, keys).map_err(|fault| fault.within(".KeysToRemove"))?,
    };
    let pair = |pair: &Json| match pair.as_array().map(Vec::as_slice) {
        Some([key, of]) => Ok((
            value(form, &kinds.0, key).map_err(|fault| fault.within("[0]"))?,
            value(form, &kinds.1, of).map_err(|fault| fault.within("[1]"))?,
        )),
        _ => Err(Fault::new("a key and a value are needed")),
    };
    Ok(Value::Map { removed, pairs: field(json, "Value", |pairs| list(pairs, pair))? })
}

fn delegate(json: &Json) -> Result<Value, Fault> {
    let object = field(json, "Object", read_object)?;
    Ok(Value::Array(vec![Value::Object(object), Value::Name(optional_text(json, "Delegate")?)]))
}

fn optional_text(json: &Json, key: &str) -> Result<String, Fault> {
    Ok(optional(json, key, read_text)?.unwrap_or_else(|| "None".to_owned()))
}

fn field_path(json: &Json) -> Result<Value, Fault> {
    let names = field(json, "Path", |names| list(names, |name| read_name(name).map(Value::Name)))?;
    let owner = field(json, "ResolvedOwner", read_object)?;
    Ok(Value::Array(vec![Value::Array(names), Value::Object(owner)]))
}

/// Reads a value of an enumeration: its name, or a number where nothing has a name for it.
fn enumerated(form: &Form<'_>, name: &str, number: &PropertyType, json: &Json) -> Result<Value, Fault> {
    if class_of(json) == Some("BytePropertyData") {
        let is_number = json.get("ByteType").and_then(Json::as_str) != Some("FName");
        return match is_number {
            true => field(json, "Value", |json| read_number(json).map(Value::Byte)),
            false => field(json, "EnumValue", |json| read_name(json).map(Value::Name)),
        };
    }
    let stated = optional(json, "Value", read_text)?;
    if form.is_tagged {
        return Ok(Value::Name(stated.unwrap_or_else(|| "None".to_owned())));
    }
    let of_number = |value: i64| {
        let wrong = || Fault::new("the number does not fit its type").within(".Value");
        Ok(match number {
            PropertyType::UInt8 => Value::Byte(u8::try_from(value).map_err(|_| wrong())?),
            PropertyType::Int8 | PropertyType::Int16 | PropertyType::UInt16 | PropertyType::Int32 => {
                Value::Int(i32::try_from(value).map_err(|_| wrong())?)
            }
            PropertyType::UInt64 => Value::UInt64(value.cast_unsigned()),
            _ => Value::Int64(value),
        })
    };
    match stated {
        None if optional(json, "IsZero", read_bool)? => {
            let zero = of_number(0)?;
            let named = form.mappings.and_then(|mappings| mappings.value_name(name, 0));
            Ok(named.map_or(zero, |value| Value::Name(format!("{name}::{value}"))))
        }
        None if *number == PropertyType::UInt8 => Ok(Value::Byte(u8::MAX)),
        None => of_number(-1),
        Some(stated) => match stated.strip_prefix(UNNAMED_VALUE).and_then(|number| number.parse().ok()) {
            Some(number) => of_number(number),
            None => Ok(Value::Name(format!("{name}::{stated}"))),
        },
    }
}

fn struct_of(form: &Form<'_>, name: &str, json: &Json) -> Result<Value, Fault> {
    if class_of(json) == Some("RawStructPropertyData") {
        return field(json, "Value", read_bytes).map(Value::Bytes);
    }
    let values = json.get("Value").unwrap_or(&Json::Null);
    if values.is_null() {
        return Ok(Value::Struct(Vec::new()));
    }
    let is_native = form.native_fields(name).is_some();
    if let (true, Some([only])) = (is_native, values.as_array().map(Vec::as_slice)) {
        let read = structs::from_json(name, only, form);
        return read.map_err(|fault| fault.within(".Value[0]"));
    }
    let read = properties(form, name, values).map_err(|fault| fault.within(".Value"));
    read.map(Value::Struct)
}

fn text(json: &Json) -> Result<LocalizedText, Fault> {
    let flags = optional(json, "Flags", |flags| read_flags(flags, TEXT_FLAGS))?;
    let flags = u32::try_from(flags).map_err(|_| Fault::new("flags have 32 bits").within(".Flags"))?;
    let part = |key| optional(json, key, read_text);
    let (namespace, key) = (part("Namespace")?, part("Value")?);
    let source = part("CultureInvariantString")?;
    let content = match json.get("HistoryType").and_then(Json::as_str) {
        Some("None") => TextContent::Invariant(source.filter(|source| !source.is_empty())),
        None | Some("Base") => match (namespace, key, source) {
            (Some(namespace), Some(key), source) if source.as_deref() != Some("") => {
                TextContent::Keyed { namespace, key, source: source.unwrap_or_default() }
            }
            parts => {
                let mut bytes = vec![0];
                [&parts.0, &parts.1, &parts.2]
                    .into_iter()
                    .for_each(|part| put_string(&mut bytes, part.as_deref()));
                TextContent::Made { bytes, shown: parts.2.unwrap_or_default() }
            }
        },
        Some("StringTableEntry") => {
            TextContent::Table { table: optional_text(json, "TableId")?, key: key.unwrap_or_default() }
        }
        Some(other) => {
            return Err(
                Fault::new(format!("texts of the history {other} are not read")).within(".HistoryType")
            );
        }
    };
    Ok(LocalizedText { flags, content })
}

/// Writes a string with its length: none, of 8 bits a character, or UTF-16.
pub(super) fn put_string(bytes: &mut Vec<u8>, text: Option<&str>) {
    let Some(text) = text else {
        bytes.extend([0; 4]);
        return;
    };
    let length = |length: usize| i32::try_from(length).unwrap_or(i32::MAX);
    if text.is_ascii() {
        bytes.extend(length(text.len().saturating_add(1)).to_le_bytes());
        bytes.extend(text.bytes().chain([0]));
        return;
    }
    let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
    bytes.extend(length(units.len()).saturating_neg().to_le_bytes());
    bytes.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
}
