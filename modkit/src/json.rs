//! Packages as JSON, and back: to the same bytes if nothing was changed.
//!
//! ```text
//! package ──► tables │ enumerations │ parts: properties with their types, all else in base64 ──► package
//! ```
//!
//! `docs/json.md` describes the document.

mod documents;
mod fault;
mod property;
mod tables;
pub mod uassetapi;
mod value;
mod writer;

use std::collections::BTreeMap;
use std::fmt;

use data_encoding::{BASE64, HEXLOWER, HEXLOWER_PERMISSIVE};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use unreal::{
    AssetPackage, DataTable, DataTableRow, EditableHeader, EditableObject, EditablePackage, EditablePart,
    Error, Limits, Mappings, ObjectForm, PackageBytes, Property, PropertyError, is_tagged,
};

use crate::PackageKind;

pub use documents::{JsonFile, documents};
use fault::Fault;
use property::{Named, property, row};
pub use tables::tables_to_json;
use tables::{TABLES_SCHEMA, tables_from_json};
pub use writer::{DocumentError, DocumentWriter, JsonFormat, PackageDocument};

/// Name and version of the contract.
pub const SCHEMA: &str = "usampler.asset/1";

/// A package as a document that is read; its parts are read one by one, so that errors in them have a line.
#[derive(Deserialize)]
struct Document<'t> {
    #[serde(default)]
    path: String,
    #[serde(default)]
    enums: BTreeMap<String, BTreeMap<String, u64>>,
    #[serde(default)]
    counts: BTreeMap<String, u32>,
    hash: String,
    split: bool,
    #[serde(borrow)]
    parts: Vec<&'t RawValue>,
    header: EditableHeader,
}

/// A package as a document that is written.
#[derive(Serialize)]
struct NewDocument<'t> {
    schema: &'static str,
    path: &'t str,
    kind: &'static str,
    engine: String,
    unversioned: bool,
    /// Whether its objects lie in a file of their own.
    split: bool,
    /// The BLAKE3 of the package.
    hash: String,
    parts: Vec<NewPart<'t>>,
    header: &'t EditableHeader,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    enums: BTreeMap<String, BTreeMap<String, u64>>,
    /// Property counts of classes with objects that are nothing but their template.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    counts: BTreeMap<String, u32>,
}

/// An object, or bytes that belong to none.
#[derive(Serialize)]
struct NewPart<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    export: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'t ObjectForm>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<NewTable<'t>>,
    bytes: String,
}

/// The rows of a data table.
#[derive(Serialize)]
struct NewTable<'t> {
    before: String,
    row_struct: &'t str,
    rows: Vec<NewRow<'t>>,
}

#[derive(Serialize)]
struct NewRow<'t> {
    name: &'t str,
    properties: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct DocumentTable<'t> {
    before: String,
    row_struct: String,
    #[serde(borrow)]
    rows: Vec<DocumentRow<'t>>,
}

#[derive(Deserialize)]
struct DocumentRow<'t> {
    name: String,
    #[serde(borrow)]
    properties: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
struct DocumentPart<'t> {
    #[serde(default)]
    export: Option<usize>,
    #[serde(default)]
    class: String,
    #[serde(default)]
    form: Option<ObjectForm>,
    #[serde(borrow, default)]
    properties: Vec<&'t RawValue>,
    #[serde(borrow, default)]
    table: Option<DocumentTable<'t>>,
    bytes: String,
}

/// Errors of reading a document.
#[derive(Debug)]
#[non_exhaustive]
pub enum JsonError {
    /// The document is malformed: path, line and reason.
    Document {
        /// Names and numbers on the way to it: `parts[3].properties[0].value`.
        path: String,
        /// The line, from 1 on.
        line: usize,
        /// The reason.
        why: String,
    },
    /// The document is of another schema.
    Schema(String),
    /// The package cannot be written.
    Write(PropertyError),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document { path, line, why } if path.is_empty() || path == "." => {
                write!(f, "line {line}: {why}")
            }
            Self::Document { path, line, why } => write!(f, "line {line}, {path}: {why}"),
            Self::Schema(schema) => write!(f, "{schema:?} is neither {SCHEMA} nor {TABLES_SCHEMA}"),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for JsonError {}

fn new_object<'t>(package: &'t AssetPackage, object: &'t EditableObject) -> NewPart<'t> {
    let export = package.export(object.export);
    NewPart {
        export: Some(object.export),
        name: export.map(|export| export.name),
        class: export.and_then(|export| export.class).map(|class| class.to_string()),
        form: object.form.as_ref(),
        properties: object.properties.iter().map(row).collect(),
        table: object.table.as_ref().map(new_table),
        bytes: BASE64.encode(&object.bytes),
    }
}

/// Returns a package as a document. Without tags, mappings say what its properties are. `split` says whether its
/// objects lie in a file of their own.
///
/// # Errors
/// If it cannot be taken apart: see [`EditablePackage::read`].
pub fn to_json(
    package: &AssetPackage,
    mappings: Option<&Mappings>,
    split: bool,
    limits: &mut Limits,
) -> Result<String, Error> {
    let taken_apart = EditablePackage::read(package, mappings, limits)?;
    let mut named = Named::default();
    let mut parts = Vec::with_capacity(taken_apart.parts.len());
    for part in &taken_apart.parts {
        parts.push(match part {
            EditablePart::Bytes(bytes) => NewPart {
                export: None,
                name: None,
                class: None,
                form: None,
                properties: Vec::new(),
                table: None,
                bytes: BASE64.encode(bytes),
            },
            EditablePart::Object(object) => {
                if let Some(mappings) = mappings.filter(|_| package.is_unversioned()) {
                    named.add_object(object, mappings);
                }
                new_object(package, object)
            }
        });
    }
    let document = NewDocument {
        schema: SCHEMA,
        path: package.name(),
        kind: PackageKind::of(package).name(),
        engine: package.version().release(),
        unversioned: package.is_unversioned(),
        split,
        hash: HEXLOWER.encode(&taken_apart.hash),
        enums: named.enums,
        counts: named.counts,
        parts,
        header: &taken_apart.header,
    };
    let text = serde_json::to_string_pretty(&document);
    // Nothing in it fails: no keys but texts, no writer but memory.
    Ok(text.unwrap_or_default())
}

/// Returns whether the properties of a package stay raw bytes in JSON because nothing says what they are: it has no
/// tags, and there are no mappings.
#[must_use]
pub fn needs_mappings(package: &AssetPackage, mappings: Option<&Mappings>) -> bool {
    package.is_unversioned() && mappings.is_none() && !package.is_empty()
}

/// A package that a document describes.
#[derive(Debug)]
pub struct JsonPackage {
    /// Name of the package: `/Game/Audio/SW_Steps`; empty if the document does not say.
    pub name: String,
    /// Kind of package.
    pub kind: PackageKind,
    /// Bytes of the package.
    pub bytes: PackageBytes,
    /// Whether its objects lie in a file of their own.
    pub split: bool,
}

/// Returns the package that a document describes, whichever form it has: ours of either kind, or that of `UAssetAPI`.
/// `mappings` say which numbers the values of enumerations have that the document does not name.
///
/// # Errors
/// [`JsonError`] if it is no such document, a value is not of its type, or the package cannot be put together.
pub fn from_json(
    text: &str,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<JsonPackage, JsonError> {
    if uassetapi::is_document(text) {
        return uassetapi::from_json(text, mappings, limits);
    }
    match parse::<Kind>(text, text, "")?.schema.as_str() {
        SCHEMA => package_from_json(text, mappings, limits),
        TABLES_SCHEMA => {
            let bytes = PackageBytes { header: tables_from_json(text, limits)?, objects: Vec::new() };
            Ok(JsonPackage { name: String::new(), kind: PackageKind::Classic, bytes, split: false })
        }
        other => Err(JsonError::Schema(other.to_owned())),
    }
}

/// Head of a document.
#[derive(Deserialize)]
struct Kind {
    schema: String,
}

fn package_from_json(
    text: &str,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<JsonPackage, JsonError> {
    let document: Document<'_> = parse(text, text, "")?;
    let hash =
        HEXLOWER_PERMISSIVE.decode(document.hash.as_bytes()).ok().and_then(|hash| hash.try_into().ok());
    let wrong =
        |path: &str, why: &str| JsonError::Document { path: path.to_owned(), line: 1, why: why.to_owned() };
    let hash = hash.ok_or_else(|| wrong("hash", "64 hexadecimal digits are needed"))?;
    let mut numbers = Mappings::default();
    for (name, values) in document.enums {
        numbers.set_enum(&name, values.into_iter().map(|(name, number)| (number, name)).collect());
    }
    document.counts.iter().for_each(|(name, count)| numbers.set_count(name, *count));
    let mut parts = Vec::with_capacity(document.parts.len());
    for (number, raw) in document.parts.iter().enumerate() {
        let path = format!("parts[{number}]");
        let part: DocumentPart<'_> = parse(text, raw.get(), &path)?;
        let decode = |base64: &str, path: String| {
            BASE64.decode(base64.as_bytes()).map_err(|error| JsonError::Document {
                path,
                line: line(text, raw.get(), 1),
                why: format!("not base64: {error}"),
            })
        };
        let bytes = decode(&part.bytes, format!("{path}.bytes"))?;
        let Some(export) = part.export else {
            parts.push(EditablePart::Bytes(bytes));
            continue;
        };
        let form = part.form.as_ref();
        let properties = properties(text, form, &part.properties, &path)?;
        let mut table = None;
        if let Some(DocumentTable { before, row_struct, rows }) = part.table {
            let before = decode(&before, format!("{path}.table.before"))?;
            let mut table_rows = Vec::with_capacity(rows.len());
            for (number, row) in rows.into_iter().enumerate() {
                let path = format!("{path}.table.rows[{number}]");
                let properties = self::properties(text, form, &row.properties, &path)?;
                table_rows.push(DataTableRow { name: row.name, properties });
            }
            table = Some(DataTable { before, row_struct, rows: table_rows });
        }
        let class = part.class.rsplit('.').next().unwrap_or_default().to_owned();
        let form = part.form;
        parts.push(EditablePart::Object(EditableObject { export, class, form, properties, table, bytes }));
    }
    let package = EditablePackage { header: document.header, parts, hash };
    if let Some(mappings) = mappings {
        numbers.add_from(mappings);
    }
    let bytes = package.write(Some(&numbers), limits).map_err(JsonError::Write)?;
    let kind = if is_tagged(&bytes.header) { PackageKind::Legacy } else { PackageKind::Zen };
    Ok(JsonPackage { name: document.path, kind, bytes, split: document.split })
}

fn new_table(table: &DataTable) -> NewTable<'_> {
    NewTable {
        before: BASE64.encode(&table.before),
        row_struct: &table.row_struct,
        rows: table
            .rows
            .iter()
            .map(|table_row| NewRow {
                name: &table_row.name,
                properties: table_row.properties.iter().map(row).collect(),
            })
            .collect(),
    }
}

/// Returns the properties that rows of a text are.
fn properties(
    text: &str,
    form: Option<&ObjectForm>,
    rows: &[&RawValue],
    path: &str,
) -> Result<Vec<Property>, JsonError> {
    let made = |(number, raw): (usize, &&RawValue)| {
        let path = format!("{path}.properties[{number}]");
        let row: serde_json::Value = parse(text, raw.get(), &path)?;
        let failed = |fault: Fault| JsonError::Document {
            path: format!("{path}{}", fault.path()),
            line: line(text, raw.get(), 1),
            why: fault.why,
        };
        let form = form.ok_or_else(|| failed(Fault::new("its object has no form")))?;
        property(form, &row).map_err(failed)
    };
    rows.iter().enumerate().map(made).collect()
}

/// Reads a part of a text; errors say where in the whole it is.
fn parse<'t, T: Deserialize<'t>>(whole: &str, part: &'t str, path: &str) -> Result<T, JsonError> {
    let deserializer = &mut serde_json::Deserializer::from_str(part);
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let within = error.path().to_string();
        let path = match (path, within.as_str()) {
            ("", _) => within,
            (path, ".") => path.to_owned(),
            (path, within) => format!("{path}.{within}"),
        };
        let line = line(whole, part, error.inner().line());
        JsonError::Document { path, line, why: error.inner().to_string() }
    })
}

/// Returns the line in the whole of a line of a part of it. It goes through all that comes before: only errors need it.
fn line(whole: &str, part: &str, line: usize) -> usize {
    let at = part.as_ptr().addr().saturating_sub(whole.as_ptr().addr());
    let before = whole.as_bytes().get(..at).unwrap_or_default();
    before.iter().filter(|byte| **byte == b'\n').count() + line.max(1)
}
