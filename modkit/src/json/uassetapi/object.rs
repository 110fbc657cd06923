//! Keys of an object of a document.

use serde_json::{Map, Value as Json, json};

use crate::json::fault::Fault;

/// Reads the value of a key with a function.
///
/// # Errors
/// If the key is missing, or the value is refused.
pub(super) fn field<T>(
    object: &Json,
    key: &str,
    read: impl FnOnce(&Json) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let value = object.get(key).ok_or_else(|| Fault::new("is missing").within(format!(".{key}")))?;
    read(value).map_err(|fault| fault.within(format!(".{key}")))
}

/// Reads the value of a key with a function; a missing key is the default, as Newtonsoft's reader has it.
///
/// # Errors
/// If the value is refused.
pub(super) fn optional<T: Default>(
    object: &Json,
    key: &str,
    read: impl FnOnce(&Json) -> Result<T, Fault>,
) -> Result<T, Fault> {
    match object.get(key) {
        None | Some(Json::Null) => Ok(T::default()),
        Some(value) => read(value).map_err(|fault| fault.within(format!(".{key}"))),
    }
}

/// Reads a list with a function for its elements.
///
/// # Errors
/// If it is no list, or an element is refused.
pub(super) fn list<T>(json: &Json, mut read: impl FnMut(&Json) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
    let elements = json.as_array().ok_or_else(|| Fault::new("a list is needed"))?;
    let element =
        |(number, element)| read(element).map_err(|fault: Fault| fault.within(format!("[{number}]")));
    elements.iter().enumerate().map(element).collect()
}

/// Returns the class that an object names in `$type`: `FloatPropertyData` of
/// `UAssetAPI.PropertyTypes.Objects.FloatPropertyData, UAssetAPI`.
pub(super) fn class_of(json: &Json) -> Option<&str> {
    let name = json.get("$type")?.as_str()?;
    let name = name.split([',', '[', '`']).next().unwrap_or(name);
    name.rsplit('.').next()
}

/// An object that is written, its keys in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct NewObject(Map<String, Json>);

impl NewObject {
    /// Creates an object without a class.
    pub(super) fn plain() -> Self {
        Self::default()
    }

    /// Creates an object of a class of `UAssetAPI`: `ExportTypes.NormalExport`.
    pub(super) fn new(class: &str) -> Self {
        let mut object = Map::new();
        object.insert("$type".to_owned(), json!(format!("UAssetAPI.{class}, UAssetAPI")));
        Self(object)
    }

    /// Creates an object of a class of `UAssetAPI` that has another as its parameter.
    pub(super) fn generic(class: &str, of: &str) -> Self {
        let mut object = Map::new();
        let class = format!("UAssetAPI.{class}`1[[UAssetAPI.{of}, UAssetAPI]], UAssetAPI");
        object.insert("$type".to_owned(), json!(class));
        Self(object)
    }

    /// Adds a key.
    pub(super) fn put(&mut self, key: &str, value: impl Into<Json>) -> &mut Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    /// Adds the keys of another object.
    pub(super) fn extend(&mut self, other: Self) -> &mut Self {
        self.0.extend(other.0);
        self
    }

    pub(super) fn into_json(self) -> Json {
        Json::Object(self.0)
    }
}
