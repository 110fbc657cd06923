//! Values of properties of Unreal Engine 4 to 6, by their types.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::mappings::Mappings;
use super::{structs, tagged, text, unversioned};
use crate::base::error::{Error, Malformed};
use crate::base::limits::{Limits, MAX_TEXT};
use crate::base::names::{Names, read_soft_path};
use crate::base::object_ref::ObjectRef;
use crate::base::property::{LocalizedText, Property, PropertyType, Value};
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::ue4to6::version::AssetVersion;

/// What values need of the version of their package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ValueForm {
    /// Whether tags state the whole of a type, with its parts.
    pub(super) has_complete_types: bool,
    /// Whether tags of structs have a GUID.
    pub(super) has_struct_guids: bool,
    /// Whether tags may have a GUID.
    pub(super) has_guids: bool,
    /// Whether arrays of structs have a tag for them.
    pub(super) has_inner_tags: bool,
    pub(super) has_large_coordinates: bool,
    /// Whether paths of objects are three parts, not two.
    pub(super) has_split_paths: bool,
    /// Whether what is within an object has no zero at its end. What is written shows it; nothing states it.
    #[serde(default)]
    pub(super) has_plain_ends: bool,
}

impl ValueForm {
    /// Returns whether an array of structs has a tag for them.
    pub(super) const fn inner_tags(self) -> bool {
        self.has_inner_tags && !self.has_complete_types
    }

    pub(super) const fn of(version: AssetVersion) -> Self {
        Self {
            has_complete_types: version.has_complete_types(),
            has_struct_guids: version.has_struct_guids(),
            has_guids: version.has_property_guids(),
            has_inner_tags: version.has_inner_tags(),
            has_large_coordinates: version.has_large_coordinates(),
            has_split_paths: version.has_split_paths(),
            has_plain_ends: false,
        }
    }
}

/// Reads values.
pub(super) struct ValueReader<'v, 's> {
    pub(super) bytes: Reader<'s>,
    pub(super) source: &'s dyn Source,
    pub(super) names: &'v Names,
    pub(super) form: ValueForm,
    /// What properties without tags need.
    pub(super) mappings: Option<&'v Mappings>,
    /// Paths that a package has in a table.
    pub(super) soft_paths: &'v [String],
    pub(super) limits: &'v mut Limits,
    depth: u32,
}

const WHAT: &str = "properties";

/// Values within one another.
const MAX_DEPTH: u32 = 48;

impl<'v, 's> ValueReader<'v, 's> {
    pub(super) fn new(
        source: &'s dyn Source,
        range: Range<u64>,
        names: &'v Names,
        form: ValueForm,
        limits: &'v mut Limits,
    ) -> Self {
        let bytes = Reader::new(source, WHAT, range.start, range.end);
        Self { bytes, source, names, form, mappings: None, soft_paths: &[], limits, depth: 0 }
    }

    /// Returns a reader of some of the bytes.
    pub(super) fn part(&mut self, end: u64) -> ValueReader<'_, 's> {
        ValueReader {
            bytes: Reader::new(self.source, WHAT, self.bytes.at(), end),
            source: self.source,
            names: self.names,
            form: self.form,
            mappings: self.mappings,
            soft_paths: self.soft_paths,
            limits: self.limits,
            depth: self.depth,
        }
    }

    /// Pays for a property, or a value of an array, with so many bytes of text.
    pub(super) fn pay(&mut self, text: usize) -> Result<(), Error> {
        self.limits.take_growing(size_of::<Property>().saturating_add(text), self.bytes.at(), WHAT)
    }

    pub(super) fn name(&mut self) -> Result<String, Error> {
        let name = self.names.read_ref(&mut self.bytes)?;
        self.limits.take_growing(name.len(), self.bytes.at(), WHAT)?;
        Ok(name)
    }

    pub(super) fn f64(&mut self) -> Result<f64, Error> {
        self.bytes.u64().map(f64::from_bits)
    }

    pub(super) fn text(&mut self) -> Result<String, Error> {
        self.bytes.string(MAX_TEXT, self.limits)
    }

    /// Reads the path of an object: `/Game/Audio/SW.SW`, and what is within that.
    pub(super) fn soft_path(&mut self) -> Result<String, Error> {
        if !self.soft_paths.is_empty() {
            let (at, number) = (self.bytes.at(), self.bytes.u32()?);
            let path = usize::try_from(number).ok().and_then(|number| self.soft_paths.get(number));
            let path = path.ok_or_else(|| self.bytes.error(at, Malformed::NoSuchEntry(number.into())))?;
            self.limits.take_growing(path.len(), at, WHAT)?;
            return Ok(path.clone());
        }
        read_soft_path(&mut self.bytes, self.names, self.form.has_split_paths, self.limits)
    }

    /// Reads properties of a class or struct.
    pub(super) fn properties(&mut self, of: &str, is_tagged: bool) -> Result<Vec<Property>, Error> {
        if is_tagged { tagged::read(self, &mut |_| {}) } else { unversioned::read(self, of, &mut |_| {}) }
    }

    /// Reads a struct.
    pub(super) fn read_struct(&mut self, name: &str, is_tagged: bool) -> Result<Value, Error> {
        if let Some(value) = structs::read(self, name) {
            return value;
        }
        if name.eq_ignore_ascii_case("InstancedStruct") {
            return self.instanced_struct();
        }
        self.deeper(|reader| reader.properties(name, is_tagged).map(Value::Struct))
    }

    /// Reads a struct that says which it is, and how long; it is not taken apart.
    fn instanced_struct(&mut self) -> Result<Value, Error> {
        const HEAD: u32 = 8;
        let at = self.bytes.at();
        let _which = self.bytes.i32()?;
        let size = self.bytes.u32()?;
        self.bytes.skip(size.into())?;
        let size = size.saturating_add(HEAD);
        Ok(Value::Opaque { kind: "InstancedStruct".to_owned(), at, size })
    }

    /// Reads something that may be in something of the same kind.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth >= MAX_DEPTH {
            return Err(self.bytes.error(self.bytes.at(), Malformed::ChainTooLong(MAX_DEPTH as usize)));
        }
        self.depth = self.depth.saturating_add(1);
        let read = read(self);
        self.depth = self.depth.saturating_sub(1);
        read
    }

    /// Reads a value as it stands by itself or in an array: not in the tag, as a boolean may.
    pub(super) fn value(&mut self, kind: &PropertyType, is_tagged: bool) -> Result<Value, Error> {
        let bytes = &mut self.bytes;
        Ok(match kind {
            PropertyType::Bool => Value::Bool(bytes.u8()? != 0),
            PropertyType::UInt8 => Value::Byte(bytes.u8()?),
            PropertyType::Int8 => Value::Int(bytes.u8()?.cast_signed().into()),
            PropertyType::Int16 => Value::Int(bytes.u16()?.cast_signed().into()),
            PropertyType::UInt16 => Value::Int(bytes.u16()?.into()),
            PropertyType::Int32 => Value::Int(bytes.i32()?),
            PropertyType::UInt32 => Value::Int64(bytes.u32()?.into()),
            PropertyType::Int64 => Value::Int64(bytes.u64()?.cast_signed()),
            PropertyType::UInt64 => Value::UInt64(bytes.u64()?),
            PropertyType::Float => Value::Float(bytes.f32()?),
            PropertyType::Double => Value::Double(self.f64()?),
            PropertyType::Name => Value::Name(self.name()?),
            PropertyType::Str => Value::Text(self.text()?),
            PropertyType::Utf8Str => Value::Text(self.utf_8()?),
            PropertyType::Text => Value::Localized(Box::new(text::read(self)?)),
            PropertyType::Object => Value::Object(ObjectRef::from_number(bytes.i32()?)),
            PropertyType::SoftObject => Value::SoftPath(self.soft_path()?),
            PropertyType::LazyObject => self.read_struct("Guid", is_tagged)?,
            PropertyType::Delegate => self.delegate()?,
            PropertyType::MulticastDelegate => self.list(12, Self::delegate)?,
            PropertyType::FieldPath => {
                let names = self.list(8, |reader| reader.name().map(Value::Name))?;
                let owner = Value::Object(ObjectRef::from_number(self.bytes.i32()?));
                Value::Array(vec![names, owner])
            }
            // With tags a value has its name.
            PropertyType::Enum { .. } if is_tagged => Value::Name(self.name()?),
            PropertyType::Enum { name, number } => {
                let value = self.value(number, is_tagged)?;
                self.named_value(name, value)
            }
            PropertyType::Struct(name) => self.read_struct(name, is_tagged)?,
            PropertyType::Array(kind) => {
                self.deeper(|reader| reader.list(1, |reader| reader.value(kind, is_tagged)))?
            }
            PropertyType::Set(kind) => {
                let mut list =
                    || self.deeper(|reader| reader.values(1, |reader| reader.value(kind, is_tagged)));
                Value::Set { removed: list()?, values: list()? }
            }
            PropertyType::Map(kinds) => self.map(kinds, is_tagged)?,
            PropertyType::Optional(kind) => {
                let is_there = bytes.u32()? != 0;
                let mut values = Vec::new();
                if is_there {
                    values.push(self.deeper(|reader| reader.value(kind, is_tagged))?);
                }
                Value::Array(values)
            }
            PropertyType::Other(_) => {
                let at = bytes.at();
                return Err(bytes.error(at, Malformed::NoFormFits));
            }
        })
    }

    /// Reads the removed keys of a map, then its pairs.
    fn map(&mut self, (key, value): &(PropertyType, PropertyType), is_tagged: bool) -> Result<Value, Error> {
        let removed = self.deeper(|reader| reader.values(1, |reader| reader.value(key, is_tagged)))?;
        let count = self.bytes.count(1)?;
        let mut pairs = Vec::new();
        for _ in 0..count {
            self.pay(size_of::<Value>())?;
            let pair =
                |reader: &mut Self| Ok((reader.value(key, is_tagged)?, reader.value(value, is_tagged)?));
            pairs.push(self.deeper(pair)?);
        }
        Ok(Value::Map { removed, pairs })
    }

    /// Reads values after their number, each of at least so many bytes.
    pub(super) fn list(
        &mut self,
        min_size: u64,
        read: impl FnMut(&mut Self) -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        self.values(min_size, read).map(Value::Array)
    }

    fn values(
        &mut self,
        min_size: u64,
        mut read: impl FnMut(&mut Self) -> Result<Value, Error>,
    ) -> Result<Vec<Value>, Error> {
        let count = self.bytes.count(min_size)?;
        let mut values = Vec::new();
        for _ in 0..count {
            self.pay(0)?;
            values.push(read(self)?);
        }
        Ok(values)
    }

    fn delegate(&mut self) -> Result<Value, Error> {
        let object = Value::Object(ObjectRef::from_number(self.bytes.i32()?));
        Ok(Value::Array(vec![object, Value::Name(self.name()?)]))
    }

    fn utf_8(&mut self) -> Result<String, Error> {
        let at = self.bytes.at();
        let count = self.bytes.count(1)?;
        if count > MAX_TEXT {
            return Err(self.bytes.error(at, Malformed::TooLong { characters: MAX_TEXT }));
        }
        self.limits.take_growing(count, at, WHAT)?;
        let bytes = self.bytes.bytes(count)?;
        Ok(String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned())
    }

    fn named_value(&self, name: &str, value: Value) -> Value {
        let number = match value {
            Value::Byte(number) => u64::from(number),
            Value::Int(number) => i64::from(number).cast_unsigned(),
            Value::Int64(number) => number.cast_unsigned(),
            Value::UInt64(number) => number,
            other => return other,
        };
        let named = self.mappings.and_then(|mappings| mappings.value_name(name, number));
        named.map_or(value, |value| Value::Name(format!("{name}::{value}")))
    }

    /// Returns what a value is whose bits are all zero.
    pub(super) fn zero(&self, kind: &PropertyType) -> Value {
        match kind {
            PropertyType::Bool => Value::Bool(false),
            PropertyType::UInt8 => Value::Byte(0),
            PropertyType::Int8 | PropertyType::Int16 | PropertyType::UInt16 | PropertyType::Int32 => {
                Value::Int(0)
            }
            PropertyType::UInt32 | PropertyType::Int64 => Value::Int64(0),
            PropertyType::UInt64 => Value::UInt64(0),
            PropertyType::Float => Value::Float(0.0),
            PropertyType::Double => Value::Double(0.0),
            PropertyType::Name => Value::Name("None".to_owned()),
            PropertyType::Str | PropertyType::Utf8Str => Value::Text(String::new()),
            PropertyType::Text => Value::Localized(Box::new(LocalizedText::EMPTY)),
            PropertyType::Object => Value::Object(ObjectRef::None),
            PropertyType::SoftObject => Value::SoftPath(String::new()),
            PropertyType::Enum { name, number } => self.named_value(name, self.zero(number)),
            PropertyType::Set(_) => Value::Set { removed: Vec::new(), values: Vec::new() },
            PropertyType::Map(_) => Value::Map { removed: Vec::new(), pairs: Vec::new() },
            PropertyType::Struct(_) | PropertyType::LazyObject => Value::Struct(Vec::new()),
            PropertyType::Delegate => {
                Value::Array(vec![Value::Object(ObjectRef::None), Value::Name("None".to_owned())])
            }
            PropertyType::FieldPath => {
                Value::Array(vec![Value::Array(Vec::new()), Value::Object(ObjectRef::None)])
            }
            _ => Value::Array(Vec::new()),
        }
    }
}
