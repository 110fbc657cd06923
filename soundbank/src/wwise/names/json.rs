use serde_json::Value;

use super::Named;

/// Gives every object with an `Id` and a name. A document that is no JSON has none.
pub(super) fn read(text: &str, add: &mut dyn FnMut(Named, u32, &str)) {
    if let Ok(document) = serde_json::from_str(text) {
        visit(&document, "", add);
    }
}

/// Visits a value that is listed under a key. The parser bounds the depth.
fn visit(value: &Value, key: &str, add: &mut dyn FnMut(Named, u32, &str)) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| visit(value, key, add)),
        Value::Object(fields) => {
            let id = fields.get("Id").and_then(|id| match id {
                Value::String(text) => text.parse().ok(),
                number => u32::try_from(number.as_u64()?).ok(),
            });
            if let Some(id) = id {
                let (named, keys): (_, &[&str]) = match key {
                    "Events" | "IncludedEvents" | "DialogueEvents" => (Named::Event, &["Name", "ObjectPath"]),
                    "Media"
                    | "StreamedFiles"
                    | "IncludedMemoryFiles"
                    | "ReferencedStreamedFiles"
                    | "ExcludedMemoryFiles"
                    | "MediaFilesNotInAnyBank" => (Named::Media, &["ShortName"]),
                    _ => (Named::Other, &["Name", "ShortName"]),
                };
                for key in keys {
                    if let Some(Value::String(name)) = fields.get(*key) {
                        add(named, id, name);
                    }
                }
            }
            fields.iter().for_each(|(key, value)| visit(value, key, add));
        }
        _ => {}
    }
}
