//! Packages of Unreal Engine 4 to 6 taken apart, so that they can be changed and put together again, to the same bytes
//! if nothing was.
//!
//! ```text
//! package ──► header: its tables │ parts: properties and what the class writes · bytes between objects
//!         ◄── where things lie, sizes and counts follow from the parts
//! ```
//!
//! Properties that would not be written as they are stay bytes, each by itself if that is enough.

mod assemble;
mod chunk;
mod edit;
mod header;
mod table;

use super::package::{AssetPackage, ClassPath};
use super::property::{DataTableRow, Mappings, ObjectForm, PropertyError, PropertyWriter, read_object};
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::names::EditableNames;
use crate::base::property::{Property, Value};
use crate::base::writer::WriteError;
pub(crate) use chunk::resize;
pub use edit::AssetFiles;
pub(crate) use edit::{AssetEdit, MovedOffsets};
pub use header::{EditableHeader, FixedHeader};

const WHAT: &str = "package";

/// A package taken apart.
#[derive(Debug)]
pub struct EditablePackage {
    /// Tables of the package.
    pub header: EditableHeader,
    /// Objects and the bytes between them, in file order.
    pub parts: Vec<EditablePart>,
    /// The BLAKE3 of header and objects as they were read.
    pub hash: [u8; 32],
}

/// A part of what follows a header.
#[derive(Debug)]
pub enum EditablePart {
    /// An object.
    Object(EditableObject),
    /// What belongs to none.
    Bytes(Vec<u8>),
}

/// An object taken apart.
#[derive(Debug)]
pub struct EditableObject {
    /// Index of the export.
    pub export: usize,
    /// The name of its class; nothing if that is not known.
    pub class: String,
    /// The form of its properties; none if they are among the bytes.
    pub form: Option<ObjectForm>,
    /// Properties of the object.
    pub properties: Vec<Property>,
    /// Rows, if the object is a data table.
    pub table: Option<DataTable>,
    /// Bytes that the class writes after the properties.
    pub bytes: Vec<u8>,
}

/// The rows of a data table.
#[derive(Clone, Debug, PartialEq)]
pub struct DataTable {
    /// Bytes before the rows.
    pub before: Vec<u8>,
    /// The name of the struct that they are.
    pub row_struct: String,
    /// The rows.
    pub rows: Vec<DataTableRow>,
}

/// The bytes of a package.
#[derive(Debug)]
pub struct PackageBytes {
    /// Bytes of the header.
    pub header: Vec<u8>,
    /// Bytes of the objects, and of what follows them.
    pub objects: Vec<u8>,
}

impl PackageBytes {
    fn hash(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.header).update(&self.objects);
        *hasher.finalize().as_bytes()
    }
}

/// Bytes of an object, and how many of them are properties.
type WrittenPart = (Option<usize>, u64, Vec<u8>);

impl EditablePackage {
    /// Takes a package apart. Without tags, mappings say what its properties are; those of which they do not stay
    /// bytes.
    ///
    /// # Errors
    /// If objects do not lie in the package or in one another, or it takes more than the limits allow.
    pub fn read(
        package: &AssetPackage,
        mappings: Option<&Mappings>,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let source = package.source();
        let end = source.len();
        let begin = package.objects_at().min(end);
        limits.take(end, 0, WHAT)?;
        let mut whole = vec![0; usize::try_from(end).unwrap_or_default()];
        source.read_at(0, &mut whole).map_err(|error| Error::from_io(error, 0, WHAT))?;
        let hash = *blake3::hash(&whole).as_bytes();
        let bytes = |range: std::ops::Range<u64>| {
            let at = |place| usize::try_from(place).unwrap_or(usize::MAX);
            whole.get(at(range.start)..at(range.end)).unwrap_or_default()
        };
        let header = EditableHeader::read(package, bytes(0..begin), limits)?;
        let mut order = Vec::with_capacity(package.len());
        for export in 0..package.len() {
            order.push((package.range(export)?, export));
        }
        order.sort_by_key(|(range, export)| (range.start, range.end, *export));
        let mut names = header.names();
        let (mut parts, mut at) = (Vec::new(), begin);
        for (range, export) in order {
            if range.start < at {
                let within =
                    || package.export(export).map(|export| export.name.to_owned()).unwrap_or_default();
                return Err(Error::malformed(Malformed::SharedBytes, range.start, WHAT).within(within()));
            }
            if range.start > at {
                parts.push(EditablePart::Bytes(bytes(at..range.start).to_vec()));
            }
            at = range.end;
            let object = bytes(range.clone());
            let read = read_object(package, export, mappings, limits).ok();
            let read = read
                .and_then(|read| read.exact(&whole, (export, range.start), mappings, &mut names, package));
            let (form, properties, written) = match read {
                Some((form, properties, written)) => (Some(form), properties, written),
                None => (None, Vec::new(), 0),
            };
            let bytes = object.get(written..).unwrap_or_default().to_vec();
            let class = package.export(export).and_then(|export| export.class);
            let class = class.map(|class| class.name().to_owned()).unwrap_or_default();
            let mut object = EditableObject { export, class, form, properties, table: None, bytes };
            if object.class == table::CLASS {
                let table = table::RowSearch { package, mappings, whole: &whole, range };
                table.take_apart(&mut object, &mut names, limits);
            }
            parts.push(EditablePart::Object(object));
        }
        if at < end {
            parts.push(EditablePart::Bytes(bytes(at..end).to_vec()));
        }
        Ok(Self { header, parts, hash })
    }

    /// Puts it together. `mappings` say which numbers the values of enumerations have where there are no tags.
    ///
    /// # Errors
    /// [`PropertyError`] if a value is not of its type, has no number, the header cannot say where something lies, or
    /// takes more than the limits allow.
    pub fn write(
        mut self,
        mappings: Option<&Mappings>,
        limits: &mut Limits,
    ) -> Result<PackageBytes, PropertyError> {
        let mut names = self.header.names();
        let parts = self.written_parts(&mut names, mappings)?;
        // A name that is new is not in the table yet.
        if let Ok(header) = self.header.write() {
            let objects = parts.iter().flat_map(|(_, _, bytes)| bytes).copied().collect();
            let unchanged = PackageBytes { header, objects };
            if unchanged.hash() == self.hash && self.header.says(&unchanged.header, limits) {
                return Ok(unchanged);
            }
        }
        match self.header {
            EditableHeader::Legacy(header) => {
                let edit = AssetEdit::of_parts(*header, parts, names).map_err(PropertyError::Read)?;
                let files = edit.finish()?;
                Ok(PackageBytes { header: files.header, objects: files.objects })
            }
            EditableHeader::Zen(header) => {
                let (header, objects) = chunk::write(*header, parts, names)?;
                Ok(PackageBytes { header, objects })
            }
            EditableHeader::Fixed(_) => {
                let what = "a change, for its header is not written";
                Err(WriteError::Version { version: "of the package".to_owned(), what }.into())
            }
        }
    }

    /// Returns the bytes of the parts, which are taken out.
    fn written_parts(
        &mut self,
        names: &mut EditableNames,
        mappings: Option<&Mappings>,
    ) -> Result<Vec<WrittenPart>, PropertyError> {
        let soft_paths = self.header.soft_paths().to_vec();
        let mut parts: Vec<WrittenPart> = Vec::with_capacity(self.parts.len());
        self.check()?;
        for part in std::mem::take(&mut self.parts) {
            match part {
                EditablePart::Bytes(bytes) => parts.push((None, 0, bytes)),
                EditablePart::Object(object) => {
                    let name = self.header.object_name(object.export);
                    let mut bytes = Vec::new();
                    if let Some(form) = &object.form {
                        let mut writer = PropertyWriter { names, mappings, soft_paths: &soft_paths };
                        bytes = writer
                            .write(&object.class, form, &object.properties)
                            .map_err(|error| error.within(name.unwrap_or_default()))?;
                    }
                    let values = bytes.len() as u64;
                    if let (Some(form), Some(table)) = (&object.form, &object.table) {
                        let mut writer = PropertyWriter { names, mappings, soft_paths: &soft_paths };
                        bytes.extend(&table.before);
                        let rows = writer.rows(&table.row_struct, form, &table.rows);
                        bytes.extend(rows.map_err(|error| error.within(name.unwrap_or_default()))?);
                    }
                    bytes.extend(object.bytes);
                    parts.push((Some(object.export), values, bytes));
                }
            }
        }
        Ok(parts)
    }
}

impl EditablePackage {
    /// Checks that each export is one part.
    fn check(&self) -> Result<(), PropertyError> {
        let exports = self.header.exports();
        let mut is_there = vec![false; exports];
        for part in &self.parts {
            let EditablePart::Object(object) = part else { continue };
            match is_there.get_mut(object.export) {
                Some(there) if !*there => *there = true,
                Some(_) => return Err(PropertyError::Export(object.export, "is there twice")),
                None => return Err(PropertyError::Export(object.export, "is not in the table")),
            }
        }
        match is_there.iter().position(|there| !there) {
            Some(export) => Err(PropertyError::Export(export, "is missing among the parts")),
            None => Ok(()),
        }
    }
}

impl super::property::ObjectProperties {
    /// Returns the properties as they are written to the same bytes, their form, and how many bytes they are; none if
    /// they would be written otherwise. `whole` is the package, in which the object of a number begins at `begin`.
    fn exact(
        self,
        whole: &[u8],
        (export, begin): (usize, u64),
        mappings: Option<&Mappings>,
        names: &mut EditableNames,
        package: &AssetPackage,
    ) -> Option<(ObjectForm, Vec<Property>, usize)> {
        let part = |from: u64, to: u64| {
            let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
            whole.get(at(from)..at(to))
        };
        let bytes = part(begin, self.values_end)?;
        let mut form = ObjectForm::of(&self, package.is_unversioned());
        let class = package.export(export).and_then(|export| export.class).map(ClassPath::name);
        let class = class.unwrap_or_default();
        let mut properties = self.properties;
        properties.iter_mut().for_each(|property| fetch(&mut property.value, whole));
        let mut writer = PropertyWriter { names, mappings, soft_paths: package.soft_paths() };
        let is_exact = |form: &ObjectForm, properties: &[Property], writer: &mut PropertyWriter<'_>| {
            writer.write(class, form, properties).is_ok_and(|written| written == bytes)
        };
        for form in std::iter::once(form.clone()).chain(form.others()) {
            if is_exact(&form, &properties, &mut writer) {
                return Some((form, properties, bytes.len()));
            }
        }
        // Some of them are not what they seem.
        for (property, place) in properties.iter_mut().zip(&self.places) {
            let value = part(place.start, place.end)?;
            let mut is_exact =
                |form: &ObjectForm| writer.value(form, property).is_ok_and(|written| written == value);
            if value.is_empty() || is_exact(&form) {
                continue;
            }
            // All of them have one form.
            match form.others().find(|other| is_exact(other)) {
                Some(other) => form = other,
                None => property.value = Value::Bytes(value.to_vec()),
            }
        }
        is_exact(&form, &properties, &mut writer).then_some((form, properties, bytes.len()))
    }
}

/// Puts the bytes of values that are not taken apart in the place of where they lie.
fn fetch(value: &mut Value, whole: &[u8]) {
    match value {
        Value::Opaque { at, size, .. } => {
            let from = usize::try_from(*at).unwrap_or(usize::MAX);
            let to = from.saturating_add(usize::try_from(*size).unwrap_or(usize::MAX));
            *value = Value::Bytes(whole.get(from..to).unwrap_or_default().to_vec());
        }
        Value::Array(values) => values.iter_mut().for_each(|value| fetch(value, whole)),
        Value::Set { removed, values } => {
            removed.iter_mut().chain(values).for_each(|value| fetch(value, whole));
        }
        Value::Map { removed, pairs } => {
            removed.iter_mut().for_each(|value| fetch(value, whole));
            for (key, value) in pairs {
                fetch(key, whole);
                fetch(value, whole);
            }
        }
        Value::Struct(fields) => fields.iter_mut().for_each(|field| fetch(&mut field.value, whole)),
        _ => {}
    }
}
