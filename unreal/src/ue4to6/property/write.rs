//! Properties of an object of Unreal Engine 4 to 6 with other values: what is not changed stays byte for byte.
//!
//! ```text
//! with tags      tag │ value │ … new tag │ value │ None     a tag that is there keeps its form, new ones come last
//! without tags   which there are │ value │ new value │ …    the header is written anew, as the engine writes it
//! ```
//!
//! Source: *packages-ue4-ue6*, §9: the latest form with tags and that without measured, the others described.

use std::ops::Range;

use super::mappings::Mappings;
use super::object::ObjectProperties;
use super::tagged;
use super::unversioned::fields_with_header;
use super::value_writer::ValueWriter;
use crate::base::error::Error;
use crate::base::names::EditableNames;
use crate::base::property::{Property, PropertyForm, TypeName, Value};
use crate::base::writer::{ByteWriter, WriteError};
use crate::ue4to6::package::AssetPackage;

/// A value that a property is to have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NewValue<'v> {
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i32),
    /// A number.
    Float(f32),
    /// A value of an enumeration of the engine, by the names of both.
    Enum(&'v str, &'v str),
}

/// Why properties were not changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum PropertyError {
    /// They cannot be read.
    Read(Error),
    /// They cannot be written.
    Write(WriteError),
    /// The schema does not have this one.
    Unknown(String),
    /// This one has another type.
    Type(String),
    /// An object that is not once among the others, and how.
    Export(usize, &'static str),
}

impl std::fmt::Display for PropertyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Unknown(name) => write!(f, "the schema has no property {name}"),
            Self::Type(name) => write!(f, "property {name} has another type"),
            Self::Export(number, what) => write!(f, "export {number} {what}"),
        }
    }
}

impl std::error::Error for PropertyError {}

impl PropertyError {
    /// Adds what it happened in.
    pub(crate) fn within(self, name: &str) -> Self {
        let join = |inner: String| if inner.is_empty() { name.to_owned() } else { format!("{name}.{inner}") };
        match self {
            Self::Unknown(inner) => Self::Unknown(join(inner)),
            Self::Type(inner) => Self::Type(join(inner)),
            other => other,
        }
    }
}

impl From<WriteError> for PropertyError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

/// Returns the properties of an object with other values, as bytes from its beginning to where values end; `before` is
/// what was read of it. A property that is not there is added.
///
/// # Errors
/// [`PropertyError`] if they cannot be read, or hold no such values.
pub(crate) fn with_values(
    package: &AssetPackage,
    export: usize,
    before: &ObjectProperties,
    mappings: Option<&Mappings>,
    values: &[(&str, NewValue<'_>)],
    names: &mut EditableNames,
) -> Result<Vec<u8>, PropertyError> {
    let start = package.range(export).map_err(PropertyError::Read)?.start;
    let mut bytes = vec![0; usize::try_from(before.values_end.saturating_sub(start)).unwrap_or_default()];
    package
        .source()
        .read_at(start, &mut bytes)
        .map_err(|error| PropertyError::Read(Error::from_io(error, start, "properties")))?;
    let block = ReadProperties { start, bytes: &bytes, before };
    match mappings.filter(|_| package.is_unversioned()) {
        Some(mappings) => {
            let class = package.export(export).and_then(|export| export.class);
            let class = class.map(|class| class.name().to_owned()).unwrap_or_default();
            block.without_tags(mappings, &class, values)
        }
        None => block.with_tags(values, names),
    }
}

/// Properties as they are.
struct ReadProperties<'b> {
    /// Where they begin in the package.
    start: u64,
    bytes: &'b [u8],
    before: &'b ObjectProperties,
}

impl ReadProperties<'_> {
    /// Returns the bytes of a value.
    fn value(&self, place: &Range<u64>) -> &[u8] {
        let at = |place: u64| usize::try_from(place.saturating_sub(self.start)).unwrap_or(usize::MAX);
        self.bytes.get(at(place.start)..at(place.end)).unwrap_or_default()
    }

    /// Returns where a property is among the others.
    fn position(&self, name: &str) -> Option<usize> {
        self.before.properties.iter().position(|property| property.is(name) && property.index == 0)
    }

    fn with_tags(
        &self,
        values: &[(&str, NewValue<'_>)],
        names: &mut EditableNames,
    ) -> Result<Vec<u8>, PropertyError> {
        /// The name that ends them.
        const NONE: usize = 8;
        let mut bytes = self.bytes.to_vec();
        let mut added = ByteWriter::default();
        for (name, value) in values {
            let mut written = ByteWriter::default();
            match value {
                // With tags it is in the tag.
                NewValue::Bool(_) => {}
                NewValue::Int(number) => written.i32(*number),
                NewValue::Float(number) => written.u32(number.to_bits()),
                NewValue::Enum(of, value) => names.write(&format!("{of}::{value}"), &mut written)?,
            }
            let written = written.into_bytes();
            let Some((position, place)) =
                self.position(name).and_then(|position| Some((position, self.before.places.get(position)?)))
            else {
                let property = property_of(name, value, self.before.form.has_complete_types);
                let mut writer = ValueWriter::new(names, self.before.form, None, &[]);
                tagged::write_property(&mut writer, &property)?;
                added.bytes(&writer.bytes.into_bytes());
                continue;
            };
            let stated = self.before.properties.get(position).map(|property| &property.value);
            if let NewValue::Bool(flag) = value {
                self.set_flag(&mut bytes, place.start, *flag, (*name).to_owned())?;
                continue;
            }
            let is_of_type = match value {
                NewValue::Bool(_) => false,
                NewValue::Int(_) => matches!(stated, Some(Value::Int(_))),
                NewValue::Float(_) => matches!(stated, Some(Value::Float(_))),
                NewValue::Enum(..) => matches!(stated, Some(Value::Name(_))),
            };
            let at = usize::try_from(place.start.saturating_sub(self.start)).unwrap_or(usize::MAX);
            let part = at.checked_add(written.len()).and_then(|end| bytes.get_mut(at..end));
            match part.filter(|_| is_of_type && self.value(place).len() == written.len()) {
                Some(part) => part.copy_from_slice(&written),
                None => return Err(PropertyError::Type((*name).to_owned())),
            }
        }
        let end = bytes.len().saturating_sub(NONE);
        bytes.splice(end..end, added.into_bytes());
        Ok(bytes)
    }

    /// Sets a boolean in its tag, which ends where its value would begin: in a byte before that which says whether the
    /// property has a GUID, or in the flags.
    fn set_flag(&self, bytes: &mut [u8], end: u64, flag: bool, name: String) -> Result<(), PropertyError> {
        /// Of the flags of tags from 5.4 on.
        const TRUE: u8 = 0x10;
        let form = &self.before.form;
        let back = if form.has_complete_types || !form.has_guids { 1 } else { 2 };
        let at = usize::try_from(end.saturating_sub(self.start)).unwrap_or(usize::MAX).checked_sub(back);
        let byte = at.and_then(|at| bytes.get_mut(at)).ok_or_else(|| PropertyError::Type(name.clone()))?;
        match (form.has_complete_types, *byte) {
            // Nothing but the value, so that this byte is the flags.
            (true, 0 | TRUE) => *byte = if flag { TRUE } else { 0 },
            (false, 0 | 1) => *byte = flag.into(),
            _ => return Err(PropertyError::Type(name)),
        }
        Ok(())
    }

    fn without_tags(
        &self,
        mappings: &Mappings,
        class: &str,
        values: &[(&str, NewValue<'_>)],
    ) -> Result<Vec<u8>, PropertyError> {
        let mut fields: Vec<(u32, Option<Vec<u8>>)> = Vec::with_capacity(self.before.places.len());
        for (property, place) in self.before.properties.iter().zip(&self.before.places) {
            let Some(form) = &property.form else { continue };
            let value = (!form.is_zero).then(|| self.value(place).to_vec());
            fields.push((form.number, value));
        }
        for (name, value) in values {
            let unknown = || PropertyError::Unknown((*name).to_owned());
            let number = mappings.number(class, name).ok_or_else(unknown)?;
            let written = match value {
                NewValue::Bool(flag) => vec![u8::from(*flag)],
                NewValue::Int(number) => number.to_le_bytes().to_vec(),
                NewValue::Float(number) => number.to_le_bytes().to_vec(),
                NewValue::Enum(of, value) => {
                    let number = mappings.value_number(of, value).ok_or_else(unknown)?;
                    vec![u8::try_from(number).map_err(|_| PropertyError::Type((*name).to_owned()))?]
                }
            };
            let written = written.iter().any(|byte| *byte != 0).then_some(written);
            match fields.binary_search_by_key(&number, |(number, _)| *number) {
                Ok(position) => {
                    let Some((_, field)) = fields.get_mut(position) else { continue };
                    let sizes =
                        field.as_ref().zip(written.as_ref()).map(|(one, other)| (one.len(), other.len()));
                    if sizes.is_some_and(|(one, other)| one != other) {
                        return Err(PropertyError::Type((*name).to_owned()));
                    }
                    *field = written;
                }
                Err(position) => fields.insert(position, (number, written)),
            }
        }
        Ok(fields_with_header(&fields))
    }
}

/// Returns a property that is added.
fn property_of(name: &str, value: &NewValue<'_>, is_complete: bool) -> Property {
    let (kind, value) = match value {
        NewValue::Bool(flag) => (TypeName::simple("BoolProperty"), Value::Bool(*flag)),
        NewValue::Int(number) => (TypeName::simple("IntProperty"), Value::Int(*number)),
        NewValue::Float(number) => (TypeName::simple("FloatProperty"), Value::Float(*number)),
        NewValue::Enum(of, value) => {
            // The enumeration lies in a package, and has values of a byte.
            let named = TypeName { name: (*of).to_owned(), parts: vec![TypeName::simple("/Script/Engine")] };
            let parts = match is_complete {
                true => vec![named, TypeName::simple("ByteProperty")],
                false => vec![TypeName::simple(of)],
            };
            let kind = TypeName { name: "EnumProperty".to_owned(), parts };
            (kind, Value::Name(format!("{of}::{value}")))
        }
    };
    let form = PropertyForm { kind, ..PropertyForm::default() };
    Property { name: name.to_owned(), index: 0, value, form: Some(Box::new(form)) }
}
