//! Packages as the JSON of `UAssetAPI`, and back.
//!
//! ```text
//! package ──► header · exports: properties, fields of their class, or raw bytes ──► document ──► package
//! ```
//!
//! Documents have no schema: they are the objects of that library, each with its class in `$type`. What they cannot say
//! of a package is in the key `usampler`, which that library ignores.

mod class;
mod exact;
mod export;
mod facts;
mod field_type;
mod form;
mod kismet;
mod layout;
mod names;
mod object;
mod package;
mod paths;
mod read;
mod scalar;
mod schema;
mod struct_defaults;
mod structs;
mod write;

use std::fmt;

use serde_json::Value as Json;
use unreal::ue4to6::asset::{AssetHeader, ExportDependencies, HeaderParts};
use unreal::{
    AssetPackage, EditableHeader, EditableNames, EditablePackage, EditablePart, Error, Limits, Mappings,
    PackageBytes, PropertyError,
};

use self::exact::Exact;
use self::export::{Classes, Exports, Written};
use self::form::Form;
use self::package::{PackageParts, UNVERSIONED_PROPERTIES};
use super::fault::Fault;
use super::{JsonError, JsonPackage, line};
use crate::PackageKind;

pub use self::form::UassetApi;

/// A package as a document.
#[derive(Debug)]
pub struct UassetDocument {
    /// The document.
    pub text: String,
    /// Names of exports whose properties are known, but which are raw bytes: the form would lose something of them.
    pub raw: Vec<String>,
}

/// Errors of writing a document.
#[derive(Debug)]
#[non_exhaustive]
pub enum UassetError {
    /// The package cannot be read.
    Read(Error),
    /// The form cannot say something of the package: which key, and why.
    Form(String, String),
}

impl fmt::Display for UassetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Form(key, why) if key.is_empty() => write!(f, "the form cannot say all of it: {why}"),
            Self::Form(key, why) => write!(f, "the form cannot say all of it: {key}: {why}"),
        }
    }
}

impl std::error::Error for UassetError {}

impl From<Error> for UassetError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

/// Returns a package of files as a document. Without tags, mappings say what its properties are; exports of which they
/// do not are raw bytes. `split` says whether its objects are in a file of their own.
///
/// # Errors
/// If the package cannot be taken apart, takes more than the limits allow, or would not come back from its document.
pub fn to_json(
    package: &AssetPackage,
    mappings: Option<&Mappings>,
    split: bool,
    api: UassetApi,
    limits: &mut Limits,
) -> Result<UassetDocument, UassetError> {
    let source = package.source();
    let header = AssetHeader::read(source, Some(package.version()), limits)?.parts(limits)?;
    let mut whole = vec![0; usize::try_from(source.len()).unwrap_or_default()];
    source.read_at(0, &mut whole).map_err(|error| Error::from_io(error, 0, "package"))?;
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(whole.len());
    let part = |from: u64, to: u64| whole.get(at(from)..at(to)).unwrap_or_default();
    let ends = header.exports.iter().map(|export| export.offset.saturating_add(export.size));
    let last = ends.max().unwrap_or_else(|| package.objects_at());
    let is_after = |at: &u64| (last..=source.len()).contains(at);
    let bulk_at = Some(package.bulk_at()).filter(is_after).unwrap_or(last);

    let imported: Vec<String> = header.imports.iter().map(|import| import.name.clone()).collect();
    let exported: Vec<String> = header.exports.iter().map(|export| export.name.clone()).collect();
    let rows = |mappings: Option<&Mappings>, limits: &mut Limits| {
        let form = Form::new(header.version, !package.is_unversioned(), api, mappings);
        let taken_apart = EditablePackage::read(package, mappings, limits)?;
        let names = [imported.as_slice(), exported.as_slice()];
        Ok::<_, Error>(exports_to_json((package, names), &form, &header, &taken_apart, bulk_at, &part))
    };
    let (mut exports, mut raw) = rows(mappings, limits)?;
    // Objects of classes that the package declares itself.
    let mut extended = mappings.filter(|_| package.is_unversioned()).cloned();
    if let Some(extended) = &mut extended {
        let classes = Classes { imports: &imported, exports: &exported };
        if schema::add_classes(extended, &exports, &classes) > 0 {
            (exports, raw) = rows(Some(extended), limits)?;
        }
    }
    let has_zero_hashes = header.has_zero_hashes;
    let versions = header.custom_versions.clone();
    let bulk_data = part(bulk_at, source.len()).to_vec();
    let parts = PackageParts { header, versions, is_split: split, bulk_data };
    let mut document = package::to_json(&parts, api, exports);
    drop(parts);
    let begin = at(package.objects_at());
    let (header, objects) = whole.split_at_checked(begin).unwrap_or((&whole, &[]));
    let original = PackageBytes { header: header.to_vec(), objects: objects.to_vec() };
    let mut exact = Exact::new(package.name(), has_zero_hashes);
    let json = document.clone().into_json();
    let (made, _) = assembled(&json, has_zero_hashes, mappings, limits).map_err(|error| match error {
        AssembleError::Document(fault) => UassetError::Form(key_of(&fault), fault.why),
        AssembleError::Write(error) => UassetError::Form(String::new(), error.to_string()),
    })?;
    exact.compare(&made, &original);
    document.put("usampler", exact.to_json());
    let text = serde_json::to_string_pretty(&document.into_json()).unwrap_or_default();
    Ok(UassetDocument { text, raw })
}

/// Returns the exports of a package, and the names of those that are raw bytes though their properties are known.
/// `part` gives bytes of the package.
fn exports_to_json<'p>(
    (package, [imports, exports]): (&AssetPackage, [&[String]; 2]),
    form: &Form<'_>,
    header: &HeaderParts,
    taken_apart: &EditablePackage,
    bulk_at: u64,
    part: &dyn Fn(u64, u64) -> &'p [u8],
) -> (Vec<Json>, Vec<String>) {
    let names = EditableNames::of(header.names.iter().map(String::as_str));
    let classes = Classes { imports, exports };
    let exports = Exports {
        form,
        versions: &header.custom_versions,
        flags: header.flags,
        soft_paths: header.soft_paths.as_deref().unwrap_or_default(),
        classes: &classes,
        package: Some(package),
    };
    let mut objects = vec![None; header.exports.len()];
    for part in &taken_apart.parts {
        if let EditablePart::Object(object) = part
            && let Some(place) = objects.get_mut(object.export)
        {
            *place = Some(object);
        }
    }
    let none = ExportDependencies::default();
    let (mut rows, mut raw) = (Vec::with_capacity(objects.len()), Vec::new());
    for (number, (export, object)) in header.exports.iter().zip(objects).enumerate() {
        let Some(object) = object else { continue };
        let end = export.offset.saturating_add(export.size);
        let next = header.exports.get(number.saturating_add(1)).map_or(bulk_at, |next| next.offset);
        let dependencies = header.preload.as_ref().and_then(|lists| lists.get(number)).unwrap_or(&none);
        let gap = if next >= end { part(end, next) } else { &[] };
        let written = Written { export, dependencies, object, data: part(export.offset, end), gap };
        let (row, is_raw) = exports.to_json(&written, &names);
        if is_raw {
            raw.push(export.name.clone());
        }
        rows.push(row);
    }
    (rows, raw)
}

/// Returns whether a document is one of `UAssetAPI`.
#[must_use]
pub fn is_document(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let head = start.get(..start.len().min(4096)).or_else(|| start.get(..1024)).unwrap_or_default();
    head.starts_with('{') && head.contains("\"$type\"") && head.contains("UAssetAPI.UAsset")
}

/// Errors of assembling the package of a document.
enum AssembleError {
    Document(Fault),
    Write(PropertyError),
}

impl From<Fault> for AssembleError {
    fn from(fault: Fault) -> Self {
        Self::Document(fault)
    }
}

/// Returns the way to what is wrong: `Exports[0].Data`.
fn key_of(fault: &Fault) -> String {
    fault.path().trim_start_matches('.').to_owned()
}

/// Returns the package that a document describes, without what only this program adds, and whether its objects are in a
/// file of their own.
fn assembled(
    document: &Json,
    has_zero_hashes: bool,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<(PackageBytes, bool), AssembleError> {
    let PackageParts { mut header, versions, is_split, bulk_data } = package::from_json(document)?;
    header.has_zero_hashes = has_zero_hashes;
    let is_tagged = header.flags & UNVERSIONED_PROPERTIES == 0;
    let rows = document.get("Exports").and_then(Json::as_array);
    let rows = rows.ok_or_else(|| Fault::new("a list is needed").within(".Exports"))?;
    let imported: Vec<String> = header.imports.iter().map(|import| import.name.clone()).collect();
    let name = |row: &Json| row.get("ObjectName").and_then(Json::as_str).unwrap_or_default().to_owned();
    let exported: Vec<String> = rows.iter().map(name).collect();
    let classes = Classes { imports: &imported, exports: &exported };
    let extended = mappings.filter(|_| !is_tagged).map(|mappings| {
        let mut extended = mappings.clone();
        schema::add_classes(&mut extended, rows, &classes);
        extended
    });
    let mappings = extended.as_ref().or(mappings);
    let form = Form::new(header.version, is_tagged, UassetApi::V1_1, mappings);
    let soft_paths = header.soft_paths.clone().unwrap_or_default();
    let exports = Exports {
        form: &form,
        versions: &versions,
        flags: header.flags,
        soft_paths: &soft_paths,
        classes: &classes,
        package: None,
    };
    let mut names = EditableNames::of(header.names.iter().map(String::as_str));
    let mut parts = Vec::with_capacity(rows.len());
    for (number, row) in rows.iter().enumerate() {
        let read = exports.read(number, row, &mut names);
        let (export, dependencies, object) =
            read.map_err(|fault| fault.within(format!(".Exports[{number}]")))?;
        header.exports.push(export);
        if let Some(lists) = &mut header.preload {
            lists.push(dependencies);
        }
        parts.push(EditablePart::Object(object));
    }
    parts.push(EditablePart::Bytes(bulk_data));
    header.names = names.iter().map(str::to_owned).collect();
    let header = header.assemble().map_err(|error| AssembleError::Write(error.into()))?;
    let package = EditablePackage { header: EditableHeader::Legacy(Box::new(header)), parts, hash: [0; 32] };
    let bytes = package.assemble(mappings, limits).map_err(AssembleError::Write)?;
    Ok((bytes, is_split))
}

/// Returns the package that a document describes. `mappings` say what properties without tags are.
///
/// # Errors
/// [`JsonError`] if it is no such document, something in it is not read, a value is not of its type, or the package
/// cannot be put together.
pub fn from_json(
    text: &str,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<JsonPackage, JsonError> {
    let text = text.trim_start_matches('\u{feff}');
    let document: Json = super::parse(text, text, "")?;
    let failed = |error| match error {
        AssembleError::Document(fault) => {
            let path = key_of(&fault);
            JsonError::Document { line: line_of(text, &path), path, why: fault.why }
        }
        AssembleError::Write(error) => JsonError::Write(error),
    };
    let exact = document.get("usampler").map(Exact::from_json).unwrap_or_default();
    let (bytes, split) = assembled(&document, exact.has_zero_hashes, mappings, limits).map_err(failed)?;
    let bytes = exact.restore(bytes);
    let name = match exact.name.as_str() {
        "" => package_name(&document),
        name => name.to_owned(),
    };
    Ok(JsonPackage { name, kind: PackageKind::Legacy, bytes, split })
}

/// Returns the name of the package: the folder that it states if it is a path, or the name that ends as its main object
/// does and is none of its imports.
fn package_name(document: &Json) -> String {
    let folder = document.get("FolderName").and_then(Json::as_str).unwrap_or_default();
    if folder.starts_with('/') {
        return folder.to_owned();
    }
    let rows = |key: &str| document.get(key).and_then(Json::as_array).into_iter().flatten();
    let name = |row: &'_ Json| row.get("ObjectName").and_then(Json::as_str).map(str::to_owned);
    let imports: Vec<String> = rows("Imports").filter_map(name).collect();
    let exports: Vec<String> = rows("Exports").filter_map(name).collect();
    let paths = rows("NameMap").filter_map(Json::as_str).filter(|path| path.starts_with('/'));
    let mut own = paths.filter(|path| !imports.iter().any(|import| import == path));
    let is_main = |path: &&str| {
        let last = path.rsplit('/').next().unwrap_or_default();
        exports.iter().any(|export| export == last)
    };
    own.find(is_main).map(str::to_owned).unwrap_or_default()
}

/// Returns the line of a value, given the way to it: each key is looked for after the one before, which is near enough
/// for an error.
fn line_of(text: &str, path: &str) -> usize {
    let mut at = 0_usize;
    for part in path.split('.') {
        let (key, numbers) = part.split_once('[').unwrap_or((part, ""));
        let Some(rest) = text.get(at..) else { break };
        if let Some(found) = rest.find(&format!("\"{key}\"")) {
            at = at.saturating_add(found);
        }
        for number in numbers.split('[').filter_map(|number| number.trim_end_matches(']').parse().ok()) {
            at = element_at(text, at, number).unwrap_or(at);
        }
    }
    line(text, text.get(at..).unwrap_or_default(), 1)
}

/// Returns where an element of the list begins that begins after an offset.
fn element_at(text: &str, from: usize, number: usize) -> Option<usize> {
    let begin = text.get(from..)?.find('[')?.checked_add(from)?.checked_add(1)?;
    let (mut depth, mut element, mut is_text, mut is_escaped) = (0_usize, 0_usize, false, false);
    for (offset, byte) in text.as_bytes().get(begin..)?.iter().enumerate() {
        if depth == 0 && element == number && !byte.is_ascii_whitespace() && *byte != b',' {
            return begin.checked_add(offset);
        }
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'[' | b'{' => depth = depth.saturating_add(1),
            b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => element = element.saturating_add(1),
            _ => {}
        }
    }
    None
}
