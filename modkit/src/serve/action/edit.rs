//! Actions that change properties: in the document of a package, which is then written as a package again.

use exporter::Overwrite;
use serde_json::{Value as Json, json};
use unreal::ue4to6::convert::{ChangedObject, ClassLayout, to_layout};
use unreal::{Limits, PackageBytes, Source as _};

use super::package::property_type;
use super::{ActionRequest, Done};
use crate::layout::{ENGINE, LayoutChange};
use crate::packages::STRUCTURES;
use crate::serve::Server;
use crate::serve::problem::Problem;
use crate::unpack::write_package;

/// Types of properties that can be added: those whose value is one number, text or name.
const ADDED: [&str; 15] = [
    "Int8Property",
    "Int16Property",
    "IntProperty",
    "Int64Property",
    "BoolProperty",
    "UInt16Property",
    "UInt32Property",
    "UInt64Property",
    "FloatProperty",
    "DoubleProperty",
    "StrProperty",
    "NameProperty",
    "ObjectProperty",
    "WeakObjectProperty",
    "InterfaceProperty",
];

impl Server<'_> {
    /// Sets the value of a property.
    pub(super) fn set_property(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let path = self.needed(request, "property_path")?;
        let value = request.get("property_value");
        let value = value.ok_or_else(|| self.wrong_key("property_value", "is missing"))?;
        self.change(request, |properties| {
            let found = find(properties, path).ok_or_else(|| format!("no property {path}"))?;
            set(found, value).ok_or_else(|| format!("{path} cannot have the value {value}"))
        })
    }

    /// Adds a property to an object, or to the struct that a path names.
    pub(super) fn add_property(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let [name, kind] = [self.needed(request, "property_name")?, self.needed(request, "property_type")?];
        let kind = kind.strip_suffix("Data").unwrap_or(kind);
        let kind = if kind.ends_with("Property") { kind.to_owned() } else { format!("{kind}Property") };
        if !ADDED.contains(&&kind[..]) {
            let why = format!("is {kind}: only {} can be added", ADDED.join(", "));
            return Err(self.wrong_key("property_type", &why));
        }
        let value = request.get("property_value");
        let value = value.ok_or_else(|| self.wrong_key("property_value", "is missing"))?;
        let path = self.optional(request, "property_path")?;
        let property = json!({
            "$type": format!("UAssetAPI.PropertyTypes.Objects.{kind}Data, UAssetAPI"),
            "Name": name,
            "ArrayIndex": 0,
            "PropertyTypeName": [{
                "$type": "UAssetAPI.UnrealTypes.FPropertyTypeNameNode, UAssetAPI",
                "Name": kind,
                "InnerCount": 0,
            }],
            "Value": value,
        });
        self.change(request, |properties| {
            let list = match path {
                None => properties,
                Some(path) => {
                    let found =
                        find(properties, path).and_then(|found| found.get_mut("Value")?.as_array_mut());
                    found.ok_or_else(|| format!("no struct {path}"))?
                }
            };
            if list.iter().any(|property| property["Name"] == name) {
                return Err(format!("there is a property {name}"));
            }
            list.push(property);
            Ok(())
        })
    }

    /// Removes a property.
    pub(super) fn remove_property(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let path = self.optional(request, "property_path")?;
        let path = path.map_or_else(|| self.needed(request, "property_name"), Ok)?;
        self.change(request, |properties| {
            let none = || format!("no property {path}");
            let (list, name) = match path.rsplit_once('.') {
                None => (properties, path),
                Some((outer, name)) => {
                    let list =
                        find(properties, outer).and_then(|found| found.get_mut("Value")?.as_array_mut());
                    (list.ok_or_else(none)?, name)
                }
            };
            let at = place(list, name).ok_or_else(none)?;
            list.remove(at);
            Ok(())
        })
    }

    /// Writes a package with its meshes and string tables in the layout of Marvel Rivals; one that has that stays.
    pub(super) fn patch_mesh(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let file = self.needed(request, "file_path")?;
        let output = self.optional(request, "output_path")?.unwrap_or(file);
        self.check_output(output)?;
        let opened = self.open_package(request)?;
        let (package, _, is_split) = self.parts(&opened)?;
        let limits = &mut Limits::with_structures(STRUCTURES);
        let failed = |error: &dyn std::fmt::Display| self.failed(file, error);
        let converted = to_layout(&package, ClassLayout::Rivals, ENGINE, limits);
        let Some(converted) = converted.map_err(|error| failed(&error))? else {
            return Ok(Done::new("nothing to change", json!({ "changed": [] })));
        };
        let whole = converted.whole(package.source());
        let mut objects = vec![0; usize::try_from(whole.len()).unwrap_or_default()];
        whole.read_at(0, &mut objects).map_err(|error| failed(&error))?;
        let objects = objects.split_off(converted.header.len().min(objects.len()));
        let bytes = PackageBytes { header: converted.header.clone(), objects };
        write_package(output.as_ref(), &bytes, is_split, &Overwrite::forced(true))
            .and_then(|written| written.finish(&mut std::io::sink()))
            .map_err(|error| self.failed(output, error))?;
        let row = |object: &ChangedObject| {
            json!({
                "name": object.name,
                "part": object.part.to_string(),
                "count": object.count,
                "bytes": object.bytes,
            })
        };
        let changed: Vec<Json> = converted.changed.iter().map(row).collect();
        Ok(Done::new(LayoutChange::new(file, &converted).to_string(), json!({ "changed": changed })))
    }

    /// Writes a package as it is; all sizes and offsets are computed.
    pub(super) fn save(&self, request: &ActionRequest) -> Result<Done, Problem> {
        let opened = self.open_package(request)?;
        let document = self.document(&opened)?;
        self.write_over(request, &document)
    }

    fn change(
        &self,
        request: &ActionRequest,
        change: impl FnOnce(&mut Vec<Json>) -> Result<(), String>,
    ) -> Result<Done, Problem> {
        let opened = self.open_package(request)?;
        let mut document = self.document(&opened)?;
        let index = self.export_index(request, &document)?;
        let properties = self.properties_of(&opened.file, &mut document, index)?;
        change(properties).map_err(|why| self.failed(&opened.file, format!("Exports[{index}]: {why}")))?;
        self.write_over(request, &document)
    }

    /// Writes the package of a document to the output of a request, or else over its file.
    fn write_over(&self, request: &ActionRequest, document: &Json) -> Result<Done, Problem> {
        let file = self.needed(request, "file_path")?;
        let output = self.optional(request, "output_path")?.unwrap_or(file);
        self.write_document(request, &document.to_string(), output)
    }
}

/// Returns the place of a property in a list: by its name, or as the element of an array.
fn place(list: &[Json], name: &str) -> Option<usize> {
    let named = list.iter().position(|property| property["Name"] == name);
    named.or_else(|| name.parse().ok().filter(|at| *at < list.len()))
}

/// Finds what a path names: a property, or a field of a struct that lies as in memory.
fn find<'p>(properties: &'p mut [Json], path: &str) -> Option<&'p mut Json> {
    let mut names = path.split('.');
    let at = place(properties, names.next()?)?;
    let mut found = properties.get_mut(at)?;
    for name in names {
        // A struct that lies as in memory is its only element.
        let is_wrapped = |found: &Json| match &found["Value"] {
            Json::Array(list) => match &list[..] {
                [only] => only["Value"].is_object() || (only.get(name).is_some() && only["Name"] != name),
                _ => false,
            },
            _ => false,
        };
        if place(found["Value"].as_array().map_or(&[], Vec::as_slice), name).is_none() && is_wrapped(found) {
            found = found["Value"].get_mut(0)?;
        }
        let at = place(found["Value"].as_array().map_or(&[], Vec::as_slice), name);
        let is_field = found["Value"].get(name).is_some();
        found = match at {
            Some(at) => found["Value"].get_mut(at)?,
            None if is_field => found["Value"].get_mut(name)?,
            None => found.get_mut(name)?,
        };
    }
    Some(found)
}

/// Sets a value. A number or a truth may be given as text, as front ends do. Returns nothing if it is of another kind.
fn set(found: &mut Json, value: &Json) -> Option<()> {
    if !found.is_object() {
        *found = like(found, value)?;
        return Some(());
    }
    let is_key = found["HistoryType"] == "Base" || found["HistoryType"] == "None";
    let key = match &property_type(found)[..] {
        // The text itself; its key stays.
        "TextProperty" if is_key => "CultureInvariantString",
        "ByteProperty" if found["ByteType"] == "FName" => "EnumValue",
        _ => "Value",
    };
    let old = found.get_mut(key)?;
    *old = like(old, value)?;
    Some(())
}

/// Returns a value in the kind of another one.
fn like(old: &Json, value: &Json) -> Option<Json> {
    // Zero is a text in documents, as are numbers that are none.
    let is_number =
        old.is_number() || matches!(old.as_str(), Some("+0" | "-0" | "NaN" | "Infinity" | "-Infinity"));
    match (value, old) {
        (Json::String(text), _) if is_number => {
            let whole = text.trim().parse::<i64>().ok().map(Json::from);
            let whole = whole.or_else(|| text.trim().parse::<u64>().ok().map(Json::from));
            let number =
                whole.or_else(|| text.trim().parse::<f64>().ok().filter(|n| n.is_finite()).map(Json::from));
            number.or_else(|| matches!(&text[..], "+0" | "-0").then(|| value.clone()))
        }
        (Json::String(text), Json::Bool(_)) => match &text.to_lowercase()[..] {
            "true" | "1" => Some(true.into()),
            "false" | "0" => Some(false.into()),
            _ => None,
        },
        (Json::Number(_), _) if is_number => Some(value.clone()),
        (Json::Bool(_), Json::Bool(_)) => Some(value.clone()),
        (Json::Array(_), Json::Array(_)) | (Json::Object(_), Json::Object(_)) => Some(value.clone()),
        (Json::String(_) | Json::Null, Json::String(_) | Json::Null) => Some(value.clone()),
        _ => None,
    }
}
