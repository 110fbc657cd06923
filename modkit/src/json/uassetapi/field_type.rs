//! Properties that classes, structs and functions declare (Epic: `FProperty`, before 4.25 `UProperty`).

use serde_json::{Map, Value as Json, json};

use super::layout::{BytesReader, BytesWriter, Field, Kind, Since, field, since};
use super::names::{Flags, LIFETIME_CONDITIONS, OBJECT_FLAGS, PROPERTY_FLAGS};
use super::object::{NewObject, field as value_of};
use super::scalar::{read_name, read_text};
use crate::json::fault::Fault;

/// Epic's array dimensions as `UAssetAPI` names them.
const ARRAY_DIMENSIONS: Flags = &[(0, "NotAnArray"), (1, "TArray"), (2, "CArray")];

/// Fields that all have, after name and flags.
const BASE: &[Field] = &[
    field("ArrayDim", Kind::Enumerator(ARRAY_DIMENSIONS, 4)),
    field("ElementSize", Kind::I32),
    field("PropertyFlags", Kind::Flags(PROPERTY_FLAGS, 8)),
    field("RepIndex", Kind::U16),
    field("RepNotifyFunc", Kind::Name),
    field("BlueprintReplicationCondition", Kind::Enumerator(LIFETIME_CONDITIONS, 1)),
];

const OBJECT: &[Field] = &[field("PropertyClass", Kind::Object)];
const CLASS: &[Field] = &[field("PropertyClass", Kind::Object), field("MetaClass", Kind::Object)];
const DELEGATE: &[Field] = &[field("SignatureFunction", Kind::Object)];

/// Types: their name, the class in documents, and the fields that only they have.
const TYPES: [(&str, &str, &[Field]); 17] = [
    (
        "EnumProperty",
        "FEnumProperty",
        &[field("Enum", Kind::Object), field("UnderlyingProp", Kind::Property)],
    ),
    ("ArrayProperty", "FArrayProperty", &[field("Inner", Kind::Property)]),
    ("SetProperty", "FSetProperty", &[field("ElementProp", Kind::Property)]),
    ("MapProperty", "FMapProperty", &[field("KeyProp", Kind::Property), field("ValueProp", Kind::Property)]),
    ("OptionalProperty", "FOptionalProperty", &[field("ValueProperty", Kind::Property)]),
    ("ObjectProperty", "FObjectProperty", OBJECT),
    ("SoftObjectProperty", "FSoftObjectProperty", OBJECT),
    ("WeakObjectProperty", "FWeakObjectProperty", OBJECT),
    ("ClassProperty", "FClassProperty", CLASS),
    ("SoftClassProperty", "FSoftClassProperty", CLASS),
    ("DelegateProperty", "FDelegateProperty", DELEGATE),
    ("MulticastDelegateProperty", "FMulticastDelegateProperty", DELEGATE),
    ("MulticastInlineDelegateProperty", "FMulticastInlineDelegateProperty", DELEGATE),
    ("InterfaceProperty", "FInterfaceProperty", &[field("InterfaceClass", Kind::Object)]),
    (
        "BoolProperty",
        "FBoolProperty",
        &[
            field("FieldSize", Kind::U8),
            field("ByteOffset", Kind::U8),
            field("ByteMask", Kind::U8),
            field("FieldMask", Kind::U8),
            field("NativeBool", Kind::Bool),
            field("Value", Kind::Bool),
        ],
    ),
    ("ByteProperty", "FByteProperty", &[field("Enum", Kind::Object)]),
    ("StructProperty", "FStructProperty", &[field("Struct", Kind::Object)]),
];

/// Types whose fields are those that all have.
const PLAIN: [&str; 16] = [
    "Int8Property",
    "Int16Property",
    "IntProperty",
    "Int64Property",
    "UInt16Property",
    "UInt32Property",
    "UInt64Property",
    "FloatProperty",
    "DoubleProperty",
    "NameProperty",
    "StrProperty",
    "TextProperty",
    "FieldPathProperty",
    "Utf8StrProperty",
    "AnsiStrProperty",
    "MulticastSparseDelegateProperty",
];

fn type_of(name: &str) -> Option<(&'static str, &'static [Field])> {
    let known = TYPES.iter().find(|(known, ..)| *known == name).map(|(_, class, fields)| (*class, *fields));
    known.or_else(|| PLAIN.contains(&name).then_some(("FGenericProperty", &[][..])))
}

/// Reads a property; none if its type is not known.
pub(super) fn read(reader: &mut BytesReader<'_, '_>) -> Option<Json> {
    let serialized = reader.name()?;
    let (class, own) = type_of(serialized.as_str()?)?;
    let (name, flags) = (reader.name()?, reader.value(&Kind::Flags(OBJECT_FLAGS, 4))?);
    let mut metadata = Map::new();
    metadata.insert("$type".to_owned(), json!(METADATA));
    if reader.facts.has(Since::FieldMetadata) && reader.value(&Kind::WideBool)? == true {
        for pair in reader.value(&Kind::List(&PAIR))?.as_array()? {
            let [key, value] = &pair.as_array()?[..] else { return None };
            metadata.insert(key.as_str()?.to_owned(), value.clone());
        }
    }
    let mut base = NewObject::plain();
    reader.fields(BASE, &mut base)?;
    let mut object = NewObject::new(&format!("FieldTypes.{class}"));
    reader.fields(own, &mut object)?;
    object.extend(base).put("RawValue", Json::Null).put("SerializedType", serialized);
    object.put("Name", name).put("Flags", flags).put("MetaDataMap", metadata);
    Some(object.into_json())
}

const METADATA: &str = "UAssetAPI.UnrealTypes.TMap`2[[UAssetAPI.UnrealTypes.FName, UAssetAPI],\
                        [UAssetAPI.UnrealTypes.FString, UAssetAPI]], UAssetAPI";
const PAIR: Kind = Kind::Tuple(&[Kind::Name, Kind::Text]);

/// Writes a property.
///
/// # Errors
/// [`Fault`] if its type is not known, or a field is missing or of another type.
pub(super) fn write(writer: &mut BytesWriter<'_>, json: &Json) -> Result<(), Fault> {
    let serialized = value_of(json, "SerializedType", read_name)?;
    let (_, own) = type_of(&serialized).ok_or_else(|| {
        Fault::new(format!("properties of type {serialized} are not read")).within(".SerializedType")
    })?;
    writer.name(&serialized)?;
    writer.name(&value_of(json, "Name", read_name)?)?;
    value_of(json, "Flags", |flags| writer.value(&Kind::Flags(OBJECT_FLAGS, 4), flags))?;
    if writer.facts.has(Since::FieldMetadata) {
        let pairs = json.get("MetaDataMap").and_then(Json::as_object);
        let pairs: Vec<_> = pairs.into_iter().flatten().filter(|(key, _)| *key != "$type").collect();
        writer.value(&Kind::WideBool, &json!(!pairs.is_empty()))?;
        if !pairs.is_empty() {
            writer.count(pairs.len())?;
        }
        for (key, value) in pairs {
            writer.name(key)?;
            let text = read_text(value).map_err(|fault| fault.within(format!(".MetaDataMap.{key}")))?;
            super::read::put_string(&mut writer.bytes, text.as_deref());
        }
    }
    writer.fields(BASE, json)?;
    writer.fields(own, json)
}

/// Fields of properties that are objects, before 4.25.
const OBJECT_BASE: &[Field] = &[
    since(Since::LinkedFields, "Next", Kind::Object),
    field("ArrayDim", Kind::Enumerator(ARRAY_DIMENSIONS, 4)),
    field("PropertyFlags", Kind::Flags(PROPERTY_FLAGS, 8)),
    field("RepNotifyFunc", Kind::Name),
    since(Since::RepConditions, "BlueprintReplicationCondition", Kind::Enumerator(LIFETIME_CONDITIONS, 1)),
];

/// Types of such properties, and the fields that only they have.
const OBJECT_TYPES: [(&str, &[Field]); 19] = [
    ("EnumProperty", &[field("Enum", Kind::Object), field("UnderlyingProp", Kind::Object)]),
    ("ArrayProperty", &[field("Inner", Kind::Object)]),
    ("SetProperty", &[field("ElementProp", Kind::Object)]),
    ("MapProperty", &[field("KeyProp", Kind::Object), field("ValueProp", Kind::Object)]),
    ("ObjectProperty", OBJECT),
    ("WeakObjectProperty", OBJECT),
    ("SoftObjectProperty", OBJECT),
    ("LazyObjectProperty", OBJECT),
    ("AssetObjectProperty", OBJECT),
    ("ClassProperty", CLASS),
    ("AssetClassProperty", CLASS),
    ("SoftClassProperty", CLASS),
    ("DelegateProperty", DELEGATE),
    ("MulticastDelegateProperty", DELEGATE),
    ("MulticastInlineDelegateProperty", DELEGATE),
    ("InterfaceProperty", &[field("InterfaceClass", Kind::Object)]),
    ("BoolProperty", &[field("ElementSize", Kind::U8), field("NativeBool", Kind::Bool)]),
    ("ByteProperty", &[field("Enum", Kind::Object)]),
    ("StructProperty", &[field("Struct", Kind::Object)]),
];

fn object_type_of(name: &str) -> Option<&'static [Field]> {
    let known = OBJECT_TYPES.iter().find(|(known, _)| *known == name).map(|(_, fields)| *fields);
    known.or_else(|| PLAIN.contains(&name).then_some(&[]))
}

/// Returns whether objects of a class are properties.
pub(super) fn is_property_class(class: &str) -> bool {
    object_type_of(class).is_some()
}

/// Reads a property that is an object of a class.
pub(super) fn read_object(reader: &mut BytesReader<'_, '_>, class: &str) -> Option<Json> {
    let own = object_type_of(class)?;
    let mut base = NewObject::plain();
    reader.fields(OBJECT_BASE, &mut base)?;
    let mut object = NewObject::new(&format!("FieldTypes.U{class}"));
    reader.fields(own, &mut object)?;
    object.extend(base).put("RawValue", Json::Null);
    Some(object.into_json())
}

/// Writes a property that is an object of a class.
///
/// # Errors
/// As [`write()`].
pub(super) fn write_object(writer: &mut BytesWriter<'_>, class: &str, json: &Json) -> Result<(), Fault> {
    let own = object_type_of(class)
        .ok_or_else(|| Fault::new(format!("properties of type {class} are not read")))?;
    writer.fields(OBJECT_BASE, json)?;
    writer.fields(own, json)
}
