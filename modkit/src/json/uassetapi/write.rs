//! Properties as `UAssetAPI` writes them.

use serde_json::{Value as Json, json};
use unreal::{LocalizedText, Property, PropertyForm, PropertyType, TextContent, TypeName, Value};

use super::form::{Form, UassetApi};
use super::names::{OPERATIONS, TAG_EXTENSIONS, TAG_FLAGS, TEXT_FLAGS};
use super::object::NewObject;
use super::scalar::{enumerator, flags, float, guid, survives};
use super::{paths, structs};

/// A string without characters whose end is stored.
pub(super) const EMPTY_TEXT: [u8; 5] = [1, 0, 0, 0, 0];

/// What an enumeration's value is called that has no name.
pub(super) const UNNAMED_VALUE: &str = "UASSETAPI_INVALID_ENUM_IDX_";

/// The name of structs whose name nothing states.
pub(super) const UNNAMED_STRUCT: &str = "Generic";

/// Returns properties as JSON; none if a document would lose something.
pub(super) fn properties(form: &Form<'_>, properties: &[Property]) -> Option<Json> {
    properties.iter().map(|property| self::property(form, property)).collect()
}

fn property(form: &Form<'_>, property: &Property) -> Option<Json> {
    let Property { name, index, value, form: tag } = property;
    let tag = tag.as_deref()?;
    Element { form, name, index: *index, tag: Some(tag) }.of(&tag.kind, value)
}

/// Returns the struct of a row of a data table.
pub(super) fn row(form: &Form<'_>, row_struct: &str, name: &str, fields: &[Property]) -> Option<Json> {
    let element = Element { form, name, index: 0, tag: None };
    element.structure(row_struct, [0; 16], properties(form, fields)?)
}

/// A property, or an element of one.
struct Element<'e> {
    form: &'e Form<'e>,
    name: &'e str,
    index: u32,
    /// Details of its tag; none for elements.
    tag: Option<&'e PropertyForm>,
}

impl Element<'_> {
    /// Adds the keys that all properties have.
    fn tail(&self, object: &mut NewObject) {
        let is_newest = self.form.api == UassetApi::V1_1;
        let default = PropertyForm::default();
        let tag = self.tag.unwrap_or(&default);
        object.put("Name", self.name).put("ArrayIndex", self.index);
        if is_newest {
            object.put("PropertyGuid", tag.guid.as_ref().map_or(Json::Null, guid));
        }
        object.put("IsZero", tag.is_zero);
        object.put("PropertyTagFlags", flags(self.tag_flags(tag), TAG_FLAGS));
        if is_newest {
            let is_stated =
                self.tag.is_some() && self.form.is_tagged && self.form.version.has_complete_types();
            object.put("PropertyTypeName", if is_stated { type_nodes(&tag.kind) } else { Json::Null });
        }
        let extension = tag.extension.first().copied().unwrap_or_default();
        object.put("PropertyTagExtensions", flags(extension.into(), TAG_EXTENSIONS));
        if let [_, operation, logic, ..] = tag.extension[..] {
            object.put("OverrideOperation", enumerator(operation.into(), OPERATIONS));
            object.put("bExperimentalOverridableLogic", logic != 0);
        }
    }

    /// Returns the flags of its tag; from 5.4 on.
    fn tag_flags(&self, tag: &PropertyForm) -> u64 {
        if self.tag.is_none() || !self.form.is_tagged || !self.form.version.has_complete_types() {
            return 0;
        }
        let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        u64::from(tag.flags)
            | bit(self.index != 0, 1)
            | bit(tag.guid.is_some(), 2)
            | bit(!tag.extension.is_empty(), 4)
    }

    fn is_zero(&self) -> bool {
        self.tag.is_some_and(|tag| tag.is_zero)
    }

    fn object(&self, class: &str) -> NewObject {
        NewObject::new(&format!("PropertyTypes.Objects.{class}PropertyData"))
    }

    /// Returns a property of a class with one value.
    fn plain(&self, class: &str, value: Json) -> Json {
        let mut object = self.object(class);
        self.tail(&mut object);
        object.put("Value", value);
        object.into_json()
    }

    /// Returns a float, whose value comes first.
    fn real(&self, class: &str, value: f64) -> Option<Json> {
        let mut object = self.object(class);
        object.put("Value", survives(value).then(|| float(value))?);
        self.tail(&mut object);
        Some(object.into_json())
    }

    /// Returns an element of it by its number.
    fn element(&self, number: usize, kind: &TypeName, value: &Value) -> Option<Json> {
        Element { form: self.form, name: &number.to_string(), index: 0, tag: None }.of(kind, value)
    }

    /// Returns a value of a type.
    fn of(&self, kind: &TypeName, value: &Value) -> Option<Json> {
        let class = kind.name.strip_suffix("Property").unwrap_or(&kind.name);
        Some(match (kind.kind(), value) {
            (PropertyType::Bool, Value::Bool(flag)) => {
                let mut json = self.plain(class, json!(flag));
                if *flag
                    && self.tag.is_some()
                    && self.form.is_tagged
                    && self.form.version.has_complete_types()
                {
                    let all = self.tag.map_or(0, |tag| self.tag_flags(tag)) | 0x10;
                    json["PropertyTagFlags"] = flags(all, TAG_FLAGS);
                }
                json
            }
            (PropertyType::UInt8, Value::Byte(number)) => {
                let none = if self.form.is_tagged && self.tag.is_some() { json!("None") } else { Json::Null };
                self.byte(none, Some(*number), Json::Null)
            }
            (PropertyType::Enum { name, .. }, Value::Byte(number)) if class == "Byte" => {
                self.byte(json!(name), Some(*number), Json::Null)
            }
            (PropertyType::Enum { name, .. }, Value::Name(value)) if class == "Byte" => {
                self.byte(json!(name), None, json!(value))
            }
            // Nothing was read that says what it is.
            (PropertyType::Enum { .. }, _) if self.is_zero() => {
                let mut object = self.object("Enum");
                object.put("EnumType", Json::Null).put("InnerType", Json::Null);
                self.tail(&mut object);
                object.put("Value", Json::Null);
                object.into_json()
            }
            (PropertyType::Enum { name, number }, value) => self.enumerated(kind, &name, &number, value)?,
            (
                PropertyType::Int8 | PropertyType::Int16 | PropertyType::UInt16 | PropertyType::Int32,
                Value::Int(number),
            ) => self.plain(class, json!(number)),
            (PropertyType::UInt32 | PropertyType::Int64, Value::Int64(number)) => {
                self.plain(class, json!(number))
            }
            (PropertyType::UInt64, Value::UInt64(number)) => self.plain(class, json!(number)),
            (PropertyType::Float, Value::Float(number)) => self.real(class, (*number).into())?,
            (PropertyType::Double, Value::Double(number)) => self.real(class, *number)?,
            (PropertyType::Name, Value::Name(_)) if self.is_zero() => self.plain(class, Json::Null),
            (PropertyType::Name, Value::Name(name)) => self.plain(class, json!(name)),
            (PropertyType::Str, Value::Text(text)) if text.is_empty() => self.plain(class, Json::Null),
            (PropertyType::Str, Value::Text(text)) => self.plain(class, json!(text)),
            (PropertyType::Str, Value::Bytes(stored)) if *stored == EMPTY_TEXT => {
                self.plain(class, json!(""))
            }
            (PropertyType::Utf8Str, Value::Text(text)) if class == "Utf8Str" => {
                self.plain(class, json!(text))
            }
            (PropertyType::Object, Value::Object(object))
                if ["Object", "WeakObject", "Interface"].contains(&class) =>
            {
                self.plain(class, json!(object.number()))
            }
            (PropertyType::SoftObject, Value::SoftPath(path)) if class == "SoftObject" => {
                self.plain(class, paths::to_json(path, self.form.has_split_paths()))
            }
            (PropertyType::Text, Value::Localized(text)) => self.text(text)?,
            (PropertyType::Delegate, value) => self.plain(class, delegate(value)?),
            (PropertyType::MulticastDelegate, Value::Array(values)) => {
                self.plain(class, values.iter().map(delegate).collect::<Option<Json>>()?)
            }
            (PropertyType::FieldPath, Value::Array(parts)) => self.plain(class, field_path(parts)?),
            (PropertyType::Struct(name), value) => self.struct_of(&name, value)?,
            (PropertyType::Array(_), Value::Array(values)) => self.array(kind, values)?,
            (PropertyType::Set(_), Value::Set { removed, values }) if removed.is_empty() => {
                let of = kind.parts.first()?;
                let elements = values.iter().enumerate();
                let mut object = self.object(class);
                object.put("ArrayType", &*of.name);
                self.tail(&mut object);
                object.put(
                    "Value",
                    elements
                        .map(|(number, value)| self.element(number, of, value))
                        .collect::<Option<Json>>()?,
                );
                object.into_json()
            }
            (PropertyType::Map(_), Value::Map { removed, pairs }) => self.map(kind, removed, pairs)?,
            _ => return None,
        })
    }

    fn byte(&self, of: Json, number: Option<u8>, value: Json) -> Json {
        let mut object = self.object("Byte");
        object.put("ByteType", if number.is_some() { "Byte" } else { "FName" }).put("EnumType", of);
        match number {
            Some(number) => object.put("Value", number),
            None => object.put("EnumValue", value),
        };
        self.tail(&mut object);
        object.into_json()
    }

    fn enumerated(&self, kind: &TypeName, name: &str, number: &PropertyType, value: &Value) -> Option<Json> {
        let mut object = self.object("Enum");
        let inner = match self.form.is_tagged {
            true => Json::Null,
            false => json!(kind.parts.get(1).map_or("ByteProperty", |part| &part.name)),
        };
        object.put("EnumType", name).put("InnerType", inner);
        self.tail(&mut object);
        let value = match value {
            Value::Name(value) if self.form.is_tagged => json!(value),
            Value::Name(value) => {
                json!(value.strip_prefix(name).and_then(|value| value.strip_prefix("::")).unwrap_or(value))
            }
            Value::Byte(u8::MAX) if *number == PropertyType::UInt8 => Json::Null,
            Value::Byte(number) => json!(format!("{UNNAMED_VALUE}{number}")),
            Value::Int(number) => json!(format!("{UNNAMED_VALUE}{number}")),
            Value::Int64(number) => json!(format!("{UNNAMED_VALUE}{number}")),
            _ => return None,
        };
        object.put("Value", value);
        Some(object.into_json())
    }

    fn text(&self, text: &LocalizedText) -> Option<Json> {
        let mut object = self.object("Text");
        object.put("Flags", flags(text.flags.into(), TEXT_FLAGS));
        let or_null = |text: &str| if text.is_empty() { Json::Null } else { json!(text) };
        let (history, table, namespace, shown, value) = match &text.content {
            TextContent::Invariant(Some(shown)) if shown.is_empty() => return None,
            TextContent::Invariant(shown) => ("None", None, Json::Null, json!(shown), Json::Null),
            TextContent::Keyed { namespace, key, source } => {
                ("Base", None, json!(namespace), or_null(source), json!(key))
            }
            TextContent::Table { table, key } => {
                ("StringTableEntry", Some(table), Json::Null, Json::Null, or_null(key))
            }
            TextContent::Made { bytes, .. } => return self.base_text(object, bytes),
        };
        object.put("HistoryType", history);
        if let Some(table) = table {
            object.put("TableId", &**table);
        }
        Some(self.end_of_text(object, namespace, shown, value))
    }

    /// Returns a text with strings that are missing where they are empty as a rule, or the other way around.
    fn base_text(&self, mut object: NewObject, stored: &[u8]) -> Option<Json> {
        let mut rest = stored.strip_prefix(&[0])?;
        let [namespace, key, source] = [(); 3].map(|()| take_string(&mut rest));
        if !rest.is_empty() {
            return None;
        }
        object.put("HistoryType", "Base");
        Some(self.end_of_text(object, json!(namespace?), json!(source?), json!(key?)))
    }

    fn end_of_text(&self, mut object: NewObject, namespace: Json, shown: Json, value: Json) -> Json {
        object.put("Namespace", namespace).put("CultureInvariantString", shown);
        for key in ["SourceFmt", "Arguments", "ArgumentsData"] {
            object.put(key, Json::Null);
        }
        object.put("TransformType", "ToLower");
        for key in ["SourceValue", "FormatOptions", "TargetCulture"] {
            object.put(key, Json::Null);
        }
        self.tail(&mut object);
        object.put("Value", value);
        object.into_json()
    }

    fn structure(&self, name: &str, guid_of: [u8; 16], value: Json) -> Option<Json> {
        let mut object = NewObject::new("PropertyTypes.Structs.StructPropertyData");
        let name = if name.is_empty() { UNNAMED_STRUCT } else { name };
        object.put("StructType", name).put("SerializeNone", true).put("StructGUID", guid(&guid_of));
        object.put("SerializationControl", "NoExtension").put("Operation", "None");
        self.tail(&mut object);
        object.put("Value", value);
        Some(object.into_json())
    }

    fn struct_of(&self, name: &str, value: &Value) -> Option<Json> {
        let guid_of = self.tag.map(|tag| tag.struct_guid).unwrap_or_default();
        self.struct_with(name, guid_of, value)
    }

    fn struct_with(&self, name: &str, guid_of: [u8; 16], value: &Value) -> Option<Json> {
        let Value::Struct(fields) = value else { return None };
        let value = if !fields.is_empty() && self.form.native_fields(name).is_some() {
            let within = Element { form: self.form, name: self.name, index: 0, tag: None };
            json!([structs::to_json(name, fields, self.form, |object| within.tail(object))?])
        } else {
            properties(self.form, fields)?
        };
        self.structure(name, guid_of, value)
    }

    fn array(&self, kind: &TypeName, values: &[Value]) -> Option<Json> {
        let of = kind.parts.first()?;
        let mut object = self.object("Array");
        object.put("ArrayType", &*of.name);
        let guid_of = self.tag.map(|tag| tag.struct_guid).unwrap_or_default();
        let is_of_structs = of.name == "StructProperty" && self.form.is_tagged;
        let element = Element { form: self.form, name: self.name, index: 0, tag: None };
        if values.is_empty() {
            let dummy = match of.kind() {
                PropertyType::Struct(name) if is_of_structs => {
                    element.structure(&name, guid_of, json!([]))?
                }
                _ => Json::Null,
            };
            object.put("DummyStruct", dummy);
        }
        self.tail(&mut object);
        let elements = values.iter().enumerate().map(|(number, value)| match of.kind() {
            PropertyType::Struct(name) if is_of_structs => element.struct_with(&name, guid_of, value),
            _ => self.element(number, of, value),
        });
        object.put("Value", elements.collect::<Option<Json>>()?);
        Some(object.into_json())
    }

    fn map(&self, kind: &TypeName, removed: &[Value], pairs: &[(Value, Value)]) -> Option<Json> {
        let [key, of] = &kind.parts[..] else { return None };
        let element = Element { form: self.form, name: self.name, index: 0, tag: None };
        let mut object = self.object("Map");
        let pair =
            |(one, other): &(Value, Value)| Some(json!([element.of(key, one)?, element.of(of, other)?]));
        object.put("Value", pairs.iter().map(pair).collect::<Option<Json>>()?);
        if pairs.is_empty() {
            object.put("KeyType", &*key.name).put("ValueType", &*of.name);
        }
        let removed = removed.iter().map(|value| element.of(key, value)).collect::<Option<Json>>()?;
        object.put("KeysToRemove", removed);
        self.tail(&mut object);
        Some(object.into_json())
    }
}

/// Returns a type as nodes, each with the number of its parts, which follow it.
fn type_nodes(kind: &TypeName) -> Json {
    fn add(kind: &TypeName, nodes: &mut Vec<Json>) {
        let mut node = NewObject::new("UnrealTypes.FPropertyTypeNameNode");
        node.put("Name", &*kind.name).put("InnerCount", kind.parts.len());
        nodes.push(node.into_json());
        kind.parts.iter().for_each(|part| add(part, nodes));
    }
    let mut nodes = Vec::new();
    add(kind, &mut nodes);
    Json::Array(nodes)
}

fn delegate(value: &Value) -> Option<Json> {
    let Value::Array(parts) = value else { return None };
    let [Value::Object(object), Value::Name(name)] = &parts[..] else { return None };
    let mut delegate = NewObject::new("PropertyTypes.Objects.FDelegate");
    delegate.put("Object", object.number()).put("Delegate", &**name);
    Some(delegate.into_json())
}

fn field_path(parts: &[Value]) -> Option<Json> {
    let [Value::Array(names), Value::Object(owner)] = parts else { return None };
    let names = names.iter().map(|name| if let Value::Name(name) = name { Some(json!(name)) } else { None });
    let mut path = NewObject::new("UnrealTypes.FFieldPath");
    path.put("Path", names.collect::<Option<Json>>()?).put("ResolvedOwner", owner.number());
    Some(path.into_json())
}

/// Takes a string of 8 bits a character, or none, from the front of bytes; none at all if it is no such string.
fn take_string(bytes: &mut &[u8]) -> Option<Option<String>> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(i32::from_le_bytes(*length)).ok()?;
    let (text, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    let Some((0, text)) = text.split_last() else {
        return text.is_empty().then_some(None);
    };
    text.is_ascii().then(|| Some(String::from_utf8_lossy(text).into_owned()))
}
