//! Packages of Unreal Engine 1 to 3 as JSON: their tables and properties to read, and all their bytes. Numbers can be
//! changed; what else is changed is refused, for nothing of it would come into the package.

use data_encoding::BASE64;
use serde_json::{Map, Value as Json, json};
use unreal::ue1to3::class::stated;
use unreal::ue1to3::version::ByteOrder;
use unreal::{
    Error, ExportIndex, Limits, Lineage2, Memory, Object, ObjectRef, Package, PackageOptions, Property,
    Source, UnpackedPackage, Value, unpack_package,
};

use super::value::to_json;
use super::{JsonError, line};

/// Name and version of the contract.
pub(super) const TABLES_SCHEMA: &str = "usampler.tables/1";

/// Returns a package of Unreal Engine 1 to 3 as a document.
///
/// # Errors
/// If it is none, is compressed, or takes more than the limits allow.
pub fn tables_to_json(source: &dyn Source, limits: &mut Limits) -> Result<String, Error> {
    let bytes = all_bytes(source, limits)?;
    let (inner, _) = out_of_wrapper(source, limits)?;
    let package = Package::open(&*inner, limits)?;
    let mut document = document(&package, &*inner, limits);
    document.insert("bytes".to_owned(), json!(BASE64.encode(&bytes)));
    // Nothing in it fails: no keys but texts.
    Ok(serde_json::to_string_pretty(&Json::Object(document)).unwrap_or_default())
}

/// Returns the package that a document describes.
///
/// # Errors
/// [`JsonError`] if it is no such document, or something is changed that is no number.
pub(super) fn tables_from_json(text: &str, limits: &mut Limits) -> Result<Vec<u8>, JsonError> {
    let wrong = |path: &str, why: String| JsonError::Document { path: path.to_owned(), line: 1, why };
    let given: Json = super::parse(text, text, "")?;
    let bytes = given["bytes"].as_str().and_then(|text| BASE64.decode(text.as_bytes()).ok());
    let source = Memory(bytes.ok_or_else(|| wrong("bytes", "base64 is needed".to_owned()))?);
    let damaged = |error: Error| wrong("bytes", error.to_string());
    let (inner, wrapper) = out_of_wrapper(&source, limits).map_err(damaged)?;
    let mut bytes = all_bytes(&*inner, limits).map_err(damaged)?;
    let package = Package::open(&*inner, limits).map_err(damaged)?;
    let mut stated = document(&package, &*inner, limits);
    stated.insert("bytes".to_owned(), given["bytes"].clone());
    let mut changes = NumberChanges { text, order: package.layout().order, bytes: &mut bytes };
    changes.apply(&Json::Object(stated), &given, &mut String::new())?;
    Ok(match wrapper {
        Some(wrapper) => wrapper.wrap(bytes),
        None => bytes,
    })
}

/// Returns a package out of the wrapper of Lineage 2, if it is in one. What is compressed is left to who opens it.
fn out_of_wrapper<'s>(
    source: &'s dyn Source,
    limits: &mut Limits,
) -> Result<(Box<dyn Source + 's>, Option<Lineage2>), Error> {
    let UnpackedPackage { source: unpacked, lineage2 } =
        unpack_package(source, PackageOptions::default(), limits)?;
    Ok(if lineage2.is_some() { (unpacked, lineage2) } else { (Box::new(source), None) })
}

fn all_bytes(source: &dyn Source, limits: &mut Limits) -> Result<Vec<u8>, Error> {
    let length = source.len();
    limits.take(length, 0, "package")?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    source.read_at(0, &mut bytes).map_err(|error| Error::from_io(error, 0, "package"))?;
    Ok(bytes)
}

/// Returns the document of a package without its bytes.
fn document(package: &Package, source: &dyn Source, limits: &mut Limits) -> Map<String, Json> {
    let name = |object: ObjectRef| match object {
        ObjectRef::None => Json::Null,
        object => json!(package.path(object).to_string()),
    };
    let identity = package.identity();
    let imports = package.imports().iter().map(|import| {
        let text = |name| package.text(name).unwrap_or_default();
        json!({
            "class": format!("{}.{}", text(import.class_package), text(import.class_name)),
            "outer": name(import.outer),
            "name": text(import.name),
        })
    });
    let exports: Vec<Json> =
        package.export_indices().map(|index| export(package, source, index, limits)).collect();
    let document = json!({
        "schema": TABLES_SCHEMA,
        "version": identity.version.to_string(),
        "licensee": identity.licensee.to_string(),
        "flags": package.summary().flags,
        "names": package.names().iter().map(|name| json!(name.text)).collect::<Vec<_>>(),
        "imports": imports.collect::<Vec<_>>(),
        "exports": exports,
    });
    match document {
        Json::Object(document) => document,
        _ => Map::new(),
    }
}

fn export(package: &Package, source: &dyn Source, index: ExportIndex, limits: &mut Limits) -> Json {
    let Some(export) = package.export(index) else { return Json::Null };
    let path = |object: ObjectRef| (object != ObjectRef::None).then(|| package.path(object).to_string());
    let mut row = json!({
        "path": package.path_of(index).to_string(),
        "class": package.class_name(export).unwrap_or_default(),
        "super": path(export.super_object),
        "flags": export.flags.bits,
        "offset": export.body.map(|body| body.at),
        "size": export.body.map(|body| body.size),
    });
    // Classes and their parts are no objects that state properties.
    if export.body.is_some() && export.class != ObjectRef::None {
        let read = stated::read(&mut Object { package, source, export: index, limits });
        match read {
            Ok(properties) => row["properties"] = properties.iter().map(property).collect(),
            Err(error) => row["problem"] = json!(error.to_string()),
        }
    }
    row
}

fn property((property, end): &(Property, u64)) -> Json {
    let Property { name, index, value, .. } = property;
    let mut row = json!({ "name": name });
    if *index != 0 {
        row["index"] = json!(index);
    }
    let kind = match value {
        Value::Opaque { kind, at, size } => {
            row["opaque"] = json!({ "kind": kind, "at": at, "size": size });
            return row;
        }
        Value::Int(_) => Some("int"),
        Value::Float(_) => Some("float"),
        Value::Byte(_) => Some("byte"),
        _ => None,
    };
    row["value"] = to_json(value);
    if let Some(kind) = kind {
        row[kind] = json!(end);
    }
    row
}

/// Numbers that are put into a package where its document says others.
struct NumberChanges<'c> {
    text: &'c str,
    order: ByteOrder,
    bytes: &'c mut [u8],
}

impl NumberChanges<'_> {
    /// Compares what a package states with what is given, and writes the numbers that differ.
    fn apply(&mut self, stated: &Json, given: &Json, path: &mut String) -> Result<(), JsonError> {
        let length = path.len();
        match (stated, given) {
            (Json::Object(one), Json::Object(other)) if one.len() == other.len() => {
                let kinds = ["int", "float", "byte"];
                let number = kinds.iter().find_map(|kind| Some((*kind, one.get(*kind)?.as_u64()?)));
                for (key, value) in one {
                    path.push('.');
                    path.push_str(key);
                    let there = other.get(key).ok_or_else(|| self.wrong(path, "is missing"))?;
                    match number {
                        Some((kind, end)) if key == "value" && value != there => {
                            self.put(kind, end, there)
                                .ok_or_else(|| self.wrong(path, "no such number fits"))?;
                        }
                        _ => self.apply(value, there, path)?,
                    }
                    path.truncate(length);
                }
                Ok(())
            }
            (Json::Array(one), Json::Array(other)) if one.len() == other.len() => {
                for (number, (one, other)) in one.iter().zip(other).enumerate() {
                    path.push_str(&format!("[{number}]"));
                    self.apply(one, other, path)?;
                    path.truncate(length);
                }
                Ok(())
            }
            (one, other) if one == other => Ok(()),
            _ => Err(self.wrong(path, "cannot be changed here, only numbers can")),
        }
    }

    fn wrong(&self, path: &str, why: &str) -> JsonError {
        let key = path.rsplit('.').next().unwrap_or_default();
        // The first line that has the key is near it at least.
        let at = self.text.find(&format!("\"{key}\"")).unwrap_or_default();
        let line = line(self.text, self.text.get(at..).unwrap_or_default(), 1);
        JsonError::Document { path: path.trim_start_matches('.').to_owned(), line, why: why.to_owned() }
    }

    /// Puts a number where one ends; none if it does not fit.
    fn put(&mut self, kind: &str, end: u64, given: &Json) -> Option<()> {
        let mut bytes: Vec<u8> = match kind {
            "int" => i32::try_from(given.as_i64()?).ok()?.to_le_bytes().to_vec(),
            "byte" => vec![u8::try_from(given.as_i64()?).ok()?],
            _ => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "the nearest is wanted; what has none is refused"
                )]
                let number = given.as_f64()? as f32;
                number.is_finite().then_some(number)?.to_le_bytes().to_vec()
            }
        };
        if self.order == ByteOrder::Big {
            bytes.reverse();
        }
        let end = usize::try_from(end).ok()?;
        let number = self.bytes.get_mut(end.checked_sub(bytes.len())?..end)?;
        number.copy_from_slice(&bytes);
        Some(())
    }
}
