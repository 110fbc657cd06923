//! Values as JSON: what they look like follows from what they are; what they become, from their type.

use data_encoding::BASE64;
use serde_json::{Map, Number, Value as Json, json};
use unreal::{LocalizedText, ObjectForm, ObjectRef, Property, PropertyType, TextContent, Value};

use super::fault::Fault;
use super::property::{property, row};

/// Returns a value as JSON.
pub(super) fn to_json(value: &Value) -> Json {
    match value {
        Value::Byte(number) => json!(number),
        Value::Int(number) => json!(number),
        Value::Int64(number) => json!(number),
        Value::UInt64(number) => json!(number),
        Value::Bool(flag) => json!(flag),
        Value::Float(number) => single(*number),
        Value::Double(number) => double(*number, &format!("{:016x}", number.to_bits())),
        Value::Object(object) => json!(object.number()),
        Value::Name(text) | Value::Text(text) | Value::SoftPath(text) => json!(text),
        Value::Localized(text) => localized(text),
        Value::Array(values) => values.iter().map(to_json).collect(),
        Value::Set { removed, values } => json!({
            "removed": removed.iter().map(to_json).collect::<Json>(),
            "values": values.iter().map(to_json).collect::<Json>(),
        }),
        Value::Map { removed, pairs } => json!({
            "removed": removed.iter().map(to_json).collect::<Json>(),
            "pairs": pairs.iter().map(|(key, value)| json!([to_json(key), to_json(value)])).collect::<Json>(),
        }),
        // One that is written as it lies in memory has no types of its own.
        Value::Struct(fields) if fields.iter().any(|field| field.form.is_none()) => fields
            .iter()
            .map(|field| (field.name.clone(), to_json(&field.value)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Struct(fields) => fields.iter().map(row).collect(),
        Value::Bytes(bytes) => json!({ "bytes": BASE64.encode(bytes) }),
        // Where it lies is not part of it.
        _ => Json::Null,
    }
}

/// Returns a number with as few digits as tell it from others.
fn single(number: f32) -> Json {
    let shortest = number.to_string().parse::<f64>().unwrap_or(f64::NAN);
    #[expect(clippy::cast_possible_truncation, reason = "it is compared with what it came from")]
    let is_same = (shortest as f32).to_bits() == number.to_bits();
    double(if is_same { shortest } else { number.into() }, &format!("{:08x}", number.to_bits()))
}

/// Returns a number, or its bits if JSON has none such.
fn double(number: f64, bits: &str) -> Json {
    Number::from_f64(number).map_or_else(|| json!(format!("0x{bits}")), Json::Number)
}

fn localized(text: &LocalizedText) -> Json {
    let LocalizedText { flags, content } = text;
    match content {
        TextContent::Invariant(text) => json!({ "flags": flags, "invariant": text }),
        TextContent::Keyed { namespace, key, source } => {
            json!({ "flags": flags, "namespace": namespace, "key": key, "source": source })
        }
        TextContent::Table { table, key } => json!({ "flags": flags, "table": table, "key": key }),
        TextContent::Made { bytes, shown } => {
            json!({ "flags": flags, "made": BASE64.encode(bytes), "shown": shown })
        }
    }
}

fn map_of(form: &ObjectForm, kinds: &[PropertyType; 2], json: &Json) -> Result<Value, Fault> {
    let removed = list(form, &kinds[0], key(json, "removed")?);
    let mut pairs = Vec::new();
    let rows =
        key(json, "pairs")?.as_array().ok_or_else(|| Fault::new("a list is needed").within(".pairs"))?;
    for (number, row) in rows.iter().enumerate() {
        let pair = tuple(form, kinds, row);
        let pair = pair.map_err(|fault| fault.within(format!(".pairs[{number}]")))?;
        if let [key, value] = &pair[..] {
            pairs.push((key.clone(), value.clone()));
        }
    }
    Ok(Value::Map { removed: removed.map_err(|fault| fault.within(".removed"))?, pairs })
}

/// Returns the value of a type that some JSON is.
pub(super) fn from_json(form: &ObjectForm, kind: &PropertyType, json: &Json) -> Result<Value, Fault> {
    if let Some(bytes) =
        json.as_object().filter(|object| object.len() == 1).and_then(|object| object.get("bytes"))
    {
        return from_base64(bytes).map(Value::Bytes);
    }
    Ok(match kind {
        PropertyType::Bool => {
            Value::Bool(json.as_bool().ok_or_else(|| Fault::new("true or false is needed"))?)
        }
        PropertyType::UInt8 => Value::Byte(integer(json, 0, u8::MAX)?),
        PropertyType::Int8 => Value::Int(integer::<i8>(json, i8::MIN, i8::MAX)?.into()),
        PropertyType::Int16 => Value::Int(integer::<i16>(json, i16::MIN, i16::MAX)?.into()),
        PropertyType::UInt16 => Value::Int(integer::<u16>(json, 0, u16::MAX)?.into()),
        PropertyType::Int32 => Value::Int(integer(json, i32::MIN, i32::MAX)?),
        PropertyType::UInt32 => Value::Int64(integer::<u32>(json, 0, u32::MAX)?.into()),
        PropertyType::Int64 => Value::Int64(json.as_i64().ok_or_else(|| out_of(i64::MIN, i64::MAX))?),
        PropertyType::UInt64 => Value::UInt64(json.as_u64().ok_or_else(|| out_of(0, u64::MAX))?),
        PropertyType::Float => Value::Float(real_single(json)?),
        PropertyType::Double => Value::Double(real(json)?),
        PropertyType::Name => Value::Name(text(json)?),
        PropertyType::Str | PropertyType::Utf8Str => Value::Text(text(json)?),
        PropertyType::SoftObject => Value::SoftPath(text(json)?),
        PropertyType::Text => Value::Localized(Box::new(text_of(json)?)),
        PropertyType::Object => Value::Object(ObjectRef::from_number(integer(json, i32::MIN, i32::MAX)?)),
        PropertyType::LazyObject => struct_of(form, "Guid", json)?,
        PropertyType::Struct(name) => struct_of(form, name, json)?,
        PropertyType::Delegate => {
            let kinds = [PropertyType::Object, PropertyType::Name];
            Value::Array(tuple(form, &kinds, json)?)
        }
        PropertyType::MulticastDelegate => Value::Array(list(form, &PropertyType::Delegate, json)?),
        PropertyType::FieldPath => {
            let kinds = [PropertyType::Array(Box::new(PropertyType::Name)), PropertyType::Object];
            Value::Array(tuple(form, &kinds, json)?)
        }
        PropertyType::Enum { number, .. } => match json {
            Json::String(name) => Value::Name(name.clone()),
            json => from_json(form, number, json)?,
        },
        PropertyType::Array(kind) | PropertyType::Optional(kind) => Value::Array(list(form, kind, json)?),
        PropertyType::Set(kind) => Value::Set {
            removed: list(form, kind, key(json, "removed")?).map_err(|fault| fault.within(".removed"))?,
            values: list(form, kind, key(json, "values")?).map_err(|fault| fault.within(".values"))?,
        },
        PropertyType::Map(kinds) => map_of(form, &[kinds.0.clone(), kinds.1.clone()], json)?,
        _ => return Err(Fault::new("its type is not known, so that it can only be bytes")),
    })
}

fn out_of(from: impl std::fmt::Display, to: impl std::fmt::Display) -> Fault {
    Fault::new(format!("a whole number from {from} to {to} is needed"))
}

/// Returns a whole number of a type.
fn integer<T: TryFrom<i64> + std::fmt::Display>(json: &Json, from: T, to: T) -> Result<T, Fault> {
    json.as_i64().and_then(|number| T::try_from(number).ok()).ok_or_else(|| out_of(from, to))
}

/// Returns the bits of a number that JSON has none for.
fn bits(json: &Json) -> Option<u64> {
    json.as_str()?.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())
}

fn real(json: &Json) -> Result<f64, Fault> {
    json.as_f64().or_else(|| bits(json).map(f64::from_bits)).ok_or_else(|| Fault::new("a number is needed"))
}

fn real_single(json: &Json) -> Result<f32, Fault> {
    let bits = bits(json).and_then(|bits| u32::try_from(bits).ok()).map(f32::from_bits);
    #[expect(clippy::cast_possible_truncation, reason = "the nearest is wanted; what has none is refused")]
    let nearest = json.as_f64().map(|number| number as f32).filter(|number| number.is_finite());
    nearest.or(bits).ok_or_else(|| Fault::new("a number of single precision is needed"))
}

fn text(json: &Json) -> Result<String, Fault> {
    json.as_str().map(str::to_owned).ok_or_else(|| Fault::new("a text is needed"))
}

fn key<'j>(json: &'j Json, key: &str) -> Result<&'j Json, Fault> {
    json.get(key).ok_or_else(|| Fault::new("is missing").within(format!(".{key}")))
}

fn from_base64(json: &Json) -> Result<Vec<u8>, Fault> {
    let bytes = json.as_str().and_then(|text| BASE64.decode(text.as_bytes()).ok());
    bytes.ok_or_else(|| Fault::new("base64 is needed"))
}

fn text_of(json: &Json) -> Result<LocalizedText, Fault> {
    let part = |name: &str| {
        key(json, name).and_then(|value| text(value).map_err(|fault| fault.within(format!(".{name}"))))
    };
    let flags = integer(key(json, "flags")?, 0, u32::MAX).map_err(|fault| fault.within(".flags"))?;
    let has = |name: &str| json.get(name).is_some();
    let content = if has("invariant") {
        TextContent::Invariant(json.get("invariant").and_then(Json::as_str).map(str::to_owned))
    } else if has("table") {
        TextContent::Table { table: part("table")?, key: part("key")? }
    } else if has("made") {
        let bytes = from_base64(key(json, "made")?).map_err(|fault| fault.within(".made"))?;
        TextContent::Made { bytes, shown: part("shown")? }
    } else {
        TextContent::Keyed { namespace: part("namespace")?, key: part("key")?, source: part("source")? }
    };
    Ok(LocalizedText { flags, content })
}

fn list(form: &ObjectForm, kind: &PropertyType, json: &Json) -> Result<Vec<Value>, Fault> {
    let values = json.as_array().ok_or_else(|| Fault::new("a list is needed"))?;
    let value = |(number, json): (usize, &Json)| {
        from_json(form, kind, json).map_err(|fault| fault.within(format!("[{number}]")))
    };
    values.iter().enumerate().map(value).collect()
}

/// Returns values of several types.
fn tuple(form: &ObjectForm, kinds: &[PropertyType], json: &Json) -> Result<Vec<Value>, Fault> {
    let values = json.as_array().filter(|values| values.len() == kinds.len());
    let values = values.ok_or_else(|| Fault::new(format!("a list of {} is needed", kinds.len())))?;
    let value = |(number, (kind, json)): (usize, (&PropertyType, &Json))| {
        from_json(form, kind, json).map_err(|fault| fault.within(format!("[{number}]")))
    };
    kinds.iter().zip(values).enumerate().map(value).collect()
}

fn struct_of(form: &ObjectForm, name: &str, json: &Json) -> Result<Value, Fault> {
    let Json::Object(values) = json else {
        let rows = json.as_array().ok_or_else(|| Fault::new("fields are needed"))?;
        let field = |(number, row): (usize, &Json)| {
            property(form, row).map_err(|fault| fault.within(format!("[{number}]")))
        };
        return rows.iter().enumerate().map(field).collect::<Result<_, _>>().map(Value::Struct);
    };
    let known = form.native_fields(name).ok_or_else(|| Fault::new("a list of properties is needed"))?;
    if let Some(other) = values.keys().find(|key| !known.iter().any(|(name, _)| name == key)) {
        return Err(Fault::new("is not known").within(format!(".{other}")));
    }
    let mut fields = Vec::with_capacity(known.len());
    for (name, kind) in known {
        let value = from_json(form, &kind, key(json, name)?);
        let value = value.map_err(|fault| fault.within(format!(".{name}")))?;
        fields.push(Property { name: name.to_owned(), index: 0, value, form: None });
    }
    Ok(Value::Struct(fields))
}
