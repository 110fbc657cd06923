//! Classes that a package declares itself, so that its own objects of them can be read without tags.

use serde_json::Value as Json;
use unreal::{Mappings, PropertyType, TypeName};

use super::export::Classes;
use super::object::class_of;
use super::scalar::read_number;

/// Adds the classes that exports of a document declare to mappings; returns how many there are.
pub(super) fn add_classes(mappings: &mut Mappings, rows: &[Json], classes: &Classes<'_>) -> usize {
    let declared =
        rows.iter().filter(|row| matches!(class_of(row), Some("ClassExport" | "UserDefinedStructExport")));
    let mut count = 0_usize;
    for row in declared {
        let Some(name) = row.get("ObjectName").and_then(Json::as_str) else { continue };
        let parent = row.get("SuperStruct").and_then(|index| classes.of(index));
        let properties = row.get("LoadedProperties").and_then(Json::as_array);
        let properties =
            properties.into_iter().flatten().filter_map(|property| declared_property(property, classes));
        mappings.add_class(name, parent.as_deref().filter(|parent| !parent.is_empty()), properties.collect());
        count = count.saturating_add(1);
    }
    count
}

/// Returns a property that a class declares: its name, the number of its elements, and its type.
fn declared_property(json: &Json, classes: &Classes<'_>) -> Option<(String, u32, PropertyType)> {
    let name = json.get("Name")?.as_str()?.to_owned();
    let elements = match json.get("ArrayDim") {
        Some(Json::Number(_)) => read_number(json.get("ArrayDim")?).ok()?,
        _ => 1,
    };
    Some((name, elements, declared_type(json, classes)?))
}

fn declared_type(json: &Json, classes: &Classes<'_>) -> Option<PropertyType> {
    let inner = |key: &str| declared_type(json.get(key)?, classes).map(Box::new);
    let object = |key: &str| json.get(key).and_then(|index| classes.of(index));
    Some(match json.get("SerializedType")?.as_str()? {
        "ArrayProperty" => PropertyType::Array(inner("Inner")?),
        "SetProperty" => PropertyType::Set(inner("ElementProp")?),
        "MapProperty" => PropertyType::Map(Box::new((*inner("KeyProp")?, *inner("ValueProp")?))),
        "OptionalProperty" => PropertyType::Optional(inner("ValueProperty")?),
        "StructProperty" => PropertyType::Struct(object("Struct")?),
        "EnumProperty" => PropertyType::Enum { name: object("Enum")?, number: inner("UnderlyingProp")? },
        name => TypeName::simple(name).kind(),
    })
}
