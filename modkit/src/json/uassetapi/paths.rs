//! Paths of objects that are not loaded with a package (Epic: `FSoftObjectPath`).

use serde_json::{Value as Json, json};

use super::object::{NewObject, optional};
use super::scalar::read_text;
use crate::json::fault::Fault;

/// Returns a path. From 5.1 on the package and the object have a name each; before, the object has all of it.
pub(super) fn to_json(path: &str, is_split: bool) -> Json {
    let (path, within) = path.split_once(':').map_or((path, None), |(path, within)| (path, Some(within)));
    let after_folder = path.rfind('/').unwrap_or_default();
    let dot = path.get(after_folder..).and_then(|name| name.find('.')).map(|dot| dot + after_folder);
    let (package, asset) = match dot.and_then(|dot| path.split_at_checked(dot)) {
        Some((package, asset)) if is_split => {
            (json!(package), json!(asset.strip_prefix('.').unwrap_or(asset)))
        }
        None if is_split && !path.is_empty() => (json!(path), json!("None")),
        _ if is_split => (json!("None"), json!("None")),
        _ => (Json::Null, json!(if path.is_empty() { "None" } else { path })),
    };
    let mut asset_path = NewObject::new("PropertyTypes.Objects.FTopLevelAssetPath");
    asset_path.put("PackageName", package).put("AssetName", asset);
    let mut object = NewObject::new("PropertyTypes.Objects.FSoftObjectPath");
    object.put("AssetPath", asset_path.into_json()).put("SubPathString", json!(within));
    object.into_json()
}

/// Reads a path.
///
/// # Errors
/// [`Fault`] if it is no object with a path of an asset.
pub(super) fn from_json(json: &Json) -> Result<String, Fault> {
    let asset_path = json.get("AssetPath").ok_or_else(|| Fault::new("a path of an object is needed"))?;
    let part = |key: &str| {
        let name = optional(asset_path, key, read_text).map_err(|fault| fault.within(".AssetPath"))?;
        Ok::<_, Fault>(name.filter(|name| name != "None"))
    };
    let mut path = part("PackageName")?.unwrap_or_default();
    if let Some(asset) = part("AssetName")? {
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&asset);
    }
    if let Some(within) = optional(json, "SubPathString", read_text)?.filter(|within| !within.is_empty()) {
        path.push(':');
        path.push_str(&within);
    }
    Ok(path)
}
