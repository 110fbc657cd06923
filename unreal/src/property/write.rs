//! Properties of an object of Unreal Engine 4 to 6 with other values: what is not changed stays byte for byte.
//!
//! ```text
//! with tags      tag │ value │ … new tag │ value │ None     a tag that is there keeps its form, new ones come last
//! without tags   which there are │ value │ new value │ …    the header is written anew, as the engine writes it
//! ```
//!
//! Source: *packages-ue4-ue6*, §9: the latest form with tags and that without measured, the others described.

use super::Value;
use super::mappings::Mappings;
use super::object::{ObjectProperties, ValuePlace};
use crate::error::Error;
use crate::game_package::GamePackage;
use crate::names::NameTable;
use crate::writer::{ByteWriter, WriteError, narrow};

/// A value that a property is to have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NewValue<'v> {
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
}

impl std::fmt::Display for PropertyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Unknown(name) => write!(f, "the schema has no property {name}"),
            Self::Type(name) => write!(f, "property {name} has another type"),
        }
    }
}

impl std::error::Error for PropertyError {}

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
    package: &GamePackage<'_>,
    export: usize,
    before: &ObjectProperties,
    mappings: Option<&Mappings>,
    values: &[(&str, NewValue<'_>)],
    names: &mut NameTable,
) -> Result<Vec<u8>, PropertyError> {
    let start = package.range(export).map_err(PropertyError::Read)?.start;
    let mut bytes = vec![0; usize::try_from(before.values_end.saturating_sub(start)).unwrap_or_default()];
    package
        .source()
        .read_at(start, &mut bytes)
        .map_err(|error| PropertyError::Read(Error::from_io(error, start, "properties")))?;
    let block = Block { start, bytes: &bytes, before };
    match mappings.filter(|_| package.is_unversioned()) {
        Some(mappings) => {
            let class = package.export(export).and_then(|export| export.class);
            let class = class.map(|class| class.name().to_owned()).unwrap_or_default();
            block.without_tags(mappings, &class, values)
        }
        None => block.with_tags(before.has_complete_types, values, names),
    }
}

/// Properties as they are.
struct Block<'b> {
    /// Where they begin in the package.
    start: u64,
    bytes: &'b [u8],
    before: &'b ObjectProperties,
}

impl Block<'_> {
    /// Returns the bytes of a value.
    fn value(&self, place: &ValuePlace) -> &[u8] {
        let at = |place: u64| usize::try_from(place.saturating_sub(self.start)).unwrap_or(usize::MAX);
        self.bytes.get(at(place.range.start)..at(place.range.end)).unwrap_or_default()
    }

    /// Returns where a property is among the others.
    fn position(&self, name: &str) -> Option<usize> {
        self.before.properties.iter().position(|property| property.is(name) && property.index == 0)
    }

    fn with_tags(
        &self,
        is_complete: bool,
        values: &[(&str, NewValue<'_>)],
        names: &mut NameTable,
    ) -> Result<Vec<u8>, PropertyError> {
        /// The name that ends them.
        const NONE: usize = 8;
        let mut bytes = self.bytes.to_vec();
        let mut added = ByteWriter::default();
        for (name, value) in values {
            let mut written = ByteWriter::default();
            match value {
                NewValue::Int(number) => written.i32(*number),
                NewValue::Float(number) => written.u32(number.to_bits()),
                NewValue::Enum(of, value) => names.write(&format!("{of}::{value}"), &mut written)?,
            }
            let written = written.into_bytes();
            let Some((position, place)) =
                self.position(name).and_then(|position| Some((position, self.before.places.get(position)?)))
            else {
                tag(name, value, is_complete, written.len(), names, &mut added)?;
                added.bytes(&written);
                continue;
            };
            let stated = self.before.properties.get(position).map(|property| &property.value);
            let is_of_type = match value {
                NewValue::Int(_) => matches!(stated, Some(Value::Int(_))),
                NewValue::Float(_) => matches!(stated, Some(Value::Float(_))),
                NewValue::Enum(..) => matches!(stated, Some(Value::Name(_))),
            };
            let at = usize::try_from(place.range.start.saturating_sub(self.start)).unwrap_or(usize::MAX);
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

    fn without_tags(
        &self,
        mappings: &Mappings,
        class: &str,
        values: &[(&str, NewValue<'_>)],
    ) -> Result<Vec<u8>, PropertyError> {
        let mut fields: Vec<(u32, Option<Vec<u8>>)> = Vec::with_capacity(self.before.places.len());
        for place in &self.before.places {
            let value = (!place.is_zero).then(|| self.value(place).to_vec());
            fields.push((place.number, value));
        }
        for (name, value) in values {
            let unknown = || PropertyError::Unknown((*name).to_owned());
            let number = mappings.number(class, name).ok_or_else(unknown)?;
            let written = match value {
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
        Ok(untagged(&fields))
    }
}

/// Writes the tag of a value of so many bytes.
fn tag(
    name: &str,
    value: &NewValue<'_>,
    is_complete: bool,
    size: usize,
    names: &mut NameTable,
    to: &mut ByteWriter,
) -> Result<(), WriteError> {
    let kind = match value {
        NewValue::Int(_) => "IntProperty",
        NewValue::Float(_) => "FloatProperty",
        NewValue::Enum(..) => "EnumProperty",
    };
    names.write(name, to)?;
    names.write(kind, to)?;
    let size = narrow("bytes of a value", size as u64)?;
    if is_complete {
        // The enumeration lies in a package, and has values of a byte.
        match value {
            NewValue::Enum(of, _) => {
                to.u32(2);
                names.write(of, to)?;
                to.u32(1);
                names.write("/Script/Engine", to)?;
                to.u32(0);
                names.write("ByteProperty", to)?;
                to.u32(0);
            }
            _ => to.u32(0),
        }
        to.u32(size);
        to.u8(0);
    } else {
        to.u32(size);
        // It is no element of an array.
        to.u32(0);
        if let NewValue::Enum(of, _) = value {
            names.write(of, to)?;
        }
        // It has no GUID.
        to.u8(0);
    }
    Ok(())
}

/// Writes values by their numbers, with the header that says which there are.
fn untagged(fields: &[(u32, Option<Vec<u8>>)]) -> Vec<u8> {
    const MOST: u32 = 127;
    const ZEROS: u16 = 0x80;
    const LAST: u16 = 0x100;
    #[derive(Default)]
    struct Fragment {
        skip: u32,
        zeros: Vec<bool>,
    }
    let mut fragments = vec![Fragment::default()];
    let mut next = 0_u32;
    for (number, value) in fields {
        let mut skip = number.saturating_sub(next);
        next = number.saturating_add(1);
        loop {
            let is_full = fragments.last().is_none_or(|last| {
                skip > 0 && (!last.zeros.is_empty() || last.skip >= MOST) || last.zeros.len() >= MOST as usize
            });
            if is_full {
                fragments.push(Fragment::default());
            }
            let Some(last) = fragments.last_mut() else { break };
            let now = skip.min(MOST.saturating_sub(last.skip));
            last.skip = last.skip.saturating_add(now);
            skip = skip.saturating_sub(now);
            if skip == 0 {
                last.zeros.push(value.is_none());
                break;
            }
        }
    }
    let mut bytes = ByteWriter::default();
    let count = fragments.len();
    for (place, fragment) in (1..).zip(&fragments) {
        let has_zeros = if fragment.zeros.contains(&true) { ZEROS } else { 0 };
        let last = if place == count { LAST } else { 0 };
        let number = |number: usize| u16::try_from(number).unwrap_or_default();
        let (skip, values) = (number(fragment.skip as usize), number(fragment.zeros.len()));
        bytes.u16(skip | has_zeros | last | values << 9);
    }
    let masked = fragments.iter().filter(|fragment| fragment.zeros.contains(&true));
    let mask: Vec<bool> = masked.flat_map(|fragment| fragment.zeros.iter().copied()).collect();
    let size = match mask.len() {
        0 => 0,
        1..=8 => 1,
        9..=16 => 2,
        bits => bits.div_ceil(32).saturating_mul(4),
    };
    let byte =
        |bits: &[bool]| (0..).zip(bits).fold(0_u8, |byte, (bit, is_set)| byte | u8::from(*is_set) << bit);
    let mut mask: Vec<u8> = mask.chunks(8).map(byte).collect();
    mask.resize(size, 0);
    bytes.bytes(&mask);
    fields.iter().filter_map(|(_, value)| value.as_ref()).for_each(|value| bytes.bytes(value));
    bytes.into_bytes()
}
