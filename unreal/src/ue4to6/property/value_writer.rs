//! Values of properties of Unreal Engine 4 to 6, written by their types: the other half of [`super::value_reader`].

use super::mappings::Mappings;
use super::value_reader::ValueForm;
use super::write::PropertyError;
use super::{structs, tagged, unversioned};
use crate::base::names::{EditableNames, split_soft_path};
use crate::base::property::{Property, PropertyType, Value};
use crate::base::writer::{ByteWriter, StringCoding, WriteError, narrow};

/// Writes values.
pub(crate) struct ValueWriter<'w> {
    pub(super) bytes: ByteWriter,
    pub(super) names: &'w mut EditableNames,
    pub(super) form: ValueForm,
    /// What says which numbers the values of enumerations have, where there are no tags.
    pub(super) mappings: Option<&'w Mappings>,
    /// Paths that the package has in a table.
    pub(super) soft_paths: &'w [String],
}

impl<'w> ValueWriter<'w> {
    pub(super) fn new(
        names: &'w mut EditableNames,
        form: ValueForm,
        mappings: Option<&'w Mappings>,
        soft_paths: &'w [String],
    ) -> Self {
        Self { bytes: ByteWriter::default(), names, form, mappings, soft_paths }
    }

    /// Returns what `write` writes, apart from what is there.
    pub(super) fn apart(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), PropertyError>,
    ) -> Result<Vec<u8>, PropertyError> {
        let before = std::mem::take(&mut self.bytes);
        let written = write(self);
        let bytes = std::mem::replace(&mut self.bytes, before).into_bytes();
        written.map(|()| bytes)
    }

    /// Returns the error of a value that is not of its type.
    pub(super) fn mismatch(&self, value: &Value) -> PropertyError {
        PropertyError::Type(value.kind().to_owned())
    }

    pub(super) fn name(&mut self, name: &str) -> Result<(), PropertyError> {
        Ok(self.names.write(name, &mut self.bytes)?)
    }

    /// Writes a string; one without characters takes no more than its length.
    pub(super) fn text(&mut self, text: &str) -> Result<(), PropertyError> {
        if text.is_empty() {
            self.bytes.u32(0);
            return Ok(());
        }
        Ok(self.bytes.string(text, StringCoding::Utf16)?)
    }

    fn soft_path(&mut self, path: &str) -> Result<(), PropertyError> {
        if !self.soft_paths.is_empty() {
            let place = self.soft_paths.iter().position(|known| known == path);
            let place = place.ok_or_else(|| PropertyError::Unknown(path.to_owned()))?;
            self.bytes.u32(narrow("paths", place as u64)?);
            return Ok(());
        }
        let (package, object, within) = split_soft_path(path, self.form.has_split_paths);
        self.name(package)?;
        if self.form.has_split_paths {
            self.name(object)?;
        }
        if self.form.has_plain_ends {
            self.count("bytes of a path", within.len())?;
            self.bytes.bytes(within.as_bytes());
            return Ok(());
        }
        self.text(within)
    }

    fn count(&mut self, what: &'static str, count: usize) -> Result<(), PropertyError> {
        Ok(self.bytes.count(what, count)?)
    }

    /// Writes properties with tags up to `None`, or without.
    pub(super) fn properties(
        &mut self,
        class: &str,
        properties: &[Property],
        is_tagged: bool,
    ) -> Result<(), PropertyError> {
        if is_tagged { tagged::write(self, properties) } else { unversioned::write(self, class, properties) }
    }

    pub(super) fn write_struct(
        &mut self,
        name: &str,
        is_tagged: bool,
        value: &Value,
    ) -> Result<(), PropertyError> {
        match value {
            Value::Struct(fields) if structs::write(self, name, fields)? => Ok(()),
            Value::Struct(fields) => self.properties(name, fields, is_tagged),
            _ => Err(self.mismatch(value)),
        }
    }

    /// Writes a value as it stands by itself or in an array.
    pub(super) fn value(
        &mut self,
        kind: &PropertyType,
        is_tagged: bool,
        value: &Value,
    ) -> Result<(), PropertyError> {
        use PropertyType as Kind;
        match (kind, value) {
            (_, Value::Bytes(bytes)) => self.bytes.bytes(bytes),
            (Kind::Bool, Value::Bool(flag)) => self.bytes.u8((*flag).into()),
            (Kind::UInt8 | Kind::Enum { .. }, Value::Byte(number)) => self.bytes.u8(*number),
            (Kind::Int8, Value::Int(number)) => self.bytes.u8(small::<i8, _>(*number)?.cast_unsigned()),
            (Kind::Int16, Value::Int(number)) => self.bytes.u16(small::<i16, _>(*number)?.cast_unsigned()),
            (Kind::UInt16, Value::Int(number)) => self.bytes.u16(small(*number)?),
            (Kind::Int32, Value::Int(number)) => self.bytes.i32(*number),
            (Kind::UInt32, Value::Int64(number)) => self.bytes.u32(small(*number)?),
            (Kind::Int64, Value::Int64(number)) => self.bytes.u64(number.cast_unsigned()),
            (Kind::UInt64, Value::UInt64(number)) => self.bytes.u64(*number),
            (Kind::Float, Value::Float(number)) => self.bytes.u32(number.to_bits()),
            (Kind::Double, Value::Double(number)) => self.bytes.u64(number.to_bits()),
            (Kind::Name, Value::Name(name)) => self.name(name)?,
            (Kind::Str, Value::Text(text)) => self.text(text)?,
            (Kind::Utf8Str, Value::Text(text)) => {
                self.count("bytes of a text", text.len())?;
                self.bytes.bytes(text.as_bytes());
            }
            (Kind::Text, Value::Localized(text)) => text.write(self)?,
            (Kind::Object, Value::Object(object)) => self.bytes.i32(object.number()),
            (Kind::SoftObject, Value::SoftPath(path)) => self.soft_path(path)?,
            (Kind::LazyObject, value) => self.write_struct("Guid", is_tagged, value)?,
            (Kind::Delegate, value) => self.delegate(value)?,
            (Kind::MulticastDelegate, Value::Array(values)) => {
                self.count("delegates", values.len())?;
                values.iter().try_for_each(|value| self.delegate(value))?;
            }
            (Kind::FieldPath, Value::Array(parts)) => {
                let [names, owner] = &parts[..] else { return Err(self.mismatch(value)) };
                self.value(&Kind::Array(Box::new(Kind::Name)), is_tagged, names)?;
                self.value(&Kind::Object, is_tagged, owner)?;
            }
            (Kind::Enum { .. }, Value::Name(name)) if is_tagged => self.name(name)?,
            (Kind::Enum { name, number }, value) => self.enumerated(name, number, value)?,
            (Kind::Struct(name), value) => self.write_struct(name, is_tagged, value)?,
            (Kind::Array(kind), Value::Array(values)) => self.list(kind, is_tagged, values)?,
            (Kind::Set(kind), Value::Set { removed, values }) => {
                self.list(kind, is_tagged, removed)?;
                self.list(kind, is_tagged, values)?;
            }
            (Kind::Map(kinds), Value::Map { removed, pairs }) => {
                self.list(&kinds.0, is_tagged, removed)?;
                self.pairs(kinds, is_tagged, pairs)?;
            }
            (Kind::Optional(kind), Value::Array(values)) => {
                self.count("values", values.len())?;
                values.iter().try_for_each(|value| self.value(kind, is_tagged, value))?;
            }
            _ => return Err(self.mismatch(value)),
        }
        Ok(())
    }

    fn pairs(
        &mut self,
        (key, of): &(PropertyType, PropertyType),
        is_tagged: bool,
        pairs: &[(Value, Value)],
    ) -> Result<(), PropertyError> {
        self.count("values of a map", pairs.len())?;
        for (one, other) in pairs {
            self.value(key, is_tagged, one)?;
            self.value(of, is_tagged, other)?;
        }
        Ok(())
    }

    pub(super) fn list(
        &mut self,
        kind: &PropertyType,
        is_tagged: bool,
        values: &[Value],
    ) -> Result<(), PropertyError> {
        self.count("values", values.len())?;
        values.iter().try_for_each(|value| self.value(kind, is_tagged, value))
    }

    fn delegate(&mut self, value: &Value) -> Result<(), PropertyError> {
        match value {
            Value::Array(parts) if let [Value::Object(object), Value::Name(name)] = &parts[..] => {
                self.bytes.i32(object.number());
                self.name(name)
            }
            _ => Err(self.mismatch(value)),
        }
    }

    /// Writes a value of an enumeration as a number: that of its name, or itself.
    fn enumerated(&mut self, of: &str, number: &PropertyType, value: &Value) -> Result<(), PropertyError> {
        let Value::Name(name) = value else { return self.value(number, false, value) };
        let known = name.strip_prefix(of).and_then(|name| name.strip_prefix("::")).unwrap_or(name);
        let found = self.mappings.and_then(|mappings| mappings.value_number(of, known));
        let found = found.ok_or_else(|| PropertyError::Unknown(name.clone()))?;
        let size = match number {
            PropertyType::UInt8 | PropertyType::Int8 | PropertyType::Bool => 1,
            PropertyType::UInt16 | PropertyType::Int16 => 2,
            PropertyType::UInt32 | PropertyType::Int32 => 4,
            _ => size_of::<u64>(),
        };
        let bytes = found.to_le_bytes();
        self.bytes.bytes(bytes.get(..size).unwrap_or(&bytes));
        Ok(())
    }
}

/// Returns a number of fewer bits.
fn small<T: TryFrom<N>, N: Copy + Into<i64>>(number: N) -> Result<T, PropertyError> {
    let value = number.into().unsigned_abs();
    T::try_from(number).map_err(|_| {
        let bits = 8_u32.saturating_mul(u32::try_from(size_of::<T>()).unwrap_or_default());
        let most = 1_u64.checked_shl(bits).unwrap_or_default().saturating_sub(1);
        WriteError::TooLarge { what: "a number", value, most }.into()
    })
}
