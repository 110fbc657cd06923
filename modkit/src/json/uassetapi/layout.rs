//! What classes write after their properties, as lists of fields: each list reads bytes to a document and writes them
//! back.

use serde_json::{Value as Json, json};
use unreal::EditableNames;

use super::names::Flags;
use super::object::NewObject;
use super::read::put_string;
use super::scalar::{
    enumerator, flags, float, guid, read_bool, read_flags, read_float, read_guid, read_name, read_number,
    read_single, read_text, survives,
};
use super::{field_type, kismet};
use crate::json::fault::Fault;

/// Structures within one another.
const MAX_DEPTH: u32 = 48;

/// A fact about a package that decides which fields there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Since {
    Always,
    /// Fields are in a linked list; later they are in arrays (Epic: `FFrameworkObjectVersion::RemoveUField_Next`).
    LinkedFields,
    FieldArrays,
    /// Properties are no objects of their own (Epic: `FCoreObjectVersion::FProperties`).
    Properties,
    PropertyObjects,
    /// Values of enumerations have 64 bits (Epic: `FCoreObjectVersion::EnumProperties`).
    WideEnums,
    NarrowEnums,
    /// Properties state when they are replicated (Epic: `FReleaseObjectVersion::PropertiesSerializeRepCondition`).
    RepConditions,
    /// The package has metadata of fields: it is neither cooked nor filtered.
    FieldMetadata,
    /// Metadata has a part for the package (Epic: `FEditorObjectVersion::RootMetaDataSupport`).
    RootMetadata,
    /// Levels have an owner (Epic: before `FReleaseObjectVersion::LevelTransArrayConvertedToTArray`).
    LevelOwners,
    NoLevelOwners,
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    U8,
    U16,
    U32,
    I32,
    I64,
    U64,
    F32,
    Double,
    /// Of double precision from 5.0 on.
    Real,
    /// In one byte.
    Bool,
    /// In four bytes.
    WideBool,
    Name,
    Text,
    Object,
    Guid,
    /// Names of bits, in bytes.
    Flags(Flags, usize),
    /// A name of a value, in bytes.
    Enumerator(Flags, usize),
    /// Values after their number.
    List(&'static Kind),
    /// One value that documents have as a list of at most one; 0 is none.
    FirstOfList,
    /// A tuple in a list.
    Tuple(&'static [Kind]),
    /// Values with keys, in an object of a class, or of none.
    Fields(&'static str, &'static [Field]),
    /// A tuple as .NET writes it: `Item1`, `Item2`.
    Items(&'static [Kind]),
    /// A property of a class or function, whose type states its fields.
    Property,
    /// The name for nothing, which is not in the document.
    NoName,
    /// Zeros, which are not in the document.
    Zeros(usize),
    /// Values without their number; only written.
    Rest(&'static Kind),
    /// A key without bytes: null.
    Null,
    /// A key without bytes: an empty list.
    NoElements,
    /// Instructions with their sizes, in the document as several keys.
    Script,
}

/// A field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) key: &'static str,
    pub(super) kind: Kind,
    pub(super) since: Since,
}

/// Creates a field that is always there.
pub(super) const fn field(key: &'static str, kind: Kind) -> Field {
    Field { key, kind, since: Since::Always }
}

/// Creates a field that depends on a fact.
pub(super) const fn since(since: Since, key: &'static str, kind: Kind) -> Field {
    Field { key, kind, since }
}

/// Facts about a package.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) has_linked_fields: bool,
    pub(super) has_properties: bool,
    pub(super) has_wide_enums: bool,
    pub(super) has_rep_conditions: bool,
    pub(super) has_field_metadata: bool,
    pub(super) has_root_metadata: bool,
    pub(super) has_level_owners: bool,
    pub(super) has_large_coordinates: bool,
    /// Whether instructions that fill arrays name a variable, not a property (Epic:
    /// `VER_UE4_CHANGE_SETARRAY_BYTECODE`).
    pub(super) sets_arrays_by_variable: bool,
}

impl Facts {
    pub(super) const fn has(&self, since: Since) -> bool {
        match since {
            Since::Always => true,
            Since::LinkedFields => self.has_linked_fields,
            Since::FieldArrays => !self.has_linked_fields,
            Since::Properties => self.has_properties,
            Since::PropertyObjects => !self.has_properties,
            Since::WideEnums => self.has_wide_enums,
            Since::NarrowEnums => !self.has_wide_enums,
            Since::RepConditions => self.has_rep_conditions,
            Since::FieldMetadata => self.has_field_metadata,
            Since::RootMetadata => self.has_root_metadata,
            Since::LevelOwners => self.has_level_owners,
            Since::NoLevelOwners => !self.has_level_owners,
        }
    }
}

/// Reads fields from bytes.
pub(super) struct BytesReader<'r, 'n> {
    pub(super) bytes: &'r [u8],
    pub(super) names: &'n EditableNames,
    pub(super) facts: Facts,
    pub(super) depth: u32,
}

impl<'r> BytesReader<'r, '_> {
    pub(super) fn take(&mut self, count: usize) -> Option<&'r [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }

    pub(super) fn name(&mut self) -> Option<Json> {
        let reference = [self.u32()?, self.u32()?];
        self.names.get(reference).map(|name| json!(name))
    }

    /// Reads a number of elements that the rest can hold.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.i32()?).ok()?;
        (count <= self.bytes.len()).then_some(count)
    }

    fn number(&mut self, bytes: usize) -> Option<u64> {
        let mut number = [0; 8];
        number.get_mut(..bytes)?.copy_from_slice(self.take(bytes)?);
        Some(u64::from_le_bytes(number))
    }

    fn text(&mut self) -> Option<Json> {
        let length = self.i32()?;
        let units = usize::try_from(length.unsigned_abs()).ok()?;
        if length == 0 {
            return Some(Json::Null);
        }
        if length > 0 {
            let (0, text) = self.take(units)?.split_last()? else { return None };
            return text.is_ascii().then(|| json!(String::from_utf8_lossy(text)));
        }
        let units: Vec<u16> = self
            .take(units.checked_mul(2)?)?
            .chunks_exact(2)
            .filter_map(|unit| unit.first_chunk().map(|unit| u16::from_le_bytes(*unit)))
            .collect();
        let (0, text) = units.split_last()? else { return None };
        let text = String::from_utf16(text).ok()?;
        // Such a text would be written with 8 bits a character.
        (!text.is_ascii()).then(|| json!(text))
    }

    /// Reads a value; none if bytes end early, or a document would lose something.
    pub(super) fn value(&mut self, kind: &Kind) -> Option<Json> {
        self.depth = self.depth.checked_add(1).filter(|depth| *depth < MAX_DEPTH)?;
        let value = self.value_of(kind);
        self.depth = self.depth.saturating_sub(1);
        value
    }

    fn value_of(&mut self, kind: &Kind) -> Option<Json> {
        Some(match kind {
            Kind::U8 => json!(self.number(1)?),
            Kind::U16 => json!(self.number(2)?),
            Kind::U32 => json!(self.u32()?),
            Kind::I32 | Kind::Object => json!(self.i32()?),
            Kind::U64 => json!(self.number(8)?),
            Kind::I64 => json!(self.number(8)?.cast_signed()),
            Kind::F32 => self.real(false)?,
            Kind::Double => self.real(true)?,
            Kind::Real => self.real(self.facts.has_large_coordinates)?,
            Kind::Bool => json!(self.flag(1)?),
            Kind::WideBool => json!(self.flag(4)?),
            Kind::Name => self.name()?,
            Kind::Text => self.text()?,
            Kind::Guid => guid(&self.array()?),
            Kind::Flags(names, bytes) => flags(self.number(*bytes)?, names),
            Kind::Enumerator(names, bytes) => enumerator(self.number(*bytes)?, names),
            Kind::List(kind) => {
                let count = self.count()?;
                (0..count).map(|_| self.value(kind)).collect::<Option<Json>>()?
            }
            Kind::FirstOfList => match self.i32()? {
                0 => json!([]),
                only => json!([only]),
            },
            Kind::Tuple(kinds) => kinds.iter().map(|kind| self.value(kind)).collect::<Option<Json>>()?,
            Kind::Items(kinds) => {
                let mut object = NewObject::plain();
                for (number, kind) in (1..).zip(*kinds) {
                    object.put(&format!("Item{number}"), self.value(kind)?);
                }
                object.into_json()
            }
            Kind::Fields(class, fields) => {
                let mut object = if class.is_empty() { NewObject::plain() } else { NewObject::new(class) };
                self.fields(fields, &mut object)?;
                object.into_json()
            }
            Kind::Property => field_type::read(self)?,
            Kind::NoName => (self.name()? == "None").then_some(Json::Null)?,
            Kind::Zeros(count) => self.take(*count)?.iter().all(|byte| *byte == 0).then_some(Json::Null)?,
            Kind::Rest(_) => return None,
            Kind::Null => Json::Null,
            Kind::NoElements => json!([]),
            Kind::Script => return None,
        })
    }

    fn real(&mut self, is_double: bool) -> Option<Json> {
        let number = match is_double {
            true => f64::from_le_bytes(self.array()?),
            false => f32::from_le_bytes(self.array()?).into(),
        };
        survives(number).then(|| float(number))
    }

    fn flag(&mut self, bytes: usize) -> Option<bool> {
        match self.number(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// Reads fields into an object.
    pub(super) fn fields(&mut self, fields: &[Field], object: &mut NewObject) -> Option<()> {
        let facts = self.facts;
        for field in fields.iter().filter(|field| facts.has(field.since)) {
            if let Kind::Script = field.kind {
                kismet::read_script(self, object)?;
                continue;
            }
            let value = self.value(&field.kind)?;
            if !field.key.is_empty() {
                object.put(field.key, value);
            }
        }
        Some(())
    }
}

/// Writes fields as bytes.
pub(super) struct BytesWriter<'w> {
    pub(super) bytes: Vec<u8>,
    pub(super) names: &'w mut EditableNames,
    pub(super) facts: Facts,
}

impl BytesWriter<'_> {
    pub(super) fn name(&mut self, name: &str) -> Result<(), Fault> {
        let reference = self.names.reference(name).map_err(|error| Fault::new(error.to_string()))?;
        reference.iter().for_each(|number| self.bytes.extend(number.to_le_bytes()));
        Ok(())
    }

    pub(super) fn count(&mut self, count: usize) -> Result<(), Fault> {
        let count = i32::try_from(count).map_err(|_| Fault::new("there are too many elements"))?;
        self.bytes.extend(count.to_le_bytes());
        Ok(())
    }

    fn number(&mut self, number: u64, bytes: usize) -> Result<(), Fault> {
        let all = number.to_le_bytes();
        let (low, high) = all.split_at_checked(bytes).unwrap_or((&all, &[]));
        if high.iter().any(|byte| *byte != 0) {
            return Err(Fault::new(format!("a number of {bytes} bytes is needed")));
        }
        self.bytes.extend(low);
        Ok(())
    }

    /// Writes a value.
    ///
    /// # Errors
    /// [`Fault`] if it is not of its type.
    pub(super) fn value(&mut self, kind: &Kind, json: &Json) -> Result<(), Fault> {
        match kind {
            Kind::U8 => self.bytes.push(read_number(json)?),
            Kind::U16 => self.bytes.extend(read_number::<u16>(json)?.to_le_bytes()),
            Kind::U32 => self.bytes.extend(read_number::<u32>(json)?.to_le_bytes()),
            // A reference to nothing may be missing.
            Kind::Object if json.is_null() => self.bytes.extend([0; 4]),
            Kind::I32 | Kind::Object => self.bytes.extend(read_number::<i32>(json)?.to_le_bytes()),
            Kind::U64 => self.bytes.extend(read_number::<u64>(json)?.to_le_bytes()),
            Kind::I64 => self.bytes.extend(read_number::<i64>(json)?.to_le_bytes()),
            Kind::Real if self.facts.has_large_coordinates => {
                self.bytes.extend(read_float(json)?.to_le_bytes());
            }
            Kind::Double => self.bytes.extend(read_float(json)?.to_le_bytes()),
            Kind::F32 | Kind::Real => self.bytes.extend(read_single(json)?.to_le_bytes()),
            Kind::Bool => self.bytes.push(read_bool(json)?.into()),
            Kind::WideBool => self.bytes.extend(u32::from(read_bool(json)?).to_le_bytes()),
            Kind::Name => self.name(&read_name(json)?)?,
            Kind::Text => put_string(&mut self.bytes, read_text(json)?.as_deref()),
            Kind::Guid => self.bytes.extend(read_guid(json)?),
            Kind::Flags(names, bytes) | Kind::Enumerator(names, bytes) => {
                self.number(read_flags(json, names)?, *bytes)?;
            }
            Kind::List(kind) => {
                let elements = json.as_array().ok_or_else(|| Fault::new("a list is needed"))?;
                self.count(elements.len())?;
                self.each(elements.iter().map(|element| (*kind, element)))?;
            }
            Kind::FirstOfList => match json.as_array().map(Vec::as_slice) {
                Some([]) => self.bytes.extend([0; 4]),
                Some([first, ..]) => self.value(&Kind::Object, first)?,
                None => return Err(Fault::new("a list is needed")),
            },
            Kind::Tuple(kinds) => {
                let parts = json.as_array().filter(|parts| parts.len() == kinds.len());
                let parts =
                    parts.ok_or_else(|| Fault::new(format!("a list of {} is needed", kinds.len())))?;
                self.each(kinds.iter().zip(parts))?;
            }
            Kind::Items(kinds) => {
                for (number, kind) in (1..).zip(*kinds) {
                    let key = format!("Item{number}");
                    super::object::field(json, &key, |value| self.value(kind, value))?;
                }
            }
            Kind::Fields(_, fields) => self.fields(fields, json)?,
            Kind::Property => field_type::write(self, json)?,
            Kind::NoName => self.name("None")?,
            Kind::Zeros(count) => self.bytes.extend(vec![0; *count]),
            Kind::Rest(kind) => {
                let elements = json.as_array().ok_or_else(|| Fault::new("a list is needed"))?;
                self.each(elements.iter().map(|element| (*kind, element)))?;
            }
            Kind::Null | Kind::NoElements => {}
            Kind::Script => kismet::write_script(self, json)?,
        }
        Ok(())
    }

    fn each<'j>(&mut self, mut parts: impl Iterator<Item = (&'j Kind, &'j Json)>) -> Result<(), Fault> {
        let mut number = 0_usize;
        parts.try_for_each(|(kind, part)| {
            let written = self.value(kind, part).map_err(|fault| fault.within(format!("[{number}]")));
            number = number.saturating_add(1);
            written
        })
    }

    /// Writes the fields of an object; a missing one is refused unless it may be null.
    pub(super) fn fields(&mut self, fields: &[Field], json: &Json) -> Result<(), Fault> {
        let facts = self.facts;
        for field in fields.iter().filter(|field| facts.has(field.since)) {
            let value = match field.kind {
                Kind::Script => json,
                _ => json.get(field.key).unwrap_or(&Json::Null),
            };
            let missing = value.is_null() && !field.key.is_empty() && json.get(field.key).is_none();
            let may_miss =
                matches!(field.kind, Kind::Name | Kind::Text | Kind::Object | Kind::Null | Kind::NoElements);
            let written = match missing && !may_miss {
                true => Err(Fault::new("is missing")),
                false => self.value(&field.kind, value),
            };
            written.map_err(|fault| match field.kind {
                Kind::Script => fault,
                _ => fault.within(format!(".{}", field.key)),
            })?;
        }
        Ok(())
    }
}
