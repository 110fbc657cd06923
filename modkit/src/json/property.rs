//! Properties as JSON.

use std::collections::BTreeMap;

use data_encoding::{BASE64, HEXLOWER, HEXLOWER_PERMISSIVE};
use serde_json::{Map, Value as Json, json};
use unreal::{EditableObject, Mappings, ObjectForm, Property, PropertyForm, PropertyType, TypeName, Value};

use super::fault::Fault;
use super::value::{from_json, to_json};

/// Returns a property as JSON.
pub(super) fn row(property: &Property) -> Json {
    let Property { name, index, value, form } = property;
    let mut row = Map::new();
    let mut put = |key: &str, value: Json| row.insert(key.to_owned(), value);
    put("name", json!(name));
    if *index != 0 {
        put("index", json!(index));
    }
    if let Some(form) = form {
        let PropertyForm { kind, number, is_zero, flags, guid, struct_guid, extension } = &**form;
        put("type", type_to_json(kind));
        if *number != 0 {
            put("number", json!(number));
        }
        if *is_zero {
            put("zero", json!(true));
        }
        if *flags != 0 {
            put("flags", json!(flags));
        }
        if let Some(guid) = guid {
            put("guid", json!(HEXLOWER.encode(guid)));
        }
        if *struct_guid != [0; 16] {
            put("struct_guid", json!(HEXLOWER.encode(struct_guid)));
        }
        if !extension.is_empty() {
            put("extension", json!(BASE64.encode(extension)));
        }
    }
    put("value", to_json(value));
    Json::Object(row)
}

/// Returns the property that some JSON is.
pub(super) fn property(form: &ObjectForm, row: &Json) -> Result<Property, Fault> {
    let row = row.as_object().ok_or_else(|| Fault::new("an object is needed"))?;
    let known =
        ["name", "index", "type", "number", "zero", "flags", "guid", "struct_guid", "extension", "value"];
    if let Some(key) = row.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(Fault::new("is not known").within(format!(".{key}")));
    }
    let number = |key: &str, most: u64| match row.get(key) {
        None => Ok(0),
        Some(value) => value
            .as_u64()
            .filter(|number| *number <= most)
            .ok_or_else(|| Fault::new(format!("a number up to {most} is needed")).within(format!(".{key}"))),
    };
    let guid = |key: &str| match row.get(key) {
        None => Ok(None),
        Some(value) => {
            let bytes = value.as_str().and_then(|digits| HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok());
            let guid = bytes.and_then(|bytes| <[u8; 16]>::try_from(bytes).ok());
            guid.map(Some)
                .ok_or_else(|| Fault::new("32 hexadecimal digits are needed").within(format!(".{key}")))
        }
    };
    let name = row.get("name").and_then(Json::as_str);
    let name = name.ok_or_else(|| Fault::new("a text is needed").within(".name"))?.to_owned();
    let kind = row.get("type").ok_or_else(|| Fault::new("is missing").within(".type"))?;
    let kind = type_of_json(kind, 0).map_err(|fault| fault.within(".type"))?;
    let value = row.get("value").ok_or_else(|| Fault::new("is missing").within(".value"))?;
    let value = from_json(form, &kind.kind(), value).map_err(|fault| fault.within(".value"))?;
    let is_zero = row.get("zero").is_some_and(|zero| *zero == Json::Bool(true));
    let extension = match row.get("extension") {
        None => Vec::new(),
        Some(value) => {
            let bytes = value.as_str().and_then(|text| BASE64.decode(text.as_bytes()).ok());
            bytes.ok_or_else(|| Fault::new("base64 is needed").within(".extension"))?
        }
    };
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let property_form = PropertyForm {
        kind,
        number: small(number("number", u32::MAX.into())?),
        is_zero,
        flags: u8::try_from(number("flags", u8::MAX.into())?).unwrap_or_default(),
        guid: guid("guid")?,
        struct_guid: guid("struct_guid")?.unwrap_or_default(),
        extension,
    };
    let index = small(number("index", u32::MAX.into())?);
    Ok(Property { name, index, value, form: Some(Box::new(property_form)) })
}

fn type_to_json(kind: &TypeName) -> Json {
    match &kind.parts[..] {
        [] => json!(kind.name),
        parts => std::iter::once(json!(kind.name)).chain(parts.iter().map(type_to_json)).collect(),
    }
}

/// Types within one another.
const MAX_TYPES: u32 = 16;

fn type_of_json(kind: &Json, depth: u32) -> Result<TypeName, Fault> {
    let wrong = || Fault::new("the name of a type is needed, or a list of it and its parts");
    match kind {
        Json::String(name) => Ok(TypeName::simple(name)),
        Json::Array(parts) if depth <= MAX_TYPES => {
            let [Json::String(name), parts @ ..] = &parts[..] else { return Err(wrong()) };
            let parts = parts.iter().map(|part| type_of_json(part, depth + 1)).collect::<Result<_, _>>()?;
            Ok(TypeName { name: name.clone(), parts })
        }
        _ => Err(wrong()),
    }
}

/// What properties without tags need to be written, that they do not say themselves.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// Values of enumerations, and their numbers.
    pub(super) enums: BTreeMap<String, BTreeMap<String, u64>>,
    /// Property counts of structs that state none.
    pub(super) counts: BTreeMap<String, u32>,
}

impl Named {
    /// Adds what the properties of an object and the rows of its table need.
    pub(super) fn add_object(&mut self, object: &EditableObject, mappings: &Mappings) {
        self.add(&object.class, &object.properties, mappings);
        if let Some(table) = &object.table {
            table.rows.iter().for_each(|row| self.add(&table.row_struct, &row.properties, mappings));
        }
    }

    /// Adds what the properties of a class need.
    pub(super) fn add(&mut self, class: &str, properties: &[Property], mappings: &Mappings) {
        if properties.is_empty()
            && let Some(count) = mappings.count(class)
        {
            self.counts.insert(class.to_owned(), count);
        }
        for Property { value, form, .. } in properties {
            if let Some(form) = form {
                self.add_value(&form.kind.kind(), value, mappings);
            }
        }
    }

    fn add_value(&mut self, kind: &PropertyType, value: &Value, mappings: &Mappings) {
        match (kind, value) {
            (PropertyType::Enum { name, .. }, _) => self.add_enum(name, mappings),
            (PropertyType::Struct(name), Value::Struct(fields)) => self.add(name, fields, mappings),
            (PropertyType::Array(kind) | PropertyType::Optional(kind), Value::Array(values)) => {
                self.add_all(kind, values, mappings);
            }
            (PropertyType::Set(kind), Value::Set { removed, values }) => {
                self.add_all(kind, removed, mappings);
                self.add_all(kind, values, mappings);
            }
            (PropertyType::Map(kinds), Value::Map { removed, pairs }) => {
                self.add_all(&kinds.0, removed, mappings);
                for (key, value) in pairs {
                    self.add_value(&kinds.0, key, mappings);
                    self.add_value(&kinds.1, value, mappings);
                }
            }
            _ => {}
        }
    }

    fn add_all(&mut self, kind: &PropertyType, values: &[Value], mappings: &Mappings) {
        // So that one can be added where there are none.
        if let PropertyType::Enum { name, .. } = kind {
            self.add_enum(name, mappings);
        }
        values.iter().for_each(|value| self.add_value(kind, value, mappings));
    }

    fn add_enum(&mut self, name: &str, mappings: &Mappings) {
        let Some(values) = mappings.values_of(name).filter(|_| !self.enums.contains_key(name)) else {
            return;
        };
        // Of values with one number the first counts.
        let mut named = BTreeMap::new();
        for (number, value) in values {
            let value = value.rsplit(':').next().unwrap_or(value);
            named.entry(value.to_owned()).or_insert(*number);
        }
        self.enums.insert(name.to_owned(), named);
    }
}
